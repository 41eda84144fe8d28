//! A program that herm does not know, or whose name is only known when it runs.

use herm_shell::analysis::NoteKind;
use herm_shell::gap::Position;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::gaps::{at, noted, why};
use crate::rules::{Layer, Report, Rule};

/// A program that herm does not know, or whose name is only known when it runs.
pub static UNKNOWN_PROGRAM: Rule = Rule {
    name: "unknown-program",
    title: "program that is not known",
    layer: Layer::Gaps,
    stance: Stance::Note,
    finds: "A program that herm does not know, or whose name is only known when it runs.",
    matters: "What it does is not known.",
    instead: "Use a program that herm knows where there is one.",
    suggestion: "",
    examples: &["frobnicate --all", "./bin/tool run", r#""$TOOL" run"#],
    near_misses: &["ls", "git status", "echo frobnicate"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for gap in at(facts, &[Position::Program]) {
        report.gap(Stance::Note, gap, format!("runs `{}`, {}", gap.shown, why(gap.reason)));
    }
    for note in noted(facts, NoteKind::UnknownProgram) {
        report.note(note, format!("runs `{}`, which is not a program that herm knows", note.shown));
    }
}
