//! Hard resets.

use herm_shell::Verb;

use super::by_reset;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A reset that throws away all changes that are not committed.
pub static RESET_HARD: Rule = Rule {
    name: "git-reset-hard",
    title: "git reset --hard (destroys uncommitted changes)",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A reset that throws away all changes that are not committed.",
    matters: "What no commit holds cannot be had back.",
    instead: "Put the changes aside first.",
    suggestion: "git stash push --include-untracked",
    examples: &[
        "git reset --hard",
        "git reset --hard HEAD~3",
        "git -C repo reset -q --hard",
        "git reset --merge",
    ],
    near_misses: &[
        "git reset",
        "git reset --soft HEAD~1",
        "git reset HEAD file.txt",
        "echo git reset --hard",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in
        of_kind(facts, Verb::Discard, &["work tree"]).filter(|(effect, _)| by_reset(facts, effect))
    {
        report.effect(effect, "throws away every change that is not committed");
    }
}
