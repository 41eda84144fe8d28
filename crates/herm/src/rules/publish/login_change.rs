//! Changed credentials.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A login, logout, token or owner of a service that is changed.
pub static LOGIN_CHANGE: Rule = Rule {
    name: "login-change",
    title: "change credentials of a service",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A login, logout, token or owner of a service that is changed.",
    matters: "It decides in whose name everything after it happens.",
    instead: "Ask who is logged in.",
    suggestion: "npm whoami",
    examples: &[
        "npm login",
        "gh auth login",
        "docker login registry.example",
        "cargo owner --add someone crate",
        "gcloud auth revoke",
        "npm token create",
    ],
    near_misses: &["npm whoami", "gh auth status", "docker info", "cargo owner --list crate"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Login, &["account"]) {
        report.effect(effect, format!("changes whom `{}` acts for", effect.by));
    }
}
