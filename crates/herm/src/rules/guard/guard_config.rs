//! Changed configuration.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A change to the configuration of the guard or of an agent.
pub static GUARD_CONFIG: Rule = Rule {
    name: "guard-config",
    title: "change agent or guard configuration",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A change to the configuration of the guard or of an agent.",
    matters: "It decides what runs unasked from now on.",
    instead: "Ask a person to change it.",
    suggestion: "hermes config show",
    examples: &[
        "hermes config set model x",
        "herm config set preset permissive",
        "claude mcp add x -- node server.js",
        "hermes plugins install x",
    ],
    near_misses: &["hermes config show", "herm config", "claude --help", "hermes doctor"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Configure, &["guard"]) {
        report.effect(effect, format!("changes the configuration of `{}`", effect.by));
    }
}
