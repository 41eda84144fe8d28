//! What follows from an answer.

use herm::Finding;
use herm::approval::{Breadth, Denial, Scope};
use herm::call::Call;
use serde_json::{Value, json};

use super::words;

/// What follows from an answer, said together with the question.
///
/// Whoever takes the answer keeps what follows from it. It is settled before anybody answers, so that nobody can make
/// more of a yes afterwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Follows {
    /// What a yes for the session covers.
    pub(crate) session: Vec<Scope>,
    /// What a yes for ever covers, as the allow-list writes it.
    pub(crate) always: Vec<String>,
    /// What a no covers.
    pub(crate) denial: Option<Denial>,
    /// The hook that it is about: its command, and the digest of its files.
    pub(crate) hook: Option<(String, String)>,
}

impl Follows {
    /// What follows from an answer to these findings of a call. What would write a secret down is covered as it stands only:
    /// the digest names the call and tells nothing.
    pub(crate) fn of(
        findings: &[Finding],
        call: &Call,
        digest: &str,
        shown: &str,
        redact: &dyn Fn(&str) -> String,
    ) -> Self {
        let plain = |text: &str| redact(text) == text;
        let exact =
            |finding: &Finding| Scope::Exact { rule: finding.rule.to_owned(), action: digest.to_owned() };
        let scope = |finding, breadth| match Scope::of(finding, breadth, call, digest) {
            Scope::Entry(written) if !plain(&written) => exact(finding),
            scope @ (Scope::Entry(_) | Scope::Exact { .. }) => scope,
        };
        let scopes = |breadth| findings.iter().map(move |finding| scope(finding, breadth));
        let mut denial = Denial::of(findings, digest, shown);
        denial.deeds.retain(|deed| plain(&deed.thing.words().1));
        let entry = |scope| match scope {
            Scope::Entry(written) => Some(written),
            Scope::Exact { .. } => None,
        };
        Self {
            session: scopes(Breadth::Session).collect(),
            always: scopes(Breadth::Always).filter_map(entry).collect(),
            denial: Some(denial),
            hook: None,
        }
    }

    /// What follows from an answer about a hook.
    pub(crate) fn of_hook(command: &str, digest: &str) -> Self {
        Self { hook: Some((command.to_owned(), digest.to_owned())), ..Self::default() }
    }

    /// What a yes for the session covers.
    #[must_use]
    pub fn session(&self) -> &[Scope] {
        &self.session
    }

    /// The entries of the allow-list that a yes for ever writes, each once.
    #[must_use]
    pub fn entries(&self) -> Vec<String> {
        let mut entries: Vec<String> = Vec::new();
        for entry in &self.always {
            if !entries.contains(entry) {
                entries.push(entry.clone());
            }
        }
        entries
    }

    /// Whether it is about a hook, which runs as it is now or not at all.
    #[must_use]
    pub const fn is_hook(&self) -> bool {
        self.hook.is_some()
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "session": self.session.iter().map(words::scope).collect::<Vec<_>>(),
            "always": self.always,
            "denial": self.denial.as_ref().map(words::denial),
            "hook": self.hook.as_ref().map(|(command, digest)| [command, digest]),
        })
    }

    /// What cannot be read does not follow: less is allowed, and the exact question is asked again.
    pub(crate) fn from_json(value: &Value) -> Self {
        let list = |key: &str| value.get(key).and_then(Value::as_array).into_iter().flatten();
        let hook = || {
            let word = |at: usize| value.get("hook")?.get(at)?.as_str().map(str::to_owned);
            word(0).zip(word(1))
        };
        Self {
            session: list("session").filter_map(words::to_scope).collect(),
            always: list("always").filter_map(Value::as_str).map(str::to_owned).collect(),
            denial: value.get("denial").filter(|denial| denial.is_object()).map(words::to_denial),
            hook: hook(),
        }
    }
}
