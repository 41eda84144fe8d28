//! Cline, by what its documentation says. It was not run here.

use serde_json::json;

use super::Names;
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply, worded};
use crate::table::{Meaning, Tool, tool, uses};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "cline",
    name: "Cline",
    // Nothing can be set.
    patience: Patience { usual: 30, longest: 30 },
    asks: false,
    replaces: false,
    types_unseen: false,
    directory: Directory::Guessed,
    rewriting: None,
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["PreToolUse"],
    after: &["PostToolUse"],
    other: &["PreCompact", "TaskCancel", "TaskComplete", "TaskResume", "TaskStart", "UserPromptSubmit"],
};

const TOOLS: &[Tool] = &[
    tool(&["execute_command"], Meaning::Command(Dialect::Shell, &["command"], &[])),
    tool(&["read_file"], Meaning::Read(&["absolutePath", "path"])),
    tool(&["new_rule", "replace_in_file", "write_to_file"], Meaning::Write(&["absolutePath", "path"])),
    tool(&["apply_patch"], Meaning::Patch(&["input"])),
    tool(&["list_code_definition_names", "list_files"], Meaning::Look(&["path"])),
    tool(&["search_files"], Meaning::Search(&["path"])),
    tool(&["browser_action", "web_fetch"], Meaning::Fetch(&["url"])),
    tool(
        &[
            "act_mode_respond",
            "ask_followup_question",
            "attempt_completion",
            "condense",
            "focus_chain",
            "load_mcp_documentation",
            "new_task",
            "plan_mode_respond",
            "summarize_task",
            "web_search",
        ],
        Meaning::Nothing,
    ),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let (before, after) = (told.inner("preToolUse"), told.inner("postToolUse"));
    let said = told.text("hookName");
    let name = match (said, before, after) {
        (Some(name), _, _) => name,
        (None, Some(_), _) => "PreToolUse".to_owned(),
        (None, None, Some(_)) => "PostToolUse".to_owned(),
        (None, None, None) => return Err(Malformed::Lacks("hookName")),
    };
    let phase = NAMES.phase(&name)?;
    // Whatever it is called: a tool that is about to run is judged, or does not run.
    if before.is_some() && phase != Phase::Before {
        return Err(Malformed::Contradicts("hookName"));
    }
    let about = match phase {
        Phase::Before => Some(before.ok_or(Malformed::Lacks("preToolUse"))?),
        Phase::After => Some(after.ok_or(Malformed::Lacks("postToolUse"))?),
        Phase::Other => None,
    };
    let (tool, input) = match about {
        Some(about) => {
            (about.text("toolName").map_or_else(|| about.needed("tool"), Ok)?, about.input("parameters")?)
        }
        None => (String::new(), serde_json::Value::Null),
    };
    let success = about.and_then(|about| about.value("success")).and_then(serde_json::Value::as_bool);
    Ok(Event {
        phase,
        session: told.text("taskId"),
        cwd: told.first("workspaceRoots"),
        id: None,
        uses: if tool.is_empty() { Vec::new() } else { meant(&tool, &input) },
        result: about.and_then(|about| about.value("result")).cloned(),
        failed: success == Some(false),
        unasked: false,
        tool,
        input,
        name,
    })
}

pub(super) fn meant(name: &str, input: &serde_json::Value) -> Vec<Use> {
    let word = |key: &str| input.get(key).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    match name {
        "use_mcp_tool" => vec![Use::Mcp { server: word("server_name"), tool: word("tool_name") }],
        "access_mcp_resource" => vec![Use::Mcp { server: word("server_name"), tool: word("uri") }],
        _ => uses(TOOLS, name, input),
    }
}

/// It wants JSON in any case, and counts a status other than nought as a failure of the hook.
fn encode(event: &Event, answer: &Answer) -> Reply {
    match (event.phase, answer) {
        (Phase::Before, Answer::Refuse(reason) | Answer::Ask(reason)) => {
            let reason = worded(reason);
            Reply {
                stderr: format!("{reason}\n"),
                ..Reply::object(&json!({ "cancel": true, "errorMessage": reason }))
            }
        }
        (Phase::After, Answer::Warn(text) | Answer::Refuse(text)) => {
            Reply::object(&json!({ "cancel": false, "contextModification": text }))
        }
        _ => Reply::object(&json!({ "cancel": false })),
    }
}
