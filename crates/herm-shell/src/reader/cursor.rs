//! The place in the text, and what everything that reads shares.

use std::collections::HashMap;

use super::Problem;
use super::here_document::Pending;
use crate::ast::Word;
use crate::fuel::Fuel;
use crate::gap::Reason;
use crate::span::Span;

/// How deeply constructs may be nested. Chosen so that reading fits a stack of 2 MiB without optimisation.
pub(super) const DEPTH_LIMIT: u32 = 120;

/// More problems than this say nothing new.
const PROBLEM_LIMIT: usize = 64;

/// What ends a word, outside quotes.
pub(super) const METACHARACTERS: &[u8] = b" \t\n;&|()<>";

/// The words that are reserved where a command begins.
const RESERVED: [&str; 20] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "select", "then", "time", "until", "while", "{", "}",
];

/// A text being read.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// The next byte to read.
    pub(super) at: usize,
    /// One past the last byte that was taken; line continuations behind it do not count.
    pub(super) last: usize,
    /// One past the last byte that may be read.
    pub(super) end: usize,
    pub(super) fuel: &'t Fuel,
    pub(super) depth: u32,
    pub(super) halted: bool,
    pub(super) problems: Vec<Problem>,
    /// Here-documents whose bodies begin behind the next newline.
    pub(super) pending: Vec<Pending>,
    /// Bodies that were read, by where their redirection begins.
    pub(super) bodies: HashMap<u32, Word>,
    /// Where parentheses close, by where they open; `None` for those that never do.
    pub(super) closings: HashMap<usize, Option<usize>>,
    /// Whether `}` ends a list whatever follows it, as in `${ commands; }`.
    pub(super) in_braces: bool,
    /// How many `$( )` are open.
    pub(super) substitutions: u32,
    origin: Origin,
}

/// Where the bytes of a text come from.
#[derive(Debug)]
pub(super) enum Origin {
    /// Each byte on its own, because some were left out.
    Each(Vec<u32>),
    /// A stretch of the outer text that begins here.
    From(u32),
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, fuel: &'t Fuel) -> Self {
        Self::with_origin(text, fuel, Origin::From(0))
    }

    fn with_origin(text: &'t str, fuel: &'t Fuel, origin: Origin) -> Self {
        Self {
            text,
            at: 0,
            last: 0,
            end: text.len(),
            fuel,
            depth: 0,
            halted: false,
            problems: Vec::new(),
            pending: Vec::new(),
            bodies: HashMap::new(),
            closings: HashMap::new(),
            in_braces: false,
            substitutions: 0,
            origin,
        }
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Reads a text that stands inside this one with a reader of its own.
    pub(super) fn inner<T>(
        &mut self,
        text: &str,
        origin: Origin,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> T {
        let mut inner = Reader::with_origin(text, self.fuel, origin);
        inner.depth = self.depth;
        inner.problems = std::mem::take(&mut self.problems);
        let found = read(&mut inner);
        let (problems, halted) = (std::mem::take(&mut inner.problems), inner.halted);
        self.problems = problems;
        if halted {
            self.halt();
        }
        found
    }

    /// The byte at a place that may be read.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        if at < self.end { self.text.as_bytes().get(at).copied() } else { None }
    }

    /// The next byte; line continuations before it are passed over.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.at = self.past_continuations(self.at);
        self.byte(self.at)
    }

    /// The first place from `at` on that is not a backslash before a newline.
    pub(super) fn past_continuations(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'\\') && self.byte(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }

    /// Takes everything up to `at`.
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at.min(self.end);
        self.last = self.at;
    }

    /// Takes the next `count` bytes.
    pub(super) fn advance(&mut self, count: usize) {
        self.jump(self.at.saturating_add(count));
    }

    /// One past `expected`, if that comes next.
    pub(super) fn ahead(&self, expected: &str) -> Option<usize> {
        let mut at = self.at;
        for byte in expected.bytes() {
            at = self.past_continuations(at);
            if self.byte(at) != Some(byte) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Takes `expected` if it comes next.
    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let found = self.ahead(expected);
        if let Some(at) = found {
            self.jump(at);
        }
        found.is_some()
    }

    /// The reserved word that comes next, and one past it.
    pub(super) fn keyword(&mut self) -> Option<(&'static str, usize)> {
        self.peek()?;
        RESERVED.iter().find_map(|word| {
            let end = self.ahead(word).filter(|at| self.is_boundary(*at))?;
            Some((*word, end))
        })
    }

    /// Takes the reserved word `expected` if it comes next.
    pub(super) fn eat_keyword(&mut self, expected: &str) -> bool {
        let end = self.ahead(expected).filter(|at| self.is_boundary(*at));
        if let Some(at) = end {
            self.jump(at);
        }
        end.is_some()
    }

    /// Whether a word that reaches `at` ends there.
    fn is_boundary(&self, at: usize) -> bool {
        self.byte(self.past_continuations(at)).is_none_or(|byte| METACHARACTERS.contains(&byte))
    }

    /// Passes over blanks.
    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        if self.peek() == Some(b'#') {
            self.comment();
        }
    }

    /// Passes over a comment. A backslash before the newline does not continue it.
    fn comment(&mut self) {
        let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or_default();
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    /// Passes over blanks, comments and newlines; bodies of here-documents are read on the way.
    pub(super) fn gap(&mut self) {
        loop {
            self.blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.newline();
        }
    }

    /// Takes a newline and the bodies of the here-documents that wait for it.
    pub(super) fn newline(&mut self) {
        self.advance(1);
        self.read_documents();
    }

    /// Where a place of this text lies in the text that was handed in.
    pub(super) fn place(&self, at: usize) -> u32 {
        let (base, offset) = match &self.origin {
            Origin::From(start) => (*start, at),
            Origin::Each(places) => match places.get(at) {
                Some(place) => (*place, 0),
                None => (places.last().map_or(0, |last| last.saturating_add(1)), 0),
            },
        };
        base.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX))
    }

    /// Whether every byte of this text follows the one before it in the text that was handed in.
    pub(super) fn is_contiguous(&self) -> bool {
        matches!(self.origin, Origin::From(_))
    }

    /// From `start` up to what was taken last.
    pub(super) fn span(&self, start: usize) -> Span {
        self.span_between(start, self.last.max(start))
    }

    pub(super) fn span_between(&self, start: usize, end: usize) -> Span {
        let last = if end > start { self.place(end - 1).saturating_add(1) } else { self.place(start) };
        Span::new(self.place(start), last)
    }

    /// Notes that what comes next is not valid here.
    pub(super) fn unexpected(&mut self) {
        self.peek();
        let end = self.end.min(self.at + 1);
        self.invalid(self.at, end);
    }

    /// Notes that what opened at `start` is never closed.
    pub(super) fn unclosed(&mut self, start: usize) {
        self.invalid(start, self.end);
    }

    fn invalid(&mut self, start: usize, end: usize) {
        let span = self.span_between(start, end);
        let repeated = self.problems.last().is_some_and(|last| last.span.start == span.start);
        if !self.halted && !repeated {
            self.note(Reason::Syntax, span);
        }
    }

    fn note(&mut self, reason: Reason, span: Span) {
        if self.problems.len() < PROBLEM_LIMIT || reason != Reason::Syntax {
            self.problems.push(Problem { reason, span });
        }
    }

    /// Goes one level deeper; `false` when that is too deep, and reading is then over.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= DEPTH_LIMIT {
            self.stop(Reason::Depth);
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Spends fuel; `false` when the tank is empty, and reading is then over.
    pub(super) fn spend(&mut self, units: u32) -> bool {
        let spent = self.fuel.spend(units).is_ok();
        if !spent {
            self.stop(Reason::Fuel);
        }
        spent && !self.halted
    }

    fn stop(&mut self, reason: Reason) {
        if !self.halted {
            self.note(reason, self.span_between(self.at, self.end));
            self.halt();
        }
    }

    /// Makes everything see the end of the text.
    pub(super) fn halt(&mut self) {
        self.halted = true;
        self.end = self.at;
        self.pending.clear();
    }
}
