//! sed: the commands that run programs or touch files. `-i` is the program's table's to say.

use super::span;
use crate::effect::Flags;
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// Reads a script.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let mut script = Script { text, pos: 0, altered: false };
    while script.pos < text.len() {
        let before = script.pos;
        if sink.spend(1).is_err() {
            return;
        }
        script.command(sink);
        if script.pos == before {
            script.advance();
        }
    }
}

struct Script<'a> {
    text: &'a str,
    pos: usize,
    /// Whether the line is another one than was read.
    altered: bool,
}

impl<'a> Script<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.advance();
        }
    }

    /// To the end of the line; a backslash before it goes on.
    fn line(&mut self) -> &'a str {
        let start = self.pos;
        let mut escaped = false;
        while let Some(c) = self.peek() {
            if c == '\n' && !escaped {
                break;
            }
            escaped = c == '\\' && !escaped;
            self.advance();
        }
        self.text.get(start..self.pos).unwrap_or_default().trim_start()
    }

    /// The text up to `close`, which a backslash escapes; inside brackets it does not close a pattern.
    fn delimited(&mut self, close: char) -> String {
        let mut out = String::new();
        while let Some(c) = self.advance() {
            if c == close {
                break;
            }
            if c == '\\' {
                match self.advance() {
                    Some(next) if next == close => out.push(next),
                    Some(next) => out.extend(['\\', next]),
                    None => {}
                }
            } else {
                out.push(c);
            }
        }
        out
    }

    fn addresses(&mut self) {
        loop {
            self.skip(|c| {
                c.is_whitespace() || matches!(c, ';' | ',' | '!' | '$' | '~' | '+') || c.is_ascii_digit()
            });
            match self.peek() {
                Some('/') => {
                    self.advance();
                    self.delimited('/');
                    self.skip(|c| matches!(c, 'I' | 'M'));
                }
                Some('\\') => {
                    self.advance();
                    if let Some(close) = self.advance() {
                        self.delimited(close);
                    }
                }
                Some(_) | None => return,
            }
        }
    }

    fn command(&mut self, sink: &mut dyn Sink) {
        self.addresses();
        let start = self.pos;
        let Some(letter) = self.advance() else { return };
        match letter {
            's' => {
                self.substitute(start, sink);
                self.altered = true;
            }
            'D' | 'G' | 'N' | 'P' | 'd' | 'g' | 'n' | 'x' => self.altered = true,
            'y' => {
                self.altered = true;
                if let Some(close) = self.advance() {
                    self.delimited(close);
                    self.delimited(close);
                }
            }
            'a' | 'i' | 'c' | '#' => {
                self.line();
            }
            ':' | 'b' | 't' | 'T' => self.skip(|c| !matches!(c, '\n' | ';' | '}')),
            'w' | 'W' => {
                let path = Value::literal(self.line());
                self.report(start, sink);
                sink.write(&path, &sink.stdin(), Flags::TRUNCATE);
            }
            'r' | 'R' => {
                let path = Value::literal(self.line());
                self.report(start, sink);
                let content = sink.read(&path);
                sink.print(content);
            }
            'e' => {
                let command = self.line();
                let text = if command.is_empty() { self.held(sink) } else { Value::literal(command) };
                self.report(start, sink);
                let printed = sink.code(Lang::Shell, &text);
                sink.print(printed);
            }
            _ => {}
        }
    }

    /// The line as it stands here.
    fn held(&self, sink: &dyn Sink) -> Value {
        let input = sink.stdin();
        if self.altered {
            return Value::unknown("what sed makes of the line", input.provenance | Provenance::OUTSIDE);
        }
        input
    }

    fn report(&self, start: usize, sink: &mut dyn Sink) {
        sink.at(span(start, self.pos));
    }

    fn substitute(&mut self, start: usize, sink: &mut dyn Sink) {
        let Some(close) = self.advance() else { return };
        let pattern = self.delimited(close);
        let replacement = self.delimited(close);
        let mut runs = false;
        while let Some(flag) = self.peek() {
            match flag {
                'e' => runs = true,
                'w' => {
                    self.advance();
                    let path = Value::literal(self.line());
                    self.report(start, sink);
                    sink.write(&path, &Value::literal(replacement.as_str()), Flags::TRUNCATE);
                    break;
                }
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' => {}
                c if c.is_ascii_digit() => {}
                _ => break,
            }
            self.advance();
        }
        if runs {
            self.report(start, sink);
            let text = substituted(&pattern, &replacement, &self.held(sink));
            let printed = sink.code(Lang::Shell, &text);
            sink.print(printed);
        }
    }
}

/// What the line is after the substitution, as far as plain patterns tell.
fn substituted(pattern: &str, replacement: &str, input: &Value) -> Value {
    let whole = matches!(pattern, ".*" | "^.*" | "^.*$" | ".*$");
    let refers = replacement.contains('&') || replacement.contains("\\1") || replacement.contains("\\0");
    let literal = replacement.replace("\\n", "\n").replace('\\', "");
    if whole && !refers {
        return Value::literal(literal);
    }
    if whole {
        let mut text = Value::default();
        for (index, part) in replacement.split('&').enumerate() {
            if index > 0 {
                text.push(input);
            }
            text.push_str(&part.replace('\\', ""));
        }
        return text;
    }
    let plain = !pattern.contains(['.', '*', '[', '\\', '^', '$']) && !refers && !pattern.is_empty();
    match input.known().filter(|_| plain) {
        Some(known) => Value::literal(known.replacen(pattern, &literal, 1)).from(input.provenance),
        None => Value::unknown(literal, input.provenance | Provenance::OUTSIDE),
    }
}
