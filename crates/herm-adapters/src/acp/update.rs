//! What an agent tells an editor of its tool calls.

use serde_json::Value;

use super::question::text_block;
use crate::fields::Fields;

/// What is said of a tool call in a `session/update`.
#[derive(Debug)]
pub(super) struct Update<'a> {
    pub(super) session: String,
    pub(super) id: String,
    pub(super) told: &'a Value,
    pub(super) end: Option<End>,
}

/// How a tool call ended, as the agent says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Completed,
    Failed,
}

impl<'a> Update<'a> {
    /// What is said, if it is about a tool call.
    pub(super) fn read(params: &'a Value) -> Option<Self> {
        let fields = Fields::of(params)?;
        let told = fields.value("update")?;
        let update = Fields::of(told)?;
        if !["tool_call", "tool_call_update"].contains(&update.text("sessionUpdate")?.as_str()) {
            return None;
        }
        let end = match update.text("status").as_deref() {
            Some("completed") => Some(End::Completed),
            Some("failed") => Some(End::Failed),
            Some(_) | None => None,
        };
        Some(Self { session: fields.text("sessionId")?, id: update.text("toolCallId")?, told, end })
    }
}

/// The terminals of ours that a tool call shows, by `content`.
pub(super) fn terminals(told: &Value, look: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let content = told.get("content").and_then(Value::as_array).into_iter().flatten();
    content.filter_map(terminal).filter(|terminal| look(terminal).is_some()).collect()
}

/// Puts what a terminal of ours said in its place: the editor does not know it.
pub(super) fn put_text(told: &mut Value, look: &dyn Fn(&str) -> Option<String>) {
    let content = told.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten();
    for block in content {
        if let Some(said) = terminal(block).and_then(|terminal| look(&terminal)) {
            *block = text_block(&said);
        }
    }
}

fn terminal(block: &Value) -> Option<String> {
    let fields = Fields::of(block)?;
    (fields.text("type")? == "terminal").then(|| fields.text("terminalId")).flatten()
}
