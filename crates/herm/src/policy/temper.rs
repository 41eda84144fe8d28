//! What the policy makes of what the rules said.

use herm_shell::Flags;

use super::isolation::Kept;
use super::{Mode, Policy, Preset};
use crate::call::{Action, Call};
use crate::facts::Facts;
use crate::finding::{Finding, Stance};
use crate::rules::deletion::{BULK_DELETE, RECURSIVE_DELETE};
use crate::rules::gaps::{UNFOLLOWED_CODE, UNREAD_TEXT};
use crate::rules::infrastructure::container_lifecycle::CONTAINER_LIFECYCLE;
use crate::rules::infrastructure::destroy_container::DESTROY_CONTAINER;
use crate::rules::network::{BLOCKED_WEBSITE, UNLISTED_HOST};
use crate::rules::policy::ASKED_BY_USER;

impl Policy {
    /// How a finding stands under this policy. A refusal stays a refusal.
    pub(crate) fn temper(&self, finding: Finding, call: &Call, facts: &Facts) -> Finding {
        let raised = self.raised(&finding, call);
        let stance = match raised {
            Stance::Ask if self.allows(&finding, call, facts) => Stance::Note,
            Stance::Ask if self.runs_confined(&finding, call) => return confined(finding),
            Stance::Ask => match (self.spares(&finding, call), self.kept_inside(&finding, call, facts)) {
                (Some(why), _) => return spared(finding, why),
                (None, Some(kept)) => return untroubled(finding, kept),
                (None, None) if self.asks_nobody() => unasked(&finding),
                (None, None) => raised,
            },
            Stance::Deny | Stance::Note => raised,
        };
        Finding { stance, ..finding }
    }

    /// Whether what would be asked about is only noted.
    #[must_use]
    pub fn asks_nobody(&self) -> bool {
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

    /// Why what it is about stays behind the boundary, if it does. The strict preset asks all the same.
    fn kept_inside(&self, finding: &Finding, call: &Call, facts: &Facts) -> Option<Kept> {
        let (isolation, effect) = self.isolation.as_ref().zip(finding.subject.as_ref())?;
        // Only commands are run behind it; files that herm reads or changes itself are the ones that everybody has.
        let is_outside = !matches!(call.action, Action::Exec(_));
        let asks =
            is_outside || self.preset == Preset::Strict || finding.gap || self.is_reserved(finding, call);
        if asks { None } else { isolation.keeps(effect, facts) }
    }

    /// Whether the boundary takes care of what the code may do besides what was read. The strict preset asks all the same.
    fn runs_confined(&self, finding: &Finding, call: &Call) -> bool {
        finding.rule == UNFOLLOWED_CODE.name
            && self.isolation.is_some()
            && matches!(call.action, Action::Exec(_))
            && self.preset != Preset::Strict
            && !self.is_reserved(finding, call)
    }

    /// Why nothing is lost that is not there again, if that is so. The strict preset asks all the same.
    fn spares(&self, finding: &Finding, call: &Call) -> Option<&'static str> {
        let flags = finding.subject.as_ref().map(|effect| effect.flags)?;
        let spared = SPARED.iter().find(|(rules, fact, _)| flags.has(*fact) && rules.contains(&finding.rule));
        let asks = finding.gap || self.preset == Preset::Strict || self.is_reserved(finding, call);
        spared.filter(|_| !asks).map(|(_, _, why)| *why)
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

fn confined(finding: Finding) -> Finding {
    let reason = format!("{}, so it runs confined and unasked", finding.reason);
    Finding { stance: Stance::Note, reason, ..finding }
}

fn untroubled(finding: Finding, kept: Kept) -> Finding {
    let reason = format!("{}, {}", finding.reason, kept.words());
    Finding { stance: Stance::Note, reason, ..finding }
}

/// Rules that do not ask about what is there again, the fact by which it is, and how it comes back.
const SPARED: &[(&[&str], Flags, &str)] = &[
    (&[RECURSIVE_DELETE.name, BULK_DELETE.name], Flags::REGENERABLE, "which can be generated again"),
    (&[RECURSIVE_DELETE.name], Flags::ONE_FILE, "which is one file"),
    (
        &[CONTAINER_LIFECYCLE.name, DESTROY_CONTAINER.name],
        Flags::RESTORABLE,
        "which can be started again, with its volumes",
    ),
];

fn spared(finding: Finding, why: &str) -> Finding {
    Finding { stance: Stance::Note, reason: format!("{}, {why}", finding.reason), ..finding }
}

/// What becomes of a question that is not asked.
fn unasked(finding: &Finding) -> Stance {
    // A list that says where connections may go is a boundary, not a question, where nobody can be asked.
    let kept = [UNREAD_TEXT.name, UNLISTED_HOST.name, BLOCKED_WEBSITE.name];
    if kept.contains(&finding.rule) { Stance::Deny } else { Stance::Note }
}
