//! Stepping into the machine's own namespaces.

use herm_shell::Flags;

use super::escalations;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// Entering the namespaces of the first process.
pub static ENTER_HOST: Rule = Rule {
    name: "enter-host",
    title: "enter the host's namespaces",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "`nsenter` into the namespaces of process 1.",
    matters: "From inside a container this is the way out; what follows happens on the machine itself.",
    instead: "Run the command on the machine, where it can be judged as such.",
    suggestion: "",
    examples: &[
        "nsenter -t 1 -a sh",
        "nsenter --target 1 --mount --pid ls /",
        "sudo nsenter -t 1 -m -u -i -n -p -- id",
    ],
    near_misses: &["nsenter -t 4242 -n ip addr", "nsenter --help", "unshare -r id"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in escalations(facts, Flags::HOST_ACCESS) {
        report.effect(effect, "enters the machine's own namespaces");
    }
}
