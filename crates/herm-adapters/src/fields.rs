//! Looking into what an agent told.

use serde_json::{Map, Value};

use crate::event::Malformed;

/// Parts that are texts wherever agents have them. What is something else there is not as good as absent: whoever wrote it may
/// read it, too.
const TEXTS: &[&str] = &[
    "agent_action_name",
    "conversation_id",
    "cwd",
    "event",
    "hookEventName",
    "hookName",
    "hook_event_name",
    "session",
    "sessionId",
    "session_id",
    "taskId",
    "tool",
    "toolName",
    "tool_name",
    "trajectory_id",
    "working_dir",
];

/// Parts that are objects wherever agents have them.
const OBJECTS: &[&str] = &["extra", "mcp_context", "postToolUse", "preToolUse"];

/// Parts that are lists of texts wherever agents have them.
const LISTS: &[&str] = &["workspaceRoots", "workspace_roots"];

/// Under which keys a tool is told where to run a command.
const DIRECTORIES: &[&str] = &["cwd", "dir_path", "directory", "workdir", "working_directory"];

/// Under which keys a tool is told what to run.
const RUN: &[&str] = &["cmd", "code", "command", "command_line"];

/// An object that an agent told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// What an object holds; nothing when it is none.
    pub(crate) fn of(value: &'a Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    /// Finds the first part that is not what it should be.
    pub(crate) fn check(self) -> Result<(), Malformed> {
        let is_list =
            |value: &Value| value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
        self.are(TEXTS, Value::is_string)?;
        self.are(OBJECTS, Value::is_object)?;
        self.are(LISTS, is_list)
    }

    /// The same for what a tool is given: a command whose directory is none would be judged in another one than it runs in.
    pub(crate) fn check_directory(self) -> Result<(), Malformed> {
        let runs = RUN.iter().any(|key| self.value(key).is_some());
        if runs { self.are(DIRECTORIES, Value::is_string) } else { Ok(()) }
    }

    fn are(self, keys: &[&'static str], is: impl Fn(&Value) -> bool) -> Result<(), Malformed> {
        let wrong = keys.iter().find(|key| self.value(key).is_some_and(|value| !is(value)));
        wrong.map_or(Ok(()), |key| Err(Malformed::Lacks(key)))
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
