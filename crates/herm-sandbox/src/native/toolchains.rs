//! Where the tools are that a person uses.
//!
//! A program is of no use without what it needs: a compiler behind its `rustup` proxy, the packages of a Python. They are found
//! by following what `PATH` and the tools' own variables name, not by showing the home directory.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::trace::{Trace, Tracer, trace};

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
    "GHCUP_INSTALL_BASE_PREFIX",
    "GOPATH",
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
    "go",
];

/// Names of directories that hold the programs of the one above.
const PROGRAMS: &[&str] = &["bin", "sbin", "shims", "Scripts"];

/// The directories of tools that are not part of the system, without those inside others.
///
/// What can be written from inside is not believed: a link that an earlier run left there could lead to anything.
pub(crate) fn find(environment: &[(OsString, OsString)], home: &Path, writable: &[PathBuf]) -> Vec<PathBuf> {
    let real = writable.iter().filter_map(|path| Some(trace(path)?.real));
    let hostile = writable.iter().cloned().chain(real).collect();
    let mut found = Found { home, hostile, roots: BTreeSet::new(), tracer: Tracer::default() };
    for (name, value) in environment {
        if name == "PATH" {
            std::env::split_paths(value).for_each(|directory| found.programs(&directory));
        } else if NAMED.iter().any(|named| OsStr::new(named) == name) {
            found.add(Path::new(value));
        }
    }
    for below in USUAL {
        found.add(&home.join(below));
    }
    found.outermost()
}

struct Found<'a> {
    home: &'a Path,
    hostile: Vec<PathBuf>,
    roots: BTreeSet<PathBuf>,
    tracer: Tracer,
}

impl Found<'_> {
    /// A directory of programs, with what these need.
    fn programs(&mut self, directory: &Path) {
        let Some(real) = self.follow(directory).filter(|real| real.is_dir()) else { return };
        let root = self.root(&real);
        self.add(&root);
        if root == real {
            self.needs(&real);
        }
    }

    /// What the programs of a directory need that lies elsewhere: what links lead to, and what runs scripts.
    #[expect(clippy::disallowed_methods, reason = "which programs there are, only the file system knows")]
    fn needs(&mut self, directory: &Path) {
        let Ok(entries) = std::fs::read_dir(directory) else { return };
        for path in entries.flatten().take(MOST_PROGRAMS).map(|entry| entry.path()) {
            let Some(program) = self.follow(&path) else { continue };
            let runs = interpreter(&program).and_then(|path| self.follow(&path));
            for program in [program].into_iter().chain(runs) {
                if let Some(root) =
                    program.parent().map(|parent| self.root(parent)).filter(|root| root != directory)
                {
                    self.add(&root);
                }
            }
        }
    }

    /// The directory that programs in `directory` belong to: the one above `bin`, unless much else is there, too.
    fn root(&self, directory: &Path) -> PathBuf {
        let holds_programs =
            directory.file_name().is_some_and(|name| PROGRAMS.iter().any(|known| name == *known));
        let above = directory.parent().filter(|above| holds_programs && !self.is_shared(above));
        above.unwrap_or(directory).to_owned()
    }

    /// Whether a directory holds more than one tool.
    fn is_shared(&self, directory: &Path) -> bool {
        self.home.starts_with(directory)
            || directory == self.home.join(".local")
            || directory == Path::new("/var")
    }

    fn add(&mut self, path: &Path) {
        let Some(real) = self.follow(path).filter(|real| real.is_dir()) else { return };
        if !self.home.starts_with(&real) {
            self.roots.insert(real);
        }
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

/// More programs than anybody keeps in a directory of their own.
const MOST_PROGRAMS: usize = 1000;

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::Scratch;

    #[test]
    fn what_a_run_could_have_left_behind_is_not_followed() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let home = fs::canonicalize(scratch.path()).unwrap();
        for directory in ["kit/bin", "secret", "work/tools", "scripts"] {
            fs::create_dir_all(home.join(directory)).unwrap();
        }
        fs::write(home.join("secret/key"), "").unwrap();
        fs::write(home.join("kit/bin/cc"), "").unwrap();
        // A link among programs of the workspace, one that leads through it, and one in place of a directory.
        symlink(home.join("secret/key"), home.join("work/tools/key")).unwrap();
        symlink(home.join("work/tools/key"), home.join("scripts/key")).unwrap();
        symlink(home.join("secret"), home.join("work/bin")).unwrap();
        symlink(home.join("kit/bin/cc"), home.join("scripts/cc")).unwrap();
        let path =
            std::env::join_paths(["work/tools", "work/bin", "scripts"].map(|name| home.join(name))).unwrap();
        let environment = [("PATH".into(), path), ("CARGO_HOME".into(), home.join("work/bin").into())];
        let believed = find(&environment, &home, &[home.join("work")]);
        assert_eq!(believed, [home.join("kit"), home.join("scripts")]);
        let credulous = find(&environment, &home, &[]);
        assert!(credulous.contains(&home.join("secret")), "the test can see it: {credulous:?}");
    }
}
