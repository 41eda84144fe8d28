//! Redirections.

use super::cursor::{METACHARACTERS, Reader};
use super::dollar::is_name_byte;
use crate::ast::{Descriptor, Redirect, RedirectOperator as Operator, Word};

/// The operators, each before those it begins with.
const OPERATORS: [(&str, Operator); 12] = [
    ("<<<", Operator::HereString),
    ("<<-", Operator::HereDocument),
    ("<<", Operator::HereDocument),
    ("<&", Operator::DuplicateInput),
    ("<>", Operator::ReadWrite),
    ("<", Operator::Input),
    (">>", Operator::Append),
    (">&", Operator::DuplicateOutput),
    (">|", Operator::Clobber),
    (">", Operator::Output),
    ("&>>", Operator::AppendBoth),
    ("&>", Operator::OutputBoth),
];

impl Reader<'_> {
    /// Reads a redirection if one comes next.
    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        let byte = self.peek()?;
        let start = self.at;
        let descriptor = match byte {
            b'<' | b'>' | b'&' => None,
            b'0'..=b'9' => Some(self.numbered()?),
            b'{' => Some(self.variable()?),
            _ => return None,
        };
        let Some((text, operator)) = self.operator() else {
            self.at = start;
            return None;
        };
        let target = self.target(text, operator, start);
        Some(Redirect { descriptor, operator, target, span: self.span(start) })
    }

    /// Takes an operator; `<(` and `>(` are words.
    fn operator(&mut self) -> Option<(&'static str, Operator)> {
        if self.is_process() {
            return None;
        }
        OPERATORS.into_iter().find(|(text, _)| self.eat(text))
    }

    /// Takes a number if an operator follows at once.
    fn numbered(&mut self) -> Option<Descriptor> {
        let digits = self.length_while(self.at, |byte| byte.is_ascii_digit());
        let number = self.text.get(self.at..self.at + digits)?.parse().ok()?;
        self.before_operator(self.at + digits)?;
        Some(Descriptor::Number(number))
    }

    /// Takes `{name}` or `{name[subscript]}` if an operator follows at once.
    fn variable(&mut self) -> Option<Descriptor> {
        let start = self.at + 1;
        let end = start + self.length_while(start, is_name_byte);
        (end > start).then_some(())?;
        let end = self.past_subscript(end);
        let name = self.text.get(start..end)?.to_owned();
        (self.byte(end) == Some(b'}')).then_some(())?;
        self.before_operator(end + 1)?;
        Some(Descriptor::Named(name))
    }

    /// What follows a subscript without blanks and quotes, or the same place.
    fn past_subscript(&self, at: usize) -> usize {
        let is_plain = |byte: u8| !METACHARACTERS.contains(&byte) && !b"[]{}\"'\\$`".contains(&byte);
        let close = at + 1 + self.length_while(at + 1, is_plain);
        let closed = self.byte(at) == Some(b'[') && self.byte(close) == Some(b']');
        if closed { close + 1 } else { at }
    }

    fn length_while(&self, start: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(start..self.end).unwrap_or_default();
        rest.iter().take_while(|byte| belongs(**byte)).count()
    }

    fn before_operator(&mut self, at: usize) -> Option<()> {
        let at = self.past_continuations(at);
        matches!(self.byte(at), Some(b'<' | b'>')).then(|| self.at = at)
    }

    fn target(&mut self, text: &str, operator: Operator, start: usize) -> Word {
        self.blanks();
        if operator == Operator::HereDocument {
            return self.delimiter(text == "<<-", start);
        }
        let word = self.word();
        if word.parts.is_empty() {
            self.unexpected();
        }
        word
    }
}
