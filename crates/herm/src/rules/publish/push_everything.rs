//! Pushes of everything.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A push of every branch, or of the whole repository.
pub static PUSH_EVERYTHING: Rule = Rule {
    name: "push-everything",
    title: "git push of every branch",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A push of every branch, or of the whole repository.",
    matters: "Unfinished branches, and secrets in them, leave the machine.",
    instead: "Push the branch that is meant.",
    suggestion: "git push origin my-change",
    examples: &["git push --all origin", "git push x --all", "git push --mirror backup"],
    near_misses: &["git push origin my-change", "git push origin v1.x --tags", "git fetch --all"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in
        of_kind(facts, Verb::Publish, &["remote branch"]).filter(|(effect, _)| effect.flags.has(Flags::ALL))
    {
        report.effect(effect, "pushes every branch of the repository");
    }
}
