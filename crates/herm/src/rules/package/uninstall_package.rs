//! Removes packages.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static UNINSTALL_PACKAGE: Rule = Rule {
    name: "uninstall-package",
    title: "remove packages",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Removes packages.",
    matters: "Others may need them, and their settings may go with them.",
    instead: "See what depends on it.",
    suggestion: "dpkg -l",
    examples: &[
        "apt-get remove -y nginx",
        "sudo apt purge docker",
        "brew uninstall node",
        "pip uninstall -y requests",
        "dnf remove gcc",
        "pacman -Rns x",
    ],
    near_misses: &[
        "npm uninstall left-pad",
        "cargo remove serde",
        "apt list --installed",
        "pip list",
        "apt-get -s remove nginx",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Uninstall, "package") {
        report.effect(effect, format!("removes the package `{name}`"));
    }
}
