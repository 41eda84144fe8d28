//! What herm says, against the published schema of the protocol, which comes with the agents that speak it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::conversation::{Conversation, Place, options, selected, to_run};

/// The schema that comes with an agent.
pub(super) struct Schema(Value);

impl Schema {
    pub(super) fn read() -> Self {
        let shelf =
            Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("agents/claude-agent-acp-0.49.0");
        let file = shelf.join("node_modules/@agentclientprotocol/sdk/schema/schema.json");
        Self(serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap())
    }

    /// The value is what this definition says.
    pub(super) fn check(&self, name: &str, value: &Value) {
        let definition = self.0["$defs"].get(name).unwrap_or_else(|| panic!("there is no {name}"));
        if let Err(why) = self.holds(definition, value) {
            panic!("this is no {name}: {why}\n{value:#}");
        }
    }

    fn holds(&self, schema: &Value, value: &Value) -> Result<(), String> {
        if let Some(name) = schema["$ref"].as_str() {
            self.holds(&self.0["$defs"][name.rsplit('/').next().unwrap()], value)?;
        }
        if let Some(wanted) = schema.get("const").filter(|wanted| *wanted != value) {
            return Err(format!("{value} is not {wanted}"));
        }
        if let Some(words) = schema["enum"].as_array().filter(|words| !words.contains(value)) {
            return Err(format!("{value} is none of {words:?}"));
        }
        let kinds = schema["type"]
            .as_array()
            .cloned()
            .unwrap_or_else(|| schema.get("type").cloned().into_iter().collect());
        if !kinds.is_empty() && !kinds.iter().any(|kind| is_a(value, kind.as_str().unwrap())) {
            return Err(format!("{value} is none of {kinds:?}"));
        }
        list(schema, "allOf").try_for_each(|part| self.holds(part, value))?;
        for choice in ["anyOf", "oneOf"] {
            let mut parts = list(schema, choice).map(|part| self.holds(part, value)).peekable();
            if parts.peek().is_some() && parts.clone().all(|held| held.is_err()) {
                return Err(format!("nothing of {choice}: {:?}", parts.collect::<Vec<_>>()));
            }
        }
        for name in list(schema, "required").filter_map(Value::as_str) {
            value.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
        }
        for (name, part) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(value) = value.get(name) {
                self.holds(part, value).map_err(|why| format!("{name}: {why}"))?;
            }
        }
        let items = value.as_array().into_iter().flatten();
        schema
            .get("items")
            .map_or(Ok(()), |part| items.into_iter().try_for_each(|item| self.holds(part, item)))
    }
}

fn list<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + Clone {
    schema[key].as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        other => panic!("{other} is no kind of value"),
    }
}

/// All that herm says itself, to both sides.
pub(super) fn is_spoken() {
    let schema = Schema::read();
    let wrong = json!({"sessionId": "s", "toolCall": {"toolCallId": 1}, "options": []});
    assert!(schema.holds(&schema.0["$defs"]["RequestPermissionRequest"], &wrong).is_err());
    let place = Place::new();
    place.configure("approvals: {timeout: 5}\n");
    let mut both = Conversation::begin(place, &[]);
    both.editor_says(
        &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}}),
    );
    schema.check("InitializeRequest", &both.agent_hears()["params"]);
    both.agent_says(&json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1}}));
    both.editor_hears();
    both.open("s");
    both.agent_asks(1, "session/request_permission", to_run("rm -rf src"));
    let question = both.editor_hears();
    schema.check("RequestPermissionRequest", &question["params"]);
    both.editor_says(&selected(&question, "once"));
    schema.check("RequestPermissionResponse", &both.agent_hears()["result"]);
    both.agent_asks(2, "session/request_permission", to_run("rm -rf / --no-preserve-root"));
    schema.check("RequestPermissionResponse", &both.agent_hears()["result"]);
    let unclear =
        json!({"toolCall": {"toolCallId": "u", "title": "ls", "kind": "execute"}, "options": options()});
    both.agent_asks(3, "session/request_permission", unclear);
    schema.check("RequestPermissionRequest", &both.editor_hears()["params"]);
    // Nobody answers.
    schema.check("CancelRequestNotification", &both.editor_hears()["params"]);
    schema.check("RequestPermissionResponse", &both.agent_hears()["result"]);
    let path = both.place.write("a.txt", "old");
    both.agent_asks(4, "fs/write_text_file", json!({"path": path, "content": "new"}));
    let question = both.editor_hears();
    schema.check("RequestPermissionRequest", &question["params"]);
    both.editor_says(&selected(&question, "herm:allow_once"));
    schema.check("SessionNotification", &both.editor_hears()["params"]);
    schema.check("WriteTextFileRequest", &both.editor_hears()["params"]);
    terminals(&schema, &mut both);
}

fn terminals(schema: &Schema, both: &mut Conversation) {
    both.agent_asks(
        10,
        "terminal/create",
        json!({"command": "until [ -e go ]; do sleep 0.05; done; exit 3"}),
    );
    let created = both.agent_hears();
    schema.check("CreateTerminalResponse", &created["result"]);
    let terminal = &created["result"]["terminalId"];
    let update = json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "content": [{"type": "terminal", "terminalId": terminal}]});
    both.agent_says(&json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}));
    schema.check("SessionNotification", &both.editor_hears()["params"]);
    let use_it = |both: &mut Conversation, method: &str, name: &str| {
        both.agent_asks(11, &format!("terminal/{method}"), json!({"terminalId": terminal}));
        schema.check(name, &both.agent_hears()["result"]);
    };
    use_it(both, "output", "TerminalOutputResponse");
    both.place.write("go", "");
    use_it(both, "wait_for_exit", "WaitForTerminalExitResponse");
    schema.check("SessionNotification", &both.editor_hears()["params"]);
    use_it(both, "output", "TerminalOutputResponse");
    use_it(both, "kill", "KillTerminalResponse");
    use_it(both, "release", "ReleaseTerminalResponse");
}
