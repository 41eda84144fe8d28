//! Discarded changes.

use herm_shell::Verb;

use super::by_reset;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A checkout, restore, switch or forced removal of a work tree that throws away changes that are not committed.
pub static DISCARD_CHANGES: Rule = Rule {
    name: "discard-changes",
    title: "discard uncommitted changes",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A checkout, restore, switch or forced removal of a work tree that throws away changes that are not committed.",
    matters: "What no commit holds cannot be had back.",
    instead: "Put the changes aside first, or look at them.",
    suggestion: "git stash push --include-untracked",
    examples: &[
        "git checkout -- .",
        "git checkout .",
        "git checkout HEAD src/main.rs",
        "git checkout -f main",
        "git restore src",
        "git switch --discard-changes main",
        "git worktree remove --force ../wt",
    ],
    near_misses: &[
        "git checkout main",
        "git checkout -b feature",
        "git restore --staged .",
        "git switch -c feature",
        "git worktree remove ../wt",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in
        of_kind(facts, Verb::Discard, &["work tree"]).filter(|(effect, _)| !by_reset(facts, effect))
    {
        let what = if name.is_empty() { "every file".to_owned() } else { format!("`{name}`") };
        report.effect(effect, format!("throws away changes to {what} that are not committed"));
    }
}
