//! What is asked about.

use herm::call::{Action, Call};
use herm_store::Digest;

/// What is asked about, as it is shown. Secrets are taken out of it.
#[derive(Clone, Debug, Default)]
pub struct Matter {
    /// Each thing that would be done: a word for it, and the very text.
    pub deeds: Vec<(&'static str, String)>,
    /// Where.
    pub cwd: String,
    /// Why it is asked: the rules, and what they mind.
    pub reasons: Vec<(String, String)>,
    /// What would come of it, each once.
    pub effects: Vec<String>,
    /// What the agent calls it.
    pub title: Option<String>,
    /// Whether it is told well enough to know what is said yes to.
    pub is_clear: bool,
    /// What was judged to show it.
    pub judged: Vec<Digest>,
}

impl Matter {
    /// What these calls would do.
    pub(super) fn of(calls: &[Call], redact: &dyn Fn(&str) -> String) -> Self {
        let deed = |call: &Call| (word(&call.action), redact(call.action.text()));
        let mut deeds: Vec<_> = Vec::new();
        for one in calls.iter().map(deed) {
            if !deeds.contains(&one) {
                deeds.push(one);
            }
        }
        let cwd = calls.first().map(|call| call.cwd.to_string()).unwrap_or_default();
        Self { deeds, cwd, is_clear: true, ..Self::default() }
    }
}

const fn word(action: &Action) -> &'static str {
    match action {
        Action::Edit(_) => "edit",
        Action::Exec(_) => "run",
        Action::Fetch(_) => "fetch",
        Action::Read(_) => "read",
        Action::Tool(_) => "tool",
        Action::Write(_) => "write",
    }
}
