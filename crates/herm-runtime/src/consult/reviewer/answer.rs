//! What is asked of the model, and what its answer means.

use herm_adapters::once;
use serde_json::Value;

use super::Verdict;
use crate::consult::quoted;

/// The request. The model has no room to explain itself, and no chance to be of two minds.
pub(super) fn request(model: &str, system: &str, user: &str) -> String {
    let request = serde_json::json!({
        "model": model,
        "temperature": 0,
        "max_tokens": 16,
        "stream": false,
        "messages": [
            { "role": "system", "content": system },
            { "role": "user", "content": user },
        ],
    });
    request.to_string()
}

/// One of three words and nothing else.
pub(super) fn read(body: &[u8]) -> Result<Verdict, String> {
    let malformed = || "the answer of the model is malformed".to_owned();
    let answer = once(body).map_err(|_| malformed())?;
    let choices = answer.get("choices").and_then(Value::as_array).map(Vec::as_slice);
    let Some([choice]) = choices else { return Err(malformed()) };
    let content = choice.get("message").and_then(|message| message.get("content")).and_then(Value::as_str);
    let word = content.ok_or_else(malformed)?.trim();
    [Verdict::Approve, Verdict::Deny, Verdict::Escalate]
        .into_iter()
        .find(|verdict| word.eq_ignore_ascii_case(verdict.word()))
        .ok_or_else(|| format!("the model says neither of three words: `{}`", shortened(word)))
}

fn shortened(text: &str) -> String {
    quoted(text).chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(content: &Value) -> Result<Verdict, String> {
        read(json!({ "choices": [{ "message": { "content": content } }] }).to_string().as_bytes())
    }

    #[test]
    fn exactly_one_word_is_an_answer() {
        for (content, verdict) in [
            ("APPROVE", Verdict::Approve),
            (" approve\n", Verdict::Approve),
            ("Deny", Verdict::Deny),
            ("ESCALATE", Verdict::Escalate),
        ] {
            assert_eq!(said(&json!(content)), Ok(verdict), "{content}");
        }
        for content in
            ["", "APPROVED", "APPROVE.", "I APPROVE", "APPROVE DENY", "**APPROVE**", "yes", "ＡPPROVE"]
        {
            assert!(said(&json!(content)).is_err(), "{content}");
        }
        for content in [json!(null), json!(["APPROVE"]), json!({ "text": "APPROVE" }), json!(1)] {
            assert!(said(&content).is_err(), "{content}");
        }
    }

    #[test]
    fn what_is_not_wrapped_as_expected_is_no_answer() {
        for body in [
            "",
            "APPROVE",
            "\"APPROVE\"",
            "{}",
            r#"{"choices":[]}"#,
            r#"{"choices":[{"text":"APPROVE"}]}"#,
            r#"{"choices":[{"message":{"content":"APPROVE"}},{"message":{"content":"DENY"}}]}"#,
            r#"{"choices":[{"message":{"content":"APPROVE"}}]} trailing"#,
            r#"{"choices":[{"message":{"content":"DENY","content":"APPROVE"}}]}"#,
        ] {
            assert!(read(body.as_bytes()).is_err(), "{body}");
        }
    }
}
