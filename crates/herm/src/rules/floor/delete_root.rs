//! Deletes or moves away the root directory, or everything in it.

use herm_shell::Places;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::deletes_whole;

pub(crate) static DELETE_ROOT: Rule = Rule {
    name: "delete-root",
    title: "recursive delete of the root directory",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Deletes or moves away the root directory, or everything in it.",
    matters: "Nothing on the machine survives it.",
    instead: "Name the directory that is really meant.",
    suggestion: "ls /",
    examples: &[
        "rm -rf /",
        "rm -rf /*",
        "find / -delete",
        "cd / && rm -rf *",
        "mv /* /tmp/old",
        "find / -type f -exec shred -u {} +",
    ],
    near_misses: &["rm -rf /tmp/build", "echo 'rm -rf /'", "grep -rn 'rm -rf /' docs", "find / -name core"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in deletes_whole(facts, Places::ROOT) {
        report.effect(
            effect,
            format!("{} everything on the machine (`{}`)", crate::rules::subject::taking(effect), path.shown),
        );
    }
}
