//! A no that is remembered.

use super::Deed;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::rules::Report;
use crate::rules::consult::DENIED_BEFORE;

/// A no that is remembered for the rest of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// What was refused, however it is spelt.
    pub deeds: Vec<Deed>,
    /// The digest of what was refused.
    pub action: String,
    /// The command, as it was shown.
    pub shown: String,
}

impl Denial {
    /// A no to these findings of an action.
    #[must_use]
    pub fn of(findings: &[Finding], action: &str, shown: &str) -> Self {
        let mut deeds: Vec<Deed> = Vec::new();
        for deed in findings.iter().filter_map(|finding| finding.subject.as_ref()).filter_map(Deed::of) {
            if !deeds.contains(&deed) {
                deeds.push(deed);
            }
        }
        Self { deeds, action: action.to_owned(), shown: shown.to_owned() }
    }

    /// What it has to say about another action: nothing, unless that does the same.
    #[must_use]
    pub fn objections(&self, facts: &Facts, action: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut report = Report::new(&DENIED_BEFORE, &mut findings);
        let reason = format!("does what was denied before in this session: `{}`", self.shown);
        let done =
            facts.shell.effects.iter().find(|effect| self.deeds.iter().any(|deed| deed.happens_in(effect)));
        match done {
            Some(effect) => report.effect(effect, reason),
            None if self.action == action => report.call(reason),
            None => {}
        }
        findings
    }
}
