//! A piece of work in a process of its own, so that whatever becomes of it somebody is left to say so.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitOptions, getppid, kill_process, set_parent_process_death_signal, waitpid,
};

/// Does `work` in a child, and hands back what it returned, whole. `None` when the child panicked, crashed, was ended, or was not
/// done at `end`; it is gone then.
///
/// The caller must have no other threads: the child goes on as a program of its own.
pub(crate) fn guarded(end: Instant, work: impl FnOnce() -> Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    let (from, to) = pipe_with(PipeFlags::CLOEXEC)?;
    let warden = rustix::process::getpid();
    // SAFETY: `fork` has no arguments, and there is one thread only, so that the child holds no lock that nobody will give back.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(from);
            let code = i32::from(!works(warden, to, work));
            // SAFETY: `_exit` takes a number and does not return; nothing of the parent's is run or written twice.
            unsafe { libc::_exit(code) }
        }
        pid => {
            drop(to);
            let said = hear(from, end);
            Ok(part(Pid::from_raw(pid), said))
        }
    }
}

/// What the child does. It does not outlive whoever waits for it.
fn works(warden: Pid, to: OwnedFd, work: impl FnOnce() -> Vec<u8>) -> bool {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if getppid() != Some(warden) {
        return false;
    }
    let Ok(said) = catch_unwind(AssertUnwindSafe(work)) else { return false };
    std::fs::File::from(to).write_all(&said).is_ok()
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

/// Ends the child if it is not done, and keeps what it said only if it ended well.
fn part(child: Option<Pid>, said: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let child = child?;
    if said.is_none() {
        // It may have ended by itself meanwhile.
        let _ = kill_process(child, Signal::KILL);
    }
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => return said.filter(|_| status.exit_status() == Some(0)),
            Err(rustix::io::Errno::INTR) | Ok(None) => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn what_is_done_comes_back_whole() {
        let long = vec![b'x'; 1 << 20];
        assert_eq!(guarded(soon(), || long.clone()).unwrap(), Some(long));
    }

    #[test]
    fn whatever_ends_the_child_is_noticed() {
        assert_eq!(guarded(soon(), || panic!("on purpose")).unwrap(), None);
        assert_eq!(guarded(soon(), || std::process::abort()).unwrap(), None);
        assert_eq!(guarded(soon(), || std::process::exit(7)).unwrap(), None);
        assert_eq!(guarded(soon(), || vec![deeper(1)]).unwrap(), None);
    }

    #[expect(unconditional_recursion, reason = "the stack is to overflow")]
    fn deeper(depth: u8) -> u8 {
        let here = std::hint::black_box([depth; 4096]);
        deeper(depth.wrapping_add(1)).wrapping_add(here.iter().copied().fold(0, u8::wrapping_add))
    }

    #[test]
    fn the_end_comes_in_any_case() {
        let end = Instant::now() + Duration::from_millis(50);
        let forever = || loop {
            std::thread::sleep(Duration::from_secs(1));
        };
        assert_eq!(guarded(end, forever).unwrap(), None);
    }
}
