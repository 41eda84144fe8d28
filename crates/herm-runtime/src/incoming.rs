//! What an agent tells its hook, as calls that can be decided about.

use herm::call::{Call, CallId, Door, Exec, SessionId, Tool};
use herm::fetch::Fetch;
use herm::path::NotAbsolute;
use herm::{AbsPath, Action};
use herm_adapters::{Agent, Dialect, Event, Use};
use herm_shell::place::resolve;
use herm_shell::{Input, Lang, Places, Value};
use herm_store::Digest;
use serde_json::Value as Given;

use crate::setup::Setup;

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
    let deeds = event.uses.iter().flat_map(|one| deeds(one, event));
    let elsewhere = event.uses.iter().filter(|_| !told).filter_map(|one| elsewhere(setup, one));
    deeds
        .chain(elsewhere)
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
fn elsewhere(setup: &Setup, one: &Use) -> Option<(Action, Option<String>)> {
    let (path, action): (_, fn(String) -> Action) = match one {
        Use::Read(path) => (path, Action::Read),
        Use::Write(path) => (path, Action::Write),
        Use::Command { .. } | Use::Fetch(_) | Use::Mcp { .. } | Use::Program { .. } | Use::Unknown => {
            return None;
        }
    };
    let known =
        Places::SHELL_STARTUP | Places::PERSISTENCE | Places::GUARD | Places::SSH | Places::CREDENTIAL;
    let is_relative = !path.starts_with(['/', '~']);
    let home = setup.home.as_str();
    let is_known = || resolve(&Value::literal(path), Some(home), home).places.any(known);
    (is_relative && is_known()).then(|| (action(path.clone()), Some(home.to_owned())))
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
    let (mut given, mut commands) = (Vec::new(), Vec::new());
    texts(&event.input, &mut given);
    run(&event.input, &mut commands);
    let commands = commands.into_iter().map(Action::Exec);
    let tool = Action::Tool(Tool::new(name, &event.input.to_string(), given));
    commands.chain([tool]).map(|action| (action, None)).collect()
}

/// Under which keys tools are given commands.
const COMMANDS: &[&str] = &["cmd", "command", "script"];

/// What in a value, however deep, is given as a command: a text, the words of a program, or a program beside its arguments.
fn run(value: &Given, found: &mut Vec<Exec>) {
    match value {
        Given::Array(items) => items.iter().for_each(|item| run(item, found)),
        Given::Object(fields) => {
            let arguments = ["args", "arguments", "argv"].iter().find_map(|key| words(fields.get(*key)?));
            for (key, field) in fields {
                match (COMMANDS.contains(&key.as_str()), field) {
                    (true, Given::String(text)) => {
                        found.push(Exec::new(text, Lang::Shell));
                        let whole = arguments.iter().map(|rest| [std::slice::from_ref(text), rest].concat());
                        found.extend(whole.map(Exec::program));
                    }
                    (true, Given::Array(_)) => found.extend(words(field).map(Exec::program)),
                    (_, _) => {}
                }
                run(field, found);
            }
        }
        Given::Bool(_) | Given::Null | Given::Number(_) | Given::String(_) => {}
    }
}

/// A list of words.
fn words(value: &Given) -> Option<Vec<String>> {
    let words = value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
    words.collect::<Option<Vec<_>>>().filter(|words| !words.is_empty())
}

/// The texts in a value. How deep it is was bounded when it was read.
fn texts(value: &Given, found: &mut Vec<String>) {
    match value {
        Given::String(text) => found.push(text.clone()),
        Given::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Given::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        Given::Bool(_) | Given::Null | Given::Number(_) => {}
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
