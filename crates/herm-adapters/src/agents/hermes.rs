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
    tool(&["skill_view"], Meaning::Skill(&["name"], &[])),
    tool(&["kanban_attach_url"], Meaning::Fetch(&["url"])),
    tool(&["kanban_complete"], Meaning::MediaIf(&["result", "summary"], &["artifacts"])),
    tool(&["kanban_create"], Meaning::WriteIf(&["title"], &["workspace_path"])),
    tool(&["project_create"], Meaning::WriteIf(&["name"], &["path"])),
    tool(&["text_to_speech"], Meaning::WriteIf(&["text"], &["output_path"])),
    tool(
        &["image_generate", "video_generate"],
        Meaning::MediaIf(&["prompt"], &["image_url", "reference_image_urls"]),
    ),
    tool(&["vision_analyze"], Meaning::Media(&["image_url"])),
    tool(&["video_analyze", "xai_video_edit", "xai_video_extend"], Meaning::Media(&["video_url"])),
    // Pages were judged as links when they were opened; what is remembered or put on a board stays with the agent.
    tool(
        &[
            "browser_back",
            "browser_click",
            "browser_dialog",
            "browser_get_images",
            "browser_press",
            "browser_scroll",
            "browser_snapshot",
            "browser_type",
            "browser_vision",
            "clarify",
            "close_terminal",
            "delegate_task",
            "feishu_doc_read",
            "feishu_drive_list_comment_replies",
            "feishu_drive_list_comments",
            "ha_get_state",
            "ha_list_entities",
            "ha_list_services",
            "kanban_attach",
            "kanban_attachments",
            "kanban_block",
            "kanban_comment",
            "kanban_heartbeat",
            "kanban_link",
            "kanban_list",
            "kanban_show",
            "kanban_unblock",
            "memory",
            "project_list",
            "project_switch",
            "read_terminal",
            "session_search",
            "skills_list",
            "todo",
            "tool_describe",
            "tool_search",
            "web_search",
            "x_search",
            "yb_query_group_info",
            "yb_query_group_members",
            "yb_search_sticker",
        ],
        Meaning::Nothing,
    ),
];

/// Runs code in a page, or shows what the page has said.
const IN_PAGE: &[Tool] =
    &[tool(&["browser_console"], Meaning::Command(Dialect::JavaScript, &["expression"], &[]))];

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
        ("browser_console", ..) if input.get("expression").is_none_or(Value::is_null) => Vec::new(),
        ("browser_console", ..) => uses(IN_PAGE, name, input),
        ("cronjob", ..) if input.get("action").and_then(Value::as_str) == Some("list") => Vec::new(),
        ("skill_manage", ..) => managed(input),
        _ => uses(TOOLS, name, input),
    }
}

/// It writes or deletes a file of a skill.
fn managed(input: &Value) -> Vec<Use> {
    let Some(fields) = Fields::of(input) else { return vec![Use::Unknown] };
    let Some(name) = fields.text("name") else { return vec![Use::Unknown] };
    let category = fields.text("category").map(|category| format!("{category}/")).unwrap_or_default();
    let file = fields.text("file_path").unwrap_or_else(|| "SKILL.md".to_owned());
    vec![Use::Write(format!("~/.hermes/skills/{category}{name}/{file}"))]
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
