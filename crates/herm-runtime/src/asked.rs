//! A question as it is shown, sent and kept.

use herm::approval::Answer;
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
    /// Whether it can be tried, or was.
    pub trying: Trying,
}

/// How a question stands to a try.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Trying {
    /// It cannot be tried.
    #[default]
    Impossible,
    /// A try is one of the answers.
    Offered,
    /// It was tried and changed this, and it is asked whether that is kept.
    Over(String),
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
            trying: Trying::Impossible,
        }
    }

    /// Whether it is asked what becomes of something that was tried.
    #[must_use]
    pub const fn is_about_keeping(&self) -> bool {
        matches!(self.trying, Trying::Over(_))
    }

    /// What can be said to it, the most usual first.
    #[must_use]
    pub fn answers(&self) -> Vec<Answer> {
        let all = [Answer::Once, Answer::Session, Answer::Always, Answer::Try, Answer::Deny];
        all.into_iter().filter(|answer| self.objection(*answer).is_none()).collect()
    }

    /// Why an answer is none to this question.
    #[must_use]
    pub fn objection(&self, answer: Answer) -> Option<&'static str> {
        match (answer, &self.trying) {
            (Answer::Always | Answer::Session | Answer::Try, Trying::Over(_)) => {
                Some("what was tried is kept or discarded, and nothing else")
            }
            (Answer::Try, Trying::Impossible) => Some("it cannot be tried"),
            (Answer::Always, Trying::Impossible | Trying::Offered) if !self.always => {
                Some("what it would cover for ever cannot be described")
            }
            (Answer::Deny | Answer::Once, _)
            | (Answer::Always | Answer::Session | Answer::Try, Trying::Impossible | Trying::Offered) => None,
        }
    }

    /// What an answer to it is called.
    #[must_use]
    pub const fn word(&self, answer: Answer) -> &'static str {
        match (self.is_about_keeping(), answer) {
            (true, Answer::Once) => "keep",
            (true, Answer::Deny) => "discard",
            (_, answer) => answer.word(),
        }
    }

    /// What a person typed: a word or its first letter. Anything else is no answer.
    #[must_use]
    pub fn typed(&self, typed: &str) -> Option<Answer> {
        if !self.is_about_keeping() {
            return Answer::from_typed(typed);
        }
        match typed.trim().to_ascii_lowercase().as_str() {
            "k" | "keep" => Some(Answer::Once),
            "d" | "discard" | "deny" | "n" | "no" => Some(Answer::Deny),
            _ => None,
        }
    }

    /// The description of the first rule, and how many others there are.
    #[must_use]
    pub fn title(&self) -> String {
        if self.is_about_keeping() {
            return "keep what a try has changed".to_owned();
        }
        let mut titles: Vec<&str> = Vec::new();
        for mention in &self.mentions {
            if !titles.contains(&mention.title.as_str()) {
                titles.push(&mention.title);
            }
        }
        titles.join("; ")
    }

    /// What a try has changed.
    #[must_use]
    pub fn changes(&self) -> Option<&str> {
        match &self.trying {
            Trying::Impossible | Trying::Offered => None,
            Trying::Over(changes) => Some(changes),
        }
    }

    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id, "session": self.session, "command": self.command, "cwd": self.cwd, "digest": self.digest,
            "title": self.title(), "always": self.always, "try": self.trying == Trying::Offered, "changes": self.changes(),
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
            trying: Trying::from_json(value),
        })
    }
}

impl Trying {
    /// A question from before there were tries has none.
    fn from_json(asked: &Value) -> Self {
        let is_offered = asked.get("try").and_then(Value::as_bool).unwrap_or(false);
        match asked.get("changes").and_then(Value::as_str) {
            Some(changes) => Self::Over(changes.to_owned()),
            None if is_offered => Self::Offered,
            None => Self::Impossible,
        }
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
