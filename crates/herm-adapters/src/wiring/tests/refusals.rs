//! Files that are left alone.

use std::path::Path;

use super::super::{Refused, Scope, trust, wiring};
use super::files::{call, wired};
use crate::Agent;

fn refusal(agent: Agent, text: &str) -> Refused {
    wired(agent, Scope::User).remove(0).install(Some(text)).unwrap_err()
}

#[test]
fn json_that_is_not_clear_is_left_alone() {
    for text in [
        "{",
        "[]",
        "{\"hooks\": 1}",
        "{\"hooks\": {\"PreToolUse\": {}}}",
        "{} {}",
        "{'a': 1}",
        "{\"a\": 01}",
        "nonsense",
        "{\"hooks\": null}",
    ] {
        let _ = refusal(Agent::ClaudeCode, text);
    }
    assert_eq!(
        refusal(Agent::ClaudeCode, "{\"hooks\": {}, \"hooks\": {}}"),
        Refused::Duplicate("hooks".to_owned())
    );
    let ours = "{\"command\": \"herm hook claude-code\"}";
    assert_eq!(
        refusal(Agent::ClaudeCode, &format!("{{\"hooks\": {{\"PreToolUse\": [{ours}, {ours}]}}}}")),
        Refused::Twice("hooks.PreToolUse".to_owned())
    );
    let _ = refusal(Agent::ClaudeCode, &"[".repeat(100_000));
}

#[test]
fn yaml_that_is_not_clear_is_left_alone() {
    for text in [
        "- a\n",
        "hooks: 1\n",
        "hooks: [\n",
        "hooks:\n  pre_tool_call:\n    terminal: x\n",
        "a: 1\n---\nb: 2\n",
        "hooks: ~\n",
        "a: 1\n...\n",
        "hooks: {}\nhooks: {}\n",
    ] {
        let _ = refusal(Agent::Hermes, text);
    }
    assert_eq!(refusal(Agent::Hermes, "x: &x {}\nhooks: *x\n"), Refused::Unexpected("hooks".to_owned()));
    assert_eq!(refusal(Agent::Hermes, "hooks: &x {}\ny: *x\n"), Refused::Referred("hooks".to_owned()));
    assert_eq!(refusal(Agent::Hermes, "x: &x {a: 1}\n<<: *x\n"), Refused::Merged);
}

#[test]
fn toml_that_is_not_clear_is_left_alone() {
    let hooks = wired(Agent::Codex, Scope::User).remove(0).install(None).unwrap();
    let trust = trust(&call(Agent::Codex), Scope::User, Path::new("/h"), &hooks).unwrap();
    for text in ["a = ", "hooks = 1\n", "hooks = {}\n", "[hooks]\nstate = {}\n", "a = 1\na = 2\n"] {
        assert!(trust.install(Some(text)).is_err(), "{text}");
    }
    let system = wired(Agent::Codex, Scope::System).remove(0);
    for text in ["features = {}\n", "[features]\nhooks = \"yes\"\n[features.hooks]\n", "features.x = 1\n"] {
        assert!(system.install(Some(text)).is_err(), "{text}");
    }
}

#[test]
fn a_switch_counts_wherever_it_stands() {
    let switches = wiring(Agent::ClaudeCode).switches;
    let is_off = |text: &str| switches.iter().all(|switch| switch.is_off(text));
    assert!(is_off("{\"disableAllHooks\": false, \"disableAllHooks\": true}"));
    assert!(is_off("{\"disableAllHooks\": true, \"disableAllHooks\": false}"));
    assert!(!is_off("{\"disableAllHooks\": false, \"a\": {\"disableAllHooks\": true}}"));
    let [enabled, ..] = wiring(Agent::Gemini).switches else { panic!("Gemini has a switch") };
    assert!(enabled.is_off("{\"hooksConfig\": {}, \"hooksConfig\": {\"enabled\": false}}"));
}
