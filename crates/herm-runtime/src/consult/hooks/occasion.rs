//! What a hook is told.

use herm::call::{Action, Call};
use herm::edit::{Change, Edit};
use herm::policy::hooks::Event;
use herm_shell::Lang;
use serde_json::{Map, Value, json};

/// A tool that is called, as a hook is told about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Occasion {
    tool: String,
    input: Value,
    session: String,
    cwd: String,
    extra: Map<String, Value>,
}

impl Occasion {
    /// A call under the names that Hermes has for its tools.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        let (tool, input) = match &call.action {
            Action::Edit(edit) => edited(edit),
            Action::Exec(exec) if exec.lang == Lang::Shell => ("terminal", json!({ "command": exec.text })),
            Action::Exec(exec) => ("execute_code", json!({ "code": exec.text })),
            Action::Fetch(fetch) => ("web_extract", json!({ "urls": [fetch.text()] })),
            Action::Read(path) => ("read_file", json!({ "path": path })),
            Action::Tool(tool) => (tool.name(), json!({ "call": tool.text() })),
            Action::Write(path) => ("write_file", json!({ "path": path })),
        };
        let occasion = Self::new(tool, input, &call.session.0, call.cwd.as_str());
        if call.id.0.is_empty() { occasion } else { occasion.with("tool_call_id", json!(call.id.0)) }
    }

    /// A tool under its own name.
    #[must_use]
    pub fn new(tool: &str, input: Value, session: &str, cwd: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            input,
            session: session.to_owned(),
            cwd: cwd.to_owned(),
            extra: Map::new(),
        }
    }

    /// The same with something more to tell.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.extra.insert(name.to_owned(), value);
        self
    }

    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    pub(super) fn payload(&self, event: Event) -> String {
        let payload = json!({
            "hook_event_name": event.name(),
            "tool_name": self.tool,
            "tool_input": self.input,
            "session_id": self.session,
            "cwd": self.cwd,
            "extra": self.extra,
        });
        format!("{payload}\n")
    }
}

/// One file that is written is that; everything else is a patch.
fn edited(edit: &Edit) -> (&'static str, Value) {
    match edit.changes() {
        [Change { path, after: Some(after), .. }] => {
            ("write_file", json!({ "path": path, "content": String::from_utf8_lossy(after) }))
        }
        changes => {
            let paths: Vec<_> = changes.iter().map(|change| change.path.as_str()).collect();
            ("patch", json!({ "paths": paths, "patch": edit.text() }))
        }
    }
}
