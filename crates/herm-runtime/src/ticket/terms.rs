//! A ticket as it is kept.

use herm::Preset;
use herm_shell::Input;
use herm_store::Digest;
use serde_json::{Value, json};

use super::{Agreed, Ticket};

impl Ticket {
    pub(super) fn to_json(&self) -> Value {
        let Agreed { receipt, digest, findings } = &self.agreed;
        json!({
            "text": self.text,
            "input": match self.input { Input::Typed => "typed", Input::Unknown => "unknown" },
            "adrift": self.adrift,
            "cwd": self.cwd,
            "call": self.call,
            "session": self.session,
            "user": self.user,
            "home": self.home,
            "config": self.config,
            "preset": self.preset.map(Preset::word),
            "receipt": receipt,
            "digest": digest.to_string(),
            "findings": findings,
        })
    }

    /// Reads what was kept. What is not all there is nothing.
    pub(super) fn read(terms: &Value) -> Option<Self> {
        let text = |key: &str| terms.get(key)?.as_str().map(str::to_owned);
        let maybe = |key: &str| match terms.get(key)? {
            Value::Null => Some(None),
            Value::String(text) => Some(Some(text.clone())),
            Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        };
        let pair = |pair: &Value| match pair.as_array()?.as_slice() {
            [rule, reason] => Some((rule.as_str()?.to_owned(), reason.as_str()?.to_owned())),
            _ => None,
        };
        let findings = terms.get("findings")?.as_array()?.iter().map(pair).collect::<Option<Vec<_>>>()?;
        Some(Self {
            text: text("text")?,
            input: match text("input")?.as_str() {
                "typed" => Input::Typed,
                "unknown" => Input::Unknown,
                _ => return None,
            },
            adrift: terms.get("adrift")?.as_bool()?,
            cwd: text("cwd")?,
            call: text("call")?,
            session: text("session")?,
            user: u32::try_from(terms.get("user")?.as_u64()?).ok()?,
            home: text("home")?,
            config: maybe("config")?.map(Into::into),
            preset: match maybe("preset")? {
                Some(word) => Some(Preset::from_word(&word)?),
                None => None,
            },
            agreed: Agreed { receipt: text("receipt")?, digest: Digest::parse(&text("digest")?)?, findings },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again_and_nothing_less() {
        let ticket = Ticket {
            text: "make\n".to_owned(),
            input: Input::Unknown,
            adrift: true,
            cwd: "/w".to_owned(),
            call: "c".to_owned(),
            session: "s".to_owned(),
            user: 1,
            home: "/h".to_owned(),
            config: Some("/c".into()),
            preset: Some(Preset::Strict),
            agreed: Agreed {
                receipt: "r".to_owned(),
                digest: Digest::of(b"x"),
                findings: vec![("rule".to_owned(), "why".to_owned())],
            },
        };
        let kept = ticket.to_json();
        assert_eq!(Ticket::read(&kept), Some(ticket));
        for key in kept.as_object().unwrap().keys() {
            let mut less = kept.clone();
            less.as_object_mut().unwrap().remove(key);
            assert_eq!(Ticket::read(&less), None, "{key}");
        }
    }
}
