//! A server of tools: who calls what, who is asked, who is answered.
//!
//! Every call is an [`Errand`] with a thread of its own, so that nobody who is waited for keeps anything else from being said. What is done for
//! a call is not known here.

mod errand;
mod question;
mod seal;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use herm_adapters::jsonrpc::{Failure, INTERNAL, INVALID_PARAMS, INVALID_REQUEST, Id, Message, Response};
use herm_adapters::mcp::serve::{Call, Outcome, Server, Step, refusal};
use herm_sandbox::process::Cancel;

use crate::ancestry;
use crate::companion::{Heard, Speaker};
use seal::Seal;

pub use errand::Errand;
pub use question::Question;

/// What is done for a call.
pub trait Hands: Sync {
    /// Does it. Whoever calls it off says so by the errand.
    fn work(&self, errand: &Arc<Errand>) -> Outcome;
}

/// How many calls are served at once.
const MOST: usize = 64;

/// What is said where an answer would not be told from another one.
const TAKEN: &str = "a request with this id is under way already";

/// How often it is looked whether herm is to stop.
const PULSE: Duration = Duration::from_millis(50);

/// How long a client may take to hear what was said last.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Serves a client until it has gone, or herm is to stop. What runs then is ended.
///
/// # Errors
/// When there is no randomness for what a client has to come back with.
pub fn serve(
    version: &'static str,
    heard: &Receiver<Heard>,
    speaker: &Speaker,
    stop: &Cancel,
    hands: &dyn Hands,
) -> io::Result<()> {
    // What runs here is known by the name of the process, which is that of this thread.
    ancestry::become_runner();
    let office = Office::new(speaker.clone())?;
    let mut server = Server::new(version);
    thread::scope(|scope| {
        while !stop.is_cancelled() && !office.is_unheard() {
            match heard.recv_timeout(PULSE) {
                Ok(Heard::Line(line)) => office.hear(scope, &mut server, &line, hands),
                Ok(Heard::TooLong) => office.say(&too_long()),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Heard::Over(_)) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        office.close();
    });
    // A client that has gone does not hear it.
    speaker.settle(LAST_WORDS);
    Ok(())
}

fn too_long() -> Message {
    let failure = Failure::new(INVALID_REQUEST, "the message is too long");
    Message::Response(Response { id: None, outcome: Err(failure) })
}

/// Where everything about one client is known.
#[derive(Debug)]
struct Office {
    speaker: Speaker,
    seal: Seal,
    desk: Mutex<Desk>,
    /// Whether the client does not listen any more: it would wait for ever for what it was not told.
    is_unheard: AtomicBool,
}

/// What is under way.
#[derive(Debug, Default)]
struct Desk {
    /// The calls that wait for an answer, by what that is known by.
    calls: HashMap<Id, Arc<Errand>>,
    /// The calls of which a client has to come back, by what it comes back with.
    away: HashMap<String, Arc<Errand>>,
    /// The questions that wait for the client, by what its answer is known by.
    questions: HashMap<Id, question::Ear>,
    asked: u64,
}

impl Office {
    fn new(speaker: Speaker) -> io::Result<Arc<Self>> {
        Ok(Arc::new(Self {
            speaker,
            seal: Seal::new()?,
            desk: Mutex::default(),
            is_unheard: AtomicBool::new(false),
        }))
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, message: &Message) {
        if self.speaker.say(&message.line()).is_err() {
            self.is_unheard.store(true, Ordering::Relaxed);
        }
    }

    fn is_unheard(&self) -> bool {
        self.is_unheard.load(Ordering::Relaxed)
    }

    fn refuse(&self, id: Id, code: i64, why: &str) {
        self.say(&refusal(id, Failure::new(code, why)));
    }

    fn hear<'scope>(
        self: &Arc<Self>,
        scope: &'scope Scope<'scope, '_>,
        server: &mut Server,
        line: &[u8],
        hands: &'scope dyn Hands,
    ) {
        let message = match Message::read(line) {
            Ok(message) => message,
            Err(malformed) => return self.say(&malformed.answer()),
        };
        match server.hear(message) {
            Step::Answered(response) => self.answered(response),
            Step::Call(call) if call.state.is_some() => self.come_back(&call),
            Step::Call(call) => self.begin(scope, *call, hands),
            Step::CalledOff(id) => self.call_off(&id),
            Step::Nothing => {}
            Step::Say(message) => self.say(&message),
        }
    }

    /// Begins a call, on a thread of its own.
    fn begin<'scope>(
        self: &Arc<Self>,
        scope: &'scope Scope<'scope, '_>,
        call: Call,
        hands: &'scope dyn Hands,
    ) {
        let id = call.id.clone();
        let errand = match Errand::new(call, self) {
            Ok(errand) => Arc::new(errand),
            Err(error) => return self.refuse(id, INTERNAL, &format!("it cannot be begun: {error}")),
        };
        {
            let mut desk = self.desk();
            if desk.calls.contains_key(&id) {
                drop(desk);
                return self.refuse(id, INVALID_REQUEST, TAKEN);
            }
            if desk.calls.len() + desk.away.len() >= MOST {
                // Who has not come back by now is not waited for.
                desk.away.retain(|_, errand| !errand.is_over());
            }
            if desk.calls.len() + desk.away.len() >= MOST {
                drop(desk);
                return self.refuse(id, INTERNAL, "too many calls are under way already");
            }
            desk.calls.insert(id.clone(), Arc::clone(&errand));
        }
        let office = Arc::clone(self);
        let begun = thread::Builder::new().name("errand".to_owned()).spawn_scoped(scope, move || {
            let outcome = hands.work(&errand);
            office.end(&errand, outcome);
        });
        if let Err(error) = begun {
            self.desk().calls.remove(&id);
            self.refuse(id, INTERNAL, &format!("it cannot be begun: {error}"));
        }
    }

    /// Answers whoever waits for a call. Nobody waits for one that was called off, and where the client is asking its person, it will come back.
    fn end(&self, errand: &Arc<Errand>, outcome: Outcome) {
        let mut desk = self.desk();
        let Some(id) = errand.leave(outcome.clone()) else { return };
        desk.calls.remove(&id);
        desk.away.retain(|_, other| !Arc::ptr_eq(other, errand));
        drop(desk);
        if !errand.cancel().is_cancelled() {
            self.say(&outcome.message(id, errand.age()));
        }
    }

    /// A client has asked its person, and asks for the same again.
    fn come_back(self: &Arc<Self>, call: &Call) {
        let state = call.state.as_deref().unwrap_or_default();
        let id = call.id.clone();
        if self.desk().calls.contains_key(&id) {
            return self.refuse(id, INVALID_REQUEST, TAKEN);
        }
        let errand = self.seal.open(state, &call.text).and_then(|name| self.desk().away.remove(&name));
        let Some(errand) = errand else {
            return self.refuse(
                id,
                INVALID_PARAMS,
                "`requestState` does not belong to this call, or was used or is over",
            );
        };
        self.desk().calls.insert(id.clone(), Arc::clone(&errand));
        let ended = errand.seat(call);
        if let Some(outcome) = ended {
            self.desk().calls.remove(&id);
            self.say(&outcome.message(id, errand.age()));
        }
    }

    fn call_off(&self, id: &Id) {
        if let Some(errand) = self.desk().calls.get(id) {
            errand.cancel().cancel();
        }
    }

    /// The client has answered a question.
    fn answered(&self, response: Response) {
        let ear = response.id.and_then(|id| self.desk().questions.remove(&id));
        if let Some(ear) = ear {
            ear.hear(response.outcome.as_ref().ok());
        }
    }

    /// The client has gone: nobody waits for anything any more.
    fn close(&self) {
        let mut desk = self.desk();
        desk.calls.values().chain(desk.away.values()).for_each(|errand| errand.cancel().cancel());
        desk.questions.clear();
    }
}
