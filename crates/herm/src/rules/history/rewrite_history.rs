//! Rewritten histories.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// Commands that rewrite every commit of a repository.
pub static REWRITE_HISTORY: Rule = Rule {
    name: "rewrite-history",
    title: "rewrite git history",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Commands that rewrite every commit of a repository.",
    matters: "All commits get new names: clones no longer match, and what was filtered out is gone.",
    instead: "Work on a fresh clone, and keep the old one.",
    suggestion: "git log --oneline -20",
    examples: &[
        "git filter-branch --tree-filter 'rm -f x' HEAD",
        "git filter-repo --path x --invert-paths",
        "git rebase --root",
        "bfg --delete-files id_rsa",
    ],
    near_misses: &[
        "git rebase main",
        "git rebase -i HEAD~3",
        "git commit --amend",
        "git filter-repo --analyze",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Rewrite, &["history"]) {
        report.effect(effect, "rewrites the commits of the whole repository");
    }
}
