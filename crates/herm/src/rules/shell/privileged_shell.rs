//! A shell with another user's rights.

use super::opens_shell;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// An interactive shell or interpreter with another user's rights.
pub static PRIVILEGED_SHELL: Rule = Rule {
    name: "privileged-shell",
    title: "interactive shell with elevated rights",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A shell or interpreter that waits for commands with another user's rights, started directly or through another program.",
    matters: "Nothing that is typed into it later can be judged beforehand, and it may do anything.",
    instead: "Run the one command that needs the rights with sudo.",
    suggestion: "sudo systemctl status nginx",
    examples: &[
        "sudo -s",
        "sudo su -",
        "sudo bash",
        "doas -u root /bin/sh",
        "sudo find . -exec /bin/sh \\; -quit",
        "sudo nice /bin/sh",
        "su",
    ],
    near_misses: &[
        "sudo systemctl status nginx",
        "sudo bash scripts/setup.sh",
        "sudo -u postgres psql -c 'select 1'",
        "sudo -l",
        "bash",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| opens_shell(effect) && effect.privileged) {
        report.effect(effect, format!("opens a shell with another user's rights through `{}`", effect.by));
    }
}
