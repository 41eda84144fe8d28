//! Patches, read and applied. Nothing is guessed: what does not fit exactly, or fits in two places, is not applied.
//!
//! Two ways of writing them are known: the one between `*** Begin Patch` and `*** End Patch`, and the unified one.
//!
//! ```
//! use herm_adapters::amend;
//!
//! let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n";
//! let amendments = amend::read(patch)?;
//! assert_eq!(amendments[0].path, "a.txt");
//! assert_eq!(amendments[0].what.apply("one\ntwo\n")?, "one\n2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod hunk;
mod marked;
mod unified;

use std::fmt;

pub use hunk::{Hunk, Misfit, Sign};

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// The file.
    pub path: String,
    /// What becomes of it.
    pub what: What,
    /// Where it goes, if it is moved.
    pub to: Option<String>,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It is made; there must be none.
    Create(String),
    /// It is deleted. Where it is said what is in it, it must be that.
    Delete(Vec<Hunk>),
    /// Parts of it are changed.
    Update(Vec<Hunk>),
    /// It is made, or replaced as a whole.
    Write(String),
}

/// Why a patch cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The number of the line.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the patch: {}", self.line, self.why)
    }
}

impl std::error::Error for Unreadable {}

/// Reads a patch.
///
/// # Errors
/// When a line means nothing in a patch, or it changes nothing.
pub fn read(patch: &str) -> Result<Vec<Amendment>, Unreadable> {
    let mut lines = Lines::new(patch);
    let is_marked = patch.trim_start().starts_with("*** Begin Patch");
    let amendments = if is_marked { marked::read(&mut lines)? } else { unified::read(&mut lines)? };
    if amendments.is_empty() {
        return Err(lines.wrong("it changes no file"));
    }
    Ok(amendments)
}

impl What {
    /// What a file will hold that holds `before`.
    ///
    /// # Errors
    /// When a part of it does not fit, or fits in two places.
    pub fn apply(&self, before: &str) -> Result<String, Misfit> {
        match self {
            Self::Create(text) | Self::Write(text) => Ok(text.clone()),
            Self::Delete(hunks) => match hunk::apply(before, hunks)? {
                rest if hunks.is_empty() || rest.is_empty() => Ok(String::new()),
                _ => Err(Misfit::Nowhere(1)),
            },
            Self::Update(hunks) => hunk::apply(before, hunks),
        }
    }
}

/// The lines of a patch, with their numbers.
#[derive(Debug)]
struct Lines<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Lines<'a> {
    /// Where every line ends as on DOS, that is how the patch was handed over; otherwise it is part of the lines.
    fn new(text: &'a str) -> Self {
        let mut lines: Vec<_> = text.split('\n').collect();
        // What follows the last end is no line.
        if lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
        }
        if lines.iter().all(|line| line.ends_with('\r')) {
            lines = lines.into_iter().map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        }
        Self { lines, at: 0 }
    }

    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    fn next(&mut self) -> Option<&'a str> {
        let line = self.peek();
        self.at += usize::from(line.is_some());
        line
    }

    /// The next line, if this can be made of it.
    fn next_if<T>(&mut self, of: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let made = of(self.peek()?)?;
        self.at += 1;
        Some(made)
    }

    /// What is wrong with the line that was read last.
    fn wrong(&self, why: impl Into<String>) -> Unreadable {
        Unreadable { line: self.at.max(1), why: why.into() }
    }
}
