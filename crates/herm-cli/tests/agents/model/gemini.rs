//! Google's content.

use serde_json::{Value, json};

use super::{Said, Speech, event};

pub(super) struct Content;

impl Speech for Content {
    fn offered(&self, body: &Value) -> Vec<String> {
        let tools = body["tools"].as_array().into_iter().flatten();
        tools.flat_map(|tool| super::names(&tool["functionDeclarations"], |one| &one["name"])).collect()
    }

    fn results(&self, body: &Value) -> Vec<String> {
        let contents = body["contents"].as_array().into_iter().flatten();
        let parts = contents.flat_map(|content| content["parts"].as_array().into_iter().flatten());
        let results = parts.filter(|part| part["functionResponse"].is_object());
        results.map(|part| part["functionResponse"]["response"].to_string()).collect()
    }

    fn say(&self, body: &Value, said: &Said<'_>) -> String {
        let part = match said {
            Said::Call(number, tool, input) => {
                json!({"functionCall": {"id": format!("call_{number}"), "name": tool, "args": input}})
            }
            Said::Words(words) => json!({"text": words}),
        };
        let whole = json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}});
        if body["stream"] == true { event(&whole) } else { whole.to_string() }
    }
}
