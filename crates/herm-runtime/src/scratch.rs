//! Directories that go away.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A fresh directory, for as long as it lives.
///
/// It stands beside others in a directory that only its user may enter, and a file that this process keeps locked stands beside it. Whoever makes the
/// next one clears away those whose file nobody keeps locked any more: their process was killed.
#[derive(Debug)]
pub(crate) struct Scratch {
    directory: Option<herm_sandbox::Scratch>,
    claim: PathBuf,
    _lock: File,
}

impl Scratch {
    /// A fresh directory. What killed processes left is cleared away first.
    pub(crate) fn new(temporary: &Path) -> io::Result<Self> {
        let uid = rustix::process::getuid().as_raw();
        let parent = temporary.join(shelf(uid));
        own(&parent, uid)?;
        // One at a time, so that nobody sweeps away what is just being made.
        let door = File::options().create(true).append(true).mode(0o600).open(parent.join(DOOR))?;
        door.lock()?;
        sweep(&parent)?;
        let directory = herm_sandbox::Scratch::new(&parent)?;
        let claim = claim(directory.path());
        let lock = File::options().create_new(true).write(true).mode(0o600).open(&claim)?;
        lock.lock()?;
        Ok(Self { directory: Some(directory), claim, _lock: lock })
    }

    /// Clears away what killed processes left, if nobody else is about to.
    ///
    /// Every call does, not only one that needs such a directory: that may be long in coming. What cannot be cleared away now
    /// stands in nobody's way, and whoever makes the next one says why not.
    #[expect(clippy::disallowed_methods, reason = "the one place where temporary directories are claimed")]
    pub(crate) fn clear(temporary: &Path) {
        let uid = rustix::process::getuid().as_raw();
        let parent = temporary.join(shelf(uid));
        if is_own(&parent, uid).unwrap_or(false)
            && let Ok(door) = File::open(parent.join(DOOR))
            && door.try_lock().is_ok()
        {
            let _ = sweep(&parent);
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.as_ref().map_or(Path::new("/"), herm_sandbox::Scratch::path)
    }
}

/// The directory of a user, in which all of them stand.
fn shelf(uid: u32) -> String {
    format!("herm-{uid}")
}

/// The file that is locked by whoever makes one or clears away.
const DOOR: &str = "door";

/// Writes a file that was not there.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    File::options().create_new(true).write(true).mode(0o600).open(path)?.write_all(text.as_bytes())
}

/// Puts a file in the place of another, all at once.
#[expect(clippy::disallowed_methods, reason = "the one place where files are replaced")]
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(crate::identity::fresh());
    let replaced = write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // Where it could not even be made, there is nothing to remove.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// Makes a directory for one user, or finds it. One that another has put there is not used: its owner could change
/// everything below.
fn own(directory: &Path, uid: u32) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    if is_own(directory, uid)? {
        Ok(())
    } else {
        Err(io::Error::other(format!("`{}` belongs to somebody else", directory.display())))
    }
}

/// Whether a directory is one user's alone.
#[expect(clippy::disallowed_methods, reason = "the one place where temporary directories are claimed")]
fn is_own(directory: &Path, uid: u32) -> io::Result<bool> {
    let found = fs::symlink_metadata(directory)?;
    Ok(found.is_dir() && found.uid() == uid && found.mode() & 0o777 == 0o700)
}

impl Drop for Scratch {
    /// The claim goes last, so that what is cut short is taken up again.
    #[expect(clippy::disallowed_methods, reason = "the one place where temporary directories are claimed")]
    fn drop(&mut self) {
        drop(self.directory.take());
        // What cannot be removed now is swept next time.
        let _ = fs::remove_file(&self.claim);
    }
}

/// The file that says whose a directory is.
fn claim(directory: &Path) -> PathBuf {
    directory.with_extension("lock")
}

/// Clears away what nobody claims any more.
#[expect(clippy::disallowed_methods, reason = "the one place where temporary directories are claimed")]
fn sweep(parent: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let path = entry?.path();
        let is_claim = path.extension().is_some_and(|extension| extension == "lock");
        if is_claim && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            drop(herm_sandbox::Scratch::adopt(path.with_extension("")));
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use super::*;

    fn shelf(temporary: &Path) -> PathBuf {
        temporary.join(format!("herm-{}", rustix::process::getuid().as_raw()))
    }

    #[test]
    fn it_is_gone_afterwards() {
        let home = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(home.path()).unwrap();
        let file = scratch.path().join("a");
        write(&file, "text").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "text");
        drop(scratch);
        assert_eq!(fs::read_dir(shelf(home.path())).unwrap().count(), 1, "the door stays");
    }

    #[test]
    fn what_a_killed_process_left_is_cleared_away_and_what_is_in_use_is_not() {
        let home = tempfile::tempdir().unwrap();
        let used = Scratch::new(home.path()).unwrap();
        let left = shelf(home.path()).join("0123");
        fs::create_dir_all(left.join("deep")).unwrap();
        fs::write(left.with_extension("lock"), "").unwrap();
        let _next = Scratch::new(home.path()).unwrap();
        assert!(!left.exists() && !left.with_extension("lock").exists());
        assert!(used.path().exists());
    }

    #[test]
    fn what_another_put_there_is_not_used() {
        let home = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), shelf(home.path())).unwrap();
        assert!(Scratch::new(home.path()).is_err());
    }
}
