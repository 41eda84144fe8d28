//! Raw control characters: escape sequences, backspaces, carriage returns.

use herm_scan::Kind;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::content::of;
use crate::rules::{Layer, Report, Rule};

/// Raw control characters: escape sequences, backspaces, carriage returns.
pub static TERMINAL_ESCAPE: Rule = Rule {
    name: "terminal-escape",
    title: "terminal control characters",
    layer: Layer::Content,
    stance: Stance::Ask,
    finds: "Raw control characters: escape sequences, backspaces, carriage returns.",
    matters: "They change what a terminal shows, so that a command can be approved that nobody saw.",
    instead: "Write escapes as text, as in `printf '\\033[31m'`.",
    suggestion: "printf 'done'",
    examples: &["echo \u{1B}[31mred", "echo ok\u{8}\u{8}no", "echo safe\u{D}rm"],
    near_misses: &["printf '\\033[31mred'", "echo -e '\\e[1mbold'", "echo 'a\tb'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for detection in of(facts, &[Kind::Escape, Kind::Control]) {
        report.text(detection, format!("contains {}, which changes what a terminal shows", detection.shown));
    }
}
