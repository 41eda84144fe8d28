//! The pipes or the terminal between herm and what it runs.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::terminal::Screen;
use super::{Demand, Output, Stream};

/// Everything that bytes of a run go through.
#[derive(Debug)]
pub(crate) struct Wires {
    pub(crate) readers: Vec<Reader>,
    pub(crate) feeder: Option<Feeder>,
    pub(crate) screen: Option<Screen>,
    /// Whether somebody has pressed a key that interrupts or quits at the program's own terminal.
    pub(crate) interrupted: bool,
    buffer: Vec<u8>,
}

/// Where the program's words come from.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) file: OwnedFd,
    stream: Stream,
    /// Whether no more of it is wanted for now.
    rests: bool,
}

impl Reader {
    /// One that never waits for bytes.
    pub(crate) fn new(file: OwnedFd, stream: Stream) -> rustix::io::Result<Self> {
        unblock(&file)?;
        Ok(Self { file, stream, rests: false })
    }
}

/// What the program is given to read.
#[derive(Debug)]
pub(crate) struct Feeder {
    file: OwnedFd,
    /// What is still to be written.
    pending: VecDeque<u8>,
    /// Where more comes from.
    source: Option<OwnedFd>,
    finish: Finish,
    /// The last byte that was given.
    last: Option<u8>,
}

/// How the end of the input is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The pipe is closed.
    Close,
    /// The key that ends the input is pressed: twice where a line is not finished, which the first one only sends.
    Key,
}

/// Who of those that were waited for has something to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ready {
    Reader(usize),
    Feeder,
    Source,
    Guest(usize),
}

/// How much is read at a time.
const CHUNK: usize = 64 * 1024;
/// The key that ends the input on a terminal.
const END_OF_INPUT: u8 = 4;
/// The keys that interrupt a program, or have it quit.
const INTERRUPTING: [u8; 2] = [3, 28];

impl Wires {
    pub(crate) fn new(readers: Vec<Reader>, feeder: Option<Feeder>, screen: Option<Screen>) -> Self {
        Self { readers, feeder, screen, interrupted: false, buffer: vec![0; CHUNK] }
    }

    /// Sleeps until bytes can move, one of the guests is ready, or the time is over.
    pub(crate) fn wait(&self, guests: &[Option<BorrowedFd<'_>>], time: Duration) -> Vec<Ready> {
        let mut names = Vec::new();
        let mut wanted = Vec::new();
        for (at, reader) in self.readers.iter().enumerate().filter(|(_, reader)| !reader.rests) {
            names.push(Ready::Reader(at));
            wanted.push(PollFd::new(&reader.file, PollFlags::IN));
        }
        match &self.feeder {
            Some(Feeder { source: Some(source), pending, .. }) if pending.is_empty() => {
                names.push(Ready::Source);
                wanted.push(PollFd::new(source, PollFlags::IN));
            }
            Some(Feeder { file, .. }) => {
                names.push(Ready::Feeder);
                wanted.push(PollFd::new(file, PollFlags::OUT));
            }
            None => {}
        }
        for (at, guest) in guests.iter().enumerate() {
            if let Some(guest) = guest {
                names.push(Ready::Guest(at));
                wanted.push(PollFd::from_borrowed_fd(*guest, PollFlags::IN));
            }
        }
        let time = Timespec::try_from(time).ok();
        // An interrupted wait is a short one: whoever called looks at the clock anyway.
        let _ = poll(&mut wanted, time.as_ref());
        names
            .into_iter()
            .zip(wanted)
            .filter(|(_, seen)| !seen.revents().is_empty())
            .map(|(name, _)| name)
            .collect()
    }

    /// Moves the bytes that can move.
    pub(crate) fn carry(&mut self, ready: &[Ready], output: &mut dyn Output) {
        // From the last to the first: one that is closed does not move the others.
        for one in ready.iter().rev() {
            match one {
                Ready::Reader(at) => self.read(*at, output),
                Ready::Source => self.refill(),
                Ready::Feeder => self.feed(),
                Ready::Guest(_) => {}
            }
        }
        self.heed(output);
        if let Some(screen) = &mut self.screen {
            screen.follow();
        }
    }

    /// Whether a stream rests because nobody takes more of it for now.
    pub(crate) fn rests(&self) -> bool {
        self.readers.iter().any(|reader| reader.rests)
    }

    /// Reads no more of what is not wanted. What is never wanted is closed, and with the only stream of a terminal all of it.
    fn heed(&mut self, output: &mut dyn Output) {
        let before = self.readers.len();
        self.readers.retain_mut(|reader| {
            let demand = output.demand(reader.stream);
            reader.rests = demand == Demand::Later;
            demand != Demand::Never
        });
        if let Some(screen) = self.screen.as_mut().filter(|_| self.readers.len() < before) {
            self.feeder = None;
            screen.hang_up();
        }
    }

    /// Takes what the program has said before it ended. What somebody else may still say is not waited for; whoever is slow to
    /// take it is, for as long as `is_patient`.
    pub(crate) fn drain(&mut self, time: Duration, output: &mut dyn Output, is_patient: impl Fn() -> bool) {
        self.feeder = None;
        let mut limit = Instant::now() + time;
        while Instant::now() < limit {
            let ready = self.wait(&[], Duration::ZERO);
            if ready.is_empty() && !self.rests() {
                return;
            }
            self.carry(&ready, output);
            match self.rests() {
                true if is_patient() => limit = Instant::now() + time,
                true => return,
                false => {}
            }
        }
    }

    fn read(&mut self, at: usize, output: &mut dyn Output) {
        let Some(reader) = self.readers.get(at) else { return };
        match rustix::io::read(&reader.file, &mut self.buffer[..]) {
            Ok(length @ 1..) => {
                let bytes = self.buffer.get(..length).unwrap_or_default();
                match reader.stream {
                    Stream::Stderr => output.stderr(bytes),
                    Stream::Stdout => output.stdout(bytes),
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            // A terminal that nobody has open any more answers with an error.
            Ok(0) | Err(_) => drop(self.readers.remove(at)),
        }
    }

    fn refill(&mut self) {
        let Some(feeder) = &mut self.feeder else { return };
        let Some(source) = &feeder.source else { return };
        match rustix::io::read(source, &mut self.buffer[..]) {
            Ok(length @ 1..) => {
                let bytes = self.buffer.get(..length).unwrap_or_default();
                // Whatever the program makes of the key, it was pressed.
                let is_pressed = bytes.iter().any(|byte| INTERRUPTING.contains(byte));
                self.interrupted |= feeder.finish == Finish::Key && is_pressed;
                feeder.add(bytes);
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Ok(0) | Err(_) => {
                feeder.source = None;
                feeder.press_end();
            }
        }
    }

    fn feed(&mut self) {
        let Some(feeder) = &mut self.feeder else { return };
        match rustix::io::write(&feeder.file, feeder.pending.as_slices().0) {
            Ok(length) => drop(feeder.pending.drain(..length)),
            Err(Errno::AGAIN | Errno::INTR) => {}
            // Nobody reads any more.
            Err(_) => {
                self.feeder = None;
                return;
            }
        }
        if feeder.pending.is_empty() && feeder.source.is_none() {
            self.feeder = None;
        }
    }
}

impl Feeder {
    /// One that gives `bytes`, then the end.
    pub(crate) fn of(file: OwnedFd, bytes: Vec<u8>, finish: Finish) -> Self {
        let last = bytes.last().copied();
        let mut feeder = Self { file, pending: bytes.into(), source: None, finish, last };
        feeder.press_end();
        feeder
    }

    /// One that gives what comes from `source`.
    pub(crate) fn from(file: OwnedFd, source: OwnedFd, finish: Finish) -> Self {
        Self { file, pending: VecDeque::new(), source: Some(source), finish, last: None }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.pending.extend(bytes);
        self.last = bytes.last().copied();
    }

    fn press_end(&mut self) {
        if self.finish == Finish::Key {
            let is_open = self.last.is_some_and(|last| last != b'\n');
            self.pending.extend(std::iter::repeat_n(END_OF_INPUT, if is_open { 2 } else { 1 }));
        }
    }
}

/// Makes a descriptor answer at once when it cannot move bytes.
pub(crate) fn unblock(file: &impl AsFd) -> rustix::io::Result<()> {
    rustix::io::ioctl_fionbio(file, true)
}
