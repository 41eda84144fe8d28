//! What the text itself makes again: `rm -rf dist && npm run build`.
//!
//! Whoever builds in the same breath says what the directory is: output. That stands in for the rules of a repository, where there is none, or
//! where they do not name it. It does not stand in for anything else: what a repository has is asked about, and so is what the text has moved there.

use std::collections::BTreeSet;

use herm_shell::analysis::Invocation;
use herm_shell::{Analysis, Realm, Value};

use super::names::{self, Name};
use crate::git::ignore::Kind;

/// What the programs of a text make.
#[derive(Debug, Default)]
pub(super) struct Remade {
    /// The kinds of tools that the text runs.
    makers: BTreeSet<usize>,
}

impl Remade {
    pub(super) fn of(shell: &Analysis) -> Self {
        let runs = shell.invocations.iter().filter(|run| run.realm == Realm::Here && !run.hooked);
        Self { makers: runs.filter_map(maker).collect() }
    }

    /// What a name says of output that one of these programs makes.
    pub(super) fn name(&self, name: &str) -> Option<Name> {
        if self.makers.is_empty() {
            return None;
        }
        let own = self.makers.iter().filter_map(|at| MAKERS.get(*at)).flat_map(|maker| maker.own);
        let own = own.copied().find(|(known, _)| *known == name);
        // What was built before, and is kept until the next build is there: `mv dist.new dist && rm -rf dist.old`.
        let plain = ASIDE.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        own.map(|(pattern, kind)| Name { pattern, kind, is_telling: false, unless: None })
            .or_else(|| names::of(plain).copied())
    }
}

/// How people call what they put aside.
const ASIDE: &[&str] = &[".old", ".new", ".prev", ".tmp", "-old", "-new", "_old", "_new"];

/// Programs that make things, and what they make under names that say nothing where others run.
struct Maker {
    programs: &'static [&'static str],
    /// The words of which one must be given; any will do where there are none.
    words: &'static [&'static str],
    own: &'static [(&'static str, Kind)],
}

const fn maker_of(
    programs: &'static [&'static str],
    words: &'static [&'static str],
    own: &'static [(&'static str, Kind)],
) -> Maker {
    Maker { programs, words, own }
}

const NODE: &[(&str, Kind)] = &[
    ("package-lock.json", Kind::File),
    ("npm-shrinkwrap.json", Kind::File),
    ("yarn.lock", Kind::File),
    ("pnpm-lock.yaml", Kind::File),
    ("bun.lock", Kind::File),
    ("bun.lockb", Kind::File),
    (".yarn", Kind::Directory),
];
const PYTHON: &[(&str, Kind)] = &[
    ("poetry.lock", Kind::File),
    ("uv.lock", Kind::File),
    ("pdm.lock", Kind::File),
    ("site", Kind::Directory),
    ("wheelhouse", Kind::Directory),
];
const NONE: &[(&str, Kind)] = &[];

const MAKERS: &[Maker] = &[
    maker_of(
        &["npm", "pnpm", "yarn", "bun"],
        &["add", "build", "ci", "i", "install", "install-test", "it", "run", "start", "t", "test", "update"],
        NODE,
    ),
    maker_of(&["ng", "next", "nuxt", "nx", "parcel", "rollup", "tsc", "turbo", "vite", "webpack"], &[], NONE),
    maker_of(&["astro", "esbuild", "gatsby", "grunt", "gulp", "jest", "lerna", "tsup", "vitest"], &[], NONE),
    maker_of(&["bunx", "npx", "pnpx"], &[], NONE),
    maker_of(&["uv", "poetry", "pdm", "hatch"], &["build", "install", "lock", "run", "sync", "venv"], PYTHON),
    maker_of(&["pip", "pip3"], &["install", "wheel"], PYTHON),
    maker_of(
        &["coverage", "mkdocs", "nox", "pyinstaller", "pytest", "sphinx-build", "tox", "virtualenv"],
        &[],
        PYTHON,
    ),
    maker_of(
        &["cargo"],
        &["b", "bench", "build", "check", "doc", "r", "run", "t", "test"],
        &[("Cargo.lock", Kind::File)],
    ),
    maker_of(&["go"], &["build", "install", "mod", "test"], &[("vendor", Kind::Directory)]),
    maker_of(&["bazel", "bear", "cmake", "gmake", "make", "meson", "ninja", "scons", "xmake"], &[], NONE),
    maker_of(
        &["dotnet", "msbuild"],
        &["build", "pack", "publish", "restore", "run", "test"],
        &[("bin", Kind::Directory)],
    ),
    maker_of(&["ant", "gradle", "mvn", "sbt"], &[], NONE),
    maker_of(&["cabal", "dune", "mix", "rebar3", "stack", "swift", "xcodebuild", "zig"], &[], NONE),
    maker_of(&["dart", "flutter"], &["build", "get", "pub", "run", "test"], NONE),
    maker_of(&["pod"], &["install", "update"], &[("Pods", Kind::Directory), ("Podfile.lock", Kind::File)]),
    maker_of(
        &["bundle"],
        &["install", "update"],
        &[("Gemfile.lock", Kind::File), (".bundle", Kind::Directory)],
    ),
    maker_of(
        &["composer"],
        &["install", "update"],
        &[("vendor", Kind::Directory), ("composer.lock", Kind::File)],
    ),
    maker_of(
        &["terraform", "tofu", "terragrunt"],
        &["init"],
        &[(".terraform", Kind::Directory), (".terraform.lock.hcl", Kind::File)],
    ),
    maker_of(&["hugo", "jekyll", "latexmk"], &[], &[("_site", Kind::Directory), ("public", Kind::Directory)]),
    // It makes one directory like another.
    maker_of(&["rsync"], &[], NONE),
];

/// Modules of Python that make output.
const MODULES: &[&str] =
    &["build", "coverage", "mkdocs", "nox", "pip", "pytest", "sphinx", "tox", "venv", "virtualenv"];

/// The kind of tool that an invocation runs, if it is one that makes things.
fn maker(run: &Invocation) -> Option<usize> {
    let name = run.program.trim_end_matches(".sh");
    if name.starts_with("python") {
        return makes_with_python(run).then(|| position("pytest")).flatten();
    }
    // A wrapper of the project's own, as `gradlew` is one, and its scripts.
    if is_of_the_project(run) {
        return position("make");
    }
    let at = position(name)?;
    let words = MAKERS.get(at)?.words;
    let is_given = |word: &Value| word.known().is_some_and(|word| words.contains(&&*word));
    (words.is_empty()
        || run.arguments.is_empty() && name != "terraform"
        || run.arguments.iter().any(is_given))
    .then_some(at)
}

fn position(program: &str) -> Option<usize> {
    MAKERS.iter().position(|maker| maker.programs.contains(&program))
}

/// `python -m build`, `python setup.py sdist`.
fn makes_with_python(run: &Invocation) -> bool {
    let mut words = run.arguments.iter().map(|word| word.known().unwrap_or_default());
    match words.find(|word| word == "-m" || !word.starts_with('-')) {
        Some(word) if word == "-m" => words.next().is_some_and(|module| MODULES.contains(&&*module)),
        Some(script) => script == "setup.py",
        None => false,
    }
}

fn is_of_the_project(run: &Invocation) -> bool {
    let called = run.called.as_str();
    let is_below = called.contains('/') && !called.starts_with(['/', '~']) && !called.contains("..");
    is_below && !run.described
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_what_they_make() {
        for maker in MAKERS {
            assert!(!maker.programs.is_empty());
        }
        assert!(position("make").is_some() && position("pytest").is_some() && position("rm").is_none());
    }

    #[test]
    fn names_mean_output_only_where_something_is_made() {
        assert_eq!(Remade::default().name("dist"), None);
        let node = Remade { makers: position("npm").into_iter().collect() };
        for name in ["dist", "dist.old", "package-lock.json", "node_modules"] {
            assert!(node.name(name).is_some(), "{name}");
        }
        for name in ["src", "src.old", "bin", "Pods", "vendor", ".terraform", ""] {
            assert!(node.name(name).is_none(), "{name}");
        }
    }
}
