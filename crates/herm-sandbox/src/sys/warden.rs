//! A piece of work in a process of its own, so that whatever becomes of it somebody is left to say so.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitOptions, getppid, kill_process, set_parent_process_death_signal, waitpid,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

/// Does `work` in a child, and hands back what it said. `None` when the child panicked, crashed, was ended, or was not done at
/// `end`; it is gone then. Of a child that was ended while it spoke, the beginning of what it said may come back.
///
/// Once it has said all, the child goes on alone with what is left to do.
///
/// The child goes on as a program of its own, so nothing is done where there are other threads.
pub(crate) fn guarded<After: FnOnce()>(
    end: Instant,
    work: impl FnOnce() -> (Vec<u8>, After),
) -> io::Result<Option<Vec<u8>>> {
    alone()?;
    let (from, to) = pipe_with(PipeFlags::CLOEXEC)?;
    let warden = rustix::process::getpid();
    // SAFETY: `fork` has no arguments, and `alone` has seen that there is one thread only, which is this one, so that the child holds no lock that nobody will give back.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(from);
            // What it panics with is said by nobody: whoever waits is told that it came to nothing.
            let _ = catch_unwind(AssertUnwindSafe(|| works(warden, to, work)));
            // SAFETY: `_exit` takes a number and does not return; nothing of the parent's is run or written twice.
            unsafe { libc::_exit(0) }
        }
        pid => {
            drop(to);
            let said = hear(from, end);
            if said.is_none() {
                put_an_end_to(Pid::from_raw(pid));
            }
            Ok(said.filter(|said| !said.is_empty()))
        }
    }
}

/// An error unless this thread is the only one: others may hold locks, which a child would wait for in vain.
#[expect(clippy::disallowed_methods, reason = "the kernel tells about the threads of a process here")]
fn alone() -> io::Result<()> {
    match std::fs::read_dir("/proc/self/task")?.count() {
        1 => Ok(()),
        _ => Err(io::Error::other("there are other threads")),
    }
}

/// What the child does. As long as somebody waits for it, it does not outlive them.
fn works<After: FnOnce()>(
    warden: Pid,
    to: OwnedFd,
    work: impl FnOnce() -> (Vec<u8>, After),
) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(warden) {
        return Ok(());
    }
    let (said, afterwards) = work();
    // Whoever started herm waits until nobody can write to it any more.
    let nowhere = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    dup2_stdin(&nowhere)?;
    dup2_stdout(&nowhere)?;
    dup2_stderr(&nowhere)?;
    set_parent_process_death_signal(None)?;
    std::fs::File::from(to).write_all(&said)?;
    afterwards();
    Ok(())
}

/// Everything that is said before the end; `None` when it is not over then.
fn hear(from: OwnedFd, end: Instant) -> Option<Vec<u8>> {
    let mut from = std::fs::File::from(from);
    let mut said = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).ok()?;
        let mut fds = [PollFd::from_borrowed_fd(from.as_fd(), PollFlags::IN)];
        match poll(&mut fds, Some(&left)) {
            Ok(0) => return None,
            Ok(_) => match from.read(&mut piece) {
                Ok(0) => return Some(said),
                Ok(count) => said.extend(piece.iter().take(count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            },
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// Ends the child, which may have ended by itself meanwhile.
fn put_an_end_to(child: Option<Pid>) {
    let Some(child) = child else { return };
    let _ = kill_process(child, Signal::KILL);
    while let Err(rustix::io::Errno::INTR) = waitpid(Some(child), WaitOptions::empty()) {}
}
