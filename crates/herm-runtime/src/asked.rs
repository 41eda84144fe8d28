//! A question as it is shown, sent and kept.

use herm::call::Call;
use herm::{Finding, rules};
use serde_json::{Value, json};

use crate::books::Follows;

/// A question as it is shown, sent and kept. Secrets are taken out of it before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its name.
    pub id: String,
    /// The session that asks.
    pub session: String,
    /// What would run.
    pub command: String,
    /// Where.
    pub cwd: String,
    /// The digest of what was judged.
    pub digest: String,
    /// What must be said yes to.
    pub mentions: Vec<Mention>,
    /// Whether a yes for ever can be described.
    pub always: bool,
    /// What follows from an answer.
    pub follows: Follows,
}

/// What one rule minds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The rule.
    pub rule: String,
    /// Its description.
    pub title: String,
    /// Why it minds.
    pub reason: String,
    /// A safer way.
    pub instead: Option<String>,
    /// Where in the command.
    pub span: Option<(u32, u32)>,
}

impl Asked {
    /// The question of a call.
    #[must_use]
    pub fn new(
        id: &str,
        call: &Call,
        digest: &str,
        findings: &[Finding],
        redact: &dyn Fn(&str) -> String,
    ) -> Self {
        let command = redact(call.action.text());
        // Marks would stand under the wrong characters where something was taken out.
        let intact = command == call.action.text();
        let follows = Follows::of(findings, call, digest, &command, redact);
        Self {
            id: id.to_owned(),
            session: call.session.0.clone(),
            cwd: call.cwd.as_str().to_owned(),
            digest: digest.to_owned(),
            mentions: findings.iter().map(|finding| Mention::new(finding, intact, redact)).collect(),
            always: follows.always.len() == findings.len(),
            follows,
            command,
        }
    }

    /// The description of the first rule, and how many others there are.
    #[must_use]
    pub fn title(&self) -> String {
        let mut titles: Vec<&str> = Vec::new();
        for mention in &self.mentions {
            if !titles.contains(&mention.title.as_str()) {
                titles.push(&mention.title);
            }
        }
        titles.join("; ")
    }

    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id, "session": self.session, "command": self.command, "cwd": self.cwd, "digest": self.digest,
            "title": self.title(), "always": self.always,
            "follows": self.follows.to_json(),
            "findings": self.mentions.iter().map(Mention::to_json).collect::<Vec<_>>(),
        })
    }

    /// From JSON; nothing when a part is missing.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        Some(Self {
            id: text("id")?,
            session: text("session")?,
            command: text("command")?,
            cwd: text("cwd")?,
            digest: text("digest")?,
            mentions: value
                .get("findings")?
                .as_array()?
                .iter()
                .map(Mention::from_json)
                .collect::<Option<_>>()?,
            always: value.get("always")?.as_bool()?,
            follows: value.get("follows").map(Follows::from_json).unwrap_or_default(),
        })
    }
}

impl Mention {
    fn new(finding: &Finding, intact: bool, redact: &dyn Fn(&str) -> String) -> Self {
        Self {
            rule: finding.rule.to_owned(),
            title: rules::find(finding.rule).map_or(finding.rule, |rule| rule.title).to_owned(),
            reason: redact(&finding.reason),
            instead: finding.instead.clone(),
            span: finding.span.filter(|_| intact).map(|span| (span.start, span.end)),
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "rule": self.rule, "title": self.title, "reason": self.reason, "instead": self.instead,
            "span": self.span.map(|(start, end)| [start, end]),
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let place = |at: usize| u32::try_from(value.get("span")?.get(at)?.as_u64()?).ok();
        Some(Self {
            rule: text("rule")?,
            title: text("title")?,
            reason: text("reason")?,
            instead: text("instead"),
            span: place(0).zip(place(1)),
        })
    }
}
