//! Withdrawn packages.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A published package that is withdrawn.
pub static UNPUBLISH_PACKAGE: Rule = Rule {
    name: "unpublish-package",
    title: "unpublish a package",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A published package that is withdrawn.",
    matters: "Everyone who depends on it can no longer build.",
    instead: "Publish a corrected version.",
    suggestion: "npm view my-package versions",
    examples: &[
        "npm unpublish my-package",
        "cargo yank --vers 1.0.0 my-crate",
        "gem yank x -v 1.0",
        "yarn npm unpublish my-package",
    ],
    near_misses: &[
        "npm view my-package",
        "npm uninstall my-package",
        "cargo remove serde",
        "npm search keyword",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, &["registry package"]) {
        report
            .effect(effect, format!("withdraws {} from everyone who uses it", the("registry package", name)));
    }
}
