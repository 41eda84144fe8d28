//! A command with another user's rights, in the strict preset.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// A command with another user's rights, in the strict preset.
pub static STRICT_PRIVILEGE: Rule = Rule {
    name: "strict-privilege",
    title: "privilege escalation",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "A command with another user's rights, in the strict preset.",
    matters: "Those rights are not the agent's.",
    instead: "Do it without, or leave it to a person.",
    suggestion: "",
    examples: &["sudo ls", "su root", "doas ls"],
    near_misses: &["echo sudo", "man sudo", "ls"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "gains another user's rights");
    }
}

const INTENTS: &[(&str, &[&str])] =
    &[("sudo", &[]), ("su", &[]), ("doas", &[]), ("runas", &[]), ("pkexec", &[])];
