//! What stands at a path.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read};
use std::path::PathBuf;

use rustix::fs::{FileType, Statx};
use sha2::{Digest as _, Sha256};

use super::list::ACCESS;

/// What stands at a path, in full: enough to tell whether two are the same, and to make it again but for the bytes.
///
/// The time of the last reading is left out: looking at a file changes it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Node {
    /// What it is, and what is in it.
    pub content: Content,
    /// Permissions, with the setuid, setgid and sticky bits.
    pub mode: u32,
    /// When the content was last changed.
    pub modified: Time,
    /// User and group.
    pub owner: Owner,
    /// Extended attributes: those of users, access lists and capabilities.
    pub attributes: Attributes,
    /// Files with the same number are one file under several names.
    pub(crate) links: Option<u64>,
}

impl Node {
    /// Leaves its group no more than everybody has: for one that cannot be given the group that its rights were meant for.
    pub(crate) fn close_to_group(&mut self) {
        let others = self.mode & 0o007;
        self.mode &= !0o070 | others << 3;
        self.attributes.remove(OsStr::new(ACCESS));
    }
}

/// Extended attributes by name.
pub type Attributes = BTreeMap<OsString, Vec<u8>>;

/// What a node is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Content {
    /// A directory; what is in it has paths of its own.
    Directory,
    /// A regular file.
    File {
        /// How long it is.
        size: u64,
        /// The hash of its bytes, where it was needed.
        digest: Option<Digest>,
    },
    /// A pipe, a socket or a device.
    Special(Shape),
    /// A symbolic link and where it leads.
    Symlink(PathBuf),
}

impl Content {
    /// What kind of thing it is.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self {
            Self::Directory => Shape::Directory,
            Self::File { .. } => Shape::File,
            Self::Special(shape) => *shape,
            Self::Symlink(_) => Shape::Symlink,
        }
    }
}

/// What kind of thing stands at a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// A block or character device.
    Device,
    /// A directory.
    Directory,
    /// A named pipe.
    Fifo,
    /// A regular file.
    File,
    /// A Unix socket.
    Socket,
    /// A symbolic link.
    Symlink,
}

impl Shape {
    /// One word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Directory => "directory",
            Self::Fifo => "pipe",
            Self::File => "file",
            Self::Socket => "socket",
            Self::Symlink => "symlink",
        }
    }
}

/// A point in time, as exact as the file system keeps it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Time {
    /// Since 1970.
    pub seconds: i64,
    /// On top of them.
    pub nanoseconds: u32,
}

/// Whose something is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Owner {
    /// The user's number.
    pub user: u32,
    /// The group's number.
    pub group: u32,
}

/// A SHA-256 hash.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Digest(pub(crate) [u8; 32]);

impl Digest {
    /// The hash of everything that can be read, and how much it was.
    pub(crate) fn of(mut bytes: impl Read) -> io::Result<(u64, Self)> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        let mut size = 0;
        loop {
            let count = match bytes.read(&mut buffer) {
                Ok(0) => return Ok((size, Self(hasher.finalize().into()))),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(buffer.get(..count).unwrap_or_default());
            size += count as u64;
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What one look at a path tells: enough to know later that nobody has touched it. The time of the last change of the
/// node itself cannot be set by anybody, so a stamp cannot be forged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Stamp {
    pub(crate) shape: Shape,
    pub(crate) mode: u32,
    pub(crate) device: (u32, u32),
    pub(crate) inode: u64,
    pub(crate) links: u32,
    pub(crate) size: u64,
    pub(crate) modified: Time,
    pub(crate) changed: Time,
    /// When the node was made, where the file system knows: numbers are used again.
    pub(crate) born: Time,
    pub(crate) owner: Owner,
    /// For devices, which one. `(0, 0)` is how overlayfs writes that a name is gone.
    pub(crate) number: (u32, u32),
}

impl Stamp {
    pub(crate) fn new(found: &Statx) -> Self {
        let mode = u32::from(found.stx_mode);
        Self {
            shape: shape(FileType::from_raw_mode(mode)),
            mode: mode & 0o7777,
            device: (found.stx_dev_major, found.stx_dev_minor),
            inode: found.stx_ino,
            links: found.stx_nlink,
            size: found.stx_size,
            modified: Time { seconds: found.stx_mtime.tv_sec, nanoseconds: found.stx_mtime.tv_nsec },
            changed: Time { seconds: found.stx_ctime.tv_sec, nanoseconds: found.stx_ctime.tv_nsec },
            born: Time { seconds: found.stx_btime.tv_sec, nanoseconds: found.stx_btime.tv_nsec },
            owner: Owner { user: found.stx_uid, group: found.stx_gid },
            number: (found.stx_rdev_major, found.stx_rdev_minor),
        }
    }

    pub(crate) fn is_directory(&self) -> bool {
        self.shape == Shape::Directory
    }

    /// Whether it is untouched. Directories change with what is in them, which is looked at on its own.
    pub(crate) fn still(&self, now: &Self) -> bool {
        if self.is_directory() {
            return now.is_directory()
                && self.inode == now.inode
                && self.mode == now.mode
                && self.owner == now.owner;
        }
        self == now
    }
}

fn shape(kind: FileType) -> Shape {
    match kind {
        FileType::Directory => Shape::Directory,
        FileType::Fifo => Shape::Fifo,
        FileType::RegularFile => Shape::File,
        FileType::Socket => Shape::Socket,
        FileType::Symlink => Shape::Symlink,
        FileType::BlockDevice | FileType::CharacterDevice | FileType::Unknown => Shape::Device,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_one_everybody_knows() {
        let (size, digest) = Digest::of(&b"abc"[..]).unwrap();
        assert_eq!(size, 3);
        assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
