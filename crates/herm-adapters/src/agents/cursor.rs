//! Cursor, by what is written about it. It was not run here.

use serde_json::{Value, json};

use super::{Names, claude_code};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply, worded};
use crate::table::{Meaning, Tool, tool, uses};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "cursor",
    name: "Cursor",
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
    before: &[
        "beforeMCPExecution",
        "beforeReadFile",
        "beforeShellExecution",
        "beforeTabFileRead",
        "preToolUse",
    ],
    after: &[
        "afterFileEdit",
        "afterMCPExecution",
        "afterShellExecution",
        "afterTabFileEdit",
        "postToolUse",
        "postToolUseFailure",
    ],
    other: &[
        "afterAgentResponse",
        "afterAgentThought",
        "beforeSubmitPrompt",
        "preCompact",
        "sessionEnd",
        "sessionStart",
        "stop",
        "subagentStart",
        "subagentStop",
    ],
};

const TOOLS: &[Tool] = &[
    tool(&["Shell"], Meaning::Command(Dialect::Shell, &["command"], &["cwd", "working_directory"])),
    tool(&["Delete", "Edit", "Write"], Meaning::Write(&["file_path", "path"])),
    tool(&["Read"], Meaning::Read(&["file_path", "path"])),
    tool(&["Grep"], Meaning::Search(&["path"])),
    tool(&["Task"], Meaning::Nothing),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let name = told.needed("hook_event_name")?;
    let phase = NAMES.phase(&name)?;
    let (tool, input) = named(told, &name, phase)?;
    let uses = match (phase, name.as_str()) {
        (Phase::Other, _) => Vec::new(),
        (_, "beforeMCPExecution" | "afterMCPExecution") => vec![server(told, &tool)],
        _ => meant(&tool, &input),
    };
    Ok(Event {
        phase,
        session: told.text("conversation_id"),
        cwd: told.text("cwd").or_else(|| told.first("workspace_roots")),
        id: told.text("generation_id"),
        result: ["output", "result_json", "tool_output"].iter().find_map(|key| told.value(key)).cloned(),
        failed: name == "postToolUseFailure",
        unasked: false,
        uses,
        tool,
        input,
        name,
    })
}

/// Each event has a place of its own for what it is about.
fn named(told: Fields<'_>, name: &str, phase: Phase) -> Result<(String, Value), Malformed> {
    let whole = || Value::Object(told.0.clone());
    Ok(match name {
        _ if phase == Phase::Other => (String::new(), Value::Null),
        "beforeShellExecution" | "afterShellExecution" => ("Shell".to_owned(), whole()),
        "beforeReadFile" | "beforeTabFileRead" => ("Read".to_owned(), whole()),
        "afterFileEdit" | "afterTabFileEdit" => ("Edit".to_owned(), whole()),
        _ => (told.needed("tool_name")?, told.input("tool_input")?),
    })
}

fn server(told: Fields<'_>, tool: &str) -> Use {
    let server = ["server", "url", "command"].iter().find_map(|key| told.text(key)).unwrap_or_default();
    Use::Mcp { server, tool: tool.to_owned() }
}

pub(super) fn meant(name: &str, input: &Value) -> Vec<Use> {
    // Whatever a server calls its tools, none of them is one of the agent's own.
    if let Some(tool) = name.strip_prefix("MCP:") {
        return vec![Use::Mcp { server: "mcp".to_owned(), tool: tool.to_owned() }];
    }
    let ours = TOOLS.iter().any(|tool| tool.names.contains(&name));
    if ours { uses(TOOLS, name, input) } else { claude_code::meant(name, input) }
}

/// What it asks its own person is said in the documentation, and was never seen: an ask refuses.
fn encode(event: &Event, answer: &Answer) -> Reply {
    match (event.phase, answer) {
        (Phase::Before, Answer::Refuse(reason) | Answer::Ask(reason)) => {
            let reason = worded(reason);
            let said = json!({ "permission": "deny", "user_message": reason, "agent_message": reason });
            Reply { stderr: format!("{reason}\n"), exit: 2, ..Reply::object(&said) }
        }
        (Phase::Before, Answer::Approve) => Reply::object(&json!({ "permission": "allow" })),
        (Phase::Before, _) => Reply::object(&json!({})),
        (Phase::After | Phase::Other, _) => Reply::silence(),
    }
}
