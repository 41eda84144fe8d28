//! Terminals, as agents ask editors for them.

use serde_json::{Map, Value, json};

use crate::fields::Fields;

/// A command that an agent wants to have run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// The program, or a text for a shell where there are no arguments.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables that are set for it.
    pub variables: Vec<(String, String)>,
    /// Where, if not in the session's directory.
    pub cwd: Option<String>,
    /// How many bytes of its output are kept, the last ones.
    pub limit: Option<usize>,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With this code.
    Code(i32),
    /// By this signal.
    Signal(&'static str),
}

impl Create {
    /// Reads a request; nothing where a part of it is not what it should be.
    pub(super) fn read(params: &Value) -> Option<Self> {
        let fields = Fields::of(params)?;
        let list = |key: &str| match fields.value(key) {
            None => Some([].as_slice()),
            Some(value) => value.as_array().map(Vec::as_slice),
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let cwd = match fields.value("cwd") {
            None => None,
            Some(cwd) => Some(text(cwd).filter(|cwd| cwd.starts_with('/'))?),
        };
        let limit = match fields.value("outputByteLimit") {
            None => None,
            Some(limit) => Some(usize::try_from(limit.as_u64()?).unwrap_or(usize::MAX)),
        };
        Some(Self {
            command: fields.text("command")?,
            arguments: list("args")?.iter().map(text).collect::<Option<_>>()?,
            variables: list("env")?.iter().map(variable).collect::<Option<_>>()?,
            cwd,
            limit,
        })
    }

    /// As a tool would be given it.
    #[must_use]
    pub fn input(&self) -> Value {
        let variables: Map<String, Value> =
            self.variables.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({"command": self.command, "args": self.arguments, "env": variables, "cwd": self.cwd})
    }
}

/// A variable whose name is one to a shell.
fn variable(told: &Value) -> Option<(String, String)> {
    let fields = Fields::of(told)?;
    let name = fields.text("name")?;
    let value = told.get("value")?.as_str()?.to_owned();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    is_name.then_some((name, value))
}

impl Exit {
    /// As it is told.
    #[must_use]
    pub fn told(self) -> Value {
        match self {
            Self::Code(code) => json!({"exitCode": code, "signal": null}),
            Self::Signal(signal) => json!({"exitCode": null, "signal": signal}),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_read_whole_or_not_at_all() {
        let whole = json!({
            "sessionId": "s", "command": "make", "args": ["test"], "env": [{"name": "A_1", "value": ""}],
            "cwd": "/srv", "outputByteLimit": 10,
        });
        let create = Create::read(&whole).unwrap();
        assert_eq!((create.limit, create.cwd.as_deref()), (Some(10), Some("/srv")));
        assert_eq!(create.variables, [("A_1".to_owned(), String::new())]);
        for wrong in [
            json!({"command": ""}),
            json!({"command": 1}),
            json!({"command": "a", "args": "b"}),
            json!({"command": "a", "args": [1]}),
            json!({"command": "a", "cwd": "b"}),
            json!({"command": "a", "env": [{"name": "A=B", "value": ""}]}),
            json!({"command": "a", "env": [{"name": "1A", "value": ""}]}),
            json!({"command": "a", "env": [{"name": "A"}]}),
            json!({"command": "a", "outputByteLimit": -1}),
        ] {
            assert_eq!(Create::read(&wrong), None, "{wrong}");
        }
    }
}
