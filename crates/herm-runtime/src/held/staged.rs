//! What will be in a file, beside it already.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Gid, Mode, OFlags, Stat, Uid, XattrFlags};
use rustix::io::Errno;

use super::{Held, Unheld, itself, name_of, number};

/// A file with a name that nobody else has, which goes away unless it is taken.
#[derive(Debug)]
pub(super) struct Staged<'a> {
    directory: &'a OwnedFd,
    pub(super) name: String,
    is_there: bool,
}

impl<'a> Staged<'a> {
    /// A name in a directory, and nothing there yet.
    pub(super) fn named(directory: &'a OwnedFd, name: &str) -> Self {
        Self { directory, name: name.to_owned(), is_there: false }
    }

    /// Makes a file with this content, and with the mode, the owner and the attributes of what it will stand in for. Says which one it is.
    pub(super) fn write(&mut self, held: &Held, content: &[u8]) -> Result<(u64, u64), Unheld> {
        let old =
            held.file.as_ref().map(|file| Ok::<_, Errno>((file, rustix::fs::fstat(file)?))).transpose()?;
        if old.as_ref().is_some_and(|(_, found)| found.st_nlink > 1) {
            return Err(Unheld::Linked);
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // A new file is as open as the caller's mask lets it be.
        let mode = Mode::from_raw_mode(if old.is_some() { 0o600 } else { 0o666 });
        let opened =
            rustix::fs::openat(self.directory, self.name.as_str(), flags, mode).map_err(unwritable)?;
        let mut file = File::from(opened);
        self.is_there = true;
        file.write_all(content).map_err(Unheld::Unwritable)?;
        if let Some((from, found)) = old {
            attributes(from, &file)?;
            as_before(&file, &found)?;
        }
        file.sync_all().map_err(Unheld::Unwritable)?;
        Ok(number(&rustix::fs::fstat(&file)?))
    }

    /// Says that something stands under the name now, or that nothing does.
    pub(super) fn set(&mut self, is_there: bool) {
        self.is_there = is_there;
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if self.is_there {
            // What cannot be removed lies there under a name that says whose it is.
            let _ = rustix::fs::unlinkat(self.directory, self.name.as_str(), AtFlags::empty());
        }
    }
}

fn unwritable(errno: Errno) -> Unheld {
    Unheld::Unwritable(errno.into())
}

/// The owner and the mode of another file. Bits that lend rights are lost, as they are for whoever writes to a file.
fn as_before(file: &File, found: &Stat) -> Result<(), Unheld> {
    let made = rustix::fs::fstat(file)?;
    if (made.st_uid, made.st_gid) != (found.st_uid, found.st_gid) {
        let (owner, group) = (Uid::from_raw(found.st_uid), Gid::from_raw(found.st_gid));
        rustix::fs::fchown(file, Some(owner), Some(group)).map_err(unwritable)?;
    }
    rustix::fs::fchmod(file, Mode::from_raw_mode(found.st_mode & 0o777)).map_err(unwritable)
}

/// What people and programs have attached to a file, and who else may do what with it.
fn attributes(from: &OwnedFd, to: &File) -> Result<(), Unheld> {
    let from = itself(from);
    let mut names = vec![0; 1 << 16];
    let length = match rustix::fs::listxattr(from.as_str(), &mut names) {
        Ok(length) => length,
        Err(Errno::NOTSUP) => 0,
        Err(errno) => return Err(errno.into()),
    };
    let names = || names.get(..length).unwrap_or_default().split(|byte| *byte == 0);
    if !names().any(|name| name == ACCESS) {
        // Its directory may have given it one that lets in others than the old file did.
        match rustix::fs::fremovexattr(to, ACCESS) {
            Ok(()) | Err(Errno::NODATA | Errno::NOTSUP) => {}
            Err(errno) => return Err(unwritable(errno)),
        }
    }
    for name in names().filter(|name| name.starts_with(b"user.") || *name == ACCESS) {
        let mut value = vec![0; 1 << 16];
        let length = rustix::fs::getxattr(from.as_str(), name, &mut value)?;
        let value = value.get(..length).unwrap_or_default();
        rustix::fs::fsetxattr(to, name, value, XattrFlags::empty()).map_err(unwritable)?;
    }
    Ok(())
}

/// Where Linux keeps the list of who else may do what with a file.
const ACCESS: &[u8] = b"system.posix_acl_access";

/// The directory of a file, with what is missing on the way made, and what was made.
pub(super) fn directory(held: &Held) -> Result<(OwnedFd, Vec<(OwnedFd, std::ffi::OsString)>), Unheld> {
    if name_of(&held.directory)? != held.directory_path {
        return Err(Unheld::Unsteady);
    }
    let mut directory = held.directory.as_fd().try_clone_to_owned().map_err(Unheld::Closed)?;
    let mut made = Vec::new();
    for part in &held.missing {
        match rustix::fs::mkdirat(&directory, part, Mode::from_raw_mode(0o777)) {
            Ok(()) => made.push((directory.try_clone().map_err(Unheld::Closed)?, part.clone())),
            // Another file of the same patch may need it as well.
            Err(Errno::EXIST) => {}
            Err(errno) => return Err(unwritable(errno)),
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        directory =
            rustix::fs::openat(&directory, part, flags, Mode::empty()).map_err(|errno| match errno {
                Errno::LOOP | Errno::NOTDIR => Unheld::Unsteady,
                errno => errno.into(),
            })?;
    }
    Ok((directory, made))
}

/// Has what changed in a directory reach the disk.
pub(super) fn sync(directory: &OwnedFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open = rustix::fs::openat(directory, ".", flags, Mode::empty())?;
    Ok(rustix::fs::fsync(open)?)
}
