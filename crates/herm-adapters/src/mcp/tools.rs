//! The tools that a server lists.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// A tool, as its server describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// A number for everything that a model is told about it, in hexadecimal digits.
    pub fingerprint: String,
    /// What it is said to do.
    pub description: String,
    /// Whether its server says that it only looks.
    pub reads: Option<bool>,
}

impl Tool {
    /// Reads a tool from a list; nothing when it has no name that can be called.
    #[must_use]
    pub fn read(described: &Value) -> Option<Self> {
        let fields = described.as_object()?;
        let name = fields.get("name")?.as_str().filter(|name| is_name(name))?;
        let hint = fields.get("annotations").and_then(|notes| notes.get("readOnlyHint"));
        Some(Self {
            name: name.to_owned(),
            fingerprint: fingerprint(fields),
            description: fields.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            reads: hint.and_then(Value::as_bool),
        })
    }
}

/// Whether a tool can be called this: it is shown to people and stands in rules.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let odd = |c: char| c.is_control() || c.is_whitespace();
    !name.is_empty() && name.len() <= LONGEST && !name.contains(odd)
}

/// Twice what the protocol suggests.
const LONGEST: usize = 256;

/// Everything but what no model is shown: what only programs exchange, and pictures.
fn fingerprint(fields: &Map<String, Value>) -> String {
    let shown = fields.iter().filter(|(key, _)| !["_meta", "icons"].contains(&key.as_str()));
    let shown: Map<String, Value> = shown.map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut text = String::new();
    write(&Value::Object(shown), &mut text);
    let digits =
        |byte: &u8| [byte >> 4, byte & 15].map(|half| char::from_digit(half.into(), 16).unwrap_or('0'));
    Sha256::digest(text.as_bytes()).iter().flat_map(digits).collect()
}

/// The one way to write a value: keys in order, nothing between.
fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (key, field) in sorted {
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write(field, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {
            text.push_str(&value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whatever_a_model_is_told_counts_and_order_does_not() {
        let tool = |value: Value| Tool::read(&value).unwrap().fingerprint;
        let plain = tool(json!({"name": "a", "description": "b", "inputSchema": {"type": "object", "x": 1}}));
        let read = |text: &str| tool(serde_json::from_str(text).unwrap());
        let turned =
            r#"{"inputSchema":{"x":1,"type":"object"},"description":"b","name":"a","_meta":{"t":1}}"#;
        assert_eq!(plain, read(turned));
        for other in [
            json!({"name": "a", "description": "B", "inputSchema": {"type": "object", "x": 1}}),
            json!({"name": "a", "description": "b", "inputSchema": {"type": "object", "x": 2}}),
            json!({"name": "a", "description": "b", "inputSchema": {"type": "object", "x": 1}, "title": "t"}),
            json!({"name": "a", "description": "b", "inputSchema": {"type": "object", "x": 1}, "annotations": {}}),
        ] {
            assert_ne!(tool(other), plain);
        }
    }

    #[test]
    fn names_that_could_deceive_are_none() {
        for name in ["", "a b", "a\nb", &"x".repeat(300)] {
            assert_eq!(Tool::read(&json!({"name": name})), None, "{name}");
        }
        let hinted = json!({"name": "a", "annotations": {"readOnlyHint": true}});
        assert_eq!(Tool::read(&hinted).unwrap().reads, Some(true));
    }
}
