//! Files as people keep them: what exactly comes of them.

use std::path::Path;

use super::super::command::{Added, Call};
use super::super::edit::Format;
use super::super::entry::Entry;
use super::super::{Edit, Piece, Scope, pieces, trust};
use crate::Agent;

pub(super) fn wired(agent: Agent, scope: Scope) -> Vec<Piece> {
    pieces(&call(agent), scope, Path::new("/home/ann/cfg"))
}

pub(super) fn call(agent: Agent) -> Call {
    Call { agent, program: "/usr/bin/herm".to_owned(), herm_home: None, added: Added::default() }
}

fn only(agent: Agent, scope: Scope) -> Piece {
    let [piece] = <[Piece; 1]>::try_from(wired(agent, scope)).unwrap();
    piece
}

/// What is written for the event before a tool alone: where something stands does not depend on how much it is.
pub(super) fn first(mut piece: Piece) -> Piece {
    if let Edit::Entries { entries, .. } = &mut piece.edit {
        entries.retain(|entry| match entry {
            Entry::Item { list, .. } => list.last().is_some_and(|name| BEFORE.contains(&name.as_str())),
            Entry::Value { .. } => true,
        });
    }
    piece
}

const BEFORE: [&str; 2] = ["PreToolUse", "pre_tool_call"];

/// The same for a file in which comments may stand.
fn commented() -> Piece {
    let mut piece = first(only(Agent::Codex, Scope::User));
    if let Edit::Entries { format, .. } = &mut piece.edit {
        *format = Format::Json;
    }
    piece
}

/// In gives `after`; again changes nothing; out gives the same bytes back.
fn round(piece: &Piece, before: &str, after: &str) {
    let installed = piece.install(Some(before)).unwrap();
    assert_eq!(installed, after, "{before:?}");
    assert_eq!(piece.install(Some(&installed)).as_deref(), Ok(after), "again: {before:?}");
    assert!(piece.is_current(&installed) && piece.is_present(&installed));
    let removed = piece.remove(&installed, Some(before)).unwrap();
    assert_eq!(removed.as_deref(), Some(before), "out");
    assert!(!piece.is_present(before) && !piece.is_current(before));
}

#[test]
fn json_keeps_comments_commas_and_indents() {
    let piece = commented();
    round(
        &piece,
        "// mine\n{\n\t\"model\": \"opus\", // the big one\n\t/* none */\n}\n",
        "// mine\n{\n\t\"model\": \"opus\", // the big one\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"*\",\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"/usr/bin/herm hook codex --deadline 3540 || exit 2\",\n\t\t\t\t\t\t\"timeout\": 3600\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t},\n\t/* none */\n}\n",
    );
}

#[test]
fn json_stands_behind_the_hooks_of_others() {
    let piece = commented();
    let ours = r#"{"matcher": "*", "hooks": [{"type": "command", "command": "/usr/bin/herm hook codex --deadline 3540 || exit 2", "timeout": 3600}]}"#;
    round(
        &piece,
        "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[]}],\"Stop\":[]}}",
        &format!(
            "{{\"hooks\":{{\"PreToolUse\":[{{\"matcher\":\"Bash\",\"hooks\":[]}}, {ours}],\"Stop\":[]}}}}"
        ),
    );
    round(&piece, "{\"hooks\":{\"PreToolUse\":[ ]}}", &format!("{{\"hooks\":{{\"PreToolUse\":[{ours} ]}}}}"));
    round(
        &piece,
        "{\r\n  \"hooks\": { \"PreToolUse\": [ 1 /* one */ ] }\r\n}",
        &format!("{{\r\n  \"hooks\": {{ \"PreToolUse\": [ 1, /* one */ {ours} ] }}\r\n}}"),
    );
}

#[test]
fn files_that_hold_nothing_are_that_again() {
    for piece in Agent::ALL.iter().flat_map(|agent| wired(*agent, Scope::User)) {
        for before in ["", "\n", " \n\n"] {
            let Ok(after) = piece.install(Some(before)) else { continue };
            assert!(piece.is_current(&after), "{piece:?}\n{after}");
            let out = piece.remove(&after, Some(before)).unwrap();
            assert!(out.as_deref() == Some(before) || out.is_none(), "{piece:?}: {out:?}");
        }
    }
}

#[test]
fn braces_with_nothing_in_them_stay_as_they_were_written() {
    let piece = commented();
    for before in [
        "{}",
        "{ }\n",
        "{\n}\n",
        "\u{feff}{}\r\n",
        "{ /* later */ }",
        "{ // later\n}\n",
        "{\n  // a\n  // b\n}\n",
    ] {
        let after = piece.install(Some(before)).unwrap();
        assert_eq!(piece.install(Some(&after)).as_ref(), Ok(&after));
        assert_eq!(piece.remove(&after, Some(before)).unwrap().as_deref(), Some(before), "{after}");
    }
}

#[test]
fn codex_trusts_by_number_and_hash() {
    let piece = first(only(Agent::Codex, Scope::User));
    let before = "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"x\", \"hooks\": []}]}}\n";
    let hooks = piece.install(Some(before)).unwrap();
    let trust = trust(&call(Agent::Codex), Scope::User, Path::new("/home/ann/cfg"), &hooks).unwrap();
    let config = "# mine\nmodel = \"x\" # y\n\n[features]\nweb = true";
    let after = trust.install(Some(config)).unwrap();
    let (kept, added) = after.split_once("web = true\n\n").unwrap();
    assert_eq!(kept, "# mine\nmodel = \"x\" # y\n\n[features]\n");
    let (header, hash) = added.split_once('\n').unwrap();
    assert_eq!(header, "[hooks.state.\"/home/ann/cfg/hooks.json:pre_tool_use:1:0\"]");
    assert!(
        hash.starts_with("trusted_hash = \"sha256:") && hash.len() == 25 + 64 + "\"\n".len() - 2,
        "{hash}"
    );
    round(&trust, config, &after);
}

#[test]
fn codex_is_pinned_for_the_system() {
    let piece = first(only(Agent::Codex, Scope::System));
    let ours = "\n[[hooks.PreToolUse]]\nmatcher = \"*\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"/usr/bin/herm hook codex --deadline 3540 || exit 2\"\ntimeout = 3600\n";
    round(&piece, "a = 1\n", &format!("a = 1\n\n[features]\nhooks = true\n{ours}"));
    round(
        &piece,
        "[features] # few\nother = 1\n\n[x]\n",
        &format!("[features] # few\nhooks = true\nother = 1\n\n[x]\n{ours}"),
    );
    round(
        &piece,
        "[features]\r\nhooks = false # no\r\n",
        &format!("[features]\r\nhooks = true # no\r\n{}", ours.replace('\n', "\r\n")),
    );
}

#[test]
fn codex_and_hermes_are_told_of_what_came_of_it() {
    for (agent, deadline) in [(Agent::Codex, 3540), (Agent::Hermes, 270)] {
        let text = only(agent, Scope::User).install(None).unwrap();
        let line = format!("herm hook {} --deadline {deadline}", agent.word());
        assert_eq!(text.matches(&line).count(), 3, "{text}");
        let trust = trust(&call(agent), Scope::User, Path::new("/h"), &text).unwrap();
        let consent = trust.install(None).unwrap();
        let marks = if agent == Agent::Codex { "trusted_hash" } else { "\"event\"" };
        assert_eq!(consent.matches(marks).count(), 3, "{consent}");
    }
}

#[test]
fn claude_code_is_asked_before_and_told_after() {
    let text = only(Agent::ClaudeCode, Scope::User).install(None).unwrap();
    assert_eq!(text.matches("herm hook claude-code --deadline 3540").count(), 4);
    let (before, after) = text.split_once("\"PostToolUse\"").unwrap();
    assert!(before.contains("\"onFailure\": \"block\"") && !after.contains("onFailure"), "{text}");
    assert!(text.contains("\"timeout\": 3600"));
}

#[test]
fn gemini_is_pinned_for_the_system_only() {
    let user = only(Agent::Gemini, Scope::User).install(Some("")).unwrap();
    let system =
        only(Agent::Gemini, Scope::System).install(Some("{\"hooksConfig\": {\"enabled\": false}}")).unwrap();
    assert!(user.contains("\"timeout\": 3600000") && !user.contains("hooksConfig"));
    assert!(system.starts_with("{\"hooksConfig\": {\"enabled\": true}, \"hooks\": {\"BeforeTool\": ["));
    let back =
        only(Agent::Gemini, Scope::System).remove(&system, Some("{\"hooksConfig\": {\"enabled\": false}}"));
    assert_eq!(back.unwrap().as_deref(), Some("{\"hooksConfig\": {\"enabled\": false}}"));
}

#[test]
fn hermes_keeps_comments_and_goes_first() {
    let piece = first(only(Agent::Hermes, Scope::User));
    let said = call(Agent::Hermes).line().replace('\\', "\\\\").replace('"', "\\\"");
    let ours = |indent: &str| format!("{indent}- command: \"{said}\"\n{indent}  timeout: 300\n");
    round(&piece, "model: x # y", &format!("model: x # y\nhooks:\n  pre_tool_call:\n{}", ours("    ")));
    round(
        &piece,
        "# top\nhooks: # mine\n    # below\n    post_tool_call: []\nmodel: é\n",
        &format!(
            "# top\nhooks: # mine\n    # below\n    pre_tool_call:\n{}    post_tool_call: []\nmodel: é\n",
            ours("      ")
        ),
    );
    round(
        &piece,
        "hooks:\n  pre_tool_call:\n  # first\n  - matcher: terminal\n    command: /x\n# end\n",
        &format!(
            "hooks:\n  pre_tool_call:\n  # first\n{}  - matcher: terminal\n    command: /x\n# end\n",
            ours("  ")
        ),
    );
    round(&piece, "hooks:\nmodel: x\n", &format!("hooks:\n  pre_tool_call:\n{}model: x\n", ours("    ")));
    round(
        &piece,
        "hooks:\n  pre_tool_call: # none\nmodel: x\n",
        &format!("hooks:\n  pre_tool_call: # none\n{}model: x\n", ours("    ")),
    );
    let flow = format!("{{command: \"{said}\", timeout: 300}}");
    round(&piece, "hooks: {} # none\n", &format!("hooks: {{pre_tool_call: [{flow}]}} # none\n"));
    round(&piece, "hooks: {a: [1]}\n", &format!("hooks: {{pre_tool_call: [{flow}], a: [1]}}\n"));
    round(&piece, "hooks: {pre_tool_call: [ ]}\n", &format!("hooks: {{pre_tool_call: [{flow} ]}}\n"));
}

#[test]
fn lines_may_end_otherwise() {
    let piece = only(Agent::Hermes, Scope::User);
    let before = "model: x\r\nhooks:\r\n  a: 1\r\n";
    let after = piece.install(Some(before)).unwrap();
    assert!(!after.replace("\r\n", "").contains('\n'));
    round(&piece, before, &after);
}

#[test]
fn a_newer_herm_changes_its_own_entry_only() {
    for (agent, before) in [
        (Agent::Codex, "{\n  \"a\": [1,2], \"hooks\": {\"PreToolUse\": [\n    {\"hooks\": []}\n  ]}\n}\n"),
        (Agent::Hermes, "a: 1\nhooks:\n  pre_tool_call:\n    - command: /x\n# end\n"),
        (Agent::Hermes, "hooks: {pre_tool_call: [{command: /x}]}\n"),
    ] {
        let old = first(only(agent, Scope::User)).install(Some(before)).unwrap();
        let call = Call {
            agent,
            program: "/opt/it's new/herm".to_owned(),
            herm_home: None,
            added: Added::default(),
        };
        let newer = first(pieces(&call, Scope::User, Path::new("/home/ann/cfg")).remove(0));
        assert!(newer.is_present(&old) && !newer.is_current(&old));
        let new = newer.install(Some(&old)).unwrap();
        assert!(newer.is_current(&new), "{new}");
        assert_eq!(newer.commands(&new), [call.line()]);
        assert_eq!(newer.remove(&new, Some(before)).unwrap().as_deref(), Some(before), "{new}");
    }
}

#[test]
fn what_was_added_in_between_stays() {
    let piece = only(Agent::ClaudeCode, Scope::User);
    let after = piece.install(None).unwrap();
    let edited = after.replacen('{', "{\n  \"model\": \"x\",", 1);
    assert_eq!(piece.remove(&edited, Some("")).unwrap().as_deref(), Some("{\n  \"model\": \"x\"\n}\n"));
    let piece = first(only(Agent::Hermes, Scope::User));
    let after = piece.install(Some("a: 1\n")).unwrap();
    let edited = format!("{after}  post_tool_call: []\nb: 2\n");
    let out = piece.remove(&edited, Some("a: 1\n")).unwrap();
    assert_eq!(out.as_deref(), Some("a: 1\nhooks:\n  post_tool_call: []\nb: 2\n"));
}

#[test]
fn what_others_put_into_our_group_stays() {
    let piece = only(Agent::ClaudeCode, Scope::User);
    let shared = r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"command": "x"}, {"command": "/usr/bin/herm hook claude-code"}]}]}}"#;
    assert!(piece.install(Some(shared)).is_err());
    assert_eq!(
        piece.remove(shared, None).unwrap().as_deref(),
        Some(r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"command": "x"}]}]}}"#)
    );
}

#[test]
fn a_file_of_ones_own_is_written_whole_and_nobody_elses_is_touched() {
    for agent in [Agent::OpenCode, Agent::Pi, Agent::Cline] {
        let piece = only(agent, Scope::User);
        let text = piece.install(None).unwrap();
        assert_eq!(piece.commands(&text), [call(agent).line()], "{text}");
        assert!(!text.contains('@'), "{text}");
        assert_eq!(piece.remove(&text, Some("")), Ok(None));
        assert!(piece.install(Some("export default 1\n")).is_err());
        assert_eq!(piece.remove("mine\n", None).unwrap().as_deref(), Some("mine\n"));
    }
}

#[test]
fn hermes_trust_may_say_more() {
    let trust = trust(&call(Agent::Hermes), Scope::User, Path::new("/h"), "").unwrap();
    let line = call(Agent::Hermes).line();
    let one = |event: &str| serde_json::json!({"event": event, "command": line, "approved_at": "x"});
    let text = format!(
        "{{\"approvals\": [{}, {}, {}]}}",
        one("pre_llm_call"),
        one("pre_tool_call"),
        one("post_tool_call")
    );
    assert!(trust.is_current(&text));
    assert_eq!(trust.install(Some(&text)).as_ref(), Ok(&text));
    let lacking = format!("{{\"approvals\": [{}]}}", one("pre_tool_call"));
    assert!(!trust.is_current(&lacking));
    let whole = trust.install(Some(&lacking)).unwrap();
    assert!(trust.is_current(&whole), "{whole}");
    assert_eq!(
        trust.remove(&whole, Some("{\"approvals\": []}")).unwrap().as_deref(),
        Some("{\"approvals\": []}")
    );
}
