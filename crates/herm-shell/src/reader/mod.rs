//! Reads shell text as bash does.
//!
//! Recursive descent over the bytes, without going back: whether `((` opens arithmetic is settled by looking for
//! its closing parenthesis, and every such look is remembered. Reading always ends with a tree: what is not valid
//! is noted as a [`Problem`] and reading goes on behind it, so that later commands are still seen.

mod balance;
mod command;
mod compound;
mod condition;
mod cursor;
mod dollar;
mod escape;
mod fence;
mod fill;
mod header;
mod here_document;
mod list;
mod parameter;
mod quote;
mod redirect;
mod simple;
mod substitution;
mod word;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;

use crate::ast::{List, Part};
use crate::fuel::Fuel;
use crate::gap::Reason;
use crate::span::Span;

use cursor::Reader;

/// What a text was read as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The commands.
    pub list: List,
    /// What was not valid or not read, in order of discovery.
    pub problems: Vec<Problem>,
}

/// A place that was not valid, or where reading stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What was wrong: [`Reason::Syntax`], [`Reason::Depth`], [`Reason::Fuel`] or [`Reason::Size`].
    pub reason: Reason,
    /// Where. For something that is never closed: from its opening on.
    pub span: Span,
}

/// Reads `text`.
#[must_use]
pub fn read(text: &str, fuel: &Fuel) -> Reading {
    let Ok(length) = u32::try_from(text.len()) else {
        let span = Span::new(0, u32::MAX);
        return Reading { list: List::default(), problems: vec![Problem { reason: Reason::Size, span }] };
    };
    let mut reader = Reader::new(text, fuel);
    reader.spend(length / BYTES_PER_UNIT);
    let list = reader.whole();
    Reading { list, problems: reader.into_problems() }
}

/// Reads text of which only the expansions count, as in a here-document.
pub(crate) fn read_expansions(text: &str, fuel: &Fuel) -> (Vec<Part>, Vec<Problem>) {
    let Ok(length) = u32::try_from(text.len()) else {
        let span = Span::new(0, u32::MAX);
        return (Vec::new(), vec![Problem { reason: Reason::Size, span }]);
    };
    let mut reader = Reader::new(text, fuel);
    reader.spend(length / BYTES_PER_UNIT);
    let parts = reader.expansions();
    (parts, reader.into_problems())
}

/// The text with the escapes of `$'…'` replaced, as `${x@E}` does.
pub(crate) fn unquoted_escapes(text: &str) -> String {
    escape::decode(text)
}

/// How many bytes of text cost a unit of fuel, over what their tokens cost.
const BYTES_PER_UNIT: u32 = 256;
