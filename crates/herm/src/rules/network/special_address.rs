//! A connection to an address that is kept for documents, measurements, protocols or many machines at once.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A connection to an address that is kept for documents, measurements, protocols or many machines at once.
pub static SPECIAL_ADDRESS: Rule = Rule {
    name: "special-address",
    title: "address that no website has",
    layer: Layer::Network,
    stance: Stance::Deny,
    finds: "A connection to an address that is kept for documents, measurements, protocols or many machines at once.",
    matters: "No website lives there; what does is part of the network itself.",
    instead: "Use the name of the host.",
    suggestion: "",
    examples: &["http://224.0.0.1/", "http://[2001:db8::1]/", "http://198.18.0.1/", "http://240.0.0.1/"],
    near_misses: &["http://223.255.255.255/", "http://[2606:4700:4700::1111]/", "http://198.17.0.1/"],
    judge,
};

/// A layer of its own looks for this, because it needs the policy.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
