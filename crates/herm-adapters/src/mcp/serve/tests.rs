use super::*;

fn request(method: &str, params: Value) -> Message {
    let params = Some(params).filter(|params| !params.is_null());
    Message::Request(Request { id: Id::Number(1.into()), method: method.to_owned(), params })
}

fn said(step: Step) -> Result<Value, Failure> {
    let Step::Say(Message::Response(response)) = step else { panic!("it should answer: {step:?}") };
    response.outcome
}

fn code(step: Step) -> i64 {
    said(step).unwrap_err().code
}

fn introduced(capabilities: &Value) -> Server {
    let mut server = Server::new("1");
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {}});
    let _ = server.hear(request("initialize", params));
    server
}

fn meta(version: &str, capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

fn call(server: &mut Server, params: Value) -> Call {
    let step = server.hear(request("tools/call", params));
    let Step::Call(call) = step else { panic!("it should be a call: {step:?}") };
    *call
}

fn misused(name: &str, arguments: &Value) -> String {
    let call = call(&mut introduced(&json!({})), json!({"name": name, "arguments": arguments}));
    call.tool.unwrap_err().why
}

#[test]
fn the_revision_is_the_one_that_both_speak() {
    for (asked, spoken) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        let mut server = Server::new("1");
        let step = server.hear(request("initialize", json!({"protocolVersion": asked, "capabilities": {}})));
        assert_eq!(said(step).unwrap()["protocolVersion"], spoken, "{asked}");
    }
    assert_eq!(code(Server::new("1").hear(request("initialize", json!({})))), INVALID_PARAMS);
}

#[test]
fn who_has_not_introduced_itself_is_not_served() {
    let mut server = Server::new("1");
    assert_eq!(code(server.hear(request("tools/list", json!({})))), INVALID_REQUEST);
    assert_eq!(code(server.hear(request("tools/call", json!({"name": "terminal"})))), INVALID_REQUEST);
    assert_eq!(said(server.hear(request("ping", Value::Null))).unwrap(), json!({}));
    assert_eq!(code(server.hear(request("resources/list", json!({})))), NO_METHOD);
    assert_eq!(code(server.hear(request("tools/list", json!([])))), INVALID_PARAMS);
}

#[test]
fn in_the_newer_age_every_request_stands_for_itself() {
    let mut server = Server::new("1");
    let asked = |version: &str| json!({"_meta": meta(version, &json!({}))});
    let found = said(server.hear(request("server/discover", asked("2026-07-28")))).unwrap();
    assert_eq!(found["supportedVersions"], json!(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]));
    assert_eq!(
        (&found["resultType"], &found["_meta"][SERVER_INFO]["name"]),
        (&json!("complete"), &json!("herm"))
    );
    let listed = said(server.hear(request("tools/list", asked("2026-07-28")))).unwrap();
    assert_eq!((&listed["resultType"], &listed["cacheScope"]), (&json!("complete"), &json!("private")));
    let failure = said(server.hear(request("tools/list", asked("2031-01-01")))).unwrap_err();
    assert_eq!((failure.code, failure.data.unwrap()["requested"].clone()), (UNSPOKEN, json!("2031-01-01")));
    let bare = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
    assert_eq!(code(server.hear(request("tools/list", bare))), INVALID_PARAMS);
    assert_eq!(code(server.hear(request("ping", asked("2026-07-28")))), NO_METHOD);
    assert_eq!(code(server.hear(request("server/discover", json!({})))), INVALID_PARAMS);
    // It is not introduced by that.
    assert_eq!(code(server.hear(request("tools/list", json!({})))), INVALID_REQUEST);
}

#[test]
fn forms_are_shown_by_those_who_say_that_they_do() {
    let shows = |capabilities: Value| {
        call(&mut introduced(&capabilities), json!({"name": "terminal", "arguments": {"command": "ls"}}))
            .client
            .shows_forms
    };
    assert!(shows(json!({"elicitation": {}})) && shows(json!({"elicitation": {"form": {}, "url": {}}})));
    assert!(
        !shows(json!({}))
            && !shows(json!({"elicitation": {"url": {}}}))
            && !shows(json!({"elicitation": true}))
    );
}

#[test]
fn a_call_is_read_with_all_that_comes_with_it() {
    let mut server = Server::new("1");
    let mut meta = meta("2026-07-28", &json!({"elicitation": {"form": {}}}));
    meta["progressToken"] = json!(7);
    meta["io.modelcontextprotocol/logLevel"] = json!("notice");
    let params = json!({
        "name": "terminal", "arguments": {"command": "ls", "timeout": 5.0, "cwd": null}, "_meta": meta, "requestState": "s",
        "inputResponses": {"approval": {"action": "accept"}},
    });
    let call = call(&mut server, params);
    assert_eq!(call.tool, Ok(Tool::Terminal { command: "ls".into(), cwd: None, seconds: Some(5) }));
    assert_eq!(
        (call.client, call.state.as_deref()),
        (Client { age: Age::Newer, shows_forms: true }, Some("s"))
    );
    assert_eq!(State::answer(&call.answers).unwrap()["action"], "accept");
    let Message::Notification(news) = news(call.progress.as_ref().unwrap(), 3, "x") else {
        panic!("it has no news")
    };
    assert_eq!(news.params.unwrap(), json!({"progressToken": 7, "progress": 3, "message": "x"}));
    assert!(call.remark(Level::Warning, "x").is_some() && call.remark(Level::Info, "x").is_none());
}

#[test]
fn in_the_older_age_nobody_comes_back_with_an_answer() {
    let params = json!({
        "name": "terminal", "arguments": {"command": "ls"}, "requestState": "s", "inputResponses": {"approval": {"action": "accept"}},
    });
    let call = call(&mut introduced(&json!({"elicitation": {}})), params);
    assert!(call.state.is_none() && call.answers.is_empty() && call.progress.is_none());
}

#[test]
fn what_a_tool_is_not_given_right_is_said_in_words() {
    assert_eq!(misused("terminal", &json!({})), "`command` is missing");
    assert_eq!(misused("terminal", &json!({"command": ["ls"]})), "`command` must be text");
    assert_eq!(misused("terminal", &json!({"command": " "})), "`command` is empty");
    assert_eq!(
        misused("terminal", &json!({"command": "ls", "sudo": true})),
        "there is no `sudo`; there is `command`, `cwd`, `timeout`"
    );
    for timeout in [json!(0), json!(-1), json!(1.5), json!("5"), json!(1e9)] {
        let why = misused("terminal", &json!({"command": "ls", "timeout": timeout}));
        assert_eq!(why, "`timeout` must be a whole number from 1 to 86400", "{timeout}");
    }
    assert_eq!(misused("write_file", &json!({"path": "a"})), "`content` is missing");
    assert_eq!(misused("approve", &json!({"tool_name": "Bash", "input": "ls"})), "`input` must be an object");
    assert_eq!(misused("fetch", &json!("https://example.com")), "the arguments are no object");
    let unknown = request("tools/call", json!({"name": "rm", "arguments": {}}));
    assert_eq!(code(introduced(&json!({})).hear(unknown)), INVALID_PARAMS);
}

#[test]
fn every_tool_has_a_schema_that_says_what_is_read() {
    let catalogue = tools::catalogue();
    for tool in catalogue.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let schema = &tool["inputSchema"];
        assert_eq!((&schema["type"], tool["annotations"].is_object()), (&json!("object"), true), "{name}");
        let example = |kind: &Value| match kind["type"].as_str() {
            Some("integer") => json!(1),
            Some("object") => json!({}),
            _ => json!("x"),
        };
        let all: Map<_, _> = schema["properties"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, kind)| (key.clone(), example(kind)))
            .collect();
        assert!(Tool::read(name, &Value::Object(all.clone())).unwrap().is_ok(), "{name}");
        for key in schema["required"].as_array().unwrap() {
            let mut without = all.clone();
            without.remove(key.as_str().unwrap());
            assert!(Tool::read(name, &Value::Object(without)).unwrap().is_err(), "{name} without {key}");
        }
    }
}

#[test]
fn a_call_that_is_called_off_is_named() {
    let mut server = introduced(&json!({}));
    let off = |params| {
        Message::Notification(Notification { method: "notifications/cancelled".into(), params: Some(params) })
    };
    assert_eq!(server.hear(off(json!({"requestId": 5}))), Step::CalledOff(Id::Number(5.into())));
    assert_eq!(server.hear(off(json!({"requestId": "a"}))), Step::CalledOff(Id::Text("a".into())));
    assert_eq!(server.hear(off(json!({"requestId": null}))), Step::Nothing);
    let ready = Notification { method: "notifications/initialized".into(), params: None };
    assert_eq!(server.hear(Message::Notification(ready)), Step::Nothing);
}

#[test]
fn a_level_must_be_one_that_there_is() {
    let mut server = introduced(&json!({}));
    assert!(said(server.hear(request("logging/setLevel", json!({"level": "alert"})))).is_ok());
    assert_eq!(code(server.hear(request("logging/setLevel", json!({"level": "loud"})))), INVALID_PARAMS);
    let call = call(&mut server, json!({"name": "terminal", "arguments": {"command": "ls"}}));
    assert!(call.remark(Level::Warning, "x").is_none() && call.remark(Level::Error, "x").is_some());
}

#[test]
fn claude_code_is_told_in_its_own_words() {
    let told = |outcome: Outcome| {
        let Message::Response(response) = outcome.message(Id::Number(1.into()), Age::Older) else {
            panic!("no answer")
        };
        let result = response.outcome.unwrap();
        assert_eq!(result["isError"], false);
        serde_json::from_str::<Value>(result["content"][0]["text"].as_str().unwrap()).unwrap()
    };
    let input = json!({"command": "ls"});
    assert_eq!(told(Outcome::Approved(input.clone())), json!({"behavior": "allow", "updatedInput": input}));
    assert_eq!(told(Outcome::Forbidden("no".into())), json!({"behavior": "deny", "message": "no"}));
}
