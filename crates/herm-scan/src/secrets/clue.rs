//! Names in a line that say something about a value near them.

use super::bytes::{ALNUM, BLANK, DASH, DOT, WORD, between, byte, is, run, run_back};
use super::lexicon;
use super::name::{LONGEST, Strength, is_neutral, parts, strength};

/// A name, and what it says: nothing if it is that of something about a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clue {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) strength: Option<Strength>,
    /// What its own word says, without those beside it.
    pub(super) word: Option<Strength>,
}

/// Whether a line has a part of a word in it without which no name says anything. Most lines have none.
pub(super) fn is_in(line: &[u8]) -> bool {
    parts(line).next().is_some()
}

/// The names of a line.
pub(super) fn all(line: &[u8]) -> impl Iterator<Item = Clue> + '_ {
    let mut done = 0;
    let small = lexicon::small_line(line);
    parts(line).filter_map(move |at| {
        let clue = foreign(&small, at).or_else(|| plain(line, at)).filter(|clue| clue.start >= done)?;
        // What only begins as a word of another language is no name at all.
        if clue.strength.is_none() && lexicon::may_begin(line, at) {
            return None;
        }
        done = clue.end;
        Some(clue)
    })
}

/// The name that begins here, or goes on, in letters that are not all ASCII.
fn foreign(small: &[u8], at: usize) -> Option<Clue> {
    let (end, said) = lexicon::at(small, at)?;
    Some(Clue { start: lexicon::word_start(small, at), end, strength: Some(said), word: Some(said) })
}

fn plain(line: &[u8], at: usize) -> Option<Clue> {
    let at = at + usize::from(is(byte(line, at), BLANK));
    let start = past_escape(line, run_back(line, at, WORD | DASH | DOT, LONGEST), at);
    let end = run(line, at, WORD | DASH).min(start + LONGEST);
    // What goes on in other letters is another word.
    if end <= at || lexicon::is_foreign(line, end) {
        return None;
    }
    // `Secret ID`
    let has_id =
        line.get(end.saturating_sub(6)..end + 3).is_some_and(|word| word.eq_ignore_ascii_case(b"secret id"));
    let end = end + if has_id && !is(byte(line, end + 3), ALNUM) { 3 } else { 0 };
    Some(Clue { start, end, strength: said(line, start, end), word: strength(between(line, start, end)) })
}

/// Where a name begins behind an escape that changes a colour: `ESC [1mclave`.
fn past_escape(line: &[u8], start: usize, at: usize) -> usize {
    let near = between(line, start.saturating_sub(12), at);
    let Some(escape) = near.iter().rposition(|byte| *byte == 0x1b) else { return start };
    let codes = between(near, escape + 1, near.len());
    let end = codes
        .iter()
        .position(|byte| *byte == b'm')
        .filter(|end| codes.iter().take(*end).all(|byte| !byte.is_ascii_alphabetic()));
    end.map_or(start, |end| start.saturating_sub(12) + escape + 2 + end).max(start)
}

/// What a name says together with the words beside it: `API key` says more than `key`, and `token count` nothing.
fn said(line: &[u8], start: usize, end: usize) -> Option<Strength> {
    let name = between(line, start, end);
    let alone = strength(name)?;
    let gap = run_back(line, start, BLANK, 2);
    let before = if start - gap == 1 { between(line, run_back(line, gap, ALNUM, 16), gap) } else { b"" };
    let after = run(line, end + 1, ALNUM);
    // The name of an attribute has a value of its own.
    let has_next = is(byte(line, end), BLANK) && byte(line, after) != b'=';
    let next = if has_next { between(line, end + 1, after) } else { b"" };
    // Nobody says a name of several words with blanks as well.
    if name.iter().any(|byte| !is(*byte, ALNUM)) {
        return Some(alone);
    }
    let said = strength(&[before, b"_", name, b"_", next].concat());
    // A number that somebody types is one whatever the sentence says next.
    said.or_else(|| Some(alone).filter(|alone| *alone == Strength::Pin && !is_neutral(next)))
}
