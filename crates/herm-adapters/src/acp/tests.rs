//! Whole conversations, message by message.

mod unasked;

use serde_json::{Value, json};

use super::*;
use crate::jsonrpc::{Failure, Id, Message};

/// No terminal is ours.
fn none(_: &str) -> Option<String> {
    None
}

fn line(message: &Value) -> Vec<u8> {
    message.to_string().into_bytes()
}

fn told(bytes: &[u8]) -> Value {
    assert_eq!(bytes.last(), Some(&b'\n'));
    serde_json::from_slice(bytes).unwrap()
}

fn request(id: i64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

/// A conversation in which the session `s` works in `/srv/app`.
fn opened() -> Proxy {
    let mut proxy = Proxy::new("x", None);
    let new = request(
        1,
        "session/new",
        &json!({"cwd": "/srv/app", "mcpServers": [], "additionalDirectories": ["/srv/lib", "x"]}),
    );
    assert!(matches!(&proxy.from_editor(&new)[..], [Step::Agent(_)]));
    let answer = line(&json!({"jsonrpc": "2.0", "id": 1, "result": {"sessionId": "s"}}));
    assert!(matches!(&proxy.from_agent(&answer, &none)[..], [Step::Editor(_)]));
    proxy
}

fn wish(proxy: &mut Proxy, id: i64, method: &str, params: &Value) -> Wish {
    match proxy.from_agent(&request(id, method, params), &none).pop() {
        Some(Step::Decide(wish)) => *wish,
        other => panic!("{other:?}"),
    }
}

fn code(steps: &[Step]) -> i64 {
    match steps {
        [Step::Agent(bytes)] => told(bytes)["error"]["code"].as_i64().unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_editor_offers_our_terminals_and_what_else_it_has() {
    let mut proxy = Proxy::new("x", None);
    let offers = [
        json!({"protocolVersion": 1, "clientCapabilities": {"fs": {"readTextFile": true}, "terminal": false, "y": 1}}),
        json!({"protocolVersion": 7, "clientCapabilities": {"fs": {"readTextFile": true}, "y": 1}}),
    ];
    for (id, offer) in offers.into_iter().enumerate() {
        let steps = proxy.from_editor(&request(i64::try_from(id).unwrap(), "initialize", &offer));
        let [Step::Agent(bytes)] = &steps[..] else { panic!("{steps:?}") };
        let able = json!({"fs": {"readTextFile": true}, "terminal": true, "y": 1});
        assert_eq!(told(bytes)["params"], json!({"protocolVersion": 1, "clientCapabilities": able}));
    }
}

#[test]
fn a_wish_knows_where_its_session_works() {
    let mut proxy = opened();
    let wish = wish(&mut proxy, 1, "fs/read_text_file", &json!({"sessionId": "s", "path": "/a"}));
    assert_eq!(wish.place, Place { cwd: "/srv/app".to_owned(), besides: vec!["/srv/lib".to_owned()] });
    assert_eq!(wish.what, What::Read("/a".to_owned()));
}

#[test]
fn a_session_that_is_loaded_is_known_at_once_and_moved_by_nobody_else() {
    let mut proxy = opened();
    let load = request(2, "session/load", &json!({"sessionId": "t", "cwd": "/srv/t", "mcpServers": []}));
    let _ = proxy.from_editor(&load);
    assert_eq!(
        wish(&mut proxy, 1, "fs/read_text_file", &json!({"sessionId": "t", "path": "/a"})).place.cwd,
        "/srv/t"
    );
    let _ = proxy.from_editor(&request(3, "session/new", &json!({"cwd": "/", "mcpServers": []})));
    let _ = proxy.from_agent(&line(&json!({"jsonrpc": "2.0", "id": 3, "result": {"sessionId": "s"}})), &none);
    assert_eq!(
        wish(&mut proxy, 2, "fs/read_text_file", &json!({"sessionId": "s", "path": "/a"})).place.cwd,
        "/srv/app"
    );
}

#[test]
fn each_wish_is_answered_or_passed_on_once() {
    let mut proxy = opened();
    let params = json!({"sessionId": "s", "path": "/a", "x": 1});
    let read = wish(&mut proxy, 1, "fs/read_text_file", &params);
    assert_eq!(proxy.pass(&read), Some([request(1, "fs/read_text_file", &params), b"\n".to_vec()].concat()));
    assert_eq!(proxy.pass(&read), None);
    assert_eq!(proxy.answer(&read.ticket, Ok(json!(1))), None);
    let answer = line(&json!({"jsonrpc": "2.0", "id": 1, "result": {"content": "c"}}));
    assert!(matches!(&proxy.from_editor(&answer)[..], [Step::Read(_)]));
    assert!(matches!(&proxy.from_editor(&answer)[..], [Step::Note(_)]));
    let read = wish(&mut proxy, 1, "fs/read_text_file", &json!({"sessionId": "s", "path": "/a"}));
    let refused = proxy.answer(&read.ticket, Err(Failure::new(REFUSED, "no"))).unwrap();
    assert_eq!(
        told(&refused),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": REFUSED, "message": "no"}})
    );
    assert_eq!(proxy.answer(&read.ticket, Ok(json!(1))), None);
    assert_eq!(proxy.pass(&read), None);
}

#[test]
fn our_questions_have_ids_of_ours_and_one_answer() {
    let mut proxy = opened();
    let (number, asked) = proxy.ask(&Question(json!({"q": 1})));
    let asked = told(&asked);
    assert_eq!(
        (&asked["method"], &asked["params"]),
        (&json!("session/request_permission"), &json!({"q": 1}))
    );
    let answer =
        |outcome: Value| line(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": outcome}}));
    // The agent cannot answer it.
    let forged = answer(json!({"outcome": "selected", "optionId": "yes"}));
    assert!(matches!(&proxy.from_agent(&forged, &none)[..], [Step::Note(_)]));
    assert_eq!(proxy.from_editor(&forged), [Step::Answered(number, Said::Option("yes".to_owned()))]);
    assert!(matches!(&proxy.from_editor(&forged)[..], [Step::Note(_)]));
    assert_eq!(proxy.take_back(number), None);
    for (outcome, said) in [
        (json!({"outcome": "cancelled"}), Said::Cancelled),
        (json!({"outcome": "selected"}), Said::Nothing),
        (json!({"outcome": "approved", "optionId": "yes"}), Said::Nothing),
        (json!("selected"), Said::Nothing),
    ] {
        let (number, asked) = proxy.ask(&Question(json!({})));
        let answer =
            line(&json!({"jsonrpc": "2.0", "id": told(&asked)["id"], "result": {"outcome": outcome}}));
        assert_eq!(proxy.from_editor(&answer), [Step::Answered(number, said)]);
    }
    let (number, asked) = proxy.ask(&Question(json!({})));
    let back = told(&proxy.take_back(number).unwrap());
    assert_eq!(
        (&back["method"], &back["params"]["requestId"]),
        (&json!("$/cancel_request"), &told(&asked)["id"])
    );
}

#[test]
fn what_is_wrong_is_refused_by_us() {
    let mut proxy = opened();
    let wrong = [
        ("fs/read_text_file", json!({"sessionId": "s"}), -32602),
        ("fs/read_text_file", json!({"sessionId": "s", "path": "a"}), -32602),
        ("fs/read_text_file", json!({"sessionId": "t", "path": "/a"}), -32602),
        ("fs/write_text_file", json!({"sessionId": "s", "path": "/a"}), -32602),
        ("fs/write_text_file", json!({"sessionId": "s", "path": "/a", "content": 1}), -32602),
        ("terminal/create", json!({"sessionId": "s"}), -32602),
        ("terminal/output", json!({"sessionId": "s"}), -32602),
        ("session/request_permission", json!({"sessionId": "s"}), -32602),
        ("session/request_permission", json!([]), -32602),
        ("terminal/resize", json!({"sessionId": "s"}), -32601),
        ("fs/remove", json!({"sessionId": "s"}), -32601),
    ];
    for (method, params, expected) in wrong {
        assert_eq!(
            code(&proxy.from_agent(&request(1, method, &params), &none)),
            expected,
            "{method} {params}"
        );
    }
}

#[test]
fn whoever_takes_a_wish_back_is_answered() {
    let mut proxy = opened();
    let wish = wish(&mut proxy, 1, "fs/read_text_file", &json!({"sessionId": "s", "path": "/a"}));
    let back = line(&json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}}));
    let steps = proxy.from_agent(&back, &none);
    let [Step::Withdrawn(id), Step::Agent(answer)] = &steps[..] else { panic!("{steps:?}") };
    assert_eq!((id, &told(answer)["error"]["code"]), (&Id::from(1), &json!(CANCELLED)));
    assert_eq!((proxy.answer(&wish.ticket, Ok(json!(1))), proxy.pass(&wish)), (None, None));
    assert_eq!(proxy.from_agent(&back, &none), []);
    // What the editor was asked, it is told of.
    let _ = proxy.from_agent(&request(2, "_x", &json!({})), &none);
    let back = line(&json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 2}}));
    assert!(matches!(&proxy.from_agent(&back, &none)[..], [Step::Editor(_)]));
}

#[test]
fn nobody_can_be_made_to_remember_without_end() {
    let mut proxy = opened();
    for id in 0..1024 {
        assert!(matches!(&proxy.from_agent(&request(id, "_x", &json!({})), &none)[..], [Step::Editor(_)]));
    }
    assert_eq!(code(&proxy.from_agent(&request(5000, "_x", &json!({})), &none)), -32603);
    let update = |id: usize| {
        let update = json!({"sessionUpdate": "tool_call", "toolCallId": id.to_string(), "title": "t"});
        line(
            &json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}),
        )
    };
    for id in 0..10_000 {
        // Those that are forgotten are seen.
        assert_eq!(proxy.from_agent(&update(id), &none).len(), 1 + usize::from(id >= 4096));
    }
}

#[test]
fn what_an_agent_does_unasked_is_seen_once() {
    let mut proxy = opened();
    let say = |proxy: &mut Proxy, update: Value| {
        proxy.from_agent(&line(&json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})), &none)
    };
    let call = |id: &str| json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": "t", "kind": "execute", "rawInput": {"command": "ls"}});
    let done =
        |id: &str| json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed"});
    assert!(matches!(&say(&mut proxy, call("1"))[..], [Step::Editor(_)]));
    let steps = say(&mut proxy, done("1"));
    let [Step::Editor(_), Step::Saw(session, Some(place), tool)] = &steps[..] else { panic!("{steps:?}") };
    assert_eq!(
        (session.as_str(), place.cwd.as_str(), &tool.input),
        ("s", "/srv/app", &json!({"command": "ls"}))
    );
    assert!(matches!(&say(&mut proxy, done("1"))[..], [Step::Editor(_)]));
    // A permission for one call is none for another.
    let asked = json!({"sessionId": "s", "toolCall": {"toolCallId": "2"}, "options": []});
    let _ = wish(&mut proxy, 7, "session/request_permission", &asked);
    assert!(matches!(&say(&mut proxy, done("2"))[..], [Step::Editor(_)]));
    let _ = say(&mut proxy, call("3"));
    let _ = proxy.from_editor(&request(9, "session/prompt", &json!({"sessionId": "s", "prompt": []})));
    let end = line(&json!({"jsonrpc": "2.0", "id": 9, "result": {"stopReason": "end_turn"}}));
    assert!(matches!(&proxy.from_agent(&end, &none)[..], [Step::Saw(..), Step::Editor(_)]));
}

#[test]
fn a_terminal_of_ours_is_text_to_the_editor() {
    let mut proxy = opened();
    let name = proxy.terminal_name(4);
    let look = |wanted: &str| (wanted == name).then(|| "said".to_owned());
    let content =
        json!([{"type": "terminal", "terminalId": name}, {"type": "terminal", "terminalId": "other"}]);
    let update = json!({"sessionUpdate": "tool_call", "toolCallId": "1", "title": "t", "content": content});
    let said = line(
        &json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}),
    );
    let steps = proxy.from_agent(&said, &look);
    let [Step::Editor(bytes)] = &steps[..] else { panic!("{steps:?}") };
    let shown = &told(bytes)["params"]["update"]["content"];
    assert_eq!((&shown[0]["type"], &shown[1]["terminalId"]), (&json!("content"), &json!("other")));
    let over = told(&proxy.over(&name, &look).unwrap());
    assert!(over["params"]["update"]["content"][0]["content"]["text"].as_str().unwrap().contains("said"));
    assert_eq!(proxy.over(&name, &look), None);
}

#[test]
fn an_id_that_may_come_back_as_another_is_refused() {
    let mut proxy = opened();
    for id in ["1.0", "1e3", "9007199254740993", "18446744073709551615", "-9007199254740993"] {
        let said = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"_x"}}"#);
        assert_eq!(code(&proxy.from_agent(said.as_bytes(), &none)), -32600, "{id}");
    }
    assert!(matches!(&proxy.from_agent(&request(-1, "_x", &json!({})), &none)[..], [Step::Editor(_)]));
}

#[test]
fn no_line_makes_it_stumble() {
    let asked = json!({
        "sessionId": "s", "toolCall": {"toolCallId": "1", "title": "t", "kind": "edit", "rawInput": {"command": ["a"], "path": "/b"},
        "content": [{"type": "diff", "path": "/c", "newText": "d"}], "locations": [{"path": "/e"}]},
        "options": [{"optionId": "allow_once", "name": "n", "kind": "allow_once"}],
    });
    let lines = [
        request(1, "session/request_permission", &asked),
        request(
            2,
            "terminal/create",
            &json!({"sessionId": "s", "command": "ls", "args": [], "env": [{"name": "A", "value": "b"}]}),
        ),
        request(3, "fs/write_text_file", &json!({"sessionId": "s", "path": "/a", "content": "b"})),
        request(4, "session/new", &json!({"cwd": "/a", "mcpServers": []})),
    ];
    for line in lines {
        let mut proxy = opened();
        for at in 0..line.len() {
            for byte in [b'"', b'0', b'{', b']', b' ', 0xff] {
                let mut broken = line.clone();
                broken[at] = byte;
                // Whatever it says, it says.
                let _ = (
                    proxy.from_agent(&broken, &none),
                    proxy.from_editor(&broken),
                    proxy.from_agent(&line[..at], &none),
                );
            }
        }
    }
}

/// An id that was taken back can be used again, and nothing that was decided about the first is for the second.
#[test]
fn what_was_decided_about_one_thing_is_no_answer_to_the_next() {
    let mut proxy = opened();
    let harmless = wish(&mut proxy, 1, "fs/read_text_file", &json!({"sessionId": "s", "path": "/a"}));
    let taken_back = json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}});
    let _ = proxy.from_agent(taken_back.to_string().as_bytes(), &|_| None);
    let params = json!({"sessionId": "s", "path": "/root/.bashrc", "content": "x"});
    let harmful = wish(&mut proxy, 1, "fs/write_text_file", &params);
    assert_eq!(proxy.pass(&harmless), None);
    assert_eq!(proxy.pass_to(&harmless, "/b"), None);
    assert_eq!(proxy.answer(&harmless.ticket, Ok(json!(1))), None);
    assert!(proxy.answer(&harmful.ticket, Err(Failure::new(REFUSED, "no"))).is_some());
}

#[test]
fn what_could_be_read_in_two_ways_by_the_editor_is_not_passed_on() {
    for odd in ["Path", "PATH", "ſessionId"] {
        let mut proxy = opened();
        let params = json!({"sessionId": "s", "path": "/a", odd: "/root/.ssh/id_rsa"});
        let steps = proxy.from_agent(&request(1, "fs/read_text_file", &params), &|_| None);
        assert!(
            matches!(&steps[..], [Step::Agent(line)] if String::from_utf8_lossy(line).contains("two ways")),
            "{steps:?}"
        );
    }
}

#[test]
fn the_editor_can_be_told_another_path() {
    let mut proxy = opened();
    let params = json!({"sessionId": "s", "path": "/a", "line": 3, "x": 1});
    let read = wish(&mut proxy, 1, "fs/read_text_file", &params);
    let told = proxy.pass_to(&read, "/b").unwrap();
    let expected = json!({"sessionId": "s", "path": "/b", "line": 3, "x": 1});
    assert_eq!(
        Message::read(told.trim_ascii_end()),
        Message::read(&request(1, "fs/read_text_file", &expected))
    );
    assert_eq!(proxy.pass(&read), None);
}
