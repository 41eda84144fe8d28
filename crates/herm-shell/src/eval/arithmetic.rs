//! Arithmetic, and what evaluating it runs.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::Scope;
use crate::arith;
use crate::ast::{Part, Word};
use crate::value::{Hole, Piece, Value};

/// The operators of `[[` whose operands are arithmetic.
const NUMERIC: &[&str] = &["-v", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Machine<'_> {
    pub(super) fn arithmetic(&mut self, parts: &[Part], scope: &mut Scope) -> Value {
        let mut text = Value::default();
        for part in parts {
            text.push(&self.joined(part, scope));
        }
        self.injected(&text, scope);
        self.injected_variables(&text, scope);
        let result = text.known().and_then(|text| self.calculate(&text, scope));
        match result {
            Some(number) => Value::literal(number.to_string()),
            None => number_hole(&text),
        }
    }

    /// Evaluates arithmetic; assignments in it happen.
    pub(crate) fn calculate(&mut self, text: &str, scope: &mut Scope) -> Option<i64> {
        let variables = Rc::clone(&scope.variables);
        let mut lookup = |name: &str| {
            let value = variables.get(name).and_then(|variable| variable.values.first())?;
            value.known().map(std::borrow::Cow::into_owned)
        };
        let outcome = arith::run(text, &mut lookup, &self.fuel)?;
        for (name, number) in outcome.assignments {
            scope.set(&name, Value::literal(number.to_string()));
        }
        Some(outcome.value)
    }

    pub(crate) fn arithmetic_command(&mut self, word: &Word, scope: &mut Scope) {
        let text = self.text(word, scope);
        self.injected(&text, scope);
        for part in text.shown().split(';') {
            if self.calculate(part, scope).is_none() {
                forget(part, scope);
            }
        }
    }

    pub(crate) fn condition(&mut self, words: &[Word], scope: &mut Scope) {
        let mut values = Vec::with_capacity(words.len());
        for word in words {
            if !self.spend(1) {
                return;
            }
            values.push(self.text(word, scope));
        }
        let numeric =
            values.iter().any(|value| value.known().is_some_and(|text| NUMERIC.contains(&text.as_ref())));
        if numeric {
            for value in &values {
                self.injected(value, scope);
            }
        }
    }

    /// A variable in arithmetic is evaluated as arithmetic in turn.
    fn injected_variables(&mut self, text: &Value, scope: &mut Scope) {
        let text = text.shown();
        let names = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let values: Vec<Value> = names.filter_map(|name| scope.scalar(name).cloned()).collect();
        for value in values {
            self.injected(&value, scope);
        }
    }

    /// Text that is evaluated as arithmetic runs the substitutions in its subscripts.
    pub(crate) fn injected(&mut self, text: &Value, scope: &mut Scope) {
        let Some(text) = text.known() else { return };
        if !text.contains("$(") && !text.contains('`') {
            return;
        }
        let code = format!(": \"{}\"", text.replace('"', "\\\""));
        let list = self.read_shell(&code, scope);
        let mut inner = scope.clone();
        inner.origin = super::scope::Origin::Within(scope.origin.map(crate::span::Span::new(0, 0)));
        let _ = self.list(&list, inner);
    }
}

fn number_hole(text: &Value) -> Value {
    let hole = Hole { shown: format!("$(({}))", text.shown()), may_be_empty: false, may_split: false };
    Value { pieces: vec![Piece::Hole(hole)], provenance: text.provenance }
}

/// An expression that could not be evaluated leaves the variable it may assign unknown.
fn forget(expression: &str, scope: &mut Scope) {
    let name: String = expression
        .trim()
        .chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
        .collect();
    if !name.is_empty() && expression.contains(['=', '+', '-']) {
        scope.set(&name, number_hole(&Value::literal(name.as_str())));
    }
}
