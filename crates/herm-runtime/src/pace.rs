//! Whether an agent goes round in circles: what its hooks tell, kept from one call to the next.

use std::path::Path;

use herm::Engine;
use herm::call::{Action, SessionId};
use herm::pace::{Advice, Ending, Kind, Pace, Seen};
use herm_adapters::{Agent, Event, Use};
use herm_store::pace::Pace as Kept;
use herm_store::{Digest, Error};
use serde_json::Value;

use crate::incoming;
use crate::setup::Setup;
use crate::world::{LocalWorld, Variables};

/// Why a call must not be made; nothing when it may go on.
///
/// # Errors
/// When what is known of the session cannot be looked up.
pub fn before(home: &Path, session: &SessionId, event: &Event) -> Result<Option<String>, Error> {
    begin(home, session, &event.tool, &event.input)
}

/// The same for a tool by its name, and what it is given.
pub(crate) fn begin(
    home: &Path,
    session: &SessionId,
    tool: &str,
    input: &Value,
) -> Result<Option<String>, Error> {
    let Some(kept) = Kept::find(home, &session.0)? else { return Ok(None) };
    let mut pace = Pace::from_text(kept.text());
    let advice = pace.before(number(tool.as_bytes()), call(tool, input));
    kept.keep(&pace.to_text())?;
    Ok(advice.words())
}

/// Takes in what became of a call. What comes back is for the model.
///
/// # Errors
/// When what is known of the session cannot be kept.
pub fn after(setup: &Setup, agent: Agent, event: &Event) -> Result<Option<String>, Error> {
    let Some(kind) = kind(setup, agent, event) else { return Ok(None) };
    let ending = match event.failed {
        true => Ending::Failed,
        false if agent.tells_endings() => Ending::Succeeded,
        false => Ending::Untold,
    };
    let made = Made { tool: &event.tool, input: &event.input, result: event.result.as_ref(), ending };
    end(&setup.guard, &incoming::session(agent, event), &made, kind)
}

/// A call that was made, and what came of it.
pub(crate) struct Made<'a> {
    pub(crate) tool: &'a str,
    pub(crate) input: &'a Value,
    pub(crate) result: Option<&'a Value>,
    pub(crate) ending: Ending,
}

/// The same for a call of a kind that is known.
pub(crate) fn end(
    home: &Path,
    session: &SessionId,
    made: &Made<'_>,
    kind: Kind,
) -> Result<Option<String>, Error> {
    let kept = Kept::of(home, &session.0)?;
    let mut pace = Pace::from_text(kept.text());
    let advice = pace.after(&Seen {
        tool: number(made.tool.as_bytes()),
        call: call(made.tool, made.input),
        result: made.result.map_or(0, |result| number(result.to_string().as_bytes())),
        kind,
        ending: made.ending,
    });
    kept.keep(&pace.to_text())?;
    Ok(match advice {
        Advice::Go | Advice::Stop(..) => None,
        Advice::Warn(..) => advice.words(),
    })
}

/// A person has spoken: everything begins anew.
///
/// # Errors
/// When that cannot be kept.
pub fn turn(home: &Path, session: &SessionId) -> Result<(), Error> {
    match Kept::find(home, &session.0)? {
        Some(kept) => kept.keep(""),
        None => Ok(()),
    }
}

/// What kind of call it was; nothing for what touches nothing.
fn kind(setup: &Setup, agent: Agent, event: &Event) -> Option<Kind> {
    let looks = |one: &Use| matches!(one, Use::Fetch(_) | Use::Read(_));
    let runs = |one: &Use| matches!(one, Use::Command { .. } | Use::Program { .. });
    if event.uses.is_empty() {
        None
    } else if event.uses.iter().all(looks) {
        Some(Kind::Idempotent)
    } else if event.uses.iter().all(runs) && !changes(setup, agent, event) {
        Some(Kind::Waiting)
    } else {
        Some(Kind::Mutating)
    }
}

/// Whether its commands change anything, as far as they can be read.
fn changes(setup: &Setup, agent: Agent, event: &Event) -> bool {
    let Ok(calls) = incoming::calls(setup, agent, event) else { return true };
    let engine = Engine::new(setup.policy.clone());
    let world = LocalWorld { variables: Variables::Inherited };
    let commands = calls.iter().filter(|call| matches!(call.action, Action::Exec(_)));
    commands.map(|call| engine.check(call, &world)).any(|ruling| ruling.facts.may_change_something())
}

/// A tool with what it is given.
fn call(tool: &str, input: &Value) -> u64 {
    number(format!("{tool}\0{input}").as_bytes())
}

/// A number for a text; two texts with the same one are as good as never met.
pub(crate) fn number(text: &[u8]) -> u64 {
    let digest = Digest::of(text).to_string();
    digest.get(..16).and_then(|head| u64::from_str_radix(head, 16).ok()).unwrap_or_default()
}
