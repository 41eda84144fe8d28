//! Gemini CLI.
//!
//! It runs the tool when a hook times out or prints what it cannot read. After a tool has run, a refusal replaces the result
//! by its reason, which is how secrets are kept from the model.

use serde_json::{Value, json};

use super::{Names, block_or_pass, usual};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply};
use crate::rewriting::{Keeps, Rewriting};
use crate::table::{Meaning, Tool, tool, uses};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "gemini",
    name: "Gemini CLI",
    patience: Patience { usual: 60, longest: 3600 },
    asks: false,
    replaces: true,
    types_unseen: false,
    directory: Directory::Told,
    rewriting: Some(Rewriting { events: &["BeforeTool"], keeps: Keeps::Nothing }),
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["BeforeTool"],
    after: &["AfterTool"],
    other: &[
        "AfterAgent",
        "AfterModel",
        "BeforeAgent",
        "BeforeModel",
        "BeforeToolSelection",
        "Notification",
        "PreCompress",
        "SessionEnd",
        "SessionStart",
    ],
};

pub(super) const TOOLS: &[Tool] = &[
    tool(&["run_shell_command"], Meaning::Command(Dialect::Shell, &["command"], &["dir_path", "directory"])),
    tool(&["read_file"], Meaning::Read(&["absolute_path", "file_path"])),
    tool(&["read_many_files"], Meaning::Read(&["include", "paths"])),
    tool(&["replace", "write_file"], Meaning::Write(&["file_path"])),
    tool(&["glob", "list_directory"], Meaning::Look(&["dir_path", "path"])),
    tool(&["grep_search", "search_file_content"], Meaning::Search(&["dir_path", "path"])),
    tool(&["web_fetch"], Meaning::Links(&["prompt"], &["url", "urls"])),
    tool(
        &[
            "activate_skill",
            "ask_user",
            "complete_task",
            "enter_plan_mode",
            "exit_plan_mode",
            "get_internal_docs",
            "google_web_search",
            "invoke_agent",
            "list_mcp_resources",
            "tracker_add_dependency",
            "tracker_create_task",
            "tracker_get_task",
            "tracker_list_tasks",
            "tracker_update_task",
            "tracker_visualize",
            "update_topic",
            "write_todos",
        ],
        Meaning::Nothing,
    ),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    usual(told, &NAMES, |name, input, told| {
        server(told).map_or_else(|| uses(TOOLS, name, input), |call| vec![call])
    })
}

/// The name of a tool on a server does not tell where the server's ends, so the agent says it beside.
fn server(told: Fields<'_>) -> Option<Use> {
    let context = told.inner("mcp_context")?;
    let word = |key: &str| context.text(key).unwrap_or_default();
    Some(Use::Mcp { server: word("server_name"), tool: word("tool_name") })
}

fn encode(event: &Event, answer: &Answer) -> Reply {
    match (event.phase, answer) {
        (Phase::Before, Answer::Rewrite { input, .. }) => Reply::object(&json!({
            "hookSpecificOutput": { "hookEventName": "BeforeTool", "tool_input": input }
        })),
        (Phase::Before, _) => block_or_pass(answer),
        (Phase::After, Answer::Replace(result, warning)) => {
            let warned = warning.iter().map(|warning| format!("\n{warning}"));
            let reason: String = std::iter::once(shown(result)).chain(warned).collect();
            Reply::object(&json!({ "decision": "deny", "reason": reason }))
        }
        (Phase::After, Answer::Warn(text) | Answer::Refuse(text)) => Reply::object(&json!({
            "hookSpecificOutput": { "hookEventName": "AfterTool", "additionalContext": text }
        })),
        (Phase::After | Phase::Other, _) => Reply::silence(),
    }
}

/// The result as the model would have seen it.
fn shown(result: &Value) -> String {
    let content = result.get("llmContent").unwrap_or(result);
    let text = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
    format!("it held secrets, which were taken out of it:\n{text}")
}
