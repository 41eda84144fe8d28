//! Tokens that are known by how they begin.

use super::Found;
use super::bytes::{ALNUM, DASH, DOT, PLUS_SLASH, Set, UNDERSCORE, before, between, byte, is, run};
use super::plausible::is_token;

/// A kind of token: what it begins with, and what may follow.
#[derive(Debug)]
pub(crate) struct Format {
    kind: &'static str,
    pub(super) prefix: &'static str,
    body: Set,
    least: usize,
    most: usize,
    apart: bool,
    check: fn(&[u8]) -> bool,
}

impl Format {
    /// At least so many bytes of a set after a beginning. What follows must not look like words or an example.
    pub(super) const fn new(kind: &'static str, prefix: &'static str, body: Set, least: usize) -> Self {
        Self { kind, prefix, body, least, most: usize::MAX, apart: false, check: is_token }
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

    /// The beginning is so short that it must not be part of a longer name: `favicon.ico-…`, `assets/key-…`.
    pub(super) const fn apart(mut self) -> Self {
        self.apart = true;
        self
    }

    /// What follows must pass this instead.
    pub(super) const fn check(mut self, check: fn(&[u8]) -> bool) -> Self {
        self.check = check;
        self
    }

    /// The token that begins here.
    pub(super) fn find(&self, text: &[u8], at: usize) -> Option<Found> {
        if self.apart && continues(text, at) {
            return None;
        }
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

/// Whether a longer name or path goes on here.
fn continues(text: &[u8], at: usize) -> bool {
    let joined = is(before(text, at), UNDERSCORE | DASH | DOT | PLUS_SLASH);
    joined && is(before(text, at - 1), ALNUM)
}

/// Whether a token may end here: the word does.
pub(super) fn ends(text: &[u8], end: usize) -> bool {
    !is(byte(text, end), ALNUM)
}
