//! Looking for sheets of instructions.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use herm_adapters::Sheet;

use crate::files::{self, Seen};

/// How much is looked at. Who has more than that is asked.
const MOST: usize = 50_000;

/// How deep sheets lie below the directory that they are looked for in.
const DEEPEST: usize = 12;

/// A search, which ends where it would take too long.
#[derive(Debug)]
pub(super) struct Search {
    left: usize,
}

impl Search {
    pub(super) const fn new() -> Self {
        Self { left: MOST }
    }

    /// Whether everything was looked at.
    pub(super) const fn is_whole(&self) -> bool {
        self.left > 0
    }

    /// The sheets below a directory that a name can mean.
    pub(super) fn sheets(&mut self, root: &Path, name: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.walk(root, DEEPEST, &mut |entry, is_directory| {
            if !is_directory && is_meant(entry, name) {
                found.push(entry.to_owned());
            }
            true
        });
        found
    }

    /// The directories of this name in the directories below one.
    pub(super) fn below(&mut self, root: &Path, name: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.walk(root, DEEPEST, &mut |entry, is_directory| {
            if is_directory && entry.ends_with(name) {
                found.push(entry.to_owned());
            }
            is_directory && ![".git", "node_modules", name].iter().any(|own| entry.ends_with(own))
        });
        found
    }

    /// Shows everything below a directory; `visit` says whether to go into a directory. Links are followed as agents follow them.
    fn walk(&mut self, root: &Path, deepest: usize, visit: &mut impl FnMut(&Path, bool) -> bool) {
        let mut open = vec![(root.to_owned(), deepest)];
        while let Some((directory, depth)) = open.pop() {
            for entry in files::list(&directory) {
                if self.left == 0 {
                    return;
                }
                self.left = self.left.saturating_sub(1);
                let is_directory = files::is_directory(&entry);
                let is_entered = visit(&entry, is_directory) && is_directory;
                match depth.checked_sub(1) {
                    Some(depth) if is_entered => open.push((entry, depth)),
                    // What lies deeper was not looked at.
                    None if is_entered => self.left = 0,
                    Some(_) | None => {}
                }
            }
        }
    }
}

/// Whether a file is a sheet that a name can mean: by its own name, by that of its directory, or by what its head says. Only skills and
/// sub-agents are called what their head says.
fn is_meant(file: &Path, name: &str) -> bool {
    let is_sheet = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let is = |part: Option<&OsStr>| part.is_some_and(|part| part.eq_ignore_ascii_case(name));
    let is_skill = file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("skill"));
    let is_headed = || is_skill || file.iter().any(|part| part == "agents");
    let says = || text(file).is_none_or(|text| Sheet { text: &text, directory: "" }.is_named(name));
    let is_called = is(file.file_stem()) || is_skill && is(file.parent().and_then(Path::file_name));
    is_sheet && (is_called || is_headed() && says())
}

/// What stands in a sheet, as agents read it; nothing where it cannot be read.
pub(super) fn text(file: &Path) -> Option<String> {
    match files::read(file) {
        Seen::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Seen::Absent | Seen::Hidden => None,
    }
}
