//! A question as an editor's person is shown it.

use serde_json::{Value, json};

use super::permission::Permission;
use super::tool::Diff;

/// What is said about a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// What would be done, in a line.
    pub title: String,
    /// What would be done, where, and why it is asked. It is shown as it stands, and must be harmless to look at.
    pub text: String,
    /// The changes that the agent does not show itself.
    pub diffs: Vec<Diff>,
}

/// A question as an editor's person is shown it: the parameters of a `session/request_permission`.
#[derive(Clone, Debug, PartialEq)]
pub struct Question(pub(super) Value);

impl Question {
    /// An agent's request with the truth in it. What the agent said stays, but for its title: that is what people look at first.
    #[must_use]
    pub fn of(permission: &Permission, shown: &Shown, options: &[Value]) -> Self {
        let mut params = permission.params.clone();
        let tool = params.get_mut("toolCall").and_then(Value::as_object_mut);
        if let Some(tool) = tool {
            let said = tool.get("content").and_then(Value::as_array).cloned().unwrap_or_default();
            let content: Vec<_> = blocks(shown).into_iter().chain(said).collect();
            tool.insert("title".to_owned(), json!(shown.title));
            tool.insert("content".to_owned(), content.into());
        }
        if let Some(fields) = params.as_object_mut() {
            fields.insert("options".to_owned(), options.into());
        }
        Self(params)
    }

    /// A question of our own, about something that the agent asks the editor to do.
    #[must_use]
    pub fn own(
        session: &str,
        call: &str,
        kind: &str,
        input: &Value,
        shown: &Shown,
        options: &[Value],
    ) -> Self {
        Self(json!({
            "sessionId": session,
            "toolCall": {
                "toolCallId": call, "title": shown.title, "kind": kind, "status": "pending",
                "content": blocks(shown), "rawInput": input,
            },
            "options": options,
        }))
    }
}

fn blocks(shown: &Shown) -> Vec<Value> {
    let diff =
        |diff: &Diff| json!({"type": "diff", "path": diff.path, "oldText": diff.old, "newText": diff.new});
    std::iter::once(text_block(&shown.text)).chain(shown.diffs.iter().map(diff)).collect()
}

/// Text that editors show as it stands, whatever it would mean in Markdown.
pub(super) fn text_block(text: &str) -> Value {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    json!({"type": "content", "content": {"type": "text", "text": format!("{fence}text\n{text}\n{fence}")}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_own_fence() {
        let block = text_block("a ```` b\n```\n# title");
        let text = block["content"]["text"].as_str().unwrap();
        assert!(text.starts_with("`````text\n") && text.ends_with("\n`````"), "{text}");
    }

    #[test]
    fn what_the_agent_said_stays_but_for_its_title() {
        let params = json!({
            "sessionId": "s", "x": 1, "options": [{"optionId": "yes", "name": "n", "kind": "allow_once"}],
            "toolCall": {"toolCallId": "1", "title": "Say hello", "y": 2, "rawInput": {"command": "rm x"}, "content": [{"type": "z"}]},
        });
        let permission = Permission::read(&params, |_, _| None).unwrap();
        let shown = Shown { title: "rm x".to_owned(), text: "would run rm x".to_owned(), diffs: Vec::new() };
        let Question(asked) = Question::of(&permission, &shown, &[json!("o")]);
        assert_eq!(asked["toolCall"]["title"], "rm x");
        assert_eq!(
            (&asked["x"], &asked["toolCall"]["y"], &asked["options"]),
            (&json!(1), &json!(2), &json!(["o"]))
        );
        assert_eq!(asked["toolCall"]["content"][1], json!({"type": "z"}));
        assert!(
            asked["toolCall"]["content"][0]["content"]["text"].as_str().unwrap().contains("would run rm x")
        );
    }
}
