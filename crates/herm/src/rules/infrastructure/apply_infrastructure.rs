//! Unattended changes to infrastructure.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A change to infrastructure that is applied without anyone seeing the plan.
pub static APPLY_INFRASTRUCTURE: Rule = Rule {
    name: "apply-unattended",
    title: "apply infrastructure changes unattended",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A change to infrastructure that is applied without anyone seeing the plan.",
    matters: "A plan may replace a database; nobody would see it before it happens.",
    instead: "Save the plan, show it, and apply exactly that.",
    suggestion: "terraform plan -out=tfplan",
    examples: &[
        "terraform apply -auto-approve",
        "terraform apply -var='x=y' -auto-approve",
        "pulumi up --yes",
        "echo yes | terraform apply",
    ],
    near_misses: &[
        "terraform plan -out=tfplan",
        "terraform apply",
        "pulumi preview",
        "terraform fmt -recursive",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Publish, &["infrastructure"]) {
        report.effect(effect, "applies changes to infrastructure without showing the plan");
    }
}
