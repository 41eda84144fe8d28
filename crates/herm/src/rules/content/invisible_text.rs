//! Characters that take no room: zero-width spaces, soft hyphens, tags.

use herm_scan::Kind;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::content::of;
use crate::rules::{Layer, Report, Rule};

/// Characters that take no room: zero-width spaces, soft hyphens, tags.
pub static INVISIBLE_TEXT: Rule = Rule {
    name: "invisible-text",
    title: "text that cannot be seen",
    layer: Layer::Content,
    stance: Stance::Ask,
    finds: "Characters that take no room: zero-width spaces, soft hyphens, tags.",
    matters: "They hide words from people that programs and models still read.",
    instead: "Write the command without them.",
    suggestion: "cat README.md",
    examples: &["r\u{200B}m -r build", "c\u{AD}at x", "echo hi\u{E0041}\u{E0042}"],
    near_misses: &["echo 👨\u{200D}👩\u{200D}👧", "git commit -m 'می\u{200C}خواهم'", "echo ✔\u{FE0F}"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for detection in of(facts, &[Kind::Invisible]) {
        report.text(detection, format!("contains {}, which cannot be seen", detection.shown));
    }
}
