//! Files in a workspace that belong to somebody else than the workspace.
//!
//! When root runs herm, a confined program is shown the files of the workspace's owner as its own. It cannot be shown those of
//! several owners so: the kernel wants to know, for each file that is made, whose it becomes. So it may do to the files of others what the
//! owner of the workspace may do to them, and no more. Where that is in the way, it is better said than guessed.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Something in a workspace that its owner does not own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// What it is.
    pub path: PathBuf,
    /// Whose it is.
    pub owner: u32,
    /// Whose the workspace is.
    pub workspace: u32,
}

/// Where such files are usually found: what a build has made by another user, and what git has kept for one.
const PLACES: &[&str] = &["", ".git", ".git/objects", ".git/refs/heads"];

/// More entries than are looked at in one place.
const MOST: usize = 4096;

/// The first one that is found. Not all of the workspace is searched.
#[expect(clippy::disallowed_methods, reason = "whose a file is, only the file system knows")]
pub(super) fn in_workspace(root: &Path) -> Option<Foreign> {
    let workspace = std::fs::symlink_metadata(root).ok()?.uid();
    let entries = PLACES.iter().filter_map(|place| std::fs::read_dir(root.join(place)).ok());
    entries.flat_map(|entries| entries.flatten().take(MOST)).find_map(|entry| {
        let owner = entry.metadata().ok()?.uid();
        (owner != workspace).then(|| Foreign { path: entry.path(), owner, workspace })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn a_file_of_another_is_found_beside_those_of_the_owner() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let objects = scratch.path().join(".git/objects");
        std::fs::create_dir_all(&objects).unwrap();
        std::fs::write(scratch.path().join("own"), "").unwrap();
        assert_eq!(in_workspace(scratch.path()), None);
        if rustix::process::geteuid().is_root() {
            let path = objects.join("ab");
            std::fs::write(&path, "").unwrap();
            std::os::unix::fs::chown(&path, Some(61_234), None).unwrap();
            assert_eq!(in_workspace(scratch.path()), Some(Foreign { path, owner: 61_234, workspace: 0 }));
        }
    }
}
