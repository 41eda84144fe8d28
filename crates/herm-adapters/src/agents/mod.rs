//! The agents, one file each: what their tools mean, what their hooks are told, what they understand.

pub(crate) mod claude_code;
pub(crate) mod cline;
pub(crate) mod codex;
pub(crate) mod copilot;
pub(crate) mod cursor;
#[cfg(test)]
mod examples;
pub(crate) mod gemini;
pub(crate) mod goose;
pub(crate) mod hermes;
pub(crate) mod opencode;
pub(crate) mod pi;
#[cfg(test)]
mod tests;
pub(crate) mod windsurf;

use serde_json::Value;

use crate::agent::Agent;
use crate::event::{Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply};
use crate::table::{mcp, uses};

/// What a tool of an agent means, where somebody else than its hook is told of it.
pub(crate) fn meant(agent: Agent, name: &str, input: &Value) -> Vec<Use> {
    if let Some(call) = mcp(name) {
        return vec![call];
    }
    match agent {
        Agent::ClaudeCode => claude_code::meant(name, input),
        Agent::Cline => cline::meant(name, input),
        Agent::Codex => codex::meant(name, input),
        Agent::Copilot => copilot::meant(name, input),
        Agent::Cursor => cursor::meant(name, input),
        Agent::Gemini => uses(gemini::TOOLS, name, input),
        Agent::Goose => goose::meant(name, input),
        Agent::Hermes => hermes::meant(name, input),
        Agent::OpenCode => uses(opencode::TOOLS, name, input),
        Agent::Pi => uses(pi::TOOLS, name, input).into_iter().flat_map(pi::with_opened).collect(),
        Agent::Windsurf => uses(windsurf::TOOLS, name, input),
    }
}

/// The names of an agent's events.
#[derive(Clone, Copy, Debug)]
struct Names {
    before: &'static [&'static str],
    after: &'static [&'static str],
    other: &'static [&'static str],
}

impl Names {
    fn phase(&self, name: &str) -> Result<Phase, Malformed> {
        let phases = [(self.before, Phase::Before), (self.after, Phase::After), (self.other, Phase::Other)];
        let found = phases.iter().find(|(names, _)| names.contains(&name));
        found.map(|(_, phase)| *phase).ok_or_else(|| Malformed::Strange(name.to_owned()))
    }
}

/// The name of an event that may be told in several places: all of them must mean the same moment.
fn agreed(told: Fields<'_>, keys: &[&'static str], names: &Names) -> Result<Option<String>, Malformed> {
    let mut found: Option<String> = None;
    for &key in keys {
        let Some(name) = told.text(key) else { continue };
        match &found {
            Some(first) if names.phase(first)? != names.phase(&name)? => {
                return Err(Malformed::Contradicts(key));
            }
            Some(_) => {}
            None => found = Some(name),
        }
    }
    Ok(found)
}

/// An event in the words that most agents took over from one another: `tool_name`, `tool_input`, `session_id`, `cwd`.
fn usual(
    told: Fields<'_>,
    names: &Names,
    uses: impl FnOnce(&str, &Value, Fields<'_>) -> Vec<Use>,
) -> Result<Event, Malformed> {
    let name = told.needed("hook_event_name")?;
    let phase = names.phase(&name)?;
    let (tool, input) = match phase {
        Phase::After | Phase::Before => (told.needed("tool_name")?, told.input("tool_input")?),
        Phase::Other => (String::new(), Value::Null),
    };
    Ok(Event {
        phase,
        session: told.text("session_id"),
        cwd: told.text("cwd"),
        id: told.text("tool_use_id"),
        uses: if tool.is_empty() { Vec::new() } else { uses(&tool, &input, told) },
        result: told.value("tool_response").cloned(),
        failed: told.value("tool_response").is_some_and(tells_failure),
        unasked: false,
        tool,
        input,
        name,
    })
}

/// Whether a result says that the tool failed.
fn tells_failure(result: &Value) -> bool {
    let Some(fields) = Fields::of(result) else { return false };
    let is = |key: &str, wanted: bool| fields.value(key).and_then(Value::as_bool) == Some(wanted);
    let code = ["exit_code", "exitCode", "returncode"].iter().find_map(|key| fields.value(key)?.as_i64());
    let erred = fields.value("error").is_some_and(|error| error.as_str().is_none_or(|text| !text.is_empty()));
    is("is_error", true)
        || is("isError", true)
        || is("success", false)
        || code.is_some_and(|c| c != 0)
        || erred
}

/// What agents understand that can do nothing but block.
fn block_or_pass(answer: &Answer) -> Reply {
    match answer {
        Answer::Ask(reason) | Answer::Refuse(reason) => Reply::block(reason),
        Answer::Approve | Answer::Pass | Answer::Replace(..) | Answer::Rewrite { .. } | Answer::Warn(_) => {
            Reply::silence()
        }
    }
}
