//! Looking into what an agent told.

use serde_json::{Map, Value};

use crate::event::Malformed;

/// An object that an agent told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// What an object holds; nothing when it is none.
    pub(crate) fn of(value: &'a Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    pub(crate) fn value(self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A text that is not empty.
    pub(crate) fn text(self, key: &str) -> Option<String> {
        self.value(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// A text without which the event cannot be understood.
    pub(crate) fn needed(self, key: &'static str) -> Result<String, Malformed> {
        self.text(key).ok_or(Malformed::Lacks(key))
    }

    /// The object under a key.
    pub(crate) fn inner(self, key: &str) -> Option<Self> {
        Self::of(self.value(key)?)
    }

    /// The first text in a list.
    pub(crate) fn first(self, key: &str) -> Option<String> {
        self.value(key)?.as_array()?.first()?.as_str().map(str::to_owned)
    }

    /// What a tool is given. Some agents hand it on as the text in which the model wrote it.
    pub(crate) fn input(self, key: &'static str) -> Result<Value, Malformed> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(Value::Object(Map::new())),
            Some(Value::String(text)) if text.trim_start().starts_with('{') => {
                crate::json::read(text.as_bytes()).map(Value::Object)
            }
            Some(value) => Ok(value.clone()),
        }
    }
}
