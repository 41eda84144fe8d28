//! Secrets whose names stand on other lines, or above them in a table.
//!
//! Lines come one after the other, each once, and what is remembered of those before is small: a name that waits for its
//! value, the columns of a table, where the lines of a key began. So what is found does not depend on how the text is cut.

mod codes;
mod command;
mod flat;
mod kubernetes;
mod pair;
mod parent;
mod positional;
mod table;
mod topic;
mod waiting;

use super::Found;
use super::bytes::{ALNUM, between, from, is};
use super::clue::Clue;
use super::name::Strength;
use super::private_key::{begins, is_end, is_material};
use super::{clue, cookie, device, encoded, nearby, saying};
use kubernetes::Kubernetes;
use pair::{Pair, plausible, row};
use parent::Parent;
use table::Table;
use topic::Topic;
use waiting::{Step, Waiting};

/// What is secret in a line: from where to where, and its kind.
type Span = (usize, usize, &'static str);

/// What the lines so far say of the next one.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    waiting: Waiting,
    table: Table,
    parent: Parent,
    topic: Topic,
    kubernetes: Kubernetes,
    /// The names of the line that goes by.
    clues: Vec<Clue>,
    /// For how many lines a resource goes on whose result is a password.
    generated: u8,
    /// Lines of Base64 go by that hold secrets.
    is_encoded: bool,
    /// The bytes of a private key go by, as they are printed: `26:7e:cc:…`.
    is_printed: bool,
}

/// The longest line that is read so.
const LONGEST: usize = 8_192;

/// The most lines from the kind of a resource to its result.
const GENERATED: u8 = 30;

impl Layout {
    /// Another text begins.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Whether the next line may be secret because of those before it.
    pub(crate) fn awaits(&self) -> bool {
        self.waiting.is_open() || self.table.is_open() || self.is_encoded || self.is_printed
    }

    /// Whether lines say nothing that do not name anything themselves.
    fn is_idle(&self) -> bool {
        !self.awaits()
            && self.kubernetes == Kubernetes::No
            && self.generated == 0
            && !self.parent.is_open()
            && !self.topic.is_open()
    }

    /// Adds what is secret in whole lines by those before them.
    pub(crate) fn read(&mut self, text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
        let mut key = None;
        let mut at = start;
        let mut address = positional::address(text, at);
        while at < end {
            let next = super::newline(from(text, at)).map_or(end, |length| at + length + 1).min(end);
            let line = between(text, at, next);
            if is_material(line, key.is_some()) {
                key.get_or_insert(at);
            } else if let Some(begin) = key.take()
                && (is_end(line, between(text, begin, at)) || begins(between(text, begin, at)))
            {
                found.push(Found { start: begin, end: at.saturating_sub(1), kind: "private-key" });
            }
            let line = line.trim_ascii_end();
            if address < at {
                address = positional::address(text, at);
            }
            if address < next
                && let Some((start, end, kind)) = positional::of_account(line)
            {
                found.push(Found { start: at + start, end: at + end, kind });
            }
            self.one(line, at, found);
            at = next;
        }
        if let Some(begin) = key.filter(|begin| begins(between(text, *begin, end))) {
            let end = if super::before(text, end) == b'\n' { end - 1 } else { end };
            found.push(Found { start: begin, end, kind: "private-key" });
        }
        found.sort_by_key(|found| (found.start, found.end));
    }

    /// Adds what is secret in one line that begins at a position.
    fn one(&mut self, line: &[u8], at: usize, found: &mut Vec<Found>) {
        let word = line.trim_ascii_start();
        self.is_encoded = encoded::is_one(word) && (self.is_encoded || encoded::has_secret(word));
        self.is_printed = word == b"priv:" || self.is_printed && is_printed(word);
        if self.is_printed && word != b"priv:" {
            let start = at + line.len() - word.len();
            found.push(Found { start, end: start + word.len(), kind: "private-key" });
        } else if self.is_encoded {
            let start = at + line.len() - word.len();
            found.push(Found { start, end: start + word.len(), kind: "encoded-secret" });
        } else if line.len() > LONGEST {
            self.restart();
        } else if let Some((start, end, kind)) = positional::read(line) {
            found.push(Found { start: at + start, end: at + end, kind });
        } else {
            self.named(line, at, found);
        }
    }

    /// Adds what is secret in a line because of names, on it or before it.
    fn named(&mut self, line: &[u8], at: usize, found: &mut Vec<Found>) {
        if !self.is_idle() || clue::is_in(line) {
            let line = flat::read(line);
            let line = line.as_ref();
            self.clues.clear();
            self.clues.extend(clue::all(line));
            let by_others = [self.line(line), self.parent.read(line), self.topic.read(line, &self.clues)];
            for (start, end, kind) in by_others.into_iter().flatten() {
                found.push(Found { start: at + start, end: at + end, kind });
            }
            cookie::read(line, at, found);
            self.table.read(line, at, found);
            nearby::read(line, &self.clues, at, found);
            saying::read(line, &self.clues, at, found);
            device::read(line, at, found);
        }
    }

    /// What is secret in a line by those before it.
    fn line(&mut self, line: &[u8]) -> Option<Span> {
        self.generated = self.generated.saturating_sub(1);
        match self.waiting.read(line) {
            Step::Done(found) => return found,
            Step::Open => {}
        }
        let start = line.iter().position(|byte| is(*byte, ALNUM) || matches!(byte, b':' | b'<' | b'.'))?;
        let Some(pair) = Pair::read(line, start) else {
            if is_generated(line, b"", b"") {
                self.generated = GENERATED;
            }
            return row(line, start);
        };
        let (name, value) = (pair.name(line), pair.value(line));
        if self.kubernetes.gives(name, value) {
            return Some(pair.span("kubernetes-secret"));
        }
        if is_generated(line, name, value) {
            self.generated = GENERATED;
        } else if self.generated > 0 && name == b"result" {
            return plausible(value, Strength::Password).then(|| pair.span("password"));
        }
        None
    }
}

/// Whether a line is bytes in hexadecimal with colons between.
fn is_printed(line: &[u8]) -> bool {
    let is_byte = |part: &[u8]| part.len() == 2 && part.iter().all(u8::is_ascii_hexdigit);
    line.len() >= 2 && line.strip_suffix(b":").unwrap_or(line).split(|byte| *byte == b':').all(is_byte)
}

/// Whether a line begins a resource that is a password: `"type": "random_password"`.
fn is_generated(line: &[u8], name: &[u8], value: &[u8]) -> bool {
    name == b"type" && value == b"random_password"
        || line.ends_with(b"{") && from(line, 0).windows(17).any(|word| word == b"\"random_password\"")
}
