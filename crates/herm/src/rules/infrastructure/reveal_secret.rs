//! Printed secrets.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A token, password or key that a client prints out of its store.
pub static REVEAL_SECRET: Rule = Rule {
    name: "reveal-secret",
    title: "print a stored secret",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A token, password or key that a client prints out of its store.",
    matters: "What is printed ends up in the conversation and in logs.",
    instead: "Let the tool use the secret without showing it.",
    suggestion: "gh auth status",
    examples: &[
        "gh auth token",
        "aws secretsmanager get-secret-value --secret-id db",
        "kubectl get secret db -o yaml",
        "vault kv get secret/db",
        "gcloud auth print-access-token",
        "python3 -c 'import keyboard; keyboard.on_press(print)'",
    ],
    near_misses: &[
        "gh auth status",
        "kubectl get secrets",
        "aws secretsmanager list-secrets",
        "gh secret list",
        "kubectl describe secret db",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Read, &["secret"]) {
        report.effect(effect, format!("prints {}", the("secret", name)));
    }
}
