//! What the policy makes of what the rules said.

use super::{Mode, Policy, Preset};
use crate::call::Call;
use crate::facts::Facts;
use crate::finding::{Finding, Stance};
use crate::rules::gaps::UNREAD_TEXT;
use crate::rules::network::{BLOCKED_WEBSITE, UNLISTED_HOST};
use crate::rules::policy::ASKED_BY_USER;

impl Policy {
    /// How a finding stands under this policy. A refusal stays a refusal.
    pub(crate) fn temper(&self, finding: Finding, call: &Call, facts: &Facts) -> Finding {
        let raised = self.raised(&finding, call);
        let stance = match raised {
            Stance::Ask if self.allows(&finding, call, facts) => Stance::Note,
            Stance::Ask if self.keeps_inside(&finding, call, facts) => return kept_inside(finding),
            Stance::Ask if self.asks_nobody() => unasked(&finding),
            Stance::Ask | Stance::Deny | Stance::Note => raised,
        };
        Finding { stance, ..finding }
    }

    fn asks_nobody(&self) -> bool {
        self.preset == Preset::Permissive || self.mode == Mode::Off
    }

    /// Never less than what the rule said.
    fn raised(&self, finding: &Finding, call: &Call) -> Stance {
        let named = |entries: &[super::Entry]| entries.iter().any(|entry| entry.names(finding, call));
        if named(&self.deny) {
            Stance::Deny
        } else if named(&self.ask) {
            finding.stance.max(Stance::Ask)
        } else {
            finding.stance
        }
    }

    /// Whether what it is about stays behind the boundary. The strict preset asks all the same.
    fn keeps_inside(&self, finding: &Finding, call: &Call, facts: &Facts) -> bool {
        let Some((isolation, effect)) = self.isolation.as_ref().zip(finding.subject.as_ref()) else {
            return false;
        };
        self.preset != Preset::Strict
            && !finding.gap
            && !self.is_reserved(finding, call)
            && isolation.keeps(effect, facts)
    }

    /// Whether only a person can answer it.
    fn is_reserved(&self, finding: &Finding, call: &Call) -> bool {
        [UNREAD_TEXT.name, ASKED_BY_USER.name].contains(&finding.rule)
            || self.ask.iter().any(|entry| entry.names(finding, call))
    }

    /// What could not be read at all cannot be covered, and neither can what the user wants to be asked about.
    fn allows(&self, finding: &Finding, call: &Call, facts: &Facts) -> bool {
        !self.is_reserved(finding, call) && self.allow.iter().any(|entry| entry.covers(finding, call, facts))
    }
}

fn kept_inside(finding: Finding) -> Finding {
    let reason = format!("{}, in its own copy only", finding.reason);
    Finding { stance: Stance::Note, reason, ..finding }
}

/// What becomes of a question that is not asked.
fn unasked(finding: &Finding) -> Stance {
    // A list that says where connections may go is a boundary, not a question, where nobody can be asked.
    let kept = [UNREAD_TEXT.name, UNLISTED_HOST.name, BLOCKED_WEBSITE.name];
    if kept.contains(&finding.rule) { Stance::Deny } else { Stance::Note }
}
