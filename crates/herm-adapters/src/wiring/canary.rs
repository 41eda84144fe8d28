//! A call that must be refused, told as each agent tells it, and whether the answer would stop that agent.

use serde_json::{Value, json};

use crate::Agent;

/// What nobody may do. It is judged and never run; if it were, there is no such device.
pub const COMMAND: &str = "mkfs.ext4 -F /dev/herm-canary";

/// The event in which an agent would tell of it.
#[must_use]
pub fn event(agent: Agent, cwd: &str) -> String {
    let input = json!({ "command": COMMAND });
    let told = match agent {
        Agent::ClaudeCode | Agent::Codex => json!({
            "session_id": "herm-doctor",
            "transcript_path": null,
            "cwd": cwd,
            "hook_event_name": "PreToolUse",
            "permission_mode": "default",
            "tool_name": "Bash",
            "tool_input": input,
            "tool_use_id": "herm-doctor",
        }),
        Agent::Cline => json!({
            "clineVersion": "0.0.0",
            "hookName": "PreToolUse",
            "taskId": "herm-doctor",
            "workspaceRoots": [cwd],
            "preToolUse": { "toolName": "execute_command", "parameters": input },
        }),
        Agent::Copilot => json!({
            "sessionId": "herm-doctor",
            "timestamp": 0,
            "cwd": cwd,
            "toolName": "bash",
            "toolArgs": input,
        }),
        Agent::Cursor => json!({
            "conversation_id": "herm-doctor",
            "generation_id": "herm-doctor",
            "hook_event_name": "beforeShellExecution",
            "workspace_roots": [cwd],
            "command": COMMAND,
            "cwd": cwd,
        }),
        Agent::Gemini => json!({
            "session_id": "herm-doctor",
            "transcript_path": "",
            "cwd": cwd,
            "hook_event_name": "BeforeTool",
            "timestamp": "1970-01-01T00:00:00.000Z",
            "tool_name": "run_shell_command",
            "tool_input": input,
        }),
        Agent::Goose => json!({
            "event": "PreToolUse",
            "session_id": "herm-doctor",
            "tool_name": "developer__shell",
            "tool_input": input,
            "working_dir": cwd,
            "tool_call_id": "herm-doctor",
        }),
        Agent::Hermes => json!({
            "hook_event_name": "pre_tool_call",
            "tool_name": "terminal",
            "tool_input": input,
            "session_id": "herm-doctor",
            "cwd": cwd,
            "extra": {},
        }),
        Agent::OpenCode => json!({
            "event": "tool.execute.before",
            "tool": "bash",
            "session": "herm-doctor",
            "id": "herm-doctor",
            "args": input,
            "cwd": cwd,
        }),
        Agent::Pi => json!({
            "event": "tool_call",
            "tool": "bash",
            "session": "herm-doctor",
            "id": "herm-doctor",
            "args": input,
            "cwd": cwd,
        }),
        Agent::Windsurf => json!({
            "agent_action_name": "pre_run_command",
            "trajectory_id": "herm-doctor",
            "execution_id": "herm-doctor",
            "tool_info": { "command_line": COMMAND, "cwd": cwd },
        }),
    };
    told.to_string()
}

/// What a hook said.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// How it ended; nothing when it was killed.
    pub exit: Option<i32>,
    /// What it printed.
    pub stdout: &'a [u8],
    /// What it complained.
    pub stderr: &'a [u8],
}

/// Whether the agent would not run the tool after this answer. What other agents take for a refusal does not count.
#[must_use]
pub fn is_refused(agent: Agent, heard: Heard<'_>) -> bool {
    let answer: Value = serde_json::from_slice(heard.stdout).unwrap_or(Value::Null);
    let says = |path: &str, words: &[&str]| {
        answer.pointer(path).and_then(Value::as_str).is_some_and(|word| words.contains(&word))
    };
    let ended = |code: i32| heard.exit == Some(code);
    let denied = ended(0) && says("/hookSpecificOutput/permissionDecision", &["deny"]);
    match agent {
        Agent::ClaudeCode => ended(2) || denied || ended(0) && says("/decision", &["block"]),
        Agent::Cline => answer.get("cancel") == Some(&Value::Bool(true)),
        // A reason must be given.
        Agent::Codex => {
            ended(2) && !heard.stderr.trim_ascii().is_empty()
                || denied
                || ended(0) && says("/decision", &["block"])
        }
        Agent::Copilot => heard.exit.is_some_and(|code| code != 0) || says("/permissionDecision", &["deny"]),
        Agent::Cursor => ended(2) || says("/permission", &["deny"]),
        Agent::Gemini => ended(2) || ended(0) && says("/decision", &["block", "deny"]),
        Agent::Goose => ended(2) || says("/decision", &["block"]),
        // How it ends says nothing to this one.
        Agent::Hermes => says("/action", &["block"]) || says("/decision", &["block"]),
        Agent::OpenCode | Agent::Pi => !(ended(0) && says("/decision", &["allow"])),
        Agent::Windsurf => ended(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;

    fn refused(agent: Agent, exit: i32, stdout: &str, stderr: &str) -> bool {
        is_refused(agent, Heard { exit: Some(exit), stdout: stdout.as_bytes(), stderr: stderr.as_bytes() })
    }

    #[test]
    fn what_stops_one_agent_does_not_stop_another() {
        let deny = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}"#;
        assert!(refused(Agent::ClaudeCode, 0, deny, ""));
        assert!(!refused(Agent::Hermes, 0, deny, ""));
        assert!(!refused(Agent::Gemini, 0, deny, ""));
        assert!(!refused(Agent::Codex, 2, "", " \n"));
        assert!(refused(Agent::Codex, 2, "", "no"));
        assert!(!refused(Agent::Hermes, 2, "", "no"));
        assert!(!refused(Agent::Copilot, 0, r#"{"decision":"block"}"#, ""));
    }

    #[test]
    fn every_agent_is_understood_and_its_refusal_is_one() {
        for agent in Agent::ALL {
            let event = agent.decode(event(*agent, "/srv/app").as_bytes()).unwrap();
            let commands: Vec<_> = event.uses.iter().map(|used| format!("{used:?}")).collect();
            assert!(commands.iter().any(|used| used.contains(COMMAND)), "{agent:?}: {commands:?}");
            let reply = agent.encode(&event, &Answer::Refuse("no".to_owned()));
            assert!(refused(*agent, i32::from(reply.exit), &reply.stdout, &reply.stderr), "{agent:?}");
            let reply = agent.encode(&event, &Answer::Pass);
            assert!(!refused(*agent, i32::from(reply.exit), &reply.stdout, &reply.stderr), "{agent:?}");
        }
    }

    #[test]
    fn silence_stops_nobody_but_our_own() {
        for agent in Agent::ALL {
            let is_own = matches!(agent, Agent::OpenCode | Agent::Pi);
            assert_eq!(refused(*agent, 0, "", ""), is_own, "{agent:?}");
        }
    }

    #[test]
    fn a_universal_refusal_stops_all_that_were_tried() {
        let block = r#"{"decision":"block","reason":"no"}"#;
        for agent in [Agent::ClaudeCode, Agent::Codex, Agent::Gemini, Agent::Copilot, Agent::Hermes] {
            assert!(refused(agent, 2, block, "no"), "{agent:?}");
        }
    }
}
