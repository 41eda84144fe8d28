//! What tools, prompts and resources are given, however it is dressed up.

use serde_json::{Value, json};

use super::client::{Scripted, is_refused, text};
use super::{allowing, tools};
use crate::place::Place;

#[test]
fn what_a_tool_is_given_is_judged_however_it_is_dressed_up() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["read_file", "frobnicate", "run"])}));
    let mut client = scripted.start(&[]);
    client.list();
    let climbing = format!("/x://..{}/.ssh/id_rsa", place.home().display());
    let broken = format!("/x\n/..{}/.ssh/id_rsa", place.home().display());
    let long = format!("/{}/..{}/.ssh/id_rsa", "a".repeat(5000), place.home().display());
    let hidden = json!({"program": "rm", "args": ["-rf", "/"]}).to_string();
    let mut many: Vec<_> = (0..200).map(|at| format!("files/{at}")).collect();
    many.push("/etc/cron.d/x".to_owned());
    let harmless: Vec<_> = (0..200).map(|at| format!("files/{at}")).collect();
    let refused = [
        ("read_file", json!({ "path": climbing }), "credential-read"),
        ("read_file", json!({ "path": broken }), "credential-read"),
        ("read_file", json!({ "path": long }), "credential-read"),
        ("read_file", json!({ "url": "ht\ttp://169.254.169.254/" }), "metadata-service"),
        ("read_file", json!({ "url": "http:/169.254.169.254/" }), "metadata-service"),
        ("read_file", json!({ "url": "169.254.169.254/latest" }), "metadata-service"),
        ("frobnicate", json!({ "paths": many }), "protected-write"),
        ("frobnicate", json!({ "paths": harmless }), "unread-text"),
        ("run", json!({"command": ["sh", "-c", "rm -rf /", 1]}), "delete-root"),
        ("run", json!({"command": {"program": "rm", "args": ["-rf", "/"]}}), "delete-root"),
        ("run", json!({"command": [["rm", "-rf", "/"]]}), "delete-root"),
        ("run", json!({"argv": ["rm", "-rf", "/"]}), "delete-root"),
        ("run", json!({"executable": "rm", "args": ["-rf", "/"]}), "delete-root"),
        ("run", json!({"cmdline": "rm -rf /"}), "delete-root"),
        ("run", json!({ "request": hidden }), "delete-root"),
        ("run", json!({"command": {"first": "ls", "second": "-l"}}), "unread-text"),
    ];
    for (tool, arguments, rule) in &refused {
        let answer = client.call(tool, arguments);
        assert!(is_refused(&answer) && text(&answer).contains(rule), "{tool} {arguments:.200}: {answer}");
    }
    let content = "// a comment\nfn main() {}\n";
    let allowed = [
        ("frobnicate", json!({"path": "a.rs", "content": content})),
        ("frobnicate", json!({"path": "a.json", "content": "{\"files\": [\"a\"]}"})),
        ("run", json!({"command": {"program": "ls", "args": ["-l"]}, "shell": true})),
    ];
    for (tool, arguments) in &allowed {
        assert_eq!(text(&client.call(tool, arguments)), "done", "{tool} {arguments}");
    }
    let heard = client.heard();
    assert_eq!(heard.matches("tools/call").count(), allowed.len(), "{heard:.2000}");
    assert!(!place.is_harmed());
}

#[test]
fn what_resources_prompts_and_completions_are_given_is_judged() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let scripted = Scripted::new(&place, &json!({"tools": []}));
    let mut client = scripted.start(&[]);
    let key = place.home().join(".ssh/id_rsa");
    let key = key.to_str().unwrap();
    let complete = |argument: Value, before: Value| json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": argument, "context": {"arguments": before}});
    for (method, params) in [
        ("resources/read", json!({ "uri": key })),
        ("resources/subscribe", json!({ "uri": key })),
        ("resources/read", json!({ "uri": format!("fi\tle://{key}") })),
        ("resources/read", json!({"uri": "ht\ntp:169.254.169.254/latest"})),
        ("prompts/get", json!({"name": "p", "arguments": {"file": key}})),
        ("prompts/get", json!({"name": "p", "arguments": {"command": "rm -rf /"}})),
        ("completion/complete", complete(json!({"name": "path", "value": key}), json!({}))),
        ("completion/complete", complete(json!({"name": "x", "value": ""}), json!({ "path": key }))),
        ("completion/complete", complete(json!({"name": "x", "value": "", "Value": key}), json!({}))),
    ] {
        let answer = client.request(method, &params);
        assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("herm:")), "{answer}");
        assert!(!client.heard().contains(method), "{method} {params}");
    }
    for (method, params) in [
        ("resources/read", json!({"uri": "notes://1"})),
        ("prompts/get", json!({"name": "p", "arguments": {"topic": "birds"}})),
        ("completion/complete", complete(json!({"name": "topic", "value": "b"}), json!({}))),
    ] {
        assert_eq!(client.request(method, &params)["result"], json!({}), "{method}");
    }
}

#[test]
fn what_could_be_read_in_two_ways_reaches_nobody() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let answer =
        |id: i64, more: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}{more}}}"#);
    let scripted = Scripted::new(
        &place,
        &json!({"tools": tools(&["t", "odd"]),
            "lines": {"odd": [answer(3, r#","Result":{"content":[{"type":"text","text":"evil"}]}"#), answer(3, "")]}}),
    );
    let mut client = scripted.start(&[]);
    client.list();
    let odd = client.call("odd", &json!({}));
    assert!(odd["error"]["message"].as_str().is_some_and(|why| why.contains("no answer")), "{odd}");
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/x","Method":"tools/call","ID":77,"params":{"name":"evil"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1},"PARAMS":{"name":"evil"}}"#,
        r#"{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"name":"t","Name":"evil","arguments":{}}}"#,
        r#"{"jsonrpc":"2.0","id":71,"method":"tools/call","params":{"name":"t","Arguments":{"a":"evil"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"note":1,"Note":"evil"}}"#,
    ] {
        client.raw(line);
        client.request("ping", &json!({}));
        assert!(!client.heard().contains("evil"), "{line}");
    }
}

#[test]
fn no_secret_comes_through_beside_what_is_read() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let result = json!({"jsonrpc": "2.0", "id": 4, "result": {"content": []}, "note": token});
    let said = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": token}, "extra": [token]});
    let named = json!({"jsonrpc": "2.0", "method": format!("notifications/{token}")});
    let scripted = Scripted::new(
        &place,
        &json!({
            "tools": tools(&["fail", "note", "t"]),
            "errors": {"fail": {"code": -1, "message": "no", "details": token}},
            "lines": {"note": [named.to_string(), said.to_string(), result.to_string()]},
        }),
    );
    let mut client = scripted.start(&[]);
    client.list();
    let failed = client.call("fail", &json!({}));
    assert_eq!(failed["error"]["code"], -1);
    client.ask("tools/call", &json!({"name": "note", "arguments": {}}));
    let named = client.until(|_| true);
    let logged = client.until(|message| message["method"] == "notifications/message");
    let noted = client.until(|message| message["id"] == 4);
    assert_eq!(noted["result"]["content"], json!([]));
    for said in [failed, named, logged, noted].map(|message| message.to_string()) {
        assert!(!said.contains(&token), "{said}");
    }
}
