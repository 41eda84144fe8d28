//! A write outside the directory that writing is confined to.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A write outside the directory that writing is confined to.
pub static OUTSIDE_SAFE_ROOT: Rule = Rule {
    name: "outside-safe-root",
    title: "write outside the safe root",
    layer: Layer::Files,
    stance: Stance::Deny,
    finds: "A write outside the directory that writing is confined to.",
    matters: "The safe root is the promise that nothing else changes.",
    instead: "Write below the safe root.",
    suggestion: "",
    examples: &["touch ../other/file", "echo x > /srv/file", "cp a ~/elsewhere", "echo x > /tmp/file"],
    near_misses: &["touch file", "echo x > /dev/null", "cp a sub/b", "cat ../other/file"],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
