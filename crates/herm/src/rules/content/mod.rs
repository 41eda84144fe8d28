//! What the text itself contains: characters that mislead, variables that hijack.

mod disguised_word;
mod environment_hijack;
mod hidden_text;
mod invisible_text;
mod terminal_escape;
mod turned_text;
mod unpack_over_home;

pub use disguised_word::DISGUISED_WORD;
pub use environment_hijack::ENVIRONMENT_HIJACK;
pub use hidden_text::HIDDEN_TEXT;
pub use invisible_text::INVISIBLE_TEXT;
pub use terminal_escape::TERMINAL_ESCAPE;
pub use turned_text::TURNED_TEXT;
pub use unpack_over_home::UNPACK_OVER_HOME;

use herm_scan::{Detection, Kind};

use crate::facts::Facts;

/// What of these kinds stands in the text.
fn of<'a>(facts: &'a Facts, kinds: &'a [Kind]) -> impl Iterator<Item = &'a Detection> {
    facts.text.iter().filter(|detection| kinds.contains(&detection.kind))
}
