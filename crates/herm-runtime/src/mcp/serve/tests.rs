use std::io::{BufRead, BufReader, PipeReader};
use std::sync::mpsc::{SyncSender, sync_channel};

use herm_adapters::mcp::serve::{Chosen, Form, Tool};
use serde_json::{Value, json};

use super::*;

const MINUTE: Duration = Duration::from_mins(1);

/// Asks about every command but `sleep`, which goes on until it is called off.
struct Asking;

impl Hands for Asking {
    fn work(&self, errand: &Arc<Errand>) -> Outcome {
        let Ok(Tool::Terminal { command, .. }) = errand.tool() else {
            return Outcome::Misused("no".to_owned());
        };
        if command == "sleep" {
            while !errand.cancel().is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            return Outcome::Done("slept".to_owned(), json!({}));
        }
        errand.news("asking");
        let answers = ["deny", "once"].map(|word| (word.to_owned(), word.to_owned())).to_vec();
        let question = errand.ask(Form { message: command.clone(), answers }, MINUTE);
        let chosen = question.hear(MINUTE);
        Outcome::Done(
            format!("{chosen:?}"),
            json!({ "once": chosen == Some(Chosen::Answer("once".to_owned())) }),
        )
    }
}

/// A client, on the other side of the pipes.
struct Client {
    say: SyncSender<Heard>,
    hear: BufReader<PipeReader>,
}

impl Client {
    fn say(&self, message: &Value) {
        self.say.send(Heard::Line(message.to_string().into_bytes())).unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.hear.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn call(&self, id: u32, command: &str, more: &Value) {
        let mut params = json!({"name": "terminal", "arguments": {"command": command}});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }

    fn introduce(&mut self) {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}});
        self.say(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        assert_eq!(self.hear()["id"], 0);
    }
}

fn newer() -> Value {
    json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }})
}

fn returning(state: &Value, answer: &str) -> Value {
    let mut params = newer();
    params["requestState"] = state.clone();
    params["inputResponses"] = json!({"approval": {"action": "accept", "content": {"answer": answer}}});
    params
}

fn served(test: impl FnOnce(&mut Client)) {
    let (say, heard) = sync_channel(64);
    let (hear, write) = io::pipe().unwrap();
    let speaker = Speaker::new(write).unwrap();
    thread::scope(|scope| {
        let stop = Cancel::new().unwrap();
        let server = scope.spawn(move || serve("1", &heard, &speaker, &stop, &Asking));
        let mut client = Client { say, hear: BufReader::new(hear) };
        test(&mut client);
        client.say.send(Heard::Over(None)).unwrap();
        server.join().unwrap().unwrap();
    });
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn a_question_goes_to_the_client_while_other_things_go_on() {
    served(|client| {
        client.introduce();
        client.call(1, "first", &json!({}));
        let asked = client.hear();
        assert_eq!(
            (&asked["method"], &asked["params"]["message"]),
            (&json!("elicitation/create"), &json!("first"))
        );
        client.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
        assert_eq!(client.hear(), json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
        client.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": "once"}}}));
        let answer = client.hear();
        assert_eq!((&answer["id"], text(&answer)), (&json!(1), "Some(Answer(\"once\"))"));
        assert_eq!(answer["result"]["structuredContent"]["once"], true);
    });
}

#[test]
fn what_a_client_cannot_ask_is_no_answer() {
    for (result, chosen) in [
        (json!({"result": {"action": "decline"}}), "Some(Declined)"),
        (json!({"result": {"action": "cancel"}}), "Some(Closed)"),
        (json!({"result": {"action": "accept", "content": {"answer": "yes"}}}), "Some(Unclear)"),
        (json!({"error": {"code": -32601, "message": "what?"}}), "Some(Unclear)"),
    ] {
        served(|client| {
            client.introduce();
            client.call(1, "it", &json!({}));
            let mut answer = json!({"jsonrpc": "2.0", "id": client.hear()["id"]});
            answer.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
            client.say(&answer);
            assert_eq!(text(&client.hear()), chosen);
        });
    }
}

#[test]
fn an_answer_to_another_question_is_none_to_this_one() {
    served(|client| {
        client.introduce();
        client.call(1, "it", &json!({}));
        let asked = client.hear();
        let accept = json!({"action": "accept", "content": {"answer": "once"}});
        client.say(&json!({"jsonrpc": "2.0", "id": "herm-77", "result": accept}));
        client.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}}));
        client.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": accept}));
        assert_eq!(text(&client.hear()), "Some(Declined)");
    });
}

#[test]
fn in_the_newer_age_the_client_comes_back_with_the_answer() {
    served(|client| {
        client.call(1, "it", &newer());
        let asked = client.hear();
        assert_eq!((&asked["id"], &asked["result"]["resultType"]), (&json!(1), &json!("input_required")));
        assert_eq!(asked["result"]["inputRequests"]["approval"]["params"]["message"], "it");
        let state = &asked["result"]["requestState"];
        // For another call, it is worth nothing, and nothing is lost by that.
        client.call(2, "another", &returning(state, "once"));
        assert_eq!(client.hear()["error"]["code"], INVALID_PARAMS);
        client.call(3, "it", &returning(state, "once"));
        let answer = client.hear();
        assert_eq!((&answer["id"], text(&answer)), (&json!(3), "Some(Answer(\"once\"))"));
        assert_eq!(answer["result"]["resultType"], "complete");
        // It is used once.
        client.call(4, "it", &returning(state, "once"));
        assert_eq!(client.hear()["error"]["code"], INVALID_PARAMS);
    });
}

#[test]
fn who_comes_back_without_an_answer_has_given_none() {
    served(|client| {
        client.call(1, "it", &newer());
        let mut params = returning(&client.hear()["result"]["requestState"], "once");
        params["inputResponses"] = json!({});
        client.call(2, "it", &params);
        assert_eq!(text(&client.hear()), "Some(Unclear)");
    });
}

#[test]
fn what_is_called_off_ends_and_is_not_answered() {
    served(|client| {
        client.introduce();
        client.call(1, "sleep", &json!({}));
        client.call(1, "sleep", &json!({}));
        assert_eq!(client.hear()["error"]["code"], INVALID_REQUEST, "two answers could not be told apart");
        client
            .say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
        client.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
        assert_eq!(client.hear()["id"], 2);
    });
}

#[test]
fn news_are_told_to_those_who_want_them() {
    served(|client| {
        client.introduce();
        client.call(1, "it", &json!({"_meta": {"progressToken": "t"}}));
        let news = client.hear();
        assert_eq!(
            (&news["method"], &news["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("t"))
        );
        assert_eq!(client.hear()["method"], "elicitation/create");
    });
}

#[test]
fn nobody_has_more_under_way_than_can_be_kept_in_mind() {
    served(|client| {
        client.introduce();
        let most = u32::try_from(MOST).unwrap();
        (1..=most + 1).for_each(|id| client.call(id, "sleep", &json!({})));
        let answer = client.hear();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(most + 1), &json!(INTERNAL)));
    });
}

#[test]
fn what_is_no_message_is_answered_as_that() {
    served(|client| {
        for line in ["{", "[]", "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}"] {
            client.say.send(Heard::Line(line.as_bytes().to_vec())).unwrap();
            assert!(client.hear()["error"]["code"].as_i64().unwrap() < 0, "{line}");
        }
        client.say.send(Heard::TooLong).unwrap();
        assert_eq!(client.hear()["error"]["code"], INVALID_REQUEST);
    });
}
