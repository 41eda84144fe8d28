//! Codex CLI: `sessions/**/rollout-*.jsonl`. Where it is comes first, and then what it does.

use serde_json::{Map, Value, json};

use super::{Called, Transcript, text};

pub(super) fn called(line: &Map<String, Value>, transcript: &mut Transcript) -> Vec<Called> {
    // Older versions wrote items by themselves.
    let item = match line.get("payload") {
        Some(payload) => payload.as_object(),
        None => Some(line),
    };
    let Some(item) = item else { return Vec::new() };
    match text(line, "type").as_deref() {
        Some("session_meta") => {
            transcript.session = text(item, "id").or_else(|| transcript.session.take());
            transcript.cwd = text(item, "cwd").or_else(|| transcript.cwd.take());
            Vec::new()
        }
        Some("turn_context") => {
            transcript.cwd = text(item, "cwd").or_else(|| transcript.cwd.take());
            Vec::new()
        }
        Some(_) | None => call(item).into_iter().collect(),
    }
}

fn call(item: &Map<String, Value>) -> Option<Called> {
    let id = text(item, "call_id").or_else(|| text(item, "id"));
    let given = |key: &str| item.get(key).cloned().unwrap_or_default();
    let (tool, input) = match text(item, "type")?.as_str() {
        "function_call" => (name(item), given("arguments")),
        "custom_tool_call" => (name(item), given("input")),
        "local_shell_call" => {
            let action = item.get("action")?;
            let part = |key: &str| action.get(key).cloned().unwrap_or_default();
            (
                "local_shell".to_owned(),
                json!({ "command": part("command"), "workdir": part("working_directory") }),
            )
        }
        _ => return None,
    };
    Some(Called { tool, input, id, session: None, cwd: None })
}

/// Tools of servers have the name of their server apart.
fn name(item: &Map<String, Value>) -> String {
    let name = text(item, "name").unwrap_or_default();
    match text(item, "namespace").filter(|space| space.starts_with("mcp__")) {
        Some(space) => format!("{}__{name}", space.trim_end_matches('_')),
        None => name,
    }
}
