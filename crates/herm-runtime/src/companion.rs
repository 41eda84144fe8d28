//! A program that one talks with in lines, for as long as both live.
//!
//! It ends with herm, and everything that it started with it. Nobody ever waits for it: what is said to it is queued within bounds, and
//! what it says is not read before somebody has taken what it said before.

mod lines;
mod speaker;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use herm_sandbox::process::{Cancel, Demand, Error, Execution, Input, Mode, Output, Pipe, Spec, Stream, run};

use lines::Splitter;

pub use lines::lines;
pub use speaker::Speaker;

/// What is heard.
#[derive(Debug)]
pub enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that is longer than any message may be. It was dropped.
    TooLong,
    /// Nothing more will come; how the program ended, where it is one.
    Over(Option<Result<Execution, Error>>),
}

/// A program that one talks with. Dropping it ends it.
#[derive(Debug)]
pub struct Companion {
    speaker: Speaker,
    heard: Option<Receiver<Heard>>,
    cancel: Arc<Cancel>,
    work: Option<JoinHandle<()>>,
}

/// How many lines wait to be taken.
const WAITING: usize = 64;

impl Companion {
    /// Starts a program. Lines of its standard error go to `aside`, as they come: nothing was taken out of them.
    ///
    /// # Errors
    /// When there are too many open files or threads. A program that cannot be started is heard of.
    pub fn start(spec: Spec, aside: impl FnMut(&[u8]) + Send + 'static) -> io::Result<Self> {
        let (pipe, ours) = Pipe::new()?;
        let spec = Spec { input: Input::Pipe(pipe), ..spec };
        let cancel = Arc::new(Cancel::new()?);
        let (sender, heard) = sync_channel(WAITING);
        let ends = Arc::clone(&cancel);
        let work = thread::Builder::new().name("companion".to_owned()).spawn(move || {
            let mut ear = Ear::new(sender, aside);
            let end = run(spec, Mode::Captured, &ends, &mut ear);
            ear.finish(end);
        })?;
        Ok(Self { speaker: Speaker::new(ours)?, heard: Some(heard), cancel, work: Some(work) })
    }

    /// What speaks to it, also from another thread.
    #[must_use]
    pub fn speaker(&self) -> Speaker {
        self.speaker.clone()
    }

    /// Waits for what it says next.
    #[must_use]
    pub fn hear(&self) -> Heard {
        self.heard.as_ref().and_then(|heard| heard.recv().ok()).unwrap_or(Heard::Over(None))
    }

    /// The same, for a while.
    #[must_use]
    pub fn hear_within(&self, time: Duration) -> Option<Heard> {
        match self.heard.as_ref()?.recv_timeout(time) {
            Ok(heard) => Some(heard),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Heard::Over(None)),
        }
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        self.speaker.close();
        self.cancel.cancel();
        // Whoever waits to be heard learns that nobody listens.
        drop(self.heard.take());
        let _ = self.work.take().map(JoinHandle::join);
    }
}

/// Takes what a program says, line by line, and no faster than it is heard.
struct Ear<F> {
    sender: SyncSender<Heard>,
    waiting: VecDeque<Heard>,
    deaf: bool,
    said: Splitter,
    aside: F,
    grumbled: Splitter,
}

/// How long somebody who hears slowly is waited for at a time.
const MOMENT: Duration = Duration::from_millis(5);

impl<F: FnMut(&[u8])> Ear<F> {
    fn new(sender: SyncSender<Heard>, aside: F) -> Self {
        let (said, grumbled) = (Splitter::default(), Splitter::default());
        Self { sender, waiting: VecDeque::new(), deaf: false, said, aside, grumbled }
    }

    /// Hands over what there is room for.
    fn hand_over(&mut self) {
        while let Some(next) = self.waiting.pop_front() {
            match self.sender.try_send(next) {
                Ok(()) => {}
                Err(TrySendError::Full(next)) => return self.waiting.push_front(next),
                Err(TrySendError::Disconnected(_)) => {
                    self.deaf = true;
                    self.waiting.clear();
                }
            }
        }
    }

    fn grumble(&mut self, lines: impl IntoIterator<Item = Heard>) {
        for line in lines {
            match line {
                Heard::Line(line) => (self.aside)(&line),
                Heard::TooLong | Heard::Over(_) => {}
            }
        }
    }

    fn finish(mut self, end: Result<Execution, Error>) {
        let (rest, aside) = (self.said.rest(), self.grumbled.rest());
        self.grumble(aside);
        let last = rest.into_iter().chain([Heard::Over(Some(end))]);
        for heard in self.waiting.into_iter().chain(last) {
            if self.sender.send(heard).is_err() {
                return;
            }
        }
    }
}

impl<F: FnMut(&[u8])> Output for Ear<F> {
    fn stdout(&mut self, bytes: &[u8]) {
        self.waiting.extend(self.said.feed(bytes));
        self.hand_over();
    }

    fn stderr(&mut self, bytes: &[u8]) {
        let lines = self.grumbled.feed(bytes);
        self.grumble(lines);
    }

    fn demand(&mut self, stream: Stream) -> Demand {
        self.hand_over();
        match stream {
            Stream::Stdout if self.deaf => Demand::Never,
            Stream::Stdout if !self.waiting.is_empty() => {
                thread::sleep(MOMENT);
                Demand::Later
            }
            Stream::Stdout | Stream::Stderr => Demand::More,
        }
    }
}

#[cfg(test)]
mod tests;
