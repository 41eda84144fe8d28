//! The names that tools give to what they generate.
//!
//! A name alone says little: a person may call a directory `build`, too. It counts only together with what the repository says of it. Names that
//! people give as often as tools do (`bin`, `lib`, `public`, `vendor`, `tmp`, `env`, `logs`) are not here, nor are those of what cannot be had back: state
//! (`.terraform`, `.vagrant`), what was found by chance (`.hypothesis`), and copies of work (`.ipynb_checkpoints`).

use crate::git::ignore::Kind;
use crate::policy::glob;

/// A name that tools give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// It, or a pattern of it.
    pub(super) pattern: &'static str,
    pub(super) kind: Kind,
    /// Nobody gives it to anything else, wherever it stands.
    pub(super) is_telling: bool,
    /// What may lie in it that was not generated.
    pub(super) unless: Option<&'static str>,
}

/// What a name says, if it is one of these.
pub(super) fn of(name: &str) -> Option<&'static Name> {
    let matches = |pattern: &str| pattern.contains('*') && glob::matches(pattern, name);
    NAMES.iter().find(|known| known.pattern == name || matches(known.pattern))
}

/// The same of a pattern of names that all of them match.
pub(super) fn of_pattern(pattern: &str) -> Option<&'static Name> {
    NAMES.iter().find(|known| known.pattern == pattern)
}

const fn directory(pattern: &'static str) -> Name {
    Name { pattern, kind: Kind::Directory, is_telling: false, unless: None }
}

const fn telling(name: &'static str) -> Name {
    Name { is_telling: true, ..directory(name) }
}

const fn file(pattern: &'static str) -> Name {
    Name { pattern, kind: Kind::File, is_telling: true, unless: None }
}

/// It is made from what a list of requirements names, as `node_modules` is. But pip puts there the checkouts of what it is to install from git,
/// for people to work on.
const fn environment(name: &'static str) -> Name {
    Name { unless: Some("src"), ..directory(name) }
}

const NAMES: &[Name] = &[
    // Python.
    telling("__pycache__"),
    telling(".pytest_cache"),
    telling(".mypy_cache"),
    telling(".ruff_cache"),
    telling("*.egg-info"),
    directory(".eggs"),
    directory(".nox"),
    directory(".tox"),
    directory("htmlcov"),
    environment(".venv"),
    environment("venv"),
    file("*.pyc"),
    file("*.pyo"),
    // As people search for them.
    file("*.py[co]"),
    file("*.py[cod]"),
    // JavaScript.
    telling("node_modules"),
    telling(".next"),
    telling(".nuxt"),
    telling(".nyc_output"),
    telling(".parcel-cache"),
    telling(".svelte-kit"),
    telling(".turbo"),
    directory(".angular"),
    directory(".docusaurus"),
    directory(".output"),
    directory(".vite"),
    directory("bower_components"),
    file(".eslintcache"),
    file("*.tsbuildinfo"),
    // C, C++, Rust, Zig.
    telling("CMakeFiles"),
    directory("cmake-build-*"),
    directory("target"),
    directory(".zig-cache"),
    directory("zig-cache"),
    directory("zig-out"),
    file("*.o"),
    // Java, .NET, Haskell, Elixir, Dart, Elm, Swift.
    directory(".gradle"),
    directory("obj"),
    directory(".stack-work"),
    directory("dist-newstyle"),
    directory("_build"),
    directory(".dart_tool"),
    directory("elm-stuff"),
    directory("DerivedData"),
    file("*.class"),
    // Any language.
    directory("build"),
    directory("coverage"),
    directory("dist"),
    directory("out"),
    directory(".cache"),
    file(".DS_Store"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools_and_of_people() {
        for name in
            ["dist", "build", "target", "node_modules", "tally.egg-info", "a.pyc", "cmake-build-debug"]
        {
            assert!(of(name).is_some(), "{name}");
        }
        for name in
            ["src", "bin", "Build", "distribution", "build2", "pyc", "egg-info", ".git", "", ".terraform"]
        {
            assert!(of(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_pattern_is_known_as_it_is_written() {
        assert!(of_pattern("*.pyc").is_some() && of_pattern("__pycache__").is_some());
        assert!(
            of_pattern("*").is_none()
                && of_pattern("*.py*").is_none()
                && of_pattern("__pycache__*").is_none()
        );
    }
}
