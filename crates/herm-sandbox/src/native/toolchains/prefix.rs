//! How much of what lies beside a `bin` belongs to its programs.

use std::fs::DirEntry;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What of a directory is a tool's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What programs usually have beside them: [`PARTS`]. There is more, of which nobody knows whose it is.
    Parts,
    /// Its programs alone.
    Programs,
    /// All of it.
    Whole,
}

/// What programs have beside them, and find from where they are.
pub(super) const PARTS: &[&str] =
    &["bin", "include", "lib", "lib32", "lib64", "libexec", "pyvenv.cfg", "sbin", "share"];

/// What else lies in a directory that is one tool's alone: directories that are called so, and notes on it.
const ITS_OWN: &[&str] = &[
    "Scripts",
    "boot",
    "build.txt",
    "conf",
    "demo",
    "doc",
    "etc",
    "init.d",
    "jmods",
    "jre",
    "legal",
    "man",
    "release",
    "shims",
    "ssl",
];

/// What only one tool has, though other names lie beside it: `conda`, `dotnet`, `go`, editors, `adb`.
const MARKS: &[&str] =
    &["conda-meta", "host/fxr", "pkg/tool", "product-info.json", "platform-tools/adb", "cmdline-tools"];

/// What only a tool has that people get as a repository, and use where it is.
const CLONED: &[&str] = &[
    "asdf.sh",
    "bin/internal/engine.version",
    "bin/sdkman-init.sh",
    "libexec/pyenv",
    "libexec/rbenv",
    "nvm.sh",
];

/// How much of a directory belongs to the programs in its `bin`.
pub(super) fn extent(above: &Path) -> Extent {
    let has = |names: &[&str]| names.iter().any(|name| above.join(name).exists());
    let is_project = above.join(".git").exists();
    match () {
        () if has(CLONED) => Extent::Whole,
        () if is_project && !has(&["pyvenv.cfg"]) => Extent::Programs,
        () if has(MARKS) && !is_project && !holds_projects(above) => Extent::Whole,
        () if !has(&["include", "lib", "lib64", "libexec", "share"]) => Extent::Programs,
        () if holds_nothing_else(above) => Extent::Whole,
        () => Extent::Parts,
    }
}

/// Whether repositories lie in a directory, as in one where a person keeps what they work on.
pub(super) fn holds_projects(directory: &Path) -> bool {
    entries(directory).is_none_or(|entries| {
        entries.iter().any(|entry| is_directory(entry) && entry.path().join(".git").exists())
    })
}

/// Whether a directory holds others.
pub(super) fn has_rooms(directory: &Path) -> bool {
    entries(directory).is_none_or(|entries| entries.iter().any(is_directory))
}

/// The programs that lie directly in a directory.
pub(super) fn programs(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let found = entries(directory).into_iter().flatten().map(|entry| entry.path());
    found.filter(|path| {
        path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}

/// Whether everything in a directory is called as in one that is a tool's alone.
fn holds_nothing_else(directory: &Path) -> bool {
    let is_its_own = |entry: &DirEntry| {
        entry.file_name().to_str().is_some_and(|name| {
            PARTS.contains(&name) || ITS_OWN.contains(&name) || is_note(name) && !is_directory(entry)
        })
    };
    entries(directory).is_some_and(|entries| entries.iter().all(is_its_own))
}

#[expect(clippy::disallowed_methods, reason = "what lies in a directory, only the file system knows")]
fn entries(directory: &Path) -> Option<Vec<DirEntry>> {
    std::fs::read_dir(directory).ok()?.collect::<Result<_, _>>().ok()
}

fn is_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

/// `LICENSE`, `README.md`, `THIRD-PARTY-NOTICES.txt`: said aloud, to be read by everybody.
fn is_note(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_uppercase() || b"-_".contains(&byte))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use super::*;
    use crate::Scratch;

    fn of(files: &[&str]) -> Extent {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        for file in files.iter().map(|file| scratch.path().join(file)) {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        extent(scratch.path())
    }

    #[test]
    fn what_is_one_tools_alone_is_known_by_what_lies_in_it() {
        let node = ["bin/node", "include/node/node.h", "lib/node_modules/npm/x", "share/man/x", "README.md"];
        assert_eq!(of(&node), Extent::Whole);
        assert_eq!(
            of(&["bin/java", "conf/x", "jmods/x", "legal/x", "lib/modules", "release"]),
            Extent::Whole
        );
        assert_eq!(of(&["bin/python", "lib/python3/x", "pyvenv.cfg"]), Extent::Whole);
        assert_eq!(of(&["bin/go", "pkg/tool/x", "src/fmt/print.go", "VERSION"]), Extent::Whole);
        assert_eq!(of(&["bin/conda", "conda-meta/x", "lib/x", "x86_64-conda-linux-gnu/x"]), Extent::Whole);
        assert_eq!(of(&["nvm.sh", ".git/HEAD", "versions/node/x"]), Extent::Whole);
    }

    #[test]
    fn what_somebody_works_on_is_not() {
        assert_eq!(of(&["bin/run", "other/notes.txt"]), Extent::Programs);
        assert_eq!(of(&["bin/run", "lib/x", ".git/HEAD"]), Extent::Programs);
        assert_eq!(of(&["bin/run", "gh/hosts.yml"]), Extent::Programs);
        assert_eq!(of(&["bin/run", "lib/x", "other/notes.txt"]), Extent::Parts);
        assert_eq!(of(&["bin/run", "lib/x", ".env"]), Extent::Parts);
        assert_eq!(of(&["bin/run", "lib/x", "id_rsa"]), Extent::Parts);
        assert_eq!(of(&["bin/run", "lib/x", "WORK/notes.txt"]), Extent::Parts);
        assert_eq!(of(&["bin/python", "lib/x", "pyvenv.cfg", ".git/HEAD", "notes.txt"]), Extent::Parts);
        assert_eq!(of(&["bin/conda", "conda-meta/x", "lib/x", "app/.git/HEAD"]), Extent::Parts);
        assert_eq!(of(&["bin/tool", "pkg/mod/x", "src/private/x.go"]), Extent::Programs);
    }
}
