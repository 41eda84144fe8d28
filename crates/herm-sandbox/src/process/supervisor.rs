//! The supervisor of a run, as herm sees it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, pidfd_send_signal, waitpid};

use super::Ending;
use crate::sys::supervisor::Word;

/// The process between herm and what it runs. Dropping it ends everything below.
#[derive(Debug)]
pub(crate) struct Supervisor {
    process: Process,
    control: Option<OwnedFd>,
    status: Option<OwnedFd>,
    said: Vec<u8>,
    end: Option<ExitStatus>,
}

/// Whose child a supervisor is.
#[derive(Debug)]
enum Process {
    /// Our own.
    Ours(Child),
    /// That of a process which starts programs for us.
    Distant { pid: Pid, handle: OwnedFd },
}

impl Supervisor {
    pub(super) fn new(child: Child, control: OwnedFd, status: OwnedFd) -> Self {
        Self::of(Process::Ours(child), control, status)
    }

    /// One that is not our child.
    pub(crate) fn distant(pid: Pid, handle: OwnedFd, control: OwnedFd, status: OwnedFd) -> Self {
        Self::of(Process::Distant { pid, handle }, control, status)
    }

    fn of(process: Process, control: OwnedFd, status: OwnedFd) -> Self {
        Self { process, control: Some(control), status: Some(status), said: Vec::new(), end: None }
    }

    pub(super) fn pid(&self) -> Pid {
        match &self.process {
            Process::Ours(child) => Pid::from_child(child),
            Process::Distant { pid, .. } => *pid,
        }
    }

    fn send(&self, signal: Signal) {
        let _ = match &self.process {
            Process::Ours(child) => kill_process(Pid::from_child(child), signal),
            Process::Distant { handle, .. } => pidfd_send_signal(handle, signal),
        };
    }

    /// What it speaks through, while it does.
    pub(crate) fn status(&self) -> Option<BorrowedFd<'_>> {
        self.status.as_ref().map(AsFd::as_fd)
    }

    /// Hears what it has to say, and notices when it goes.
    pub(crate) fn listen(&mut self) {
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
        if let Process::Ours(child) = &mut self.process {
            self.end = child.wait().ok();
        }
    }

    /// Whether it is no longer there.
    pub(crate) fn is_gone(&self) -> bool {
        self.status.is_none()
    }

    /// Whether it went because nobody was left.
    pub(crate) fn left_in_order(&self) -> bool {
        match &self.process {
            Process::Ours(_) => self.end.is_some_and(|end| end.success()),
            Process::Distant { .. } => said(&self.said, Word::Left).is_some(),
        }
    }

    /// Why the program could not be started.
    pub(crate) fn failure(&self) -> Option<io::Error> {
        said(&self.said, Word::Failed).map(io::Error::from_raw_os_error)
    }

    /// How the main process ended, once it has.
    pub(crate) fn main(&self) -> Option<Ending> {
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
            self.send(Signal::CONT);
        }
    }

    /// Waits for it no longer. It goes on ending whoever is left below, and goes with the last: without it they would be free.
    pub(super) fn leave(&mut self) {
        if self.is_gone() {
            return;
        }
        self.force();
        self.status = None;
        let is_over = |child: &mut Child| child.try_wait().is_ok_and(|end| end.is_some());
        if let Process::Ours(child) = &mut self.process
            && !is_over(child)
        {
            let pid = Pid::from_child(child);
            let notice = move || waitpid(Some(pid), WaitOptions::empty());
            // Without a thread nobody takes note of its end but whoever comes after this process.
            drop(std::thread::Builder::new().name("herm-leaving".to_owned()).spawn(notice));
        }
    }

    fn wait_until(&mut self, limit: Instant) -> io::Result<bool> {
        while Instant::now() < limit {
            self.wake();
            let over = match &mut self.process {
                Process::Ours(child) => child.try_wait()?.is_some(),
                Process::Distant { .. } => {
                    self.listen();
                    self.is_gone()
                }
            };
            if over {
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
            self.leave();
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
