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

use bytes::{ALNUM, DIGIT, before, byte, from, run, run_back};
use command_line::Program;
use index::{Entry, Index, Places, SPAN};
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
    /// The last program that was named, and where its line ends.
    program: Option<&'static Program>,
    line_end: usize,
    later: Option<Found>,
    /// What stands before has been taken out: nothing looks back on it.
    floor: usize,
}

impl Finder {
    pub(crate) fn new() -> Self {
        Self { index: Index::shared(), program: None, line_end: 0, later: None, floor: 0 }
    }

    /// The first thing that shows itself from one position up to another; it may end beyond.
    ///
    /// Each place is judged by what is near, so that no text makes it look at the same bytes over and over.
    pub(crate) fn next(&mut self, text: &[u8], mut at: usize, until: usize) -> Option<Next> {
        let mut places = Places::new();
        while at < until {
            let before = at.checked_sub(1).filter(|_| at > self.floor);
            match before.and_then(|start| text.get(start..)).and_then(<[u8]>::first_chunk) {
                Some(window) => places.read(window),
                None => places.read(&padded(text, at, before.map_or(b'\n', |before| byte(text, before)))),
            }
            for place in places.iter().map(|place| at + place).take_while(|place| *place < until) {
                if self.later.is_some_and(|later| later.start <= place) {
                    return self.later().map(Next::Secret);
                }
                match self.place(text, place) {
                    Some(Next::Secret(found)) => {
                        if let found @ Some(_) = self.in_order(place, found) {
                            return found;
                        }
                    }
                    found @ Some(Next::KeyBelow(_)) => return found,
                    None => {}
                }
            }
            at += SPAN;
        }
        None
    }

    /// A secret that showed itself before its beginning, and whose beginning has not come yet.
    pub(crate) fn later(&mut self) -> Option<Found> {
        self.later.take()
    }

    /// A secret that begins further on waits until what stands before it has been looked at: a user may be a token, and a
    /// password follow.
    fn in_order(&mut self, place: usize, found: Found) -> Option<Next> {
        match self.later {
            Some(later) if found.end > later.start => {
                self.later = None;
                let (start, end) = (found.start.min(later.start), found.end.max(later.end));
                Some(Next::Secret(Found { start, end, ..later }))
            }
            None if found.start > place + 1 => {
                self.later = Some(found);
                None
            }
            Some(_) | None => Some(Next::Secret(found)),
        }
    }

    fn place(&mut self, text: &[u8], at: usize) -> Option<Next> {
        if is(byte(text, at), ALNUM) && !self.matters(text, at) {
            return None;
        }
        let (line_end, floor) = (self.line_end, self.floor);
        let near = from(near(text, at), floor);
        let found = if is(byte(text, at), ALNUM) {
            self.word(near, at - floor)
        } else {
            sign(near, at - floor).map(Next::Secret)
        };
        // A program was named here, on a line whose end is not known yet.
        if self.line_end != line_end {
            self.line_end = run_to(text, at, bytes::NEWLINE);
        }
        match found? {
            Next::Secret(found) => {
                let found = Found { start: found.start + floor, end: found.end + floor, ..found };
                let found = stretched(text, at, found);
                is_fresh(text, at, found).then_some(Next::Secret(found))
            }
            // A key is longer than what is near.
            Next::KeyBelow(marker) => match private_key::marker(text, marker + floor)? {
                Marker::Here(found) => Some(Next::Secret(found)),
                Marker::Below => Some(Next::KeyBelow(marker + floor)),
            },
        }
    }

    /// Whether a word may be anything at all, by the bytes around its beginning.
    fn matters(&self, text: &[u8], at: usize) -> bool {
        let escaped = matches!(before(text, at), b'-' | b'\\' | b'%' | b'[' | b';');
        escaped || self.index.knows([byte(text, at), byte(text, at + 1), byte(text, at + 2)])
    }

    /// What the word that begins here is, or the one that begins behind an escape.
    fn word(&mut self, text: &[u8], at: usize) -> Option<Next> {
        let escaped = past_escape(text, at).and_then(|at| self.plain_word(text, at));
        escaped.or_else(|| self.plain_word(text, at))
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
        if !index.knows([byte(text, at), byte(text, at + 1), byte(text, at + 2)]) {
            return None;
        }
        index.entries(text, at).find_map(|entry| self.entry(entry, text, at))
    }

    fn entry(&mut self, entry: &Entry, text: &[u8], at: usize) -> Option<Next> {
        match entry {
            Entry::Format(format) => format.find(text, at).map(Next::Secret),
            Entry::Marker => private_key::marker(text, at).map(|_| Next::KeyBelow(at)),
            Entry::Phrase => assignment::phrase(text, at).map(Next::Secret),
            Entry::Program(program) => {
                if !is(byte(text, at + program.name.len()), ALNUM) {
                    self.program = Some(program);
                    self.line_end = self.line_end.max(at + self.floor + 1);
                }
                None
            }
        }
    }

    /// Another text begins, or the same one at another position.
    pub(crate) fn restart(&mut self) {
        *self = Self::new();
    }

    /// Everything up to a position has been taken out.
    pub(crate) fn taken(&mut self, end: usize) {
        self.floor = end;
    }

    /// The value of the option whose name begins here, after a dash.
    fn option(&self, text: &[u8], at: usize) -> Option<Found> {
        let dashes = run_back(text, at, bytes::DASH, 3);
        if at - dashes > 2 || !is(before(text, dashes), SPACE | QUOTE) {
            return None;
        }
        let program = self.program.filter(|_| at + self.floor < self.line_end);
        let given = program.and_then(|program| program.find(text, dashes + 1));
        given.or_else(|| assignment::option(text, at))
    }
}

/// The byte before a position and those from it on, with line ends where there are none.
fn padded(text: &[u8], at: usize, before: u8) -> [u8; SPAN + 1] {
    let mut window = [b'\n'; SPAN + 1];
    for (to, from) in window.iter_mut().zip([before].iter().chain(from(text, at))) {
        *to = *from;
    }
    window
}

fn sign(text: &[u8], at: usize) -> Option<Found> {
    match byte(text, at) {
        b':' if from(text, at).starts_with(b"://") => url::find(text, at),
        b'~' => shapes::azure(text, at),
        _ => assignment::find(text, at),
    }
}

/// What is near a position. It is long enough to tell any secret, though not for all of every secret.
fn near(text: &[u8], at: usize) -> &[u8] {
    text.get(..at + NEAR).unwrap_or(text)
}

const NEAR: usize = 1024;

/// A secret that goes beyond what is near ends at a blank or a quote.
fn stretched(text: &[u8], at: usize, found: Found) -> Found {
    if found.end < near(text, at).len() || found.end == text.len() {
        return found;
    }
    Found { end: run_to(text, found.end, SPACE | QUOTE), ..found }
}

/// Where a byte of a set comes next.
fn run_to(text: &[u8], at: usize, set: bytes::Set) -> usize {
    let length = from(text, at).iter().position(|byte| is(*byte, set));
    length.map_or(text.len(), |length| at + length)
}

/// Whether nothing was taken out here before: what is left around it is no secret.
fn is_fresh(text: &[u8], at: usize, found: Found) -> bool {
    let around = from(text, at.min(found.start));
    let around = around.get(..found.end + REDACTED.len() - at.min(found.start)).unwrap_or(around);
    !around.windows(REDACTED.len()).any(|window| window == REDACTED.as_bytes())
}

/// Where the next word begins when this one begins with what ends an escape: `\n`, `%20`, `ESC [31m`.
fn past_escape(text: &[u8], at: usize) -> Option<usize> {
    let past = match (before(text, at), byte(text, at)) {
        (b'\\', b'n' | b'r' | b't') => at + 1,
        (b'%', _) if is(byte(text, at), bytes::ANY_HEX) && is(byte(text, at + 1), bytes::ANY_HEX) => at + 2,
        (b'[' | b';', _) => {
            let end = run(text, at, DIGIT);
            let behind = text.get(at.saturating_sub(24)..at)?.iter();
            let escape = behind.rev().find(|byte| !is(**byte, DIGIT) && !matches!(byte, b';' | b'['));
            (byte(text, end) == b'm' && escape == Some(&0x1b)).then_some(end + 1)?
        }
        _ => return None,
    };
    is(byte(text, past), ALNUM).then_some(past)
}
