//! Who is asked while a client waits: whoever is at hand, or the client's own person.

use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_adapters::mcp::protocol;
use herm_sandbox::process::Cancel;
use herm_store::Digest;
use serde_json::Value;

use super::seal::Answered;
use super::{Event, Face};
use crate::asked::Asked;
use crate::people::{Heard, People};
use crate::setup::Setup;

/// Whoever may answer.
#[derive(Debug)]
pub(super) struct Asking<'a> {
    pub(super) face: &'a dyn Face,
    pub(super) setup: Setup,
    pub(super) cancel: &'a Cancel,
    /// Questions are asked one after the other.
    pub(super) turn: &'a Mutex<()>,
    pub(super) way: Way<'a>,
}

/// How a person is reached.
#[derive(Debug)]
pub(super) enum Way<'a> {
    /// Through whoever is at hand.
    AtHand,
    /// Through the client, while it waits.
    Client(&'a SyncSender<Event>),
    /// Through the client, which calls again with the answer.
    Later(Box<Later>),
}

/// A question that the client asks before it calls again.
#[derive(Debug, Default)]
pub(super) struct Later {
    /// All answers that it came back with so far, each for one question.
    pub(super) answered: Vec<Answered>,
    /// Those that were not needed yet.
    left: Vec<Answered>,
    /// What has to be asked.
    pub(super) open: Option<Asked>,
}

impl People for Asking<'_> {
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard {
        match &mut self.way {
            // A yes to a hook lasts.
            _ if asked.follows.is_hook() => self.at_hand(asked, seconds),
            Way::AtHand => self.at_hand(asked, seconds),
            Way::Client(events) => match through_client(events, asked, seconds, self.cancel) {
                Some(heard) => heard,
                None => self.at_hand(asked, seconds),
            },
            Way::Later(later) => later.ask(asked),
        }
    }
}

impl Asking<'_> {
    fn at_hand(&self, asked: &Asked, seconds: u32) -> Heard {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if self.cancel.is_cancelled() {
            return Heard::Nobody(CALLED_OFF.to_owned());
        }
        self.face.ask(&self.setup, self.cancel, asked, seconds)
    }
}

const CALLED_OFF: &str = "whoever asked has called it off";

/// How often it is looked whether somebody still waits.
const PULSE: Duration = Duration::from_millis(50);

/// Has the client ask its person; nothing where it cannot.
fn through_client(events: &SyncSender<Event>, asked: &Asked, seconds: u32, cancel: &Cancel) -> Option<Heard> {
    let (sender, answer) = sync_channel(1);
    events.send(Event::Ask(form(asked), sender)).ok()?;
    let end = Instant::now() + Duration::from_secs(u64::from(seconds));
    while Instant::now() < end {
        if cancel.is_cancelled() {
            return Some(Heard::Nobody(CALLED_OFF.to_owned()));
        }
        match answer.recv_timeout(PULSE) {
            Ok(Some(result)) => return Some(heard(asked, &result)),
            Ok(None) => return Some(Heard::Nobody("the client could not ask".to_owned())),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    Some(Heard::Silence)
}

impl Later {
    pub(super) fn with(answered: Vec<Answered>) -> Self {
        Self { left: answered.clone(), answered, open: None }
    }

    fn ask(&mut self, asked: &Asked) -> Heard {
        let question = Digest::of(asked.digest.as_bytes()).to_string();
        if let Some(at) = self.left.iter().position(|(answered, _)| *answered == question) {
            let (_, answer) = self.left.swap_remove(at);
            return Heard::Answer { answer, by: BY.to_owned() };
        }
        self.open = Some(asked.clone());
        Heard::Nobody("the client asks its person".to_owned())
    }
}

const BY: &str = "client";

/// What a client's person can say. A yes for ever is for people at a terminal: a client cannot show who says it.
const ANSWERS: [Answer; 3] = [Answer::Once, Answer::Session, Answer::Deny];

/// The question, as a client shows it.
pub(super) fn form(asked: &Asked) -> Value {
    let reasons: Vec<_> =
        asked.mentions.iter().map(|mention| format!("it {} [{}]", mention.reason, mention.rule)).collect();
    let command: String = asked.command.chars().take(LONGEST).collect();
    let message = format!("herm: may this be done?\n\n{command}\n\nIn {}: {}", asked.cwd, reasons.join("; "));
    let answers: Vec<_> = ANSWERS.into_iter().map(Answer::word).collect();
    protocol::form(&message, &answers)
}

/// How much of a call is shown.
const LONGEST: usize = 4000;

/// What a client's person said.
pub(super) fn answer(result: &Value) -> Option<Answer> {
    match result.get("action").and_then(Value::as_str) {
        Some("accept") => {
            let chosen = Answer::from_word(protocol::chosen(result)?)?;
            ANSWERS.contains(&chosen).then_some(chosen)
        }
        Some("decline") => Some(Answer::Deny),
        _ => None,
    }
}

fn heard(asked: &Asked, result: &Value) -> Heard {
    match answer(result).filter(|answer| asked.objection(*answer).is_none()) {
        Some(answer) => Heard::Answer { answer, by: BY.to_owned() },
        None => Heard::Nobody("the client's person gave no answer".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_but_a_clear_yes_is_one() {
        let said = |word: &str| answer(&json!({"action": "accept", "content": {"answer": word}}));
        assert_eq!(
            (said("once"), said("session"), said("deny")),
            (Some(Answer::Once), Some(Answer::Session), Some(Answer::Deny))
        );
        assert_eq!((said("always"), said("try"), said("yes"), said("")), (None, None, None, None));
        assert_eq!(answer(&json!({"action": "accept"})), None);
        assert_eq!(answer(&json!({"action": "decline"})), Some(Answer::Deny));
        assert_eq!(answer(&json!({"action": "cancel"})), None);
    }
}
