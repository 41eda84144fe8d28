//! Programs with their words, assignments, and functions by `NAME()`.

use super::cursor::Reader;
use super::dollar::is_name_byte;
use super::fence::Fence;
use super::word::push_bare;
use crate::ast::{AssignedValue, Assignment, Command, CommandKind, Part, Redirect, Word};

/// The builtins behind which bash reads `NAME=( … )` in one word.
const DECLARING: [&str; 8] = ["alias", "declare", "eval", "export", "let", "local", "readonly", "typeset"];

/// A simple command as far as it was read.
#[derive(Default)]
struct Simple {
    assignments: Vec<Assignment>,
    words: Vec<Word>,
    redirects: Vec<Redirect>,
}

impl Simple {
    fn is_empty(&self) -> bool {
        self.assignments.is_empty() && self.words.is_empty() && self.redirects.is_empty()
    }

    fn declares(&self) -> bool {
        let Some(Word { parts, .. }) = self.words.first() else { return false };
        matches!(parts.as_slice(), [Part::Bare(text)] if DECLARING.contains(&text.as_str()))
    }

    /// Whether it is one plain word, as a function's name is.
    fn names_function(&self) -> bool {
        let [Word { parts, .. }] = self.words.as_slice() else { return false };
        let plain = matches!(parts.as_slice(), [Part::Bare(_)]);
        plain && self.assignments.is_empty() && self.redirects.is_empty()
    }
}

impl Reader<'_> {
    /// Reads a simple command of which some words were read already, or a function's definition.
    pub(super) fn simple(&mut self, start: usize, words: Vec<Word>) -> Option<Command> {
        let mut simple = Simple { words, ..Simple::default() };
        if self.at_list_end() {
            return None;
        }
        loop {
            self.blanks();
            if self.peek() == Some(b'(') && simple.names_function() && self.eat_parentheses() {
                let name = self.function_name(start);
                return self.named_function(name, start);
            }
            if !self.simple_piece(&mut simple) {
                break;
            }
        }
        let span = self.span(start);
        (!simple.is_empty()).then(|| {
            let Simple { assignments, words, redirects } = simple;
            Command { kind: CommandKind::Simple { assignments, words }, redirects, span }
        })
    }

    /// Whether a reserved word that ends a list comes next.
    fn at_list_end(&mut self) -> bool {
        let word = self.keyword().map(|(word, _)| word);
        matches!(word, Some("}" | "do" | "done" | "elif" | "else" | "esac" | "fi" | "then"))
    }

    fn function_name(&self, start: usize) -> String {
        let source = self.text.get(start..self.last).unwrap_or_default();
        source.split('(').next().unwrap_or_default().trim_end().replace("\\\n", "")
    }

    fn named_function(&mut self, name: String, start: usize) -> Option<Command> {
        if !self.enter() {
            return None;
        }
        let kind = self.function_body(name);
        self.leave();
        Some(Command { kind, redirects: Vec::new(), span: self.span(start) })
    }

    /// Reads a redirection, an assignment or a word.
    fn simple_piece(&mut self, simple: &mut Simple) -> bool {
        if let Some(redirect) = self.redirect() {
            simple.redirects.push(redirect);
            return true;
        }
        if simple.words.is_empty() {
            return self.leading_piece(simple);
        }
        let mut word = self.word();
        if simple.declares() && self.peek() == Some(b'(') && is_assigning(&word) {
            self.declared_array(&mut word);
        }
        let found = !word.parts.is_empty();
        simple.words.extend(found.then_some(word));
        found
    }

    /// Reads an assignment or the first word.
    fn leading_piece(&mut self, simple: &mut Simple) -> bool {
        self.peek();
        let start = self.at;
        let mut assignment = Target { name: self.assigned_name(), index: None };
        let mut parts = Vec::new();
        if !assignment.name.is_empty() {
            push_bare(&mut parts, &assignment.name);
            if self.peek() == Some(b'[') {
                assignment.index = Some(self.subscript());
            }
            let append = self.ahead("+=").is_some();
            if self.eat("+=") || self.eat("=") {
                let value = self.assigned_value();
                let Target { name, index } = assignment;
                simple.assignments.push(Assignment { name, index, append, value, span: self.span(start) });
                return true;
            }
        }
        if let Some(index) = assignment.index {
            push_subscript(&mut parts, index);
        }
        let word = self.word_from(start, parts, Fence::FIRST);
        let found = !word.parts.is_empty();
        simple.words.extend(found.then_some(word));
        found
    }

    /// Takes a name if `=`, `+=` or `[` follows it.
    fn assigned_name(&mut self) -> String {
        let start = self.at;
        if !self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
            return String::new();
        }
        let last = self.last;
        let name = self.name(usize::MAX, is_name_byte);
        let assigns = matches!(self.peek(), Some(b'=' | b'[')) || self.ahead("+=").is_some();
        if assigns {
            return name;
        }
        (self.at, self.last) = (start, last);
        String::new()
    }

    fn assigned_value(&mut self) -> AssignedValue {
        if self.peek() == Some(b'(') {
            AssignedValue::Array(self.array())
        } else {
            AssignedValue::Scalar(self.word())
        }
    }

    /// Reads `( … )` behind `=`.
    fn array(&mut self) -> Vec<(Option<Word>, Word)> {
        let start = self.at;
        let mut elements = Vec::new();
        self.advance(1);
        if !self.enter() {
            return elements;
        }
        loop {
            self.gap();
            match self.peek() {
                None => break self.unclosed(start),
                Some(b')') => break self.advance(1),
                Some(_) => match self.element() {
                    Some(element) => elements.push(element),
                    None => self.pass_over(),
                },
            }
        }
        self.leave();
        elements
    }

    /// Reads `word` or `[index]=word`.
    fn element(&mut self) -> Option<(Option<Word>, Word)> {
        let start = self.at;
        if self.peek() != Some(b'[') {
            let word = self.word();
            return (!word.parts.is_empty()).then_some((None, word));
        }
        let index = self.subscript();
        if self.eat("+=") || self.eat("=") {
            return Some((Some(index), self.word()));
        }
        let mut parts = Vec::new();
        push_subscript(&mut parts, index);
        Some((None, self.word_from(start, parts, Fence::WORD)))
    }

    /// Reads the array of `export a=( … )` into the word itself: `a=(`, the elements with blanks between them, `)`.
    fn declared_array(&mut self, word: &mut Word) {
        let start = self.at;
        let elements = self.array();
        push_bare(&mut word.parts, "(");
        for (position, (index, element)) in elements.into_iter().enumerate() {
            if position > 0 {
                push_bare(&mut word.parts, " ");
            }
            if let Some(index) = index {
                // Quoted: here a bracket begins a subscript, not a pattern.
                word.parts.push(Part::Quoted("[".to_owned()));
                push_parts(&mut word.parts, index.parts);
                word.parts.push(Part::Quoted("]=".to_owned()));
            }
            push_parts(&mut word.parts, element.parts);
        }
        push_bare(&mut word.parts, ")");
        word.span = word.span.to(self.span(start));
    }
}

/// What is assigned to, as far as it was read.
struct Target {
    name: String,
    index: Option<Word>,
}

/// Adds `[index]` as text.
fn push_subscript(parts: &mut Vec<Part>, index: Word) {
    push_bare(parts, "[");
    push_parts(parts, index.parts);
    push_bare(parts, "]");
}

fn push_parts(parts: &mut Vec<Part>, more: Vec<Part>) {
    for part in more {
        if let Part::Bare(text) = part {
            push_bare(parts, &text);
        } else {
            parts.push(part);
        }
    }
}

/// Whether a word is `NAME=` or `NAME+=`.
fn is_assigning(word: &Word) -> bool {
    let [Part::Bare(text)] = word.parts.as_slice() else { return false };
    let Some(name) = text.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.split('[').next().is_some_and(|name| !name.is_empty() && name.bytes().all(is_name_byte))
}
