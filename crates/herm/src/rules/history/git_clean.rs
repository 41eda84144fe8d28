//! Cleaned work trees.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A clean that deletes files which git does not track.
pub static GIT_CLEAN: Rule = Rule {
    name: "git-clean",
    title: "git clean with force (deletes untracked files)",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A clean that deletes files which git does not track.",
    matters: "Untracked files are in no commit: new work, local settings and data are gone.",
    instead: "Look first at what would go.",
    suggestion: "git clean -nd",
    examples: &["git clean -fd", "git clean -xdf", "git -C repo clean --force", "git clean -ffdx"],
    near_misses: &["git clean -n", "git clean -nfd", "git clean --dry-run", "git status --ignored"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Destroy, &["untracked files"]) {
        report.effect(effect, "deletes files that no commit holds");
    }
}
