//! Passwords fed to sudo.

use herm_shell::Flags;

use super::escalations;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// A password given to sudo on standard input.
pub static PASSWORD_ON_STDIN: Rule = Rule {
    name: "password-on-stdin",
    title: "sudo password on standard input",
    layer: Layer::Command,
    stance: Stance::Deny,
    finds: "`sudo -S`, in any bundle or spelling: sudo takes its password from standard input.",
    matters: "A password in a command is a guess or a leak; with it an agent gives itself rights that nobody gave it.",
    instead: "Ask the person to run the command, or to allow it in sudoers without a password.",
    suggestion: "sudo -n true",
    examples: &["echo hunter2 | sudo -S id", "sudo -kS true < pw.txt", "sudo --stdin apt-get update"],
    near_misses: &["sudo -n true", "sudo -u deploy ls", "sudo sort -S 1M names.txt"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in escalations(facts, Flags::PASSWORD) {
        report.effect(effect, "feeds a password to sudo");
    }
}
