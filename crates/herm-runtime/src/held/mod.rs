//! Files that are held while it is decided about them, so that the file that was judged is the one that is read or replaced.
//!
//! A path is followed once. What it leads to is kept open, and is judged by the name that the kernel has for it; it is read through what
//! is open, and replaced in the directory that is open. A link that somebody puts on the way meanwhile leads nobody anywhere.

mod journal;
mod staged;
mod swap;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

pub(crate) use journal::recover;
pub(crate) use swap::replace;

/// A file that is held, or the place where there will be one.
#[derive(Debug)]
pub(crate) struct Held {
    /// The path that was followed.
    asked: String,
    /// What the kernel calls it.
    path: String,
    /// The directory that it is in, or the nearest one above that is there.
    directory: OwnedFd,
    /// What the kernel calls that.
    directory_path: PathBuf,
    /// The directories that would have to be made.
    missing: Vec<OsString>,
    /// Its name in its directory.
    name: OsString,
    /// The file, where there is one.
    file: Option<OwnedFd>,
}

/// Why a file is not held.
#[derive(Debug)]
pub(crate) enum Unheld {
    /// It could not be opened.
    Closed(io::Error),
    /// It is not a file: what it is.
    NoFile(&'static str),
    /// It is about a process, and would be read in the place of that process.
    OfAProcess,
    /// It has other names, which would go on as they are.
    Linked,
    /// It is longer than what is looked at.
    TooLong(u64),
    /// It was moved or replaced meanwhile.
    Unsteady,
    /// Its name is not text.
    Unnameable,
    /// What is about to happen to it could not be written down.
    Unrecorded(io::Error),
    /// It could not be written.
    Unwritable(io::Error),
}

impl fmt::Display for Unheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(error) if error.kind() == io::ErrorKind::NotFound => {
                f.write_str("there is no such file")
            }
            Self::Closed(error) => write!(f, "it cannot be opened: {error}"),
            Self::NoFile(what) => write!(f, "it is {what}"),
            Self::OfAProcess => f.write_str("it is about a process, and no file"),
            Self::Linked => {
                f.write_str("it has other names (hard links), which would keep what is in it now")
            }
            Self::TooLong(most) => write!(f, "it is longer than {most} bytes"),
            Self::Unsteady => f.write_str("it was moved or replaced meanwhile"),
            Self::Unnameable => f.write_str("its name is not UTF-8"),
            Self::Unrecorded(error) => write!(f, "that cannot be written down first: {error}"),
            Self::Unwritable(error) => write!(f, "it cannot be written: {error}"),
        }
    }
}

impl std::error::Error for Unheld {}

impl From<Errno> for Unheld {
    fn from(errno: Errno) -> Self {
        Self::Closed(errno.into())
    }
}

impl Held {
    /// Follows a path, which begins with `/`.
    pub(crate) fn follow(asked: &str) -> Result<Self, Unheld> {
        if asked.ends_with('/') {
            return Err(Unheld::NoFile("a directory"));
        }
        match rustix::fs::openat(CWD, asked, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => Self::there(asked, file),
            Err(Errno::NOENT) => Self::absent(asked),
            Err(errno) => Err(errno.into()),
        }
    }

    fn there(asked: &str, file: OwnedFd) -> Result<Self, Unheld> {
        let found = rustix::fs::fstat(&file)?;
        regular(&found)?;
        let path = name_of(&file)?;
        let text = path.to_str().ok_or(Unheld::Unnameable)?.to_owned();
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Unheld::Unsteady);
        };
        if is_of_a_process(&path) {
            return Err(Unheld::OfAProcess);
        }
        let directory = steady(parent)?;
        // What has no name any more, or another file has it by now.
        let named = rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if number(&named) != number(&found) {
            return Err(Unheld::Unsteady);
        }
        let (name, directory_path) = (name.to_owned(), parent.to_owned());
        let (asked, missing) = (asked.to_owned(), Vec::new());
        Ok(Self { asked, path: text, directory, directory_path, missing, name, file: Some(file) })
    }

    /// Where a file would be made.
    fn absent(asked: &str) -> Result<Self, Unheld> {
        if rustix::fs::statat(CWD, asked, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Err(Unheld::NoFile("a link that leads nowhere"));
        }
        let path = Path::new(asked);
        let name = path.file_name().ok_or(Unheld::NoFile("a directory"))?.to_owned();
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut missing = Vec::new();
        for above in path.ancestors().skip(1) {
            match rustix::fs::openat(CWD, above, flags, Mode::empty()) {
                Ok(directory) => {
                    missing.reverse();
                    return Self::in_directory(asked, directory, missing, name);
                }
                Err(Errno::NOENT) => missing.push(plain(above)?),
                Err(errno) => return Err(errno.into()),
            }
        }
        Err(Unheld::Unsteady)
    }

    fn in_directory(
        asked: &str,
        directory: OwnedFd,
        missing: Vec<OsString>,
        name: OsString,
    ) -> Result<Self, Unheld> {
        let directory_path = name_of(&directory)?;
        let path = missing.iter().fold(directory_path.clone(), |path, part| path.join(part)).join(&name);
        let path = path.to_str().ok_or(Unheld::Unnameable)?.to_owned();
        Ok(Self { asked: asked.to_owned(), path, directory, directory_path, missing, name, file: None })
    }

    /// The path that was followed.
    pub(crate) fn asked(&self) -> &str {
        &self.asked
    }

    /// What the kernel calls it.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Whether there is such a file.
    pub(crate) fn is_there(&self) -> bool {
        self.file.is_some()
    }

    /// Opens what is held, to read it.
    pub(crate) fn open(&self) -> Result<File, Unheld> {
        let file = self.file.as_ref().ok_or(Unheld::Closed(io::ErrorKind::NotFound.into()))?;
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
        Ok(File::from(rustix::fs::openat(CWD, itself(file), flags, Mode::empty())?))
    }

    /// All that is in it, if that is not too much; nothing where there is no such file.
    pub(crate) fn content(&self, most: u64) -> Result<Option<Vec<u8>>, Unheld> {
        if !self.is_there() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.open()?.take(most + 1).read_to_end(&mut bytes).map_err(Unheld::Closed)?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length <= most) {
            Ok(Some(bytes))
        } else {
            Err(Unheld::TooLong(most))
        }
    }

    /// Whether the file has other names.
    pub(crate) fn has_other_names(&self) -> bool {
        self.identity().is_some_and(|(_, has_twins)| has_twins)
    }

    /// Which file it is, and whether it has other names.
    pub(crate) fn identity(&self) -> Option<((u64, u64), bool)> {
        let found = rustix::fs::fstat(self.file.as_ref()?).ok()?;
        Some((number(&found), found.st_nlink > 1))
    }
}

/// A directory, on the way to which there is no link.
fn steady(path: &Path) -> Result<OwnedFd, Unheld> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..ATTEMPTS {
        match rustix::fs::openat2(CWD, path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(Errno::LOOP | Errno::NOENT | Errno::NOTDIR) => return Err(Unheld::Unsteady),
            answer => return Ok(answer?),
        }
    }
    Err(Unheld::Unsteady)
}

/// How often a path is looked up again when the kernel says that directories moved meanwhile.
const ATTEMPTS: usize = 16;

fn regular(found: &Stat) -> Result<(), Unheld> {
    match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => Ok(()),
        FileType::Directory => Err(Unheld::NoFile("a directory")),
        FileType::BlockDevice | FileType::CharacterDevice => Err(Unheld::NoFile("a device")),
        FileType::Fifo => Err(Unheld::NoFile("a pipe")),
        FileType::Socket => Err(Unheld::NoFile("a socket")),
        FileType::Symlink | FileType::Unknown => Err(Unheld::NoFile("no regular file")),
    }
}

/// What the kernel calls what is open.
fn name_of(open: &impl AsFd) -> Result<PathBuf, Unheld> {
    let name = rustix::fs::readlinkat(CWD, itself(&open.as_fd()), Vec::new())?;
    let path = PathBuf::from(OsString::from_vec(name.into_bytes()));
    // Pipes and the like have names of another kind.
    if path.is_absolute() { Ok(path) } else { Err(Unheld::NoFile("no regular file")) }
}

/// What is said about a process, herm's own among them, is read in its place.
pub(crate) fn is_of_a_process(path: &Path) -> bool {
    let mut parts = path.components().skip(1).map(Component::as_os_str);
    let is_number =
        |part: &OsStr| part.to_str().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    parts.next().is_some_and(|first| first == "proc") && parts.next().is_some_and(is_number)
}

/// The last part of a path that is no `..`: what that means is not known before the rest is there.
fn plain(path: &Path) -> Result<OsString, Unheld> {
    match path.components().next_back() {
        Some(Component::Normal(name)) => Ok(name.to_owned()),
        _ => Err(Unheld::Closed(io::ErrorKind::NotFound.into())),
    }
}

/// A path that leads to what is open, for calls that know paths only.
fn itself(open: &impl AsRawFd) -> String {
    format!("/proc/self/fd/{}", open.as_raw_fd())
}

/// Which file it is: its device, and its number there.
fn number(found: &Stat) -> (u64, u64) {
    (found.st_dev, found.st_ino)
}
