//! A connection to this machine or to a private network, by name or by address.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A connection to this machine or to a private network, by name or by address.
pub static PRIVATE_ADDRESS: Rule = Rule {
    name: "private-address",
    title: "connection into a private network",
    layer: Layer::Network,
    stance: Stance::Deny,
    finds: "A connection to this machine or to a private network, by name or by address.",
    matters: "Services there trust whoever can reach them.",
    instead: "Use a public address, or ask the operator to name the service under `egress.endpoints`.",
    suggestion: "",
    examples: &[
        "http://127.0.0.1:8080/admin",
        "http://[::ffff:10.0.0.1]/",
        "http://2130706433/",
        "http://localhost./",
        "http://router.lan/",
        "http://100.64.0.1/",
    ],
    near_misses: &[
        "https://example.com/127.0.0.1",
        "http://172.32.0.1/",
        "https://10minutemail.com/",
        "https://x.local-news.org/",
    ],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
