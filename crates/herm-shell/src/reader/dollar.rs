//! What begins with `$`.

use super::cursor::Reader;
use super::fence::{Fence, Quoting};
use super::word::push_text;
use crate::ast::{Operation, Parameter, Part};

impl Reader<'_> {
    /// Reads what begins with `$`, or that alone.
    pub(super) fn dollar(&mut self, parts: &mut Vec<Part>, quoting: Quoting) {
        let start = self.at;
        self.advance(1);
        match self.peek() {
            Some(b'(') => self.dollar_parenthesis(parts, start),
            Some(b'{') => self.dollar_brace(parts, start, quoting),
            Some(b'[') => self.dollar_bracket(parts, start),
            Some(b'\'') if quoting.is_plain() => self.ansi_quoted(parts),
            Some(b'"') if quoting.is_plain() => self.double_quoted(parts),
            _ => match self.parameter_name(1) {
                Some(name) => parts.push(self.plain_parameter(name, start)),
                None => push_text(parts, "$", quoting),
            },
        }
    }

    fn plain_parameter(&self, name: String, start: usize) -> Part {
        let operation = Operation::Plain;
        let span = self.span(start);
        Part::Parameter(Box::new(Parameter {
            name,
            index: None,
            indirect: false,
            or_empty: false,
            operation,
            span,
        }))
    }

    /// `$(( … ))` or `$( … )`.
    fn dollar_parenthesis(&mut self, parts: &mut Vec<Part>, start: usize) {
        if let Some((from, to)) = self.arithmetic_bounds() {
            parts.push(Part::Arithmetic(self.arithmetic(from, to)));
        } else {
            let list = self.substituted();
            parts.push(Part::Command(list, self.span(start)));
        }
    }

    /// `$[ … ]`.
    fn dollar_bracket(&mut self, parts: &mut Vec<Part>, start: usize) {
        self.advance(1);
        if !self.enter() {
            return;
        }
        let mut inside = Vec::new();
        self.parts(&mut inside, Fence::BRACKETS);
        parts.push(Part::Arithmetic(inside));
        if !self.eat("]") {
            self.unclosed(start);
        }
        self.leave();
    }

    /// The inside of `(( … ))` that comes next, both parentheses left to be read.
    pub(super) fn arithmetic_bounds(&mut self) -> Option<(usize, usize)> {
        let inner = self.ahead("((")?;
        let close = self.closing(inner - 1)?;
        (self.byte(close + 1) == Some(b')')).then_some((inner, close))
    }

    /// Reads the inside of `(( … ))` and both closing parentheses.
    pub(super) fn arithmetic(&mut self, from: usize, to: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        if !self.enter() {
            return parts;
        }
        let end = self.end;
        self.jump(from);
        self.end = to;
        self.parts(&mut parts, Fence::ARITHMETIC);
        if !self.halted {
            self.end = end;
            self.jump(to + 2);
        }
        self.leave();
        parts
    }

    /// A parameter's name: a variable, up to `digits` digits, or a special character.
    pub(super) fn parameter_name(&mut self, digits: usize) -> Option<String> {
        match self.peek()? {
            byte if byte.is_ascii_alphabetic() || byte == b'_' => Some(self.name(usize::MAX, is_name_byte)),
            byte if byte.is_ascii_digit() => Some(self.name(digits, |byte| byte.is_ascii_digit())),
            byte if b"@*#?-$!".contains(&byte) => {
                self.advance(1);
                Some(char::from(byte).to_string())
            }
            _ => None,
        }
    }

    /// Takes at most `limit` bytes of a name.
    pub(super) fn name(&mut self, limit: usize, belongs: fn(u8) -> bool) -> String {
        let mut name = String::new();
        while let Some(byte) = self.peek().filter(|byte| name.len() < limit && belongs(*byte)) {
            name.push(char::from(byte));
            self.advance(1);
        }
        name
    }
}

/// Whether `byte` may stand inside a variable's name.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
