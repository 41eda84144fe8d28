//! The name above a key: `"Jwt": { "Key": "…" }`, where neither says enough alone.

use super::super::bytes::{ALNUM, BLANK, QUOTE, between, byte, is, run};
use super::super::chosen::{Manner, is_made_secret};
use super::super::name::{Strength, is_sure, strength};
use super::super::plausible::is_secret;
use super::Span;
use super::pair::Pair;

/// What the block belongs to that goes by.
#[derive(Debug, Default)]
pub(super) struct Parent {
    name: Vec<u8>,
    indent: usize,
    lines: u8,
}

/// The most lines of a block that are looked at.
const LINES: u8 = 24;

/// The longest name.
const NAME: usize = 32;

impl Parent {
    pub(super) fn is_open(&self) -> bool {
        self.lines > 0
    }

    /// The value of a key in the block, or nothing where another one begins.
    pub(super) fn read(&mut self, line: &[u8]) -> Option<Span> {
        let indent = run(line, 0, BLANK);
        if indent >= line.len() {
            return None;
        }
        self.lines = self.lines.saturating_sub(1);
        if indent <= self.indent {
            self.lines = 0;
        }
        let found = if self.lines > 0 { self.key(line, indent) } else { None };
        if found.is_none() {
            self.open(line, indent);
        }
        found
    }

    /// Whether a line opens a block whose keys are secret.
    fn open(&mut self, line: &[u8], indent: usize) {
        let end =
            line.iter().rposition(|byte| !is(*byte, BLANK | QUOTE) && !matches!(byte, b'{' | b':' | b'='));
        let opens = matches!(line.last(), Some(b'{' | b':'));
        let (Some(end), true) = (end.map(|end| end + 1), opens) else { return };
        let start = indent + usize::from(is(byte(line, indent), QUOTE));
        let name = between(line, start, end);
        let is_name = name.len() <= NAME
            && name.iter().all(|byte| is(*byte, ALNUM) || matches!(byte, b'_' | b'-' | b'.'));
        if is_name && is_sure(&[name, b"_key"].concat()) {
            *self = Self { name: name.to_vec(), indent, lines: LINES };
        }
    }

    /// The value on a line whose name says what it is together with that of the block.
    fn key(&self, line: &[u8], indent: usize) -> Option<Span> {
        let start = indent + usize::from(is(byte(line, indent), QUOTE));
        let pair = Pair::read(line, start)?;
        let (name, value) = (pair.name(line), pair.value(line));
        let whole = [self.name.as_slice(), b"_", name].concat();
        let says = strength(name) == Some(Strength::Weak)
            && strength(&whole) == Some(Strength::Secret)
            && is_sure(&whole);
        (says && (is_secret(value) || is_made_secret(value, Manner::Line))).then(|| pair.span("secret"))
    }
}
