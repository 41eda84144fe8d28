//! What an agent does without asking anybody.

use serde_json::{Value, json};

use crate::conversation::{Conversation, Place, selected, to_run};

fn update(kind: &str, id: &str, more: &Value) -> Value {
    let mut update = json!({"sessionUpdate": kind, "toolCallId": id});
    update.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})
}

#[test]
fn what_ran_unasked_is_seen_and_recorded() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let told = json!({"title": "Tidy up", "kind": "execute", "rawInput": {"command": "rm -rf /"}});
    both.agent_says(&update("tool_call", "1", &told));
    both.agent_says(&update("tool_call_update", "1", &json!({"status": "completed"})));
    let line = both.is_told("did not ask about this");
    assert!(
        line.contains("herm would have refused") && line.contains("rm -rf /") && line.contains("1 so far"),
        "{line}"
    );
    // One that somebody was asked about is not.
    both.agent_asks(1, "session/request_permission", to_run("rm -rf src"));
    both.editor_hears();
    both.editor_hears();
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "once"));
    both.agent_hears();
    both.agent_says(&update("tool_call_update", "call", &json!({"status": "completed"})));
    // One that nobody ended is noticed at the end of the turn.
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 4, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}));
    both.agent_hears();
    both.agent_says(&update(
        "tool_call",
        "3",
        &json!({"title": "Look", "kind": "read", "locations": [{"path": "/etc/hosts"}]}),
    ));
    both.agent_says(&update("tool_call", "4", &json!({"title": "Think", "kind": "think"})));
    both.agent_says(&json!({"jsonrpc": "2.0", "id": 4, "result": {"stopReason": "end_turn"}}));
    let line = both.is_told("did not ask about this");
    assert!(line.contains("/etc/hosts") && line.contains("2 so far"), "{line}");
    let (_, place) = both.close();
    let records = place.records();
    let seen: Vec<_> = records.iter().filter(|record| record["body"]["decision"] == "seen").collect();
    assert_eq!(seen.len(), 2, "{records:?}");
    assert!(seen.iter().all(|record| record["body"]["enforcement"] == "advisory"));
}

#[test]
fn nothing_of_a_flood_is_left_out_of_the_record() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let count = 400;
    for number in 0..count {
        let told = json!({"title": "x", "kind": "execute", "rawInput": {"command": format!("echo {number}")}, "status": "completed"});
        both.agent_says(&update("tool_call", &number.to_string(), &told));
    }
    for _ in 0..count {
        both.editor_hears();
    }
    let (_, place) = both.close();
    let records = place.records();
    assert_eq!(records.iter().filter(|record| record["body"]["decision"] == "seen").count(), count);
}

#[test]
fn what_the_editor_did_for_the_agent_was_decided_about() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let path = both.place.write("a.txt", "x");
    both.agent_says(&update(
        "tool_call",
        "1",
        &json!({"title": "Read", "kind": "read", "locations": [{"path": path}]}),
    ));
    both.editor_hears();
    both.agent_asks(1, "fs/read_text_file", json!({"path": path}));
    both.editor_hears();
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "result": {"content": "x"}}));
    both.agent_hears();
    both.agent_says(&update("tool_call_update", "1", &json!({"status": "completed"})));
    both.editor_hears();
    let (_, place) = both.close();
    assert!(place.records().iter().all(|record| record["body"]["decision"] != "seen"));
}

#[test]
fn what_was_decided_about_hides_nothing_else() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let path = both.place.write("a.txt", "x");
    both.agent_asks(1, "fs/read_text_file", json!({"path": path}));
    both.editor_hears();
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "result": {"content": "x"}}));
    both.agent_hears();
    both.agent_asks(2, "terminal/create", json!({"command": "echo hello"}));
    let terminal = both.agent_hears()["result"]["terminalId"].clone();
    both.agent_asks(3, "session/request_permission", to_run("rm -rf src"));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "once"));
    both.agent_hears();
    let told = |command: &str| {
        json!({"title": "t", "kind": "execute", "status": "completed", "rawInput": {"command": command},
            "locations": [{"path": path}], "content": [{"type": "terminal", "terminalId": terminal}]})
    };
    both.agent_says(&update("tool_call", "1", &told("echo hello")));
    both.agent_says(&update("tool_call", "call", &told("rm -rf src")));
    both.agent_says(&update("tool_call", "2", &told("rm -rf /etc")));
    both.agent_says(&update("tool_call", "call", &told("rm -rf /usr")));
    assert!(both.is_told("did not ask about this").contains("rm -rf /etc"));
    assert!(both.is_told("did not ask about this").contains("rm -rf /usr"));
    let (_, place) = both.close();
    let records = place.records();
    assert_eq!(
        records.iter().filter(|record| record["body"]["decision"] == "seen").count(),
        2,
        "{records:?}"
    );
}

#[test]
fn what_was_refused_and_is_done_all_the_same_is_seen() {
    let mut both = Conversation::opened(Place::new(), &[]);
    for (id, status) in [(1, "failed"), (2, "completed")] {
        let mut asked = to_run(&format!("rm -rf / --no-preserve-root # {id}"));
        asked["toolCall"]["toolCallId"] = json!(id.to_string());
        let told = asked["toolCall"].clone();
        both.agent_says(&update("tool_call", &id.to_string(), &told));
        both.editor_hears();
        both.agent_asks(id, "session/request_permission", asked);
        assert_eq!(both.agent_hears()["result"]["outcome"]["optionId"], "reject");
        both.editor_hears();
        both.agent_says(&update("tool_call_update", &id.to_string(), &json!({"status": status})));
        both.editor_hears();
    }
    let line = both.is_told("did not ask about this");
    assert!(line.contains("# 2") && line.contains("1 so far"), "{line}");
}

#[test]
fn what_could_not_be_decided_about_and_is_done_all_the_same_is_seen() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.place.configure("approvals: [");
    both.agent_asks(1, "session/request_permission", to_run("make"));
    assert!(both.agent_hears()["error"].is_object());
    both.place.configure("");
    both.agent_says(&update("tool_call_update", "call", &json!({"status": "completed"})));
    assert!(both.is_told("did not ask about this").contains("make"));
}

#[test]
fn a_turn_that_is_called_off_calls_its_questions_off() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, "session/request_permission", to_run("rm -rf src"));
    let question = both.editor_hears();
    both.editor_says(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}));
    assert_eq!(both.agent_hears()["method"], "session/cancel");
    assert_eq!(both.editor_hears()["params"]["requestId"], question["id"]);
    assert_eq!(both.agent_hears()["result"]["outcome"], json!({"outcome": "cancelled"}));
}
