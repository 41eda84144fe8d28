//! Flushes, disables or changes the firewall.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static FIREWALL_CHANGE: Rule = Rule {
    name: "firewall-change",
    title: "change the firewall",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Flushes, disables or changes the firewall.",
    matters: "The machine may lie open, or cut off from those who look after it.",
    instead: "List the rules; let a person change them.",
    suggestion: "iptables -L",
    examples: &[
        "iptables -F",
        "sudo ufw disable",
        "nft flush ruleset",
        "iptables -P INPUT ACCEPT",
        "firewall-cmd --add-port=22/tcp",
    ],
    near_misses: &["iptables -L", "ufw status", "nft list ruleset", "firewall-cmd --list-all", "iptables -S"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in things(facts, Verb::Disable, "firewall") {
        report.effect(effect, "takes the firewall's rules away");
    }
    for (effect, _) in things(facts, Verb::Configure, "firewall") {
        report.effect(effect, "changes the firewall's rules");
    }
}
