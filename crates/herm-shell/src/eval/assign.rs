//! Assignments: texts, arrays and their elements.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::Scope;
use crate::ast::{AssignedValue, Assignment, Part, Word};
use crate::value::{Provenance, Value};

/// How many subscripts are compared for one unit of work.
const COMPARED: usize = 32;

impl Machine<'_> {
    /// Carries out an assignment.
    pub(crate) fn assign(&mut self, assignment: &Assignment, scope: &mut Scope) {
        let name = &assignment.name;
        match (&assignment.index, &assignment.value) {
            (_, AssignedValue::Array(elements)) => self.assign_array(assignment, elements, scope),
            (Some(index), AssignedValue::Scalar(word)) => self.assign_element(name, index, word, scope),
            (None, AssignedValue::Scalar(word)) => {
                let mut value = self.text(word, scope);
                if assignment.append {
                    let mut longer = scope.scalar(name).cloned().unwrap_or_default();
                    if scope.is_integer(name) {
                        longer.push_str("+");
                    }
                    longer.push(&value);
                    value = longer;
                }
                self.store(name, value, scope);
                if name == "PS4" {
                    self.traced(scope);
                }
            }
        }
    }

    fn assign_array(
        &mut self,
        assignment: &Assignment,
        elements: &[(Option<Word>, Word)],
        scope: &mut Scope,
    ) {
        let name = &assignment.name;
        if !assignment.append {
            scope.empty_array(name);
        }
        for (index, word) in elements {
            if let Some(index) = index {
                self.assign_element(name, index, word, scope);
            } else {
                let fields = self.fields(word, scope).into_iter();
                let values: Vec<_> = fields.map(|field| self.as_declared(name, field.value, scope)).collect();
                scope.variable(name).extend(values.into_iter());
            }
        }
    }

    /// `name[index]=word`. A number past the end leaves elements out: from then on, subscripts are kept.
    fn assign_element(&mut self, name: &str, index: &Word, word: &Word, scope: &mut Scope) {
        let index = self.text(index, scope);
        if !scope.is_associative(name) {
            self.evaluate(&index, scope);
        }
        let value = self.text(word, scope);
        let value = self.as_declared(name, value, scope);
        scope.name_command(name, &index, &value);
        let before = scope.variables.get(scope.referred(name));
        let keys = before.and_then(|variable| variable.keys.as_ref());
        let count = keys.map_or(0, Vec::len);
        let numbered = keys.is_none() || before.is_some_and(|variable| variable.is_sparse());
        if !self.spend(u32::try_from(count / COMPARED).unwrap_or(u32::MAX)) {
            return;
        }
        let number = if numbered { self.number_of(&index, name, scope) } else { None };
        scope.put(name, number, &index.shown(), value);
    }

    /// The place that a subscript means; negative ones count from the end.
    fn number_of(&mut self, index: &Value, name: &str, scope: &mut Scope) -> Option<usize> {
        let number = index.known().and_then(|text| self.calculate(&text, scope))?;
        let variable = scope.variables.get(scope.referred(name)).filter(|variable| variable.keys.is_none());
        let count = variable.and_then(|variable| i64::try_from(variable.values.len()).ok());
        let number = if number < 0 { count?.checked_add(number)? } else { number };
        usize::try_from(number).ok()
    }

    /// Gives a value to the element that a name stands for (`read 'a[i]'`).
    pub(super) fn set_element(&mut self, name: &str, key: &str, value: Value, scope: &mut Scope) {
        scope.name_command(name, &Value::literal(key), &value);
        let texts = scope.is_associative(name);
        let number = if texts { None } else { self.number_of(&Value::literal(key), name, scope) };
        scope.put(name, number, key, value);
    }
}

impl Scope {
    /// An element of the arrays in which bash keeps its aliases and the places of programs is one of these.
    fn name_command(&mut self, array: &str, key: &Value, value: &Value) {
        let (Some(key), Some(value)) = (key.known(), value.known()) else { return };
        match self.referred(array) {
            "BASH_ALIASES" => {
                Rc::make_mut(&mut self.aliases).insert(Rc::from(key.as_ref()), Rc::from(value.as_ref()));
            }
            "BASH_CMDS" => {
                Rc::make_mut(&mut self.hashed).insert(key.into_owned(), value.into_owned());
            }
            _ => {}
        }
    }

    /// Puts a value at a subscript. Where that may be any of an array's, none of its elements is known any more.
    fn put(&mut self, name: &str, number: Option<usize>, key: &str, value: Value) {
        let anywhere = number.is_none() && !self.is_associative(name);
        if anywhere && self.variables.get(self.referred(name)).is_some_and(|array| !array.values.is_empty()) {
            let shown = format!("${{{name}[…]}}");
            return self.set_array(name, vec![Value::unknown(shown, value.provenance | Provenance::OUTSIDE)]);
        }
        self.variable(name).put(number, key, value);
    }
}

impl super::scope::Variable {
    /// Puts a value at a subscript. Numbered ones stand in the order of their numbers, whichever came first.
    pub(crate) fn put(&mut self, number: Option<usize>, key: &str, value: Value) {
        let number = number.filter(|_| self.keys.is_none() || self.is_sparse());
        let key = number.map_or_else(|| key.to_owned(), |number| number.to_string());
        if self.keys.is_none() && number.is_some_and(|number| number > self.values.len()) {
            self.number();
        }
        let at = if self.keys.is_some() { self.position(&key) } else { number };
        if let Some(old) = at.and_then(|at| self.values.get_mut(at)) {
            *old = value;
            return;
        }
        let end = self.values.len();
        let after = |other: &String| other.parse::<usize>().ok() > number;
        let at = self.keys.as_ref().filter(|_| number.is_some()).and_then(|keys| keys.iter().position(after));
        self.values.insert(at.unwrap_or(end), value);
        if let Some(keys) = &mut self.keys {
            keys.insert(at.unwrap_or(end), key);
        }
    }

    /// Takes the value away that stands at a subscript; the others keep theirs.
    pub(crate) fn take_away(&mut self, key: &str) {
        if self.keys.is_none() {
            self.number();
        }
        if let Some(at) = self.position(key) {
            self.values.remove(at);
            if let Some(keys) = &mut self.keys {
                keys.remove(at);
            }
        }
    }

    /// From here on, subscripts are kept.
    fn number(&mut self) {
        self.keys = Some((0..self.values.len()).map(|at| at.to_string()).collect());
    }

    /// Puts values behind the others.
    fn extend(&mut self, values: impl Iterator<Item = Value>) {
        for value in values {
            if let Some(keys) = &mut self.keys {
                let next = keys
                    .last()
                    .and_then(|key| key.parse::<usize>().ok())
                    .map_or(keys.len(), |key| key.saturating_add(1));
                keys.push(next.to_string());
            }
            self.values.push(value);
        }
    }
}

/// `name[subscript]`, as the builtins take it that are given names.
pub(crate) fn element(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('[')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some((name, rest.strip_suffix(']')?)).filter(|_| is_name)
}

/// The assignment in a word `name=( … )`, with the quotes that its elements have.
pub(crate) fn declared_elements(word: &Word) -> Option<Assignment> {
    let Some(Part::Bare(first)) = word.parts.first() else { return None };
    let (name, rest) = first.split_once("=(")?;
    let mut elements: Vec<Vec<Part>> = vec![Vec::new()];
    let last = word.parts.len().checked_sub(1)?;
    for (at, part) in word.parts.iter().enumerate() {
        let text = match part {
            Part::Bare(_) if at == 0 => rest,
            Part::Bare(text) => text.as_str(),
            Part::Arithmetic(_)
            | Part::Command(..)
            | Part::DoubleQuoted(_)
            | Part::Parameter(_)
            | Part::Process(..)
            | Part::Quoted(_) => {
                elements.last_mut()?.push(part.clone());
                continue;
            }
        };
        let text = if at == last { text.strip_suffix(')')? } else { text };
        for (position, piece) in text.split(' ').enumerate() {
            if position > 0 {
                elements.push(Vec::new());
            }
            if !piece.is_empty() {
                elements.last_mut()?.push(Part::Bare(piece.to_owned()));
            }
        }
    }
    elements.retain(|parts| !parts.is_empty());
    Some(Assignment {
        name: name.trim_end_matches('+').to_owned(),
        index: None,
        append: name.ends_with('+'),
        value: AssignedValue::Array(
            elements.into_iter().map(|parts| subscripted(parts, word.span)).collect(),
        ),
        span: word.span,
    })
}

/// An element with its subscript; the reader writes the brackets of one in quotes.
fn subscripted(mut parts: Vec<Part>, span: crate::span::Span) -> (Option<Word>, Word) {
    let is = |part: &Part, text: &str| matches!(part, Part::Quoted(quoted) if quoted == text);
    let end = parts.iter().position(|part| is(part, "]="));
    match end.filter(|_| parts.first().is_some_and(|part| is(part, "["))) {
        Some(end) => {
            let value = parts.split_off(end + 1);
            parts.truncate(end);
            parts.remove(0);
            (Some(Word { parts, span }), Word { parts: value, span })
        }
        None => (None, Word { parts, span }),
    }
}

/// `declare name=( … )` comes as one word, in which the elements have blanks between them.
pub(crate) fn declare_array(name: &str, elements: &str, scope: &mut Scope) {
    scope.empty_array(name);
    let variable = scope.variable(name);
    for element in declared(elements) {
        let (key, value) = match element.strip_prefix('[').and_then(|rest| rest.split_once("]=")) {
            Some((key, value)) => (key, value),
            None => ("", element),
        };
        variable.values.push(Value::literal(value.trim_end()));
        if let Some(keys) = &mut variable.keys {
            keys.push(key.to_owned());
        }
    }
}

/// The elements; where they have subscripts, each goes to the next subscript.
fn declared(elements: &str) -> Vec<&str> {
    if !elements.trim_start().starts_with('[') {
        return elements.split_whitespace().collect();
    }
    let starts: Vec<usize> =
        elements.match_indices('[').map(|(at, _)| at).filter(|at| is_subscript(elements, *at)).collect();
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(elements.len()));
    starts.iter().zip(ends).filter_map(|(start, end)| elements.get(*start..end)).collect()
}

fn is_subscript(elements: &str, at: usize) -> bool {
    let (before, rest) = (elements.get(..at).unwrap_or_default(), elements.get(at..).unwrap_or_default());
    let begins = before.chars().next_back().is_none_or(char::is_whitespace);
    begins && rest.find(']').is_some_and(|end| rest.get(end + 1..).is_some_and(|rest| rest.starts_with('=')))
}
