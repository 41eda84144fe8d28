//! One call, from when it comes in until it is answered.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use herm_adapters::jsonrpc::{Id, Message, Request};
use herm_adapters::mcp::serve::{Age, Call, Form, Level, Misused, Outcome, State, Tool, news};
use herm_sandbox::process::Cancel;
use serde_json::Value;

use super::question::{Asked, Ear, Question};
use super::{Office, Seal};

/// One call, from when it comes in until it is answered.
#[derive(Debug)]
pub struct Errand {
    call: Call,
    cancel: Cancel,
    office: Arc<Office>,
    seat: Mutex<Seat>,
}

/// Who waits for it.
#[derive(Debug)]
struct Seat {
    /// What the answer will be known by; nothing while the client asks its person.
    id: Option<Id>,
    /// Where the client's person is heard.
    ear: Option<Ear>,
    /// What came of it, while nobody waits.
    outcome: Option<Outcome>,
    /// What news are known by, if they are wanted.
    progress: Option<Value>,
    /// How much news there were.
    news: u64,
}

/// How long past its time a client may come back, to hear what came of it.
const SLACK: Duration = Duration::from_mins(10);

impl Errand {
    pub(super) fn new(call: Call, office: &Arc<Office>) -> io::Result<Self> {
        let (id, progress) = (Some(call.id.clone()), call.progress.clone());
        let seat = Seat { id, ear: None, outcome: None, progress, news: 0 };
        Ok(Self { call, cancel: Cancel::new()?, office: Arc::clone(office), seat: Mutex::new(seat) })
    }

    fn seated(&self) -> MutexGuard<'_, Seat> {
        self.seat.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is called, and with what.
    ///
    /// # Errors
    /// When it is called in a way that nobody understands.
    pub fn tool(&self) -> Result<&Tool, &Misused> {
        self.call.tool.as_ref()
    }

    /// What it is named.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.call.id {
            Id::Number(number) => number.to_string(),
            Id::Text(text) => text.clone(),
        }
    }

    /// What calls it off.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    pub(super) fn age(&self) -> Age {
        self.call.client.age
    }

    /// Whether the client shows questions to a person.
    #[must_use]
    pub fn can_ask(&self) -> bool {
        self.call.client.shows_forms
    }

    /// Has the client ask its person, for about this long.
    #[must_use]
    pub fn ask(self: &Arc<Self>, form: Form, time: Duration) -> Question {
        match self.age() {
            Age::Older => self.ask_alone(form),
            Age::Newer => self.ask_instead(form, time),
        }
    }

    fn ask_alone(&self, form: Form) -> Question {
        let params = form.params();
        let (ear, chosen) = Ear::of(form);
        let id = {
            let mut desk = self.office.desk();
            desk.asked += 1;
            let id = Id::Text(format!("herm-{}", desk.asked));
            desk.questions.insert(id.clone(), ear);
            id
        };
        let request =
            Request { id: id.clone(), method: "elicitation/create".to_owned(), params: Some(params) };
        self.office.say(&Message::Request(request));
        Question { chosen, asked: Asked::Alone(Arc::clone(&self.office), id) }
    }

    /// Answers with the question. Where nobody waits for an answer, nobody can be asked.
    fn ask_instead(self: &Arc<Self>, form: Form, time: Duration) -> Question {
        let (ear, chosen) = Ear::of(form.clone());
        let mut desk = self.office.desk();
        let mut seat = self.seated();
        let (Some(id), Ok(name)) = (seat.id.clone(), Seal::name()) else {
            return Question { chosen, asked: Asked::Never };
        };
        let sealed = self.office.seal.close(&name, &self.call.text, time + SLACK);
        seat.id = None;
        seat.ear = Some(ear);
        drop(seat);
        desk.calls.remove(&id);
        desk.away.insert(name, Arc::clone(self));
        drop(desk);
        self.office.say(&State { form, sealed }.message(id));
        Question { chosen, asked: Asked::Instead(Arc::clone(self)) }
    }

    /// The client has come back: what it found out is heard, and it waits for the answer. Where it was given already, that is it.
    pub(super) fn seat(&self, call: &Call) -> Option<Outcome> {
        let mut seat = self.seated();
        if let Some(ear) = seat.ear.take() {
            ear.hear(State::answer(&call.answers));
        }
        if let Some(outcome) = seat.outcome.take() {
            return Some(outcome);
        }
        (seat.id, seat.progress) = (Some(call.id.clone()), call.progress.clone());
        None
    }

    /// Whether it is done, and nobody has come back for it.
    pub(super) fn is_over(&self) -> bool {
        self.seated().outcome.is_some()
    }

    /// It is done. Where nobody waits for that, it is kept until somebody does.
    pub(super) fn leave(&self, outcome: Outcome) -> Option<Id> {
        let mut seat = self.seated();
        if seat.id.is_none() {
            seat.outcome = Some(outcome);
        }
        seat.id.take()
    }

    pub(super) fn forget_question(&self) {
        self.seated().ear = None;
    }

    /// Tells how far it is, where somebody wants to know.
    pub fn news(&self, text: &str) {
        let mut seat = self.seated();
        let Some(token) = seat.progress.clone().filter(|_| seat.id.is_some()) else { return };
        seat.news += 1;
        let news = news(&token, seat.news, text);
        drop(seat);
        self.office.say(&news);
    }

    /// Tells something beside the answer, where somebody wants to know.
    pub fn remark(&self, level: Level, text: &str) {
        self.call.remark(level, text).iter().for_each(|remark| self.office.say(remark));
    }
}
