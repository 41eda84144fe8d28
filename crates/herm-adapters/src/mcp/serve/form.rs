//! A question, as a form that a client shows to its person.

use serde_json::{Value, json};

/// A question with the answers that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// What is asked.
    pub message: String,
    /// The answers: a word, and what it means.
    pub answers: Vec<(String, String)>,
}

/// What a person chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// An answer, by its word.
    Answer(String),
    /// None. It was closed.
    Closed,
    /// None. It was declined.
    Declined,
    /// Nothing that can be understood.
    Unclear,
}

impl Form {
    /// What a client is asked for.
    #[must_use]
    pub fn params(&self) -> Value {
        let words: Vec<_> = self.answers.iter().map(|(word, _)| word).collect();
        let names: Vec<_> = self.answers.iter().map(|(_, name)| name).collect();
        json!({
            "mode": "form",
            "message": self.message,
            "requestedSchema": {
                "type": "object",
                "properties": { "answer": {
                    "type": "string", "title": "Answer", "description": "Whether it may be done.", "enum": words, "enumNames": names,
                } },
                "required": ["answer"],
            },
        })
    }

    /// What came back. Only a word that was offered, in so many letters, is an answer.
    #[must_use]
    pub fn chosen(&self, result: &Value) -> Chosen {
        match result.get("action").and_then(Value::as_str) {
            Some("accept") => {}
            Some("decline") => return Chosen::Declined,
            Some("cancel") => return Chosen::Closed,
            Some(_) | None => return Chosen::Unclear,
        }
        let word = result.get("content").and_then(|content| content.get("answer")).and_then(Value::as_str);
        match word.filter(|word| self.answers.iter().any(|(offered, _)| offered == word)) {
            Some(word) => Chosen::Answer(word.to_owned()),
            None => Chosen::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_offered_is_an_answer() {
        let answers = ["once", "deny"].map(|word| (word.to_owned(), format!("{word}!"))).to_vec();
        let form = Form { message: "?".to_owned(), answers };
        let chosen = |value: Value| form.chosen(&value);
        assert_eq!(
            chosen(json!({"action": "accept", "content": {"answer": "once"}})),
            Chosen::Answer("once".to_owned())
        );
        assert_eq!(chosen(json!({"action": "decline", "content": {"answer": "once"}})), Chosen::Declined);
        assert_eq!(chosen(json!({"action": "cancel"})), Chosen::Closed);
        for unclear in [
            json!(null),
            json!({}),
            json!({"action": "accept"}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept", "content": {"answer": "always"}}),
            json!({"action": "accept", "content": {"answer": "Once"}}),
            json!({"action": "accept", "content": {"answer": true}}),
            json!({"action": "yes", "content": {"answer": "once"}}),
            json!({"action": ["accept"], "content": {"answer": "once"}}),
        ] {
            assert_eq!(chosen(unclear.clone()), Chosen::Unclear, "{unclear}");
        }
    }
}
