//! The supervisor of a run, as herm sees it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::Ending;
use crate::sys::supervisor::Word;

/// The process between herm and what it runs. Dropping it ends everything below.
#[derive(Debug)]
pub(super) struct Supervisor {
    child: Child,
    control: Option<OwnedFd>,
    status: Option<OwnedFd>,
    said: Vec<u8>,
    end: Option<ExitStatus>,
}

impl Supervisor {
    pub(super) fn new(child: Child, control: OwnedFd, status: OwnedFd) -> Self {
        Self { child, control: Some(control), status: Some(status), said: Vec::new(), end: None }
    }

    pub(super) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// What it speaks through, while it does.
    pub(super) fn status(&self) -> Option<BorrowedFd<'_>> {
        self.status.as_ref().map(AsFd::as_fd)
    }

    /// Hears what it has to say, and notices when it goes.
    pub(super) fn listen(&mut self) {
        let Some(status) = &self.status else { return };
        let mut space = [0_u8; 64];
        match rustix::io::read(status, &mut space) {
            Ok(0) => self.has_gone(),
            Ok(length) => self.said.extend(space.iter().take(length)),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.has_gone(),
        }
    }

    fn has_gone(&mut self) {
        self.status = None;
        self.end = self.child.wait().ok();
    }

    /// Whether it is no longer there.
    pub(super) fn is_gone(&self) -> bool {
        self.status.is_none()
    }

    /// Whether it went because nobody was left.
    pub(super) fn left_in_order(&self) -> bool {
        self.end.is_some_and(|end| end.success())
    }

    /// How the main process ended, once it has.
    pub(super) fn main(&self) -> Option<Ending> {
        ending(said(&self.said, Word::Ended)?)
    }

    /// How the main process ended, when there was nobody to say: it lost its supervisor, and so became our own child.
    pub(super) fn forlorn_main(&self) -> Option<Ending> {
        let pid = Pid::from_raw(said(&self.said, Word::Started)?)?;
        let (_, status) = waitpid(Some(pid), WaitOptions::NOHANG).ok()??;
        ending(status.as_raw())
    }

    /// Has it end everybody.
    pub(super) fn force(&mut self) {
        drop(self.control.take());
        self.wake();
    }

    /// Wakes it: what it watches over may have stopped it.
    fn wake(&self) {
        if !self.is_gone() {
            let _ = kill_process(self.pid(), Signal::CONT);
        }
    }

    /// Ends it, whoever is left below.
    pub(super) fn dismiss(&mut self) {
        if !self.is_gone() {
            let _ = self.child.kill();
            self.has_gone();
        }
    }

    fn wait_until(&mut self, limit: Instant) -> io::Result<bool> {
        while Instant::now() < limit {
            self.wake();
            if self.child.try_wait()?.is_some() {
                return Ok(true);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(false)
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if self.is_gone() {
            return;
        }
        self.force();
        if !self.wait_until(Instant::now() + PATIENCE).unwrap_or(false) {
            self.dismiss();
        }
    }
}

/// How long what is being ended may take to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// The number that first came with a word.
pub(super) fn said(bytes: &[u8], wanted: Word) -> Option<i32> {
    bytes.as_chunks::<8>().0.iter().find_map(|message| {
        let (word, number) = message.split_first_chunk::<4>()?;
        (i32::from_le_bytes(*word) == wanted as i32).then_some(())?;
        number.first_chunk().map(|number| i32::from_le_bytes(*number))
    })
}

fn ending(status: i32) -> Option<Ending> {
    let status = ExitStatus::from_raw(status);
    status.code().map(Ending::Exited).or_else(|| status.signal().map(Ending::Signalled))
}
