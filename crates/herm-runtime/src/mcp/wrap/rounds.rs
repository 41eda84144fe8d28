//! Calls that take several rounds, because a person is asked several things, or because their server wants something first.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_store::Digest;
use serde_json::Value;

use super::seal::Bound;

/// Answers, each with the question that it belongs to.
pub(super) type Answers = Vec<(String, Answer)>;

/// How a call came to be passed on: what was answered, and what is recorded of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// What a person said yes to through the client.
    pub(super) answers: Answers,
    /// What was judged of each deed that is recorded as released.
    pub(super) recorded: Vec<Digest>,
}

/// What is remembered from one round to the next.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// What was answered about a call before it was sent back with the next question, by what it was sent back with.
    earlier: Mutex<Vec<(String, Answers)>>,
    /// Calls that their server has, by what the client knows them by.
    sent: Mutex<Vec<(String, Passed)>>,
    /// Calls that their server wants something for before it goes on.
    unfinished: Mutex<Vec<Unfinished>>,
}

/// A call that its server wants something for, and what it gave the client to come back with.
#[derive(Debug)]
struct Unfinished {
    since: Instant,
    name: String,
    arguments: Value,
    state: Value,
    passed: Passed,
}

/// How long a server waits for what it wants.
const WANTED: Duration = Duration::from_mins(10);

/// How many of each are remembered.
const MOST: usize = 64;

impl Rounds {
    /// Keeps what was answered before the question that a call is sent back with.
    pub(super) fn keep(&self, state: &str, answers: Answers) {
        push(&mut lock(&self.earlier), (state.to_owned(), answers));
    }

    /// What was answered before; only once.
    pub(super) fn earlier(&self, state: &str) -> Answers {
        let mut earlier = lock(&self.earlier);
        let at = earlier.iter().position(|(known, _)| known == state);
        at.map(|at| earlier.remove(at).1).unwrap_or_default()
    }

    /// A call is passed on to its server.
    pub(super) fn sent(&self, id: &str, passed: Passed) {
        let mut sent = lock(&self.sent);
        sent.retain(|(known, _)| known != id);
        push(&mut sent, (id.to_owned(), passed));
    }

    /// The server has answered a call: how that came to be passed on.
    pub(super) fn answered(&self, id: &str) -> Option<Passed> {
        let mut sent = lock(&self.sent);
        let at = sent.iter().position(|(known, _)| known == id)?;
        Some(sent.remove(at).1)
    }

    /// The server wants something before it goes on with a call: the very same call, made again with it, is neither asked about nor
    /// recorded a second time.
    pub(super) fn goes_on(&self, call: Bound<'_>, state: &Value, passed: Passed) {
        let one = Unfinished {
            since: Instant::now(),
            name: call.name.to_owned(),
            arguments: call.arguments.clone(),
            state: state.clone(),
            passed,
        };
        push(&mut lock(&self.unfinished), one);
    }

    /// How a call came to be passed on before that is made again because its server wanted something; only once, and only with what
    /// the server gave the client to come back with.
    pub(super) fn resumed(&self, call: Bound<'_>, state: &Value) -> Option<Passed> {
        let mut unfinished = lock(&self.unfinished);
        unfinished.retain(|one| one.since.elapsed() < WANTED);
        let is_it = |one: &Unfinished| {
            one.name == call.name && one.arguments == *call.arguments && one.state == *state
        };
        let at = unfinished.iter().position(is_it)?;
        Some(unfinished.remove(at).passed)
    }
}

fn lock<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Of too many the oldest is forgotten.
fn push<T>(list: &mut Vec<T>, one: T) {
    if list.len() >= MOST {
        list.remove(0);
    }
    list.push(one);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_goes_on_once_and_only_with_what_its_server_gave() {
        let rounds = Rounds::default();
        let (arguments, theirs) = (json!({"n": 1}), json!("theirs"));
        let call = Bound { name: "t", arguments: &arguments };
        let passed =
            Passed { answers: vec![("q".to_owned(), Answer::Once)], recorded: vec![Digest::of(b"d")] };
        rounds.sent("1", passed.clone());
        assert_eq!(rounds.answered("2"), None);
        rounds.goes_on(call, &theirs, rounds.answered("1").unwrap());
        assert_eq!(rounds.answered("1"), None);
        assert_eq!(rounds.resumed(call, &Value::Null), None, "it is made anew");
        let other = json!({"n": 2});
        assert_eq!(rounds.resumed(Bound { arguments: &other, ..call }, &theirs), None);
        assert_eq!(rounds.resumed(call, &theirs), Some(passed));
        assert_eq!(rounds.resumed(call, &theirs), None);
    }

    #[test]
    fn only_so_much_is_remembered() {
        let rounds = Rounds::default();
        for id in 0..=MOST {
            rounds.sent(&id.to_string(), Passed::default());
            rounds.sent(&id.to_string(), Passed::default());
        }
        assert_eq!(rounds.answered("0"), None);
        assert_eq!(rounds.answered(&MOST.to_string()), Some(Passed::default()));
        assert_eq!(rounds.answered(&MOST.to_string()), None);
    }
}
