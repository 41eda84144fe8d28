//! Text behind a very long run of blanks or many empty lines.

use herm_scan::Kind;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::content::of;
use crate::rules::{Layer, Report, Rule};

/// Text behind a very long run of blanks or many empty lines.
pub static HIDDEN_TEXT: Rule = Rule {
    name: "hidden-text",
    title: "text pushed out of sight",
    layer: Layer::Content,
    stance: Stance::Ask,
    finds: "Text behind a very long run of blanks or many empty lines.",
    matters: "Whoever reads the command sees only its harmless beginning.",
    instead: "Write one command after the other.",
    suggestion: "echo hi",
    examples: &[
        "echo hi                                                                                                    ; ls",
        "echo hi\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nls",
        "git status                                                                                          # x",
    ],
    near_misses: &["echo hi; ls", "echo hi\n\n\nls", "echo 'a          b'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for detection in of(facts, &[Kind::HiddenText]) {
        report.text(detection, format!("contains {}", detection.shown));
    }
}
