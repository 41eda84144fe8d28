//! A directory for one run.

#![forbid(unsafe_code)]

use std::fs::{DirBuilder, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A fresh directory that only its owner can enter, and that is gone with all that is in it when this is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

/// How many names are tried: one that is taken by chance is as good as none.
const ATTEMPTS: usize = 8;

impl Scratch {
    /// Makes one in `parent`, which others may write to: the name cannot be guessed, and what stands there already is not
    /// taken.
    ///
    /// # Errors
    /// When nothing can be made there.
    pub fn new(parent: &Path) -> io::Result<Self> {
        let mut last = io::ErrorKind::AlreadyExists.into();
        for _ in 0..ATTEMPTS {
            let path = parent.join(format!("herm-{:016x}", RandomState::new().hash_one(std::process::id())));
            match DirBuilder::new().mode(PRIVATE).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// Takes over one that its maker left behind.
    #[must_use]
    pub fn adopt(path: PathBuf) -> Self {
        Self(path)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

const PRIVATE: u32 = 0o700;

impl Drop for Scratch {
    #[expect(clippy::disallowed_methods, reason = "it made the directory, and nobody else removes it")]
    fn drop(&mut self) {
        if std::fs::remove_dir_all(&self.0).is_err() {
            unlock(&self.0);
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Opens directories that were closed to their owner. Links are not followed: they may lead anywhere.
#[expect(clippy::disallowed_methods, reason = "it made the directory, and nobody else removes it")]
fn unlock(path: &Path) {
    let mut closed = vec![path.to_owned()];
    while let Some(directory) = closed.pop() {
        let _ = std::fs::set_permissions(&directory, Permissions::from_mode(PRIVATE));
        let entries = std::fs::read_dir(&directory).into_iter().flatten().flatten();
        closed.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn it_is_private_and_goes_with_all_that_is_in_it() {
        let outside = Scratch::new(&std::env::temp_dir()).unwrap();
        std::fs::write(outside.path().join("kept"), "").unwrap();
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let path = scratch.path().to_owned();
        assert_ne!(path, outside.path());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        std::fs::create_dir_all(path.join("a/b")).unwrap();
        std::fs::write(path.join("a/b/c"), "").unwrap();
        std::os::unix::fs::symlink(outside.path(), path.join("a/link")).unwrap();
        std::fs::set_permissions(path.join("a/b"), Permissions::from_mode(0o000)).unwrap();
        std::fs::set_permissions(path.join("a"), Permissions::from_mode(0o500)).unwrap();
        drop(scratch);
        assert!(!path.exists());
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn closed_directories_are_opened_and_links_left_alone() {
        let outside = Scratch::new(&std::env::temp_dir()).unwrap();
        std::fs::set_permissions(outside.path(), Permissions::from_mode(0o500)).unwrap();
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        std::os::unix::fs::symlink(outside.path(), scratch.path().join("link")).unwrap();
        DirBuilder::new().mode(0o000).create(scratch.path().join("closed")).unwrap();
        unlock(scratch.path());
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&scratch.path().join("closed")), 0o700);
        assert_eq!(mode(outside.path()), 0o500);
    }

    #[test]
    fn where_nothing_can_be_made_there_is_none() {
        assert!(Scratch::new(Path::new("/no/such/place")).is_err());
    }
}
