//! A view of the file system, step by step.
//!
//! The steps are written down before the fork and taken after it, in a mount namespace of their own. They make system calls
//! only. Every source is looked up from the old root and every target from the new one, so neither can be taken for the
//! other, wherever the new root is put.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::fs::{
    AtFlags, CWD, FileType, Gid, Mode, OFlags, ResolveFlags, Uid, chownat, mkdirat, openat, openat2, statat,
    symlinkat,
};
use rustix::io::{self, Errno};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags,
    UnmountFlags, fsconfig_create, fsconfig_set_flag, fsconfig_set_string, fsmount, fsopen, mount_change,
    move_mount, open_tree, unmount,
};

/// One step towards a view. Targets are paths below the new root, without the slash in front.
#[derive(Debug)]
pub(crate) enum Step {
    /// Shows a part of the new root in another place, too.
    Again { from: CString, target: CString, access: Access },
    /// Shows a part of the old root.
    Bind { source: Source, target: CString, access: Access },
    /// Shows a part of the new root in the place of a socket, if that is still one.
    Cover { from: CString, target: CString },
    /// Makes a directory to mount on, or to work in.
    Directory { target: CString, owner: Option<Owner>, mode: Mode },
    /// Makes an empty file to mount on.
    File { target: CString },
    /// Makes a symbolic link.
    Link { target: CString, to: CString },
    /// Mounts a file system that the kernel makes.
    Mount {
        kind: &'static CStr,
        target: CString,
        options: Vec<(CString, Option<CString>)>,
        flags: MountAttrFlags,
    },
    /// Shows what is below as it is, and takes changes apart from it. Where that cannot be had, shows it read-only.
    Overlay { lower: CString, source: Source, target: CString, options: Vec<(CString, Option<CString>)> },
    /// Writes a small file.
    Write { target: CString, bytes: Vec<u8> },
}

impl Step {
    /// Where something is afterwards.
    pub(crate) fn target(&self) -> &CStr {
        match self {
            Self::Again { target, .. }
            | Self::Bind { target, .. }
            | Self::Cover { target, .. }
            | Self::Directory { target, .. }
            | Self::File { target }
            | Self::Link { target, .. }
            | Self::Mount { target, .. }
            | Self::Overlay { target, .. }
            | Self::Write { target, .. } => target,
        }
    }
}

/// Where a part of the old root is.
#[derive(Debug)]
pub(crate) enum Source {
    /// At a path.
    Path(CString),
    /// Taken already, as a mount that is not attached anywhere.
    Taken(OwnedFd),
}

/// What may be done to a part of the old root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It is a device, to be used.
    Device,
    /// Reading and executing.
    ReadOnly,
    /// Writing, too.
    Writable,
}

/// To whom a directory belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// A new root, while it is built.
#[derive(Debug)]
pub(crate) struct Root {
    mount: OwnedFd,
}

impl Root {
    /// Puts an empty file system over the old root. Names still lead into the old one: a process does not notice that its
    /// root was covered.
    pub(crate) fn cover() -> io::Result<Self> {
        mount_change(c"/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC)?;
        mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        let context = fsopen(c"tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
        fsconfig_set_string(&context, c"mode", c"0755")?;
        fsconfig_set_string(&context, c"size", c"1m")?;
        fsconfig_create(&context)?;
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        let mount = fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)?;
        move_mount(&mount, c"", CWD, c"/", MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
        Ok(Self { mount })
    }

    /// Takes one step.
    pub(crate) fn take(&self, step: &Step) -> io::Result<()> {
        match step {
            Step::Again { from, target, access } => self.again(from, target, *access),
            Step::Bind { source, target, access } => self.bind(source, target, *access),
            Step::Cover { from, target } => self.cover_socket(from, target),
            Step::Directory { target, owner, mode } => self.directory(target, *owner, *mode),
            Step::File { target } => self.file(target).map(drop),
            Step::Link { target, to } => symlinkat(to.as_c_str(), &self.mount, target.as_c_str()),
            Step::Mount { kind, target, options, flags } => {
                let mount = self.at_home(|| made(kind, options, *flags))?;
                self.attach(&mount, target)
            }
            Step::Overlay { lower, source, target, options } => self.overlay(lower, source, target, options),
            Step::Write { target, bytes } => write(&self.file(target)?, bytes),
        }
    }

    /// Opens a directory of it, to be listed.
    pub(crate) fn open(&self, target: &CStr) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        openat2(&self.mount, target, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)
    }

    /// Makes it the only root there is, and lets nobody add to it.
    pub(crate) fn enter(self) -> io::Result<()> {
        rustix::process::fchdir(&self.mount)?;
        rustix::process::pivot_root(c".", c".")?;
        // The old root now lies on top of the new one.
        unmount(c".", UnmountFlags::DETACH)?;
        rustix::process::chdir(c"/")?;
        restrict(self.mount.as_fd(), MountAttrFlags::MOUNT_ATTR_RDONLY, 0)
    }

    fn directory(&self, target: &CStr, owner: Option<Owner>, mode: Mode) -> io::Result<()> {
        match mkdirat(&self.mount, target, mode) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
        let Some(owner) = owner else { return Ok(()) };
        let (uid, gid) = (Uid::from_raw(owner.uid), Gid::from_raw(owner.gid));
        chownat(&self.mount, target, Some(uid), Some(gid), AtFlags::SYMLINK_NOFOLLOW)
    }

    fn file(&self, target: &CStr) -> io::Result<OwnedFd> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(&self.mount, target, flags, Mode::from_raw_mode(0o644))
    }

    fn bind(&self, source: &Source, target: &CStr, access: Access) -> io::Result<()> {
        let taken;
        let tree = match source {
            Source::Path(path) => {
                taken = copy(path)?;
                taken.as_fd()
            }
            Source::Taken(tree) => tree.as_fd(),
        };
        restrict(tree, access.flags(), libc::AT_RECURSIVE)?;
        self.attach(tree, target)
    }

    fn overlay(
        &self,
        lower: &CStr,
        source: &Source,
        target: &CStr,
        options: &[(CString, Option<CString>)],
    ) -> io::Result<()> {
        self.bind(source, lower, Access::ReadOnly)?;
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        let mounted =
            self.at_home(|| made(c"overlay", options, flags)).and_then(|mount| self.attach(&mount, target));
        match mounted {
            Ok(()) => {
                // It has its own hold on what is below. The list of mounts must not name a place that cannot be reached.
                let _ = self.at_home(|| unmount(lower, UnmountFlags::DETACH));
                Ok(())
            }
            Err(_) => self.again(lower, target, Access::ReadOnly),
        }
    }

    fn again(&self, from: &CStr, target: &CStr, access: Access) -> io::Result<()> {
        let tree = open_tree(&self.mount, from, copied())?;
        restrict(tree.as_fd(), access.flags(), libc::AT_RECURSIVE)?;
        self.attach(&tree, target)
    }

    /// What somebody has taken away, or put something else in the place of, needs no cover.
    fn cover_socket(&self, from: &CStr, target: &CStr) -> io::Result<()> {
        let covered = self.again(from, target, Access::ReadOnly);
        let found = statat(&self.mount, target, AtFlags::SYMLINK_NOFOLLOW);
        let is_open = found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Socket);
        if is_open { covered.and(Err(Errno::BUSY)) } else { Ok(()) }
    }

    /// Does what names things by paths from the new root.
    fn at_home<T>(&self, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        rustix::process::fchdir(&self.mount)?;
        let outcome = act();
        rustix::process::chdir(c"/")?;
        outcome
    }

    fn attach(&self, tree: impl AsFd, target: &CStr) -> io::Result<()> {
        move_mount(tree, c"", &self.mount, target, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
    }
}

impl Access {
    const fn flags(self) -> MountAttrFlags {
        let plain = MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NODEV);
        match self {
            Self::Device => MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NOEXEC),
            Self::ReadOnly => plain.union(MountAttrFlags::MOUNT_ATTR_RDONLY),
            Self::Writable => plain,
        }
    }
}

/// A part of the file system as a mount of its own, with all that is mounted in it.
///
/// Links were followed before, with care. One that stands there now was put there since, by somebody who wants to be shown
/// something else.
pub(crate) fn copy(path: &CStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let place = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    open_tree(&place, c"", copied() | OpenTreeFlags::AT_EMPTY_PATH)
}

const fn copied() -> OpenTreeFlags {
    OpenTreeFlags::OPEN_TREE_CLONE.union(OpenTreeFlags::OPEN_TREE_CLOEXEC).union(OpenTreeFlags::AT_RECURSIVE)
}

fn made(kind: &CStr, options: &[(CString, Option<CString>)], flags: MountAttrFlags) -> io::Result<OwnedFd> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        match value {
            Some(value) => fsconfig_set_string(&context, key.as_c_str(), value.as_c_str())?,
            None => fsconfig_set_flag(&context, key.as_c_str())?,
        }
    }
    fsconfig_create(&context)?;
    fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)
}

fn write(file: &OwnedFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let length = io::write(file, bytes)?;
        bytes = bytes.get(length..).unwrap_or_default();
    }
    Ok(())
}

/// What `mount_setattr` reads.
#[repr(C)]
#[derive(Debug, Default)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Adds flags to a mount, and with `AT_RECURSIVE` to all in it.
fn restrict(mount: BorrowedFd<'_>, flags: MountAttrFlags, how: i32) -> io::Result<()> {
    set(mount, &Attributes { set: u64::from(flags.bits()), ..Attributes::default() }, how)
}

/// Shows the owners of files in a mount as a user namespace says.
pub(crate) fn map_owners(mount: BorrowedFd<'_>, namespace: BorrowedFd<'_>) -> io::Result<()> {
    const IDMAP: u64 = 0x0010_0000;
    let user_namespace = u64::try_from(namespace.as_raw_fd()).map_err(|_| Errno::BADF)?;
    let attributes = Attributes { set: IDMAP, user_namespace, ..Attributes::default() };
    set(mount, &attributes, libc::AT_RECURSIVE)
}

fn set(mount: BorrowedFd<'_>, attributes: &Attributes, how: i32) -> io::Result<()> {
    let flags = how | libc::AT_EMPTY_PATH;
    // SAFETY: the path is an empty C string, and `attributes` is a structure of the size that is told, which the kernel
    // only reads.
    let outcome = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            std::ptr::from_ref(attributes),
            size_of::<Attributes>(),
        )
    };
    if outcome == 0 { Ok(()) } else { Err(last_error()) }
}

/// What the last system call said.
pub(super) fn last_error() -> Errno {
    std::io::Error::last_os_error().raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error)
}
