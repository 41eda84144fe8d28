//! More than one simple command, in the strict preset.

use herm_shell::analysis::Shape;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// More than one simple command, in the strict preset.
pub static STRICT_COMPOUND: Rule = Rule {
    name: "strict-compound",
    title: "command of several parts",
    layer: Layer::Strict,
    stance: Stance::Ask,
    finds: "More than one simple command, in the strict preset.",
    matters: "Only single commands can be checked against a list.",
    instead: "Run the parts one by one.",
    suggestion: "git status",
    examples: &["ls && pwd", "ls | cat", "ls > out.txt"],
    near_misses: &["ls", "git status", "echo 'a && b'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    if let Some(part) = part(&facts.shell.shape) {
        report.call(format!("has {part}, which strict always asks about"));
    }
}

fn part(shape: &Shape) -> Option<&'static str> {
    let parts = [
        (shape.pipes > 0, "a pipe"),
        (shape.redirects > 0, "a redirection"),
        (shape.substitutions > 0, "a substitution"),
        (shape.background, "a background job"),
        (shape.compound, "a compound command"),
        (shape.commands > 1, "several commands"),
    ];
    parts.into_iter().find(|(is, _)| *is).map(|(_, part)| part)
}
