//! Where a value begins and ends.

use super::bytes::{BLANK, DIGIT, LETTER, NEWLINE, QUOTE, SPACE, STOP, between, byte, from, is, run};
use super::plausible::Writing;

/// A value in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) writing: Writing,
}

impl Value {
    pub(crate) fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        between(text, self.start, self.end)
    }
}

/// The most blanks between a name and its value.
const GAP: usize = 16;

/// The same where escapes change the colour in between.
const COLOURED: usize = 64;

/// What stands after a sign, blanks and the mark of a string.
pub(crate) fn after(text: &[u8], at: usize, writing: Writing) -> Option<Value> {
    let start = past_escape(text, run(text, at, BLANK));
    let most = if between(text, at, start).contains(&0x1b) { COLOURED } else { GAP };
    if start - at > most || is(byte(text, start), NEWLINE) {
        return None;
    }
    // A value behind blanks is not a word of the shell.
    let writing = if start > at && writing == Writing::Bare { Writing::Plain } else { writing };
    let start = start + mark(from(text, start));
    match byte(text, start) {
        quote if is(quote, QUOTE) => Some(quoted(text, start + 1, &[quote])),
        b'\\' if is(byte(text, start + 1), QUOTE) => {
            Some(quoted(text, start + 2, &[b'\\', byte(text, start + 1)]))
        }
        _ => Some(bare(text, start, writing)),
    }
}

/// Where the value itself begins after a sign: behind blanks, the mark of a string and a quote.
pub(crate) fn start(text: &[u8], at: usize) -> usize {
    let start = past_escape(text, run(text, at, BLANK));
    let start = start + mark(from(text, start));
    start
        + match from(text, start) {
            [b'\\', quote, ..] if is(*quote, QUOTE) => 2,
            [quote, ..] if is(*quote, QUOTE) => 1,
            _ => 0,
        }
}

/// Behind escapes that change a colour, and blanks.
fn past_escape(text: &[u8], at: usize) -> usize {
    (0..4).fold(at, |at, _| past_one_escape(text, at))
}

fn past_one_escape(text: &[u8], at: usize) -> usize {
    let Some(rest) = from(text, at).strip_prefix(b"\x1b[") else { return at };
    let codes = rest.iter().take_while(|byte| is(**byte, DIGIT) || **byte == b';').count();
    if byte(rest, codes) == b'm' { run(text, at + codes + 3, BLANK) } else { at }
}

/// The letters that may stand before a string: `r"`, `b"`, `f"`, `@"`.
fn mark(text: &[u8]) -> usize {
    match text {
        [b'r' | b'b' | b'f' | b'u' | b'L' | b'R' | b'B' | b'F' | b'@' | b'$', quote, ..]
            if is(*quote, QUOTE) =>
        {
            1
        }
        _ => 0,
    }
}

/// Up to the quote that ends it, on the same line. One that was cut off ends at a blank.
fn quoted(text: &[u8], start: usize, close: &[u8]) -> Value {
    let mut at = start;
    while !from(text, at).starts_with(close) {
        at += match byte(text, at) {
            b'\n' => return bare(text, start, Writing::Plain),
            b'\\' if byte(text, at + 1) != b'\n' => 2,
            _ => 1,
        };
    }
    Value { start, end: at, writing: Writing::Quoted }
}

/// Up to a blank, and for all but the words of a shell up to anything that may follow a value.
fn bare(text: &[u8], start: usize, writing: Writing) -> Value {
    let stops = SPACE | QUOTE | if writing == Writing::Bare { 0 } else { STOP };
    let mut end = start;
    while !is(byte(text, end), stops) && byte(text, end) != 0x1b && !escaped_blank(from(text, end)) {
        end += 1;
    }
    Value { start, end: end.min(text.len()), writing }
}

/// A line end as other languages write it inside a string.
fn escaped_blank(text: &[u8]) -> bool {
    matches!(text, [b'\\', b'n' | b'r' | b't' | b'"' | b'\'', ..])
}

/// The word that stands here, without quotes that enclose it.
pub(crate) fn word(text: &[u8], at: usize) -> Option<Value> {
    after(text, at, Writing::Plain).filter(|value| value.end > value.start)
}

/// A value that nothing but a blank ends; one in quotes stays as it is.
pub(crate) fn up_to_blank(text: &[u8], value: Value) -> Value {
    if value.writing == Writing::Quoted { value } else { bare(text, value.start, Writing::Bare) }
}

/// Whether what was read as a value goes on as a call, an element or a path of names.
pub(crate) fn is_expression(text: &[u8], value: &Value) -> bool {
    value.writing != Writing::Quoted && matches!(byte(text, value.end), b'(' | b'[' | b'{')
        || value.writing == Writing::Plain && value.of(text).windows(2).any(|pair| pair == b"::")
        || value.writing != Writing::Quoted && ends_in_call(value.of(text))
}

/// `name(…` without blanks, as the words of a shell are read.
fn ends_in_call(value: &[u8]) -> bool {
    let name = value.iter().take_while(|byte| is(**byte, LETTER) || matches!(byte, b'_' | b'.')).count();
    name > 0 && value.get(name) == Some(&b'(')
}
