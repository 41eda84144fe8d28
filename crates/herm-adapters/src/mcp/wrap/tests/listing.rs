//! Tools that the relay looks up by itself.

use super::*;

/// What has to be decided about.
fn matters(steps: &[Step]) -> Vec<Matter> {
    let matter =
        |step: &Step| if let Step::Decide(_, matter) = step { Some((**matter).clone()) } else { None };
    steps.iter().filter_map(matter).collect()
}

#[test]
fn a_tool_that_the_client_has_not_listed_is_looked_up_first() {
    let mut session = Session::ready();
    session.relay.is_listed = false;
    let calls = |id: i64, name: &str| json!({"id": id, "method": "tools/call", "params": {"name": name, "arguments": {}}});
    let called = |id: i64| calls(id, "b");
    let asked = |steps: &[Step]| match steps {
        [.., Step::ToServer(line)] => serde_json::from_slice::<Value>(line).unwrap(),
        other => panic!("nothing is asked: {other:?}"),
    };
    let first = asked(&session.client(&called(1)));
    assert_eq!((&first["method"], &first["params"]), (&json!("tools/list"), &json!({})));
    assert_eq!(session.client(&called(2)), [], "it waits for the same list");
    assert!(is_dropped(&session.client(&called(2))), "its id is in use");
    assert_eq!(session.client(&calls(3, "a")), []);
    let cancelled = json!({"method": "notifications/cancelled", "params": {"requestId": 3}});
    assert_eq!(session.client(&cancelled), []);
    let page = |id: &Value, name: &str, next: Value| json!({"id": id, "result": {"tools": [{"name": name, "inputSchema": {}}], "nextCursor": next}});
    let steps = session.server(&page(&first["id"], "a", json!("x")));
    assert!(matches!(steps[0], Step::Listed(_)), "{steps:?}");
    let second = asked(&steps);
    assert_eq!(second["params"], json!({"cursor": "x"}));
    assert_eq!(session.client(&called(3)), [], "the list goes on, and the id may be used again");
    assert!(is_dropped(&session.server(&page(&first["id"], "c", Value::Null))), "it was answered");
    let steps = session.server(&page(&second["id"], "b", Value::Null));
    let matters = matters(&steps);
    assert_eq!(matters.len(), 3, "what was called off is not called: {steps:?}");
    assert!(
        matters.iter().all(
            |matter| matches!(matter, Matter::Call(Called { tool: Some(tool), .. }) if tool.name == "b")
        )
    );
}

#[test]
fn a_call_does_not_wait_for_a_list_that_does_not_come() {
    let called = json!({"id": 1, "method": "tools/call", "params": {"name": "b", "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "progressToken": 5}}});
    let waiting = || {
        let mut session = Session::new();
        session.relay.is_listed = false;
        let steps = session.client(&called);
        let [Step::ToServer(line)] = &steps[..] else { panic!("{steps:?}") };
        let asked: Value = serde_json::from_slice(line).unwrap();
        assert_eq!(
            asked["params"],
            json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}})
        );
        (session, asked["id"].clone())
    };
    let is_unlisted =
        |steps: &[Step]| matches!(matters(steps).first(), Some(Matter::Call(Called { tool: None, .. })));
    let (mut session, id) = waiting();
    assert!(is_unlisted(&session.server(&json!({"id": id, "error": {"code": -1, "message": "no"}}))));
    let (mut session, _) = waiting();
    assert!(is_unlisted(&session.relay.server_is_too_long(session.now)));
    let (mut session, id) = waiting();
    assert!(is_unlisted(&session.server(&json!({"id": id, "result": {}, "error": {}}))), "what is no answer");
    let (mut session, _) = waiting();
    assert_eq!(failed(&session.relay.over("gone")), INTERNAL);
}
