//! Words and the parts they are made of.

use super::cursor::Reader;
use super::fence::{Fence, Quoting};
use crate::ast::{Direction, Part, Word};

impl Reader<'_> {
    /// Reads a word of a command; it is empty where none begins.
    pub(super) fn word(&mut self) -> Word {
        self.peek();
        let start = self.at;
        self.word_from(start, Vec::new(), Fence::WORD)
    }

    /// Reads on at a word that began at `start` with `parts`.
    pub(super) fn word_from(&mut self, start: usize, mut parts: Vec<Part>, fence: Fence) -> Word {
        self.parts(&mut parts, fence);
        Word { parts, span: self.span(start) }
    }

    /// Reads a stretch of parts as a word.
    pub(super) fn fenced(&mut self, fence: Fence) -> Word {
        let start = self.at;
        self.word_from(start, Vec::new(), fence)
    }

    /// Reads parts up to what ends them, which is left to be read.
    pub(super) fn parts(&mut self, parts: &mut Vec<Part>, fence: Fence) {
        let mut nesting = Nesting::default();
        let start = self.at;
        while let Some(byte) = self.peek() {
            // `name!()` defines a function; as a glob it would match nothing at all.
            let defines = fence.defines && nesting.depth == 0 && self.ahead("()").is_some();
            let goes_on = fence.quoting.is_plain() && self.is_process();
            if defines || (!goes_on && nesting.ends(byte, &fence, parts)) || !self.spend(1) {
                break;
            }
            self.part(parts, byte, &fence);
        }
        if nesting.depth > 0 && self.peek().is_none() {
            self.unclosed(start);
        }
    }

    /// Reads one part, or text up to where the next may begin.
    fn part(&mut self, parts: &mut Vec<Part>, byte: u8, fence: &Fence) {
        let quoting = fence.quoting;
        match byte {
            b'\\' => self.escape(parts, quoting),
            b'$' => self.dollar(parts, quoting),
            b'`' => self.backticks(parts, quoting),
            b'\'' if quoting.is_plain() => self.single_quoted(parts),
            b'"' if quoting.has_double() => self.double_quoted(parts),
            b'<' | b'>' if quoting.is_plain() && self.is_process() => self.process(parts, byte),
            _ => self.text_run(parts, fence),
        }
    }

    /// Whether `<(` or `>(` comes next.
    pub(super) fn is_process(&self) -> bool {
        self.ahead("<(").or_else(|| self.ahead(">(")).is_some()
    }

    fn process(&mut self, parts: &mut Vec<Part>, byte: u8) {
        let start = self.at;
        let direction = if byte == b'<' { Direction::From } else { Direction::To };
        self.advance(1);
        self.peek();
        let list = self.substituted();
        parts.push(Part::Process(direction, list, self.span(start)));
    }

    /// Takes the next byte, whatever it is, and the plain text behind it.
    fn text_run(&mut self, parts: &mut Vec<Part>, fence: &Fence) {
        let rest = self.text.as_bytes().get(self.at + 1..self.end).unwrap_or_default();
        let length = rest.iter().position(|byte| fence.interrupts(*byte)).unwrap_or(rest.len());
        let end = self.at + 1 + length;
        push_text(parts, self.text.get(self.at..end).unwrap_or_default(), fence.quoting);
        self.jump(end);
    }
}

/// How deep in nested pairs a stretch of parts is.
#[derive(Default)]
struct Nesting {
    depth: u32,
    questions: u32,
}

impl Nesting {
    /// Whether the stretch ends before `byte`.
    fn ends(&mut self, byte: u8, fence: &Fence, parts: &[Part]) -> bool {
        if self.hides(byte, fence, parts) {
            return false;
        }
        self.depth == 0 && fence.stops.contains(&byte)
    }

    fn hides(&mut self, byte: u8, fence: &Fence, parts: &[Part]) -> bool {
        let Some((open, close)) = fence.nest else { return false };
        if byte == open && (!fence.glob || self.depth > 0 || ends_in_glob_prefix(parts)) {
            self.depth += 1;
        } else if byte == close && self.depth > 0 {
            self.depth -= 1;
        } else if fence.ternary && byte == b'?' {
            self.questions += 1;
        } else if fence.ternary && byte == b':' && self.questions > 0 {
            self.questions -= 1;
        } else {
            return false;
        }
        true
    }
}

/// Whether an extended glob's parenthesis may follow.
fn ends_in_glob_prefix(parts: &[Part]) -> bool {
    matches!(parts.last(), Some(Part::Bare(text)) if text.ends_with(['?', '*', '+', '@', '!']))
}

/// Adds text to the last part if that is of the same kind.
pub(super) fn push_text(parts: &mut Vec<Part>, text: &str, quoting: Quoting) {
    if quoting.is_plain() { push_bare(parts, text) } else { push_quoted(parts, text) }
}

/// Adds unquoted text.
pub(super) fn push_bare(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Bare(last)) => last.push_str(text),
        _ => parts.push(Part::Bare(text.to_owned())),
    }
}

/// Adds text that nothing more happens to.
pub(super) fn push_quoted(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Quoted(last)) => last.push_str(text),
        _ => parts.push(Part::Quoted(text.to_owned())),
    }
}
