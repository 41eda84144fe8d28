//! A command that is not on the allow-list, in the strict preset.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::allow_list::listed;
use crate::rules::{Layer, Report, Rule};

/// A command that is not on the allow-list, in the strict preset.
pub static STRICT_UNLISTED: Rule = Rule {
    name: "strict-unlisted",
    title: "command that is not on the list",
    layer: Layer::Strict,
    stance: Stance::Ask,
    finds: "A command that is not on the allow-list, in the strict preset.",
    matters: "Strict only runs what is known to be harmless.",
    instead: "Use one of the listed commands, or add yours to `command_allowlist`.",
    suggestion: "git status",
    examples: &["make", "npm install", "cat a b"],
    near_misses: &[
        "git status",
        "ls -la",
        "npm run lint",
        "cat README.md",
        "node --version",
        "GIT.EXE status",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (at, run) in facts.shell.invocations.iter().enumerate() {
        if (run.within.is_none() || run.hooked) && !listed(facts, at, run) {
            report.invocation(facts, at, format!("runs `{}`, which is not on the list", run.called));
        }
    }
}
