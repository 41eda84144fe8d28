//! Calls that take several rounds, because a person is asked several things, or because their server wants something first.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use herm::approval::Answer;
use serde_json::Value;

use super::seal::Bound;

/// Answers, each with the question that it belongs to.
pub(super) type Answers = Vec<(String, Answer)>;

/// What is remembered from one round to the next.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// What was answered about a call before it was sent back with the next question, by what it was sent back with.
    earlier: Mutex<Vec<(String, Answers)>>,
    /// Calls that a person said yes to, and whose server wants something first.
    unfinished: Mutex<Vec<Unfinished>>,
}

#[derive(Debug)]
struct Unfinished {
    since: Instant,
    question: String,
    name: String,
    arguments: Value,
}

/// How long a server waits for what it wants.
const WANTED: Duration = Duration::from_mins(10);

/// How many of each are remembered.
const MOST: usize = 64;

impl Rounds {
    /// Keeps what was answered before the question that a call is sent back with.
    pub(super) fn keep(&self, state: &str, answers: Answers) {
        push(&mut self.earlier.lock().unwrap_or_else(PoisonError::into_inner), (state.to_owned(), answers));
    }

    /// What was answered before; only once.
    pub(super) fn earlier(&self, state: &str) -> Answers {
        let mut earlier = self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
        let at = earlier.iter().position(|(known, _)| known == state);
        at.map(|at| earlier.remove(at).1).unwrap_or_default()
    }

    /// The server wants something before it goes on with a call: the very same call, made again with it, is not asked about a second
    /// time.
    pub(super) fn goes_on(&self, question: &str, call: Bound<'_>) {
        let one = Unfinished {
            since: Instant::now(),
            question: question.to_owned(),
            name: call.name.to_owned(),
            arguments: call.arguments.clone(),
        };
        push(&mut self.unfinished.lock().unwrap_or_else(PoisonError::into_inner), one);
    }

    /// The question that was answered for a call that is made again because its server wanted something; only once.
    pub(super) fn resumed(&self, call: Bound<'_>) -> Option<String> {
        let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.retain(|one| one.since.elapsed() < WANTED);
        let at =
            unfinished.iter().position(|one| one.name == call.name && one.arguments == *call.arguments)?;
        Some(unfinished.remove(at).question)
    }
}

/// Of too many the oldest is forgotten.
fn push<T>(list: &mut Vec<T>, one: T) {
    if list.len() >= MOST {
        list.remove(0);
    }
    list.push(one);
}
