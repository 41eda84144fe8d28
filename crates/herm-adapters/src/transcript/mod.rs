//! What agents keep of what they did: lines of their transcripts in, events out.
//!
//! A line is told again as the agent would have told its hook, and understood by the same [`Agent::decode`]: a tool means here what it
//! means there.

mod claude_code;
mod codex;
mod hermes;

use serde_json::{Map, Value, json};

use crate::agent::Agent;
use crate::event::{Event, Malformed};
use crate::json::LONGEST;

/// A transcript, read line by line.
#[derive(Clone, Debug)]
pub struct Transcript {
    agent: Agent,
    /// The conversation, as far as it is known by now.
    session: Option<String>,
    /// The directory, as far as it is known by now.
    cwd: Option<String>,
}

/// A tool that was called.
#[derive(Clone, Debug)]
pub struct Past {
    /// What the hook would have been told.
    pub event: Result<Event, Malformed>,
    /// When, as the agent wrote it.
    pub at: Option<String>,
    /// What the call is known by, to tell a copy of it from another.
    pub mark: String,
}

/// A call of a tool, as a transcript has it.
#[derive(Clone, Debug, Default)]
struct Called {
    tool: String,
    input: Value,
    id: Option<String>,
    session: Option<String>,
    cwd: Option<String>,
}

impl Transcript {
    /// The agents whose transcripts are understood.
    pub const AGENTS: &'static [Agent] = &[Agent::ClaudeCode, Agent::Codex, Agent::Hermes];

    /// A transcript of an agent, of which nothing was read yet. Nothing if those of this agent are not understood.
    #[must_use]
    pub fn new(agent: Agent, session: Option<String>, cwd: Option<String>) -> Option<Self> {
        Self::AGENTS.contains(&agent).then_some(Self { agent, session, cwd })
    }

    /// Whose a transcript is, by how it begins.
    #[must_use]
    pub fn whose(beginning: &str) -> Option<Agent> {
        let holds = |key: &str| beginning.contains(&format!("\"{key}\""));
        match () {
            () if holds("sessionId") => Some(Agent::ClaudeCode),
            () if holds("session_meta") || holds("payload") || holds("rollout") => Some(Agent::Codex),
            () if holds("role") => Some(Agent::Hermes),
            () => None,
        }
    }

    /// The tools that a line tells of.
    ///
    /// # Errors
    /// When it is no JSON object, or too long.
    pub fn line(&mut self, line: &[u8]) -> Result<Vec<Past>, Malformed> {
        if line.len() > LONGEST {
            return Err(Malformed::Long);
        }
        let fields: Map<String, Value> =
            serde_json::from_slice(line).map_err(|error| Malformed::NotJson(error.to_string()))?;
        let at = fields.get("timestamp").and_then(Value::as_str).map(str::to_owned);
        let called = match self.agent {
            Agent::ClaudeCode => claude_code::called(&fields),
            Agent::Codex => codex::called(&fields, self),
            Agent::Hermes => hermes::called(&fields),
            Agent::Cline
            | Agent::Copilot
            | Agent::Cursor
            | Agent::Gemini
            | Agent::Goose
            | Agent::OpenCode
            | Agent::Pi
            | Agent::Windsurf => Vec::new(),
        };
        Ok(called.into_iter().map(|one| self.past(one, at.clone())).collect())
    }

    /// Tells a call as the agent would have told its hook.
    fn past(&self, called: Called, at: Option<String>) -> Past {
        let name = if self.agent == Agent::Hermes { "pre_tool_call" } else { "PreToolUse" };
        let mark = format!("{}\0{}\0{}", called.id.as_deref().unwrap_or_default(), called.tool, called.input);
        let told = json!({
            "hook_event_name": name,
            "tool_name": called.tool,
            "tool_input": called.input,
            "tool_use_id": called.id,
            "session_id": called.session.or_else(|| self.session.clone()),
            "cwd": called.cwd.or_else(|| self.cwd.clone()),
            "extra": { "tool_call_id": called.id },
        });
        Past { event: self.agent.decode(told.to_string().as_bytes()), at, mark }
    }
}

fn text(fields: &Map<String, Value>, key: &str) -> Option<String> {
    fields.get(key)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn objects(value: Option<&Value>) -> impl Iterator<Item = &Map<String, Value>> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Dialect, Use};

    fn uses(transcript: &mut Transcript, line: &Value) -> Vec<(String, Vec<Use>, Option<String>)> {
        let past = transcript.line(line.to_string().as_bytes()).unwrap();
        let event = |past: Past| past.event.unwrap();
        past.into_iter().map(event).map(|event| (event.tool, event.uses, event.cwd)).collect()
    }

    fn shell(text: &str, cwd: Option<&str>) -> Vec<Use> {
        vec![Use::Command { text: text.to_owned(), dialect: Dialect::Shell, cwd: cwd.map(str::to_owned) }]
    }

    #[test]
    fn claude_code_tells_of_its_tools_where_it_speaks() {
        let mut transcript = Transcript::new(Agent::ClaudeCode, None, None).unwrap();
        let spoken = |kind: &str| {
            json!({"type": kind, "cwd": "/srv/app", "sessionId": "s1", "timestamp": "2026-11-16T10:09:16.527Z", "message": {
                "role": "assistant", "content": [
                    {"type": "text", "text": "x"},
                    {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls -la", "description": "List"}},
                    {"type": "tool_use", "id": "t2", "name": "Write", "input": {"file_path": "/srv/app/a", "content": "x"}},
            ]}})
        };
        let told = uses(&mut transcript, &spoken("assistant"));
        let cwd = Some("/srv/app".to_owned());
        assert_eq!(told[0], ("Bash".to_owned(), shell("ls -la", None), cwd.clone()));
        assert_eq!(told[1], ("Write".to_owned(), vec![Use::Write("/srv/app/a".to_owned())], cwd));
        // What it asked its provider holds everything that was said before once more.
        assert!(uses(&mut transcript, &spoken("api-request-blob")).is_empty());
        assert!(uses(&mut transcript, &json!({"type": "user", "message": {"content": "go"}})).is_empty());
    }

    #[test]
    fn codex_tells_where_it_is_before_what_it_does() {
        let mut transcript = Transcript::new(Agent::Codex, None, None).unwrap();
        let item = |payload: Value| json!({"timestamp": "2026-11-16T10:09:18.545Z", "type": "response_item", "payload": payload});
        let meta = json!({"type": "session_meta", "payload": {"id": "s1", "cwd": "/srv/app"}});
        assert!(uses(&mut transcript, &meta).is_empty());
        let call = |name: &str, arguments: &str| {
            item(json!({"type": "function_call", "name": name, "arguments": arguments, "call_id": "c1"}))
        };
        let cwd = || Some("/srv/app".to_owned());
        assert_eq!(
            uses(&mut transcript, &call("exec_command", r#"{"cmd": "ls", "workdir": "/srv"}"#)),
            [("exec_command".to_owned(), shell("ls", Some("/srv")), cwd())]
        );
        let moved = json!({"type": "turn_context", "payload": {"cwd": "/srv/other"}});
        assert!(uses(&mut transcript, &moved).is_empty());
        let patch = "*** Begin Patch\n*** Add File: b.txt\n+x\n*** End Patch\n";
        let applied =
            item(json!({"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "c2"}));
        let told = uses(&mut transcript, &applied);
        assert_eq!(
            told,
            [("apply_patch".to_owned(), vec![Use::Write("b.txt".to_owned())], Some("/srv/other".to_owned()))]
        );
        let local =
            item(json!({"type": "local_shell_call", "call_id": "c3", "status": "completed", "action":
            {"type": "exec", "command": ["bash", "-lc", "pwd"], "working_directory": "/srv", "env": {}}}));
        let told = uses(&mut transcript, &local);
        assert!(
            matches!(&told[0].1[..], [Use::Program { words, cwd: Some(cwd) }] if words[2] == "pwd" && cwd == "/srv"),
            "{told:?}"
        );
        // Older ones have the item by itself.
        let bare = json!({"type": "function_call", "name": "shell", "arguments": r#"{"command": ["ls"]}"#, "call_id": "c4"});
        assert_eq!(uses(&mut transcript, &bare).len(), 1);
        assert!(
            uses(&mut transcript, &item(json!({"type": "function_call_output", "output": "x"}))).is_empty()
        );
    }

    #[test]
    fn hermes_tells_of_its_tools_in_its_messages() {
        let mut transcript =
            Transcript::new(Agent::Hermes, Some("s1".to_owned()), Some("/srv/app".to_owned())).unwrap();
        let call = |name: &str, arguments: &str| json!({"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}});
        let message = json!({"role": "assistant", "content": "", "tool_calls": [
            call("terminal", r#"{"command": "ls -la"}"#), call("write_file", r#"{"path": "c.txt", "content": "hi"}"#),
        ]});
        let told = uses(&mut transcript, &message);
        assert_eq!(told[0], ("terminal".to_owned(), shell("ls -la", None), Some("/srv/app".to_owned())));
        assert_eq!(told[1].1, [Use::Write("c.txt".to_owned())]);
        assert!(
            uses(&mut transcript, &json!({"role": "tool", "tool_calls": [call("terminal", "{}")]}))
                .is_empty()
        );
        // One file for a whole session.
        let whole = json!({"session_id": "s1", "messages": [message]});
        assert_eq!(uses(&mut transcript, &whole).len(), 2);
    }

    #[test]
    fn what_is_no_transcript_tells_of_nothing() {
        for agent in Transcript::AGENTS {
            let mut transcript = Transcript::new(*agent, None, None).unwrap();
            for line in ["", "x", "[]", "7", "{", "{\"a\":"] {
                assert!(transcript.line(line.as_bytes()).is_err(), "{line}");
            }
            for line in [
                "{}",
                r#"{"type":"assistant","message":7}"#,
                r#"{"type":"assistant","message":{"content":[1,{"type":"tool_use"}]}}"#,
                r#"{"type":"response_item","payload":[]}"#,
                r#"{"role":"assistant","tool_calls":{"a":1},"messages":"x"}"#,
            ] {
                assert!(
                    transcript.line(line.as_bytes()).unwrap().iter().all(|past| past.event.is_err()),
                    "{line}"
                );
            }
            let deep = "[".repeat(100_000);
            assert!(transcript.line(format!("{{\"a\":{deep}").as_bytes()).is_err());
        }
        assert!(Transcript::new(Agent::Cursor, None, None).is_none());
    }

    #[test]
    fn a_transcript_is_known_by_how_it_begins() {
        assert_eq!(Transcript::whose(r#"{"type":"user","sessionId":"x"}"#), Some(Agent::ClaudeCode));
        assert_eq!(Transcript::whose(r#"{"type":"session_meta","payload":{}}"#), Some(Agent::Codex));
        assert_eq!(Transcript::whose(r#"{"role":"user"}"#), Some(Agent::Hermes));
        assert_eq!(Transcript::whose("{}"), None);
    }
}
