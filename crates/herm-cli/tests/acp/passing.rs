//! What is nobody's business passes as it came.

use serde_json::json;

use crate::conversation::{Conversation, Place};

#[test]
fn what_is_not_known_passes_byte_for_byte() {
    let mut both = Conversation::begin(Place::new(), &[]);
    let lines = [
        r#"{"jsonrpc":"2.0","method":"_x/y","params":{"b":1.00,"a":123456789012345678901234567890},"z":[]}"#,
        r#"{ "method" : "session/update" , "jsonrpc":"2.0", "params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\u0068i"}}} }"#,
        r#"{"jsonrpc":"2.0","id":"ä","method":"elicitation/create","params":{"new":true}}"#,
    ];
    for line in lines {
        both.agent_sends(format!("{line}\n").as_bytes());
        assert_eq!(String::from_utf8(both.editor_receives()).unwrap(), line);
    }
    let lines = [
        r#"{"jsonrpc":"2.0","id":"ä","result":{"action":"accept","x":1e400}}"#.replace("1e400", "1E2"),
        r#"{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[],"y":{}},"extra":1}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#.to_owned(),
    ];
    for line in lines {
        both.editor_sends(format!("{line}\n").as_bytes());
        assert_eq!(String::from_utf8(both.agent_receives()).unwrap(), line);
    }
    let answer = r#"{"id":7,"jsonrpc":"2.0","result":{"stopReason":"end_turn"},"more":null}"#;
    both.agent_sends(format!("{answer}\n").as_bytes());
    assert_eq!(String::from_utf8(both.editor_receives()).unwrap(), answer);
}

#[test]
fn both_end_together() {
    let both = Conversation::begin(Place::new(), &[]);
    both.is_told("not held back");
    assert!(both.agent_goes().success());
    let both = Conversation::begin(Place::new(), &[]);
    let socket = both.agent_socket();
    let runs = || {
        let pids = std::fs::read_dir("/proc").unwrap().flatten();
        let line = |entry: std::fs::DirEntry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        pids.map(line).any(|line| String::from_utf8_lossy(&line).contains(&socket))
    };
    assert!(runs());
    let (status, _) = both.close();
    assert!(status.success() && !runs(), "an agent that does not end by itself is ended");
}

#[test]
fn an_agent_that_cannot_be_started_is_said_to_be() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_herm"))
        .args(["acp", "--", "/nonexistent/agent"])
        .stdin(std::process::Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be started"), "{output:?}");
}

#[test]
fn only_the_version_that_is_understood_is_spoken() {
    let mut both = Conversation::begin(Place::new(), &[]);
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 2, "x": {"y": 1}}}));
    let heard = both.agent_hears();
    assert_eq!((&heard["params"]["protocolVersion"], &heard["params"]["x"]["y"]), (&json!(1), &json!(1)));
    both.agent_says(&json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": 2}}));
    assert!(both.editor_hears()["error"]["message"].as_str().unwrap().contains("version"));
    let (status, _) = both.close();
    assert_eq!(status.code(), Some(125));
}
