//! Sessions of a relay, message by message.

mod given;
mod listing;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::METHODS;
use super::*;
use crate::jsonrpc::{INVALID_PARAMS, INVALID_REQUEST, NO_METHOD, PARSE};

struct Session {
    relay: Relay,
    now: Instant,
}

impl Session {
    fn new() -> Self {
        let mut relay = Relay::new("salt", Bounds { rate: 100, open: 4, tools: 3 });
        relay.is_listed = true;
        Self { relay, now: Instant::now() }
    }

    /// A session that has begun, with a client that can do everything.
    fn ready() -> Self {
        let mut session = Self::new();
        let capabilities = json!({"elicitation": {}, "roots": {}, "sampling": {}});
        session.client(&json!({"id": 0, "method": "initialize", "params": {"capabilities": capabilities}}));
        session.server(&json!({"id": 0, "result": {"protocolVersion": "2025-11-25"}}));
        session
    }

    fn client(&mut self, message: &Value) -> Vec<Step> {
        self.relay.client(&line(message), self.now)
    }

    fn server(&mut self, message: &Value) -> Vec<Step> {
        self.relay.server(&line(message), self.now)
    }

    fn call(&mut self, id: i64) -> Ticket {
        let called =
            json!({"id": id, "method": "tools/call", "params": {"name": "t", "arguments": {"a": 1}}});
        decided(&self.client(&called)).0
    }
}

fn line(message: &Value) -> Vec<u8> {
    let mut message = message.clone();
    message["jsonrpc"] = json!("2.0");
    message.to_string().into_bytes()
}

fn decided(steps: &[Step]) -> (Ticket, Matter) {
    match steps {
        [Step::Decide(ticket, matter)] => (*ticket, (**matter).clone()),
        other => panic!("nothing to decide: {other:?}"),
    }
}

fn failed(steps: &[Step]) -> i64 {
    match steps {
        [Step::ToClient(Message::Response(Response { outcome: Err(failure), .. }))] => failure.code,
        other => panic!("it did not fail: {other:?}"),
    }
}

fn result(steps: &[Step]) -> &Value {
    match steps {
        [Step::ToClient(Message::Response(Response { outcome: Ok(result), .. }))] => result,
        other => panic!("no result: {other:?}"),
    }
}

fn is_dropped(steps: &[Step]) -> bool {
    matches!(steps, [Step::Note(_)])
}

fn to_server_only(steps: &[Step]) -> &[u8] {
    match steps {
        [Step::ToServer(line)] => line,
        other => panic!("not for the server: {other:?}"),
    }
}

#[test]
fn nothing_is_passed_on_before_a_session_has_begun() {
    let mut session = Session::new();
    let list = json!({"id": 1, "method": "tools/list"});
    let call = json!({"id": 2, "method": "tools/call", "params": {"name": "t"}});
    assert_eq!(failed(&session.client(&list)), INVALID_REQUEST);
    assert_eq!(failed(&session.client(&call)), INVALID_REQUEST);
    assert!(is_dropped(&session.client(&json!({"method": "notifications/initialized"}))));
    assert!(is_dropped(&session.server(&json!({"method": "notifications/message", "params": {}}))));
    let early = session.server(&json!({"id": 1, "method": "roots/list"}));
    assert!(String::from_utf8_lossy(to_server_only(&early)).contains("error"));
    session.client(&json!({"id": 3, "method": "initialize", "params": {}}));
    assert_eq!(failed(&session.client(&list)), INVALID_REQUEST, "the server has not answered");
    session.server(&json!({"id": 3, "result": {}}));
    assert!(matches!(session.client(&list)[..], [Step::ToServer(_)]));
    assert_eq!(failed(&session.client(&json!({"id": 4, "method": "initialize"}))), INVALID_REQUEST);
}

#[test]
fn what_is_no_message_is_answered_and_goes_nowhere() {
    let mut session = Session::ready();
    let now = session.now;
    for (text, code) in [
        ("{", PARSE),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, PARSE),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#, PARSE),
        (r#"{"id":1,"method":"ping"}"#, INVALID_REQUEST),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x/run"}"#, NO_METHOD),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, INVALID_PARAMS),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a b"}}"#, INVALID_PARAMS),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":[1]}}"#,
            INVALID_PARAMS,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}"#, INVALID_PARAMS),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}"#,
            INVALID_REQUEST,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/call"}"#, INVALID_REQUEST),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","Params":{"name":"b"}}"#, INVALID_REQUEST),
    ] {
        assert_eq!(failed(&session.relay.client(text.as_bytes(), now)), code, "{text}");
    }
    assert_eq!(failed(&session.relay.client_is_too_long()), INVALID_REQUEST);
}

#[test]
fn a_call_waits_for_its_decision_and_is_passed_on_as_it_came() {
    let mut session = Session::ready();
    let text = br#"{"jsonrpc":"2.0", "id":7,"method":"tools/call","params":{"name":"t","arguments":{"n":1.50}},"x":1}"#;
    let now = session.now;
    let (ticket, matter) = decided(&session.relay.client(text, now));
    let Matter::Call(called) = matter else { panic!("no call") };
    assert_eq!((called.name.as_str(), called.era, called.can_ask), ("t", Era::Session, true));
    assert!(is_dropped(&session.server(&json!({"id": 7, "result": {}}))), "nobody has asked the server yet");
    let steps = session.relay.settle(ticket, Verdict::Go);
    assert_eq!(to_server_only(&steps), [text.as_slice(), b"\n"].concat());
    let answered = session.server(&json!({"id": 7, "result": {"content": []}}));
    assert!(
        matches!(&answered[..], [Step::Pass(pass)] if matches!(&pass.about, About::Call(called) if called.name == "t"))
    );
    assert!(is_dropped(&session.server(&json!({"id": 7, "result": {"content": []}}))), "it was answered");
    assert!(session.relay.is_idle());
}

#[test]
fn a_refused_call_fails_in_words_for_the_model() {
    let mut session = Session::ready();
    let ticket = session.call(1);
    let steps = session.relay.settle(ticket, Verdict::Refuse("herm: no".to_owned()));
    assert_eq!(*result(&steps), json!({"content": [{"type": "text", "text": "herm: no"}], "isError": true}));
    assert!(session.relay.settle(ticket, Verdict::Go).is_empty(), "it was settled");
    assert!(is_dropped(&session.server(&json!({"id": 1, "result": {}}))));
}

#[test]
fn an_id_in_use_is_not_used_again() {
    let mut session = Session::ready();
    session.call(1);
    assert!(is_dropped(&session.client(&json!({"id": 1, "method": "ping"}))));
    assert!(matches!(session.client(&json!({"id": "1", "method": "ping"}))[..], [Step::ToServer(_)]));
    session.server(&json!({"id": 5, "method": "roots/list"}));
    assert!(is_dropped(&session.server(&json!({"id": 5, "method": "elicitation/create"}))));
}

#[test]
fn a_cancelled_call_is_never_made() {
    let mut session = Session::ready();
    let ticket = session.call(1);
    let cancelled = json!({"method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(session.client(&cancelled), [Step::CallOff(ticket)]);
    assert!(session.relay.settle(ticket, Verdict::Go).is_empty());
    let ticket = session.call(2);
    session.relay.settle(ticket, Verdict::Go);
    let cancelled = json!({"method": "notifications/cancelled", "params": {"requestId": 2}});
    assert!(matches!(session.client(&cancelled)[..], [Step::ToServer(_)]));
    assert!(is_dropped(&session.server(&json!({"id": 2, "result": {}}))));
}

#[test]
fn there_is_an_end_to_what_can_be_open() {
    let mut session = Session::ready();
    for id in 0..4 {
        session.call(id);
    }
    assert_eq!(failed(&session.client(&json!({"id": 9, "method": "ping"}))), INVALID_REQUEST);
    for id in 0..4 {
        session.server(&json!({"id": id, "method": "ping"}));
    }
    let more = session.server(&json!({"id": 9, "method": "ping"}));
    assert!(String::from_utf8_lossy(to_server_only(&more)).contains("too many"));
}

#[test]
fn calls_beyond_the_rate_are_refused_until_a_minute_is_over() {
    let mut session = Session::ready();
    session.relay.rate = Rate::new(2);
    for id in 1..=2 {
        let ticket = session.call(id);
        session.relay.settle(ticket, Verdict::Refuse(String::new()));
    }
    let call = json!({"id": 3, "method": "tools/call", "params": {"name": "t"}});
    assert_eq!(result(&session.client(&call))["isError"], true);
    session.now += Duration::from_mins(1);
    decided(&session.client(&call));
}

#[test]
fn the_server_asks_only_for_what_the_client_can_do() {
    let mut session = Session::ready();
    let asked =
        |session: &mut Session, id: i64, method: &str| session.server(&json!({"id": id, "method": method}));
    assert!(matches!(asked(&mut session, 1, "roots/list")[..], [Step::Pass(_)]));
    assert!(matches!(asked(&mut session, 2, "elicitation/create")[..], [Step::Pass(_)]));
    let refused = asked(&mut session, 3, "fs/read");
    assert!(String::from_utf8_lossy(to_server_only(&refused)).contains("cannot do this"));
    assert!(matches!(session.client(&json!({"id": 1, "result": {"roots": []}}))[..], [Step::ToServer(_)]));
    assert!(is_dropped(&session.client(&json!({"id": 1, "result": {}}))), "it was answered");
    assert!(is_dropped(&session.client(&json!({"id": 77, "result": {}}))));
    session.relay.capabilities = json!({});
    let refused = asked(&mut session, 4, "sampling/createMessage");
    assert!(String::from_utf8_lossy(to_server_only(&refused)).contains("cannot do this"));
}

#[test]
fn sampling_is_decided_about() {
    let mut session = Session::ready();
    let ask = |session: &mut Session, id: i64| {
        decided(&session.server(&json!({"id": id, "method": "sampling/createMessage", "params": {}})))
    };
    let (ticket, matter) = ask(&mut session, 1);
    assert_eq!(matter, Matter::Sampling);
    assert!(is_dropped(&session.client(&json!({"id": 1, "result": {}}))), "the client was not asked");
    assert!(matches!(session.relay.settle(ticket, Verdict::Go)[..], [Step::Pass(_)]));
    decided(&session.client(&json!({"id": 1, "result": {}})));
    let (ticket, _) = ask(&mut session, 2);
    let refused = session.relay.settle(ticket, Verdict::Refuse("no".to_owned()));
    assert!(String::from_utf8_lossy(to_server_only(&refused)).contains("refused"));
    let (ticket, _) = ask(&mut session, 3);
    let cancelled = json!({"method": "notifications/cancelled", "params": {"requestId": 3}});
    assert_eq!(session.server(&cancelled)[0], Step::CallOff(ticket));
}

#[test]
fn tools_are_known_as_they_were_listed_last() {
    let mut session = Session::ready();
    let mut list = |id: i64, tools: Value, cursor: Option<&str>| {
        session.client(&json!({"id": id, "method": "tools/list", "params": {"cursor": cursor}}));
        session.server(&json!({"id": id, "result": {"tools": tools, "nextCursor": "x"}}))
    };
    assert!(matches!(&list(1, json!([{"name": "t", "description": "a"}]), None)[..],
        [Step::Pass(pass)] if pass.about == About::Tools));
    list(2, json!([{"name": "u"}, {"name": "t", "description": "b"}]), Some("x"));
    assert_eq!(failed(&list(3, json!({}), None)), INTERNAL);
    assert_eq!(failed(&list(4, json!([{"name": "v"}, {"name": "w"}]), None)), INTERNAL, "too many");
    let call = json!({"id": 9, "method": "tools/call", "params": {"name": "t"}});
    let (_, matter) = decided(&session.client(&call));
    assert!(matches!(matter, Matter::Call(called) if called.tool.as_ref().unwrap().description == "b"));
}

#[test]
fn what_is_too_long_or_garbled_leaves_nobody_waiting() {
    let mut session = Session::ready();
    let first = session.call(1);
    let held = session.call(2);
    session.relay.settle(first, Verdict::Go);
    let steps = session.relay.server_is_too_long(session.now);
    assert!(
        matches!(&steps[..], [Step::Note(_), Step::ToClient(Message::Response(one))] if one.id == Some(1.into()))
    );
    session.relay.settle(held, Verdict::Go);
    let both = br#"{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":""}}"#;
    let steps = session.relay.server(both, session.now);
    assert!(
        matches!(&steps[..], [Step::Note(_), Step::ToClient(Message::Response(one))] if one.outcome.is_err())
    );
    assert!(is_dropped(&session.relay.server(b"garbage", session.now)));
}

#[test]
fn when_the_server_ends_everybody_learns_it() {
    let mut session = Session::ready();
    let sent = session.call(1);
    session.relay.settle(sent, Verdict::Go);
    let held = session.call(2);
    let (asked, _) = session.relay.ask(json!({})).unwrap();
    let steps = session.relay.over("it has ended");
    let failures = steps.iter().filter(|step| matches!(step, Step::ToClient(_))).count();
    assert_eq!(failures, 2);
    assert!(steps.contains(&Step::CallOff(held)) && steps.contains(&Step::CallOff(asked)));
    assert_eq!(failed(&session.client(&json!({"id": 3, "method": "tools/list"}))), INVALID_REQUEST);
}

#[test]
fn our_questions_cannot_be_answered_by_the_server() {
    let mut session = Session::ready();
    let (ticket, step) = session.relay.ask(protocol::form("May it?", &["once", "deny"])).unwrap();
    let Step::ToClient(Message::Request(request)) = step else { panic!("no question") };
    let id = request.id.value();
    assert!(is_dropped(&session.server(&json!({"id": id, "method": "roots/list"}))));
    assert!(is_dropped(&session.server(&json!({"id": id, "result": {"action": "accept"}}))));
    let answer = json!({"action": "accept", "content": {"answer": "once"}});
    assert_eq!(
        session.client(&json!({"id": id, "result": answer.clone()})),
        [Step::Heard(ticket, Some(answer))]
    );
    assert!(is_dropped(&session.client(&json!({"id": id, "result": {}}))));
    assert!(Session::new().relay.ask(json!({})).is_none());
}

fn modern(id: i64, extra: &Value) -> Value {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
    let mut params = json!({"_meta": meta, "name": "t", "arguments": {"a": 1}});
    for (key, value) in extra.as_object().unwrap() {
        params[key] = value.clone();
    }
    json!({"id": id, "method": "tools/call", "params": params})
}

#[test]
fn requests_that_stand_for_themselves_need_no_session() {
    let mut session = Session::new();
    let (ticket, matter) = decided(&session.client(&modern(1, &json!({}))));
    assert!(matches!(matter, Matter::Call(called) if called.era == Era::Stateless && called.can_ask));
    session.relay.settle(ticket, Verdict::Go);
    let refused = session.server(&json!({"id": 1, "method": "roots/list"}));
    assert!(String::from_utf8_lossy(to_server_only(&refused)).contains("no session"));
    let asks = json!({"resultType": "input_required", "requestState": "s",
        "inputRequests": {"x": {"method": "elicitation/create", "params": {}}}});
    assert!(matches!(session.server(&json!({"id": 1, "result": asks}))[..], [Step::Pass(_)]));
    let retry = modern(2, &json!({"requestState": "s", "inputResponses": {"x": {"action": "accept"}}}));
    let (ticket, _) = decided(&session.client(&retry));
    let sent = session.relay.settle(ticket, Verdict::Go);
    assert!(String::from_utf8_lossy(to_server_only(&sent)).contains(r#""requestState":"s""#));
    let asks = json!({"inputRequests": {"x": {"method": "sampling/createMessage"}}});
    let (ticket, matter) = decided(&session.server(&json!({"id": 2, "result": asks})));
    assert_eq!(matter, Matter::Sampling);
    let refused = session.relay.settle(ticket, Verdict::Refuse("no".to_owned()));
    assert_eq!(result(&refused)["resultType"], "complete");
    let refused = decided(&session.client(&modern(3, &json!({}))));
    let refused = session.relay.settle(refused.0, Verdict::Refuse("no".to_owned()));
    assert_eq!(
        (&result(&refused)["resultType"], &result(&refused)["isError"]),
        (&json!("complete"), &json!(true))
    );
}

#[test]
fn a_call_that_was_sent_back_comes_back_once_and_unchanged() {
    let mut session = Session::new();
    let (ticket, _) = decided(&session.client(&modern(1, &json!({"requestState": "theirs"}))));
    let asked = Verdict::Ask(protocol::form("May it?", &["once"]), "salt.1".to_owned());
    let steps = session.relay.settle(ticket, asked);
    let sent_back = result(&steps);
    assert_eq!(sent_back["requestState"], "salt.1");
    assert_eq!(sent_back["inputRequests"]["herm"]["method"], "elicitation/create");
    let answer = json!({"action": "accept", "content": {"answer": "once"}});
    let given = json!({"requestState": "salt.1", "inputResponses": {"herm": answer.clone()}});
    let mut other = modern(2, &given);
    other["params"]["arguments"] = json!({"a": 2});
    assert_eq!(result(&session.client(&other))["isError"], true, "it belongs to another call");
    assert_eq!(result(&session.client(&modern(3, &given)))["isError"], true, "it was used");

    let (ticket, _) = decided(&session.client(&modern(4, &json!({"requestState": "theirs"}))));
    session.relay.settle(ticket, Verdict::Ask(json!({}), "salt.2".to_owned()));
    let given = json!({"requestState": "salt.2", "inputResponses": {"herm": answer.clone()}});
    let (ticket, matter) = decided(&session.client(&modern(5, &given)));
    let Matter::Call(called) = matter else { panic!("no call") };
    assert_eq!(called.answered, Some(Answered { state: "salt.2".to_owned(), answer: Some(answer) }));
    let steps = session.relay.settle(ticket, Verdict::Go);
    let sent = String::from_utf8_lossy(to_server_only(&steps));
    assert!(sent.contains("theirs") && !sent.contains("salt") && !sent.contains("inputResponses"), "{sent}");
    assert!(sent.contains(r#""id":5"#) && sent.ends_with('\n'), "{sent}");
}

#[test]
fn what_a_revision_no_longer_has_is_not_there() {
    let mut session = Session::new();
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        let asked = json!({"id": 1, "method": method,
            "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
        assert_eq!(failed(&session.client(&asked)), NO_METHOD, "{method}");
    }
    assert_eq!(session.relay.phase, Phase::Fresh);
}
