//! Published releases.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A release that is made public or changed.
pub static PUBLISH_RELEASE: Rule = Rule {
    name: "publish-release",
    title: "publish a release",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A release that is made public or changed.",
    matters: "People are told of it and download it at once.",
    instead: "Prepare it, and let a person publish it.",
    suggestion: "gh release list",
    examples: &[
        "gh release create v1.0",
        "gh release upload v1.0 app.tar.gz --clobber",
        "glab release create v1.0",
    ],
    near_misses: &["gh release list", "gh release view v1.0", "gh release download v1.0"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Publish, &["release"]) {
        report.effect(effect, format!("publishes {}", the("release", name)));
    }
}
