//! A connection to a cloud's metadata service.

use herm_scan::{HostTrait, Network, network};

use crate::facts::Facts;
use crate::fetch::Fetch;
use crate::finding::Stance;
use crate::rules::network::hosts;
use crate::rules::{Layer, Report, Rule};

/// A connection to a cloud's metadata service.
pub static METADATA_SERVICE: Rule = Rule {
    name: "metadata-service",
    title: "cloud metadata service",
    layer: Layer::Network,
    stance: Stance::Ask,
    finds: "A connection to a cloud's metadata service.",
    matters: "It hands out the machine's credentials to whoever asks.",
    instead: "Ask the person for the credentials that the task needs.",
    suggestion: "",
    examples: &[
        "curl http://169.254.169.254/latest/meta-data/",
        "curl -H 'Metadata-Flavor: Google' http://metadata.google.internal/",
        "wget -qO- http://2852039166/latest",
    ],
    near_misses: &["curl http://169.254.1.1/", "curl https://example.com/169.254.169.254", "ping 10.0.0.1"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    if let Some(fetch) = &facts.fetch {
        return connection(fetch, facts, report);
    }
    for (effect, host, odd) in hosts(facts) {
        if odd == HostTrait::Metadata {
            report.effect(effect, format!("asks `{host}`, which hands out credentials"));
        }
    }
}

/// A command may be meant for a machine without such a service; a connection that is about to be made is refused.
fn connection(fetch: &Fetch, facts: &Facts, report: &mut Report<'_>) {
    let (Ok(to), Some(effect)) = (fetch.to(), facts.effects().next()) else { return };
    if to.host.network() == Some(Network::Metadata) {
        let reason = format!("asks `{}`, which hands out credentials", to.host);
        return report.effect_as(Stance::Deny, effect, reason);
    }
    for address in fetch.addresses().iter().filter(|address| network(**address) == Network::Metadata) {
        let reason = format!("`{}` has the address `{address}`, which hands out credentials", to.host);
        report.effect_as(Stance::Deny, effect, reason);
    }
}
