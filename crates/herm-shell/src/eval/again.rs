//! Text that is expanded once more: subscripts in arithmetic, prompts, the words that completion offers.

use std::rc::Rc;

use super::code::with_stand_ins;
use super::machine::Machine;
use super::scope::{Origin, Scope, Variable};
use crate::ast::Part;
use crate::reader;
use crate::span::Span;
use crate::value::{Hole, Piece, Value};

impl Machine<'_> {
    /// What text becomes that is expanded once more. What it runs is run, and what it sets stays set.
    pub(crate) fn expand_again(&mut self, text: &Value, scope: &mut Scope) -> Value {
        if !expands(text) {
            return text.clone();
        }
        if !self.descend() {
            return Value::default();
        }
        self.decoded_code(text, scope);
        let (code, holes) = with_stand_ins(text, |name| format!("${{{name}}}"));
        let parts = self.read_expansions(&code, scope);
        let word = scope.origin.map(Span::new(0, 0));
        let origin = std::mem::replace(&mut scope.origin, Origin::Within(word));
        let hidden = lend(holes, scope);
        let mut expanded = Value { pieces: Vec::new(), provenance: text.provenance };
        for part in &parts {
            expanded.push(&self.joined(part, scope));
        }
        give_back(hidden, scope);
        scope.origin = origin;
        self.ascend();
        expanded
    }

    fn read_expansions(&mut self, text: &str, scope: &Scope) -> Vec<Part> {
        self.spend_bytes(text.len());
        let (parts, problems) = reader::read_expansions(text, &self.fuel);
        self.unreadable(problems, scope);
        parts
    }

    /// What a prompt becomes: its own escapes are replaced before it is expanded, and may write what is expanded then.
    pub(crate) fn prompt(&mut self, text: &Value, scope: &mut Scope) -> Value {
        let mut prompt = Value { pieces: Vec::new(), provenance: text.provenance };
        for piece in &text.pieces {
            match piece {
                Piece::Literal(text) => unescape(text, &mut prompt),
                Piece::Glob(_) | Piece::Hole(_) => prompt.pieces.push(piece.clone()),
            }
        }
        self.expand_again(&prompt, scope)
    }
}

/// Whether any part of a text is expanded where that is done once more.
pub(super) fn expands(text: &Value) -> bool {
    text.pieces.iter().any(|piece| match piece {
        Piece::Glob(text) | Piece::Literal(text) => text.contains(['$', '`']),
        Piece::Hole(_) => false,
    })
}

/// Sets what stand-ins stand for, and returns what they hide.
fn lend(holes: Vec<(String, Value)>, scope: &mut Scope) -> Vec<(String, Option<Rc<Variable>>)> {
    let mut hidden = Vec::with_capacity(holes.len());
    for (name, hole) in holes {
        hidden.push((name.clone(), scope.variables.get(name.as_str()).cloned()));
        scope.set(&name, hole);
    }
    hidden
}

fn give_back(hidden: Vec<(String, Option<Rc<Variable>>)>, scope: &mut Scope) {
    for (name, variable) in hidden {
        match variable {
            Some(variable) => {
                Rc::make_mut(&mut scope.variables).insert(Rc::from(name.as_str()), variable);
            }
            None => scope.unset(&name),
        }
    }
}

/// Replaces the escapes of a prompt. Of most it is only known that they become something that is not expanded.
fn unescape(text: &str, prompt: &mut Value) {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        prompt.push_str(before);
        let digits = octal(escape);
        if let Some(byte) = u32::from_str_radix(digits, 8).ok().and_then(char::from_u32) {
            prompt.push_str(byte.encode_utf8(&mut [0; 4]));
            rest = escape.get(1 + digits.len()..).unwrap_or_default();
            continue;
        }
        let end = escape.chars().take(2).map(char::len_utf8).sum();
        let (escape, after) = escape.split_at_checked(end).unwrap_or((escape, ""));
        match escape {
            "\\n" => prompt.push_str("\n"),
            "\\\\" | "\\" => prompt.push_str("\\"),
            "\\[" | "\\]" => {}
            _ => {
                let hole = Hole {
                    shown: escape.to_owned(),
                    may_be_empty: false,
                    may_split: false,
                    ..Hole::default()
                };
                prompt.pieces.push(Piece::Hole(hole));
            }
        }
        rest = after;
    }
    prompt.push_str(rest);
}

/// The digits of `\044`.
fn octal(escape: &str) -> &str {
    let digits = escape.bytes().skip(1).take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    escape.get(1..1 + digits).unwrap_or_default()
}
