//! Arithmetic, and what evaluating it runs.
//!
//! A name in arithmetic stands for what its variable holds, which is evaluated as arithmetic in turn; and what stands
//! in a subscript is expanded once more where it is evaluated, with the commands in it. So whatever bash takes for
//! arithmetic comes by [`Machine::evaluate`], and whatever names an element of an array by [`Machine::subscript`].

use std::collections::HashSet;
use std::rc::Rc;

use super::again::expands;
use super::machine::Machine;
use super::scope::{Scope, Status, Variables};
use crate::arith;
use crate::ast::{Part, Word};
use crate::programs::arguments::tail;
use crate::value::{Hole, Piece, Provenance, Value};

/// The operators of `[[` between operands that are arithmetic.
const NUMERIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// How many names are looked up for one unit of work.
const NAMES_PER_UNIT: usize = 4;
/// How many elements of an array are looked at for one unit of work.
const ELEMENTS_PER_UNIT: usize = 32;

impl Machine<'_> {
    pub(super) fn arithmetic(&mut self, parts: &[Part], scope: &mut Scope) -> Value {
        let mut text = Value::default();
        for part in parts {
            text.push(&self.joined(part, scope));
        }
        self.evaluate(&text, scope);
        let result = text.known().and_then(|text| self.calculate(&text, scope));
        match result {
            Some(number) => Value::literal(number.to_string()),
            None => number_hole(&text),
        }
    }

    /// The value of arithmetic; assignments in it happen. What it runs is [`Self::evaluate`]'s to say.
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

    /// Carries out `((…))`.
    pub(crate) fn arithmetic_command(&mut self, word: &Word, scope: &mut Scope) -> Status {
        let text = self.text(word, scope);
        self.evaluate(&text, scope);
        self.arithmetic_status(&text.shown(), scope)
    }

    /// Carries out an expression. What comes to nothing fails.
    pub(super) fn arithmetic_status(&mut self, expression: &str, scope: &mut Scope) -> Status {
        match self.calculate(expression, scope) {
            Some(0) => Status::Failure,
            Some(_) => Status::Success,
            None => {
                forget(expression, scope);
                Status::Either
            }
        }
    }

    pub(crate) fn condition(&mut self, words: &[Word], scope: &mut Scope) -> Status {
        let mut values = Vec::with_capacity(words.len());
        for word in words {
            if !self.spend(1) {
                return Status::Either;
            }
            values.push(self.text(word, scope));
        }
        for at in 1..values.len().saturating_sub(1) {
            if values.get(at).and_then(Value::known).is_some_and(|operator| operator == "=~") {
                let quotes = words.get(at + 1).is_some_and(|word| word.parts.iter().any(is_quoted));
                let texts = values.get(at - 1).zip(values.get(at + 1)).filter(|_| !quotes);
                matched(texts, scope);
            }
        }
        self.compared(&values, scope)
    }

    /// Evaluates what `[[` and `test` do of their words: what is compared as numbers, and the names of elements.
    /// How it comes out is known of two whole numbers.
    pub(crate) fn compared(&mut self, words: &[Value], scope: &mut Scope) -> Status {
        for (at, operator) in words.iter().enumerate() {
            let Some(operator) = operator.known() else { continue };
            let behind = words.get(at + 1);
            if NUMERIC.contains(&operator.as_ref()) {
                let before = at.checked_sub(1).and_then(|at| words.get(at));
                for operand in before.into_iter().chain(behind) {
                    self.evaluate(operand, scope);
                }
            } else if let Some(name) = behind.filter(|_| operator == "-v") {
                self.subscript(name, scope);
            }
        }
        numbers_compared(words)
    }

    /// Evaluates text as arithmetic, for what that runs.
    pub(crate) fn evaluate(&mut self, text: &Value, scope: &mut Scope) {
        if tells(text) {
            let mut seen = Seen { texts: HashSet::new(), variables: Rc::clone(&scope.variables) };
            self.evaluate_unseen(text, &mut seen, scope);
        }
    }

    fn evaluate_unseen(&mut self, text: &Value, seen: &mut Seen, scope: &mut Scope) {
        if !tells(text) || !self.spend(1) || !self.spend_bytes(length(text)) {
            return;
        }
        if !seen.insert(text, scope) || !self.descend() {
            return;
        }
        if expands(text) {
            let expanded = self.expand_again(text, scope);
            self.evaluate_unseen(&expanded, seen, scope);
        }
        for piece in &text.pieces {
            if let Piece::Literal(text) | Piece::Glob(text) = piece {
                for (at, (name, subscripted)) in names(text).enumerate() {
                    if at % NAMES_PER_UNIT == NAMES_PER_UNIT - 1 && !self.spend(1) {
                        break;
                    }
                    self.evaluate_name(name, subscripted, seen, scope);
                }
            }
        }
        self.ascend();
    }

    /// Evaluates what a name stands for; with a subscript, what any element holds.
    fn evaluate_name(&mut self, name: &str, subscripted: bool, seen: &mut Seen, scope: &mut Scope) {
        let referred = scope.referred(name);
        if referred != name {
            let referred = Value::literal(referred);
            return self.evaluate_unseen(&referred, seen, scope);
        }
        let Some(variable) = scope.variables.get(name).map(Rc::clone) else { return };
        let values = variable.values.iter().take(if subscripted { usize::MAX } else { 1 });
        let (count, bytes) =
            values.clone().fold((0, 0), |(count, bytes), value| (count + 1, bytes + length(value)));
        if self.spend(u32::try_from(count / ELEMENTS_PER_UNIT).unwrap_or(u32::MAX)) && self.spend_bytes(bytes)
        {
            for value in values {
                self.evaluate_unseen(value, seen, scope);
            }
        }
    }

    /// Evaluates the subscript of the element that a name stands for.
    pub(crate) fn subscript(&mut self, name: &Value, scope: &mut Scope) {
        let referred = name.known().map(|name| scope.referred(&name).to_owned());
        match referred {
            Some(name) => self.own_subscript(&Value::literal(name), scope),
            None => self.own_subscript(name, scope),
        }
    }

    /// Evaluates the subscript in the name of an element, as builtins take one. One of an associative array is text,
    /// but is expanded once more all the same.
    pub(crate) fn own_subscript(&mut self, name: &Value, scope: &mut Scope) {
        let name = written(name);
        if !is_element(&name) {
            return;
        }
        let known = name.known_prefix();
        let Some((array, _)) = known.split_once('[') else { return self.evaluate(&name, scope) };
        let subscript = tail(&name, array.len() + 1);
        if scope.is_associative(array) {
            self.expand_again(&subscript, scope);
        } else {
            self.evaluate(&subscript, scope);
        }
    }
}

/// What one evaluation has gone through, as long as no variable changes under it.
struct Seen {
    texts: HashSet<String>,
    variables: Rc<Variables>,
}

impl Seen {
    /// Whether a text is gone through for the first time.
    fn insert(&mut self, text: &Value, scope: &Scope) -> bool {
        if !Rc::ptr_eq(&self.variables, &scope.variables) {
            self.variables = Rc::clone(&scope.variables);
            self.texts.clear();
        }
        self.texts.insert(text.shown())
    }
}

/// How the comparison of two whole numbers comes out, if words are nothing else.
pub(super) fn numbers_compared(words: &[Value]) -> Status {
    let words = match words {
        [words @ .., last] if last.known().is_some_and(|last| last == "]") => words,
        words => words,
    };
    let [left, operator, right] = words else { return Status::Either };
    let number = |value: &Value| value.known().and_then(|text| text.trim().parse::<i64>().ok());
    let (Some(left), Some(operator), Some(right)) = (number(left), operator.known(), number(right)) else {
        return Status::Either;
    };
    let holds = match operator.as_ref() {
        "-eq" => left == right,
        "-ne" => left != right,
        "-lt" => left < right,
        "-le" => left <= right,
        "-gt" => left > right,
        "-ge" => left >= right,
        _ => return Status::Either,
    };
    if holds { Status::Success } else { Status::Failure }
}

/// Whether evaluating a text can do more than come to a number.
fn tells(text: &Value) -> bool {
    let telling = |letter: char| letter.is_ascii_alphabetic() || "_$`".contains(letter);
    text.pieces.iter().any(|piece| match piece {
        Piece::Glob(text) | Piece::Literal(text) => text.contains(telling),
        Piece::Hole(_) => false,
    })
}

/// How many bytes of a text are known.
fn length(text: &Value) -> usize {
    let known = text.pieces.iter().map(|piece| match piece {
        Piece::Glob(text) | Piece::Literal(text) => text.len(),
        Piece::Hole(_) => 0,
    });
    known.sum()
}

/// The names in arithmetic, each with whether a subscript follows it.
fn names(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let belongs = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = text.split_inclusive(move |letter: char| !belongs(letter));
    let words =
        words.map(move |word| (word.trim_end_matches(|letter| !belongs(letter)), word.ends_with('[')));
    words.filter(|(name, _)| name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'))
}

/// Whether a value names an element of an array, as far as it is known.
fn is_element(name: &Value) -> bool {
    let other = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
    let first = name.pieces.iter().find_map(|piece| match piece {
        Piece::Glob(text) | Piece::Literal(text) => text.find(other).and_then(|at| text.get(at..)),
        Piece::Hole(_) => None,
    });
    first.is_some_and(|rest| rest.starts_with('['))
}

/// A value in which patterns are the text that they are written as.
pub(super) fn written(value: &Value) -> Value {
    let mut written = Value { pieces: Vec::new(), provenance: value.provenance };
    for piece in &value.pieces {
        match piece {
            Piece::Glob(text) | Piece::Literal(text) => written.push_str(text),
            Piece::Hole(_) => written.pieces.push(piece.clone()),
        }
    }
    written
}

fn number_hole(text: &Value) -> Value {
    let hole = Hole {
        shown: format!("$(({}))", text.shown()),
        may_be_empty: false,
        may_split: false,
        ..Hole::default()
    };
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

/// Whether letters of a pattern stand for themselves: quoted ones do.
fn is_quoted(part: &Part) -> bool {
    match part {
        Part::DoubleQuoted(_) => true,
        Part::Quoted(text) => text.contains(|letter: char| !letter.is_alphanumeric() && letter != ' '),
        Part::Arithmetic(_) | Part::Bare(_) | Part::Command(..) | Part::Parameter(_) | Part::Process(..) => {
            false
        }
    }
}

/// How many groups a match is taken to have of which nothing is known.
const UNKNOWN_GROUPS: usize = 10;

/// What `[[ TEXT =~ PATTERN ]]` leaves in `BASH_REMATCH`: the match and its groups, exactly or not at all.
fn matched(texts: Option<(&Value, &Value)>, scope: &mut Scope) {
    let known = texts.and_then(|(text, pattern)| Some((text.known()?, pattern.known()?, text.provenance)));
    let groups = known.as_ref().and_then(|(text, pattern, _)| crate::filters::groups(text, pattern));
    let origin = texts.map_or(Provenance::NONE, |(text, _)| text.provenance);
    let values = match groups {
        Some(groups) => groups.into_iter().map(|group| Value::literal(group).from(origin)).collect(),
        None => vec![Value::unknown("$BASH_REMATCH", origin | Provenance::OUTSIDE); UNKNOWN_GROUPS],
    };
    scope.set_array("BASH_REMATCH", values);
}
