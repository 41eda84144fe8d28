//! Quotes and backslashes.

use super::cursor::Reader;
use super::escape::decode;
use super::fence::{Fence, Quoting};
use super::word::push_quoted;
use crate::ast::Part;

impl Reader<'_> {
    /// Reads a backslash and what it takes the meaning from.
    pub(super) fn escape(&mut self, parts: &mut Vec<Part>, quoting: Quoting) {
        self.advance(1);
        match self.byte(self.at) {
            Some(byte) if quoting.escapes(byte) => {
                let length =
                    self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                push_quoted(parts, self.text.get(self.at..self.at + length).unwrap_or_default());
                self.advance(length);
            }
            // A backslash that escapes nothing stands for itself.
            _ => push_quoted(parts, "\\"),
        }
    }

    /// Reads `'…'`.
    pub(super) fn single_quoted(&mut self, parts: &mut Vec<Part>) {
        let start = self.at;
        let rest = self.text.as_bytes().get(start + 1..self.end).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\'');
        let end = start + 1 + length.unwrap_or(rest.len());
        push_quoted(parts, self.text.get(start + 1..end).unwrap_or_default());
        self.jump(end + 1);
        if length.is_none() {
            self.unclosed(start);
        }
    }

    /// Reads `"…"`.
    pub(super) fn double_quoted(&mut self, parts: &mut Vec<Part>) {
        let start = self.at;
        self.advance(1);
        if !self.enter() {
            return;
        }
        let mut inside = Vec::new();
        self.parts(&mut inside, Fence::DOUBLE);
        parts.push(Part::DoubleQuoted(inside));
        if !self.eat("\"") {
            self.unclosed(start);
        }
        self.leave();
    }

    /// Reads what follows `$` in `$'…'`.
    pub(super) fn ansi_quoted(&mut self, parts: &mut Vec<Part>) {
        let start = self.at;
        let rest = self.text.as_bytes().get(start + 1..self.end).unwrap_or_default();
        let length = closing_quote(rest);
        let end = start + 1 + length.unwrap_or(rest.len());
        push_quoted(parts, &decode(self.text.get(start + 1..end).unwrap_or_default()));
        self.jump(end + 1);
        if length.is_none() {
            self.unclosed(start);
        }
    }
}

/// Where `$'…'` ends.
fn closing_quote(rest: &[u8]) -> Option<usize> {
    let mut escaped = false;
    rest.iter().position(|byte| {
        let found = !escaped && *byte == b'\'';
        escaped = !escaped && *byte == b'\\';
        found
    })
}
