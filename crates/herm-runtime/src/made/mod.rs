//! Knows what a session has made, as its receipts show it: files, directories, sessions of tmux.
//!
//! 1. Before a call, its record names what it is about to make where nothing stands so far: its `Intention`.
//! 2. After it, another record says what stands there now: a `Thing`, by the numbers that the machine gave it and the moment when it was made.
//! 3. A later call of the session may delete that or type there without a question, while it is still that very thing and nothing was moved into it.
//!
//! Whatever no receipt shows is somebody else's: where the ledger cannot be read, where the record is too far back, where a guard keeps it, and where
//! the machine does not tell when something was made, everything is asked about as ever.

mod intention;
mod receipts;
mod thing;
mod tmux;

use herm::call::{Action, Call};
use herm_adapters::{Agent, Event};
use herm_store::{Error, Kind, Ledger, Store};
use serde_json::{Value, json};

pub(crate) use intention::Intention;
pub(crate) use receipts::of_session;
pub(crate) use thing::Thing;

use crate::setup::{self, Setup};
use crate::stream::Secrets;
use crate::{incoming, record};

/// Records what the calls of a tool have made, once it ran. What cannot be recorded is asked about later.
///
/// # Errors
/// When the ledger cannot be read or written.
pub fn after(setup: &Setup, agent: Agent, event: &Event) -> Result<(), Error> {
    let mut calls = incoming::calls(setup, agent, event).unwrap_or_default();
    calls.retain(|call| matches!(call.action, Action::Edit(_) | Action::Exec(_) | Action::Write(_)));
    if setup.policy.broker.is_some() || calls.is_empty() {
        return Ok(());
    }
    let store = Store::open(&setup.guard)?;
    let ledger = store.ledger()?;
    let secrets = setup::held(&setup.guard).ok().flatten().unwrap_or_default();
    calls.iter().try_for_each(|call| add(ledger, call, &Secrets(&secrets)))
}

/// Adds what a call has made to its receipt.
fn add(ledger: &Ledger, call: &Call, secrets: &Secrets<'_>) -> Result<(), Error> {
    let action = record::action(&call.action, &|text| secrets.redactor().redact(text));
    let Some((receipt, at, intention)) = receipts::intended(ledger, &call.session.0, &action)? else {
        return Ok(());
    };
    let made = intention.made_since(at);
    if made.is_empty() {
        return Ok(());
    }
    let body = json!({ "session": call.session.0, "made": to_json(&made) });
    ledger.append_soon(Kind::Note, &receipt, body)
}

/// The things as a record has them.
pub(crate) fn to_json(things: &[Thing]) -> Value {
    things.iter().map(Thing::to_json).collect()
}
