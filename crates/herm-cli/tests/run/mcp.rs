//! `herm mcp wrap`, with servers that are scripted, hostile or real.

mod asking;
mod client;
mod conformance;
mod given;
mod hostile;
mod http;
mod pins;
mod reference;

use std::fs;

use serde_json::{Value, json};

use crate::place::{Place, eventually};
use client::{Scripted, is_refused, text};

/// Tools that a server lists.
fn tools(names: &[&str]) -> Value {
    let tool = |name: &&str| json!({"name": name, "description": format!("does {name}"), "inputSchema": {"type": "object"}});
    names.iter().map(tool).collect()
}

/// A configuration in which these tools are not asked about.
fn allowing(place: &Place, names: &[&str]) {
    place.config(&format!("mcp: {{servers: {{scripted: {{allow: {names:?}}}}}}}\n"));
}

#[test]
fn a_server_is_given_the_short_list_and_its_own_variables_and_nothing_else() {
    let place = Place::new();
    fs::create_dir_all(place.guard()).unwrap();
    fs::write(place.guard().join(".env"), "SERVICE_KEY=k3y-of-the-service\nOTHER_KEY=another-one-0815\n")
        .unwrap();
    place.config(
        "mcp: {servers: {scripted: {allow: [environ], env: {SERVICE_KEY: '${SERVICE_KEY}', PLAIN: a}}}}\n",
    );
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["environ"])}));
    let mut command = scripted.command(&["--env", "GIVEN=b", "--env", "PASSED", "--env", "PLAIN=c"]);
    for name in ["USER", "LANG", "LC_ALL", "SHELL", "XDG_DATA_HOME"] {
        command.env(name, format!("of-{name}"));
    }
    for name in [
        "GITHUB_TOKEN",
        "OPENAI_API_KEY",
        "HERM_HOME",
        "EDITOR",
        "LC_TIME",
        "NODE_OPTIONS",
        "LD_LIBRARY_PATH",
    ] {
        command.env(name, "/nowhere");
    }
    command.env("PASSED", "d");
    let mut client = scripted.connect(&mut command);
    client.greet(&json!({}));
    client.list();
    let answer = client.call("environ", &json!({}));
    let environ: Value = serde_json::from_str(text(&answer)).unwrap();
    let mut names: Vec<_> = environ.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    let expected = [
        "GIVEN",
        "HOME",
        "LANG",
        "LC_ALL",
        "PASSED",
        "PATH",
        "PLAIN",
        "SERVICE_KEY",
        "SHELL",
        "TERM",
        "TMPDIR",
        "USER",
        "XDG_DATA_HOME",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        (&environ["GIVEN"], &environ["PASSED"], &environ["PLAIN"]),
        (&json!("b"), &json!("d"), &json!("c"))
    );
    assert_eq!(environ["SERVICE_KEY"], "[REDACTED]", "it has the secret, and cannot show it");
    assert_eq!(client.leave().0, Some(0));
}

#[test]
fn variables_that_cannot_be_given_are_not_silently_missing() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({}));
    for (variable, why) in
        [("MISSING", "`MISSING` is not set"), ("A=${B}", "`.env` has no `B`"), ("1=2", "no name")]
    {
        let (code, _, errors) = scripted.connect(&mut scripted.command(&["--env", variable])).end();
        assert!(code == Some(1) && errors.contains(why), "{variable}: {errors}");
    }
    assert_eq!(fs::read_to_string(place.work("heard.log")).unwrap(), "");
}

#[test]
fn what_a_tool_is_given_is_judged_and_what_is_refused_never_reaches_the_server() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["read_file", "frobnicate", "run"])}));
    let mut client = scripted.start(&[]);
    client.list();
    let home = place.home();
    let allowed = [
        ("read_file", json!({"path": "a.txt"})),
        ("frobnicate", json!({"path": "a.txt", "deep": [{"text": "hello"}]})),
        ("run", json!({"command": "ls"})),
        ("read_file", json!({"path": home.join(".bashrc")})),
    ];
    for (tool, arguments) in &allowed {
        assert_eq!(text(&client.call(tool, arguments)), "done", "{tool} {arguments}");
    }
    let refused = [
        ("read_file", json!({"path": "~/.ssh/id_rsa"}), "credential-read"),
        ("frobnicate", json!({"deep": [{"target": home.join(".ssh/authorized_keys")}]}), "protected-write"),
        ("frobnicate", json!({"path": home.join(".bashrc")}), "protected-write"),
        ("run", json!({"steps": [{"command": "rm -rf /"}]}), "delete-root"),
        ("run", json!({"cmd": ["rm", "-rf", "/"]}), "delete-root"),
        ("frobnicate", json!({"page": "http://169.254.169.254/latest"}), "metadata-service"),
        ("read_file", json!({"path": "file:///etc/shadow"}), "credential-read"),
    ];
    for (tool, arguments, rule) in &refused {
        let answer = client.call(tool, arguments);
        assert!(is_refused(&answer) && text(&answer).contains(rule), "{tool} {arguments}: {answer}");
        assert!(text(&answer).contains("in another way"), "{answer}");
    }
    let heard = client.heard();
    assert_eq!(heard.matches("tools/call").count(), allowed.len(), "{heard}");
    let records = place.ledger();
    let by_us = records.iter().filter(|record| record["body"]["door"] == "mcp").count();
    assert_eq!(by_us, records.len());
    assert!(!place.is_harmed());
}

#[test]
fn tools_are_denied_by_name_and_not_even_shown() {
    let place = Place::new();
    place.config("mcp: {servers: {scripted: {allow: ['*'], deny: ['delete_*']}}}\n");
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["read_file", "delete_all"])}));
    let mut client = scripted.start(&[]);
    let listed = client.list();
    assert_eq!(listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), ["read_file"]);
    let answer = client.call("delete_all", &json!({}));
    assert!(is_refused(&answer) && text(&answer).contains("denied-by-user"), "{answer}");
    assert!(!client.heard().contains("delete_all"));
}

#[test]
fn no_secret_comes_through_whatever_it_is_in() {
    let place = Place::new();
    fs::create_dir_all(place.guard()).unwrap();
    fs::write(place.guard().join(".env"), "MY_PASSWORD=tr0ub4dor-and-three\n").unwrap();
    allowing(&place, &["*"]);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let held = "tr0ub4dor-and-three";
    let both = format!("token {token} and {held}");
    let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": both}});
    let scripted = Scripted::new(
        &place,
        &json!({
            "tools": tools(&["show", "fail", "log", "grumble"]),
            "results": {"show": {"content": [{"type": "text", "text": both}], "structuredContent": {"password": held}},
                "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": both}}]},
                "resources/read": {"contents": [{"uri": "x://y", "text": both}]}},
            "errors": {"fail": {"code": -1, "message": both, "data": {"env": both}}},
            "before": {"log": [note]},
        }),
    );
    let mut client = scripted.start(&[]);
    client.list();
    let shown = client.call("show", &json!({}));
    assert!(text(&shown).starts_with("token [REDACTED]"), "{shown}");
    let failed = client.call("fail", &json!({}));
    assert_eq!(failed["error"]["code"], -1);
    let prompt = client.request("prompts/get", &json!({"name": "prompts/get"}));
    let resource = client.request("resources/read", &json!({"uri": "x://y"}));
    client.ask("tools/call", &json!({"name": "log", "arguments": {}}));
    let logged = client.until(|message| message["method"] == "notifications/message");
    let grumbled = {
        client.call("grumble", &json!({"text": format!("\u{1b}[31m{both}")}));
        client.grumbled("token")
    };
    for said in
        [shown, failed, prompt, resource, logged].map(|value| value.to_string()).iter().chain([&grumbled])
    {
        assert!(!said.contains(&token) && !said.contains(held) && said.contains("[REDACTED]"), "{said}");
    }
    assert!(grumbled.contains("\\u{1b}") && !grumbled.contains('\u{1b}'), "{grumbled}");
}

#[test]
fn what_does_not_change_is_passed_on_byte_for_byte() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let odd = r#"{"jsonrpc":"2.0","id":2,"result":{"content":[],"z":1.50,"a":12345678901234567890123,"é":"\u00e9"}}"#;
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t"]), "lines": {"t": [odd]}}));
    let mut client = scripted.start(&[]);
    let asked = r#"{"jsonrpc":"2.0", "id":2,"method":"tools/call","params":{"name":"t","arguments":{"n":1.50,"b":98765432109876543210}}}"#;
    client.list();
    client.raw(asked);
    client.answer(2);
    assert!(client.heard().contains(&format!("{asked}\n")), "{}", client.heard());
}

#[test]
fn calls_are_bounded_by_the_minute() {
    let place = Place::new();
    place.config("mcp: {servers: {scripted: {allow: ['*'], rate: 2}}}\n");
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t"])}));
    let mut client = scripted.start(&[]);
    client.list();
    let answers: Vec<_> = (0..3).map(|at| client.call("t", &json!({"n": at}))).collect();
    assert_eq!([0, 1].map(|at| text(&answers[at])), ["done", "done"]);
    assert!(text(&answers[2]).contains("2 calls a minute"), "{}", answers[2]);
    assert_eq!(client.heard().matches("tools/call").count(), 2);
}

#[test]
fn an_agent_that_goes_round_in_circles_is_told_and_stopped() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let failing = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t"]), "results": {"t": failing}}));
    let mut client = scripted.start(&[]);
    client.list();
    let answers: Vec<_> = (0..6).map(|_| client.call("t", &json!({}))).collect();
    let advice = answers[1]["result"]["content"][1]["text"].as_str().unwrap();
    assert!(advice.contains("exact-failure"), "{advice}");
    assert!(is_refused(&answers[5]) && text(&answers[5]).contains("exact-failure"), "{}", answers[5]);
    assert_eq!(client.heard().matches("tools/call").count(), 5);
}

#[test]
fn a_server_ends_with_herm_and_with_all_that_it_started() {
    let place = Place::new();
    allowing(&place, &["*"]);
    let is_gone = |pid: &Value| {
        let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        status.is_empty() || status.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z"))
    };
    for killed in [true, false] {
        let scripted = Scripted::new(&place, &json!({"tools": tools(&["spawn"])}));
        let mut client = scripted.start(&[]);
        client.list();
        let pids: Vec<Value> = serde_json::from_str(text(&client.call("spawn", &json!({})))).unwrap();
        assert!(pids.iter().all(|pid| !is_gone(pid)), "{pids:?}");
        if killed {
            client.herm.kill().unwrap();
            client.herm.wait().unwrap();
        } else {
            assert_eq!(client.leave().0, Some(0));
        }
        eventually("the server ends with herm", || pids.iter().all(is_gone));
    }
}

#[test]
fn a_server_that_goes_leaves_nobody_waiting() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({}));
    let mut command = place.herm(&[
        "mcp",
        "wrap",
        "--home",
        place.home().to_str().unwrap(),
        "--",
        "sh",
        "-c",
        "read line; exit 3",
    ]);
    let mut client = scripted.connect(&mut command);
    let id = client.ask("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": {}}));
    let (code, said, errors) = client.end();
    assert!(said.iter().any(|message| message["id"] == id && message["error"]["code"] == -32603), "{said:?}");
    assert!(code == Some(1) && errors.contains("ended with status 3"), "{errors}");
    let mut command =
        place.herm(&["mcp", "wrap", "--home", place.home().to_str().unwrap(), "--", "no-such-server"]);
    let (code, _, errors) = scripted.connect(&mut command).end();
    assert!(code == Some(1) && errors.contains("no-such-server"), "{errors}");
}

#[test]
fn a_server_that_would_do_harm_is_not_started() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({}));
    let mut command =
        place.herm(&["mcp", "wrap", "--home", place.home().to_str().unwrap(), "--", "rm", "-rf", "/"]);
    let (code, _, errors) = scripted.connect(&mut command).end();
    assert!(code == Some(1) && errors.contains("delete-root") && !place.is_harmed(), "{errors}");
    for wrong in [&["mcp", "wrap"][..], &["mcp", "wrap", "--name", "a/b", "--", "true"]] {
        assert_eq!(place.run(wrong).code, Some(3), "{wrong:?}");
    }
}

#[test]
fn a_confined_server_reaches_nothing_but_its_workspace() {
    let place = Place::new();
    allowing(&place, &["*"]);
    fs::write(place.home().join("visible"), "").unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let wanted = json!({"file": "visible", "port": listener.local_addr().unwrap().port()});
    let script = json!({"tools": tools(&["reach"])});
    let reached = |more: &[&str]| {
        let scripted = Scripted::new(&place, &script);
        let mut client = scripted.connect(&mut scripted.command_by("/usr/bin/python3", more));
        client.greet(&json!({}));
        client.list();
        let reached: Vec<String> = serde_json::from_str(text(&client.call("reach", &wanted))).unwrap();
        assert_eq!(client.leave().0, Some(0));
        reached
    };
    assert_eq!(reached(&[]), ["read", "write", "here", "connect"], "it can without a boundary");
    fs::remove_file(place.home().join("made")).unwrap();
    let confined = reached(&["--sandbox"]);
    assert!(confined.contains(&"here".to_owned()), "{confined:?}");
    assert!(
        !confined.contains(&"read".to_owned()) && !confined.contains(&"connect".to_owned()),
        "{confined:?}"
    );
    assert!(!place.home().join("made").exists(), "a home of its own is written to, if any");
}
