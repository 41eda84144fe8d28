//! A connection to a name for which no address could be found.

use crate::facts::Facts;
use crate::fetch::Resolved;
use crate::finding::Stance;
use crate::host::{Endpoint, Host};
use crate::rules::{Layer, Report, Rule};

/// A connection to a name for which no address could be found.
pub static UNRESOLVED_HOST: Rule = Rule {
    name: "unresolved-host",
    title: "host without an address",
    layer: Layer::Network,
    stance: Stance::Deny,
    finds: "A connection to a name for which no address could be found.",
    matters: "An address that is not known cannot be judged.",
    instead: "Look at the spelling of the host, and at whether names can be looked up here.",
    suggestion: "",
    examples: &["https://no-such-name.example/", "http://example.invalid/", "https://xn--r8jz45g.example/"],
    near_misses: &["https://93.184.216.34/", "http://[2606:4700:4700::1111]/", "file:///etc/hosts"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let (Some(fetch), Some(effect)) = (&facts.fetch, facts.effects().next()) else { return };
    let Ok(Endpoint { host: Host::Name(name), .. }) = fetch.to() else { return };
    if *fetch.lookup() != Resolved::Unasked && fetch.addresses().is_empty() {
        report.effect(effect, format!("`{name}` has no address"));
    }
}
