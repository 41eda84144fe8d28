//! Anthropic's messages.

use serde_json::{Value, json};

use super::{Said, Speech, named, names};

pub(super) struct Messages;

impl Speech for Messages {
    fn offered(&self, body: &Value) -> Vec<String> {
        names(&body["tools"], |tool| &tool["name"])
    }

    fn results(&self, body: &Value) -> Vec<String> {
        let messages = body["messages"].as_array().into_iter().flatten();
        let blocks = messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
        let results = blocks.filter(|block| block["type"] == "tool_result");
        results.map(|block| block["content"].to_string()).collect()
    }

    fn say(&self, body: &Value, said: &Said<'_>) -> String {
        let (block, stop) = match said {
            Said::Call(number, tool, input) => (
                json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": tool, "input": input}),
                "tool_use",
            ),
            Said::Words(words) => (json!({"type": "text", "text": words}), "end_turn"),
        };
        let mut message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"],
            "content": [block], "stop_reason": stop, "stop_sequence": null,
            "usage": {"input_tokens": 1, "output_tokens": 1}});
        if body["stream"] != true {
            return message.to_string();
        }
        message["content"] = json!([]);
        message["stop_reason"] = Value::Null;
        let (empty, delta) = match said {
            Said::Call(_, _, input) => {
                let mut empty = block;
                empty["input"] = json!({});
                (empty, json!({"type": "input_json_delta", "partial_json": input.to_string()}))
            }
            Said::Words(words) => {
                (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": words}))
            }
        };
        [
            json!({"type": "message_start", "message": message}),
            json!({"type": "content_block_start", "index": 0, "content_block": empty}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
                   "usage": {"output_tokens": 1}}),
            json!({"type": "message_stop"}),
        ]
        .iter()
        .map(named)
        .collect()
    }
}
