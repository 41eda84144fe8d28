//! Claude Code: `projects/*/*.jsonl`, a line for everything that was said. Other lines hold copies of the same.

use serde_json::{Map, Value};

use super::{Called, objects, text};

pub(super) fn called(line: &Map<String, Value>) -> Vec<Called> {
    if text(line, "type").as_deref() != Some("assistant") {
        return Vec::new();
    }
    let content = line.get("message").and_then(|message| message.get("content"));
    let used = objects(content).filter(|block| text(block, "type").as_deref() == Some("tool_use"));
    used.map(|block| Called {
        tool: text(block, "name").unwrap_or_default(),
        input: block.get("input").cloned().unwrap_or_default(),
        id: text(block, "id"),
        session: text(line, "sessionId"),
        cwd: text(line, "cwd"),
    })
    .collect()
}
