//! Tokens that are known by how they begin.

use super::Found;
use super::bytes::{ALNUM, Set, between, byte, is, run};
use super::plausible::{REDACTED, is_token};

/// A kind of token: what it begins with, and what may follow.
#[derive(Debug)]
pub(crate) struct Format {
    kind: &'static str,
    pub(super) prefix: &'static str,
    body: Set,
    least: usize,
    most: usize,
    check: fn(&[u8]) -> bool,
}

impl Format {
    /// At least so many bytes of a set after a beginning. What follows must not look like words or an example.
    pub(super) const fn new(kind: &'static str, prefix: &'static str, body: Set, least: usize) -> Self {
        Self { kind, prefix, body, least, most: usize::MAX, check: is_token }
    }

    /// Exactly that many.
    pub(super) const fn exactly(mut self) -> Self {
        self.most = self.least;
        self
    }

    /// At most that many.
    pub(super) const fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// What follows must pass this instead.
    pub(super) const fn check(mut self, check: fn(&[u8]) -> bool) -> Self {
        self.check = check;
        self
    }

    /// The token that begins here.
    pub(super) fn find(&self, text: &[u8], at: usize) -> Option<Found> {
        let body = at + self.prefix.len();
        let mut end = run(text, body, self.body);
        // A full stop ends the sentence, not the token.
        while end > body && byte(text, end - 1) == b'.' {
            end -= 1;
        }
        let fits = (self.least..=self.most).contains(&(end - body)) && ends(text, end);
        (fits && (self.check)(between(text, body, end))).then_some(Found { start: at, end, kind: self.kind })
    }
}

/// Whether a token may end here: the word does, and nothing was taken out right behind it.
pub(super) fn ends(text: &[u8], end: usize) -> bool {
    !is(byte(text, end), ALNUM) && !super::bytes::from(text, end).starts_with(REDACTED.as_bytes())
}
