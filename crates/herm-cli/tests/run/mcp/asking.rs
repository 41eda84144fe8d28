//! What has to be asked while a client waits, and who is asked.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::client::{Client, Scripted, is_refused, text};
use super::tools;
use crate::place::{Place, Ran};

#[test]
fn a_question_keeps_nobody_else_waiting() {
    let place = Place::new();
    place.config("mcp: {servers: {scripted: {allow: [free]}}}\n");
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["free", "odd", "strange"])}));
    let mut client = scripted.connect(scripted.command(&[]).env("HERMES_EXEC_ASK", "1"));
    client.greet(&json!({}));
    client.list();
    let first = client.ask("tools/call", &json!({"name": "strange", "arguments": {"n": 1}}));
    let question = place.question();
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    assert_eq!(text(&client.call("free", &json!({}))), "done");
    assert!(!client.heard().contains("strange"));
    assert_eq!(place.run(&["approvals", "answer", &question, "session"]).code, Some(0));
    assert_eq!(text(&client.answer(first)), "done");
    assert_eq!(text(&client.call("strange", &json!({"n": 2}))), "done", "for the session");
    let cancelled = client.ask("tools/call", &json!({"name": "odd", "arguments": {}}));
    let question = place.question();
    client.notify("notifications/cancelled", &json!({"requestId": cancelled}));
    let _ = place.run(&["approvals", "answer", &question, "once"]);
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    assert!(!client.heard().contains("odd"), "what was called off is not called");
}

/// The question of herm that the client gets.
fn question(client: &mut Client) -> Value {
    client.until(|message| message["method"] == "elicitation/create")
}

#[test]
fn the_client_asks_its_own_person_where_that_is_wanted() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t"])}));
    let mut client = scripted.connect(&mut scripted.command(&["--ask", "client"]));
    client.greet(&json!({"elicitation": {}}));
    client.list();
    for (answer, is_called) in [
        (json!({"action": "accept", "content": {"answer": "once"}}), true),
        (json!({"action": "cancel"}), false),
        (json!({"action": "accept", "content": {"answer": "always"}}), false),
        (json!({"action": "accept"}), false),
    ] {
        let id = client.ask("tools/call", &json!({"name": "t", "arguments": {"note": answer.to_string()}}));
        let asked = question(&mut client);
        let message = asked["params"]["message"].as_str().unwrap();
        assert!(message.contains("scripted/t") && message.contains("[unknown-tool]"), "{message}");
        client.send(json!({"id": asked["id"], "result": answer}));
        assert_eq!(!is_refused(&client.answer(id)), is_called, "{answer}");
    }
    let id = client.ask("tools/call", &json!({"name": "t", "arguments": {}}));
    let asked = question(&mut client);
    client.send(json!({"id": asked["id"], "result": {"action": "decline"}}));
    assert!(text(&client.answer(id)).contains("the user denied"));
    let again = client.call("t", &json!({}));
    assert!(text(&again).contains("denied-before"), "a no is remembered: {again}");
    assert!(!client.heard().contains("elicitation/create"));
}

#[test]
fn what_one_client_answers_holds_for_no_other() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t"])}));
    let mut first = scripted.connect(&mut scripted.command(&["--ask", "client"]));
    first.greet(&json!({"elicitation": {}}));
    first.list();
    let id = first.ask("tools/call", &json!({"name": "t", "arguments": {}}));
    let asked = question(&mut first);
    first.send(json!({"id": asked["id"], "result": {"action": "accept", "content": {"answer": "session"}}}));
    assert_eq!(text(&first.answer(id)), "done");
    assert_eq!(text(&first.call("t", &json!({}))), "done", "for its session");
    let mut second = scripted.start(&[]);
    second.list();
    assert!(is_refused(&second.call("t", &json!({}))), "another conversation");
    let sessions: Vec<_> =
        place.ledger().iter().map(|record| record["body"]["session"].to_string()).collect();
    let ours = sessions.iter().filter(|session| session.starts_with("\"mcp-")).count();
    let shared = sessions.iter().any(|session| session.contains("terminal"));
    assert!(ours > 2 && !shared, "they would share that of their terminal: {sessions:?}");
}

/// Only a user of whom the machine knows no home has one of the test's making.
#[test]
fn what_herm_runs_is_not_its_own_client() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can become somebody whom nobody knows");
        return;
    }
    let place = Place::unprivileged();
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
        "serverInfo": {"name": "s", "version": "1"}}});
    let listed = r#"id=${line#*'"id":'}; echo '{"jsonrpc":"2.0","result":{"tools":[]},"id":'"${id%%,*}}""#;
    let server = format!(
        "while read -r line; do case $line in *'\"initialize\"'*) echo '{greeting}' ;; *'\"tools/list\"'*) {listed} ;; esac; done\n"
    );
    place.file("server.sh", &server);
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "t", "arguments": {}}}),
    ];
    place.file("lines", &lines.map(|line| format!("{line}\n")).concat());
    // It waits for the greeting, and until it is told or asked.
    let feed = "head -1 lines\nuntil grep -q '\"id\":1' said; do sleep 0.05; done\ntail -n +2 lines\n\
                until grep -q -e '\"id\":3' -e elicitation said; do sleep 0.05; done\n";
    place.file("feed.sh", feed);
    place.config("command_allowlist: ['rule:self-approve', 'rule:unknown-program', 'rule:unknown-code']\n");
    let nobody = "6012";
    let herm = place.binary().to_str().unwrap();
    let inner = format!(
        "export HOME={}; : > said; bash feed.sh | {herm} mcp wrap --name scripted --ask client -- bash server.sh > said",
        place.home().display()
    );
    // Another home would be refused, if it were seen.
    place.file("inner.sh", &inner);
    let owned = [place.home(), place.work(""), place.binary().with_file_name("tmp")];
    let given = Command::new("chown").args(["-R", &format!("{nobody}:{nobody}")]).args(owned).status();
    assert!(given.unwrap().success());
    let mut command = place.command("setsid");
    command.args(["--wait", "setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups", "--", herm]);
    let ran = Ran::of(command.args([
        "run",
        "--backend",
        "local",
        "--json",
        "--timeout",
        "60",
        r#"eval "$(sed -n p inner.sh)""#,
    ]));
    let said = fs::read_to_string(place.work("said")).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert!(said.contains("\"id\":3") && !said.contains("elicitation/create"), "{said} {ran:?}");
}

#[test]
fn a_client_that_cannot_ask_or_is_not_trusted_with_it_is_not_asked() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t"])}));
    for (more, capabilities) in [(&["--ask", "client"][..], json!({})), (&[], json!({"elicitation": {}}))] {
        let mut client = scripted.connect(&mut scripted.command(more));
        client.greet(&capabilities);
        client.list();
        let refused = client.call("t", &json!({}));
        assert!(text(&refused).contains("nobody is there"), "{refused}");
    }
}

/// A call that stands for itself.
fn modern(name: &str, extra: &Value) -> Value {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}});
    let mut params = json!({"name": name, "arguments": {"n": 1}, "_meta": meta});
    for (key, value) in extra.as_object().unwrap() {
        params[key] = value.clone();
    }
    params
}

#[test]
fn without_sessions_a_call_is_sent_back_with_the_question() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["t", "u"])}));
    let mut client = scripted.connect(&mut scripted.command(&["--ask", "client"]));
    client.request("tools/list", &modern("", &json!({})));
    let asked = client.request("tools/call", &modern("t", &json!({})));
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let state = asked["result"]["requestState"].as_str().unwrap();
    let form = &asked["result"]["inputRequests"]["herm"];
    assert_eq!(form["method"], "elicitation/create");
    assert!(form["params"]["message"].as_str().unwrap().contains("scripted/t"));
    let answered = |state: &str, answer: &str| json!({"requestState": state, "inputResponses": {"herm": {"action": "accept", "content": {"answer": answer}}}});
    let done = client.request("tools/call", &modern("t", &answered(state, "once")));
    assert_eq!(text(&done), "done", "{done}");
    let again = client.request("tools/call", &modern("t", &answered(state, "once")));
    assert!(is_refused(&again), "it was used: {again}");
    let asked = client.request("tools/call", &modern("t", &json!({})));
    let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
    let other = client.request("tools/call", &modern("u", &answered(&state, "once")));
    assert!(is_refused(&other), "it belongs to another call: {other}");
    let forged = client.request("tools/call", &modern("t", &answered(&format!("{state}0"), "once")));
    assert!(is_refused(&forged), "{forged}");
    let asked = client.request("tools/call", &modern("t", &json!({})));
    let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
    let denied = client.request("tools/call", &modern("t", &answered(&state, "deny")));
    assert!(text(&denied).contains("the user denied"), "{denied}");
    let heard = client.heard();
    assert_eq!(heard.matches("tools/call").count(), 1, "{heard}");
    assert!(!heard.contains("requestState") && !heard.contains("inputResponses"), "{heard}");
}

#[test]
fn several_questions_about_a_call_come_to_an_end() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["read_key"])}));
    let mut client = scripted.connect(&mut scripted.command(&["--ask", "client"]));
    client.request("tools/list", &modern("", &json!({})));
    let arguments = json!({"path": "~/.ssh/id_rsa"});
    let mut answer = client.request("tools/call", &modern("read_key", &json!({"arguments": arguments})));
    let mut questions = Vec::new();
    while answer["result"]["resultType"] == "input_required" && questions.len() < 5 {
        questions.push(answer["result"]["inputRequests"]["herm"]["params"]["message"].clone());
        let yes = json!({"herm": {"action": "accept", "content": {"answer": "once"}}});
        let given = json!({"requestState": answer["result"]["requestState"], "inputResponses": yes, "arguments": arguments});
        answer = client.request("tools/call", &modern("read_key", &given));
    }
    assert_eq!(text(&answer), "done", "{questions:?}");
    assert_eq!(questions.len(), 2, "{questions:?}");
    let released = released(&place);
    assert_eq!(released.len(), 2, "each deed is released once: {released:?}");
    let asked: Vec<_> =
        place.ledger().into_iter().filter(|record| record["body"]["refused"] == "nobody").collect();
    assert_eq!(asked.len(), 2, "each question is recorded: {asked:?}");
}

/// What the server was let do, as it is recorded: the server itself is not meant.
fn released(place: &Place) -> Vec<Value> {
    let bodies = place.ledger().into_iter().map(|record| record["body"].clone());
    bodies.filter(|body| body["decision"] == "allow" && body["action"]["exec"].is_null()).collect()
}

#[test]
fn what_one_question_stops_is_not_recorded_as_released() {
    let place = Place::new();
    let scripted = Scripted::new(&place, &json!({"tools": tools(&["read_key"])}));
    let mut client = scripted.connect(&mut scripted.command(&["--ask", "client"]));
    client.request("tools/list", &modern("", &json!({})));
    let arguments = json!({"path": "~/.ssh/id_rsa"});
    let mut answer = client.request("tools/call", &modern("read_key", &json!({"arguments": arguments})));
    for said in ["once", "deny"] {
        assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
        let said = json!({"herm": {"action": "accept", "content": {"answer": said}}});
        let given = json!({"requestState": answer["result"]["requestState"], "inputResponses": said, "arguments": arguments});
        answer = client.request("tools/call", &modern("read_key", &given));
    }
    assert!(is_refused(&answer), "{answer}");
    assert_eq!(released(&place), Vec::<Value>::new());
    assert!(!client.heard().contains("tools/call"));
}

#[test]
fn what_a_server_wants_before_it_goes_on_is_judged() {
    let place = Place::new();
    place.config("mcp: {servers: {scripted: {allow: ['*']}}}\n");
    let wants = json!({"resultType": "input_required", "requestState": "theirs",
        "inputRequests": {"file": {"method": "elicitation/create", "params": {"message": "which?"}}}});
    let listed = tools(&["t"]);
    let scripted = Scripted::new(&place, &json!({"tools": listed, "results": {"t": wants}}));
    let mut client = scripted.connect(&mut scripted.command(&["--ask", "client"]));
    client.request("tools/list", &modern("", &json!({})));
    let wanted = client.request("tools/call", &modern("t", &json!({})));
    assert_eq!(wanted["result"]["requestState"], "theirs", "{wanted}");
    let before = released(&place).len();
    scripted.becomes(&json!({"tools": listed}));
    let given = |content: Value| json!({"requestState": "theirs", "inputResponses": {"file": {"action": "accept", "content": content}}});
    for content in [json!({"path": "/etc/shadow"}), json!({"command": "rm -rf /"})] {
        let refused = client.request("tools/call", &modern("t", &given(content.clone())));
        assert!(is_refused(&refused) && text(&refused).contains("refused"), "{content}: {refused}");
    }
    assert!(!client.heard().contains("shadow") && !client.heard().contains("rm -rf"));
    assert_eq!(released(&place).len(), before);
    let done = client.request("tools/call", &modern("t", &given(json!({"name": "a.txt"}))));
    assert_eq!(text(&done), "done", "{done}");
}

#[test]
fn who_said_yes_to_a_call_is_not_asked_again_when_its_server_wants_something_first() {
    let place = Place::new();
    let wants = json!({"resultType": "input_required", "requestState": "theirs",
        "inputRequests": {"name": {"method": "elicitation/create", "params": {"message": "who?"}}}});
    let listed = tools(&["t"]);
    let scripted = Scripted::new(&place, &json!({"tools": listed, "results": {"t": wants}}));
    let mut client = scripted.connect(&mut scripted.command(&["--ask", "client"]));
    client.request("tools/list", &modern("", &json!({})));
    let asked = client.request("tools/call", &modern("t", &json!({})));
    let yes = json!({"herm": {"action": "accept", "content": {"answer": "once"}}});
    let given = json!({"requestState": asked["result"]["requestState"], "inputResponses": yes});
    let wanted = client.request("tools/call", &modern("t", &given));
    assert_eq!(wanted["result"]["requestState"], "theirs", "it is passed on as it is: {wanted}");
    let anew = client.request("tools/call", &modern("t", &json!({})));
    let method = &anew["result"]["inputRequests"]["herm"]["method"];
    assert_eq!(method, "elicitation/create", "what is made anew is no answer to the server: {anew}");
    scripted.becomes(&json!({"tools": listed}));
    let given = json!({"requestState": "theirs", "inputResponses": {"name": {"action": "accept"}}});
    let done = client.request("tools/call", &modern("t", &given));
    assert_eq!(text(&done), "done", "{done}");
    assert!(client.heard().contains("theirs"), "the server gets its state back");
    assert_eq!(released(&place).len(), 1, "it was released when it was asked about");
    let again = client.request("tools/call", &modern("t", &json!({})));
    assert_eq!(
        again["result"]["inputRequests"]["herm"]["method"], "elicitation/create",
        "the next one is asked about"
    );
}

#[test]
fn what_a_server_asks_for_passes_and_sampling_is_asked_about() {
    let place = Place::new();
    let sampling =
        json!({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {"messages": []}});
    let roots = json!({"jsonrpc": "2.0", "id": "r1", "method": "roots/list"});
    let script = json!({"tools": tools(&["t"]), "before": {"t": [roots, sampling]}});
    for (policy, passes) in [("allow", true), ("deny", false), ("ask", false)] {
        place.config(&format!("mcp: {{servers: {{scripted: {{allow: [t], sampling: {policy}}}}}}}\n"));
        let scripted = Scripted::new(&place, &script);
        let mut client = scripted.start(&[]);
        client.list();
        drop(client.leave());
        let mut client = scripted.connect(&mut scripted.command(&[]));
        client.greet(&json!({"sampling": {}, "roots": {}}));
        client.list();
        let id = client.ask("tools/call", &json!({"name": "t", "arguments": {}}));
        let asked = client.until(|message| message["method"] == "roots/list");
        client.send(json!({"id": asked["id"], "result": {"roots": []}}));
        let (mut is_done, mut is_sampled) = (false, !passes);
        while !is_done || !is_sampled {
            let message = client.until(|_| true);
            if message["method"] == "sampling/createMessage" {
                assert!(passes, "{message}");
                client.send(json!({"id": message["id"], "result": {"role": "assistant"}}));
                is_sampled = true;
            }
            is_done |= message["id"] == id && text(&message) == "done";
        }
        let heard =
            || client.heard().lines().filter(|line| line.contains("\"s1\"")).collect::<Vec<_>>().join("\n");
        crate::place::eventually("the server hears of it", || !heard().is_empty());
        assert_eq!(heard().contains("assistant"), passes, "{policy}: {}", heard());
    }
}
