//! What something is called when it is set aside.

use std::ffi::{CStr, OsStr};
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, RenameFlags, renameat, renameat_with, statat};
use rustix::io::{self, Errno};

use crate::native::strays::NEVER_WRITTEN;
use crate::sys::random;

/// Tells what was set aside in one run from what was in others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    number: u64,
    mark: &'static str,
}

/// As long as any name, with the end.
pub(super) type Space = [u8; 256];

/// How much of a name is kept: some are too long for anything after them.
const KEPT: usize = 180;

/// How often another name is tried. Each is drawn when it is needed, so nobody can have taken it beforehand.
const TRIES: usize = 8;

impl Tag {
    pub(super) fn new() -> Self {
        Self { number: RandomState::new().hash_one(std::process::id()) >> 32, mark: MARK }
    }

    /// The same run, with names that git never writes to: what only has another name among branches is one.
    pub(super) fn never_written(self) -> Self {
        Self { mark: NEVER_WRITTEN, ..self }
    }

    /// Renames something to a name that nobody can guess. Makes system calls only.
    pub(super) fn set_aside(self, directory: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
        self.set_aside_as(directory, name, &mut [0; 256]).map(drop)
    }

    /// The same, and says to which.
    pub(super) fn set_aside_as<'a>(
        self,
        directory: BorrowedFd<'_>,
        name: &CStr,
        space: &'a mut Space,
    ) -> io::Result<&'a CStr> {
        for _ in 0..TRIES {
            match rename(directory, name, self.fresh(name, space)?) {
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
                Ok(()) => return CStr::from_bytes_until_nul(space).map_err(|_| Errno::NAMETOOLONG),
            }
        }
        Err(Errno::EXIST)
    }

    fn fresh<'a>(self, name: &CStr, space: &'a mut Space) -> io::Result<&'a CStr> {
        let number = random::number()?;
        space.fill(0);
        let mut rest = space.as_mut_slice();
        let written = rest
            .write_all(kept(name))
            .and_then(|()| write!(rest, "{}{:08x}{number:016x}\0", self.mark, self.number));
        written.map_err(|_| Errno::NAMETOOLONG)?;
        CStr::from_bytes_until_nul(space).map_err(|_| Errno::NAMETOOLONG)
    }

    /// Whether something is called as `name` is when it was set aside in this run.
    pub(super) fn is_aside(self, found: &CStr, name: &CStr) -> bool {
        let mark = format!("{}{:08x}", self.mark, self.number);
        let rest =
            found.to_bytes().strip_prefix(kept(name)).and_then(|rest| rest.strip_prefix(mark.as_bytes()));
        rest.is_some_and(|rest| rest.len() == 16 && rest.iter().all(u8::is_ascii_hexdigit))
    }
}

const MARK: &str = ".herm-aside-";

/// Whether something is called as what was set aside in any run.
pub(in crate::native) fn is_called_aside(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let (Some(digits), Some(rest)) = (bytes.last_chunk::<24>(), bytes.get(..bytes.len().saturating_sub(24)))
    else {
        return false;
    };
    rest.ends_with(MARK.as_bytes()) && digits.iter().all(u8::is_ascii_hexdigit)
}

fn kept(name: &CStr) -> &[u8] {
    let bytes = name.to_bytes();
    bytes.get(..KEPT).unwrap_or(bytes)
}

/// Renames without taking anybody's place, where the file system can promise that.
pub(super) fn rename(directory: BorrowedFd<'_>, from: &CStr, to: &CStr) -> io::Result<()> {
    match renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) if statat(directory, to, AtFlags::SYMLINK_NOFOLLOW).is_err() => {
            renameat(directory, from, directory, to)
        }
        outcome => outcome,
    }
}
