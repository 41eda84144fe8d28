//! Hermes: messages in `state.db`, or in files of older versions: a line each, or all of a session together.

use serde_json::{Map, Value};

use super::{Called, objects, text};

pub(super) fn called(line: &Map<String, Value>) -> Vec<Called> {
    objects(line.get("messages")).chain([line]).flat_map(spoken).collect()
}

fn spoken(message: &Map<String, Value>) -> Vec<Called> {
    if text(message, "role").as_deref() != Some("assistant") {
        return Vec::new();
    }
    let call = |call: &Map<String, Value>| {
        let function = call.get("function").and_then(Value::as_object)?;
        Some(Called {
            tool: text(function, "name").unwrap_or_default(),
            input: function.get("arguments").cloned().unwrap_or_default(),
            id: text(call, "id"),
            session: None,
            cwd: None,
        })
    };
    objects(message.get("tool_calls")).filter_map(call).collect()
}
