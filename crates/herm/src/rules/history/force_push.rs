//! Force pushes.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A push that overwrites what a remote branch holds.
pub static FORCE_PUSH: Rule = Rule {
    name: "force-push",
    title: "git force push (rewrites remote history)",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A push that overwrites what a remote branch holds.",
    matters: "Commits that others built on vanish from the remote, and nobody is warned.",
    instead: "Push with a lease, which refuses when the remote has moved.",
    suggestion: "git push --force-with-lease origin feature",
    examples: &[
        "git push --force origin main",
        "git push -f",
        "git push origin +feature",
        "git -C repo push --mirror",
        "git push origin +HEAD:refs/heads/main",
    ],
    near_misses: &[
        "git push origin feature",
        "git push --force-with-lease origin feature",
        "git push origin fix-f",
        "git push --dry-run --force origin main",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Rewrite, &["remote branch"]) {
        report.effect(effect, format!("overwrites {} on the other side", the("remote branch", name)));
    }
}
