//! Messages of JSON-RPC 2.0, one in a line: what servers of tools and editors talk with agents in.
//!
//! Every key stands once in them, so that what is judged is what the other side reads. Whoever passes a message on unchanged should pass
//! on the bytes that came: numbers of any size and the order of keys are kept that way.

use std::collections::HashSet;
use std::fmt;

use serde_json::{Map, Number, Value, json};

use crate::json;

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Something is said, and no answer expected.
    Notification(Notification),
    /// Something is asked for.
    Request(Request),
    /// An answer.
    Response(Response),
}

/// Something that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What the answer will be known by.
    pub id: Id,
    /// What is asked for.
    pub method: String,
    /// With what, if anything.
    pub params: Option<Value>,
}

/// Something that is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// What is said.
    pub method: String,
    /// With what, if anything.
    pub params: Option<Value>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// What was answered; nothing when it could not be read.
    pub id: Option<Id>,
    /// What came of it.
    pub outcome: Result<Value, Failure>,
}

/// Why nothing came of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Its kind.
    pub code: i64,
    /// In words.
    pub message: String,
    /// Whatever else is known.
    pub data: Option<Value>,
}

/// What a request is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Id {
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
}

/// What came is no JSON.
pub const PARSE: i64 = -32700;
/// It is JSON, but no message.
pub const INVALID_REQUEST: i64 = -32600;
/// Nobody knows what is asked for.
pub const NO_METHOD: i64 = -32601;
/// It cannot be done with that.
pub const INVALID_PARAMS: i64 = -32602;
/// It should have been done, and was not.
pub const INTERNAL: i64 = -32603;

/// Why a line is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What it was meant to be known by, if that could be read: whoever waits for it can be answered.
    pub id: Option<Id>,
    /// The code of the answer.
    pub code: i64,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is no message: {}", self.why)
    }
}

impl std::error::Error for Malformed {}

impl Malformed {
    /// What is answered.
    #[must_use]
    pub fn answer(&self) -> Message {
        let failure = Failure { code: self.code, message: self.to_string(), data: None };
        Message::Response(Response { id: self.id.clone(), outcome: Err(failure) })
    }
}

impl Message {
    /// Reads one message. Several in a list are refused: no revision of a protocol spoken here still has them.
    ///
    /// # Errors
    /// When it is no message, says something twice, or says what cannot be said together.
    pub fn read(line: &[u8]) -> Result<Self, Malformed> {
        let mut fields = match json::read(line) {
            Ok(fields) => fields,
            Err(error) => return Err(Malformed { id: None, code: PARSE, why: error.to_string() }),
        };
        let is_ambiguous = is_ambiguous(&fields, FIELDS);
        let id = fields.remove("id");
        let known = id.clone().and_then(Id::of);
        let wrong = |why: &str| Malformed { id: known.clone(), code: INVALID_REQUEST, why: why.to_owned() };
        if is_ambiguous {
            return Err(wrong("it can be read in two ways"));
        }
        if fields.remove("jsonrpc").is_none_or(|version| version != "2.0") {
            return Err(wrong("it does not say that it is JSON-RPC 2.0"));
        }
        let method = match fields.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return Err(wrong("its method is no text")),
            None => return Response::read(id, fields).map(Self::Response).map_err(wrong),
        };
        if fields.contains_key("result") || fields.contains_key("error") {
            return Err(wrong("it asks and answers at once"));
        }
        let params = fields.remove("params").filter(|params| !params.is_null());
        if params.as_ref().is_some_and(|params| !params.is_object() && !params.is_array()) {
            return Err(wrong("its parameters are neither an object nor a list"));
        }
        match (id, known.clone()) {
            (None, _) => Ok(Self::Notification(Notification { method, params })),
            (Some(_), Some(id)) => Ok(Self::Request(Request { id, method, params })),
            (Some(_), None) => Err(wrong("its id is neither a number nor a text")),
        }
    }

    /// The line that says it, with its end.
    #[must_use]
    pub fn line(&self) -> Vec<u8> {
        let mut line = self.value().to_string().into_bytes();
        line.push(b'\n');
        line
    }

    fn value(&self) -> Value {
        let mut fields = Map::from_iter([("jsonrpc".to_owned(), json!("2.0"))]);
        let mut add = |key: &str, value: Option<Value>| {
            value.map(|value| fields.insert(key.to_owned(), value));
        };
        match self {
            Self::Notification(Notification { method, params }) => {
                add("method", Some(json!(method)));
                add("params", params.clone());
            }
            Self::Request(Request { id, method, params }) => {
                add("id", Some(id.value()));
                add("method", Some(json!(method)));
                add("params", params.clone());
            }
            Self::Response(Response { id, outcome }) => {
                add("id", Some(id.as_ref().map_or(Value::Null, Id::value)));
                match outcome {
                    Ok(result) => add("result", Some(result.clone())),
                    Err(failure) => add("error", Some(failure.value())),
                }
            }
        }
        Value::Object(fields)
    }
}

/// The fields of messages.
const FIELDS: &[&str] = &["error", "id", "jsonrpc", "method", "params", "result"];

/// Whether another program could read something else in fields of which these are known: some take keys that differ in nothing but
/// capitals for the same.
#[must_use]
pub fn is_ambiguous(fields: &Map<String, Value>, known: &[&str]) -> bool {
    let mut seen = HashSet::new();
    fields.keys().any(|key| {
        let folded = folded(key);
        let is_one = |known: &&str| self::folded(known) == folded;
        let is_odd = !known.contains(&key.as_str()) && known.iter().any(is_one);
        is_odd || !seen.insert(folded)
    })
}

/// A key as those read it who do not tell capitals apart. The long s is one of them.
fn folded(key: &str) -> String {
    key.to_lowercase().replace('\u{17f}', "s")
}

impl Response {
    fn read(id: Option<Value>, mut fields: Map<String, Value>) -> Result<Self, &'static str> {
        let id = match id {
            Some(Value::Null) => None,
            Some(id) => Some(Id::of(id).ok_or("its id is neither a number nor a text")?),
            None => return Err("it has neither a method nor an id"),
        };
        let outcome = match (fields.remove("result"), fields.remove("error")) {
            (Some(result), None) => Ok(result),
            (None, Some(error)) => Err(Failure::read(error).ok_or("its error has no code or no message")?),
            (Some(_), Some(_)) => return Err("it has a result and an error"),
            (None, None) => return Err("it has neither a method nor a result nor an error"),
        };
        Ok(Self { id, outcome })
    }
}

impl Failure {
    /// One without anything else.
    #[must_use]
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    fn read(error: Value) -> Option<Self> {
        let Value::Object(mut fields) = error else { return None };
        let code = fields.get("code")?.as_i64()?;
        let Some(Value::String(message)) = fields.remove("message") else { return None };
        Some(Self { code, message, data: fields.remove("data") })
    }

    fn value(&self) -> Value {
        match &self.data {
            Some(data) => json!({"code": self.code, "message": self.message, "data": data}),
            None => json!({"code": self.code, "message": self.message}),
        }
    }
}

impl Id {
    fn of(value: Value) -> Option<Self> {
        match value {
            Value::Number(number) => Some(Self::Number(number)),
            Value::String(text) => Some(Self::Text(text)),
            Value::Array(_) | Value::Bool(_) | Value::Null | Value::Object(_) => None,
        }
    }

    /// As it stands in a message.
    #[must_use]
    pub fn value(&self) -> Value {
        match self {
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => json!(text),
        }
    }
}

impl From<i64> for Id {
    fn from(number: i64) -> Self {
        Self::Number(number.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let messages = [
            Message::Notification(Notification { method: "ready".to_owned(), params: None }),
            Message::Request(Request {
                id: 7.into(),
                method: "tools/call".to_owned(),
                params: Some(json!({"name": "x"})),
            }),
            Message::Response(Response { id: Some(Id::Text("a".to_owned())), outcome: Ok(json!(null)) }),
            Message::Response(Response { id: None, outcome: Err(Failure::new(PARSE, "what?")) }),
        ];
        for message in messages {
            let line = message.line();
            assert_eq!(line.iter().position(|byte| *byte == b'\n'), Some(line.len() - 1));
            assert_eq!(Message::read(&line), Ok(message));
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_refused() {
        let cases = [
            (r#"[{"jsonrpc":"2.0","id":1,"method":"a"}]"#, PARSE),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}"#, PARSE),
            ("{", PARSE),
            (r#"{"id":1,"method":"a"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","result":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","result":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"a"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","params":"b"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"message":"no code"}}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","method":"a","Method":"b"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","method":"a","ID":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","method":"a","param\u017f":{}}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"result":1,"Error":{}}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","method":"a","x":1,"X":1}"#, INVALID_REQUEST),
        ];
        for (line, code) in cases {
            assert_eq!(
                Message::read(line.as_bytes()).map_err(|malformed| malformed.code),
                Err(code),
                "{line}"
            );
        }
    }

    #[test]
    fn whoever_waits_for_it_is_answered() {
        let malformed = Message::read(br#"{"jsonrpc":"2.0","id":"x","method":4}"#).unwrap_err();
        let answer = String::from_utf8(malformed.answer().line()).unwrap();
        assert!(answer.contains(r#""id":"x""#), "{answer}");
    }
}
