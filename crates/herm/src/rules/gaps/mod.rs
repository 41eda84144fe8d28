//! What could not be known, and when that is worth a question.

mod absent_script;
mod changed_tool;
mod sensitive_operand;
mod unfollowed_code;
mod unknown_code;
mod unknown_operand;
mod unknown_program;
mod unknown_target;
mod unknown_tool;
mod unread_text;

pub use absent_script::ABSENT_SCRIPT;
pub use changed_tool::CHANGED_TOOL;
pub use sensitive_operand::SENSITIVE_OPERAND;
pub use unfollowed_code::UNFOLLOWED_CODE;
pub use unknown_code::UNKNOWN_CODE;
pub use unknown_operand::UNKNOWN_OPERAND;
pub use unknown_program::UNKNOWN_PROGRAM;
pub use unknown_target::UNKNOWN_TARGET;
pub use unknown_tool::UNKNOWN_TOOL;
pub use unread_text::UNREAD_TEXT;

use herm_shell::Gap;
use herm_shell::analysis::{Note, NoteKind};
use herm_shell::gap::{Position, Reason};

use crate::facts::Facts;

/// The gaps in these positions.
fn at<'a>(facts: &'a Facts, positions: &'a [Position]) -> impl Iterator<Item = &'a Gap> {
    facts.shell.gaps.iter().filter(|gap| positions.contains(&gap.position))
}

/// Whether there was something to read, and the reader gave up on it: that is never run where nothing asks.
fn is_unread(gap: &Gap) -> bool {
    let gave_up = match gap.reason {
        Reason::Depth | Reason::Fuel | Reason::Size | Reason::Syntax | Reason::Text => true,
        Reason::Language | Reason::Runtime | Reason::Unreadable => false,
    };
    gap.position == Position::Whole || gap.position == Position::Code && gave_up
}

/// The remarks of this kind.
fn noted(facts: &Facts, kind: NoteKind) -> impl Iterator<Item = &Note> {
    facts.shell.notes.iter().filter(move |note| note.kind == kind)
}

/// Why something is unknown, as the end of a sentence.
fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Depth => "it is nested too deeply",
        Reason::Fuel => "it takes too much work to read",
        Reason::Language => "its language is not read here",
        Reason::Runtime => "which is only known when it runs",
        Reason::Size => "it is too large",
        Reason::Syntax => "it is not valid in its language",
        Reason::Text => "it is not valid text",
        Reason::Unreadable => "the file cannot be read",
    }
}
