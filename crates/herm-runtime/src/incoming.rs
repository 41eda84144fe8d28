//! What an agent tells its hook, as calls that can be decided about.

mod joined;

use herm::call::{Call, CallId, Door, Exec, SessionId};
use herm::fetch::Fetch;
use herm::path::NotAbsolute;
use herm::{AbsPath, Action};
use herm_adapters::{Agent, Dialect, Event, Use};
use herm_shell::place::resolve;
use herm_shell::{Input, Lang, Places, Value};
use herm_store::Digest;
use serde_json::Value as Json;

use crate::given::{self, Direction};
use crate::setup::Setup;
use crate::skills;

/// The calls that a tool of an agent comes to. All of them must be allowed.
///
/// # Errors
/// When a directory that is named cannot be one.
pub fn calls(setup: &Setup, agent: Agent, event: &Event) -> Result<Vec<Call>, NotAbsolute> {
    calls_of(setup, Some(agent), event)
}

/// The same for an agent of which perhaps nothing is known.
pub(crate) fn calls_of(setup: &Setup, agent: Option<Agent>, event: &Event) -> Result<Vec<Call>, NotAbsolute> {
    let here = directory(setup, &setup.cwd, event.cwd.as_deref())?;
    let told = agent.is_some_and(Agent::tells_directory) && event.cwd.is_some();
    let uses = skills::opened(setup, agent, &here, &event.uses);
    let mut deeds: Vec<_> = uses.iter().flat_map(|one| deeds(setup, one, event)).collect();
    if !told {
        let elsewhere: Vec<_> = deeds.iter().filter_map(|(deed, _)| elsewhere(setup, deed)).collect();
        deeds.extend(elsewhere);
    }
    deeds
        .into_iter()
        .map(|(action, place)| {
            let action = if agent.is_none_or(Agent::types_unseen) { fed(action) } else { action };
            let is_known = told || place.as_ref().is_some_and(|place| place.starts_with(['/', '~']));
            let action = if is_known { action } else { adrift(action) };
            Ok(Call {
                id: CallId(event.id.clone().unwrap_or_default()),
                door: Door::Hook,
                session: agent.map(|agent| session(agent, event)).unwrap_or_default(),
                cwd: directory(setup, &here, place.as_deref())?,
                ..setup.call(action)
            })
        })
        .collect()
}

/// The session of an agent: its own name for it, under the agent's. One that has none is that of its terminal.
#[must_use]
pub fn session(agent: Agent, event: &Event) -> SessionId {
    let named = match &event.session {
        Some(name) if name.len() <= LONGEST_NAME => name.clone(),
        Some(name) => Digest::of(name.as_bytes()).to_string(),
        None => crate::ancestry::session(),
    };
    SessionId(format!("{}-{named}", agent.word()))
}

/// The longest name of a session that is taken as it is.
const LONGEST_NAME: usize = 100;

/// A directory relative to another.
fn directory(setup: &Setup, here: &AbsPath, named: Option<&str>) -> Result<AbsPath, NotAbsolute> {
    match named {
        None => Ok(here.clone()),
        Some("~") => Ok(setup.home.clone()),
        Some(path) if path.starts_with('/') => AbsPath::new(path),
        Some(path) => match path.strip_prefix("~/") {
            Some(rest) => AbsPath::new(&format!("{}/{rest}", setup.home)),
            None => AbsPath::new(&format!("{here}/{path}")),
        },
    }
}

/// The same for a command into which anything may be typed once it runs.
fn fed(action: Action) -> Action {
    if let Action::Exec(exec) = action { Action::Exec(exec.reading(Input::Unknown)) } else { action }
}

/// The same for a command of which nobody told where it runs.
fn adrift(action: Action) -> Action {
    if let Action::Exec(exec) = action { Action::Exec(exec.adrift()) } else { action }
}

/// A file whose name is well known in a home, where nobody told which directory it is in.
fn elsewhere(setup: &Setup, deed: &Action) -> Option<(Action, Option<String>)> {
    let (Action::Read(path) | Action::Write(path)) = deed else { return None };
    let known =
        Places::SHELL_STARTUP | Places::PERSISTENCE | Places::GUARD | Places::SSH | Places::CREDENTIAL;
    let is_relative = !path.starts_with(['/', '~']);
    let home = setup.home.as_str();
    let is_known = || resolve(&Value::literal(path), Some(home), home).places.any(known);
    (is_relative && is_known()).then(|| (deed.clone(), Some(home.to_owned())))
}

/// What one use comes to, and where.
fn deeds(setup: &Setup, one: &Use, event: &Event) -> Vec<(Action, Option<String>)> {
    match one {
        Use::Command { text, dialect, cwd } => {
            vec![(Action::Exec(Exec::new(text, language(*dialect))), cwd.clone())]
        }
        Use::Fetch(link) => vec![(Action::Fetch(Fetch::url(link)), None)],
        Use::Mcp { server, tool } => {
            called(setup, &format!("{server}/{tool}"), &event.input, Direction::of(tool, None))
        }
        Use::Program { words, cwd } => vec![(Action::Exec(Exec::program(words.clone())), cwd.clone())],
        Use::Read(path) => vec![(Action::Read(path.clone()), None)],
        // They were opened before, or nobody knows how.
        Use::Delegate(_) | Use::Skill { .. } | Use::Unknown => {
            called(setup, &event.tool, &event.input, Direction::of(&event.tool, None))
        }
        Use::Write(path) => vec![(Action::Write(path.clone()), None)],
    }
}

/// What a tool is given that is not known, under each name that it may have. Nobody said where that is done.
fn called(setup: &Setup, name: &str, input: &Json, direction: Direction) -> Vec<(Action, Option<String>)> {
    let deeds = given::deeds(given::tool(name, input), input, direction);
    let others = joined::names(&setup.policy.mcp, name).into_iter().filter(|other| other != name);
    let others = others.map(|other| Action::Tool(given::tool(&other, input)));
    deeds.into_iter().chain(others).map(|deed| (deed, None)).collect()
}

const fn language(dialect: Dialect) -> Lang {
    match dialect {
        Dialect::JavaScript => Lang::JavaScript,
        Dialect::PowerShell => Lang::PowerShell,
        Dialect::Python => Lang::Python,
        Dialect::Shell => Lang::Shell,
    }
}
