//! Edited state.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// The record of what exists, changed or unlocked by hand.
pub static INFRASTRUCTURE_STATE: Rule = Rule {
    name: "infrastructure-state",
    title: "edit infrastructure state",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "The record of what exists, changed or unlocked by hand.",
    matters: "What is no longer recorded is no longer managed; the next run may make it twice or destroy it.",
    instead: "Look at the state first, and keep a copy.",
    suggestion: "terraform state list",
    examples: &[
        "terraform state rm aws_instance.web",
        "terraform state push errored.tfstate",
        "terraform force-unlock -force 1234",
        "pulumi state delete urn",
    ],
    near_misses: &[
        "terraform state list",
        "terraform state show aws_instance.web",
        "terraform state pull",
        "terraform show",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Rewrite, &["infrastructure"]) {
        report.effect(effect, "changes the record of what exists by hand");
    }
}
