//! GitHub Copilot CLI.
//!
//! Its events come in two spellings: `preToolUse` with names of its own, and `PreToolUse` with those of Claude Code. It
//! refuses when a hook crashes, and runs the tool when one times out.

use serde_json::{Value, json};

use super::{Names, agreed, claude_code, tells_failure};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply, worded};
use crate::rewriting::{Keeps, Rewriting};
use crate::table::{Meaning, Tool, mcp, tool, uses};
use crate::typing::Named;

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "copilot",
    name: "GitHub Copilot CLI",
    patience: Patience { usual: 30, longest: 3600 },
    asks: true,
    replaces: false,
    types_unseen: true,
    directory: Directory::Guessed,
    rewriting: Some(Rewriting { events: &["preToolUse"], keeps: Keeps::Shell }),
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["PermissionRequest", "PreToolUse", "permissionRequest", "preToolUse"],
    after: &["PostToolUse", "PostToolUseFailure", "postToolUse", "postToolUseFailure"],
    other: &[
        "SessionEnd",
        "SessionStart",
        "Stop",
        "UserPromptSubmit",
        "agentStop",
        "errorOccurred",
        "notification",
        "preCompact",
        "sessionEnd",
        "sessionStart",
        "subagentStart",
        "subagentStop",
        "userPromptSubmitted",
    ],
};

const TOOLS: &[Tool] = &[
    tool(&["bash", "shell"], Meaning::Command(Dialect::Shell, &["command"], &["cwd"])),
    tool(&["powershell"], Meaning::Command(Dialect::PowerShell, &["command"], &["cwd"])),
    tool(&["write_bash", "write_powershell"], Meaning::Type(Named::Keys, &["input"])),
    tool(&["create", "edit", "insert", "str_replace", "write"], Meaning::Write(&["file_path", "path"])),
    tool(&["apply_patch"], Meaning::Patch(&["input", "patch"])),
    tool(&["show_file", "view"], Meaning::Read(&["file_path", "path"])),
    tool(&["glob"], Meaning::Look(&["path", "paths"])),
    tool(&["grep", "rg"], Meaning::Search(&["path", "paths"])),
    tool(&["fetch", "web_fetch"], Meaning::Fetch(&["url"])),
    tool(
        &[
            "ask_user",
            "exit_plan_mode",
            "fetch_copilot_cli_documentation",
            "list_agents",
            "list_bash",
            "list_powershell",
            "read_agent",
            "read_bash",
            "read_powershell",
            "report_intent",
            "skill",
            "stop_bash",
            "stop_powershell",
            "task",
            "task_complete",
            "update_todo",
            "web_search",
            "write_agent",
        ],
        Meaning::Nothing,
    ),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let name = name(told)?;
    let phase = NAMES.phase(&name)?;
    let (tool, input) = match phase {
        Phase::Other => (String::new(), Value::Null),
        Phase::After | Phase::Before => named(told)?,
    };
    let result =
        ["toolResult", "tool_result", "tool_response"].iter().find_map(|key| told.value(key)).cloned();
    Ok(Event {
        phase,
        session: told.text("sessionId").or_else(|| told.text("session_id")),
        cwd: told.text("cwd"),
        id: told.text("toolCallId").or_else(|| told.text("tool_use_id")),
        uses: if tool.is_empty() { Vec::new() } else { meant(&tool, &input) },
        failed: name.ends_with("Failure") || result.as_ref().is_some_and(failed),
        unasked: false,
        tool,
        input,
        result,
        name,
    })
}

/// A command that fails has succeeded in being run: how it ended stands in the last line of what the model is told.
fn failed(result: &Value) -> bool {
    let first = |keys: [&str; 2]| keys.iter().find_map(|key| result.get(key)?.as_str());
    let is_other = first(["resultType", "result_type"]).is_some_and(|kind| kind != "success");
    let text = first(["textResultForLlm", "text_result_for_llm"]).unwrap_or_default();
    let ending = text.trim_end().rsplit_once(" completed with exit code ").map(|(_, ending)| ending);
    is_other || tells_failure(result) || ending.is_some_and(|ending| ending.ends_with('>') && ending != "0>")
}

/// The event is not always named: a tool with its arguments is one that is about to run, with a result one that has run; and where
/// there is no tool, but a prompt, a person has spoken.
fn name(told: Fields<'_>) -> Result<String, Malformed> {
    let is_given = ["toolArgs", "toolInput", "tool_input"].iter().any(|key| told.value(key).is_some());
    if let Some(name) = agreed(told, &["hook_event_name", "hookEventName", "hookName"], &NAMES)? {
        let is_other = NAMES.phase(&name)? == Phase::Other;
        return if is_other && is_given { Err(Malformed::Contradicts("toolArgs")) } else { Ok(name) };
    }
    let has = |key: &str| told.value(key).is_some();
    let is_about_a_tool = is_given || ["tool_name", "toolResult"].into_iter().any(has);
    // A result in which nothing stands is none.
    let result = told.value("toolResult");
    if result.is_some_and(|result| Fields::of(result).is_none_or(|fields| fields.0.is_empty())) {
        return Err(Malformed::Lacks("toolResult"));
    }
    match (has("toolName"), result.is_some()) {
        (true, true) => Ok("postToolUse".to_owned()),
        (true, false) => Ok("preToolUse".to_owned()),
        (false, _) if !is_about_a_tool && has("prompt") => Ok("userPromptSubmitted".to_owned()),
        (false, _) => Err(Malformed::Lacks("toolName")),
    }
}

fn named(told: Fields<'_>) -> Result<(String, Value), Malformed> {
    if let (Some(one), Some(other)) = (told.text("tool_name"), told.text("toolName"))
        && one != other
    {
        return Err(Malformed::Contradicts("toolName"));
    }
    let inputs = ["tool_input", "toolArgs", "toolInput"].map(|key| told.value(key)).into_iter().flatten();
    if inputs.collect::<Vec<_>>().windows(2).any(|pair| pair.first() != pair.last()) {
        return Err(Malformed::Contradicts("toolArgs"));
    }
    if told.value("tool_name").is_some() {
        return Ok((told.needed("tool_name")?, told.input("tool_input")?));
    }
    let input = if told.value("toolArgs").is_some() { "toolArgs" } else { "toolInput" };
    Ok((told.needed("toolName")?, told.input(input)?))
}

pub(super) fn meant(name: &str, input: &Value) -> Vec<Use> {
    let ours = TOOLS.iter().any(|tool| tool.names.contains(&name));
    match mcp(name).or_else(|| github(name)) {
        Some(call) => vec![call],
        None if ours => uses(TOOLS, name, input),
        None => claude_code::meant(name, input),
    }
}

/// The server that it brings along. The names of others do not tell where the server's ends.
fn github(name: &str) -> Option<Use> {
    let tool = name.strip_prefix(GITHUB)?.strip_prefix('-')?;
    Some(Use::Mcp { server: GITHUB.to_owned(), tool: tool.to_owned() })
}

const GITHUB: &str = "github-mcp-server";

fn encode(event: &Event, answer: &Answer) -> Reply {
    if event.phase != Phase::Before {
        return Reply::silence();
    }
    if event.name.eq_ignore_ascii_case("permissionRequest") {
        return permission(answer);
    }
    let decision = |word: &str, reason: &str| {
        Reply::object(&json!({ "permissionDecision": word, "permissionDecisionReason": worded(reason) }))
    };
    match answer {
        Answer::Approve => decision("allow", "a person approved it"),
        Answer::Ask(reason) => decision("ask", reason),
        Answer::Refuse(reason) => Reply { exit: 2, ..with_words(decision("deny", reason), reason) },
        Answer::Rewrite { input, approved: false } => Reply::object(&json!({ "modifiedArgs": input })),
        Answer::Rewrite { input, approved: true } => Reply::object(&json!({
            "permissionDecision": "allow", "permissionDecisionReason": "a person approved it", "modifiedArgs": input,
        })),
        Answer::Pass | Answer::Replace(..) | Answer::Warn(_) => Reply::silence(),
    }
}

fn with_words(reply: Reply, reason: &str) -> Reply {
    Reply { stderr: format!("{}\n", worded(reason)), ..reply }
}

fn permission(answer: &Answer) -> Reply {
    match answer {
        Answer::Approve => Reply::object(&json!({ "behavior": "allow" })),
        Answer::Refuse(reason) => {
            with_words(Reply::object(&json!({ "behavior": "deny", "message": worded(reason) })), reason)
        }
        Answer::Ask(_) | Answer::Pass | Answer::Replace(..) | Answer::Rewrite { .. } | Answer::Warn(_) => {
            Reply::silence()
        }
    }
}
