//! What the revisions of MCP have in common, and where they part.
//!
//! Up to 2025-11-25 a session begins with `initialize`, and servers may ask their clients. Since 2026-07-28 every request says for itself
//! which revision it speaks and what its client can do, and a server that needs something says so in its result.

use serde_json::{Value, json};

use crate::jsonrpc;

/// Which kind of revision a request speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// A session that began with `initialize`.
    Session,
    /// A request that stands for itself.
    Stateless,
}

/// Where a request says which revision it speaks.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// Where a request says what its client can do.
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

impl Era {
    /// The era of a request with these parameters.
    #[must_use]
    pub fn of(params: Option<&Value>) -> Self {
        if version(params).is_some() { Self::Stateless } else { Self::Session }
    }
}

fn meta<'a>(params: Option<&'a Value>, key: &str) -> Option<&'a Value> {
    params?.get("_meta")?.get(key)
}

/// The revision that a request says it speaks.
#[must_use]
pub fn version(params: Option<&Value>) -> Option<&str> {
    meta(params, VERSION)?.as_str()
}

/// Whether requests of a revision stand for themselves.
#[must_use]
pub fn is_stateless(version: &str) -> bool {
    version >= "2026-07-28" && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// What requests no longer ask for once they stand for themselves.
pub(super) const REMOVED: &[&str] =
    &["initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"];

/// The fields of a request in HTTP say something else than its body.
pub const MISMATCH: i64 = -32020;
/// The client would have to be able to do something that it cannot.
pub const INCAPABLE: i64 = -32021;
/// The revision is not spoken.
pub const UNSPOKEN: i64 = -32022;

/// The status in HTTP of an answer to a request that stands for itself and failed so.
#[must_use]
pub fn status(code: i64) -> u16 {
    match code {
        jsonrpc::NO_METHOD => 404,
        jsonrpc::PARSE
        | jsonrpc::INVALID_REQUEST
        | jsonrpc::INVALID_PARAMS
        | MISMATCH
        | INCAPABLE
        | UNSPOKEN => 400,
        _ => 200,
    }
}

/// Where a message on the stream of a subscription says which one that is.
pub const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// What the client of a request that stands for itself can do.
#[must_use]
pub fn capabilities(params: Option<&Value>) -> Option<&Value> {
    meta(params, CAPABILITIES)
}

/// Whether a client that can do this can ask its person to fill in a form.
#[must_use]
pub fn can_ask(capabilities: &Value) -> bool {
    match capabilities.get("elicitation").and_then(Value::as_object) {
        // An empty object meant forms before there was anything else.
        Some(modes) => modes.is_empty() || modes.contains_key("form"),
        None => false,
    }
}

/// The result of a tool that was not called, and why.
#[must_use]
pub fn refusal(why: &str, era: Era) -> Value {
    complete(json!({ "content": [{ "type": "text", "text": why }], "isError": true }), era)
}

/// A result as its era wants it.
fn complete(mut result: Value, era: Era) -> Value {
    if let (Era::Stateless, Some(fields)) = (era, result.as_object_mut()) {
        fields.insert("resultType".to_owned(), json!("complete"));
    }
    result
}

/// Under what a question of ours is answered.
pub const QUESTION: &str = "herm";

/// The result that has a client ask its person first, and call again with the answer and this state.
#[must_use]
pub fn input_required(question: &Value, state: &str) -> Value {
    json!({
        "resultType": "input_required",
        "inputRequests": { QUESTION: { "method": "elicitation/create", "params": question } },
        "requestState": state,
    })
}

/// Whether a result asks for input, and of which kinds.
#[must_use]
pub fn inputs(result: &Value) -> Vec<&str> {
    let requests = result.get("inputRequests").and_then(Value::as_object);
    let methods = requests.into_iter().flat_map(|requests| requests.values());
    methods.map(|request| request.get("method").and_then(Value::as_str).unwrap_or_default()).collect()
}

/// What a person is shown in a form with one field, and the answers that they can choose from. The first is not chosen for them.
#[must_use]
pub fn form(message: &str, answers: &[&str]) -> Value {
    json!({
        "mode": "form",
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": { "answer": { "type": "string", "title": "Answer", "enum": answers } },
            "required": ["answer"],
        },
    })
}

/// The answer that a person chose in such a form; nothing unless they sent it.
#[must_use]
pub fn chosen(result: &Value) -> Option<&str> {
    let is_sent = result.get("action").and_then(Value::as_str) == Some("accept");
    result.get("content")?.get("answer")?.as_str().filter(|_| is_sent)
}

/// Whether a part of a message could be read otherwise by somebody who does not tell capitals apart.
pub(super) fn is_ambiguous(part: Option<&Value>) -> bool {
    part.and_then(Value::as_object).is_some_and(|fields| jsonrpc::is_ambiguous(fields, FIELDS))
}

/// What is read here in parts of messages.
const FIELDS: &[&str] = &[
    "_meta",
    "annotations",
    "argument",
    "arguments",
    "capabilities",
    "content",
    "context",
    "cursor",
    "description",
    "inputResponses",
    "inputSchema",
    "instructions",
    "level",
    "name",
    "nextCursor",
    "progressToken",
    "ref",
    "requestId",
    "requestState",
    "task",
    "title",
    "tools",
    "uri",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_says_which_era_it_belongs_to() {
        let modern = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
        assert_eq!(Era::of(Some(&modern)), Era::Stateless);
        assert_eq!(Era::of(Some(&json!({"_meta": {"progressToken": 1}}))), Era::Session);
        assert_eq!(Era::of(None), Era::Session);
    }

    #[test]
    fn only_forms_that_were_sent_are_answers() {
        assert_eq!(chosen(&json!({"action": "accept", "content": {"answer": "once"}})), Some("once"));
        for other in [
            json!({"action": "decline", "content": {"answer": "once"}}),
            json!({"action": "cancel"}),
            json!({"action": "accept"}),
            json!({"action": "accept", "content": {"answer": true}}),
            json!({"content": {"answer": "once"}}),
        ] {
            assert_eq!(chosen(&other), None, "{other}");
        }
    }

    #[test]
    fn clients_that_know_only_links_cannot_be_asked() {
        assert!(can_ask(&json!({"elicitation": {}})) && can_ask(&json!({"elicitation": {"form": {}}})));
        assert!(!can_ask(&json!({"elicitation": {"url": {}}})) && !can_ask(&json!({"sampling": {}})));
    }
}
