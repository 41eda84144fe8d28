//! Lost ways back.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// Commands that remove what git keeps to find lost commits again.
pub static REFLOG_EXPIRE: Rule = Rule {
    name: "reflog-expire",
    title: "expire git reflog",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Commands that remove what git keeps to find lost commits again.",
    matters: "Reflogs and unreachable commits are the only way back after a mistake.",
    instead: "Let git expire them in its own time.",
    suggestion: "git reflog",
    examples: &[
        "git reflog expire --expire=now --all",
        "git reflog delete HEAD@{2}",
        "git gc --prune=now",
        "git prune",
    ],
    near_misses: &["git reflog", "git gc", "git gc --aggressive", "git prune --dry-run"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Destroy, &["history", "reflog"]) {
        report.effect(effect, "removes what lost commits could be found with");
    }
}
