//! Assignments: texts, arrays and their elements.

use super::machine::Machine;
use super::scope::Scope;
use crate::ast::{AssignedValue, Assignment, Word};
use crate::value::Value;

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
                    longer.push(&value);
                    value = longer;
                }
                scope.set(name, value);
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
                let values = self.fields(word, scope).into_iter().map(|field| field.value);
                scope.variable(name).extend(values);
            }
        }
    }

    /// `name[index]=word`. A number past the end leaves elements out: from then on, subscripts are kept.
    fn assign_element(&mut self, name: &str, index: &Word, word: &Word, scope: &mut Scope) {
        let index = self.text(index, scope);
        self.injected(&index, scope);
        let value = self.text(word, scope);
        let before = scope.variables.get(scope.referred(name));
        let keys = before.and_then(|variable| variable.keys.as_ref());
        let count = keys.map_or(0, Vec::len);
        let numbered = keys.is_none() || before.is_some_and(|variable| variable.is_sparse());
        if !self.spend(u32::try_from(count / COMPARED).unwrap_or(u32::MAX)) {
            return;
        }
        let number = if numbered { self.number_of(&index, scope) } else { None };
        let key = number.map_or_else(|| index.shown(), |number| number.to_string());
        let variable = scope.variable(name);
        if number.is_some_and(|number| number > variable.values.len()) && variable.keys.is_none() {
            variable.keys = Some((0..variable.values.len()).map(|at| at.to_string()).collect());
        }
        let at = if variable.keys.is_some() { variable.position(&key) } else { number };
        if let Some(old) = at.and_then(|at| variable.values.get_mut(at)) {
            *old = value;
            return;
        }
        variable.values.push(value);
        if let Some(keys) = &mut variable.keys {
            keys.push(key);
        }
    }

    fn number_of(&mut self, index: &Value, scope: &mut Scope) -> Option<usize> {
        let number = index.known().and_then(|text| self.calculate(&text, scope))?;
        usize::try_from(number).ok()
    }
}

impl super::scope::Variable {
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
