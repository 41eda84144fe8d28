//! `${…}`.

use super::cursor::Reader;
use super::fence::{Fence, Quoting};
use crate::ast::{Operation, Parameter, Part, ReplaceKind, Word};

impl Reader<'_> {
    /// Reads what follows `$` in `${…}`; also `${ commands; }`, which newer shells run.
    ///
    /// What bash would call a bad substitution when it gets there is kept as a default of the name that was read,
    /// perhaps an empty one, so that expansions inside it are seen.
    pub(super) fn dollar_brace(&mut self, parts: &mut Vec<Part>, start: usize, quoting: Quoting) {
        self.advance(1);
        if !self.enter() {
            return;
        }
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            self.eat("|");
            let list = self.list_in_braces(true);
            parts.push(Part::Command(list, self.span(start)));
        } else {
            let parameter = self.parameter(start, quoting);
            parts.push(Part::Parameter(parameter));
        }
        if !self.eat("}") {
            self.unclosed(start);
        }
        self.leave();
    }

    fn parameter(&mut self, start: usize, quoting: Quoting) -> Box<Parameter> {
        let mut found = Box::new(Parameter {
            name: String::new(),
            index: None,
            indirect: false,
            or_empty: false,
            operation: Operation::Plain,
            span: self.span(start),
        });
        match self.peek() {
            Some(b'#') if self.length(&mut found) => {}
            Some(b'!') if self.indirect(&mut found) => self.operation(&mut found, quoting),
            _ => {
                self.named(&mut found);
                self.operation(&mut found, quoting);
            }
        }
        // The closing brace belongs to it.
        found.span = self.span(start);
        found.span.end = found.span.end.saturating_add(u32::from(self.peek() == Some(b'}')));
        found
    }

    /// Reads `#name` if that is all; `${#}` and `${#-x}` are about `$#` itself.
    fn length(&mut self, found: &mut Parameter) -> bool {
        let start = self.at;
        self.advance(1);
        let next = self.peek();
        let alone = self.byte(self.past_continuations(self.at + 1)) == Some(b'}');
        let named = next.is_some_and(super::dollar::is_name_byte);
        let special = alone && next.is_some_and(|byte| b"@*#?-$!".contains(&byte));
        if !named && !special {
            self.at = start;
            return false;
        }
        self.named(found);
        found.operation = Operation::Length;
        if self.peek() != Some(b'}') {
            found.operation = Operation::Default(self.fenced(Fence::BRACE));
        }
        true
    }

    /// Reads `!name` if a name follows; `${!}` and `${!-x}` are about `$!` itself.
    fn indirect(&mut self, found: &mut Parameter) -> bool {
        let start = self.at;
        self.advance(1);
        let next = self.peek();
        let alone = self.byte(self.past_continuations(self.at + 1)) == Some(b'}');
        let names = next.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_@*".contains(&byte));
        let special = alone && next.is_some_and(|byte| b"#?-$!".contains(&byte));
        if !names && !special {
            self.at = start;
            return false;
        }
        self.named(found);
        found.indirect = true;
        true
    }

    /// Reads a name and its subscript.
    fn named(&mut self, found: &mut Parameter) {
        found.name = self.parameter_name(usize::MAX).unwrap_or_default();
        if !found.name.is_empty() && self.peek() == Some(b'[') {
            found.index = Some(self.subscript());
        }
    }

    /// Reads `[…]`.
    pub(super) fn subscript(&mut self) -> Word {
        let start = self.at;
        self.advance(1);
        if !self.enter() {
            return Word::default();
        }
        let index = self.fenced(Fence::SUBSCRIPT);
        if !self.eat("]") {
            self.unclosed(start);
        }
        self.leave();
        index
    }

    fn operation(&mut self, found: &mut Parameter, quoting: Quoting) {
        let Some(byte) = self.peek() else { return };
        found.operation = match byte {
            b'}' if found.indirect && is_every(found.index.as_ref()) => Operation::Names,
            b'}' => Operation::Plain,
            b'@' | b'*' if found.indirect && self.is_prefix_query() => {
                self.advance(1);
                Operation::Names
            }
            b'@' => self.transform(),
            b':' => {
                found.or_empty = true;
                self.colon(quoting)
            }
            b'-' | b'=' | b'?' | b'+' => self.alternative(byte, quoting),
            b'#' | b'%' => self.removal(byte),
            b'/' => self.replacement(),
            b'^' | b',' | b'~' => self.case_change(byte),
            _ => Operation::Default(self.operand(quoting)),
        };
    }

    fn is_prefix_query(&self) -> bool {
        self.ahead("@}").or_else(|| self.ahead("*}")).is_some()
    }

    fn transform(&mut self) -> Operation {
        self.advance(1);
        match self.peek() {
            Some(byte) if byte.is_ascii_alphabetic() => {
                self.advance(1);
                Operation::Transform(char::from(byte))
            }
            _ => Operation::Default(self.fenced(Fence::BRACE)),
        }
    }

    /// `:-` and its kin, or a substring.
    fn colon(&mut self, quoting: Quoting) -> Operation {
        self.advance(1);
        if let Some(byte @ (b'-' | b'=' | b'?' | b'+')) = self.peek() {
            return self.alternative(byte, quoting);
        }
        let offset = self.fenced(Fence::OFFSET);
        let length = self.eat(":").then(|| self.fenced(Fence { stops: b"}", ..Fence::OFFSET }));
        Operation::Substring { offset, length }
    }

    fn alternative(&mut self, byte: u8, quoting: Quoting) -> Operation {
        self.advance(1);
        let word = self.operand(quoting);
        match byte {
            b'-' => Operation::Default(word),
            b'=' => Operation::AssignDefault(word),
            b'?' => Operation::Error(word),
            _ => Operation::UseAlternative(word),
        }
    }

    fn operand(&mut self, quoting: Quoting) -> Word {
        self.fenced(if quoting.is_plain() { Fence::BRACE } else { Fence::QUOTED_BRACE })
    }

    fn removal(&mut self, byte: u8) -> Operation {
        self.advance(1);
        let longest = self.peek() == Some(byte);
        self.advance(usize::from(longest));
        let pattern = self.fenced(Fence::BRACE);
        if byte == b'#' {
            Operation::RemovePrefix { pattern, longest }
        } else {
            Operation::RemoveSuffix { pattern, longest }
        }
    }

    fn replacement(&mut self) -> Operation {
        self.advance(1);
        let kind = match self.peek() {
            Some(b'/') => ReplaceKind::All,
            Some(b'#') => ReplaceKind::Prefix,
            Some(b'%') => ReplaceKind::Suffix,
            _ => ReplaceKind::First,
        };
        self.advance(usize::from(kind != ReplaceKind::First));
        let pattern = self.fenced(Fence::REPLACED);
        let replacement = if self.eat("/") { self.fenced(Fence::BRACE) } else { Word::default() };
        Operation::Replace { pattern, replacement, kind }
    }

    fn case_change(&mut self, byte: u8) -> Operation {
        self.advance(1);
        let doubled = self.peek() == Some(byte);
        self.advance(usize::from(doubled));
        let operator = char::from(byte).to_string().repeat(1 + usize::from(doubled));
        Operation::Case(operator, self.fenced(Fence::BRACE))
    }
}

/// Whether a subscript is `@` or `*`.
fn is_every(index: Option<&Word>) -> bool {
    index.is_some_and(
        |index| matches!(index.parts.as_slice(), [Part::Bare(text)] if text == "@" || text == "*"),
    )
}
