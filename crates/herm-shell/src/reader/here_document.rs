//! Here-documents.

use super::cursor::{Origin, Reader};
use super::fence::Fence;
use crate::ast::{Part, Word};
use crate::span::Span;

/// How many bytes may be copied for one unit of fuel.
const BYTES_PER_UNIT: usize = 64;

/// A here-document whose body was not read yet.
#[derive(Debug)]
pub(super) struct Pending {
    /// Where its redirection begins.
    key: u32,
    delimiter: String,
    /// Whether the delimiter was quoted, so that nothing in the body is expanded.
    quoted: bool,
    /// Whether leading tabs go.
    strip: bool,
}

impl Reader<'_> {
    /// Reads the delimiter behind `<<`. The body takes the word's place when it has been read.
    pub(super) fn delimiter(&mut self, strip: bool, start: usize) -> Word {
        self.peek();
        let from = self.at;
        let word = self.word();
        if word.parts.is_empty() {
            self.unexpected();
            return word;
        }
        let source = self.text.get(from..self.last).unwrap_or_default();
        let (delimiter, quoted) = unquoted(&word, source);
        self.pending.push(Pending { key: self.place(start), delimiter, quoted, strip });
        word
    }

    /// Reads the bodies that begin here.
    pub(super) fn read_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let body = self.document(&pending);
            self.bodies.insert(pending.key, body);
        }
    }

    fn document(&mut self, pending: &Pending) -> Word {
        let start = self.at;
        let mut lines = Vec::new();
        while self.at < self.end {
            let (from, end, next) = self.line(pending);
            if let Some(rest) = self.behind_delimiter(from, end, next, pending) {
                let span = self.span_between(start, from);
                self.jump(rest);
                return self.body_word(&lines, pending, span);
            }
            lines.push((from, next));
            self.jump(next);
        }
        let span = self.span_between(start, self.at);
        self.body_word(&lines, pending, span)
    }

    /// A line: where its text begins and ends, and where the next begins. Without quotes a backslash joins lines.
    fn line(&self, pending: &Pending) -> (usize, usize, usize) {
        let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or_default();
        let mut escaped = false;
        let length = rest.iter().position(|byte| {
            let found = *byte == b'\n' && !escaped;
            escaped = !pending.quoted && !escaped && *byte == b'\\';
            found
        });
        let end = self.at + length.unwrap_or(rest.len());
        let tabs = rest.iter().take_while(|byte| pending.strip && **byte == b'\t').count();
        (self.at + tabs, end, end + usize::from(length.is_some()))
    }

    /// Where reading goes on if the line ends the body. In `$( )` the closing parenthesis may follow at once.
    fn behind_delimiter(&self, from: usize, end: usize, next: usize, pending: &Pending) -> Option<usize> {
        let line = self.text.get(from..end).unwrap_or_default();
        let is_joined = !pending.quoted && line.contains("\\\n");
        if line == pending.delimiter || (is_joined && line.replace("\\\n", "") == pending.delimiter) {
            return Some(next);
        }
        let rest = line.strip_prefix(pending.delimiter.as_str())?;
        (self.substitutions > 0 && rest.contains(')')).then_some(from + pending.delimiter.len())
    }

    fn body_word(&mut self, lines: &[(usize, usize)], pending: &Pending, span: Span) -> Word {
        let outer = self.text;
        let parts = if pending.strip {
            let text: String = lines.iter().filter_map(|(from, to)| outer.get(*from..*to)).collect();
            let places = lines.iter().flat_map(|(from, to)| *from..*to).map(|at| self.place(at)).collect();
            self.spend(u32::try_from(text.len() / BYTES_PER_UNIT).unwrap_or(u32::MAX));
            self.body_parts(&text, Origin::Each(places), pending)
        } else {
            let (from, to) = (lines.first().map_or(0, |line| line.0), lines.last().map_or(0, |line| line.1));
            let origin = self.stretch(from, to - from);
            self.body_parts(outer.get(from..to).unwrap_or_default(), origin, pending)
        };
        Word { parts, span }
    }

    fn body_parts(&mut self, text: &str, origin: Origin, pending: &Pending) -> Vec<Part> {
        if pending.quoted { vec![Part::Quoted(text.to_owned())] } else { self.expanded(text, origin) }
    }

    fn expanded(&mut self, text: &str, origin: Origin) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.enter() {
            self.inner(text, origin, |body| parts = body.expansions());
            self.leave();
        }
        parts
    }

    /// Reads the rest as text of which only the expansions count.
    pub(super) fn expansions(&mut self) -> Vec<Part> {
        let mut parts = Vec::new();
        self.parts(&mut parts, Fence::DOCUMENT);
        self.read_documents();
        self.fill_parts(&mut parts);
        parts
    }
}

/// A delimiter without its quotes, and whether it had any. Expansions in it are plain text.
fn unquoted(word: &Word, source: &str) -> (String, bool) {
    let plain = |part: &Part| match part {
        Part::Bare(text) | Part::Quoted(text) => Some(text.clone()),
        Part::DoubleQuoted(inside) => match inside.as_slice() {
            [] => Some(String::new()),
            [Part::Quoted(text)] => Some(text.clone()),
            _ => None,
        },
        Part::Arithmetic(_) | Part::Command(..) | Part::Parameter(_) | Part::Process(..) => None,
    };
    let quoted = source.contains(['\'', '"', '\\']);
    let text: Option<String> = word.parts.iter().map(plain).collect();
    (text.unwrap_or_else(|| source.replace(['\'', '"', '\\'], "")), quoted)
}
