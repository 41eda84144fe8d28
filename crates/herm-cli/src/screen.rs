//! Our own streams, as fast as whoever reads them takes what comes.
//!
//! Nothing is written that could block: while a reader is slow, the time limit of the command and a request to stop must still
//! be heard.

use std::collections::VecDeque;
use std::io;
use std::os::fd::BorrowedFd;
use std::thread;
use std::time::{Duration, Instant};

use herm_runtime::perform::{Audience, Cancel, Demand, Ending, Undelivered, Which};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::{stderr, stdout};

/// Our own streams.
#[derive(Debug)]
pub(crate) struct Screen<'a> {
    stdout: Outlet,
    stderr: Outlet,
    cancel: &'a Cancel,
}

/// How long is waited for a reader before something else is looked at.
const MOMENT: Duration = Duration::from_millis(20);

/// How long is waited for a reader when the command was ended before its time.
const HURRY: Duration = Duration::from_secs(1);

impl<'a> Screen<'a> {
    pub(crate) fn new(cancel: &'a Cancel) -> Self {
        Self { stdout: Outlet::to(stdout()), stderr: Outlet::to(stderr()), cancel }
    }
}

impl Audience for Screen<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        self.stdout.add(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.stderr.add(bytes);
    }

    fn demand(&mut self, stream: Which) -> Demand {
        match stream {
            Which::Stderr => self.stderr.push(MOMENT),
            Which::Stdout => self.stdout.push(MOMENT),
        }
    }

    /// A slow reader of what a command said is waited for, as the command itself would wait.
    fn finish(&mut self, ending: Ending) -> Option<Undelivered> {
        let limit = Instant::now() + HURRY;
        let waits = || match ending {
            Ending::Cancelled | Ending::TimedOut => Instant::now() < limit,
            Ending::Exited(_) | Ending::Signalled(_) => !self.cancel.is_cancelled(),
        };
        self.stdout.finish(waits).or(self.stderr.finish(waits))
    }
}

/// Prints a text on standard output, however long its reader takes.
pub(crate) fn print(text: &str) -> Option<Undelivered> {
    let mut outlet = Outlet::to(stdout());
    outlet.add(text.as_bytes());
    outlet.finish(|| true)
}

/// One of our own streams, and what it has not taken yet.
#[derive(Debug)]
struct Outlet {
    file: BorrowedFd<'static>,
    pending: VecDeque<u8>,
    fault: Option<Errno>,
}

/// What a pipe takes without blocking if it takes anything.
const PIECE: usize = 4096;

impl Outlet {
    fn to(file: BorrowedFd<'static>) -> Self {
        Self { file, pending: VecDeque::new(), fault: None }
    }

    fn add(&mut self, bytes: &[u8]) {
        if self.fault.is_none() {
            self.pending.extend(bytes);
        }
    }

    /// Writes what is taken, and waits for so long where nothing is.
    fn push(&mut self, time: Duration) -> Demand {
        while self.fault.is_none() && !self.pending.is_empty() {
            if !self.is_ready(time) {
                return Demand::Later;
            }
            let (next, _) = self.pending.as_slices();
            match rustix::io::write(self.file, next.get(..PIECE).unwrap_or(next)) {
                Ok(length) => drop(self.pending.drain(..length)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    // It is ready for less than was written.
                    thread::sleep(time);
                    return Demand::Later;
                }
                Err(fault) => self.fail(fault),
            }
        }
        if self.fault.is_some() { Demand::Never } else { Demand::More }
    }

    fn is_ready(&self, time: Duration) -> bool {
        let mut wanted = [PollFd::new(&self.file, PollFlags::OUT)];
        let time = Timespec::try_from(time).ok();
        poll(&mut wanted, time.as_ref()).is_ok_and(|ready| ready > 0)
    }

    fn fail(&mut self, fault: Errno) {
        self.fault = Some(fault);
        self.pending.clear();
    }

    /// Writes the rest, for as long as `waits` says.
    fn finish(&mut self, waits: impl Fn() -> bool) -> Option<Undelivered> {
        while self.push(MOMENT) == Demand::Later {
            if !waits() {
                self.fail(Errno::TIMEDOUT);
            }
        }
        self.fault.map(|fault| match fault {
            Errno::PIPE => Undelivered::Gone,
            Errno::TIMEDOUT => Undelivered::Failed("nobody takes it".to_owned()),
            other => Undelivered::Failed(io::Error::from(other).kind().to_string()),
        })
    }
}
