//! Tool calls that an editor was told of, and whether anybody was asked about them.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::permission::merged;
use super::tool::Tool;

/// The tool calls of all sessions.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    calls: HashMap<(String, String), Seen>,
    /// Files that were decided about, a session each.
    files: HashSet<(String, String)>,
}

#[derive(Debug)]
struct Seen {
    told: Value,
    is_guarded: bool,
    is_told: bool,
}

/// How many are remembered.
const MOST: usize = 4096;

impl Sightings {
    /// Notes what is said of a call. It is handed back when it is over and nobody was asked about it.
    pub(super) fn see(&mut self, session: &str, id: &str, told: &Value, is_over: bool) -> Option<Tool> {
        let key = (session.to_owned(), id.to_owned());
        if !self.calls.contains_key(&key) && self.calls.len() >= MOST {
            // What is forgotten is counted as never asked about, should it be heard of again.
            self.calls.clear();
        }
        let fresh =
            || Seen { told: Value::Object(serde_json::Map::default()), is_guarded: false, is_told: false };
        let seen = self.calls.entry(key).or_insert_with(fresh);
        seen.told = merged(std::mem::take(&mut seen.told), told);
        if is_over { self.report(session, id) } else { None }
    }

    /// What was said of a call so far.
    pub(super) fn told(&self, session: &str, id: &str) -> Option<Value> {
        self.calls.get(&(session.to_owned(), id.to_owned())).map(|seen| seen.told.clone())
    }

    /// Somebody was asked about it, or it runs here.
    pub(super) fn guard(&mut self, session: &str, id: &str) {
        if let Some(seen) = self.calls.get_mut(&(session.to_owned(), id.to_owned())) {
            seen.is_guarded = true;
        } else if self.calls.len() < MOST {
            let seen =
                Seen { told: Value::Object(serde_json::Map::default()), is_guarded: true, is_told: false };
            self.calls.insert((session.to_owned(), id.to_owned()), seen);
        }
    }

    /// A file of a session was decided about.
    pub(super) fn touch(&mut self, session: &str, path: &str) {
        if self.files.len() < MOST {
            self.files.insert((session.to_owned(), path.to_owned()));
        }
    }

    /// A turn is over: whatever of it nobody was asked about is handed back.
    pub(super) fn turn_over(&mut self, session: &str) -> Vec<Tool> {
        let ids: Vec<_> =
            self.calls.keys().filter(|(other, _)| other == session).map(|(_, id)| id.clone()).collect();
        let unasked = ids.iter().filter_map(|id| self.report(session, id)).collect();
        self.calls.retain(|(other, _), _| other != session);
        self.files.retain(|(other, _)| other != session);
        unasked
    }

    fn report(&mut self, session: &str, id: &str) -> Option<Tool> {
        let seen = self.calls.get_mut(&(session.to_owned(), id.to_owned()))?;
        if seen.is_guarded || std::mem::replace(&mut seen.is_told, true) {
            return None;
        }
        let tool = Tool::read(&seen.told)?;
        let decided = |path: &String| self.files.contains(&(session.to_owned(), path.clone()));
        let by_us = !tool.locations.is_empty() && tool.locations.iter().all(decided);
        (!by_us).then_some(tool)
    }
}
