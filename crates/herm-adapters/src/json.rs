//! JSON that says everything once.
//!
//! Which of two values under one key counts is not settled between programs: what is judged would not be what is run. And a
//! script that writes an answer by hand, around a part of the command, can be made to write a key twice:
//! `{"action":"block","message":"…","action":"allow"}`.

use std::fmt;

use serde_core::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::event::Malformed;

/// The most that is read: contents of files come with the events.
pub const LONGEST: usize = 16 << 20;

/// Reads an object in which no key stands twice. Nesting is bounded by the reader below.
pub(crate) fn read(bytes: &[u8]) -> Result<Map<String, Value>, Malformed> {
    if bytes.len() > LONGEST {
        return Err(Malformed::Long);
    }
    match once(bytes).map_err(|error| Malformed::NotJson(error.to_string()))? {
        Value::Object(object) => Ok(object),
        Value::Array(_) | Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {
            Err(Malformed::NotJson("it is not an object".to_owned()))
        }
    }
}

/// Reads a value in which no object has a key twice.
///
/// # Errors
/// When it is no JSON, is nested too deeply, or says something twice.
pub fn once(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice::<Once>(bytes).map(|once| once.0)
}

struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Once(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let Once(value) = fields.next_value()?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` stands there twice")));
            }
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_once_is_read_as_ever() {
        let text = r#"{"a":[1,-2,2.5,true,null,"x\n"],"b":{"a":{}}}"#;
        let usual: Value = serde_json::from_str(text).unwrap();
        assert_eq!(Value::Object(read(text.as_bytes()).unwrap()), usual);
    }

    #[test]
    fn what_cannot_be_relied_on_is_not_read() {
        let deep = format!("{{\"a\":{}", "[".repeat(60_000));
        let texts = [
            "",
            "null",
            "[]",
            "\"x\"",
            "{",
            "{}x",
            r#"{"a":1,"a":1}"#,
            r#"{"b":[{"a":1,"\u0061":2}]}"#,
            &deep,
        ];
        for text in texts {
            assert!(matches!(read(text.as_bytes()), Err(Malformed::NotJson(_))), "{text:.40}");
        }
        assert!(read(b"{\"a\":\"\xff\"}").is_err());
        assert_eq!(read(&vec![b' '; LONGEST + 1]), Err(Malformed::Long));
    }
}
