//! Takes a network interface down, or changes addresses or routes.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static CHANGE_INTERFACE: Rule = Rule {
    name: "change-interface",
    title: "change a network interface or route",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Takes a network interface down, or changes addresses or routes.",
    matters: "The machine may be cut off, from the agent's own connection too.",
    instead: "Show it first.",
    suggestion: "ip link show",
    examples: &[
        "ip link set eth0 down",
        "ifconfig eth0 down",
        "ip route flush table main",
        "route del default",
        "nmcli networking off",
        "networksetup -setdnsservers Wi-Fi 203.0.113.6",
    ],
    near_misses: &["ip -brief link", "ip addr show", "ifconfig eth0", "ip route", "nmcli device status"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Configure, "interface") {
        report.effect(effect, format!("changes the network (`{name}`)"));
    }
}
