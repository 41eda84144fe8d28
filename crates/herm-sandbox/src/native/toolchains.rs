//! Where the tools are that a person uses.
//!
//! A program is of no use without what it needs: a compiler behind its `rustup` proxy, the packages of a Python. They are found
//! by following what `PATH` and the tools' own variables name, not by showing the home directory. Beside a `bin` may lie anything, so
//! what is above it is shown only as far as it is evidently a tool's.

mod prefix;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use herm::policy::sandbox::{Access, objection};

use super::trace::{Trace, Tracer, trace};
use super::width::is_everybodys;
use prefix::Extent;

/// Variables that name a directory of tools.
const NAMED: &[&str] = &[
    "ANDROID_HOME",
    "ASDF_DATA_DIR",
    "BUN_INSTALL",
    "CARGO_HOME",
    "CONDA_PREFIX",
    "DENO_INSTALL",
    "DOTNET_ROOT",
    "FNM_DIR",
    "FLUTTER_ROOT",
    "GOROOT",
    "JAVA_HOME",
    "MISE_DATA_DIR",
    "NVM_DIR",
    "OPAMROOT",
    "PNPM_HOME",
    "POETRY_HOME",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "RUSTUP_HOME",
    "SDKMAN_DIR",
    "UV_TOOL_DIR",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
];

/// Where tools keep themselves and what they have fetched, below the home directory, unless told otherwise.
const USUAL: &[&str] = &[
    ".asdf",
    ".bun",
    ".cabal",
    ".cache/Cypress",
    ".cache/bazel",
    ".cache/ccache",
    ".cache/deno",
    ".cache/go-build",
    ".cache/ms-playwright",
    ".cache/node",
    ".cache/node-gyp",
    ".cache/pip",
    ".cache/pnpm",
    ".cache/poetry",
    ".cache/pre-commit",
    ".cache/puppeteer",
    ".cache/sccache",
    ".cache/uv",
    ".cache/yarn",
    ".cache/zig",
    ".cargo",
    ".ccache",
    ".conda",
    ".deno",
    ".dotnet",
    ".elan",
    ".fnm",
    ".gem",
    ".ghcup",
    ".gradle/caches",
    ".gradle/wrapper",
    ".ivy2",
    ".juliaup",
    ".konan",
    ".local/lib",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pipx",
    ".local/share/pnpm",
    ".local/share/pypoetry",
    ".local/share/uv",
    ".local/share/virtualenv",
    ".m2/repository",
    ".m2/wrapper",
    ".mix",
    ".npm",
    ".nuget",
    ".nvm",
    ".opam",
    ".pub-cache",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".rye",
    ".sbt",
    ".sdkman",
    ".stack",
    ".swiftly",
    ".volta",
    ".yarn",
    ".zig",
    "go/bin",
    "go/pkg",
];

/// Names of directories that hold the programs of the one above.
const PROGRAMS: &[&str] = &["bin", "sbin", "shims", "Scripts"];

/// What of a workspace of Go belongs to its tools. The rest is whatever a person works on.
const OF_GO: &[&str] = &["bin", "pkg"];

/// Where people keep programs of their own. herm may be one of them, which anybody may read.
const OWN: &[&str] = &["bin", ".local/bin"];

/// What is shown to be read anyway.
const OF_THE_SYSTEM: &[&str] = &["/bin", "/gnu", "/lib", "/nix/store", "/opt", "/sbin", "/usr"];

/// The directories of tools that are not part of the system, without those inside others.
///
/// What can be written from inside is not believed: a link that an earlier run left there could lead to anything.
pub(crate) fn find(environment: &[(OsString, OsString)], home: &Path, writable: &[PathBuf]) -> Vec<PathBuf> {
    let real = writable.iter().filter_map(|path| Some(trace(path)?.real));
    let hostile = writable.iter().cloned().chain(real).collect();
    let homes = [Some(home.to_owned()), trace(home).map(|found| found.real)].into_iter().flatten().collect();
    let mut found = Found { homes, hostile, roots: BTreeSet::new(), tracer: Tracer::default() };
    for below in USUAL {
        found.add(&home.join(below));
    }
    for (name, value) in environment {
        if name == "GOPATH" {
            std::env::split_paths(value).for_each(|work| found.add_parts(&work, OF_GO));
        } else if name == "GHCUP_INSTALL_BASE_PREFIX" {
            found.add_parts(Path::new(value), &[".ghcup"]);
        } else if NAMED.iter().any(|named| OsStr::new(named) == name) {
            found.named(Path::new(value));
        }
    }
    for (_, value) in environment.iter().filter(|(name, _)| name == "PATH") {
        std::env::split_paths(value).for_each(|directory| found.programs(&directory));
    }
    found.outermost()
}

struct Found {
    /// The home directory, as it is called and as it really is.
    homes: Vec<PathBuf>,
    hostile: Vec<PathBuf>,
    roots: BTreeSet<PathBuf>,
    tracer: Tracer,
}

impl Found {
    /// What a variable names as the place of a tool.
    fn named(&mut self, directory: &Path) {
        let Some(real) = self.follow(directory) else { return };
        match prefix::extent(&real) {
            // Whoever made it the place of a tool has more there than that.
            Extent::Parts => self.add_parts(directory, prefix::PARTS),
            Extent::Programs | Extent::Whole if prefix::holds_projects(&real) => {}
            Extent::Programs | Extent::Whole => self.add(directory),
        }
    }

    /// A directory of programs, with what these need.
    fn programs(&mut self, directory: &Path) {
        let Some(real) = self.follow(directory).filter(|real| real.is_dir()) else { return };
        if !self.is_known(&real) && self.tool(&real) != Extent::Whole {
            self.needs(&real);
        }
        if real != directory && self.has(&real) {
            self.add(directory);
        }
    }

    /// A directory that holds programs, and what is beside it as far as that belongs to them.
    fn tool(&mut self, directory: &Path) -> Extent {
        let above = directory.parent().filter(|above| is_of_programs(directory) && !self.is_shared(above));
        let extent = above.map_or(Extent::Programs, prefix::extent);
        match (extent, above) {
            (Extent::Whole, Some(above)) if self.admits(above) => self.add(above),
            (Extent::Whole | Extent::Parts, Some(above)) => {
                self.add_parts(above, prefix::PARTS);
                self.add(directory);
                return Extent::Parts;
            }
            _ if prefix::holds_projects(directory) => {}
            _ if is_of_programs(directory) || !prefix::has_rooms(directory) => self.add(directory),
            _ => return self.mixed(directory),
        }
        extent
    }

    /// Programs in a directory that is not called like one of programs, and holds others: whatever these are.
    fn mixed(&mut self, directory: &Path) -> Extent {
        let extent = prefix::extent(directory);
        if extent == Extent::Whole && self.admits(directory) {
            self.add(directory);
            return extent;
        }
        self.add_parts(directory, prefix::PARTS);
        prefix::programs(directory).take(MOST_MIXED).for_each(|program| self.add(&program));
        Extent::Parts
    }

    /// What the programs of a directory need that lies elsewhere: what links lead to, and what runs scripts.
    #[expect(clippy::disallowed_methods, reason = "which programs there are, only the file system knows")]
    fn needs(&mut self, directory: &Path) {
        let Ok(entries) = std::fs::read_dir(directory) else { return };
        for path in entries.flatten().take(MOST_PROGRAMS).map(|entry| entry.path()) {
            let Some(program) = self.follow(&path) else { continue };
            let runs = interpreter(&program).and_then(|path| Some([self.follow(&path)?, path]));
            for program in [program].into_iter().chain(runs.into_iter().flatten()) {
                self.needed(&program, directory);
            }
        }
    }

    /// A program that another directory has a link to. It may be a script in the middle of a project.
    fn needed(&mut self, program: &Path, from: &Path) {
        let Some(directory) = program.parent().filter(|directory| *directory != from) else { return };
        if self.is_known(program) || !program.is_file() {
            return;
        }
        if is_of_programs(directory) {
            self.tool(directory);
        } else if prefix::extent(directory) == Extent::Whole {
            self.add(directory);
        } else {
            self.add(program);
        }
    }

    /// Whether a directory is known to hold more than one tool.
    fn is_shared(&self, directory: &Path) -> bool {
        self.homes.iter().any(|home| home.starts_with(directory) || directory == home.join(".local"))
            || is_everybodys(directory)
    }

    fn add_parts(&mut self, above: &Path, parts: &[&str]) {
        for part in parts {
            self.add(&above.join(part));
        }
    }

    fn add(&mut self, path: &Path) {
        let Some(real) = self.follow(path).filter(|real| self.admits(real)) else { return };
        self.roots.insert(real);
        // Where links lead there, they are made anew.
        let is_plain =
            path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
        if path.is_absolute() && is_plain {
            self.roots.insert(path.to_owned());
        }
    }

    fn is_known(&self, real: &Path) -> bool {
        self.has(real) || OF_THE_SYSTEM.iter().any(|part| real.starts_with(part))
    }

    fn has(&self, real: &Path) -> bool {
        real.ancestors().any(|above| self.roots.contains(above))
    }

    /// Whether something may be seen: what no setting can show is shown to nobody because a variable names it. Where package
    /// managers usually are, credentials are hidden by name instead.
    fn admits(&self, real: &Path) -> bool {
        let is_usual = |home: &PathBuf| USUAL.iter().chain(OWN).any(|below| real == home.join(below));
        let is_wide = is_everybodys(real) || self.homes.iter().any(|home| home.starts_with(real));
        let Some(text) = real.to_str().filter(|_| !is_wide) else { return false };
        let objects =
            |home: &PathBuf| home.to_str().is_none_or(|home| objection(text, home, Access::Read).is_some());
        self.homes.iter().any(is_usual) || !self.homes.iter().any(objects)
    }

    /// Where a path leads, if nothing on the way could have been put there from inside.
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        let is_hostile = |path: &Path| self.hostile.iter().any(|root| path.starts_with(root));
        let Trace { real, links } = self.tracer.trace(path)?;
        let passes = links.iter().any(|(link, _)| is_hostile(link));
        (!passes && !is_hostile(path) && !is_hostile(&real)).then_some(real)
    }

    fn outermost(self) -> Vec<PathBuf> {
        let mut kept: Vec<PathBuf> = Vec::new();
        for root in self.roots {
            if !kept.last().is_some_and(|outer| root.starts_with(outer)) {
                kept.push(root);
            }
        }
        kept
    }
}

fn is_of_programs(directory: &Path) -> bool {
    directory.file_name().is_some_and(|name| PROGRAMS.iter().any(|known| name == *known))
}

/// What runs a script, as its first line says.
#[expect(clippy::disallowed_methods, reason = "what runs a script stands in the script")]
fn interpreter(script: &Path) -> Option<PathBuf> {
    let file =
        std::fs::File::open(script).ok().filter(|file| file.metadata().is_ok_and(|found| found.is_file()))?;
    let mut line = Vec::new();
    BufReader::with_capacity(256, file.take(256)).read_until(b'\n', &mut line).ok()?;
    let text = std::str::from_utf8(&line).ok()?;
    text.strip_prefix("#!")?.split_whitespace().next().map(PathBuf::from)
}

/// More programs than anybody keeps beside other things.
const MOST_MIXED: usize = 100;

/// More programs than anybody keeps in a directory of their own.
const MOST_PROGRAMS: usize = 1000;

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests;
