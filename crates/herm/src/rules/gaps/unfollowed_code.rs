//! Code that was read, but could not be followed to its end.

use herm_shell::gap::Position;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::gaps::{at, why};
use crate::rules::{Layer, Report, Rule};

/// Code that was read, but could not be followed to its end.
pub static UNFOLLOWED_CODE: Rule = Rule {
    name: "unfollowed-code",
    title: "code that could not be followed",
    layer: Layer::Gaps,
    stance: Stance::Ask,
    finds: "Code that was read but could not be followed to its end: it calls what is only known when it runs, or holds something that its \
            reader does not know. Confined, it runs unasked.",
    matters: "It may do more than what could be read.",
    instead: "Run it in the sandbox, or write it more plainly.",
    suggestion: "",
    examples: &["scala -e 'foo(1)'", "julia -e 'foo(1)'", "elixir -e 'foo(1)'"],
    near_misses: &["scala -e 'println(1)'", "ruby -e 'puts 1'", "echo 'foo(1)'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for gap in at(facts, &[Position::Unfollowed]) {
        report.gap(Stance::Ask, gap, format!("could not follow `{}`, {}", gap.shown, why(gap.reason)));
    }
}
