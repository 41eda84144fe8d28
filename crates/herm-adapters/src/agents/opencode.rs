//! `OpenCode`, by a plugin that hands us `tool.execute.before` and `tool.execute.after`, and throws unless we say `allow`.

use serde_json::json;

use super::{Names, tells_failure};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Phase};
use crate::fields::Fields;
use crate::reply::{Answer, Reply};
use crate::rewriting::{Keeps, Rewriting};
use crate::table::{Meaning, Tool, mcp, tool, uses};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "opencode",
    name: "OpenCode",
    patience: Patience { usual: 300, longest: 3600 },
    asks: false,
    replaces: true,
    types_unseen: false,
    directory: Directory::Told,
    rewriting: Some(Rewriting { events: &["tool.execute.before"], keeps: Keeps::Nothing }),
    decode,
    encode,
};

const NAMES: Names =
    Names { before: &["tool.execute.before"], after: &["tool.execute.after"], other: &["chat.message"] };

pub(super) const TOOLS: &[Tool] = &[
    tool(&["bash", "shell"], Meaning::Command(Dialect::Shell, &["command"], &["workdir"])),
    tool(&["read"], Meaning::Read(&["filePath", "path"])),
    tool(&["edit", "multiedit", "write"], Meaning::Write(&["filePath", "path"])),
    tool(&["apply_patch", "patch"], Meaning::Patch(&["patchText"])),
    tool(&["lsp"], Meaning::Read(&["filePath"])),
    tool(&["glob", "list", "ls"], Meaning::Look(&["path"])),
    tool(&["grep"], Meaning::Search(&["path"])),
    tool(&["webfetch"], Meaning::Fetch(&["url"])),
    tool(
        &[
            "codesearch",
            "invalid",
            "plan_enter",
            "plan_exit",
            "question",
            "skill",
            "task",
            "todoread",
            "todowrite",
            "websearch",
        ],
        Meaning::Nothing,
    ),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    shim(told, &NAMES, TOOLS)
}

/// An event as the shims tell it: `event`, `tool`, `args`, `session`, `id`, `cwd`, and afterwards `result` and `failed`.
pub(super) fn shim(told: Fields<'_>, names: &Names, table: &[Tool]) -> Result<Event, Malformed> {
    let name = told.needed("event")?;
    let phase = names.phase(&name)?;
    let (tool, input) = match phase {
        Phase::After | Phase::Before => (told.needed("tool")?, told.input("args")?),
        Phase::Other => (String::new(), serde_json::Value::Null),
    };
    let result = told.value("result").cloned();
    let said = told.value("failed").and_then(serde_json::Value::as_bool).unwrap_or_default();
    Ok(Event {
        phase,
        session: told.text("session"),
        cwd: told.text("cwd"),
        id: told.text("id"),
        uses: match (phase, mcp(&tool)) {
            (Phase::Other, _) => Vec::new(),
            (_, Some(call)) => vec![call],
            (_, None) => uses(table, &tool, &input),
        },
        failed: said || result.as_ref().is_some_and(tells_failure),
        unasked: false,
        result,
        tool,
        input,
        name,
    })
}

/// To a shim nothing is as good as silence: it goes on only at the word.
pub(super) fn encode(event: &Event, answer: &Answer) -> Reply {
    match (event.phase, answer) {
        (Phase::Before, Answer::Refuse(reason) | Answer::Ask(reason)) => Reply::block(reason),
        (Phase::Before, Answer::Rewrite { input, .. }) => {
            Reply::object(&json!({ "decision": "allow", "args": input }))
        }
        (Phase::After, Answer::Replace(result, None)) => {
            Reply::object(&json!({ "decision": "allow", "result": result }))
        }
        (Phase::After, Answer::Replace(result, Some(text))) => {
            Reply::object(&json!({ "decision": "allow", "result": result, "warning": text }))
        }
        (Phase::After, Answer::Warn(text) | Answer::Refuse(text)) => {
            Reply::object(&json!({ "decision": "allow", "warning": text }))
        }
        _ => Reply::object(&json!({ "decision": "allow" })),
    }
}
