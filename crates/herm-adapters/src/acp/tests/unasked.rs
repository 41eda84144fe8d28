//! What an agent does that nobody was asked about.

use serde_json::{Value, json};

use super::{line, none, opened, request, wish};
use crate::acp::{Proxy, Step};

/// What is said of a tool call, and whether it was seen as something that nobody was asked about.
fn is_seen(proxy: &mut Proxy, update: &Value, look: &dyn Fn(&str) -> Option<String>) -> bool {
    let params = json!({"sessionId": "s", "update": update});
    let steps = proxy
        .from_agent(&line(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params})), look);
    steps.iter().any(|step| matches!(step, Step::Saw(..)))
}

fn ran(id: &str, more: &Value) -> Value {
    let mut update = json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": "t", "kind": "execute", "status": "completed"});
    update.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    update
}

#[test]
fn a_file_that_was_read_here_hides_nothing_else() {
    let mut proxy = opened();
    let read = wish(&mut proxy, 1, "fs/read_text_file", &json!({"sessionId": "s", "path": "/srv/app/a"}));
    let look = json!({"kind": "read", "locations": [{"path": "/srv/app/a"}]});
    assert!(is_seen(&mut proxy, &ran("0", &look), &none), "it was not let through yet");
    let _ = proxy.pass(&read);
    assert!(!is_seen(&mut proxy, &ran("1", &look), &none));
    assert!(!is_seen(&mut proxy, &ran("2", &json!({"kind": "read", "rawInput": {"path": "a"}})), &none));
    for other in [
        json!({"rawInput": {"command": "rm -rf /etc"}, "locations": [{"path": "/srv/app/a"}]}),
        json!({"kind": "edit", "locations": [{"path": "/srv/app/a"}]}),
        json!({"kind": "read", "locations": [{"path": "/srv/app/a"}, {"path": "/srv/app/b"}]}),
        json!({"locations": [{"path": "/srv/app/a"}]}),
    ] {
        assert!(is_seen(&mut proxy, &ran(&other.to_string(), &other), &none), "{other}");
    }
}

#[test]
fn a_permission_is_for_what_it_was_asked_about() {
    let mut proxy = opened();
    let asked = |id: &str, command: &str| {
        let told =
            json!({"toolCallId": id, "title": "t", "kind": "execute", "rawInput": {"command": command}});
        json!({"sessionId": "s", "toolCall": told, "options": []})
    };
    let _ = wish(&mut proxy, 1, "session/request_permission", &asked("1", "ls"));
    assert!(!is_seen(&mut proxy, &ran("1", &json!({})), &none));
    assert!(is_seen(&mut proxy, &ran("1", &json!({"rawInput": {"command": "rm -rf /usr"}})), &none));
    assert!(!is_seen(&mut proxy, &ran("1", &json!({})), &none), "it was told already");
    assert!(is_seen(&mut proxy, &ran("1", &json!({"rawInput": {"command": "rm -rf /opt"}})), &none));
    assert!(is_seen(&mut proxy, &ran("1", &json!({"rawInput": {"command": "ls", "cwd": "/etc"}})), &none));
    // A title is no more than the command that was asked about.
    assert!(!is_seen(&mut proxy, &ran("2", &json!({"title": "`ls`"})), &none));
    assert!(is_seen(&mut proxy, &ran("3", &json!({"title": "rm -rf /usr; ls"})), &none));
    // What was refused is asked about nowhere.
    let _ = wish(&mut proxy, 2, "session/request_permission", &asked("4", "make"));
    assert!(!is_seen(&mut proxy, &ran("4", &json!({})), &none));
    let _ = proxy.refused("s", "4", "no");
    assert!(is_seen(&mut proxy, &ran("5", &json!({"title": "make"})), &none));
    let _ = proxy.from_editor(&request(9, "session/prompt", &json!({"sessionId": "s", "prompt": []})));
    let end = line(&json!({"jsonrpc": "2.0", "id": 9, "result": {"stopReason": "end_turn"}}));
    let steps = proxy.from_agent(&end, &none);
    assert!(
        matches!(&steps[..], [Step::Saw(_, _, tool), Step::Editor(_)] if tool.id == "4"),
        "it ran before it was refused: {steps:?}"
    );
}

#[test]
fn a_terminal_of_ours_hides_nothing_else() {
    let mut proxy = opened();
    let name = proxy.terminal_name(1);
    let look = |wanted: &str| (wanted == name).then(String::new);
    let params =
        json!({"sessionId": "s", "command": "ls", "args": ["-la"], "env": [{"name": "A", "value": "b"}]});
    let terminal = wish(&mut proxy, 1, "terminal/create", &params);
    let shown = |more: &Value| {
        let mut told = json!({"content": [{"type": "terminal", "terminalId": name}]});
        told.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ran(&more.to_string(), &told)
    };
    assert!(is_seen(&mut proxy, &shown(&json!({"rawInput": {"command": "ls -la"}, "x": 0})), &look));
    proxy.does(&terminal);
    for told in [
        json!({"rawInput": {"command": "ls -la"}}),
        json!({"rawInput": {"command": ["ls", "-la"]}}),
        json!({"title": "$ ls -la"}),
    ] {
        assert!(!is_seen(&mut proxy, &shown(&told), &look), "{told}");
    }
    for told in [json!({"rawInput": {"command": "rm -rf /etc"}}), json!({"title": "rm -rf /etc"})] {
        assert!(is_seen(&mut proxy, &shown(&told), &look), "{told}");
    }
}

#[test]
fn what_is_too_much_to_remember_is_seen_and_let_go() {
    let mut proxy = opened();
    let large = "x".repeat(1 << 20);
    let mut seen = 0;
    for id in 0..40 {
        let told = json!({"status": "pending", "rawInput": {"command": format!("{id} {large}")}, "rawOutput": large});
        seen += usize::from(is_seen(&mut proxy, &ran(&id.to_string(), &told), &none));
    }
    assert!((8..12).contains(&seen), "{seen}");
    // However many there are, none is forgotten unseen.
    let mut proxy = opened();
    let pending = json!({"status": "pending", "rawInput": {"command": "ls"}});
    let seen = (0..5000).filter(|id| is_seen(&mut proxy, &ran(&id.to_string(), &pending), &none)).count();
    assert_eq!(seen, 5000 - 4096);
}
