//! Deleted branches.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A branch that is deleted although its commits may be in no other, here or on the remote.
pub static DELETE_BRANCH: Rule = Rule {
    name: "delete-branch",
    title: "git branch force delete",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A branch that is deleted although its commits may be in no other, here or on the remote.",
    matters: "Commits that only this branch held are hard to find again.",
    instead: "Delete with `-d`, which refuses when commits would be lost.",
    suggestion: "git branch -d merged-branch",
    examples: &[
        "git branch -D feature",
        "git branch --delete --force feature",
        "git push origin --delete feature",
        "git push origin :feature",
        "git update-ref -d refs/heads/feature",
        "git fetch origin '+refs/heads/*:refs/heads/*'",
    ],
    near_misses: &[
        "git branch -d merged",
        "git branch -m old new",
        "git branch --list",
        "git push origin feature",
        "git fetch origin main:main",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, &["branch", "remote branch"]) {
        let here = kind(effect);
        report.effect(effect, format!("deletes {}, merged or not", the(here, name)));
    }
}
