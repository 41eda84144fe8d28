//! Servers and clients that speak HTTP.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::client::{Client, Scripted, is_refused, text};
use super::tools;
use crate::place::Place;

/// herm, listening.
struct Listening {
    client: Client,
    port: u16,
    token: String,
}

impl Listening {
    fn start(scripted: &Scripted<'_>) -> Self {
        Self::of(scripted.connect(&mut scripted.command(&["--listen", "127.0.0.1:0"])))
    }

    fn of(mut client: Client) -> Self {
        let told = client.grumbled("listening on");
        let port = told.split("127.0.0.1:").nth(1).unwrap().split('/').next().unwrap().parse().unwrap();
        let file = PathBuf::from(told.rsplit(" in ").next().unwrap());
        let token = std::fs::read_to_string(file).unwrap();
        Self { client, port, token }
    }

    /// The status of an answer, its head and its body.
    fn ask(&self, method: &str, fields: &str, body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n{fields}\r\n",
            self.port,
            body.len()
        );
        // Who is turned away may not be listened to any more.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    fn post(&self, fields: &str, message: &Value) -> (u16, String, Value) {
        let fields =
            format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n{fields}", self.token);
        let (status, head, body) = self.ask("POST", &fields, &message.to_string());
        let data = body.lines().rev().find_map(|line| line.strip_prefix("data: "));
        (status, head, serde_json::from_str(data.unwrap_or(&body)).unwrap_or_default())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.client.herm.kill();
        let _ = self.client.herm.wait();
    }
}

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
        "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
}

fn allowed(place: &Place) -> Scripted<'_> {
    place.config("mcp: {servers: {scripted: {allow: ['*']}}}\n");
    Scripted::new(place, &json!({"tools": tools(&["t"])}))
}

#[test]
fn nobody_is_let_in_without_the_token_or_from_a_page_elsewhere() {
    let place = Place::new();
    let scripted = allowed(&place);
    let door = Listening::start(&scripted);
    let token = format!("Authorization: Bearer {}\r\n", door.token);
    let body = hello().to_string();
    let status = |fields: &str| door.ask("POST", fields, &body).0;
    assert_eq!(status(""), 401);
    assert_eq!(status("Authorization: Bearer 00\r\n"), 401);
    assert_eq!(status(&format!("{token}Origin: https://evil.example\r\n")), 403);
    assert_eq!(status(&format!("{token}Host: evil.example\r\n")), 400);
    assert_eq!(door.ask("PUT", &token, "").0, 405);
    assert_eq!(door.ask("POST", &token, "{").0, 400);
    assert_eq!(door.ask("GET", &token, "").0, 400);
    assert_eq!(
        door.post("Mcp-Session-Id: nobody\r\n", &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).0,
        404
    );
    assert_eq!(door.client.heard(), "", "no server was even started");
    for address in ["0.0.0.0:0", "192.0.2.1:80"] {
        let ran = place.run(&[
            "mcp",
            "wrap",
            "--home",
            place.home().to_str().unwrap(),
            "--listen",
            address,
            "--",
            "true",
        ]);
        assert!(ran.code == Some(1) && ran.stderr.contains("from elsewhere"), "{ran:?}");
    }
}

#[test]
fn who_begins_with_a_server_that_does_not_start_is_told_so() {
    let place = Place::new();
    let scripted = allowed(&place);
    let home = place.home();
    let words = [
        "mcp",
        "wrap",
        "--home",
        home.to_str().unwrap(),
        "--listen",
        "127.0.0.1:0",
        "--url",
        "http://127.0.0.1:9/mcp",
    ];
    let door = Listening::of(scripted.connect(&mut place.herm(&words)));
    let (status, _, refused) = door.post("", &hello());
    assert_eq!((status, &refused["id"]), (503, &json!(1)), "{refused}");
}

#[test]
fn strangers_keep_nobody_out() {
    let place = Place::new();
    let scripted = allowed(&place);
    let door = Listening::start(&scripted);
    let silent: Vec<_> = (0..80).map(|_| TcpStream::connect(("127.0.0.1", door.port)).unwrap()).collect();
    let (status, head, _) = door.post("", &hello());
    assert_eq!(status, 200, "{head}");
    drop(silent);
}

#[test]
fn a_session_in_http_is_judged_like_any_other() {
    let place = Place::new();
    let scripted = allowed(&place);
    let door = Listening::start(&scripted);
    let (status, head, greeting) = door.post("", &hello());
    assert_eq!((status, &greeting["result"]["serverInfo"]["name"]), (200, &json!("scripted")), "{head}");
    let session = head.split("mcp-session-id: ").nth(1).unwrap().lines().next().unwrap().to_owned();
    let named = format!("Mcp-Session-Id: {session}\r\n");
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(door.post(&named, &told).0, 202);
    let ask = |id: i64, method: &str, params: Value| {
        door.post(&named, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).2
    };
    assert_eq!(ask(2, "tools/list", json!({}))["result"]["tools"][0]["name"], "t");
    assert_eq!(text(&ask(3, "tools/call", json!({"name": "t", "arguments": {}}))), "done");
    let refused = ask(4, "tools/call", json!({"name": "t", "arguments": {"path": "~/.ssh/authorized_keys"}}));
    assert!(is_refused(&refused), "{refused}");
    assert_eq!(door.client.heard().matches("tools/call").count(), 1);
    let token = format!("Authorization: Bearer {}\r\n{named}", door.token);
    assert_eq!(door.ask("DELETE", &token, "").0, 200);
    assert_eq!(door.post(&named, &told).0, 404, "it is over");
}

#[test]
fn requests_that_stand_for_themselves_need_no_session_in_http() {
    let place = Place::new();
    let scripted = allowed(&place);
    let door = Listening::start(&scripted);
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let ask = |method: &str, said: &str, params: Value| {
        let mut params = params;
        params["_meta"] = meta.clone();
        let name = params["name"].as_str().map(|name| format!("Mcp-Name: {name}\r\n")).unwrap_or_default();
        let fields = format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {said}\r\n{name}");
        door.post(&fields, &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    };
    assert_eq!(ask("tools/list", "tools/list", json!({})).2["result"]["tools"][0]["name"], "t");
    let called = ask("tools/call", "tools/call", json!({"name": "t", "arguments": {}}));
    assert_eq!((text(&called.2), &called.2["id"]), ("done", &json!(1)));
    assert!(!called.1.contains("mcp-session-id"), "{}", called.1);
    let (status, _, refused) = ask("tools/call", "tools/list", json!({"name": "t"}));
    assert_eq!(
        (status, &refused["error"]["code"], &refused["id"]),
        (400, &json!(-32020), &json!(1)),
        "the fields say something else"
    );
    let (status, _, unknown) = ask("ping", "ping", json!({}));
    assert_eq!(
        (status, &unknown["error"]["code"]),
        (404, &json!(-32601)),
        "how it failed is said in HTTP, too"
    );
}

#[test]
fn a_server_elsewhere_is_spoken_to_where_the_policy_lets_it() {
    let place = Place::new();
    let scripted = allowed(&place);
    let door = Listening::start(&scripted);
    let url = format!("http://127.0.0.1:{}/mcp", door.port);
    std::fs::write(place.guard().join(".env"), format!("FAR_TOKEN={}\n", door.token)).unwrap();
    let home = place.home();
    let words = |header: &'static str| {
        let words = [
            "mcp",
            "wrap",
            "--name",
            "far",
            "--home",
            home.to_str().unwrap(),
            "--url",
            &url,
            "--header",
            header,
        ];
        words.map(str::to_owned)
    };
    let start = |header: &'static str| {
        let words = words(header);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        scripted.connect(&mut place.herm(&words))
    };
    let (code, _, errors) = start("authorization=Bearer ${FAR_TOKEN}").end();
    assert!(code == Some(1) && errors.contains("private-address"), "{errors}");
    let endpoints = format!("egress: {{endpoints: ['127.0.0.1:{}']}}\n", door.port);
    place.config(&format!(
        "mcp: {{servers: {{scripted: {{allow: ['*']}}, far: {{allow: ['*']}}}}}}\n{endpoints}"
    ));
    let mut client = start("authorization=Bearer ${FAR_TOKEN}");
    assert_eq!(client.greet(&json!({}))["result"]["serverInfo"]["name"], "scripted");
    assert_eq!(client.list()[0]["name"], "t");
    assert_eq!(text(&client.call("t", &json!({}))), "done");
    assert!(is_refused(&client.call("t", &json!({"path": "~/.ssh/authorized_keys"}))));
    assert_eq!(door.client.heard().matches("tools/call").count(), 1);
    assert_eq!(client.leave().0, Some(0));
    let mut stranger = start("authorization=Bearer wrong");
    let refused =
        stranger.request("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": {}}));
    assert!(refused["error"]["message"].as_str().unwrap().contains("token"), "{refused}");
}
