//! What an entry of `approvals.ask` matches.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// What an entry of `approvals.ask` matches.
pub static ASKED_BY_USER: Rule = Rule {
    name: "asked-by-user",
    title: "asked by your own rule",
    layer: Layer::User,
    stance: Stance::Ask,
    finds: "What an entry of `approvals.ask` matches.",
    matters: "Someone decided to be asked about it.",
    instead: "Say what it is for when you ask.",
    suggestion: "",
    examples: &["sudo ls", "/usr/bin/sudo ls", "bash -c 'sudo ls'"],
    near_misses: &["echo sudo ls", "ls sudo", "man sudo"],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
