//! What agents tell of the commands that they were handed.

use std::path::Path;
use std::time::SystemTime;

use herm_adapters::{Agent, Event, Use};
use herm_store::Store;
use serde_json::Value;

use super::text::Wording;
use super::{OUT_OF_REACH, Ticket};
use crate::{environment, incoming};

/// The commands that a hook hands its agent, by which it knows them again.
#[derive(Clone, Copy, Debug)]
pub struct Handed<'a> {
    /// Whose hook it is.
    pub agent: Agent,
    /// The program that redeems tickets.
    pub herm: Option<&'a Path>,
    /// Where it keeps its files.
    pub guard: &'a Path,
}

impl Handed<'_> {
    /// How they read; nothing where none can be handed.
    pub(super) fn wording(&self) -> Option<Wording> {
        let usual = environment::own_home().map(|own| own.join(".herm"));
        let elsewhere = Some(self.guard).filter(|guard| usual.as_deref() != Some(guard));
        Wording::new(self.herm?.to_str()?, elsewhere, self.agent.keeps()?)
    }

    /// The event as it was before this hook put another command in the place of the model's. Only what stands before a ticket of the session
    /// that could still be redeemed is what was handed out; everything else stays as it is.
    ///
    /// # Errors
    /// When what is known of tickets cannot be looked up.
    pub fn asked_about(&self, event: Event) -> Result<Event, herm_store::Error> {
        let found = self.known(&event, Standing::Open)?;
        Ok(restored(event, &found))
    }

    /// The same after the tool has run; and whether herm could not be where the agent ran it.
    ///
    /// # Errors
    /// When what became of a ticket cannot be looked up.
    pub fn over(&self, event: Event) -> Result<(Event, bool), herm_store::Error> {
        let found = self.known(&event, Standing::Any)?;
        // That nobody came for a ticket is no sign: it may have been stopped, or told by somebody who wants it so.
        let is_told = event.result.as_ref().is_some_and(tells);
        let mut missed = false;
        if is_told && !found.is_empty() {
            let store = Store::open(self.guard)?;
            for one in &found {
                missed |= store.tickets()?.is_missed(&one.secret, SystemTime::now())?;
            }
        }
        Ok((restored(event, &found), missed))
    }

    /// The commands of an event that were handed out in its session.
    fn known(&self, event: &Event, standing: Standing) -> Result<Vec<Known>, herm_store::Error> {
        let Some(wording) = self.wording() else { return Ok(Vec::new()) };
        let candidates: Vec<_> = commands(event)
            .filter_map(|text| wording.unwrapped(text).map(|(secret, original)| (text, secret, original)))
            .collect();
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let store = Store::open(self.guard)?;
        if !store.has_database()? {
            return Ok(Vec::new());
        }
        let session = incoming::session(self.agent, event).0;
        let mut known = Vec::new();
        for (text, secret, original) in candidates {
            let kept = match standing {
                Standing::Any => store.tickets()?.find(secret)?,
                Standing::Open => store.tickets()?.standing(secret, SystemTime::now())?,
            };
            let ticket =
                kept.filter(|kept| kept.session == session).and_then(|kept| Ticket::read(&kept.terms));
            if ticket.is_some_and(|ticket| ticket.text == original) {
                let [text, secret, original] = [text, secret, original].map(str::to_owned);
                known.push(Known { text, secret, original });
            }
        }
        Ok(known)
    }
}

/// Which tickets count.
#[derive(Clone, Copy, Debug)]
enum Standing {
    /// All of them, whatever became of them.
    Any,
    /// Those that could be redeemed.
    Open,
}

/// A command that was handed out.
#[derive(Debug)]
struct Known {
    text: String,
    secret: String,
    original: String,
}

fn restored(event: Event, known: &[Known]) -> Event {
    event.restored(|text| known.iter().find(|one| one.text == text).map(|one| one.original.clone()))
}

/// Whether a result says what herm says where it cannot be.
fn tells(result: &Value) -> bool {
    match result {
        Value::Array(items) => items.iter().any(tells),
        Value::Object(fields) => fields.values().any(tells),
        Value::String(text) => text.contains(OUT_OF_REACH),
        Value::Bool(_) | Value::Null | Value::Number(_) => false,
    }
}

fn commands(event: &Event) -> impl Iterator<Item = &str> {
    event.uses.iter().filter_map(|one| match one {
        Use::Command { text, .. } => Some(text.as_str()),
        Use::Delegate(_)
        | Use::Fetch(_)
        | Use::Mcp { .. }
        | Use::Program { .. }
        | Use::Read(_)
        | Use::Skill { .. }
        | Use::Unknown
        | Use::Write(_) => None,
    })
}
