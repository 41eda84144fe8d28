//! Who a confined program is.

use std::ffi::CString;
use std::io::ErrorKind;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Access as Wish, AtFlags, CWD, accessat};
use rustix::io;
use rustix::process::{getegid, geteuid};

use crate::sys::boundary::{Other, Own};
use crate::sys::mounts::{Owner, copy, map_owners};
use crate::sys::namespaces::UserNamespace;

/// Who a confined program is, inside and outside.
#[derive(Debug)]
pub(crate) enum Identity {
    /// Whoever runs herm, who is not root.
    Same { uid: u32, gid: u32 },
    /// Somebody who owns nothing. Files of `owner` are shown as theirs.
    Nobody { uid: u32, gid: u32, owner: Owner },
    /// Root with all it owns: only to show what happens without the layer.
    Root,
}

/// A number from the range that systemd sets aside for containers, so that no account has it.
const NOBODY: u32 = 0x6865_726d;

/// What such a one is called inside when the workspace belongs to root.
const USUAL: u32 = 1000;

impl Identity {
    /// Who a program that works in `workspace` is.
    pub(crate) fn of(workspace: &Path) -> std::io::Result<Self> {
        let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
        if uid != 0 {
            return Ok(Self::Same { uid, gid });
        }
        #[expect(clippy::disallowed_methods, reason = "whose the workspace is, only the file system knows")]
        let found = std::fs::metadata(workspace)?;
        let usual = |id| if id == 0 { USUAL } else { id };
        let owner = Owner { uid: found.uid(), gid: found.gid() };
        Ok(Self::Nobody { uid: usual(owner.uid), gid: usual(owner.gid), owner })
    }

    /// The number and the group that it has inside.
    pub(crate) const fn inside(&self) -> (u32, u32) {
        match self {
            Self::Same { uid, gid } | Self::Nobody { uid, gid, .. } => (*uid, *gid),
            Self::Root => (0, 0),
        }
    }

    /// Whom what is made for it must be given to.
    pub(crate) const fn owner(&self) -> Option<Owner> {
        match self {
            Self::Nobody { .. } => Some(Owner { uid: NOBODY, gid: NOBODY }),
            Self::Same { .. } | Self::Root => None,
        }
    }

    /// Whether it could open something of the system. What cannot be known, it could.
    pub(crate) fn may_open(&self, path: &Path) -> bool {
        match self {
            // Inside it has the groups that it has outside.
            Self::Same { .. } => {
                let asked = accessat(CWD, path, Wish::READ_OK, AtFlags::EACCESS);
                let searched = accessat(CWD, path, Wish::EXEC_OK, AtFlags::EACCESS);
                !matches!(asked, Err(io::Errno::ACCESS | io::Errno::NOENT))
                    || !matches!(searched, Err(io::Errno::ACCESS | io::Errno::NOENT))
            }
            Self::Nobody { .. } => {
                #[expect(clippy::disallowed_methods, reason = "who may open it, only the file system knows")]
                let found = std::fs::metadata(path);
                found.map_or_else(
                    |error| error.kind() != ErrorKind::NotFound,
                    |found| found.mode() & 0o005 != 0,
                )
            }
            // It shows what the layer is for, which nothing else may stand in for.
            Self::Root => false,
        }
    }

    /// The namespace of users that begins with the first process.
    pub(crate) fn own(&self) -> Option<Own> {
        let Self::Same { uid, gid } = self else { return None };
        let line = |id: &u32| CString::new(format!("{id} {id} 1")).unwrap_or_default();
        Some(Own { users: line(uid), groups: line(gid) })
    }

    /// Whom the program becomes.
    pub(crate) fn other(&self) -> io::Result<Option<Other>> {
        let Self::Nobody { uid, gid, .. } = self else { return Ok(None) };
        let namespace = UserNamespace::new(&format!("{uid} {NOBODY} 1"), &format!("{gid} {NOBODY} 1"))?;
        Ok(Some(Other { namespace, uid: *uid, gid: *gid }))
    }

    /// How files of the workspace's owner are shown as this one's.
    pub(crate) fn map(&self) -> io::Result<Option<UserNamespace>> {
        let Self::Nobody { owner, .. } = self else { return Ok(None) };
        UserNamespace::new(&swapped(owner.uid), &swapped(owner.gid)).map(Some)
    }
}

impl Identity {
    /// Shows files of the owner as this one's, in a mount that goes with what is handed back.
    pub(crate) fn show(&self, path: &Path) -> std::io::Result<OwnedFd> {
        let tree = copy(CString::new(path.as_os_str().as_bytes())?.as_c_str())?;
        if let Some(owners) = self.map()? {
            map_owners(tree.as_fd(), owners.as_fd())?;
        }
        Ok(tree)
    }
}

/// Two change places, and everybody else stays who they are. It has to be both: where root mounts an overlay on what is
/// shown so, it works there as itself, which must be somebody.
fn swapped(owner: u32) -> String {
    let next = owner.saturating_add(1);
    let before = (owner > 0).then(|| format!("0 0 {owner}\n"));
    let between = (next < NOBODY).then(|| format!("{next} {next} {}\n", NOBODY - next));
    let pair = format!("{owner} {NOBODY} 1\n{NOBODY} {owner} 1\n");
    [before, Some(pair), between].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_are_shown_as_one_another() {
        let rest = |next: u32| format!("{next} {next} {}\n", NOBODY - next);
        assert_eq!(swapped(0), format!("0 {NOBODY} 1\n{NOBODY} 0 1\n{}", rest(1)));
        assert_eq!(swapped(1000), format!("0 0 1000\n1000 {NOBODY} 1\n{NOBODY} 1000 1\n{}", rest(1001)));
    }
}
