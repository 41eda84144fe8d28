//! Dropped stashes.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A stash that is dropped, or all of them.
pub static STASH_DROP: Rule = Rule {
    name: "stash-drop",
    title: "drop git stash",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A stash that is dropped, or all of them.",
    matters: "A stash often is the only place where unfinished work lies.",
    instead: "Look at the stash first, or turn it into a branch.",
    suggestion: "git stash show -p",
    examples: &["git stash drop", "git stash drop stash@{1}", "git stash clear", "git -C repo stash clear"],
    near_misses: &["git stash", "git stash list", "git stash pop", "git stash show"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, &["stash"]) {
        let what = if effect.flags.has(Flags::ALL) { "every stash".to_owned() } else { the("stash", name) };
        report.effect(effect, format!("drops {what}"));
    }
}
