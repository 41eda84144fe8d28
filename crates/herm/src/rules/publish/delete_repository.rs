//! Deletions on code hosts.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A repository, or something of it, that is deleted on a code host.
pub static DELETE_REPOSITORY: Rule = Rule {
    name: "delete-repository",
    title: "delete from a code host",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A repository, or something of it, that is deleted on a code host.",
    matters: "Issues, reviews and forks hang on it; a host keeps no bin for it.",
    instead: "Archive it.",
    suggestion: "gh repo view owner/name",
    examples: &[
        "gh repo delete owner/name --yes",
        "gh api -X DELETE repos/owner/name",
        "glab repo delete owner/name",
        "gh issue delete 7",
    ],
    near_misses: &["gh repo view owner/name", "gh repo list", "gh api repos/owner/name", "gh issue close 7"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, &["repository"]) {
        report.effect(effect, format!("deletes {}", the("repository", name)));
    }
}
