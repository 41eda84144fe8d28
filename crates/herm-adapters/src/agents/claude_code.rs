//! Claude Code.
//!
//! It runs the tool when a hook times out, crashes, or prints what it cannot read, unless `onFailure` says otherwise. Exit
//! status 2 blocks in any case. It asks its own person when told to, and runs nothing where there is none.

use serde_json::{Value, json};

use super::{Names, usual};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply, worded};
use crate::rewriting::{Keeps, Rewriting};
use crate::table::{Meaning, Tool, mcp, tool, uses};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "claude-code",
    name: "Claude Code",
    patience: Patience { usual: 600, longest: 3600 },
    asks: true,
    replaces: true,
    types_unseen: false,
    directory: Directory::Told,
    rewriting: Some(Rewriting { events: &["PreToolUse"], keeps: Keeps::Directory }),
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["PermissionRequest", "PreToolUse"],
    after: &["PostToolUse", "PostToolUseFailure"],
    other: &[
        "ConfigChange",
        "CwdChanged",
        "FileChanged",
        "InstructionsLoaded",
        "Notification",
        "PermissionDenied",
        "PostCompact",
        "PostToolBatch",
        "PreCompact",
        "SessionEnd",
        "SessionStart",
        "Setup",
        "Stop",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "UserPromptSubmit",
    ],
};

/// Also what agents speak of that took the names over.
pub(super) const TOOLS: &[Tool] = &[
    tool(&["Bash", "Monitor"], Meaning::Command(Dialect::Shell, &["command"], &[])),
    tool(&["PowerShell"], Meaning::Command(Dialect::PowerShell, &["command"], &[])),
    tool(&["REPL"], Meaning::Command(Dialect::JavaScript, &["code"], &[])),
    tool(&["Edit", "MultiEdit", "Write"], Meaning::Write(&["file_path"])),
    tool(&["NotebookEdit"], Meaning::Write(&["notebook_path"])),
    tool(&["Read"], Meaning::Read(&["file_path"])),
    tool(&["NotebookRead"], Meaning::Read(&["notebook_path"])),
    tool(&["LSP"], Meaning::Read(&["filePath", "file_path"])),
    tool(&["Glob", "LS"], Meaning::Look(&["path"])),
    tool(&["Grep"], Meaning::Search(&["path"])),
    tool(&["WebFetch"], Meaning::Fetch(&["url"])),
    tool(&["Skill"], Meaning::Skill(&["command", "name", "skill"], &["args"])),
    tool(&["SlashCommand"], Meaning::Prompt(&["command"])),
    tool(&["Agent", "Task"], Meaning::Delegate(&["subagent_type"])),
    tool(&["CronCreate", "ScheduleWakeup"], Meaning::Prompt(&["prompt"])),
    // What they start, look at or tell stays with the agent and its provider; what sub-agents do comes here by itself.
    tool(
        &[
            "AskUserQuestion",
            "BashOutput",
            "Brief",
            "CronDelete",
            "CronList",
            "EnterPlanMode",
            "ExitPlanMode",
            "KillShell",
            "ListAgents",
            "ListMcpResourcesTool",
            "ReportFindings",
            "SendMessage",
            "SendUserMessage",
            "StructuredOutput",
            "TaskCreate",
            "TaskGet",
            "TaskList",
            "TaskOutput",
            "TaskStop",
            "TaskUpdate",
            "TodoWrite",
            "ToolSearch",
            "WaitForMcpServers",
            "WebSearch",
        ],
        Meaning::Nothing,
    ),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let mut event = usual(told, &NAMES, |name, input, _| meant(name, input))?;
    if event.name == "PostToolUseFailure" {
        event.failed = true;
        // What failed has no response, but what it said.
        event.result = event.result.or_else(|| told.value("error").cloned());
    }
    // Rules that deny or ask hold even then.
    event.unasked = told.text("permission_mode").as_deref() == Some("bypassPermissions");
    Ok(event)
}

pub(super) fn meant(name: &str, input: &Value) -> Vec<Use> {
    let is = |key: &str| input.get(key).and_then(Value::as_bool) == Some(true);
    match name {
        "EnterWorktree" => entered(input),
        "ExitWorktree" => left(input, is("discard_changes")),
        "ScheduleWakeup" if is("stop") => Vec::new(),
        _ => mcp(name).map_or_else(|| uses(TOOLS, name, input), |call| vec![call]),
    }
}

/// It has git make a directory for a branch of its own, or goes into one that is there.
fn entered(input: &Value) -> Vec<Use> {
    let Some(fields) = Fields::of(input) else { return vec![Use::Unknown] };
    match (fields.text("path"), fields.text("name")) {
        (Some(path), _) => vec![Use::Read(path)],
        (None, name) => vec![Use::Write(format!(".claude/worktrees/{}", name.unwrap_or_default()))],
    }
}

/// What it leaves it can have git delete, with what is in it.
fn left(input: &Value, discards: bool) -> Vec<Use> {
    match input.get("action").and_then(Value::as_str) {
        Some("keep") => Vec::new(),
        Some("remove") => {
            let text = if discards { "git worktree remove --force ." } else { "git worktree remove ." };
            vec![Use::Command { text: text.to_owned(), dialect: Dialect::Shell, cwd: None }]
        }
        Some(_) | None => vec![Use::Unknown],
    }
}

fn encode(event: &Event, answer: &Answer) -> Reply {
    match event.phase {
        Phase::After => after(event, answer),
        Phase::Before if event.name == "PermissionRequest" => permission(answer),
        Phase::Before => before(answer),
        Phase::Other => Reply::silence(),
    }
}

/// A refusal is not said in JSON alone: what is printed could be cut off, and the exit status cannot.
fn before(answer: &Answer) -> Reply {
    let decision = |word: &str, reason: &str| {
        Reply::object(&json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": worded(reason),
        } }))
    };
    match answer {
        Answer::Approve => decision("allow", "a person approved it"),
        Answer::Ask(reason) => decision("ask", reason),
        Answer::Refuse(reason) => Reply::block(reason),
        Answer::Rewrite { input, approved } => rewritten(input, *approved),
        Answer::Pass | Answer::Replace(..) | Answer::Warn(_) => Reply::silence(),
    }
}

/// Without a decision its own rules are asked about what it is handed; `allow` would keep those quiet that ask.
fn rewritten(input: &Value, approved: bool) -> Reply {
    let mut output = json!({ "hookEventName": "PreToolUse", "updatedInput": input });
    if let (Some(fields), true) = (output.as_object_mut(), approved) {
        fields.insert("permissionDecision".to_owned(), json!("allow"));
        fields.insert("permissionDecisionReason".to_owned(), json!("a person approved it"));
    }
    Reply::object(&json!({ "hookSpecificOutput": output }))
}

/// The person is asked already: what is left to them needs no word.
fn permission(answer: &Answer) -> Reply {
    let decision = |decision: Value| {
        Reply::object(
            &json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } }),
        )
    };
    match answer {
        Answer::Approve => decision(json!({ "behavior": "allow" })),
        Answer::Refuse(reason) => decision(json!({ "behavior": "deny", "message": worded(reason) })),
        Answer::Ask(_) | Answer::Pass | Answer::Replace(..) | Answer::Rewrite { .. } | Answer::Warn(_) => {
            Reply::silence()
        }
    }
}

fn after(event: &Event, answer: &Answer) -> Reply {
    let said = |key: &str, value: Value| {
        Reply::object(&json!({ "hookSpecificOutput": { "hookEventName": event.name, key: value } }))
    };
    match answer {
        Answer::Replace(result, warning) if event.name == "PostToolUse" => {
            let mut output = json!({ "hookEventName": event.name, "updatedToolOutput": result });
            if let (Some(fields), Some(warning)) = (output.as_object_mut(), warning) {
                fields.insert("additionalContext".to_owned(), json!(warning));
            }
            Reply::object(&json!({ "hookSpecificOutput": output }))
        }
        // Nothing takes the place of what a failed tool said: the model can only be told.
        Answer::Replace(_, warning) => {
            let told = [Some(UNCLEANSED), warning.as_deref()];
            said("additionalContext", json!(told.into_iter().flatten().collect::<Vec<_>>().join("\n")))
        }
        Answer::Warn(text) | Answer::Refuse(text) => said("additionalContext", json!(text)),
        Answer::Approve | Answer::Ask(_) | Answer::Pass | Answer::Rewrite { .. } => Reply::silence(),
    }
}

const UNCLEANSED: &str = "herm: this output holds secrets that could not be taken out of it. Do not repeat them, and tell the person.";
