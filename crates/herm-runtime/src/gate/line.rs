//! Questions about connections, asked at a broker while the command goes on.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use herm::approval::Answer;

use crate::asked::Asked;
use crate::books::{Books as _, Local};
use crate::broker::Desk;
use crate::people::Heard;
use crate::setup::Setup;

/// The way to whoever watches the broker.
#[derive(Debug)]
pub(super) struct Line {
    desk: Desk,
    seconds: u32,
    is_over: Arc<AtomicBool>,
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
        self.keep(answer, asked);
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

    /// What cannot be kept is asked again. A guard keeps what follows itself.
    fn keep(&self, answer: Answer, asked: &Asked) {
        if let Desk::Own(broker) = &self.desk {
            let _ = Local::open(&broker.guard).map(|books| books.keep(answer, asked));
        }
    }
}
