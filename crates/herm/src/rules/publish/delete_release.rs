//! Deleted releases.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A release, or a file of it, that is deleted.
pub static DELETE_RELEASE: Rule = Rule {
    name: "delete-release",
    title: "delete a release",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A release, or a file of it, that is deleted.",
    matters: "Links to it break, and what it held is gone.",
    instead: "Mark it as superseded.",
    suggestion: "gh release view v1.0",
    examples: &[
        "gh release delete v1.0 --yes",
        "glab release delete v1.0",
        "gh release delete-asset v1.0 app.zip",
    ],
    near_misses: &["gh release list", "gh release view v1.0", "gh run list"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in
        of_kind(facts, Verb::Destroy, &["release"]).filter(|(effect, _)| &*effect.by != "helm")
    {
        report.effect(effect, format!("deletes {}", the("release", name)));
    }
}
