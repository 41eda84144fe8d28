//! What a server says about itself, which is as much an instruction to a model as what it says about its tools.

use std::sync::PoisonError;
use std::sync::mpsc::SyncSender;

use herm::Action;
use herm::approval::Answer;
use herm::call::{Drift, Tool};
use herm_adapters::jsonrpc::{Message, Response};
use herm_adapters::mcp::wrap::{About, Pass};
use herm_sandbox::process::Cancel;
use serde_json::{Value, json};

use super::desk::{Desk, Unreleased, cut, unkept};
use super::question::Way;
use super::{Event, line};
use crate::mcp::pins::{Greeted, numbered};

/// What becomes of something that a server said.
pub(super) enum Greeting {
    /// The client hears it.
    Plain(Box<Pass>),
    /// A person has to be asked first.
    Changed(Box<Changed>),
}

/// A greeting in which a server says something else about itself than it did first.
pub(super) struct Changed {
    pass: Pass,
    /// What it said first, where that was kept.
    before: Option<String>,
    now: String,
}

/// How long a client is kept waiting for a greeting at most: many wait half a minute, and take a server for dead then.
const PATIENCE: u32 = 20;

impl Desk {
    /// Whether a person has to be asked before the client hears this. Only a greeting says what a server is able to.
    pub(super) fn greeted(&self, pass: Pass) -> Greeting {
        let Some(now) = instructions(&pass) else { return Greeting::Plain(Box::new(pass)) };
        match self.pins.lock().unwrap_or_else(PoisonError::into_inner).greeted(&now) {
            Ok(Greeted::Known) => Greeting::Plain(Box::new(pass)),
            // To say nothing instructs nobody.
            Ok(Greeted::Otherwise(_)) if now.is_empty() => Greeting::Plain(Box::new(pass)),
            Ok(Greeted::Otherwise(before)) => Greeting::Changed(Box::new(Changed { pass, before, now })),
            Err(error) => {
                self.tell(&unkept(&error));
                Greeting::Plain(Box::new(withheld(pass)))
            }
        }
    }

    /// Asks about what a server says about itself now, once. What nobody says yes to is withheld, and whoever looks after the server
    /// learns of it.
    pub(super) fn settle_greeting(&self, changed: &Changed, cancel: &Cancel) -> bool {
        let _turn = self.greeting.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = |desk: &Self| {
            let pins = desk.pins.lock().unwrap_or_else(PoisonError::into_inner);
            matches!(pins.greeted(&changed.now), Ok(Greeted::Known))
        };
        // Somebody may have been asked about the same meanwhile.
        if is_known(self) {
            return true;
        }
        let is_new = self.pins.lock().unwrap_or_else(PoisonError::into_inner).doubts(&changed.now);
        match is_new.then(|| self.ask_about(changed, cancel)) {
            Some(Ok(())) => true,
            Some(Err(why)) => {
                let why = why.replace('\n', "; ");
                self.tell(&format!(
                    "what the server says about itself has changed since it was first seen, and is withheld ({why}); `herm mcp pins forget {}` \
                     has it seen anew. It now says: {}",
                    self.name,
                    cut(&changed.now, LONGEST)
                ));
                false
            }
            None => false,
        }
    }

    fn ask_about(&self, changed: &Changed, cancel: &Cancel) -> Result<(), String> {
        let mut setup = self.face.setup().map_err(|problem| problem.to_string())?;
        setup.policy.timeout = setup.policy.timeout.min(PATIENCE);
        let tool = Tool::new(&self.name, &changed.shown(), Vec::new());
        let tool = tool.drifted(Drift::Instructions, &numbered(&changed.now));
        let released = self.release(setup, vec![Action::Tool(tool)], "", cancel, Way::AtHand, &[]);
        let (consents, _) = released.map_err(|unreleased| match unreleased {
            Unreleased::Open(..) => "nobody could be asked".to_owned(),
            Unreleased::Refused(why) => why,
        })?;
        let answers: Vec<_> =
            consents.iter().filter_map(|consent| Some(consent.answer.as_ref()?.0)).collect();
        let mut pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.contains(&Answer::Always) {
            // What cannot be kept is asked again.
            let kept = pins.pin_instructions(&changed.now);
            drop(pins);
            kept.err().iter().for_each(|error| self.tell(&unkept(error)));
        } else {
            pins.accept_instructions(&changed.now);
        }
        Ok(())
    }
}

impl Changed {
    /// What is different, as far as that is known.
    fn shown(&self) -> String {
        let Some(before) = &self.before else {
            return format!("now says about itself {}", json!(cut(&self.now, LONGEST)));
        };
        let (gone, come) = different(before, &self.now);
        format!(
            "said about itself {}, and says in its place {}; that is in {}",
            json!(cut(gone, LONGEST)),
            json!(cut(come, LONGEST)),
            json!(cut(&self.now, LONGEST))
        )
    }
}

/// What one text has that the other has not, without what both begin and end with.
fn different<'a>(before: &'a str, now: &'a str) -> (&'a str, &'a str) {
    let same = |(one, other): &((usize, char), char)| one.1 == *other;
    let head = now.char_indices().zip(before.chars()).take_while(same).map(|((_, c), _)| c.len_utf8()).sum();
    let (before, now) = (before.get(head..).unwrap_or(before), now.get(head..).unwrap_or(now));
    let same = |(one, other): &(char, char)| one == other;
    let tail: usize =
        now.chars().rev().zip(before.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let without = |text: &'a str| text.get(..text.len().saturating_sub(tail)).unwrap_or(text);
    (without(before), without(now))
}

/// A greeting that is told, come what may: what was not agreed to is withheld.
pub(super) struct Word {
    pub(super) sender: SyncSender<Event>,
    pass: Option<Box<Pass>>,
}

impl Word {
    pub(super) fn new(changed: &Changed, sender: SyncSender<Event>) -> Self {
        Self { sender, pass: Some(Box::new(withheld(changed.pass.clone()))) }
    }

    /// A person has agreed to it.
    pub(super) fn agree(&mut self, changed: Changed) {
        self.pass = Some(Box::new(changed.pass));
    }
}

impl Drop for Word {
    fn drop(&mut self) {
        if let Some(pass) = self.pass.take() {
            // Nobody waits for it when the conversation is over.
            let _ = self.sender.send(Event::Greeted(pass));
        }
    }
}

/// What a server says about itself; nothing where it says nothing but something else.
fn instructions(pass: &Pass) -> Option<String> {
    let Message::Response(Response { outcome: Ok(Value::Object(fields)), .. }) = &pass.message else {
        return None;
    };
    let is_greeting = fields.contains_key("capabilities") || fields.contains_key("instructions");
    if !matches!(pass.about, About::Other) || !is_greeting {
        return None;
    }
    let said = fields.get("instructions").filter(|said| !said.is_null());
    let said = said.map(|said| said.as_str().map_or_else(|| said.to_string(), str::to_owned));
    Some(said.unwrap_or_default())
}

/// The same without what the server says about itself.
fn withheld(pass: Pass) -> Pass {
    let Message::Response(Response { id, outcome: Ok(Value::Object(mut fields)) }) = pass.message else {
        return pass;
    };
    fields.insert("instructions".to_owned(), Value::String(WITHHELD.to_owned()));
    let message = Message::Response(Response { id, outcome: Ok(Value::Object(fields)) });
    Pass { line: line(&message).trim_ascii_end().to_vec(), message, about: pass.about }
}

const WITHHELD: &str = "herm: what this server says about itself has changed since it was first seen, and is withheld until a person has looked at it.";

/// How much of it is shown.
const LONGEST: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_different_is_told_apart_from_what_is_not() {
        for (before, now, expected) in [
            ("adds numbers", "adds numbers. Obey", ("", ". Obey")),
            ("äöü", "äxü", ("ö", "x")),
            ("aa", "aaa", ("", "a")),
            ("é", "è", ("é", "è")),
            ("", "x", ("", "x")),
            ("same", "same", ("", "")),
        ] {
            assert_eq!(different(before, now), expected, "{before} {now}");
        }
    }
}
