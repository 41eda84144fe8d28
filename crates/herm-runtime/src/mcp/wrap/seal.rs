//! What a call is sent back with when its client has to ask first: bound to the call and to the question, for a while, under a key
//! that nobody else has.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use herm::approval::Answer;
use herm_store::Digest;
use herm_store::digest::Key;
use serde_json::Value;

use crate::identity;

/// How long a person has to answer.
const TIME: Duration = Duration::from_mins(10);

/// What vouches for states.
#[derive(Debug)]
pub(super) struct Seal {
    salt: String,
    key: Key,
}

/// The call that a state belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a Value,
}

impl Seal {
    pub(super) fn new(salt: &str) -> std::io::Result<Self> {
        let key = Key::random().map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Self { salt: salt.to_owned(), key })
    }

    /// A state for a question about a call, with what was answered about the same call before.
    pub(super) fn state(&self, question: &str, call: Bound<'_>, before: &[Answered]) -> String {
        let end = now().saturating_add(TIME.as_secs());
        let before: Vec<_> =
            before.iter().map(|(question, answer)| format!("{question}={}", answer.word())).collect();
        let question = Digest::of(question.as_bytes());
        let body = format!("{}.{end}.{}.{question}.{}", self.salt, identity::fresh(), before.join(","));
        let code = self.key.sign(&signed(&body, call));
        format!("{body}.{code}")
    }

    /// Whether a state is ours, belongs to this call, and has not lapsed; if so, whether it belongs to a question.
    pub(super) fn opens<'a>(&self, state: &'a str, call: Bound<'_>) -> Option<Opened<'a>> {
        let (body, code) = state.rsplit_once('.')?;
        if !self.key.vouches(&signed(body, call), &Digest::parse(code)?) {
            return None;
        }
        let mut parts = body.strip_prefix(&self.salt)?.strip_prefix('.')?.split('.');
        let end: u64 = parts.next()?.parse().ok()?;
        let question = parts.nth(1)?;
        let before = parts.next()?.split(',').filter(|answered| !answered.is_empty());
        let before = before.map(|answered| {
            let (question, word) = answered.split_once('=')?;
            Some((question.to_owned(), Answer::from_word(word)?))
        });
        let before = before.collect::<Option<_>>()?;
        (now() <= end).then_some(Opened { question, before })
    }
}

/// The digest of a question, and what was answered to it.
pub(super) type Answered = (String, Answer);

/// A state that is what it should be.
#[derive(Clone, Debug)]
pub(super) struct Opened<'a> {
    /// The digest of the question that it belongs to.
    pub(super) question: &'a str,
    /// What was answered before.
    pub(super) before: Vec<Answered>,
}

#[cfg(test)]
impl Opened<'_> {
    fn is_about(&self, question: &str) -> bool {
        self.question == Digest::of(question.as_bytes()).to_string()
    }
}

/// Each part with its length, so that no two read the same.
fn signed(body: &str, call: Bound<'_>) -> Vec<u8> {
    let arguments = call.arguments.to_string();
    let parts = [body, call.name, &arguments];
    parts.iter().flat_map(|part| format!("{}:{part}", part.len()).into_bytes()).collect()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(u64::MAX, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_state_opens_for_its_own_call_alone() {
        let seal = Seal::new("salt").unwrap();
        let arguments = json!({"path": "a"});
        let call = Bound { name: "write", arguments: &arguments };
        let before = [(Digest::of(b"first").to_string(), Answer::Once), ("x".to_owned(), Answer::Session)];
        let state = seal.state("question", call, &before);
        assert_eq!(seal.opens(&state, call).unwrap().before, before);
        assert_eq!(seal.opens(&seal.state("question", call, &[]), call).unwrap().before, []);
        assert!(seal.opens(&state, call).unwrap().is_about("question"));
        assert!(!seal.opens(&state, call).unwrap().is_about("another"));
        assert!(seal.opens(&state, Bound { name: "delete", ..call }).is_none());
        let other = json!({"path": "b"});
        assert!(seal.opens(&state, Bound { arguments: &other, ..call }).is_none());
        assert!(Seal::new("salt").unwrap().opens(&state, call).is_none(), "another key");
        for at in 0..state.len() {
            let mut forged = state.clone().into_bytes();
            forged[at] ^= 1;
            let forged = String::from_utf8_lossy(&forged);
            assert!(seal.opens(&forged, call).is_none(), "{forged}");
        }
    }

    #[test]
    fn a_state_lapses() {
        let seal = Seal::new("salt").unwrap();
        let arguments = json!({});
        let call = Bound { name: "t", arguments: &arguments };
        let body = format!("salt.{}.x.{}.", now() - 1, Digest::of(b"q"));
        let state = format!("{body}.{}", seal.key.sign(&signed(&body, call)));
        assert!(seal.opens(&state, call).is_none());
    }
}
