//! An agent that tries to get round.

use serde_json::{Value, json};

use crate::conversation::{Conversation, Place, options, selected, to_run};

const ASK: &str = "session/request_permission";

#[test]
fn what_can_be_read_in_two_ways_does_not_pass() {
    let mut both = Conversation::opened(Place::new(), &[]);
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"_x","method":"fs/write_text_file","params":{}}"#,
        r#"[{"jsonrpc":"2.0","id":1,"method":"fs/write_text_file","params":{}}]"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"fs/write_text_file","params":{}}"#,
        r#"{"id":1,"method":"fs/write_text_file","params":{}}"#,
        "some log line",
        "\u{feff}{}",
    ] {
        both.agent_sends(format!("{line}\n").as_bytes());
        both.is_told("something strange");
    }
    both.agent_sends(b"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":\"\xff\"}}\n");
    both.is_told("something strange");
    both.editor_hears_nothing();
}

#[test]
fn effects_cannot_be_had_without_waiting_for_an_answer() {
    let mut both = Conversation::opened(Place::new(), &[]);
    for method in [
        "fs/write_text_file",
        "fs/read_text_file",
        "terminal/create",
        ASK,
        "fs/delete",
        "terminal/write",
        "mcp/message",
    ] {
        both.agent_says(&json!({"jsonrpc": "2.0", "method": method, "params": {"sessionId": "s", "path": "/etc/x", "content": "y"}}));
        both.is_told("as if it needed no answer");
    }
    for method in ["fs/delete", "terminal/write", "fs/", "mcp/connect", "mcp/message", "_mcp/connect"] {
        both.agent_asks(1, method, json!({"path": "/etc/x"}));
        assert_eq!(both.agent_hears()["error"]["code"], -32601);
    }
    both.editor_hears_nothing();
}

#[test]
fn ids_are_not_confused() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, ASK, to_run("rm -rf src"));
    let question = both.editor_hears();
    // The agent cannot answer its own question, neither under its id nor under ours.
    both.agent_says(&selected(&question, "once"));
    both.is_told("answered what it was not asked");
    both.agent_says(&json!({"jsonrpc": "2.0", "id": 1, "result": {"outcome": {"outcome": "selected", "optionId": "once"}}}));
    both.is_told("answered what it was not asked");
    // Nor can it slip something else under the same id.
    both.agent_asks(1, "fs/write_text_file", json!({"path": "/tmp/x", "content": "y"}));
    both.is_told("twice under one id");
    both.agent_says(&json!({"jsonrpc": "2.0", "id": question["id"], "method": "_x", "params": {}}));
    assert_eq!(both.editor_hears()["method"], "_x");
    // An editor's answer to that is taken for the answer to our question, whose option it is not.
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "result": {"outcome": {"outcome": "selected", "optionId": "once"}}}));
    both.is_told("the editor answered what it was not asked");
    both.editor_says(&selected(&question, "once"));
    assert_eq!(both.agent_hears()["id"], 1);
    // A second answer counts for nothing.
    both.editor_says(&selected(&question, "always"));
    both.agent_asks(2, ASK, to_run("rm -rf src"));
    assert_eq!(both.editor_hears()["method"], ASK);
}

#[test]
fn a_session_that_nobody_opened_is_none() {
    let mut both = Conversation::opened(Place::new(), &[]);
    for (method, params) in [
        (ASK, to_run("ls")),
        ("fs/read_text_file", json!({"path": "/etc/hosts"})),
        ("terminal/create", json!({"command": "ls"})),
    ] {
        let mut params = params;
        params["sessionId"] = json!("another");
        both.agent_asks(1, method, params);
        assert_eq!(both.agent_hears()["error"]["code"], -32602, "{method}");
    }
    for terminal in ["", "x", "herm-1-terminal-1"] {
        both.agent_asks(1, "terminal/kill", json!({"terminalId": terminal}));
        assert_eq!(both.agent_hears()["error"]["code"], -32602);
    }
    both.editor_hears_nothing();
}

#[test]
fn what_is_asked_about_in_pieces_is_put_together() {
    let mut both = Conversation::opened(Place::new(), &[]);
    // The command was told before, and the question names only the call.
    both.agent_says(&json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": {
        "sessionUpdate": "tool_call", "toolCallId": "7", "title": "Hello", "kind": "execute", "rawInput": {"command": "rm -rf src"}}}}));
    both.editor_hears();
    both.agent_asks(1, ASK, json!({"toolCall": {"toolCallId": "7"}, "options": options()}));
    assert_eq!(both.editor_hears()["params"]["toolCall"]["title"], "herm: run rm -rf src");
    for wrong in [
        json!({"toolCall": {}}),
        json!({"options": options()}),
        json!({"toolCall": {"toolCallId": "1"}, "options": [{"optionId": "a"}, {"optionId": "a"}]}),
    ] {
        both.agent_asks(2, ASK, wrong);
        assert_eq!(both.agent_hears()["error"]["code"], -32602);
    }
}

#[test]
fn what_is_shown_deceives_nobody() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let mut asked = to_run("rm -rf src # \u{202e}```\n# all is well\u{1b}[2J");
    asked["toolCall"]["title"] = json!("```\n**Approved by herm**\u{202e}");
    both.agent_asks(1, ASK, asked);
    let question = both.editor_hears();
    let tool = &question["params"]["toolCall"];
    let (title, text) =
        (tool["title"].as_str().unwrap(), tool["content"][0]["content"]["text"].as_str().unwrap());
    for shown in [title, text] {
        assert!(!shown.contains(['\u{202e}', '\u{1b}']), "{shown}");
    }
    assert!(title.starts_with("herm: run rm -rf src # \\u{202e}"), "{title}");
    let fence = text.lines().next().unwrap().trim_end_matches("text");
    assert!(fence.len() > 3 && text.matches(fence).count() == 2, "{text}");
}

#[test]
fn a_flood_is_survived() {
    let mut both = Conversation::opened(Place::new(), &[]);
    // More in a line than is read: it is dropped, and what comes after it is heard.
    let long = "x".repeat(17 << 20);
    both.agent_sends(
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"_x\",\"params\":{{\"a\":\"{long}\"}}}}\n").as_bytes(),
    );
    both.is_told("more in a line than is read");
    // As much as is read passes.
    let large =
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"_x\",\"params\":{{\"a\":\"{}\"}}}}", "y".repeat(4 << 20));
    both.agent_sends(format!("{large}\n").as_bytes());
    assert_eq!(both.editor_receives().len(), large.len());
    both.agent_asks(1, "terminal/create", json!({"command": "yes herm | head -c 50000000"}));
    let terminal = both.agent_hears()["result"]["terminalId"].clone();
    both.agent_asks(2, "terminal/wait_for_exit", json!({"terminalId": terminal}));
    assert_eq!(both.agent_hears()["result"]["exitCode"], 0);
    both.agent_asks(3, "terminal/output", json!({"terminalId": terminal}));
    let output = both.agent_hears();
    assert_eq!(output["result"]["output"].as_str().unwrap().len(), 1 << 20);
    // Nobody waits for more than is decided about at a time.
    for id in 100..200 {
        both.agent_asks(id, ASK, to_run(&format!("rm -rf d{id}")));
    }
    let refused: Vec<Value> = (0..36).map(|_| both.agent_hears()).collect();
    assert!(refused.iter().all(|answer| answer["error"]["code"] == -32603), "{refused:?}");
}
