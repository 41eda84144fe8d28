//! Servers and clients that do not keep to the protocol.

use serde_json::json;

use super::client::{Scripted, is_refused, text};
use super::{allowing, tools};
use crate::place::Place;

#[test]
fn garbage_does_not_reach_the_client_and_huge_lines_are_withheld() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let answer = |id: i64, result: &str| {
        json!({"jsonrpc": "2.0", "id": id, "result": {"content": [], "x": result}}).to_string()
    };
    let twice = r#"{"jsonrpc":"2.0","id":5,"result":{"content":[]},"result":{"content":[{"type":"text","text":"evil"}]}}"#;
    let scripted = Scripted::new(
        &place,
        &json!({
            "tools": tools(&["garbage", "huge", "twice", "strange"]),
            "before": {"garbage": ["", "not json", "[1,2]", "{\"a\":1}", "\u{1b}]0;title\u{7}", "[".repeat(200_000)]},
            "lines": {
                "huge": [17 << 20, answer(4, "late")],
                "twice": [twice, answer(5, "second")],
                "strange": [answer(99, "never asked"), json!({"jsonrpc": "2.0", "id": "6", "result": {}}).to_string(),
                    json!({"jsonrpc": "2.0", "id": 6.5, "result": {}}).to_string(),
                    json!({"jsonrpc": "2.0", "id": 7, "method": "client/run", "params": {}}).to_string(),
                    json!({"jsonrpc": "2.0", "method": "run"}).to_string(), answer(6, "at last"), answer(6, "again")],
            },
        }),
    );
    let mut client = scripted.start(&[]);
    client.list();
    let garbage = client.call("garbage", &json!({}));
    assert_eq!((text(&garbage), &garbage["id"]), ("done", &json!(3)));
    let huge = client.call("huge", &json!({}));
    assert!(huge["error"]["message"].as_str().unwrap().contains("too long"), "{huge}");
    let twice = client.call("twice", &json!({}));
    assert_eq!(twice["result"]["x"], "second", "what says everything twice is no answer");
    let strange = client.ask("tools/call", &json!({"name": "strange", "arguments": {}}));
    let said = client.until(|_| true);
    assert!(said["id"] == strange && said["result"]["x"] == "at last", "{said}");
    let ping = client.ask("ping", &json!({}));
    assert_eq!(client.until(|_| true)["id"], ping, "nothing else was passed on");
    let (code, errors) = client.leave();
    assert!(code == Some(0) && !errors.contains('\u{1b}') && errors.contains("was dropped"), "{errors}");
}

#[test]
fn a_client_that_is_out_of_turn_gets_nothing_done() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t"])}));
    let mut client = scripted.connect(&mut scripted.command(&[]));
    let early = client.call("t", &json!({}));
    assert_eq!(early["error"]["code"], -32600, "{early}");
    client.raw("{\"jsonrpc\":\"2.0\",\"id\":");
    assert_eq!(client.until(|_| true)["error"]["code"], -32700);
    client.raw(r#"[{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"}}]"#);
    assert_eq!(client.until(|_| true)["error"]["code"], -32700);
    client.raw(&format!(
        r#"{{"jsonrpc":"2.0","id":8,"method":"ping","params":{{"x":"{}"}}}}"#,
        "x".repeat(17 << 20)
    ));
    assert_eq!(client.until(|_| true)["error"]["code"], -32600);
    assert_eq!(client.heard(), "");
    client.greet(&json!({}));
    let strange = client.request("tools/run", &json!({"name": "t"}));
    assert_eq!(strange["error"]["code"], -32601);
    let unlisted = client.call("u", &json!({}));
    assert!(is_refused(&unlisted) && text(&unlisted).contains("changed-tool"), "{unlisted}");
    assert_eq!(client.heard().lines().count(), 3, "{}", client.heard());
    assert!(client.heard().contains("tools/list"), "it was looked for: {}", client.heard());
}

#[test]
fn a_server_that_floods_does_not_exhaust_herm() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let many = tools(
        &(0..5000)
            .map(|at| format!("t{at}"))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    let scripted = Scripted::new(&place, &json!({"tools": many}));
    let mut client = scripted.start(&[]);
    let listed = client.request("tools/list", &json!({}));
    assert!(listed["error"]["message"].as_str().unwrap().contains("more tools"), "{listed}");
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
}
