//! An operand that is only looked at, and only known when the command runs.

use herm_shell::gap::Position;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::gaps::{at, why};
use crate::rules::{Layer, Report, Rule};

/// An operand that is only looked at, and only known when the command runs.
pub static UNKNOWN_OPERAND: Rule = Rule {
    name: "unknown-operand",
    title: "operand that is not known",
    layer: Layer::Gaps,
    stance: Stance::Note,
    finds: "An operand that is only looked at, and only known when the command runs.",
    matters: "It is worth recording what was not known.",
    instead: "Name it where you can.",
    suggestion: "",
    examples: &["ls $DIR", "cat $FILE", r#"grep x "$FILE""#],
    near_misses: &["ls src", "cat README.md", "grep x README.md"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for gap in at(facts, &[Position::Inert, Position::Read]) {
        report.gap(Stance::Note, gap, format!("looks at `{}`, {}", gap.shown, why(gap.reason)));
    }
}
