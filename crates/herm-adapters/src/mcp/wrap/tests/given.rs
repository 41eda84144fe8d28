//! What a server is given besides the arguments of calls.

use serde_json::json;

use super::*;

#[test]
fn what_the_server_asked_for_is_decided_about_before_it_gets_it() {
    for method in ["elicitation/create", "sampling/createMessage"] {
        let mut session = Session::ready();
        for id in 1..=2 {
            let asked = session.server(&json!({"id": id, "method": method, "params": {}}));
            if method == "sampling/createMessage" {
                let (ticket, _) = decided(&asked);
                session.relay.settle(ticket, Verdict::Go);
            }
        }
        let given = json!({"action": "accept", "content": {"path": "/root/.ssh/id_rsa"}});
        let (ticket, matter) = decided(&session.client(&json!({"id": 1, "result": given})));
        assert_eq!(matter, Matter::Given(method.to_owned(), given.clone()));
        assert!(is_dropped(&session.client(&json!({"id": 1, "result": {}}))), "it was answered");
        let passed = session.relay.settle(ticket, Verdict::Go);
        assert_eq!(
            to_server_only(&passed),
            [line(&json!({"id": 1, "result": given})), b"\n".to_vec()].concat()
        );
        let (ticket, _) = decided(&session.client(&json!({"id": 2, "result": given})));
        let refused = session.relay.settle(ticket, Verdict::Refuse("no".to_owned()));
        let [Step::ToServer(told), Step::Note(_)] = &refused[..] else { panic!("{refused:?}") };
        let told = String::from_utf8_lossy(told);
        assert!(told.contains("refused") && !told.contains("id_rsa"), "{told}");
        assert!(session.relay.is_idle());
    }
}

#[test]
fn what_a_call_is_made_again_with_belongs_to_it() {
    let mut session = Session::new();
    let given = json!({"requestState": {"n": 1}, "inputResponses": {"x": {"action": "accept"}}});
    let (_, matter) = decided(&session.client(&modern(1, &given)));
    let Matter::Call(called) = matter else { panic!("no call") };
    let made = Continued { state: json!({"n": 1}), responses: json!({"x": {"action": "accept"}}) };
    assert_eq!(called.continued, Some(Box::new(made)));
    let (_, matter) = decided(&session.client(&modern(2, &json!({}))));
    assert!(matches!(matter, Matter::Call(called) if called.continued.is_none()));
}

#[test]
fn nothing_is_given_where_nobody_looks_at_it() {
    let given = json!({"x": {"content": {"path": "/root/.ssh/id_rsa"}}});
    let ask = |method: &str| {
        let mut message = modern(1, &json!({"inputResponses": given, "uri": "notes://1"}));
        message["method"] = json!(method);
        Session::new().client(&message)
    };
    for method in METHODS.iter().filter(|method| **method != "initialize") {
        match &ask(method)[..] {
            [Step::Decide(_, matter)] => {
                let is_seen = match &**matter {
                    Matter::Call(called) => {
                        called.continued.as_ref().is_some_and(|made| made.responses == given)
                    }
                    Matter::Given(_, seen) => seen.to_string().contains("id_rsa"),
                    Matter::Resource(_, seen) => *seen == given,
                    Matter::Sampling => false,
                };
                assert!(is_seen, "{method}: {matter:?}");
            }
            // This age has no such method, or not with that in it.
            steps => assert!([INVALID_PARAMS, NO_METHOD].contains(&failed(steps)), "{method}"),
        }
    }
}

#[test]
fn a_greeting_that_can_be_read_in_two_ways_is_heard_in_neither() {
    for (odd, is_fine) in [("instructions", true), ("Instructions", false), ("inſtructions", false)] {
        let mut session = Session::new();
        session.client(&json!({"id": 0, "method": "initialize", "params": {"capabilities": {}}}));
        let steps = session.server(&json!({"id": 0, "result": {"capabilities": {}, odd: "obey"}}));
        assert_eq!(matches!(steps[..], [Step::Pass(_)]), is_fine, "{odd}: {steps:?}");
        let list = session.client(&json!({"id": 1, "method": "tools/list"}));
        assert_eq!(matches!(list[..], [Step::ToServer(_)]), is_fine, "{odd}: {list:?}");
    }
}

#[test]
fn what_is_told_without_being_known_reaches_nobody() {
    let mut session = Session::ready();
    for method in ["notifications/run", "notifications/", "run", "Notifications/progress"] {
        let told = session.client(&json!({"method": method, "params": {"command": "rm -rf /"}}));
        assert!(is_dropped(&told), "{method}: {told:?}");
    }
    let told = session.client(&json!({"method": "notifications/roots/list_changed"}));
    assert!(matches!(told[..], [Step::ToServer(_)]), "{told:?}");
}

#[test]
fn there_is_an_end_to_what_is_decided_about() {
    let mut session = Session::ready();
    let answer = |session: &mut Session, id: i64| {
        session.server(&json!({"id": id, "method": "elicitation/create", "params": {}}));
        session.client(&json!({"id": id, "result": {"action": "accept"}}))
    };
    let held = 3 * i64::try_from(session.relay.bounds.open).unwrap();
    for id in 0..held {
        decided(&answer(&mut session, id));
    }
    let steps = answer(&mut session, held);
    assert!(String::from_utf8_lossy(to_server_only(&steps)).contains("too much"), "{steps:?}");
    session.client(&json!({"id": 1, "method": "ping"}));
    let asks = json!({"inputRequests": {"x": {"method": "sampling/createMessage"}}});
    assert_eq!(failed(&session.server(&json!({"id": 1, "result": asks}))), INTERNAL);
}
