//! What each agent tells and understands, as it was seen.

use serde_json::{Value, json};

use super::examples::{before, tools};
use crate::event::{Malformed, Phase};
use crate::{Agent, Answer, Event, Reply};

fn decode(agent: Agent, told: &Value) -> Event {
    agent.decode(told.to_string().as_bytes()).unwrap()
}

#[test]
fn every_tool_is_understood_as_what_it_does() {
    for &agent in Agent::ALL {
        for (tool, input, uses) in tools(agent) {
            let event = decode(agent, &before(agent, tool, &input));
            assert_eq!((event.phase, &event.uses), (Phase::Before, &uses), "{agent:?} {tool}");
            assert_eq!(event.session.as_deref(), Some("s1"), "{agent:?}");
        }
    }
}

/// Every agent that was tried blocks on these three parts; see the matrix of facts.
#[test]
fn a_refusal_is_in_the_form_that_was_seen_to_block() {
    let refusal = Answer::Refuse("no".to_owned());
    let universal = Reply {
        stdout: "{\"decision\":\"block\",\"reason\":\"no\"}\n".to_owned(),
        stderr: "no\n".to_owned(),
        exit: 2,
    };
    for &agent in Agent::ALL {
        let (tool, input, _) = tools(agent).remove(0);
        let reply = agent.encode(&decode(agent, &before(agent, tool, &input)), &refusal);
        let said: Value = serde_json::from_str(&reply.stdout).unwrap();
        match agent {
            Agent::Cline => assert_eq!(said, json!({"cancel": true, "errorMessage": "no"})),
            Agent::Copilot => {
                assert_eq!(said, json!({"permissionDecision": "deny", "permissionDecisionReason": "no"}));
                assert_eq!(reply.exit, 2);
            }
            Agent::Cursor => {
                assert_eq!(said["permission"], "deny");
                assert_eq!(reply.exit, 2);
            }
            Agent::ClaudeCode
            | Agent::Codex
            | Agent::Gemini
            | Agent::Goose
            | Agent::Hermes
            | Agent::OpenCode
            | Agent::Pi
            | Agent::Windsurf => assert_eq!(reply, universal, "{agent:?}"),
        }
        assert!(!reply.stderr.trim().is_empty(), "{agent:?}: without words some run the tool");
    }
}

#[test]
fn an_empty_reason_becomes_one() {
    for reason in ["", "  \n"] {
        let reply = Reply::block(reason);
        assert!(reply.stdout.contains("refused by herm") && reply.stderr.contains("refused by herm"));
    }
}

/// Codex runs the tool on `ask`, on a bare `allow` and on any key that it does not know; Hermes on anything but a block.
#[test]
fn only_who_asks_safely_is_told_to_ask() {
    for &agent in Agent::ALL {
        let (tool, input, _) = tools(agent).remove(0);
        let event = decode(agent, &before(agent, tool, &input));
        let asked = agent.encode(&event, &Answer::Ask("sure?".to_owned()));
        let word: Value = serde_json::from_str(&asked.stdout).unwrap();
        if !agent.asks_safely() {
            assert_eq!(asked, agent.encode(&event, &Answer::Refuse("sure?".to_owned())), "{agent:?}");
        } else if agent == Agent::ClaudeCode {
            let decision = json!({"hookEventName": "PreToolUse", "permissionDecision": "ask",
                                  "permissionDecisionReason": "sure?"});
            assert_eq!(word, json!({ "hookSpecificOutput": decision }));
        } else {
            assert_eq!(agent, Agent::Copilot);
            assert_eq!(word, json!({"permissionDecision": "ask", "permissionDecisionReason": "sure?"}));
        }
    }
}

#[test]
fn no_objection_says_nothing_that_would_loosen_the_agents_own_rules() {
    for &agent in Agent::ALL {
        let (tool, input, _) = tools(agent).remove(0);
        let event = decode(agent, &before(agent, tool, &input));
        let passed = agent.encode(&event, &Answer::Pass);
        let expected = match agent {
            Agent::Cline => "{\"cancel\":false}\n",
            Agent::Cursor => "{}\n",
            Agent::OpenCode | Agent::Pi => "{\"decision\":\"allow\"}\n",
            Agent::ClaudeCode
            | Agent::Codex
            | Agent::Copilot
            | Agent::Gemini
            | Agent::Goose
            | Agent::Hermes
            | Agent::Windsurf => "",
        };
        assert_eq!(passed, Reply { stdout: expected.to_owned(), ..Reply::default() }, "{agent:?}");
        let approved = agent.encode(&event, &Answer::Approve);
        assert_eq!(approved.exit, 0, "{agent:?}");
        if matches!(agent, Agent::Codex | Agent::Hermes | Agent::Gemini) {
            assert_eq!(approved.stdout, "", "{agent:?}");
        }
    }
}

/// As each was seen to run it. Only a person's yes is said beside it, but for Codex, which heeds it no other way.
#[test]
fn another_command_is_handed_back_where_the_agent_runs_it_and_nothing_is_loosened() {
    let input = json!({"command": "x"});
    for &agent in Agent::ALL {
        let (tool, given, _) = tools(agent).remove(0);
        let event = decode(agent, &before(agent, tool, &given));
        let said = |approved| {
            let reply = agent.encode(&event, &Answer::Rewrite { input: input.clone(), approved });
            assert_eq!((reply.stderr.as_str(), reply.exit), ("", 0), "{agent:?}");
            serde_json::from_str::<Value>(&reply.stdout).unwrap_or_default()
        };
        let own = |fields: Value| json!({ "hookSpecificOutput": fields });
        let (quiet, approved) = (said(false), said(true));
        match agent {
            Agent::ClaudeCode => {
                assert_eq!(quiet, own(json!({"hookEventName": "PreToolUse", "updatedInput": input})));
                assert_eq!(approved["hookSpecificOutput"]["permissionDecision"], "allow");
                assert_eq!(approved["hookSpecificOutput"]["updatedInput"], input);
            }
            Agent::Codex => {
                let expected = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input});
                assert_eq!((&quiet, &approved), (&own(expected.clone()), &own(expected)));
            }
            Agent::Copilot => {
                assert_eq!(quiet, json!({"modifiedArgs": input}));
                assert_eq!(approved["permissionDecision"], "allow");
            }
            Agent::Gemini => {
                assert_eq!(quiet, own(json!({"hookEventName": "BeforeTool", "tool_input": input})));
            }
            Agent::OpenCode => assert_eq!(quiet, json!({"decision": "allow", "args": input})),
            Agent::Cline | Agent::Cursor | Agent::Goose | Agent::Hermes | Agent::Pi | Agent::Windsurf => {
                assert_eq!(agent.rewrites(&event), None, "{agent:?}");
            }
        }
    }
}

#[test]
fn a_permission_that_is_asked_for_is_answered_in_its_own_form() {
    let told =
        json!({"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    for agent in [Agent::ClaudeCode, Agent::Codex] {
        let event = decode(agent, &told);
        let said = |answer: &Answer| serde_json::from_str::<Value>(&agent.encode(&event, answer).stdout);
        let decision = |decision: Value| json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}});
        let refused = said(&Answer::Refuse("no".to_owned())).unwrap();
        assert_eq!(refused, decision(json!({"behavior": "deny", "message": "no"})));
        assert_eq!(said(&Answer::Approve).unwrap(), decision(json!({"behavior": "allow"})));
    }
}

#[test]
fn results_are_replaced_where_the_agent_lets_them() {
    let claude = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"},
                        "tool_response": {"stdout": "x", "stderr": "", "interrupted": false}});
    let event = decode(Agent::ClaudeCode, &claude);
    assert_eq!((event.phase, event.failed), (Phase::After, false));
    let clean = Answer::Replace(json!({"stdout": "y"}), Some("again".to_owned()));
    let said: Value = serde_json::from_str(&Agent::ClaudeCode.encode(&event, &clean).stdout).unwrap();
    assert_eq!(said["hookSpecificOutput"]["updatedToolOutput"], json!({"stdout": "y"}));
    assert_eq!(said["hookSpecificOutput"]["additionalContext"], "again");
    let gemini = json!({"hook_event_name": "AfterTool", "tool_name": "run_shell_command", "tool_input": {},
                        "tool_response": {"llmContent": "x"}});
    let event = decode(Agent::Gemini, &gemini);
    let said: Value = serde_json::from_str(
        &Agent::Gemini.encode(&event, &Answer::Replace(json!({"llmContent": "y"}), None)).stdout,
    )
    .unwrap();
    assert_eq!(said["decision"], "deny");
    assert!(said["reason"].as_str().unwrap().ends_with("\ny"));
    for &agent in Agent::ALL.iter().filter(|agent| !agent.replaces_results()) {
        let (tool, input, _) = tools(agent).remove(0);
        let mut event = decode(agent, &before(agent, tool, &input));
        event.phase = Phase::After;
        assert!(!agent.encode(&event, &clean).stdout.contains("stdout"), "{agent:?}");
    }
}

#[test]
fn copilot_tells_without_a_name_what_has_happened() {
    let told = |more: Value| {
        let mut event = json!({"sessionId": "s1", "timestamp": 1, "cwd": "/srv/app"});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let spoken = decode(Agent::Copilot, &told(json!({"prompt": "go on"})));
    assert!(spoken.begins_turn() && spoken.uses.is_empty());
    assert_eq!(Agent::Copilot.encode(&spoken, &Answer::Pass), Reply::default());
    let ended = |text: &str| {
        let result = json!({"resultType": "success", "textResultForLlm": text});
        told(json!({"toolName": "bash", "toolArgs": {"command": "ls"}, "toolResult": result}))
    };
    for (text, failed) in [
        ("\n<shellId: 0 completed with exit code 0>", false),
        ("no\n<shellId: 12 completed with exit code 101>", true),
        ("<shellId: 1 completed with exit code 1>\nand on\n<shellId: 2 completed with exit code 0>", false),
        ("nothing of the kind", false),
    ] {
        let event = decode(Agent::Copilot, &ended(text));
        assert_eq!((event.phase, event.failed), (Phase::After, failed), "{text}");
    }
    for more in
        [json!({}), json!({"prompt": "x", "toolArgs": {}}), json!({"prompt": "x", "tool_name": "bash"})]
    {
        assert!(Agent::Copilot.decode(told(more.clone()).to_string().as_bytes()).is_err(), "{more}");
    }
}

#[test]
fn shims_tell_that_a_person_has_spoken() {
    for (agent, name) in [(Agent::OpenCode, "chat.message"), (Agent::Pi, "before_agent_start")] {
        let event = decode(agent, &json!({"event": name, "session": "s1"}));
        assert!(event.begins_turn() && event.uses.is_empty(), "{agent:?}");
        assert_eq!(agent.encode(&event, &Answer::Pass).stdout, "{\"decision\":\"allow\"}\n");
        assert!(agent.shim("/usr/bin/herm").unwrap().contains(name), "{agent:?}");
    }
}

#[test]
fn failures_are_told_where_they_can_be() {
    let hermes = |result: &str| {
        json!({"hook_event_name": "post_tool_call", "tool_name": "terminal", "tool_input": {"command": "x"},
               "extra": {"result": result}})
    };
    assert!(decode(Agent::Hermes, &hermes(r#"{"output": "", "exit_code": 1, "error": null}"#)).failed);
    assert!(!decode(Agent::Hermes, &hermes(r#"{"output": "", "exit_code": 0, "error": null}"#)).failed);
    let failed =
        json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {}, "error": "x"});
    assert!(decode(Agent::ClaudeCode, &failed).failed);
}

#[test]
fn the_model_is_told_of_secrets_that_a_failure_shows() {
    let failed = json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {}, "error": "KEY"});
    let event = decode(Agent::ClaudeCode, &failed);
    for (warning, end) in [(None, "tell the person."), (Some("Again.".to_owned()), "\nAgain.")] {
        let reply = Agent::ClaudeCode.encode(&event, &Answer::Replace(json!("[REDACTED]"), warning));
        let said: Value = serde_json::from_str(&reply.stdout).unwrap();
        let context = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert!(context.contains("holds secrets") && context.ends_with(end), "{context}");
        assert!(!reply.stdout.contains("updatedToolOutput"));
    }
}

#[test]
fn what_is_not_understood_is_an_error_for_every_agent() {
    for &agent in Agent::ALL {
        for told in ["", "{}", "[]", "null", "{\"a\":1,\"a\":2}", "{\"hook_event_name\":\"Frobnicate\"}"] {
            assert!(agent.decode(told.as_bytes()).is_err(), "{agent:?} {told}");
        }
        let (tool, input, _) = tools(agent).remove(0);
        let whole = before(agent, tool, &input).to_string();
        let twice = whole.replacen('{', "{\"cwd\":\"/elsewhere\",\"cwd\":\"/srv\",", 1);
        assert!(matches!(agent.decode(twice.as_bytes()), Err(Malformed::NotJson(_))), "{agent:?}");
    }
}

#[test]
fn what_contradicts_itself_is_an_error_where_a_tool_is_about_to_run() {
    let run = json!({"command": "rm -rf /"});
    let copilot = |more: Value| {
        let mut told = json!({"sessionId": "s", "cwd": "/srv", "toolName": "bash", "toolArgs": run});
        told.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (Agent::Copilot, told)
    };
    let cline = |name: &str| {
        let about = json!({"toolName": "execute_command", "parameters": run});
        (Agent::Cline, json!({"hookName": name, "preToolUse": about}))
    };
    let goose = |one: &str, other: &str| {
        (
            Agent::Goose,
            json!({"event": one, "hook_event_name": other, "tool_name": "shell", "tool_input": run}),
        )
    };
    for (agent, told) in [
        copilot(json!({"tool_name": "update_todo"})),
        copilot(json!({"tool_input": {"command": "ls"}})),
        copilot(json!({"toolResult": {}})),
        copilot(json!({"toolResult": "done"})),
        copilot(json!({"hookName": "notification"})),
        copilot(json!({"hookName": "postToolUse", "hook_event_name": "preToolUse"})),
        cline("TaskStart"),
        cline("PostToolUse"),
        goose("Stop", "PreToolUse"),
        goose("PreToolUse", "Stop"),
    ] {
        assert!(agent.decode(told.to_string().as_bytes()).is_err(), "{told}");
    }
    let after = json!({"resultType": "success", "textResultForLlm": "x"});
    for (agent, told) in [
        copilot(json!({})),
        copilot(json!({"tool_name": "bash", "tool_input": run})),
        copilot(json!({"toolResult": after})),
        cline("PreToolUse"),
        goose("PreToolUse", "PreToolUse"),
    ] {
        assert!(agent.decode(told.to_string().as_bytes()).is_ok(), "{told}");
    }
}

#[test]
fn what_is_of_the_wrong_kind_is_not_as_good_as_absent() {
    for &agent in Agent::ALL {
        let (tool, input, _) = tools(agent).remove(0);
        let whole = before(agent, tool, &input);
        for (part, value) in [
            ("cwd", json!(5)),
            ("working_dir", json!(["/"])),
            ("session_id", json!({})),
            ("workspaceRoots", json!("/")),
            ("workspace_roots", json!([1])),
            ("mcp_context", json!("x")),
        ] {
            let mut told = whole.clone();
            told[part] = value;
            let wrong = agent.decode(told.to_string().as_bytes());
            assert_eq!(wrong, Err(Malformed::Lacks(part)), "{agent:?} {told}");
            told[part] = Value::Null;
            assert!(agent.decode(told.to_string().as_bytes()).is_ok(), "{agent:?} {told}");
        }
    }
    let told = before(Agent::Hermes, "terminal", &json!({"command": "rm -rf *", "workdir": ["/"]}));
    assert_eq!(Agent::Hermes.decode(told.to_string().as_bytes()), Err(Malformed::Lacks("workdir")));
}

/// Whatever is told, decoding ends with an event or an error, and every event has an answer.
#[test]
fn no_input_makes_decoding_panic() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for &agent in Agent::ALL {
        for (tool, input, uses) in tools(agent) {
            let whole = before(agent, tool, &input).to_string().into_bytes();
            let name = decode(agent, &before(agent, tool, &input)).tool;
            for _ in 0..400 {
                let told = chance.spoil(&whole);
                let Ok(event) = agent.decode(&told) else { continue };
                // To type nothing is nothing.
                let acts = !uses.is_empty()
                    && event.tool == name
                    && !["write_bash", "write_stdin"].contains(&name.as_str());
                assert!(
                    !acts || event.phase != Phase::Before || !event.uses.is_empty(),
                    "{agent:?} {}",
                    String::from_utf8_lossy(&told)
                );
                for answer in [Answer::Pass, Answer::Refuse(String::new()), Answer::Ask("x".to_owned())] {
                    let reply = agent.encode(&event, &answer);
                    let blocked = event.phase == Phase::Before && answer == Answer::Refuse(String::new());
                    assert!(!blocked || !reply.stdout.is_empty(), "{agent:?}");
                }
            }
        }
    }
}

/// A small source of numbers, the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below.max(1)).unwrap()).unwrap()
    }

    /// The same with bytes changed, taken out, doubled, or a value put in the place of another.
    fn spoil(&mut self, whole: &[u8]) -> Vec<u8> {
        let mut told = whole.to_vec();
        for _ in 0..=self.next(3) {
            let at = self.next(told.len());
            let (front, back) = told.split_at(at);
            let values: [&[u8]; 8] = [b"null", b"[]", b"{}", b"7", b"\"\"", b"\"x\"", b"[[1]]", b"\xff"];
            let rest = back.split_at(back.len().min(self.next(12))).1;
            told = match self.next(3) {
                0 => [front, rest].concat(),
                1 => [front, values.get(self.next(8)).copied().unwrap_or_default(), rest].concat(),
                _ => [front, back, back].concat(),
            };
        }
        told
    }
}
