//! A question that a client shows to its person.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use herm_adapters::jsonrpc::{Id, Message, Notification};
use herm_adapters::mcp::serve::{Chosen, Form};
use serde_json::{Value, json};

use super::{Errand, Office};

/// A question that waits for its answer. Dropping it takes it back.
#[derive(Debug)]
pub struct Question {
    pub(super) chosen: Receiver<Chosen>,
    pub(super) asked: Asked,
}

/// How it was asked.
#[derive(Debug)]
pub(super) enum Asked {
    /// By a request of ours.
    Alone(Arc<Office>, Id),
    /// In the place of an answer: the client comes back.
    Instead(Arc<Errand>),
    /// Not at all.
    Never,
}

/// Where an answer is heard.
#[derive(Debug)]
pub(super) struct Ear {
    form: Form,
    say: SyncSender<Chosen>,
}

impl Ear {
    pub(super) fn of(form: Form) -> (Self, Receiver<Chosen>) {
        let (say, chosen) = sync_channel(1);
        (Self { form, say }, chosen)
    }

    /// What the client said; nothing where it could not ask.
    pub(super) fn hear(&self, result: Option<&Value>) {
        let chosen = result.map_or(Chosen::Unclear, |result| self.form.chosen(result));
        // Nobody listens any more once it is settled elsewhere.
        let _ = self.say.try_send(chosen);
    }
}

impl Question {
    /// What was chosen, within a while.
    #[must_use]
    pub fn hear(&self, time: Duration) -> Option<Chosen> {
        match self.chosen.recv_timeout(time) {
            Ok(chosen) => Some(chosen),
            Err(RecvTimeoutError::Timeout) => None,
            // It was never asked, or nobody can answer it any more.
            Err(RecvTimeoutError::Disconnected) => Some(Chosen::Unclear),
        }
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        match &self.asked {
            Asked::Alone(office, id) => {
                if office.desk().questions.remove(id).is_some() {
                    let params = Some(json!({ "requestId": number(id), "reason": "it is settled" }));
                    let method = "notifications/cancelled".to_owned();
                    office.say(&Message::Notification(Notification { method, params }));
                }
            }
            Asked::Instead(errand) => errand.forget_question(),
            Asked::Never => {}
        }
    }
}

fn number(id: &Id) -> Value {
    match id {
        Id::Number(number) => json!(number),
        Id::Text(text) => json!(text),
    }
}
