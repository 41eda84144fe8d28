//! The only place where this crate opens files. What it makes, its owner alone can read.

#![expect(clippy::disallowed_methods, reason = "the store owns the files of herm's home")]

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;

/// Makes a directory and those above it; one that is there stays as it is.
pub(crate) fn make_directory(path: &Path) -> Result<(), Error> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(Error::file("make the directory", path))
}

/// Removes a directory that only this process knows of.
pub(crate) fn remove_directory(path: &Path) -> Result<(), Error> {
    fs::remove_dir_all(path).map_err(Error::file("remove", path))
}

/// Removes a file; one that is not there is gone already.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::file("remove", path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What is in a directory; one that is not there holds nothing.
pub(crate) fn listed(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::file("list", path))?,
    };
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(Error::file("list", path))).collect()
}

/// Makes what the name of a directory stands for survive a loss of power.
pub(crate) fn sync_directory(path: &Path) -> Result<(), Error> {
    File::open(path).and_then(|directory| directory.sync_all()).map_err(Error::file("keep", path))
}

/// Whether there is something of this name, even a link that leads nowhere.
pub(crate) fn exists(path: &Path) -> Result<bool, Error> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::file("look at", path)(error)),
    }
}

/// Renames; `Ok(false)` when the new name is taken.
pub(crate) fn rename_into_place(from: &Path, to: &Path) -> Result<bool, Error> {
    match fs::rename(from, to) {
        Ok(()) => Ok(true),
        Err(error) if is_taken(error.kind()) => Ok(false),
        Err(error) => Err(Error::file("make", to)(error)),
    }
}

fn is_taken(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty)
}

/// Writes a file that is not there yet, down to the disk.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    file.and_then(|mut file| io::Write::write_all(&mut file, bytes).and_then(|()| file.sync_all()))
        .map_err(Error::file("make", path))
}

/// Opens for reading.
pub(crate) fn open_to_read(path: &Path) -> Result<File, Error> {
    regular(OpenOptions::new().read(true), "read", path)
}

/// Makes what was written to a file survive a loss of power.
pub(crate) fn sync(path: &Path) -> Result<(), Error> {
    File::open(path).and_then(|file| file.sync_data()).map_err(Error::file("keep", path))
}

/// Opens for reading, and for writing at the end.
pub(crate) fn open_to_append(path: &Path) -> Result<File, Error> {
    regular(OpenOptions::new().read(true).append(true), "write", path)
}

/// Opens for writing at the end; makes the file where it is missing.
pub(crate) fn open_to_collect(path: &Path) -> Result<File, Error> {
    regular(OpenOptions::new().append(true).create(true).mode(0o600), "write", path)
}

/// Opens for reading and for writing over what is there; makes the file where it is missing.
pub(crate) fn open_to_rewrite(path: &Path) -> Result<File, Error> {
    regular(OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600), "write", path)
}

/// Opens for writing over what is there.
pub(crate) fn open_to_overwrite(path: &Path) -> Result<File, Error> {
    regular(OpenOptions::new().write(true), "write", path)
}

/// Anything but a file would block, or swallow what is written.
fn regular(options: &OpenOptions, doing: &'static str, path: &Path) -> Result<File, Error> {
    let open = || {
        let file = options.open(path)?;
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
        }
    };
    open().map_err(Error::file(doing, path))
}

/// Waits for a file to be nobody else's. The lock goes with the file, or with the process.
///
/// It does not wait for ever: a process that was stopped while it held the lock must not make others hang, since
/// whoever waits for them may go on without an answer.
pub(crate) fn lock(file: &File, path: &Path, patience: Duration) -> Result<(), Error> {
    wait(path, patience, || file.try_lock())
}

/// The same, together with others who only read.
pub(crate) fn lock_shared(file: &File, path: &Path, patience: Duration) -> Result<(), Error> {
    wait(path, patience, || file.try_lock_shared())
}

fn wait(
    path: &Path,
    patience: Duration,
    attempt: impl Fn() -> Result<(), TryLockError>,
) -> Result<(), Error> {
    let start = Instant::now();
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(Error::file("lock", path)(error)),
            Err(TryLockError::WouldBlock) if start.elapsed() > patience => {
                return Err(Error::Busy { path: path.to_owned() });
            }
            // A record takes milliseconds; asking more seldom would leave the turn to whoever never pauses.
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_micros(200)),
        }
    }
}

/// How long to wait for other processes, unless somebody says otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// At most this many bytes of a file; `None` when there is no such file.
pub(crate) fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, Error> {
    let file = match open_to_read(path) {
        Err(Error::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(Error::file("read", path))?;
    Ok(Some(bytes))
}

/// Fails when others than its owner could read or write a file.
pub(crate) fn must_be_private(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.permissions().mode() & 0o077 != 0 => {
            Err(Error::Exposed { path: path.to_owned(), mode: metadata.permissions().mode() & 0o777 })
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::file("look at", path)(error)),
        _ => Ok(()),
    }
}
