//! What is said after the judgement, by those who are consulted: earlier answers, the operator's hooks, tirith; and by whoever asks.

mod agent_asks;
mod denied_before;
mod edit_approval;
mod edit_lever;
mod edit_outside;
mod hook_objection;
mod tirith_finding;
mod unseen_edit;
mod weaker_sandbox;

pub use agent_asks::AGENT_ASKS;
pub use denied_before::DENIED_BEFORE;
pub use edit_approval::EDIT_APPROVAL;
pub use edit_lever::EDIT_LEVER;
pub use edit_outside::EDIT_OUTSIDE;
pub use hook_objection::HOOK_OBJECTION;
pub use tirith_finding::TIRITH_FINDING;
pub use unseen_edit::UNSEEN_EDIT;
pub use weaker_sandbox::WEAKER_SANDBOX;

use super::Report;
use crate::facts::Facts;

/// Whoever is consulted looks for this; facts alone do not tell.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
