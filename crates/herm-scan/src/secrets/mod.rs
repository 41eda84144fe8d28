//! Secrets: what they look like, one file a family, and where the next one stands.
//!
//! A text is read once from left to right. Three things make it stop: the beginning of a word (tokens with a known
//! beginning or shape, options, programs), a sign between a name and a value, and `://`. Nothing looks beyond the end
//! of a line, so that a text may be read in any number of pieces that end where lines do.

mod assignment;
mod bytes;
mod chat;
mod cloud;
mod command_line;
mod forges;
mod format;
mod index;
mod letters;
mod models;
mod name;
mod payment;
mod plausible;
mod private_key;
mod published;
mod shapes;
mod telemetry;
mod url;
mod value;

pub(crate) use bytes::{BLANK, NEWLINE, QUOTE, SPACE, is};
pub(crate) use name::strength;
pub(crate) use plausible::{REDACTED, Writing, is_password, is_secret};
pub(crate) use private_key::{Body, Line};

use bytes::{ALNUM, DIGIT, SIGN, before, byte, from, kind, run, run_back};
use command_line::Program;
use index::{Entry, Index};
use private_key::Marker;

/// A secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: &'static str,
}

/// What comes next in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A secret.
    Secret(Found),
    /// A private key begins on the line after this position.
    KeyBelow(usize),
}

/// Looks for secrets, and remembers of the line so far what matters for the rest of it.
#[derive(Debug)]
pub(crate) struct Finder {
    index: &'static Index,
    program: Option<&'static Program>,
}

impl Finder {
    pub(crate) fn new() -> Self {
        Self { index: Index::shared(), program: None }
    }

    /// The first thing that shows itself from one position up to another; it may end beyond.
    pub(crate) fn next(&mut self, text: &[u8], mut at: usize, until: usize) -> Option<Next> {
        // In the middle of a word nothing begins.
        if is(before(text, at), ALNUM) {
            at = run(text, at, ALNUM);
        }
        while at < until {
            let kind = kind(byte(text, at));
            if kind & ALNUM != 0 {
                if let found @ Some(_) = self.word(text, at) {
                    return found;
                }
                at = run(text, at + 1, ALNUM);
                continue;
            }
            if kind & SIGN != 0
                && let Some(found) = self.sign(text, at)
            {
                return Some(Next::Secret(found));
            }
            at += 1;
        }
        None
    }

    fn sign(&mut self, text: &[u8], at: usize) -> Option<Found> {
        match byte(text, at) {
            b'\n' => {
                self.program = None;
                None
            }
            b':' if from(text, at).starts_with(b"://") => url::find(text, at),
            b'~' => shapes::azure(text, at),
            _ => assignment::find(text, at),
        }
    }

    /// What the word that begins here is, or the one that begins behind an escape.
    fn word(&mut self, text: &[u8], at: usize) -> Option<Next> {
        if let found @ Some(_) = self.plain_word(text, at) {
            return found;
        }
        self.plain_word(text, past_escape(text, at)?)
    }

    fn plain_word(&mut self, text: &[u8], at: usize) -> Option<Next> {
        if before(text, at) == b'-'
            && let Some(found) = self.option(text, at)
        {
            return Some(Next::Secret(found));
        }
        if let Some(found) = shapes::find(text, at) {
            return Some(Next::Secret(found));
        }
        let index = self.index;
        index.entries(text, at).find_map(|entry| self.entry(entry, text, at))
    }

    fn entry(&mut self, entry: &Entry, text: &[u8], at: usize) -> Option<Next> {
        match entry {
            Entry::Format(format) => format.find(text, at).map(Next::Secret),
            Entry::Marker => match private_key::marker(text, at) {
                Some(Marker::Here(found)) => Some(Next::Secret(found)),
                Some(Marker::Below) => Some(Next::KeyBelow(at)),
                None => None,
            },
            Entry::Phrase => assignment::phrase(text, at).map(Next::Secret),
            Entry::Program(program) => {
                if !is(byte(text, at + program.name.len()), ALNUM) {
                    self.program = Some(program);
                }
                None
            }
        }
    }

    /// The value of the option whose name begins here, after a dash.
    fn option(&self, text: &[u8], at: usize) -> Option<Found> {
        let dashes = run_back(text, at, bytes::DASH, 3);
        if at - dashes > 2 || !is(before(text, dashes), SPACE | QUOTE) {
            return None;
        }
        let given = self.program.and_then(|program| program.find(text, dashes + 1));
        given.or_else(|| assignment::option(text, at))
    }
}

/// Where the next word begins when this one begins with what ends an escape: `\n`, `%20`, `ESC [31m`.
fn past_escape(text: &[u8], at: usize) -> Option<usize> {
    let past = match (before(text, at), byte(text, at)) {
        (b'\\', b'n' | b'r' | b't') => at + 1,
        (b'%', _) if is(byte(text, at), bytes::ANY_HEX) && is(byte(text, at + 1), bytes::ANY_HEX) => at + 2,
        (b'[' | b';', _) => {
            let end = run(text, at, DIGIT);
            let start =
                text.get(..at)?.iter().rposition(|byte| !is(*byte, DIGIT) && !matches!(byte, b';' | b'['))?;
            let colours = byte(text, end) == b'm' && byte(text, start) == 0x1b && at - start < 24;
            colours.then_some(end + 1)?
        }
        _ => return None,
    };
    is(byte(text, past), ALNUM).then_some(past)
}
