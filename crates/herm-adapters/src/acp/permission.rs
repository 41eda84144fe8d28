//! What an agent asks an editor's person for.

use serde_json::Value;

use super::options::Options;
use super::tool::Tool;
use crate::fields::Fields;

/// What an agent asks an editor's person for.
#[derive(Clone, Debug, PartialEq)]
pub struct Permission {
    /// The session.
    pub session: String,
    /// What would be done.
    pub tool: Tool,
    /// What can be answered.
    pub options: Options,
    /// All that was said.
    pub params: Value,
}

impl Permission {
    /// Reads a request. What it does not say of the tool call was said `before`, or not at all.
    pub(super) fn read(params: &Value, before: impl FnOnce(&str, &str) -> Option<Value>) -> Option<Self> {
        let fields = Fields::of(params)?;
        let session = fields.text("sessionId")?;
        let told = fields.value("toolCall")?;
        let id = Fields::of(told)?.text("toolCallId")?;
        let whole = before(&session, &id).map_or_else(|| told.clone(), |earlier| merged(earlier, told));
        let options = Options::read(fields.value("options")?)?;
        let mut params = params.clone();
        params.as_object_mut()?.insert("toolCall".to_owned(), whole.clone());
        Some(Self { session, tool: Tool::read(&whole)?, options, params })
    }
}

/// What was said of a tool call, with what is said now in its place.
pub(super) fn merged(mut earlier: Value, now: &Value) -> Value {
    if let (Some(earlier), Some(now)) = (earlier.as_object_mut(), now.as_object()) {
        let said = now.iter().filter(|(_, value)| !value.is_null());
        earlier.extend(said.map(|(key, value)| (key.clone(), value.clone())));
        earlier.remove("sessionUpdate");
    }
    earlier
}
