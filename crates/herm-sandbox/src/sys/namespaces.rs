//! Namespaces, and who one is in them.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{self, Errno};
use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};

use super::mounts::last_error;
use super::nearby::nearby;
use super::signals::undisturbed;
use crate::native::cgroup::Birth;

/// Who one is after a process has split in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forked {
    /// The one that was there before, and who the other is.
    Parent(Pid),
    Child(Birth),
}

/// Splits in two, the child being the first of new namespaces, and in a control group of version 2 where the kernel can do that.
pub(super) fn fork_into(flags: i32, group: Option<BorrowedFd<'_>>) -> io::Result<Forked> {
    let named = |child: Option<Pid>, birth| child.map_or(Forked::Child(birth), Forked::Parent);
    if let Some(group) = group
        && let Ok(child) = clone_into(flags, group)
    {
        return Ok(named(child, Birth::Inside));
    }
    clone(flags | libc::SIGCHLD).map(|child| named(child, Birth::Outside))
}

/// A user namespace in which nobody lives.
#[derive(Debug)]
pub(crate) struct UserNamespace {
    file: OwnedFd,
    /// Waited for when this is dropped, since until then there is better to do.
    _founder: Founder,
}

impl UserNamespace {
    /// One with the given numbers. Only for those who may map the users of others.
    pub(crate) fn new(users: &str, groups: &str) -> io::Result<Self> {
        let founder = Founder::start()?;
        let file = describe(founder.pid, users, groups);
        let _ = rustix::process::kill_process(founder.pid, Signal::KILL);
        Ok(Self { file: file?, _founder: founder })
    }
}

impl AsFd for UserNamespace {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// Whom a namespace began with.
///
/// It has no memory of its own but to stand on, so that there is nothing to be copied, neither at once nor whenever something is
/// written while it is still there.
#[derive(Debug)]
struct Founder {
    pid: Pid,
    _stack: Vec<u128>,
}

impl Founder {
    fn start() -> io::Result<Self> {
        let mut stack = vec![0_u128; STACK];
        let top = stack.as_mut_ptr_range().end.cast();
        let flags = libc::CLONE_NEWUSER | libc::CLONE_VM;
        let parent =
            std::ptr::without_provenance_mut(getpid().as_raw_nonzero().get().unsigned_abs() as usize);
        // SAFETY: the stack is its own, and there for as long as it is. It makes system calls only, through nothing that
        // belongs to this thread.
        let start = || unsafe { libc::clone(hold, top, flags, parent) };
        let pid = undisturbed(|| nearby(start))?;
        let pid = Pid::from_raw(pid.max(0)).ok_or_else(last_error)?;
        Ok(Self { pid, _stack: stack })
    }
}

/// 16 KiB.
const STACK: usize = 1024;

impl Drop for Founder {
    fn drop(&mut self) {
        reap(self.pid);
    }
}

fn describe(founder: Pid, users: &str, groups: &str) -> io::Result<OwnedFd> {
    let pid = founder.as_raw_nonzero();
    write(&format!("/proc/{pid}/uid_map"), users)?;
    write(&format!("/proc/{pid}/gid_map"), groups)?;
    openat(CWD, format!("/proc/{pid}/ns/user"), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
}

/// Writes a small file of `/proc` at once, as those want it.
fn write(path: &str, text: &str) -> io::Result<()> {
    let file = openat(CWD, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    if io::write(file.as_fd(), text.as_bytes())? == text.len() { Ok(()) } else { Err(Errno::IO) }
}

/// Waits to be ended, and goes with `parent`, which may be gone already.
extern "C" fn hold(parent: *mut libc::c_void) -> i32 {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let is_parent = |pid: Pid| pid.as_raw_nonzero().get().unsigned_abs() as usize == parent.addr();
    while getppid().is_some_and(is_parent) {
        rustix::event::pause();
    }
    0
}

/// It was started without a signal for its end, so nobody who waits for any child can notice it instead.
pub(super) fn reap(process: Pid) {
    let mut status = 0;
    // SAFETY: the kernel writes one number, to `status`.
    while unsafe { libc::waitpid(process.as_raw_nonzero().get(), &raw mut status, libc::__WALL) } == -1 {
        if last_error() != Errno::INTR {
            return;
        }
    }
}

/// The same, with the child in `group` from the first.
fn clone_into(flags: i32, group: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    // SAFETY: all of it is numbers and addresses, for which nought means that nothing is asked for.
    let mut wanted: libc::clone_args = unsafe { std::mem::zeroed() };
    wanted.flags = u64::from(flags.cast_unsigned()) | CLONE_INTO_CGROUP;
    wanted.exit_signal = u64::from(libc::SIGCHLD.cast_unsigned());
    wanted.cgroup = u64::from(group.as_raw_fd().cast_unsigned());
    // SAFETY: the structure is as large as it is said to be and only read. Otherwise it is as with `clone`.
    match unsafe { libc::syscall(libc::SYS_clone3, &raw const wanted, size_of::<libc::clone_args>()) } {
        -1 => Err(last_error()),
        pid => Ok(i32::try_from(pid).ok().and_then(Pid::from_raw)),
    }
}

/// Too large a number for the type that libc gives it.
const CLONE_INTO_CGROUP: u64 = 1 << 33;

fn clone(flags: i32) -> io::Result<Option<Pid>> {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: without shared memory and with no stack given this is `fork`: both sides go on with memory of their own. The
    // callers go on with system calls only.
    match unsafe { libc::syscall(libc::SYS_clone, flags, none, none, none, none) } {
        -1 => Err(last_error()),
        pid => Ok(i32::try_from(pid).ok().and_then(Pid::from_raw)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::cgroup::{Bounds, Group, Hierarchies};

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the kernel says where one is in a file")]
    fn one_can_be_born_in_a_group() {
        let Ok(group) = Group::create(&Hierarchies::find().unwrap(), &Bounds::default()) else {
            return println!("not tried: no group of version 2 is to be had");
        };
        match fork_into(0, group.entrances().birthplace()).unwrap() {
            Forked::Parent(child) => assert_eq!(ending(child), 0),
            Forked::Child(birth) => {
                let place = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
                let is_inside = place.lines().any(|line| line.starts_with("0::") && line.contains("/herm-"));
                // SAFETY: `_exit` takes a number and does not return.
                unsafe { libc::_exit(i32::from(birth != Birth::Inside || !is_inside)) }
            }
        }
    }

    fn ending(child: Pid) -> i32 {
        let ended = rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty()).unwrap();
        ended.and_then(|(_, status)| status.exit_status()).unwrap_or(-1)
    }
}
