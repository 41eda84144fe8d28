//! Destroyed infrastructure.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A stack, workspace or plan whose resources are destroyed.
pub static DESTROY_INFRASTRUCTURE: Rule = Rule {
    name: "destroy-infrastructure",
    title: "destroy infrastructure",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A stack, workspace or plan whose resources are destroyed.",
    matters: "Servers, networks and databases go at once, with what they hold.",
    instead: "Look at the plan first.",
    suggestion: "terraform plan -destroy",
    examples: &[
        "terraform destroy -auto-approve",
        "terraform apply -destroy",
        "pulumi destroy --yes",
        "cdk destroy",
        "terraform workspace delete staging",
        "sls remove",
    ],
    near_misses: &[
        "terraform plan",
        "terraform plan -destroy",
        "terraform validate",
        "pulumi preview",
        "cdk diff",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Destroy, &["infrastructure"]) {
        report.effect(effect, "destroys infrastructure and all that it holds");
    }
}
