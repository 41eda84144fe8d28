//! Knows what a call is about to make, and what it moves.

use std::path::Path;
use std::time::SystemTime;

use herm::Facts;
use herm_shell::place::Extent;
use herm_shell::world::{Standing, World};
use herm_shell::{Effect, Flags, PathTarget, Realm, Target, Verb};
use serde_json::{Value, json};

use super::thing::Thing;
use super::tmux;

/// What a call is about to make where nothing stands so far, and what it moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Intention {
    /// Files and directories.
    paths: Vec<String>,
    /// Sessions of tmux, by name.
    sessions: Vec<String>,
    /// Places that something may be moved into.
    moves: Vec<String>,
}

/// The most of each that a record names.
const MOST: usize = 32;

/// Everything: what is moved nobody knows where.
const ANYWHERE: &str = "/";

impl Intention {
    /// What a call comes to, by what is known of it, in the world as it is before.
    pub(crate) fn of(facts: &Facts, world: &dyn World) -> Self {
        let here = || facts.shell.effects.iter().filter(|effect| effect.realm == Realm::Here);
        let paths = here().filter_map(exact).filter_map(|path| first_new(&path.path, world));
        let sessions = here().filter_map(opened);
        let filled = here().filter(|effect| is_filled(effect, facts));
        let mut moves = list(filled.map(|effect| place(effect).to_owned()));
        if moves.len() == MOST {
            moves = vec![ANYWHERE.to_owned()];
        }
        Self { paths: list(paths), sessions: list(sessions), moves }
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What of it stands there now, if it was made since that moment.
    pub(crate) fn made_since(&self, moment: SystemTime) -> Vec<Thing> {
        let paths = self.paths.iter().filter_map(|path| Thing::at(Path::new(path)));
        let sessions = if self.sessions.is_empty() { Vec::new() } else { tmux::sessions() };
        let opened = sessions.into_iter().filter(|session| self.sessions.contains(&session.name));
        paths.chain(opened.map(Thing::Session)).filter(|thing| thing.is_made_since(moment)).collect()
    }

    /// As a record has it, with secrets taken out.
    pub(crate) fn to_json(&self, redact: &dyn Fn(&str) -> String) -> Value {
        let texts = |texts: &[String]| texts.iter().map(|text| redact(text)).collect::<Vec<_>>();
        json!({ "paths": texts(&self.paths), "sessions": texts(&self.sessions), "moves": texts(&self.moves) })
    }

    /// What a record says. What cannot be read moves everything.
    pub(super) fn read(value: &Value) -> Self {
        let texts = |name: &str| {
            let items = value.get(name)?.as_array()?;
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        };
        let moves = texts("moves").unwrap_or_else(|| vec![ANYWHERE.to_owned()]);
        Self {
            paths: texts("paths").unwrap_or_default(),
            sessions: texts("sessions").unwrap_or_default(),
            moves,
        }
    }

    /// Whether it may move something into a path, or into what lies below it.
    pub(super) fn may_move_into(&self, path: &str) -> bool {
        self.moves
            .iter()
            .any(|moved| Path::new(moved).starts_with(path) || Path::new(path).starts_with(moved))
    }

    #[cfg(test)]
    pub(super) fn moving(place: &str) -> Self {
        Self { moves: vec![place.to_owned()], ..Self::default() }
    }
}

fn list(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for text in texts {
        if list.len() < MOST && !list.contains(&text) {
            list.push(text);
        }
    }
    list
}

/// The one path that an effect writes.
fn exact(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    let is_one = path.extent == Extent::Exact && path.path.starts_with('/');
    (effect.verb == Verb::Write && !effect.privileged && is_one).then_some(path)
}

/// The first directory on the way to a path that is not there, or the path itself; nothing where that is there, or where a link leads there.
fn first_new(path: &str, world: &dyn World) -> Option<String> {
    let is_new = |path: &str| world.standing(path) == Some(Standing::Absent);
    if !is_new(path) || world.resolve(path).is_some() {
        return None;
    }
    let ends = path.match_indices('/').map(|(end, _)| end).filter(|end| *end > 0);
    let first = ends.filter_map(|end| path.get(..end)).find(|above| is_new(above));
    Some(first.unwrap_or(path).to_owned())
}

/// The session of tmux that an effect opens, at the usual server.
fn opened(effect: &Effect) -> Option<String> {
    let Target::Named("own terminal", name) = &effect.target else { return None };
    // Behind a blank there would be a name at a server that has one.
    let session =
        name.strip_prefix("tmux ").filter(|session| !session.is_empty() && !session.contains(' '))?;
    (effect.verb == Verb::Configure && !effect.privileged).then(|| session.to_owned())
}

/// Whether something may come into a place that was elsewhere before: by a move, a link or a mount.
fn is_filled(effect: &Effect, facts: &Facts) -> bool {
    let moves = |other: &Effect| {
        other.verb == Verb::Delete && other.flags.has(Flags::MOVE) && other.invocation == effect.invocation
    };
    let is_written = effect.verb == Verb::Write && facts.shell.effects.iter().any(moves);
    is_written || matches!(effect.verb, Verb::Link | Verb::Mount)
}

/// The place that is filled; anywhere, where that is not known.
fn place(effect: &Effect) -> &str {
    match &effect.target {
        Target::Path(path) if path.path.starts_with('/') && path.extent == Extent::Exact => &path.path,
        Target::Path(_)
        | Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::Named(..)
        | Target::None
        | Target::Process(_) => ANYWHERE,
    }
}
