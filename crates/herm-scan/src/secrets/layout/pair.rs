//! A name, a sign and the rest of the line.

use super::super::bytes::{BLANK, DASH, DIGIT, DOT, LETTER, QUOTE, WORD, between, byte, from, is, run};
use super::super::chosen::{Manner, is_chosen};
use super::super::name::{LONGEST, Strength, strength};
use super::super::plausible::{Writing, is_password, is_pin, is_plain, is_secret, is_surely_secret};
use super::Span;

/// Where a name and its value stand.
pub(super) struct Pair {
    name: (usize, usize),
    value: (usize, usize),
}

impl Pair {
    /// The pair that begins at a position.
    pub(super) fn read(line: &[u8], start: usize) -> Option<Self> {
        if from(line, start).starts_with(b"<string>") {
            let end = from(line, start + 8).iter().position(|byte| *byte == b'<')? + start + 8;
            return Some(Self { name: (start + 1, start + 7), value: (start + 8, end) });
        }
        let end = run(line, start, WORD | DASH | DOT);
        let mut at = run_of(line, end, |byte| is(byte, BLANK | QUOTE) || byte == b'\\');
        if start == end || !matches!(byte(line, at), b':' | b'=') {
            return None;
        }
        at = run_of(line, at, |byte| matches!(byte, b':' | b'=' | b'>'));
        at = run_of(line, at, |byte| is(byte, BLANK | QUOTE) || byte == b'\\');
        let stop = line
            .iter()
            .rposition(|byte| !is(*byte, BLANK | QUOTE) && !matches!(byte, b',' | b'}' | b']' | b'\\'));
        Some(Self { name: (start, end), value: (at, stop.map_or(at, |stop| stop + 1).max(at)) })
    }

    pub(super) fn name<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        between(line, self.name.0, self.name.1)
    }

    pub(super) fn value<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        between(line, self.value.0, self.value.1)
    }

    /// The value as something secret.
    pub(super) fn span(&self, kind: &'static str) -> Span {
        (self.value.0, self.value.1, kind)
    }

    /// Whether the value stands on the lines below: `password: >-`, `"password":`.
    pub(super) fn is_open(&self, line: &[u8]) -> bool {
        matches!(self.value(line), b"" | b">" | b">-" | b"|" | b"|-" | b"\\")
    }
}

/// What the names are called of things that have names and values.
pub(super) const NAMES: &[&[u8]] = &[
    b"name",
    b"key",
    b"keyname",
    b"variable",
    b"parametername",
    b"field",
    b"env",
    b"envname",
    b"option",
    b"id",
];

/// What the values are called.
pub(super) const VALUES: &[&[u8]] =
    &[b"value", b"parametervalue", b"default", b"string", b"content", b"plaintext"];

pub(super) fn is_one_of(name: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a text is one name.
pub(super) fn is_name(text: &[u8]) -> bool {
    text.len() <= LONGEST && text.iter().all(|byte| is(*byte, WORD | DASH | DOT | BLANK))
}

/// Whether a value can be what its name says, wherever it stands.
pub(super) fn plausible(value: &[u8], strength: Strength) -> bool {
    let is_code = value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<'));
    !is_code
        && match strength {
            Strength::Password => is_password(value, Writing::Quoted),
            Strength::Secret => is_secret(value) || is_password(value, Writing::Quoted) && !is_plain(value),
            Strength::Authorization | Strength::Weak => is_surely_secret(value),
            Strength::Pin => is_pin(value),
        }
}

/// The only word on a line.
pub(super) fn alone(line: &[u8], strength: Strength) -> Option<Span> {
    let mut start = run(line, 0, BLANK);
    start += numbered(from(line, start)).unwrap_or(0);
    if from(line, start).starts_with(b"string(") {
        start += from(line, start).iter().position(|byte| *byte == b'"')?;
    }
    start = run(line, start, BLANK | QUOTE);
    let end = line.iter().rposition(|byte| !is(*byte, BLANK | QUOTE) && *byte != b',')? + 1;
    let value = between(line, start, end);
    let is_text = is(super::super::before(line, start), QUOTE) && is_chosen(value, strength, Manner::Quoted);
    (plausible(value, strength) || is_text).then_some((start, end, "secret"))
}

/// Where the element of a list begins behind its number: `12) `, `3. `.
pub(super) fn numbered(line: &[u8]) -> Option<usize> {
    let end = run(line, 0, DIGIT);
    let rest = from(line, end);
    (end > 0 && (rest.starts_with(b") ") || rest.starts_with(b". "))).then_some(end + 2)
}

/// A name and a value with two blanks or a tab between, and nothing else: `DB_PASSWORD  …`, `| DB_PASSWORD | … |`.
pub(super) fn row(line: &[u8], start: usize) -> Option<Span> {
    let end = run(line, start, WORD | DASH | DOT);
    let gap = between(line, end, run_of(line, end, |byte| is(byte, BLANK) || byte == b'|'));
    let is_apart = gap.len() >= 2 || gap == b"\t";
    let value = end + gap.len();
    let stop = run_of(line, value, |byte| !is(byte, BLANK));
    let rest = between(line, stop, line.len()).trim_ascii();
    if !is_apart || !matches!(rest, b"" | b"|") || stop <= value {
        return None;
    }
    let strength = strength(between(line, start, end)).filter(|strength| *strength >= Strength::Secret)?;
    let secret = between(line, value, stop);
    let is_mixed = secret.iter().any(|byte| is(*byte, DIGIT)) && secret.iter().any(|byte| is(*byte, LETTER));
    (is_mixed && plausible(secret, strength) && !is_plain(secret)).then_some((value, stop, "secret"))
}

pub(super) fn run_of(text: &[u8], at: usize, is_in: impl Fn(u8) -> bool) -> usize {
    let length = from(text, at).iter().position(|byte| !is_in(*byte));
    length.map_or(text.len().max(at), |length| at + length)
}
