//! Windsurf, by what its documentation says. It was not run here.

use super::{Names, block_or_pass};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase, Use};
use crate::fields::Fields;
use crate::reply::{Answer, Reply};
use crate::table::{Meaning, Tool, tool, uses};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "windsurf",
    name: "Windsurf",
    // Nothing can be set.
    patience: Patience { usual: 30, longest: 30 },
    asks: false,
    replaces: false,
    types_unseen: false,
    directory: Directory::Told,
    rewriting: None,
    decode,
    encode,
};

const NAMES: Names = Names {
    before: &["pre_mcp_tool_use", "pre_read_code", "pre_run_command", "pre_write_code"],
    after: &["post_mcp_tool_use", "post_read_code", "post_run_command", "post_write_code"],
    other: &["post_cascade_response", "post_setup_worktree", "pre_user_prompt"],
};

/// It has no names for tools, only for events.
pub(super) const TOOLS: &[Tool] = &[
    tool(
        &["post_run_command", "pre_run_command"],
        Meaning::Command(Dialect::Shell, &["command_line"], &["cwd"]),
    ),
    tool(&["post_read_code", "pre_read_code"], Meaning::Read(&["file_path"])),
    tool(&["post_write_code", "pre_write_code"], Meaning::Write(&["file_path"])),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let name = told.needed("agent_action_name")?;
    let phase = NAMES.phase(&name)?;
    let input = told.input("tool_info")?;
    let word = |key: &str| input.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
    let uses = match (phase, name.ends_with("mcp_tool_use")) {
        (Phase::Other, _) => Vec::new(),
        (_, true) => vec![Use::Mcp {
            server: word("mcp_server_name").unwrap_or_default(),
            tool: word("mcp_tool_name").unwrap_or_default(),
        }],
        (_, false) => uses(TOOLS, &name, &input),
    };
    Ok(Event {
        phase,
        session: told.text("trajectory_id"),
        cwd: word("cwd"),
        id: told.text("execution_id"),
        uses,
        result: word("mcp_result").map(Into::into),
        failed: false,
        unasked: false,
        tool: name.trim_start_matches("pre_").trim_start_matches("post_").to_owned(),
        input,
        name,
    })
}

fn encode(event: &Event, answer: &Answer) -> Reply {
    match event.phase {
        Phase::Before => block_or_pass(answer),
        Phase::After | Phase::Other => Reply::silence(),
    }
}
