//! What a tool is given, read strictly: the same that its schema says.

use serde_json::{Map, Value};

/// What a tool is given.
#[derive(Debug)]
pub(super) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// What is given under these names, and under no other.
    pub(super) fn of(given: &'a Value, names: &[&str]) -> Result<Self, String> {
        let Some(fields) = given.as_object() else { return Err("the arguments are no object".to_owned()) };
        match fields.keys().find(|key| !names.contains(&key.as_str())) {
            Some(other) => Err(format!("there is no `{other}`; there is `{}`", names.join("`, `"))),
            None => Ok(Self(fields)),
        }
    }

    /// The same, whatever else is given.
    pub(super) fn among(given: &'a Value) -> Result<Self, String> {
        given.as_object().map(Self).ok_or_else(|| "the arguments are no object".to_owned())
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text that must be there.
    pub(super) fn text(&self, name: &str) -> Result<String, String> {
        self.optional_text(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    /// A text that says something.
    pub(super) fn words(&self, name: &str) -> Result<String, String> {
        let text = self.text(name)?;
        if text.trim().is_empty() { Err(format!("`{name}` is empty")) } else { Ok(text) }
    }

    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, String> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{name}` must be text")),
        }
    }

    /// A whole number from one up to `most`.
    pub(super) fn number(&self, name: &str, most: u32) -> Result<Option<u32>, String> {
        let Some(value) = self.value(name) else { return Ok(None) };
        // Some clients write every number with a point.
        let whole = value.as_u64().or_else(|| value.to_string().strip_suffix(".0")?.parse().ok());
        match whole.and_then(|number| u32::try_from(number).ok()) {
            Some(number) if (1..=most).contains(&number) => Ok(Some(number)),
            _ => Err(format!("`{name}` must be a whole number from 1 to {most}")),
        }
    }

    pub(super) fn object(&self, name: &str) -> Result<Value, String> {
        match self.value(name) {
            Some(value @ Value::Object(_)) => Ok(value.clone()),
            Some(_) => Err(format!("`{name}` must be an object")),
            None => Err(format!("`{name}` is missing")),
        }
    }
}
