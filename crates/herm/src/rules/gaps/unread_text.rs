//! A text, or code inside it, that could not be read at all.

use herm_shell::gap::Position;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::gaps::{at, is_unread, why};
use crate::rules::{Layer, Report, Rule};

/// A text, or code inside it, that could not be read at all.
pub static UNREAD_TEXT: Rule = Rule {
    name: "unread-text",
    title: "text that could not be read",
    layer: Layer::Gaps,
    stance: Stance::Ask,
    finds: "A text, or code inside it, that could not be read at all.",
    matters: "Nothing is known about what it does.",
    instead: "Write it more simply, or split it into smaller commands.",
    suggestion: "",
    examples: &["echo 'unfinished", "if true; then echo x", "for x in; do ("],
    near_misses: &["echo 'finished'", "if true; then echo x; fi", "echo '('"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for gap in at(facts, &[Position::Code, Position::Whole]).filter(|gap| is_unread(gap)) {
        report.gap(Stance::Ask, gap, format!("could not be read: {}", why(gap.reason)));
    }
}
