//! Tool calls that an editor was told of, and whether anybody was asked about them.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::permission::merged;
use super::tool::Tool;
use super::update::End;

/// The tool calls of all sessions.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    calls: HashMap<(String, String), Seen>,
    /// Files that were decided about, a session each.
    files: HashSet<(String, String)>,
    /// Commands that were decided about, a session each.
    commands: HashSet<(String, String)>,
}

#[derive(Debug)]
struct Seen {
    told: Value,
    guard: Guard,
    is_told: bool,
}

/// How a tool call was decided about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Guard {
    /// Somebody was asked, or it runs here.
    Asked,
    /// Nobody was asked.
    #[default]
    None,
    /// It was refused.
    Refused,
}

impl Seen {
    fn new(guard: Guard) -> Self {
        Self { told: Value::Object(serde_json::Map::default()), guard, is_told: false }
    }
}

/// How many are remembered.
const MOST: usize = 4096;

impl Sightings {
    /// Notes what is said of a call. It is handed back when it is over and nobody was asked about it, or it was refused.
    pub(super) fn see(&mut self, session: &str, id: &str, told: &Value, end: Option<End>) -> Option<Tool> {
        let key = (session.to_owned(), id.to_owned());
        if !self.calls.contains_key(&key) && self.calls.len() >= MOST {
            // What is forgotten is counted as never asked about, should it be heard of again.
            self.calls.clear();
        }
        let seen = self.calls.entry(key).or_insert_with(|| Seen::new(Guard::None));
        seen.told = merged(std::mem::take(&mut seen.told), told);
        self.report(session, id, end?)
    }

    /// What was said of a call so far.
    pub(super) fn told(&self, session: &str, id: &str) -> Option<Value> {
        self.calls.get(&(session.to_owned(), id.to_owned())).map(|seen| seen.told.clone())
    }

    /// Somebody was asked about it, or it runs here.
    pub(super) fn guard(&mut self, session: &str, id: &str) {
        self.mark(session, id, Guard::Asked);
    }

    /// It was refused. If the agent does it all the same, that is to be known.
    pub(super) fn refuse(&mut self, session: &str, id: &str) {
        self.mark(session, id, Guard::Refused);
    }

    fn mark(&mut self, session: &str, id: &str, guard: Guard) {
        let key = (session.to_owned(), id.to_owned());
        if let Some(seen) = self.calls.get_mut(&key) {
            seen.guard = guard;
        } else if self.calls.len() < MOST {
            self.calls.insert(key, Seen::new(guard));
        }
    }

    /// A file of a session was decided about.
    pub(super) fn touch(&mut self, session: &str, path: &str) {
        if self.files.len() < MOST {
            self.files.insert((session.to_owned(), path.to_owned()));
        }
    }

    /// A command of a session was decided about.
    pub(super) fn command(&mut self, session: &str, text: &str) {
        if self.commands.len() < MOST {
            self.commands.insert((session.to_owned(), text.to_owned()));
        }
    }

    /// A turn is over: whatever of it nobody was asked about is handed back.
    pub(super) fn turn_over(&mut self, session: &str) -> Vec<Tool> {
        let ids: Vec<_> =
            self.calls.keys().filter(|(other, _)| other == session).map(|(_, id)| id.clone()).collect();
        let unasked = ids.iter().filter_map(|id| self.report(session, id, End::Failed)).collect();
        self.calls.retain(|(other, _), _| other != session);
        self.files.retain(|(other, _)| other != session);
        self.commands.retain(|(other, _)| other != session);
        unasked
    }

    fn report(&mut self, session: &str, id: &str, end: End) -> Option<Tool> {
        let seen = self.calls.get_mut(&(session.to_owned(), id.to_owned()))?;
        let is_fine = match (seen.guard, end) {
            (Guard::Asked, _) | (Guard::Refused, End::Failed) => true,
            (Guard::None, _) | (Guard::Refused, End::Completed) => false,
        };
        if is_fine || std::mem::replace(&mut seen.is_told, true) {
            return None;
        }
        let is_refused = seen.guard == Guard::Refused;
        let tool = Tool::read(&seen.told)?;
        let decided = |path: &String| self.files.contains(&(session.to_owned(), path.clone()));
        let by_us = !tool.locations.is_empty() && tool.locations.iter().all(decided);
        let is_known = !is_refused && (by_us || self.is_asked_elsewhere(session, &tool));
        (!is_known).then_some(tool)
    }

    /// Some agents ask about a command under another name than they run it, and tell it in the title alone.
    fn is_asked_elsewhere(&self, session: &str, tool: &Tool) -> bool {
        let mut asked = self.commands.iter().filter(|(other, _)| other == session);
        !tool.is_given_anything() && asked.any(|(_, text)| tool.title.ends_with(text.as_str()))
    }
}
