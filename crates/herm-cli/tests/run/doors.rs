//! Files that agents' tools name, at the doors of agents that were given other names for them than a person would write.

use std::fs;

use serde_json::{Value, json};

use crate::place::Place;
use crate::tickets::ask;

/// A home in which a project lies.
fn place() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.home().join("app")).unwrap();
    fs::write(place.home().join(".bashrc"), "").unwrap();
    place
}

/// What is said of a tool of Claude Code in the project; nothing where it goes on unasked.
fn said(place: &Place, tool: &str, input: &Value) -> Option<String> {
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": place.home().join("app"), "tool_use_id": "t",
                       "permission_mode": "default", "tool_name": tool, "tool_input": input});
    let ran = ask(place, "claude-code", &event);
    assert!(matches!(ran.code, Some(0 | 2)), "{tool} {input}: {ran:?}");
    let text = format!("{}{}", ran.stdout, ran.stderr);
    (!text.is_empty()).then_some(text)
}

#[test]
fn no_blank_around_the_path_of_a_startup_file_hides_it_from_a_tool_that_writes() {
    let place = place();
    let file = place.home().join(".bashrc").to_str().unwrap().to_owned();
    let around = ["", " ", "\t", "\n", "\r\n", "\u{a0}", "\u{3000}", "\u{feff}", "\u{200b}", "\0"];
    for (before, behind) in around.iter().flat_map(|before| around.iter().map(move |behind| (before, behind)))
    {
        for (tool, key) in [("Write", "file_path"), ("Edit", "file_path"), ("NotebookEdit", "notebook_path")]
        {
            for file in [file.as_str(), "../.bashrc", "~/.bashrc"] {
                let path = format!("{before}{file}{behind}");
                let input = json!({key: path, "content": "x", "old_string": "", "new_string": "x", "new_source": "x"});
                let said = said(&place, tool, &input);
                assert!(
                    said.is_some_and(|said| said.contains("block") || said.contains("deny")),
                    "{tool} {path:?}"
                );
            }
        }
    }
    assert_eq!(said(&place, "Write", &json!({"file_path": "notes.md", "content": "x"})), None);
}

#[test]
fn no_door_reads_what_herm_keeps_unasked() {
    let place = place();
    let home = place.home().to_str().unwrap().to_owned();
    let database = format!("{home}/.herm/herm.db");
    let mut calls = vec![
        ("Grep", json!({"pattern": "x", "path": ".."})),
        ("Grep", json!({"pattern": "x", "path": home})),
        ("Grep", json!({"pattern": "x", "path": "/"})),
        ("Grep", json!({"pattern": "x", "path": "../.herm"})),
        ("Grep", json!({"pattern": "x", "path": "..", "glob": "*.db"})),
        ("Grep", json!({"pattern": "x", "path": "..", "glob": "*.{db,jsonl}"})),
        ("Grep", json!({"pattern": "x", "path": "..", "glob": ".herm/**"})),
        ("Bash", json!({"command": "grep -r x .."})),
        ("Bash", json!({"command": "sqlite3 ~/.herm/herm.db .dump"})),
        ("mcp__db__dump", json!({"database": database})),
    ];
    let spellings = [
        database.clone(),
        "../.herm/herm.db".to_owned(),
        "~/.herm/herm.db".to_owned(),
        "$HOME/.herm/herm.db".to_owned(),
        format!("{home}/app/../.herm/./herm.db"),
        format!(" {database}\n"),
        format!("file://{database}"),
    ];
    for path in &spellings {
        calls.push(("Read", json!({"file_path": path})));
        calls.push(("mcp__files__read_file", json!({"path": path})));
        calls.push(("mcp__files__read_multiple_files", json!({"paths": ["notes.md", path]})));
        calls.push(("ReadMcpResourceTool", json!({"server": "files", "uri": path})));
    }
    for (tool, input) in calls {
        assert!(said(&place, tool, &input).is_some(), "{tool} {input}");
    }
    for (tool, input) in [
        ("Grep", json!({"pattern": "x", "path": "..", "glob": "*.md"})),
        ("Grep", json!({"pattern": "x"})),
        ("Read", json!({"file_path": "notes.md"})),
        ("Glob", json!({"pattern": "**/*.db"})),
    ] {
        assert_eq!(said(&place, tool, &input), None, "{tool} {input}");
    }
}
