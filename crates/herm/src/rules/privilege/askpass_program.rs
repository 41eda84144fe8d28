//! A program that answers for the person.

use herm_shell::Flags;

use super::escalations;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// A password that a program answers instead of a person.
pub static ASKPASS_PROGRAM: Rule = Rule {
    name: "askpass-program",
    title: "sudo password from a helper program",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "`sudo -A`: the password comes from a helper program.",
    matters: "The helper can hold a stored password, so that nobody is asked any more.",
    instead: "Let the person type the password, or allow the command in sudoers.",
    suggestion: "sudo -n true",
    examples: &["sudo -A id", "SUDO_ASKPASS=./pw sudo --askpass true", "sudo -nA whoami"],
    near_misses: &["sudo -n true", "sudo grep -A 3 error /var/log/syslog", "sudo docker ps -a"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in escalations(facts, Flags::HOOK) {
        report.effect(effect, "takes the password for sudo from a program");
    }
}
