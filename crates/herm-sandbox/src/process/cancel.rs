//! Calling a run off.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};

use crate::sys::signals::Listening;

/// Calls off every run that was given it, now and later. A run notices at once.
#[derive(Debug)]
pub struct Cancel(By);

#[derive(Debug)]
enum By {
    Call(OwnedFd),
    Signal(Listening),
}

impl Cancel {
    /// One that is called off by [`cancel`](Self::cancel), from any thread.
    ///
    /// # Errors
    /// When this process has too many files open.
    pub fn new() -> io::Result<Self> {
        Ok(Self(By::Call(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)))
    }

    /// One that is called off when this process is asked to stop: hangup, interrupt, quit or terminate.
    ///
    /// When it is dropped the signals mean again what they meant. Without it they end this process, and its supervisors
    /// end what was running; with it, there is time to say so.
    ///
    /// # Errors
    /// When another one exists: handlers belong to the whole process.
    pub fn on_signals() -> io::Result<Self> {
        Listening::begin().map(|listening| Self(By::Signal(listening)))
    }

    /// Calls off. Has no effect on one that listens for signals.
    pub fn cancel(&self) {
        if let By::Call(bell) = &self.0 {
            let _ = rustix::io::write(bell, &1_u64.to_ne_bytes());
        }
    }

    /// Whether it was called off.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let mut wanted = [PollFd::new(self, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut wanted, Some(&now)).is_ok_and(|ready| ready > 0)
    }

    /// The signal that called it off.
    #[must_use]
    pub fn signal(&self) -> Option<i32> {
        match &self.0 {
            By::Call(_) => None,
            By::Signal(listening) => listening.arrived(),
        }
    }
}

impl AsFd for Cancel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.0 {
            By::Call(bell) => bell.as_fd(),
            By::Signal(listening) => listening.as_fd(),
        }
    }
}
