//! Text that no program can be given, or that is far too long.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// Text that no program can be given, or that is far too long.
pub static MALFORMED_CALL: Rule = Rule {
    name: "malformed-call",
    title: "malformed call",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Text that no program can be given, or that is far too long.",
    matters: "What is checked would not be what runs.",
    instead: "Send plain text of a sensible length.",
    suggestion: "",
    examples: &["echo a\0b", "\0", "ls\0 -la"],
    near_misses: &["echo ok", r"printf '\0'", "ls -la"],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
