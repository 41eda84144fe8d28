//! What would have become of what was observed.

use herm::{Finding, Stance, rules};
use herm_adapters::Agent;
use herm_store::{Entry, Error, Store, Timestamp};
use serde_json::Value;

use crate::replay::{Stopped, Tally};

/// What would have become of what was observed since then.
///
/// # Errors
/// When the record cannot be read.
pub fn report(store: &Store, since: Option<Timestamp>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    tally.files = 1;
    let mut underway: Option<Observed> = None;
    for entry in store.ledger()?.read()? {
        let entry = entry?;
        if since.is_some_and(|since| entry.at < since) {
            continue;
        }
        let Some(next) = Observed::of(&entry) else { continue };
        // What a tool comes to is recorded one by one; together it is one action.
        match &mut underway {
            Some(before) if before.belongs_with(&next) => before.join(next),
            _ => underway.replace(next).into_iter().for_each(|done| done.count(&mut tally)),
        }
    }
    if let Some(done) = underway {
        done.count(&mut tally);
    }
    Ok(tally)
}

/// An action, as far as it was recorded.
struct Observed {
    agent: Agent,
    call: String,
    digest: String,
    stance: Option<Stance>,
    stopped: Stopped,
}

impl Observed {
    fn of(entry: &Entry) -> Option<Self> {
        let body = &entry.body;
        let text = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        if body.get("observed") != Some(&Value::Bool(true)) {
            return None;
        }
        let session = text("session");
        let agent =
            Agent::ALL.iter().copied().filter(|agent| session.starts_with(&format!("{}-", agent.word())));
        let agent = agent.max_by_key(|agent| agent.word().len())?;
        let stance = match text("decision").as_str() {
            "allow" => None,
            "ask" => Some(Stance::Ask),
            _ => Some(Stance::Deny),
        };
        let action = body.get("action").and_then(Value::as_object);
        let (tool, what) = action
            .and_then(|action| action.iter().find(|(key, _)| *key != "language"))
            .map_or_else(Default::default, |(key, value)| {
                (key.clone(), value.as_str().unwrap_or_default().to_owned())
            });
        let findings = body.get("findings").and_then(Value::as_array).into_iter().flatten();
        let findings: Vec<_> =
            findings.filter_map(finding).filter(|finding| Some(finding.stance) == stance).collect();
        let stopped = Stopped {
            agent,
            session,
            at: Some(entry.at.to_string()),
            cwd: text("cwd"),
            tool,
            text: what,
            stance: stance.unwrap_or(Stance::Note),
            entries: findings.iter().map(|_| None).collect(),
            findings,
        };
        Some(Self { agent, call: text("call"), digest: text("digest"), stance, stopped })
    }

    fn belongs_with(&self, next: &Self) -> bool {
        !self.call.is_empty() && self.call == next.call && self.stopped.session == next.stopped.session
    }

    /// The strictest part decides.
    fn join(&mut self, next: Self) {
        if next.stance > self.stance {
            *self = next;
        }
    }

    fn count(self, tally: &mut Tally) {
        let Self { agent, digest, stance, stopped, .. } = self;
        tally.count(agent, &digest, stance, stopped);
    }
}

fn finding(value: &Value) -> Option<Finding> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let rule = rules::find(text("rule")?)?.name;
    let stance = if text("stance") == Some("deny") { Stance::Deny } else { Stance::Ask };
    let reason = text("reason").unwrap_or_default().to_owned();
    Some(Finding {
        rule,
        stance,
        gap: false,
        subject: None,
        invocation: None,
        span: None,
        reason,
        instead: None,
    })
}
