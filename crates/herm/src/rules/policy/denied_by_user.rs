//! What an entry of `approvals.deny` matches.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// What an entry of `approvals.deny` matches.
pub static DENIED_BY_USER: Rule = Rule {
    name: "denied-by-user",
    title: "denied by your own rule",
    layer: Layer::User,
    stance: Stance::Deny,
    finds: "What an entry of `approvals.deny` matches.",
    matters: "Someone decided that it must not happen.",
    instead: "Ask the person who keeps the configuration.",
    suggestion: "",
    examples: &["sudo ls", "/usr/bin/sudo ls", "bash -c 'sudo ls'"],
    near_misses: &["echo sudo ls", "ls sudo", "man sudo"],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
