//! Texts that are commands though nothing says so, and words that are none.

use serde_json::json;

use super::super::*;

/// What is perhaps run.
fn perhaps(name: &str, input: &Value) -> Vec<String> {
    let actions = deeds(tool(&format!("s/{name}"), input), input, Direction::Writes);
    let tools =
        actions.iter().filter_map(|action| if let Action::Tool(tool) = action { Some(tool) } else { None });
    tools.flat_map(|tool| tool.perhaps().iter().map(|exec| exec.text.clone())).collect()
}

#[test]
fn what_is_a_command_is_one_under_whichever_key() {
    for input in [
        json!({"c": "rm -rf /"}),
        json!({"payload": {"items": [{"v": "rm -rf /"}]}}),
        json!({"c": ["rm", "-rf", "/"]}),
        json!({"c": json!({"d": "rm -rf /"}).to_string()}),
        json!({"string": "rm -rf /"}),
    ] {
        assert_eq!(perhaps("call", &input), ["rm -rf /"], "{input}");
    }
    for text in ["cd /tmp && rm -rf /", "sudo rm -rf /", "if true; then\n  rm -rf /\nfi", "FOO=1 rm -rf /"] {
        assert_eq!(perhaps("call", &json!({ "c": text })), [text]);
    }
    let long = format!("echo {}; rm -rf /", "word ".repeat(1000));
    assert_eq!(perhaps("call", &json!({ "c": long })), [long.as_str()]);
    let solid = format!("echo {}; rm -rf /", "x".repeat(5000));
    assert_eq!(perhaps("call", &json!({ "c": solid })), [solid.as_str()]);
}

#[test]
fn words_are_no_command_whatever_is_in_them() {
    for text in PROSE {
        assert_eq!(perhaps("call", &json!({ "c": text })), Vec::<String>::new(), "{text}");
    }
    for (name, input) in [
        ("create_file", json!({"path": "a.sh", "content": "rm -rf /"})),
        ("create_issue", json!({"title": "rm -rf / is slow", "body": "rm -rf /"})),
        ("send_message", json!({"text": "rm -rf /"})),
        ("search", json!({"q": "rm -rf /"})),
        ("explain", json!({"c": "rm -rf /"})),
        ("query", json!({"query": "SELECT * FROM users; DROP TABLE users"})),
        ("call", json!({"env": {"c": "rm -rf /"}})),
    ] {
        assert_eq!(perhaps(name, &input), Vec::<String>::new(), "{name} {input}");
    }
}

const PROSE: &[&str] = &[
    "Never run rm -rf / on a machine that you need.",
    "Be careful; rm -rf / deletes everything",
    "please run `rm -rf /` for me",
    "Steps:\n\n    rm -rf /\n",
    "# Danger\n\n```sh\nrm -rf /\n```\n",
    "SELECT name FROM users WHERE id = 1; DROP TABLE users;",
    "import os\nos.system('rm -rf /')",
    "const fs = require('fs');\nfs.rmSync('/', {recursive: true});",
    "fn main() { println!(\"rm -rf /\"); }",
    "- rm -rf /\n- reboot\n",
    "What does rm -rf / do?",
    "he said \"rm -rf /\" & left",
];
