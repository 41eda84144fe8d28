//! Settings of repositories as they were before anything ran, where that is quickly known.
//!
//! Many people keep several repositories side by side in a directory. Git changes the settings of one whenever a branch is to follow another; with what was
//! there before, that can be told from something that was put in.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, RawDir};

use crate::native::plain::{self, Contents, Links};
use crate::native::tree;

/// The settings of repositories that lie right in a directory.
#[derive(Debug, Default)]
pub(in crate::native::guards) struct Settings(BTreeMap<PathBuf, Vec<u8>>);

/// More directories are not looked into: a run must not begin later for that.
const MOST: usize = 64;

/// More names are not looked at.
const LISTED: usize = 1024;

impl Settings {
    pub(in crate::native::guards) fn of(root: &Path) -> Self {
        let mut known = BTreeMap::new();
        for directory in directories(root).into_iter().take(MOST) {
            let config = directory.join(".git/config");
            if let Contents::Bytes(bytes) = plain::read(&config, Links::Refused, plain::MOST) {
                known.insert(config, bytes);
            }
        }
        Self(known)
    }

    /// What a file was.
    pub(super) fn before(&self, path: &Path) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }
}

fn directories(root: &Path) -> Vec<PathBuf> {
    let Ok(opened) = tree::open(CWD, root) else { return Vec::new() };
    let mut space = [MaybeUninit::uninit(); 8192];
    let mut listed = RawDir::new(&opened, &mut space);
    let (mut found, mut left) = (Vec::new(), LISTED);
    while let Some(Ok(entry)) = listed.next() {
        let name = entry.file_name().to_bytes();
        if left == 0 {
            break;
        }
        left -= 1;
        // What begins with a dot is nobody's to work in.
        if entry.file_type() == FileType::Directory && !name.starts_with(b".") {
            found.push(root.join(std::ffi::OsStr::from_bytes(name)));
        }
    }
    found
}
