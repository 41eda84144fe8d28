//! What an agent asks its person.

use herm::rules::consult::{AGENT_ASKS, UNSEEN_EDIT};
use serde_json::{Value, json};

use crate::conversation::{Conversation, Place, offered, options, selected, shown, to_run};

const ASK: &str = "session/request_permission";

fn outcome(answer: &Value) -> &Value {
    &answer["result"]["outcome"]
}

#[test]
fn what_would_really_be_done_is_shown_and_not_the_title() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(5, ASK, to_run("rm -rf src"));
    let question = both.editor_hears();
    assert_ne!(question["id"], 5, "our questions have ids of ours");
    assert_eq!(question["params"]["toolCall"]["title"], "herm: run rm -rf src");
    assert_eq!(question["params"]["toolCall"]["rawInput"]["command"], "rm -rf src");
    let text = shown(&question);
    assert!(
        text.contains("run: rm -rf src") && text.contains("[recursive-delete]") && text.contains("Say hello"),
        "{text}"
    );
    assert!(text.contains("delete `src`"), "{text}");
    assert_eq!(offered(&question), ["once", "herm:allow_session", "always", "reject"]);
    both.editor_says(&selected(&question, "once"));
    let answer = both.agent_hears();
    assert_eq!(
        (&answer["id"], outcome(&answer)),
        (&json!(5), &json!({"outcome": "selected", "optionId": "once"}))
    );
    let (_, place) = both.close();
    let records = place.records();
    let record = records.iter().find(|record| record["body"]["door"] == "acp").unwrap();
    assert_eq!(record["body"]["answer"]["answer"], "once");
    assert!(record["body"]["answer"]["by"].as_str().unwrap().starts_with("editor"), "{record}");
    assert_eq!(record["body"]["enforcement"], "advisory");
}

#[test]
fn what_may_not_be_done_is_refused_without_asking() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_says(
        &json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update":
        {"sessionUpdate": "tool_call", "toolCallId": "call", "title": "Clean", "kind": "execute"}}}),
    );
    both.editor_hears();
    both.agent_asks(5, ASK, to_run("rm -rf / --no-preserve-root"));
    let answer = both.agent_hears();
    assert_eq!(outcome(&answer), &json!({"outcome": "selected", "optionId": "reject"}));
    let update = both.editor_hears();
    assert_eq!(
        (&update["method"], &update["params"]["update"]["toolCallId"]),
        (&json!("session/update"), &json!("call"))
    );
    assert!(update.to_string().contains("not allowed, whoever says yes"), "{update}");
    both.editor_hears_nothing();
    let (_, place) = both.close();
    assert!(place.records().iter().any(|record| record["body"]["refused"] == "forbidden"));
}

#[test]
fn a_yes_that_lasts_is_kept_here_and_the_agent_is_told_of_this_once() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, ASK, to_run("rm -rf src"));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "herm:allow_session"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once");
    both.agent_asks(2, ASK, to_run("rm -r ./src"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once", "the session remembers");
    both.agent_asks(3, ASK, to_run("rm -rf other"));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "always"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once");
    // Another session: what was said for one does not hold there, and what was said for ever does.
    both.open("t");
    let again = |command: &str| {
        let mut asked = to_run(command);
        asked["sessionId"] = json!("t");
        asked
    };
    both.agent_asks(4, ASK, again("rm -rf other"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once");
    both.agent_asks(5, ASK, again("rm -rf src"));
    assert_eq!(both.editor_hears()["method"], ASK);
    both.editor_hears_nothing();
}

#[test]
fn what_was_denied_is_denied_in_other_words() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, ASK, to_run("rm -rf src"));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "reject"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "reject");
    both.agent_asks(2, ASK, to_run("find src -delete"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "reject");
    both.editor_hears_nothing();
}

#[test]
fn what_no_rule_minds_is_the_persons_unless_they_say_otherwise() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, ASK, to_run("ls"));
    let question = both.editor_hears();
    assert!(shown(&question).contains("[agent-asks]"), "{question}");
    both.editor_says(&selected(&question, "reject"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "reject");
    drop(both);
    let mut both = Conversation::opened(Place::new(), &["--allow-unasked"]);
    both.agent_asks(1, ASK, to_run("ls"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once");
    both.agent_asks(2, ASK, to_run("rm -rf src"));
    assert_eq!(both.editor_hears()["method"], ASK);
}

#[test]
fn what_is_told_by_its_title_alone_is_asked_with_a_warning_and_for_this_once() {
    for arguments in [&["--name", "gemini", "--allow-unasked"][..], &[]] {
        let place = Place::new();
        place.configure("approvals: {mode: 'off'}\n");
        let mut both = Conversation::opened(place, arguments);
        let told = json!({"toolCallId": "1", "title": "ls", "kind": "execute"});
        both.agent_asks(1, ASK, json!({"toolCall": told, "options": options()}));
        let question = both.editor_hears();
        assert!(
            question["params"]["toolCall"]["title"].as_str().unwrap().contains("not known"),
            "{question}"
        );
        assert!(shown(&question).contains("does not say what it would do"), "{question}");
        assert_eq!(offered(&question), ["once", "reject"]);
        both.editor_says(&selected(&question, "always"));
        assert_eq!(outcome(&both.agent_hears())["optionId"], "reject", "that was not offered");
    }
}

#[test]
fn options_are_known_by_their_ids() {
    let mut both = Conversation::opened(Place::new(), &["--name", "hermes"]);
    let hermes = json!([
        {"optionId": "allow_once", "name": "Allow once", "kind": "allow_once"},
        {"optionId": "allow_session", "name": "Allow for session", "kind": "allow_always"},
        {"optionId": "allow_always", "name": "Allow always", "kind": "allow_always"},
        {"optionId": "deny", "name": "Deny", "kind": "reject_once"},
        {"optionId": "deny_always", "name": "Deny always", "kind": "reject_always"},
    ]);
    for (id, (chosen, told)) in
        [("allow_once", "allow_once"), ("deny_always", "deny_always"), ("nonsense", "deny")]
            .into_iter()
            .enumerate()
    {
        let mut asked = to_run(&format!("rm -rf d{id}"));
        asked["options"] = hermes.clone();
        both.agent_asks(i64::try_from(id).unwrap(), ASK, asked);
        let question = both.editor_hears();
        assert_eq!(
            offered(&question),
            ["allow_once", "allow_session", "allow_always", "deny", "deny_always"]
        );
        both.editor_says(&selected(&question, chosen));
        assert_eq!(outcome(&both.agent_hears())["optionId"], told);
        if chosen != "allow_once" {
            // A denial is shown with the call only where the editor knows the call.
            both.editor_hears_nothing();
        }
    }
}

#[test]
fn misleading_options_mislead_nobody() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let mut asked = to_run("rm -rf src");
    asked["options"] = json!([
        {"optionId": "reject_once", "name": "Reject", "kind": "allow_always"},
        {"optionId": "allow_once", "name": "Cancel", "kind": "allow_once"},
    ]);
    both.agent_asks(1, ASK, asked);
    let question = both.editor_hears();
    let named: Vec<_> = question["params"]["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| (o["optionId"].as_str().unwrap(), o["name"].as_str().unwrap(), o["kind"].as_str().unwrap()))
        .collect();
    assert!(named.contains(&("allow_once", "Allow once", "allow_once")), "{named:?}");
    assert!(named.contains(&("reject_once", "Reject", "reject_once")), "{named:?}");
    both.editor_says(&selected(&question, "reject_once"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "reject_once");
}

#[test]
fn a_question_that_is_called_off_is_no_denial() {
    let mut both = Conversation::opened(Place::new(), &[]);
    for id in [1, 2] {
        both.agent_asks(id, ASK, to_run("rm -rf src"));
        let question = both.editor_hears();
        both.editor_says(
            &json!({"jsonrpc": "2.0", "id": question["id"], "result": {"outcome": {"outcome": "cancelled"}}}),
        );
        assert_eq!(outcome(&both.agent_hears()), &json!({"outcome": "cancelled"}));
    }
}

#[test]
fn whoever_answers_first_answers() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, ASK, to_run("rm -rf src"));
    let question = both.editor_hears();
    let listed: Value = serde_json::from_str(&both.place.herm(&["approvals", "list", "--json"])).unwrap();
    assert!(listed.to_string().contains("rm -rf src"), "{listed}");
    both.place.herm(&["approvals", "answer", listed["questions"][0]["id"].as_str().unwrap(), "once"]);
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once", "somebody else was faster");
    let back = both.editor_hears();
    assert_eq!(
        (&back["method"], &back["params"]["requestId"]),
        (&json!("$/cancel_request"), &question["id"])
    );
    both.editor_says(&selected(&question, "reject"));
    // Silence refuses, and the question is taken back.
    drop(both);
    let place = Place::new();
    place.configure("approvals: {timeout: 1}\n");
    let mut both = Conversation::opened(place, &[]);
    both.agent_asks(1, ASK, to_run("rm -rf src"));
    let asked = both.editor_hears();
    let back = both.editor_hears();
    assert_eq!((&back["method"], &back["params"]["requestId"]), (&json!("$/cancel_request"), &asked["id"]));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "reject");
    both.editor_says(&selected(&asked, "once"));
    both.editor_hears_nothing();
}

#[test]
fn other_messages_flow_while_a_person_thinks() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.agent_asks(1, ASK, to_run("rm -rf src"));
    let question = both.editor_hears();
    both.editor_hears_nothing();
    both.editor_says(
        &json!({"jsonrpc": "2.0", "id": 9, "method": "session/set_mode", "params": {"sessionId": "s"}}),
    );
    assert_eq!(both.agent_hears()["method"], "session/set_mode");
    both.agent_says(&json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}}));
    assert_eq!(both.agent_hears()["error"]["code"], -32800);
    assert_eq!(both.editor_hears()["params"]["requestId"], question["id"]);
}

#[test]
fn a_mode_of_the_agent_is_its_own_affair() {
    let mut both = Conversation::opened(Place::new(), &["--name", "claude-code"]);
    let modes = json!([
        {"optionId": "acceptEdits", "name": "Yes, and auto-accept edits", "kind": "allow_always"},
        {"optionId": "default", "name": "Yes, and manually approve edits", "kind": "allow_once"},
        {"optionId": "plan", "name": "No, keep planning", "kind": "reject_once"},
    ]);
    let told = json!({"toolCallId": "1", "title": "Ready to code?", "kind": "switch_mode", "rawInput": {"plan": "all of it"}});
    both.agent_asks(1, ASK, json!({"toolCall": told, "options": modes}));
    let question = both.editor_hears();
    assert_eq!(question["params"]["options"], modes);
    both.editor_says(&selected(&question, "acceptEdits"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "acceptEdits");
}

#[test]
fn the_examples_of_both_rules_are_found() {
    let mut both = Conversation::opened(Place::new(), &[]);
    for (id, example) in (0..).zip(AGENT_ASKS.examples) {
        both.agent_asks(id, ASK, to_run(example));
        let question = both.editor_hears();
        assert!(shown(&question).contains("[agent-asks]"), "{example}: {question}");
    }
    for (id, example) in (100..).zip(UNSEEN_EDIT.examples) {
        let path = both.place.work(example);
        both.agent_asks(id, "fs/write_text_file", json!({"path": path, "content": "new"}));
        let question = both.editor_hears();
        assert!(shown(&question).contains("[unseen-edit]"), "{example}: {question}");
    }
    let mut both = Conversation::opened(Place::new(), &["--allow-unasked"]);
    for (id, example) in (0..).zip(AGENT_ASKS.near_misses.iter().chain(UNSEEN_EDIT.near_misses)) {
        both.agent_asks(id, ASK, to_run(example));
        assert_eq!(outcome(&both.agent_hears())["optionId"], "once", "{example}");
    }
}

#[test]
fn what_changes_while_it_is_asked_about_is_asked_again() {
    let mut both = Conversation::opened(Place::new(), &[]);
    both.place.write("clean.sh", "rm -rf src\n");
    both.agent_asks(1, ASK, to_run("bash clean.sh"));
    let first = both.editor_hears();
    assert!(shown(&first).contains("[recursive-delete]"), "{first}");
    both.place.write("clean.sh", "rm -rf src\necho more\n");
    both.editor_says(&selected(&first, "once"));
    let again = both.editor_hears();
    assert_eq!(again["method"], ASK, "the yes was to something else");
    both.editor_says(&selected(&again, "once"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once");
}

#[test]
fn one_question_is_asked_about_all_that_a_tool_would_do() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let told = json!({"toolCallId": "1", "title": "Tidy", "kind": "execute", "rawInput": {"commands": ["rm -rf src", "git push --force"]}});
    both.agent_asks(1, ASK, json!({"toolCall": told, "options": options()}));
    let question = both.editor_hears();
    assert!(
        shown(&question).contains("[recursive-delete]") && shown(&question).contains("[force-push]"),
        "{question}"
    );
    assert_eq!(question["params"]["toolCall"]["title"], "herm: run rm -rf src … and 1 more");
    both.editor_says(&selected(&question, "once"));
    assert_eq!(outcome(&both.agent_hears())["optionId"], "once");
    both.editor_hears_nothing();
}
