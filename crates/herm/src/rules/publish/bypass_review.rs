//! Merges past what protects a branch.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A merge that does not wait for the checks and reviews that protect a branch.
pub static BYPASS_REVIEW: Rule = Rule {
    name: "bypass-review",
    title: "merge past the protection of a branch",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A merge with an administrator's rights, or by the raw interface of a code host, which does not wait for checks and reviews.",
    matters: "Whoever protects the branch counts on somebody having looked.",
    instead: "Merge when everything that is required has passed.",
    suggestion: "gh pr merge 12 --auto --squash",
    examples: &[
        "gh pr merge 12 --admin --squash",
        "gh api -X PUT repos/owner/name/pulls/12/merge",
        "glab api -X PUT projects/7/merge_requests/3/merge",
    ],
    near_misses: &[
        "gh pr merge 12 --squash --delete-branch",
        "gh pr merge --auto",
        "gh api repos/owner/name/pulls/12/merge",
        "gh pr review 12 --comment -b text",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in
        of_kind(facts, Verb::Publish, &["review"]).filter(|(effect, _)| effect.flags.has(Flags::FORCE))
    {
        report.effect(effect, "merges without waiting for checks and reviews");
    }
}
