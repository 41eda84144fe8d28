//! Changes of files that a person wants to see first.

use herm::call::{Action, Call};
use herm::policy::Policy;
use herm::rules::consult::EDIT_APPROVAL;
use herm::{Finding, Stance};

use super::finding;

/// That files are changed, where somebody wants to see that first. Where nobody is asked, it is a note as ever.
pub(crate) fn objections(policy: &Policy, call: &Call) -> Vec<Finding> {
    let Action::Edit(edit) = &call.action else { return Vec::new() };
    if !policy.edit_approval {
        return Vec::new();
    }
    let stance = if policy.asks_nobody() { Stance::Note } else { EDIT_APPROVAL.stance };
    let paths: Vec<_> = edit.changes().iter().map(|change| format!("`{}`", change.path)).collect();
    let reason = format!("changes {}", paths.join(", "));
    vec![finding(&EDIT_APPROVAL, stance, reason, EDIT_APPROVAL.instead)]
}
