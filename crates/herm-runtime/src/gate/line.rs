//! Questions about connections, asked at a broker while the command goes on.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use herm::approval::Answer;

use crate::asked::Asked;
use crate::books::{Books as _, Local};
use crate::broker::{Broker, Client};
use crate::people::Heard;
use crate::setup::Setup;

/// The way to whoever watches the broker.
#[derive(Debug)]
pub(super) struct Line {
    desk: Desk,
    seconds: u32,
    is_over: Arc<AtomicBool>,
}

/// Where questions are taken.
#[derive(Debug)]
enum Desk {
    /// At a broker under another user, and at no other one that may stand in its place. It keeps what follows itself.
    Guard(PathBuf),
    /// At a broker of the same user, who keeps the books here.
    Own { socket: PathBuf, books: PathBuf },
}

/// How often an answer is listened for.
const PULSE: Duration = Duration::from_millis(200);

impl Line {
    /// A line that nobody waits at any more once it is over.
    pub(super) fn new(setup: &Setup, is_over: Arc<AtomicBool>) -> Self {
        Self { desk: Desk::of(setup), seconds: setup.policy.timeout, is_over }
    }

    /// Silence, and nobody there, is a no, but none that is remembered.
    pub(super) fn answer(&self, asked: &Asked) -> Answer {
        let Ok(Some(answer)) = self.hear(asked) else { return Answer::Deny };
        self.desk.keep(answer, asked);
        answer
    }

    fn hear(&self, asked: &Asked) -> io::Result<Option<Answer>> {
        let mut waiting = self.desk.connect()?.ask(asked, self.seconds)?;
        let end = Instant::now() + Duration::from_secs(u64::from(self.seconds));
        while Instant::now() < end && !self.is_over.load(Ordering::Relaxed) {
            match waiting.hear(PULSE)? {
                Some(Heard::Answer { answer, .. }) => return Ok(Some(answer)),
                Some(Heard::Nobody(_) | Heard::Silence) => break,
                None => {}
            }
        }
        Ok(None)
    }
}

impl Desk {
    fn of(setup: &Setup) -> Self {
        match &setup.policy.broker {
            Some(socket) => Self::Guard(PathBuf::from(socket.as_str())),
            None => Self::Own { socket: Broker::of(&setup.guard).socket, books: setup.guard.clone() },
        }
    }

    fn connect(&self) -> io::Result<Client> {
        match self {
            Self::Guard(socket) => Client::connect_to_guard(socket),
            Self::Own { socket, .. } => Client::connect(socket),
        }
    }

    /// What cannot be kept is asked again.
    fn keep(&self, answer: Answer, asked: &Asked) {
        if let Self::Own { books, .. } = self {
            let _ = Local::open(books).map(|books| books.keep(answer, asked));
        }
    }
}
