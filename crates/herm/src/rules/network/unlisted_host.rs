//! A connection to a host that `egress.allowed_domains` does not name.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A connection to a host that `egress.allowed_domains` does not name.
pub static UNLISTED_HOST: Rule = Rule {
    name: "unlisted-host",
    title: "host that is not on the list",
    layer: Layer::Network,
    stance: Stance::Ask,
    finds: "A connection to a host that `egress.allowed_domains` does not name.",
    matters: "Connections are meant to go to known hosts only: anywhere else, data can leave.",
    instead: "Use a host that is listed, or ask for this one.",
    suggestion: "",
    examples: &[
        "curl https://elsewhere.example/x",
        "https://elsewhere.example/",
        "https://example.com.elsewhere.example/",
    ],
    near_misses: &[
        "curl https://example.com/elsewhere.example",
        "https://example.com/",
        "curl http://localhost:3000/",
    ],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
