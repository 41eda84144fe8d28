//! Pushes to protected branches.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A push straight to a branch that is protected by custom: main, master, release.
pub static PUSH_TO_PROTECTED_BRANCH: Rule = Rule {
    name: "push-to-protected-branch",
    title: "git push to a protected branch",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A push straight to a branch that is protected by custom: main, master, release.",
    matters: "It goes live, or to everyone, without a review.",
    instead: "Push a branch and open a pull request.",
    suggestion: "git push -u origin my-change",
    examples: &[
        "git push origin main",
        "git push origin HEAD:master",
        "git push origin refs/heads/main",
        "git push --force-with-lease origin feature:main",
    ],
    near_misses: &["git push", "git push origin feature", "git push origin mainline", "git pull origin main"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Publish, &["remote branch"])
        .filter(|(effect, _)| effect.flags.has(Flags::PROTECTED_BRANCH))
    {
        report.effect(effect, format!("pushes straight to `{name}`"));
    }
}
