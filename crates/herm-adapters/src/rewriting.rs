//! Another command in the place of the one that a model wrote.
//!
//! Every agent that was tried matches its own rules against the command that it is handed back, and not against the one that the model wrote.
//! So whoever rewrites must leave the original where those rules see it.

use serde_json::Value;

use crate::event::{Dialect, Event, Phase, Use};

/// What is known of an agent that runs what a hook hands back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rewriting {
    /// The events whose answer can hand something back.
    pub(crate) events: &'static [&'static str],
    /// What is left of the shell that a command runs in.
    pub(crate) keeps: Keeps,
}

/// What is left, for the next command, of the shell that a command runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The directory that it ended in.
    Directory,
    /// Nothing.
    Nothing,
    /// The shell itself.
    Shell,
}

impl Event {
    /// The command that a tool is about to run and its agent waits for; nothing where it is more than one, or not for a shell.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        let [Use::Command { text, dialect: Dialect::Shell, .. }] = self.uses.as_slice() else { return None };
        let is_awaited = self.phase == Phase::Before && !is_detached(&self.input);
        (is_awaited && self.key_of(text).is_some()).then_some(text)
    }

    /// What the tool is given, with another command in the place of its own.
    #[must_use]
    pub fn with_command(&self, text: &str) -> Option<Value> {
        let key = self.key_of(self.command()?)?;
        let mut input = self.input.clone();
        *input.get_mut(key)? = Value::String(text.to_owned());
        Some(input)
    }

    /// The same event about another command: what the tool would have been given if nobody had rewritten it.
    #[must_use]
    pub fn restored(mut self, restore: impl Fn(&str) -> Option<String>) -> Self {
        for one in &mut self.uses {
            if let Use::Command { text, dialect: Dialect::Shell, .. } = one
                && let Some(original) = restore(text)
            {
                *text = original;
            }
        }
        for key in KEYS {
            if let Some(value) = self.input.get_mut(*key)
                && let Some(original) = value.as_str().and_then(&restore)
            {
                *value = Value::String(original);
            }
        }
        self
    }

    /// The one key under which a command stands.
    fn key_of(&self, text: &str) -> Option<&'static str> {
        let fields = self.input.as_object()?;
        let mut there = KEYS.iter().filter(|key| fields.contains_key(**key));
        match (there.next(), there.next()) {
            (Some(key), None) => fields.get(*key)?.as_str().is_some_and(|own| own == text).then_some(*key),
            (_, _) => None,
        }
    }
}

/// Under which keys agents that rewrite hand commands to their tools.
const KEYS: &[&str] = &["cmd", "command"];

/// Whether the agent goes on while the command runs. What is left running is looked at, typed into and ended in ways of its own.
fn is_detached(input: &Value) -> bool {
    let is = |key: &str| input.get(key).is_some_and(|value| *value != Value::Bool(false) && !value.is_null());
    let waits = input.get("mode").is_none_or(|mode| mode == "sync");
    !waits || ["run_in_background", "is_background", "background", "detach", "async"].into_iter().any(is)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Agent, Keeps};

    fn event(agent: Agent, name: &str, input: &serde_json::Value) -> crate::Event {
        let tool = if agent == Agent::Gemini { "run_shell_command" } else { "Bash" };
        let told = json!({"hook_event_name": name, "tool_name": tool, "tool_input": input, "cwd": "/srv"});
        agent.decode(told.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn everything_but_the_command_stays() {
        let input = json!({"command": "make", "description": "builds", "timeout": 5000});
        let told = event(Agent::ClaudeCode, "PreToolUse", &input);
        assert_eq!(
            (told.command(), Agent::ClaudeCode.rewrites(&told)),
            (Some("make"), Some(Keeps::Directory))
        );
        let expected = json!({"command": "x", "description": "builds", "timeout": 5000});
        assert_eq!(told.with_command("x"), Some(expected));
    }

    #[test]
    fn what_is_no_single_command_that_is_waited_for_is_left_alone() {
        for input in
            [json!({"command": "make", "run_in_background": true}), json!({"command": ["make"]}), json!({})]
        {
            let told = event(Agent::ClaudeCode, "PreToolUse", &input);
            assert_eq!((told.command(), told.with_command("x")), (None, None), "{input}");
            assert_eq!(Agent::ClaudeCode.rewrites(&told), None, "{input}");
        }
        let twice = event(Agent::Codex, "PreToolUse", &json!({"command": "make", "cmd": "make"}));
        assert_eq!(twice.with_command("x"), None);
        let asked = event(Agent::ClaudeCode, "PermissionRequest", &json!({"command": "make"}));
        assert_eq!(Agent::ClaudeCode.rewrites(&asked), None);
    }

    #[test]
    fn an_event_about_another_command_is_restored() {
        let told = event(Agent::ClaudeCode, "PostToolUse", &json!({"command": "x make", "timeout": 1}));
        let restored = told.restored(|text| text.strip_prefix("x ").map(str::to_owned));
        assert_eq!(restored.input, json!({"command": "make", "timeout": 1}));
        let same = event(Agent::ClaudeCode, "PostToolUse", &json!({"command": "make", "timeout": 1}));
        assert_eq!(restored, same);
    }

    #[test]
    fn who_asks_nobody_is_believed_where_that_is_what_it_means() {
        for (agent, mode, unasked) in [
            (Agent::ClaudeCode, "bypassPermissions", true),
            (Agent::ClaudeCode, "default", false),
            // It says so in its own sandbox, too, which herm would not work in.
            (Agent::Codex, "bypassPermissions", false),
        ] {
            let told = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "x"},
                              "permission_mode": mode});
            assert_eq!(
                agent.decode(told.to_string().as_bytes()).unwrap().unasked,
                unasked,
                "{agent:?} {mode}"
            );
        }
    }
}
