//! What comes back from a call.

use serde_json::{Value, json};

use super::{Age, Form};
use crate::jsonrpc::{Failure, Id, Message, Response};

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// What Claude Code is told about another tool, whose input it was.
    Approved(Value),
    /// It was done; as text and as data.
    Done(String, Value),
    /// It was not done, or not with success; as text and as data.
    Failed(String, Value),
    /// Another tool must not be called, and why.
    Forbidden(String),
    /// It was called in a way that nobody understands.
    Misused(String),
}

/// What a client has to find out, and to come back with.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What it has to ask its person.
    pub form: Form,
    /// What it has to come back with.
    pub sealed: String,
}

/// The name of the question in an answer that asks.
const QUESTION: &str = "approval";

impl Outcome {
    /// The message that says it.
    #[must_use]
    pub fn message(self, id: Id, age: Age) -> Message {
        let (text, data, is_error) = match self {
            Self::Approved(input) => {
                (json!({ "behavior": "allow", "updatedInput": input }).to_string(), None, false)
            }
            Self::Forbidden(why) => (json!({ "behavior": "deny", "message": why }).to_string(), None, false),
            Self::Done(text, data) => (text, Some(data), false),
            Self::Failed(text, data) => (text, Some(data), true),
            Self::Misused(why) => (format!("herm: {why}"), None, true),
        };
        let mut result = json!({ "content": [{ "type": "text", "text": text }], "isError": is_error });
        if let Some(fields) = result.as_object_mut() {
            data.map(|data| fields.insert("structuredContent".to_owned(), data));
            if age == Age::Newer {
                fields.insert("resultType".to_owned(), json!("complete"));
            }
        }
        answer(id, Ok(result))
    }
}

impl State {
    /// The answer that asks.
    #[must_use]
    pub fn message(&self, id: Id) -> Message {
        let asked = json!({ "method": "elicitation/create", "params": self.form.params() });
        let result = json!({
            "resultType": "input_required", "inputRequests": { QUESTION: asked }, "requestState": self.sealed,
        });
        answer(id, Ok(result))
    }

    /// What was found out, where a client comes back.
    #[must_use]
    pub fn answer(answers: &serde_json::Map<String, Value>) -> Option<&Value> {
        answers.get(QUESTION)
    }
}

/// What is said where a request cannot be served at all.
#[must_use]
pub fn refusal(id: Id, failure: Failure) -> Message {
    answer(id, Err(failure))
}

fn answer(id: Id, outcome: Result<Value, Failure>) -> Message {
    Message::Response(Response { id: Some(id), outcome })
}
