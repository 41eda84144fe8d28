//! `OpenAI`'s chat completions, which others speak, too.

use serde_json::{Value, json};

use super::{Said, Speech, event, names};

pub(super) struct Completions;

impl Speech for Completions {
    fn offered(&self, body: &Value) -> Vec<String> {
        names(&body["tools"], |tool| &tool["function"]["name"])
    }

    fn results(&self, body: &Value) -> Vec<String> {
        let messages = body["messages"].as_array().into_iter().flatten();
        let results = messages.filter(|message| message["role"] == "tool");
        results.map(|message| message["content"].to_string()).collect()
    }

    fn say(&self, body: &Value, said: &Said<'_>) -> String {
        let (mut message, finish) = match said {
            Said::Call(number, tool, input) => {
                let function = json!({"name": tool, "arguments": input.to_string()});
                let call = json!({"index": 0, "id": format!("call_{number}"), "type": "function", "function": function});
                (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
            }
            Said::Words(words) => (json!({"role": "assistant", "content": words}), "stop"),
        };
        let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
        let whole = |kind: &str, choice: Value| json!({"id": "chat-1", "object": kind, "created": 1, "model": body["model"], "choices": [choice], "usage": usage});
        if body["stream"] != true {
            if let Some(call) = message["tool_calls"][0].as_object_mut() {
                call.remove("index");
            }
            let choice = json!({"index": 0, "message": message, "finish_reason": finish});
            return whole("chat.completion", choice).to_string();
        }
        let chunk = |choice: Value| event(&whole("chat.completion.chunk", choice));
        [
            chunk(json!({"index": 0, "delta": message, "finish_reason": null})),
            chunk(json!({"index": 0, "delta": {}, "finish_reason": finish})),
            "data: [DONE]\n\n".to_owned(),
        ]
        .concat()
    }
}
