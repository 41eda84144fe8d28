//! What could not be known.

use crate::span::Span;

/// Something that could not be known, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What the unknown would have been used for.
    pub position: Position,
    /// Why it is unknown.
    pub reason: Reason,
    /// What it is, for people: `$cmd`, `eval of $(get-script)`.
    pub shown: String,
    /// Where.
    pub span: Span,
}

/// What an unknown would have been used for; this decides whether it is worth a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// Code that runs.
    Code,
    /// What is deleted.
    Delete,
    /// An operand that is only looked at.
    Inert,
    /// The program's name.
    Program,
    /// What is read.
    Read,
    /// Data or a host that something is sent to.
    Send,
    /// Code that was read, but not to its end: a call of what is only known when it runs, a construct that its reader does not know.
    /// Whoever runs it behind a boundary need not ask.
    Unfollowed,
    /// The whole text: it could not be read.
    Whole,
    /// What is written.
    Write,
}

/// Why something is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It is nested too deeply.
    Depth,
    /// It took more work than a text may cost.
    Fuel,
    /// The language is not read here.
    Language,
    /// It is only known when the text runs.
    Runtime,
    /// It is larger than a text may be.
    Size,
    /// It is not valid in its language.
    Syntax,
    /// It is not valid text (NUL bytes, invalid UTF-8).
    Text,
    /// The file may not be opened, or is not text.
    Unreadable,
}
