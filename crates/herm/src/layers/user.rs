//! What the user's own rules say.

use super::Layer;
use crate::call::Call;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::policy::Policy;
use crate::policy::entry::Entry;
use crate::rules::policy::{ASKED_BY_USER, DENIED_BY_USER};
use crate::rules::{Report, Rule};

/// `approvals.deny` and `approvals.ask`.
#[derive(Debug)]
pub(crate) struct UserRules;

impl Layer for UserRules {
    fn judge(&self, call: &Call, facts: &Facts, policy: &Policy) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (rule, entries) in [(&DENIED_BY_USER, &policy.deny), (&ASKED_BY_USER, &policy.ask)] {
            for entry in entries {
                apply(rule, entry, call, facts, &mut findings);
            }
        }
        findings
    }
}

/// Says once where an entry matches: the first effect or invocation is enough.
fn apply(rule: &'static Rule, entry: &Entry, call: &Call, facts: &Facts, findings: &mut Vec<Finding>) {
    let reason = format!("matches your rule `{}`", entry.written());
    let mut report = Report::new(rule, findings);
    if let Some(effect) = entry.effect(call, facts) {
        report.effect(effect, reason);
    } else if let Some(invocation) = entry.invocation(facts) {
        report.invocation(facts, invocation, reason);
    } else if entry.text(call) {
        report.call(reason);
    }
}
