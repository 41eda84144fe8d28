//! A connection to a host on the list of blocked websites.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A connection to a host on the list of blocked websites.
pub static BLOCKED_WEBSITE: Rule = Rule {
    name: "blocked-website",
    title: "website that is blocked",
    layer: Layer::Network,
    stance: Stance::Deny,
    finds: "A connection to a host on the list of blocked websites.",
    matters: "Someone decided that nothing may connect there.",
    instead: "Use another source, or ask the person who keeps the list.",
    suggestion: "",
    examples: &[
        "curl https://blocked.example/x",
        "https://www.blocked.example/",
        "git clone https://code.blocked.example/a/b",
    ],
    near_misses: &[
        "curl https://example.com/blocked.example",
        "https://notblocked.example/",
        "echo blocked.example",
    ],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
