//! Reads Python and says what it would do.
//!
//! The reader is herm's own, because it reads hostile text: it counts its work, limits how deep it goes, and keeps
//! what it could read when the rest is broken.

mod ast;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what holds for one kind of object mostly holds for no other; naming all of them would hide the one"
)]
mod interpret;
mod lexer;
#[expect(clippy::wildcard_enum_match_arm, reason = "as above")]
mod library;
mod parser;
mod strings;
#[cfg(test)]
#[expect(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::needless_for_each,
    clippy::semicolon_if_nothing_returned,
    clippy::string_slice,
    reason = "tests may be brief"
)]
mod tests;

use crate::gap::Position;
use crate::sink::Sink;

/// Reads `text` and tells `sink` what it would do.
pub fn read(text: &str, sink: &mut dyn Sink) {
    let program =
        parser::parse(text, &mut |units| sink.spend(u32::try_from(units).unwrap_or(u32::MAX)).is_ok());
    if program.refused {
        return;
    }
    for problem in &program.problems {
        let shown: String =
            text.get(problem.span.start as usize..).unwrap_or_default().chars().take(40).collect();
        sink.at(problem.span);
        sink.gap(Position::Whole, problem.reason, shown.lines().next().unwrap_or_default());
    }
    interpret::follow(&program.body, sink);
}

/// Whether Python text can be read; for tests that compare with Python itself.
#[doc(hidden)]
#[must_use]
pub fn is_valid(text: &str) -> bool {
    parser::parse(text, &mut |_| true).problems.is_empty()
}
