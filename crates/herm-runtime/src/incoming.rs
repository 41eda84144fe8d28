//! What an agent tells its hook, as calls that can be decided about.

use herm::call::{Call, CallId, Door, Exec, SessionId, Tool};
use herm::fetch::Fetch;
use herm::path::NotAbsolute;
use herm::{AbsPath, Action};
use herm_adapters::{Agent, Dialect, Event, Use};
use herm_shell::{Input, Lang};
use herm_store::Digest;
use serde_json::Value;

use crate::setup::Setup;

/// The calls that a tool of an agent comes to. All of them must be allowed.
///
/// # Errors
/// When a directory that is named cannot be one.
pub fn calls(setup: &Setup, agent: Agent, event: &Event) -> Result<Vec<Call>, NotAbsolute> {
    let here = directory(setup, &setup.cwd, event.cwd.as_deref())?;
    let deeds = event.uses.iter().flat_map(|one| deeds(one, event));
    deeds
        .map(|(action, place)| {
            let action = if agent.types_unseen() { fed(action) } else { action };
            Ok(Call {
                id: CallId(event.id.clone().unwrap_or_default()),
                door: Door::Hook,
                session: session(agent, event),
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

/// What one use comes to, and where.
fn deeds(one: &Use, event: &Event) -> Vec<(Action, Option<String>)> {
    match one {
        Use::Command { text, dialect, cwd } => {
            vec![(Action::Exec(Exec::new(text, language(*dialect))), cwd.clone())]
        }
        Use::Fetch(link) => vec![(Action::Fetch(Fetch::url(link)), None)],
        Use::Mcp { server, tool } => unknown(&format!("{server}/{tool}"), event),
        Use::Program { words, cwd } => vec![(Action::Exec(Exec::program(words.clone())), cwd.clone())],
        Use::Read(path) => vec![(Action::Read(path.clone()), None)],
        Use::Unknown => unknown(&event.tool, event),
        Use::Write(path) => vec![(Action::Write(path.clone()), None)],
    }
}

/// A tool that nobody here knows. What it is given as a command is judged as one besides.
fn unknown(name: &str, event: &Event) -> Vec<(Action, Option<String>)> {
    let mut given = Vec::new();
    texts(&event.input, &mut given);
    let commands = COMMANDS.iter().filter_map(|key| event.input.get(key)?.as_str());
    let commands = commands.map(|text| Action::Exec(Exec::new(text, Lang::Shell)));
    let tool = Action::Tool(Tool::new(name, &event.input.to_string(), given));
    commands.chain([tool]).map(|action| (action, None)).collect()
}

/// Under which keys tools are given commands.
const COMMANDS: &[&str] = &["cmd", "command", "script"];

/// The texts in a value. How deep it is was bounded when it was read.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        Value::Bool(_) | Value::Null | Value::Number(_) => {}
    }
}

const fn language(dialect: Dialect) -> Lang {
    match dialect {
        Dialect::JavaScript => Lang::JavaScript,
        Dialect::PowerShell => Lang::PowerShell,
        Dialect::Python => Lang::Python,
        Dialect::Shell => Lang::Shell,
    }
}
