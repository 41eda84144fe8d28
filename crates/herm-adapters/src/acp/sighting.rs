//! Tool calls that an editor was told of, and whether all that they do was decided about.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value};

use super::permission::{Permission, merged};
use super::print::{Ground, Print};
use super::tool::Tool;
use super::update::End;
use crate::event::Use;

/// The tool calls of all sessions.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    calls: HashMap<Key, Seen>,
    /// The same, the oldest first.
    order: VecDeque<Key>,
    /// What all that is kept weighs.
    weight: usize,
    /// What was done by the editor or in terminals of ours, a session each.
    done: HashSet<(Print, Print)>,
    /// What had to be forgotten while nobody was asked about it.
    forgotten: Vec<(String, Tool)>,
}

/// A session and a call of it.
type Key = (Print, Print);

#[derive(Debug)]
struct Seen {
    /// As it was said.
    session: String,
    told: Value,
    weight: usize,
    /// What somebody was asked about.
    asked: HashSet<Print>,
    /// Whether that was refused.
    is_refused: bool,
    /// Whether the editor was told what it is called.
    is_shown: bool,
    end: Option<End>,
    /// What was handed back already.
    reported: Option<Print>,
}

/// How many are remembered.
const MOST: usize = 4096;

/// How many things that a call was asked about are remembered. A call that does more is counted as never asked about.
const MOST_ASKED: usize = 64;

/// What all that is remembered may weigh.
const HEAVIEST: usize = 32 << 20;

/// What of a call tells what it does.
const TELLING: &[&str] =
    &["_meta", "content", "kind", "locations", "name", "rawInput", "title", "toolCallId"];

impl Sightings {
    /// Notes what is said of a call. It is handed back when it is over and does what nobody was asked about, or what was refused.
    pub(super) fn see(
        &mut self,
        (session, id): (&str, &str),
        told: &Value,
        end: Option<End>,
        ground: Ground<'_>,
    ) -> Option<Tool> {
        let key = self.tell((session, id), told);
        let seen = self.calls.get_mut(&key)?;
        seen.is_shown |= told.get("title").is_some_and(Value::is_string);
        seen.end = end.or(seen.end);
        let tool = end.and_then(|end| self.report(key, end, ground));
        self.make_room(ground);
        tool
    }

    /// What was said of a call so far.
    pub(super) fn told(&self, session: &str, id: &str) -> Option<Value> {
        self.calls.get(&key(session, id)).map(|seen| seen.told.clone())
    }

    /// Whether the editor knows a call.
    pub(super) fn is_shown(&self, session: &str, id: &str) -> bool {
        self.calls.get(&key(session, id)).is_some_and(|seen| seen.is_shown)
    }

    /// Somebody is asked about a call as it was told so far.
    pub(super) fn guard(&mut self, permission: &Permission, ground: Ground<'_>) {
        let told = permission.params.get("toolCall").unwrap_or(&Value::Null);
        let key = self.tell((&permission.session, &permission.tool.id), told);
        if let Some(seen) = self.calls.get_mut(&key) {
            if std::mem::take(&mut seen.is_refused) {
                seen.asked.clear();
            }
            let room = MOST_ASKED.saturating_sub(seen.asked.len());
            seen.asked.extend(ground.prints(&permission.tool).into_iter().take(room));
        }
        self.make_room(ground);
    }

    /// It was refused. If the agent does it all the same, that is to be known.
    pub(super) fn refuse(&mut self, session: &str, id: &str) {
        if let Some(seen) = self.calls.get_mut(&key(session, id)) {
            seen.is_refused = true;
        }
    }

    /// This is done by the editor, or in a terminal of ours.
    pub(super) fn does(&mut self, session: &str, prints: impl IntoIterator<Item = Print>) {
        let room = MOST.saturating_sub(self.done.len());
        let session = Print::of(session);
        self.done.extend(prints.into_iter().take(room).map(|print| (session, print)));
    }

    /// A turn is over: whatever of it nobody was asked about is handed back.
    pub(super) fn turn_over(&mut self, session: &str, ground: Ground<'_>) -> Vec<Tool> {
        let session = Print::of(session);
        let keys: Vec<_> = self.order.iter().filter(|(other, _)| *other == session).copied().collect();
        let end = |seen: &Seen| seen.end.unwrap_or(End::Failed);
        let unasked = keys.iter().filter_map(|key| {
            let end = self.calls.get(key).map(end)?;
            self.report(*key, end, ground)
        });
        let unasked = unasked.collect();
        for key in keys {
            self.forget(key);
        }
        self.order.retain(|(other, _)| *other != session);
        self.done.retain(|(other, _)| *other != session);
        unasked
    }

    /// What had to be forgotten since this was called last, and the session of each.
    pub(super) fn take_forgotten(&mut self) -> Vec<(String, Tool)> {
        std::mem::take(&mut self.forgotten)
    }

    fn tell(&mut self, (session, id): (&str, &str), told: &Value) -> Key {
        let key = key(session, id);
        let seen = self.calls.entry(key).or_insert_with(|| {
            self.order.push_back(key);
            Seen::new(session)
        });
        seen.told = merged(std::mem::take(&mut seen.told), &telling(told));
        let before = std::mem::replace(&mut seen.weight, weight(&seen.told) + session.len());
        self.weight = self.weight.saturating_sub(before) + seen.weight;
        key
    }

    fn forget(&mut self, key: Key) -> Option<Seen> {
        let seen = self.calls.remove(&key)?;
        self.weight = self.weight.saturating_sub(seen.weight);
        Some(seen)
    }

    /// Forgets the oldest. As nobody will know what becomes of them, they are counted as done.
    fn make_room(&mut self, ground: Ground<'_>) {
        while self.calls.len() > MOST || self.weight > HEAVIEST {
            let Some(oldest) = self.order.pop_front() else { return };
            let tool = self.report(oldest, End::Completed, ground);
            let forgotten = self.forget(oldest).map(|seen| seen.session);
            self.forgotten.extend(forgotten.zip(tool));
        }
    }

    /// What a call does, unless all of it was asked about or done here, or it was told before.
    fn report(&mut self, key: Key, end: End, ground: Ground<'_>) -> Option<Tool> {
        let seen = self.calls.get(&key)?;
        let tool = Tool::read(&seen.told)?;
        let prints = ground.prints(&tool);
        let is_asked = prints.iter().all(|print| seen.asked.contains(print));
        let is_known = match (seen.is_refused, end) {
            (true, End::Completed) => false,
            (true, End::Failed) => is_asked,
            (false, _) => {
                is_asked || self.is_done(key, &prints) || self.is_asked_elsewhere(key, &tool, ground)
            }
        };
        let all = Print::of_all(&prints);
        if is_known || prints.is_empty() || seen.reported == Some(all) {
            return None;
        }
        self.calls.get_mut(&key)?.reported = Some(all);
        Some(tool)
    }

    fn is_done(&self, (session, _): Key, prints: &[Print]) -> bool {
        prints.iter().all(|print| self.done.contains(&(session, *print)))
    }

    /// Some agents ask about a command under another name than they run it, and tell it in the title alone.
    fn is_asked_elsewhere(&self, (session, _): Key, tool: &Tool, ground: Ground<'_>) -> bool {
        if tool.is_given_anything() || !tool.diffs.is_empty() || !tool.locations.is_empty() {
            return false;
        }
        let print = ground.of_command(bare(&tool.title));
        let mut calls = self.calls.iter().filter(|((other, _), seen)| *other == session && !seen.is_refused);
        self.done.contains(&(session, print)) || calls.any(|(_, seen)| seen.asked.contains(&print))
    }
}

impl Seen {
    fn new(session: &str) -> Self {
        Self {
            session: session.to_owned(),
            told: Value::Object(Map::default()),
            weight: 0,
            asked: HashSet::new(),
            is_refused: false,
            is_shown: false,
            end: None,
            reported: None,
        }
    }
}

/// What the editor does to a file.
pub(super) fn touching(path: &str, is_written: bool) -> Vec<Use> {
    let written = is_written.then(|| Use::Write(path.to_owned()));
    written.into_iter().chain([Use::Read(path.to_owned())]).collect()
}

fn key(session: &str, id: &str) -> Key {
    (Print::of(session), Print::of(id))
}

/// What of all that is said tells what a call does.
fn telling(told: &Value) -> Value {
    let fields = told.as_object().into_iter().flatten();
    let kept = fields.filter(|(key, _)| TELLING.contains(&key.as_str()));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// About how many bytes something takes.
pub(super) fn weight(value: &Value) -> usize {
    let inside = match value {
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => fields.iter().map(|(key, field)| 2 * NODE + key.len() + weight(field)).sum(),
        Value::String(text) => text.len(),
        Value::Bool(_) | Value::Null | Value::Number(_) => 0,
    };
    NODE + inside
}

const NODE: usize = size_of::<Value>();

/// A command without what agents put around it in a title.
fn bare(title: &str) -> &str {
    let title = title.trim();
    let inner = title.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.or_else(|| title.strip_prefix("$ ")).unwrap_or(title)
}
