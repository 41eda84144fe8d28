//! Hermes Agent.
//!
//! A hook's exit status means nothing to it: only a block on standard output stops a tool. The directory that it names is that of
//! its own process; its terminal may be elsewhere.

use serde_json::Value;

use super::{Names, block_or_pass, tells_failure, usual};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply};
use crate::table::{Meaning, Tool, mcp, tool, uses};
use crate::typing::Named;

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "hermes",
    name: "Hermes Agent",
    // More is cut down to this.
    patience: Patience { usual: 60, longest: 300 },
    asks: false,
    replaces: false,
    types_unseen: true,
    directory: Directory::Guessed,
    rewriting: None,
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["pre_tool_call"],
    after: &["post_tool_call"],
    other: &[
        "on_session_end",
        "on_session_finalize",
        "on_session_reset",
        "on_session_start",
        "post_llm_call",
        "pre_llm_call",
        "subagent_stop",
    ],
};

const TOOLS: &[Tool] = &[
    tool(&["terminal"], Meaning::Command(Dialect::Shell, &["command"], &["workdir"])),
    tool(&["execute_code"], Meaning::Command(Dialect::Python, &["code"], &[])),
    tool(&["process"], Meaning::Type(Named::Letters, &["data"])),
    tool(&["read_file"], Meaning::Read(&["path"])),
    tool(&["search_files"], Meaning::Search(&["path"])),
    tool(&["write_file"], Meaning::Write(&["path"])),
    tool(&["browser_navigate"], Meaning::Fetch(&["url"])),
    tool(&["web_extract"], Meaning::Fetch(&["urls"])),
    tool(
        &[
            "browser_back",
            "browser_get_images",
            "browser_scroll",
            "browser_snapshot",
            "clarify",
            "close_terminal",
            "delegate_task",
            "kanban_list",
            "kanban_show",
            "read_terminal",
            "session_search",
            "skill_view",
            "skills_list",
            "todo",
            "web_search",
            "x_search",
        ],
        Meaning::Nothing,
    ),
];

/// Replaces a part of a file that it names, or applies a patch that names its files itself.
const PATCH: &[Tool] = &[tool(&["patch"], Meaning::Patch(&["patch"]))];
const REPLACE: &[Tool] = &[tool(&["patch"], Meaning::Write(&["path"]))];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let mut event = usual(told, &NAMES, |name, input, _| meant(name, input))?;
    let extra = told.inner("extra");
    event.id = extra.and_then(|extra| extra.text("tool_call_id"));
    event.result = extra.and_then(|extra| extra.value("result")).cloned();
    event.failed = event.phase == Phase::After && event.result.as_ref().is_some_and(failed);
    Ok(event)
}

pub(super) fn meant(name: &str, input: &Value) -> Vec<Use> {
    if let Some(call) = mcp(name) {
        return vec![call];
    }
    let is_given = |key: &str| input.get(key).is_some_and(|value| !value.is_null() && value != "");
    match (name, is_given("patch"), is_given("path")) {
        ("patch", true, true) => {
            uses(PATCH, name, input).into_iter().chain(uses(REPLACE, name, input)).collect()
        }
        ("patch", true, false) => uses(PATCH, name, input),
        ("patch", false, _) => uses(REPLACE, name, input),
        _ => uses(TOOLS, name, input),
    }
}

/// Results are texts that hold JSON.
fn failed(result: &Value) -> bool {
    let inner = result.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    tells_failure(inner.as_ref().unwrap_or(result))
}

fn encode(event: &Event, answer: &Answer) -> Reply {
    match event.phase {
        Phase::Before => block_or_pass(answer),
        Phase::After | Phase::Other => Reply::silence(),
    }
}
