//! Names in a line that say something about a value near them.

use super::bytes::{ALNUM, BLANK, DASH, DOT, WORD, between, byte, is, run, run_back};
use super::name::{LONGEST, Strength, parts, strength};

/// A name, and what it says: nothing if it is that of something about a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clue {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) strength: Option<Strength>,
}

/// Whether a line has a part of a word in it without which no name says anything. Most lines have none.
pub(super) fn is_in(line: &[u8]) -> bool {
    parts(line).next().is_some()
}

/// The names of a line.
pub(super) fn all(line: &[u8]) -> impl Iterator<Item = Clue> + '_ {
    let mut done = 0;
    parts(line).filter_map(move |at| {
        let start = run_back(line, at, WORD | DASH | DOT, LONGEST);
        let end = run(line, at, WORD | DASH).min(start + LONGEST);
        if at < done || end <= at {
            return None;
        }
        done = end;
        Some(Clue { start, end, strength: said(line, start, end) })
    })
}

/// What a name says together with the words beside it: `API key` says more than `key`, and `token count` nothing.
fn said(line: &[u8], start: usize, end: usize) -> Option<Strength> {
    let name = between(line, start, end);
    let alone = strength(name)?;
    let gap = run_back(line, start, BLANK, 2);
    let before = if start - gap == 1 { between(line, run_back(line, gap, ALNUM, 16), gap) } else { b"" };
    let next =
        if is(byte(line, end), BLANK) { between(line, end + 1, run(line, end + 1, ALNUM)) } else { b"" };
    // Nobody says a name of several words with blanks as well.
    if name.iter().any(|byte| !is(*byte, ALNUM)) {
        return Some(alone);
    }
    let said = strength(&[before, b"_", name, b"_", next].concat())?;
    Some(said)
}
