//! `OpenAI`'s responses.

use serde_json::{Value, json};

use super::{Said, Speech, named, names};

pub(super) struct Responses;

impl Speech for Responses {
    fn offered(&self, body: &Value) -> Vec<String> {
        names(&body["tools"], |tool| &tool["name"])
    }

    fn results(&self, body: &Value) -> Vec<String> {
        let items = body["input"].as_array().into_iter().flatten();
        let results =
            items.filter(|item| item["type"].as_str().is_some_and(|kind| kind.ends_with("_output")));
        results.map(|item| item["output"].to_string()).collect()
    }

    fn say(&self, body: &Value, said: &Said<'_>) -> String {
        let item = match said {
            Said::Call(number, tool, input) => call(body, *number, tool, input),
            Said::Words(words) => {
                json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": words, "annotations": []}]})
            }
        };
        let response = |status: &str, output: &[&Value]| {
            json!({"id": "resp_1", "object": "response", "created_at": 1, "model": body["model"], "status": status,
                "output": output, "usage": {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0},
                    "output_tokens": 1, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}})
        };
        let completed = response("completed", &[&item]);
        if body["stream"] != true {
            return completed.to_string();
        }
        [
            json!({"type": "response.created", "response": response("in_progress", &[])}),
            json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": completed}),
        ]
        .iter()
        .map(named)
        .collect()
    }
}

/// Some tools take a text of their own grammar instead of JSON.
fn call(body: &Value, number: usize, tool: &str, input: &Value) -> Value {
    let tools = body["tools"].as_array().into_iter().flatten();
    let is_custom = tools.into_iter().any(|one| one["name"] == tool && one["type"] == "custom");
    let id = format!("call_{number}");
    if is_custom {
        let text = input["input"].as_str().unwrap_or_default();
        return json!({"type": "custom_tool_call", "id": format!("ctc_{number}"), "call_id": id, "name": tool,
            "input": text, "status": "completed"});
    }
    json!({"type": "function_call", "id": format!("fc_{number}"), "call_id": id, "name": tool,
        "arguments": input.to_string(), "status": "completed"})
}
