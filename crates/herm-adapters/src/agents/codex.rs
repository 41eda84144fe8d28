//! Codex CLI.
//!
//! It runs the tool when a hook fails, says `ask` or `allow`, or says one word too many; exit status 2 blocks if something
//! stands on standard error. It has no hook for what the model types into a command that runs already.

use serde_json::Value;

use super::{Names, block_or_pass, usual};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::patch;
use crate::reply::{Answer, Reply, worded};
use crate::rewriting::{Keeps, Rewriting};
use crate::table::{Meaning, Tool, mcp, tool, uses};
use crate::typing::Named;

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "codex",
    name: "Codex CLI",
    patience: Patience { usual: 600, longest: 3600 },
    asks: false,
    replaces: false,
    types_unseen: true,
    directory: Directory::Guessed,
    rewriting: Some(Rewriting { events: &["PreToolUse"], keeps: Keeps::Nothing }),
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["PermissionRequest", "PreToolUse"],
    after: &["PostToolUse"],
    other: &[
        "PostCompact",
        "PreCompact",
        "SessionEnd",
        "SessionStart",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "UserPromptSubmit",
    ],
};

const TOOLS: &[Tool] = &[
    tool(
        &["Bash", "container.exec", "exec_command", "local_shell", "shell", "shell_command", "unified_exec"],
        Meaning::Command(Dialect::Shell, &["cmd", "command"], &["workdir"]),
    ),
    tool(&["js_repl"], Meaning::Command(Dialect::JavaScript, &["code", "input"], &[])),
    tool(&["write_stdin"], Meaning::Type(Named::Letters, &["chars"])),
    tool(&["Edit", "Write", "apply_patch"], Meaning::Patch(&["command", "input", "patch"])),
    tool(&["read_file", "view_image"], Meaning::Read(&["file_path", "path"])),
    tool(&["list_dir"], Meaning::Look(&["dir_path", "path"])),
    tool(&["grep_files"], Meaning::Search(&["dir_path", "path"])),
    tool(
        &[
            "Agent",
            "close_agent",
            "create_goal",
            "get_goal",
            "list_mcp_resource_templates",
            "list_mcp_resources",
            "request_user_input",
            "resume_agent",
            "send_input",
            "spawn_agent",
            "tool_search",
            "update_goal",
            "update_plan",
            "wait_agent",
            "web_search",
        ],
        Meaning::Nothing,
    ),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    usual(told, &NAMES, |name, input, _| mcp(name).map_or_else(|| meant(name, input), |call| vec![call]))
}

/// It applies patches itself that a command hands to `apply_patch`, so their files count beside the command.
pub(super) fn meant(name: &str, input: &Value) -> Vec<Use> {
    let uses = uses(TOOLS, name, input);
    let texts: Vec<String> = uses
        .iter()
        .filter_map(|one| match one {
            Use::Command { text, .. } => Some(text.clone()),
            Use::Program { words, .. } => Some(words.join("\n")),
            Use::Delegate(_)
            | Use::Fetch(_)
            | Use::Mcp { .. }
            | Use::Read(_)
            | Use::Skill { .. }
            | Use::Unknown
            | Use::Write(_) => None,
        })
        .filter(|text| text.contains("*** Begin Patch"))
        .collect();
    let touched = texts.iter().flat_map(|text| match patch::paths(text) {
        Some(paths) => paths.into_iter().map(Use::Write).collect(),
        None => vec![Use::Unknown],
    });
    uses.into_iter().chain(touched).collect()
}

fn encode(event: &Event, answer: &Answer) -> Reply {
    match (event.phase, answer) {
        (Phase::Before, Answer::Refuse(reason) | Answer::Ask(reason))
            if event.name == "PermissionRequest" =>
        {
            permission("deny", Some(worded(reason)))
        }
        (Phase::Before, Answer::Approve) if event.name == "PermissionRequest" => permission("allow", None),
        (Phase::Before, Answer::Rewrite { input, .. }) if event.name == "PreToolUse" => rewritten(input),
        (Phase::Before, _) => block_or_pass(answer),
        (Phase::After | Phase::Other, _) => Reply::silence(),
    }
}

/// It heeds what is handed back only beside `allow`, which answers none of its own questions.
fn rewritten(input: &Value) -> Reply {
    Reply::object(&serde_json::json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
    } }))
}

fn permission(behavior: &str, message: Option<&str>) -> Reply {
    let mut decision = serde_json::json!({ "behavior": behavior });
    if let (Some(fields), Some(message)) = (decision.as_object_mut(), message) {
        fields.insert("message".to_owned(), message.into());
    }
    Reply::object(&serde_json::json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision }
    }))
}
