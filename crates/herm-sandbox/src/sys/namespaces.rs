//! Namespaces, and who one is in them.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{self, Errno};
use rustix::process::{Pid, Signal, set_parent_process_death_signal};

use super::mounts::last_error;

/// Splits in two, the child being the first of new namespaces: the parent is told who the child is.
pub(super) fn fork_into(flags: i32) -> io::Result<Option<Pid>> {
    clone(flags | libc::SIGCHLD)
}

/// A user namespace in which nobody lives, with the given numbers.
///
/// Only for those who may map the users of others.
pub(crate) fn user_namespace(users: &str, groups: &str) -> io::Result<OwnedFd> {
    let Some(holder) = clone(libc::CLONE_NEWUSER)? else { hold() };
    let opened = describe(holder, users, groups);
    let _ = rustix::process::kill_process(holder, Signal::KILL);
    reap(holder);
    opened
}

fn describe(holder: Pid, users: &str, groups: &str) -> io::Result<OwnedFd> {
    let pid = holder.as_raw_nonzero();
    write(&format!("/proc/{pid}/uid_map"), users)?;
    write(&format!("/proc/{pid}/gid_map"), groups)?;
    openat(CWD, format!("/proc/{pid}/ns/user"), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
}

/// Writes a small file of `/proc` at once, as those want it.
fn write(path: &str, text: &str) -> io::Result<()> {
    let file = openat(CWD, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    if io::write(file.as_fd(), text.as_bytes())? == text.len() { Ok(()) } else { Err(Errno::IO) }
}

/// Waits to be ended, without a copy of anything that could be used.
fn hold() -> ! {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    loop {
        // SAFETY: `pause` has no arguments.
        unsafe { libc::pause() };
    }
}

/// It was started without a signal for its end, so nobody who waits for any child can notice it instead.
pub(super) fn reap(holder: Pid) {
    let mut status = 0;
    // SAFETY: the kernel writes one number, to `status`.
    while unsafe { libc::waitpid(holder.as_raw_nonzero().get(), &raw mut status, libc::__WALL) } == -1 {
        if last_error() != Errno::INTR {
            return;
        }
    }
}

fn clone(flags: i32) -> io::Result<Option<Pid>> {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: without shared memory and with no stack given this is `fork`: both sides go on with memory of their own. The
    // callers go on with system calls only.
    match unsafe { libc::syscall(libc::SYS_clone, flags, none, none, none, none) } {
        -1 => Err(last_error()),
        pid => Ok(i32::try_from(pid).ok().and_then(Pid::from_raw)),
    }
}
