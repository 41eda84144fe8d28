//! Ways through a text: where they come to the same they are put together.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::{Outcome, Scope, Status, Subscripts, Variable};
use crate::value::{Provenance, Value};

/// How many ways through a text are followed side by side.
const WAYS: usize = 8;

impl Machine<'_> {
    /// Puts equal ways together, and the last ones when there are too many.
    pub(super) fn merge(&mut self, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        if outcomes.len() < 2 {
            return outcomes;
        }
        let mut merged: Vec<Outcome> = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let same = merged.iter().position(|other| self.alike(other, &outcome));
            let full = merged.len() >= WAYS;
            match same.and_then(|at| merged.get_mut(at)) {
                Some(other) => absorb(other, outcome),
                None if full => match merged.iter_mut().rfind(|other| other.leaves == outcome.leaves) {
                    Some(last) => {
                        join(&mut last.scope, &outcome.scope);
                        absorb(last, outcome);
                        last.status = Status::Either;
                    }
                    // A way that goes on is never lost in one that leaves.
                    None => merged.push(outcome),
                },
                None => merged.push(outcome),
            }
        }
        merged
    }

    /// Whether two ways come to the same. What they share is not compared; the rest costs work.
    fn alike(&mut self, one: &Outcome, other: &Outcome) -> bool {
        let (ours, theirs) = (&one.scope.variables, &other.scope.variables);
        if one.leaves != other.leaves
            || tells_apart(one, other)
            || one.scope.directory != other.scope.directory
            || ours.len() != theirs.len()
        {
            return false;
        }
        if !Rc::ptr_eq(ours, theirs) {
            let apart = ours.values().zip(theirs.values()).filter(|(ours, theirs)| !Rc::ptr_eq(ours, theirs));
            let bytes = apart.flat_map(|(ours, _)| &ours.values).map(Value::size).sum();
            if !self.spend(one.scope.weight()) || !self.spend_bytes(bytes) {
                return false;
            }
        }
        one.scope == other.scope
    }
}

/// Whether somebody reads what two ways print, and it depends on how they end: `$(test -f a && echo b || echo c)`.
fn tells_apart(one: &Outcome, other: &Outcome) -> bool {
    one.scope.stream != 0 && one.status != other.status && one.output != other.output
}

fn absorb(outcome: &mut Outcome, other: Outcome) {
    if outcome.status != other.status {
        outcome.status = Status::Either;
    }
    outcome.output = either(std::mem::take(&mut outcome.output), other.output);
}

/// What is known of an output that is one of two. One that is empty is taken to be that of a failure.
pub(super) fn either(one: Value, other: Value) -> Value {
    if one.pieces.is_empty() {
        other
    } else if other.pieces.is_empty() || one == other {
        one
    } else {
        Value::either(one, other)
    }
}

/// Keeps what two scopes agree on; where they differ nothing is known.
pub(super) fn join(scope: &mut Scope, other: &Scope) {
    if scope.directory != other.directory {
        scope.directory = None;
    }
    scope.condition = scope.condition.max(other.condition);
    let variables = Rc::make_mut(&mut scope.variables);
    for (name, variable) in variables.iter_mut() {
        let theirs = other.variables.get(name);
        let same =
            theirs.is_some_and(|theirs| Rc::ptr_eq(theirs, variable) || theirs.values == variable.values);
        let agreed = theirs.is_some_and(|theirs| theirs.subscripts == variable.subscripts);
        if !agreed && variable.subscripts != Subscripts::Numbers {
            Rc::make_mut(variable).subscripts = Subscripts::Numbers;
        }
        if !same {
            Rc::make_mut(variable).values = vec![Value::unknown(format!("${name}"), Provenance::OUTSIDE)];
        }
    }
    for (name, theirs) in other.variables.iter().filter(|(_, theirs)| theirs.integer) {
        let unknown = || Rc::new(Variable::of(Value::unknown(format!("${name}"), Provenance::OUTSIDE)));
        let variable = variables.entry(Rc::clone(name)).or_insert_with(unknown);
        if !variable.integer {
            Rc::make_mut(variable).integer = theirs.integer;
        }
    }
    for (name, target) in other.references.iter() {
        if !scope.references.contains_key(name) {
            scope.refer(name, target);
        }
    }
    if scope.positional != other.positional {
        scope.positional = None;
    }
    if scope.stdin != other.stdin {
        scope.stdin = Some(Rc::new(Value::unknown("standard input", Provenance::OUTSIDE)));
    }
    for (name, function) in other.functions.iter() {
        Rc::make_mut(&mut scope.functions).entry(Rc::clone(name)).or_insert_with(|| Rc::clone(function));
    }
}

/// What a list printed in the end, and how it ended: the way that went well, if there are several.
pub(crate) fn picked(outcomes: &[Outcome]) -> (Value, Status) {
    if let [only] = outcomes {
        return (only.output.clone(), only.status);
    }
    let well = outcomes.iter().filter(|outcome| outcome.status != Status::Failure);
    let output = well.fold(Value::default(), |all, outcome| either(all, outcome.output.clone()));
    if output.pieces.is_empty() {
        return (outcomes.first().map(|outcome| outcome.output.clone()).unwrap_or_default(), Status::Either);
    }
    (output, Status::Either)
}
