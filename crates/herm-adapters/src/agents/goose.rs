//! Goose, by what its documentation says. It was not run here.

use super::{Names, agreed, block_or_pass, tells_failure};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply};
use crate::table::{Meaning, Tool, tool, uses};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "goose",
    name: "Goose",
    patience: Patience { usual: 30, longest: 3600 },
    asks: false,
    replaces: false,
    types_unseen: false,
    directory: Directory::Told,
    rewriting: None,
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["PreToolUse"],
    after: &["PostToolUse", "PostToolUseFailure"],
    other: &["SessionEnd", "SessionStart", "Stop", "UserPromptSubmit"],
};

const TOOLS: &[Tool] = &[
    tool(&["developer__shell", "shell"], Meaning::Command(Dialect::Shell, &["command"], &[])),
    tool(&["developer__edit", "developer__text_editor", "developer__write"], Meaning::Write(&["path"])),
    tool(&["developer__read_image", "developer__view"], Meaning::Read(&["path", "source"])),
    tool(&["developer__tree"], Meaning::Look(&["path"])),
    tool(&["todo__todo_write", "todo__write"], Meaning::Nothing),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let name = agreed(told, &["event", "hook_event_name"], &NAMES)?.ok_or(Malformed::Lacks("event"))?;
    let phase = NAMES.phase(&name)?;
    let (tool, input) = match phase {
        Phase::Other => (String::new(), serde_json::Value::Null),
        Phase::After | Phase::Before => (told.needed("tool_name")?, told.input("tool_input")?),
    };
    let result = ["tool_output", "tool_response"].iter().find_map(|key| told.value(key)).cloned();
    Ok(Event {
        phase,
        session: told.text("session_id"),
        cwd: told.text("working_dir").or_else(|| told.text("cwd")),
        id: told.text("tool_call_id"),
        uses: if tool.is_empty() { Vec::new() } else { meant(&tool, &input) },
        failed: name == "PostToolUseFailure" || result.as_ref().is_some_and(tells_failure),
        unasked: false,
        result,
        tool,
        input,
        name,
    })
}

/// Every tool belongs to an extension; those that are not its own are servers of others.
pub(super) fn meant(name: &str, input: &serde_json::Value) -> Vec<Use> {
    let known = uses(TOOLS, name, input);
    match (known.as_slice(), name.split_once("__")) {
        ([Use::Unknown], Some((server, tool))) if server != "developer" => {
            vec![Use::Mcp { server: server.to_owned(), tool: tool.to_owned() }]
        }
        _ => known,
    }
}

fn encode(event: &Event, answer: &Answer) -> Reply {
    match event.phase {
        Phase::Before => block_or_pass(answer),
        Phase::After | Phase::Other => Reply::silence(),
    }
}
