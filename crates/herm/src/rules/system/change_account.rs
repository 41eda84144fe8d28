//! Adds, changes or removes an account, a group or a password.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static CHANGE_ACCOUNT: Rule = Rule {
    name: "change-account",
    title: "change an account",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Adds, changes or removes an account, a group or a password.",
    matters: "It decides who may use the machine, and with which rights.",
    instead: "Look at the account; let a person change it.",
    suggestion: "id alice",
    examples: &[
        "useradd -m -u 0 -o x",
        "usermod -aG sudo me",
        "passwd -d root",
        "userdel -r alice",
        "visudo -f /etc/sudoers.d/x",
    ],
    near_misses: &["id alice", "getent passwd alice", "groups", "passwd -S alice", "visudo -c"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Account, "account") {
        report.effect(effect, format!("changes the account `{name}`"));
    }
}
