//! What messages look like in HTTP: the fields that say once more what stands in the body.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::protocol;
use crate::jsonrpc::{Message, Request};

/// The arguments that tools want to be said in fields, too, by the names of the tools.
#[derive(Debug, Default)]
pub struct Mirrored(HashMap<String, Vec<Mirror>>);

/// An argument, by the keys that lead to it, and the end of the name of its field.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mirror {
    keys: Vec<String>,
    name: String,
}

/// How deep in what a tool takes fields are looked for.
const DEEPEST: usize = 16;

impl Mirrored {
    /// Learns from a list of tools.
    pub fn learn(&mut self, result: &Value) {
        for tool in result.get("tools").and_then(Value::as_array).into_iter().flatten() {
            let Some(name) = tool.get("name").and_then(Value::as_str) else { continue };
            let mut found = Vec::new();
            tool.get("inputSchema").into_iter().for_each(|schema| find(schema, &mut Vec::new(), &mut found));
            self.0.insert(name.to_owned(), found);
        }
    }

    fn fields(&self, params: &Value) -> Vec<(String, String)> {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let field = |mirror: &Mirror| {
            let given = params.get("arguments");
            let value = mirror.keys.iter().fold(given, |value, key| value?.get(key))?;
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                Value::Array(_) | Value::Null | Value::Object(_) => return None,
            };
            Some((format!("Mcp-Param-{}", mirror.name), text))
        };
        self.0.get(name).into_iter().flatten().filter_map(field).collect()
    }
}

fn find(schema: &Value, keys: &mut Vec<String>, found: &mut Vec<Mirror>) {
    let properties = schema.get("properties").and_then(Value::as_object).filter(|_| keys.len() < DEEPEST);
    for (key, property) in properties.into_iter().flatten() {
        keys.push(key.clone());
        let name = property.get(WISH).and_then(Value::as_str);
        let name = name.filter(|name| is_field(name));
        found.extend(name.map(|name| Mirror { keys: keys.clone(), name: name.to_owned() }));
        find(property, keys, found);
        keys.pop();
    }
}

/// Whether a text can be the name of a field.
fn is_field(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// Whether what a tool wants to be said in fields can be said there. Who speaks HTTP does not offer a tool of which it cannot.
#[must_use]
pub fn is_sayable(tool: &Value) -> bool {
    let Some(schema) = tool.get("inputSchema") else { return true };
    let mut names = HashSet::new();
    let mut wanted = 0;
    let is_said = said_well(schema, DEEPEST, &mut |name| {
        wanted += 1;
        is_field(name) && names.insert(name.to_ascii_lowercase())
    });
    // What is wanted elsewhere, in lists or alternatives, has no one place in what is given.
    is_said && wanted == wishes(schema, DEEPEST * 4)
}

/// Whether each field that is wanted for something with a name is one, of something that fits into it.
fn said_well(schema: &Value, deep: usize, is_one: &mut impl FnMut(&str) -> bool) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object).filter(|_| deep > 0);
    properties.into_iter().flatten().all(|(_, property)| {
        let kind = property.get("type").and_then(Value::as_str).unwrap_or_default();
        let fits = ["boolean", "integer", "string"].contains(&kind);
        let is_well = match property.get(WISH) {
            None => true,
            Some(name) => fits && name.as_str().is_some_and(&mut *is_one),
        };
        is_well && said_well(property, deep - 1, is_one)
    })
}

/// How often anything is wanted in a field, wherever that stands.
fn wishes(value: &Value, deep: usize) -> usize {
    match value {
        Value::Object(fields) if deep > 0 => {
            let own = usize::from(fields.get(WISH).is_some_and(|name| !name.is_object()));
            own + fields.values().map(|value| wishes(value, deep - 1)).sum::<usize>()
        }
        Value::Array(values) if deep > 0 => values.iter().map(|value| wishes(value, deep - 1)).sum(),
        Value::Array(_)
        | Value::Bool(_)
        | Value::Null
        | Value::Number(_)
        | Value::Object(_)
        | Value::String(_) => 0,
    }
}

/// What says in a schema that something is wanted in a field.
const WISH: &str = "x-mcp-header";

/// The fields that a message is sent with, where it stands for itself; one of a session has others.
#[must_use]
pub fn fields(message: &Message, mirrored: &Mirrored) -> Option<Vec<(String, String)>> {
    let Message::Request(request) = message else { return None };
    let said = said(request, mirrored)?;
    Some(said.into_iter().map(|(name, text)| (name, encoded(&text))).collect())
}

/// Whether the fields of a request that stands for itself say what its body says: somebody on the way may have gone by the fields.
pub fn agrees<'a>(request: &Request, mirrored: &Mirrored, field: impl Fn(&str) -> Option<&'a str>) -> bool {
    let is_same = |(name, text): &(String, String)| {
        let given = field(&name.to_ascii_lowercase());
        given.is_some_and(|given| given == encoded(text) || given == marked(text))
    };
    said(request, mirrored).is_some_and(|said| said.iter().all(is_same))
}

/// What the fields of a request say, by their names.
fn said(request: &Request, mirrored: &Mirrored) -> Option<Vec<(String, String)>> {
    let Request { method, params, .. } = request;
    let version = protocol::version(params.as_ref())?;
    let mut fields = vec![
        ("MCP-Protocol-Version".to_owned(), version.to_owned()),
        ("Mcp-Method".to_owned(), method.clone()),
    ];
    let params = params.as_ref()?;
    let key = match method.as_str() {
        "prompts/get" | "tools/call" => "name",
        "resources/read" => "uri",
        _ => return Some(fields),
    };
    let name = params.get(key).and_then(Value::as_str);
    fields.extend(name.map(|name| ("Mcp-Name".to_owned(), name.to_owned())));
    if method == "tools/call" {
        fields.extend(mirrored.fields(params));
    }
    Some(fields)
}

/// A text that can stand in a field.
fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte == b'\t');
    let is_marked = text.starts_with("=?base64?") && text.ends_with("?=");
    if is_plain && !is_marked && text.trim() == text {
        return text.to_owned();
    }
    marked(text)
}

fn marked(text: &str) -> String {
    format!("=?base64?{}?=", base64(text.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |value: u32| {
        DIGITS.get(usize::try_from(value & 63).unwrap_or(0)).map_or('A', |&byte| char::from(byte))
    };
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let value = at(0) << 16 | at(1) << 8 | at(2);
        let digits = [18, 12, 6, 0].map(|shift| digit(value >> shift));
        text.extend(digits.iter().take(three.len() + 1));
        text.extend(std::iter::repeat_n('=', 3 - three.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_encoded_where_they_must_be() {
        for (text, field) in [
            ("us-west1", "us-west1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ] {
            assert_eq!(encoded(text), field);
        }
    }

    #[test]
    fn a_request_that_stands_for_itself_says_in_fields_what_it_is() {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
        let mut mirrored = Mirrored::default();
        mirrored.learn(&json!({"tools": [{"name": "sql", "inputSchema": {"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {"properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
            "odd": {"x-mcp-header": "a b"}}}}]}));
        let call = |params: Value| {
            let request = Request { id: 1.into(), method: "tools/call".to_owned(), params: Some(params) };
            fields(&Message::Request(request), &mirrored)
        };
        let arguments = json!({"region": "us", "deep": {"n": 4}, "odd": "x"});
        let said = call(json!({"_meta": meta, "name": "sql", "arguments": arguments})).unwrap();
        let said: Vec<_> = said.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        assert_eq!(
            said[..3],
            ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: sql"]
        );
        assert_eq!(said[3..], ["Mcp-Param-N: 4", "Mcp-Param-Region: us"]);
        assert_eq!(call(json!({"name": "sql"})), None, "one of a session");
    }

    #[test]
    fn tools_that_want_fields_that_cannot_be_are_not_sayable() {
        let of = |properties: Value| json!({"inputSchema": {"type": "object", "properties": properties}});
        let wants = |kind: &str, name: Value| of(json!({"a": {"type": kind, "x-mcp-header": name}}));
        let nested = of(
            json!({"a": {"type": "object", "properties": {"b": {"type": "integer", "x-mcp-header": "B"}}}}),
        );
        for tool in [
            json!({}),
            of(json!({})),
            wants("string", json!("Region")),
            wants("boolean", json!("a_b")),
            nested,
        ] {
            assert!(is_sayable(&tool), "{tool}");
        }
        let twice = json!({"a": {"type": "string", "x-mcp-header": "R"}, "b": {"type": "string", "x-mcp-header": "r"}});
        let listed = json!({"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "R"}}});
        let untyped = json!({"a": {"x-mcp-header": "R"}});
        let odd = ["", "My Region", "Region:Primary", "R\u{e9}gion", "Region\t1"];
        let odd = odd.iter().map(|name| wants("string", json!(name)));
        let kinds = ["object", "array", "null", "number"].iter().map(|kind| wants(kind, json!("R")));
        for tool in
            odd.chain(kinds).chain([twice, listed, untyped].map(of)).chain([wants("string", json!(5))])
        {
            assert!(!is_sayable(&tool), "{tool}");
        }
    }

    #[test]
    fn fields_that_say_something_else_than_the_body_do_not_agree() {
        let mut mirrored = Mirrored::default();
        mirrored.learn(&json!({"tools": [{"name": "sql", "inputSchema": {"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"}}}}]}));
        let params = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, "name": "sql",
            "arguments": {"region": "Hello"}});
        let request = Request { id: 1.into(), method: "tools/call".to_owned(), params: Some(params) };
        let with = |name: &str, value: Option<&'static str>| {
            let usual = |name: &str| match name {
                "mcp-protocol-version" => Some("2026-07-28"),
                "mcp-method" => Some("tools/call"),
                "mcp-name" => Some("sql"),
                "mcp-param-region" => Some("Hello"),
                _ => None,
            };
            agrees(&request, &mirrored, |asked| if asked == name { value } else { usual(asked) })
        };
        assert!(with("", None) && with("mcp-param-region", Some("=?base64?SGVsbG8=?=")));
        for (name, value) in [
            ("mcp-protocol-version", Some("2025-11-25")),
            ("mcp-method", Some("TOOLS/CALL")),
            ("mcp-name", Some("other")),
            ("mcp-name", None),
            ("mcp-param-region", None),
            ("mcp-param-region", Some("hello")),
            ("mcp-param-region", Some("=?base64?SGVsbG8?=")),
            ("mcp-param-region", Some("=?base64?SGVs!!!bG8=?=")),
        ] {
            assert!(!with(name, value), "{name}: {value:?}");
        }
    }
}
