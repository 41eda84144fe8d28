//! Files that run as somebody else for whoever starts them.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;

use rustix::fs::{FileType, Mode, OFlags, fstat, fstatfs, openat};
use rustix::io::{self, Errno};

use super::crew::at;
use super::{found, is_own};
use crate::native::guards::place::set_mode;
use crate::native::guards::{Became, SetAside};
use crate::native::since::Since;

/// Takes that from files which were changed.
#[derive(Debug)]
pub(super) struct Disarming {
    since: Since,
    pub(super) told: Vec<SetAside>,
    /// Whether the file system that was looked at last notes every change.
    notes_all: Option<(u64, bool)>,
}

/// The setuid and setgid bits.
const SPECIAL: u32 = 0o6000;

/// File systems that note every change: bcachefs, Btrfs, ext4 and before, F2FS, overlays of those, XFS.
pub(super) const NOTING: [i128; 6] =
    [0xca45_1a4e, 0x9123_683e, 0xef53, 0xf2f5_2010, 0x794c_7630, 0x5846_5342];

impl Disarming {
    pub(super) fn new(since: Since) -> Self {
        Self { since, told: Vec::new(), notes_all: None }
    }

    /// Somebody who does the same.
    pub(super) fn another(&self) -> Self {
        Self::new(self.since)
    }

    /// Looks at a file in a directory.
    pub(super) fn look(
        &mut self,
        directory: BorrowedFd<'_>,
        device: u64,
        name: &CStr,
        path: impl FnOnce() -> PathBuf,
    ) {
        let Ok(found) = found(directory, name) else { return };
        if found.st_mode & SPECIAL == 0 {
            return;
        }
        // Where changes leave no trace, what could be changed was.
        if self.since.has_changed(&found) || is_own(&found) && !self.notes_all(directory, device) {
            let became = match take(directory, name) {
                Ok(()) => Became::Disarmed,
                Err(Errno::NOENT) => return,
                Err(_) => Became::Armed,
            };
            self.told.push(SetAside { path: at(path(), name), became });
        }
    }

    /// Whether the file system of a directory notes when a file is changed by way of a shared mapping, and does so by this machine's clock.
    fn notes_all(&mut self, directory: BorrowedFd<'_>, device: u64) -> bool {
        let known = self.notes_all.filter(|(known, _)| *known == device).map(|(_, notes_all)| notes_all);
        known.unwrap_or_else(|| {
            let is_noting = |kind: i128| NOTING.contains(&kind);
            let notes_all = fstatfs(directory).is_ok_and(|found| is_noting(i128::from(found.f_type)));
            self.notes_all = Some((device, notes_all));
            notes_all
        })
    }
}

fn take(directory: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    let file = openat(directory, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    let found = fstat(&file)?;
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return Err(Errno::NOENT);
    }
    set_mode(file.as_fd(), Mode::from_raw_mode(found.st_mode & 0o1777))
}
