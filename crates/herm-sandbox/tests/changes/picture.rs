//! A tree in all that must be right about it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Everything about a tree but the times of reading and of change: what a path is, its mode, owner, time, contents,
/// attributes, and which names are one file.
pub(crate) fn picture(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut first_names = BTreeMap::new();
    paint(root, Path::new(""), &mut found, &mut first_names);
    found
}

#[expect(clippy::disallowed_methods, reason = "tests look for themselves")]
fn paint(
    root: &Path,
    path: &Path,
    found: &mut BTreeMap<PathBuf, String>,
    first_names: &mut BTreeMap<u64, PathBuf>,
) {
    let full = if path.as_os_str().is_empty() { root.to_owned() } else { root.join(path) };
    let data = fs::symlink_metadata(&full).unwrap();
    let content = if data.is_symlink() {
        format!("-> {}", fs::read_link(&full).unwrap().display())
    } else if data.is_file() {
        let first = first_names.entry(data.ino()).or_insert_with(|| path.to_owned());
        format!(
            "{:?} one with {}",
            fs::read(&full).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            first.display()
        )
    } else {
        String::new()
    };
    let mode = if data.is_symlink() { 0 } else { data.mode() };
    let text = format!(
        "{mode:o} {}:{} {}.{:09} {content} {}",
        data.uid(),
        data.gid(),
        data.mtime(),
        data.mtime_nsec(),
        attributes(&full, &data)
    );
    found.insert(path.to_owned(), text);
    if data.is_dir() {
        let mut names: Vec<_> =
            fs::read_dir(&full).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        for name in names {
            paint(root, &path.join(name), found, first_names);
        }
    }
}

fn attributes(path: &Path, data: &fs::Metadata) -> String {
    if data.is_symlink() {
        return String::new();
    }
    let mut names = vec![0; 1 << 12];
    let size = rustix::fs::listxattr(path, &mut names).unwrap_or(0);
    let mut shown: Vec<String> = names
        .get(..size)
        .unwrap()
        .split(|byte| *byte == 0)
        .filter(|name| name.starts_with(b"user.") || name.starts_with(b"system.posix_acl_"))
        .map(|name| {
            let name = std::ffi::OsStr::from_bytes(name);
            let mut value = vec![0; 1 << 10];
            let size = rustix::fs::getxattr(path, name, &mut value).unwrap();
            format!("{}={:?}", name.display(), value.get(..size).unwrap())
        })
        .collect();
    shown.sort();
    shown.join(" ")
}

/// Fails with the paths that differ, and how.
pub(crate) fn assert_same(found: &BTreeMap<PathBuf, String>, wanted: &BTreeMap<PathBuf, String>, what: &str) {
    let paths: std::collections::BTreeSet<_> = found.keys().chain(wanted.keys()).collect();
    let mut differences = String::new();
    for path in paths.into_iter().filter(|path| found.get(*path) != wanted.get(*path)).take(20) {
        differences += &["\n", &path.to_string_lossy(), "\n  found  "].concat();
        differences += found.get(path).map_or("nothing", String::as_str);
        differences += "\n  wanted ";
        differences += wanted.get(path).map_or("nothing", String::as_str);
    }
    assert!(differences.is_empty(), "{what}:{differences}");
}
