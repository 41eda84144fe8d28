//! Deleted tags.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A tag that is deleted, here or on the remote.
pub static DELETE_TAG: Rule = Rule {
    name: "delete-tag",
    title: "git tag delete",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A tag that is deleted, here or on the remote.",
    matters: "Releases are found by their tags; the commit behind one may be in no branch.",
    instead: "List the tag and note its commit first.",
    suggestion: "git show-ref --tags",
    examples: &["git tag -d v1.0", "git tag --delete v1.0 v1.1", "git push origin :refs/tags/v1.0"],
    near_misses: &["git tag v1.0", "git tag --list", "git show v1.0"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, &["tag"]) {
        report.effect(effect, format!("deletes {}", the("tag", name)));
    }
}
