//! Characters that change the direction in which text is read.

use herm_scan::Kind;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::content::of;
use crate::rules::{Layer, Report, Rule};

/// Characters that change the direction in which text is read.
pub static TURNED_TEXT: Rule = Rule {
    name: "turned-text",
    title: "text that turns its direction",
    layer: Layer::Content,
    stance: Stance::Ask,
    finds: "Characters that change the direction in which text is read.",
    matters: "What a person sees is not the order in which the shell reads it.",
    instead: "Write the command without them.",
    suggestion: "ls -la",
    examples: &["echo '\u{202E}fdp.exe'", "ls \u{2066}a\u{2069}", "cat x\u{200E}.txt"],
    near_misses: &["echo 'שלום\u{200F}'", "echo 'مرحبا'", "ls -la"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for detection in of(facts, &[Kind::Bidi]) {
        report.text(
            detection,
            format!("contains {}, which changes the direction of the text", detection.shown),
        );
    }
}
