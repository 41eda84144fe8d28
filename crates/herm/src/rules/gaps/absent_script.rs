//! A script that is not there, or that could not be looked at.

use herm_shell::analysis::NoteKind;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::gaps::noted;
use crate::rules::{Layer, Report, Rule};

/// A script that is not there, or that could not be looked at.
pub static ABSENT_SCRIPT: Rule = Rule {
    name: "absent-script",
    title: "script that is not there",
    layer: Layer::Gaps,
    stance: Stance::Note,
    finds: "A script that is not there, or that could not be looked at.",
    matters: "What it would do is not known.",
    instead: "Write the script first, then run it.",
    suggestion: "",
    examples: &["sh -x no-such-script.sh", "bash no-such-script.sh", "sh ./no-such-script"],
    near_misses: &["bash -c ls", "ls no-such-script.sh", "echo no-such-script.sh"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for note in noted(facts, NoteKind::AbsentScript) {
        report.note(note, format!("runs `{}`, which is not there", note.shown));
    }
}
