//! Announcements of the kernel: a program is about to be started.
//!
//! A filter has the kernel stop whoever starts a program until somebody outside has seen it. That somebody decides nothing: what
//! it reads can change before the kernel looks at it, so it lets everybody go on.

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::io::{Errno, Result};
use rustix::thread::set_no_new_privs;

use super::mounts::last_error;
use super::supervisor::owned;
use crate::native::seccomp::Filter;

/// Somebody wants to start a program, and waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Announcement {
    id: u64,
    /// Who, as this process knows them.
    pub(crate) pid: u32,
    /// By which call.
    pub(crate) call: i64,
    /// With what.
    pub(crate) arguments: [u64; 6],
}

/// Has the kernel announce what a filter wants announced, of this thread and all it starts. Makes system calls only.
///
/// # Errors
/// When the kernel cannot, or somebody listens already.
pub(crate) fn listen(filter: &Filter) -> io::Result<OwnedFd> {
    if !fits() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    set_no_new_privs(true)?;
    let usual = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    // A signal in between would have the call announced once more.
    match install(filter, usual | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV) {
        Err(Errno::INVAL) => Ok(install(filter, usual)?),
        listener => Ok(listener?),
    }
}

fn install(filter: &Filter, flags: libc::c_ulong) -> Result<OwnedFd> {
    let instructions = filter.instructions();
    let length = u16::try_from(instructions.len()).map_err(|_| Errno::INVAL)?;
    // The kernel reads the instructions, and never writes to them.
    let program = libc::sock_fprog { len: length, filter: instructions.as_ptr().cast_mut() };
    // SAFETY: `program` and the instructions it points to live until the call returns; the kernel copies and checks them.
    let outcome =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
    match i32::try_from(outcome) {
        Ok(descriptor) if descriptor >= 0 => owned(descriptor),
        Ok(_) | Err(_) => Err(last_error()),
    }
}

/// Whether the kernel's announcements are no longer than what is read into here.
fn fits() -> bool {
    let mut sizes = libc::seccomp_notif_sizes { seccomp_notif: 0, seccomp_notif_resp: 0, seccomp_data: 0 };
    // SAFETY: the kernel writes three numbers to `sizes`, which lives until the call returns.
    let outcome =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_NOTIF_SIZES, 0, &raw mut sizes) };
    outcome == 0
        && usize::from(sizes.seccomp_notif) <= size_of::<libc::seccomp_notif>()
        && usize::from(sizes.seccomp_notif_resp) <= size_of::<libc::seccomp_notif_resp>()
}

/// The next announcement; nothing when whoever it was about has gone meanwhile.
pub(crate) fn next(listener: impl AsFd) -> Result<Option<Announcement>> {
    // SAFETY: it consists of numbers, and the kernel demands that all of them are nought.
    let mut found: libc::seccomp_notif = unsafe { zeroed() };
    // SAFETY: the kernel writes an announcement to `found`, which is as long as `fits` has made sure.
    let outcome =
        unsafe { libc::syscall(libc::SYS_ioctl, listener.as_fd().as_raw_fd(), NEXT, &raw mut found) };
    if outcome == 0 {
        let (call, arguments) = (i64::from(found.data.nr), found.data.args);
        return Ok(Some(Announcement { id: found.id, pid: found.pid, call, arguments }));
    }
    match last_error() {
        Errno::NOENT | Errno::INTR => Ok(None),
        error => Err(error),
    }
}

/// Whether whoever was announced still waits, so that its number is still its own.
pub(crate) fn still_waits(listener: impl AsFd, announced: &Announcement) -> bool {
    let id = announced.id;
    // SAFETY: the kernel reads a number from `id`, which lives until the call returns.
    let outcome =
        unsafe { libc::syscall(libc::SYS_ioctl, listener.as_fd().as_raw_fd(), STILL, &raw const id) };
    outcome == 0
}

/// Lets whoever was announced go on.
pub(crate) fn let_go(listener: impl AsFd, announced: &Announcement) {
    let answer = libc::seccomp_notif_resp { id: announced.id, val: 0, error: 0, flags: CONTINUE };
    // Who has gone meanwhile needs no answer.
    // SAFETY: the kernel reads an answer from `answer`, which lives until the call returns.
    let _ =
        unsafe { libc::syscall(libc::SYS_ioctl, listener.as_fd().as_raw_fd(), ANSWER, &raw const answer) };
}

/// `SECCOMP_USER_NOTIF_FLAG_CONTINUE`
const CONTINUE: u32 = 1;
/// `SECCOMP_IOCTL_NOTIF_RECV`
const NEXT: libc::c_ulong = 0xc050_2100;
/// `SECCOMP_IOCTL_NOTIF_SEND`
const ANSWER: libc::c_ulong = 0xc018_2101;
/// `SECCOMP_IOCTL_NOTIF_ID_VALID`
const STILL: libc::c_ulong = 0x4008_2102;
