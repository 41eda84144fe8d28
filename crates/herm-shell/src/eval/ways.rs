//! Ways through a text: where they come to the same they are put together.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::{Outcome, Scope, Status, Subscripts, Variable};
use crate::value::{Piece, Provenance, Value};

/// How many ways through a text are followed side by side.
const WAYS: usize = 8;
/// How many of them may differ in nothing but numbers: a counter has another value on each way out of its loop.
const COUNTS: usize = 2;
/// How many entries of two scopes are compared for one step of work.
const COMPARED: usize = 16;
/// The same for bytes that both have.
const COMPARED_BYTES: usize = 256;

impl Machine<'_> {
    /// Puts equal ways together, and ways that may be one when there are too many.
    pub(super) fn merge(&mut self, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        self.merge_counting(outcomes, COUNTS)
    }

    /// The same, where no more than so many ways may differ in nothing but numbers.
    pub(super) fn merge_counting(&mut self, outcomes: Vec<Outcome>, counts: usize) -> Vec<Outcome> {
        if outcomes.len() < 2 {
            return outcomes;
        }
        let most = self.most_ways();
        let mut merged: Vec<Outcome> = Vec::with_capacity(outcomes.len().min(WAYS));
        for outcome in outcomes {
            if let Some(other) = self.same(&merged, &outcome).and_then(|at| merged.get_mut(at)) {
                absorb(other, outcome);
            } else if let Some(other) =
                self.near(&merged, &outcome, (counts, most)).and_then(|at| merged.get_mut(at))
            {
                join(&mut other.scope, &outcome.scope);
                absorb(other, outcome);
                other.status = Status::Either;
            } else {
                // A way that goes on is never lost in one that leaves.
                merged.push(outcome);
            }
        }
        merged
    }

    /// How many ways are followed from here: the less there is left to spend, the sooner they are taken for one.
    fn most_ways(&self) -> usize {
        let (left, all) = (self.fuel.left(), self.setting.limits.fuel);
        match left.saturating_mul(4).checked_div(all) {
            Some(0) => 1,
            Some(1) => 2,
            Some(2) => 4,
            Some(_) | None => WAYS,
        }
    }

    /// Which way comes to the same.
    fn same(&mut self, merged: &[Outcome], outcome: &Outcome) -> Option<usize> {
        merged.iter().position(|other| self.alike(other, outcome))
    }

    /// Which way another one is put together with, so that no more than `most` are followed, and `counts` that differ in numbers.
    fn near(
        &mut self,
        merged: &[Outcome],
        outcome: &Outcome,
        (counts, most): (usize, usize),
    ) -> Option<usize> {
        let going = merged.iter().filter(|other| other.leaves == outcome.leaves).count();
        let counted = |other: &Outcome| {
            may_be_one(other, outcome)
                && apart(other, outcome).all(|(ours, theirs)| is_number(ours) && is_number(theirs))
        };
        let entries = u32::try_from(outcome.scope.variables.len() / COMPARED).unwrap_or(u32::MAX);
        let (at, full) = if going >= counts && self.step(1 + entries) {
            let at = merged.iter().rposition(counted);
            (at, going >= most)
        } else {
            (None, going >= most)
        };
        let at = at.or_else(|| merged.iter().rposition(|other| full && may_be_one(other, outcome)));
        let last = || merged.iter().rposition(|other| going >= WAYS && other.leaves == outcome.leaves);
        at.or_else(last).filter(|_| self.spend(outcome.scope.weight()))
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
            // The first difference ends it.
            let (mut entries, mut bytes) = (0, 0);
            let same = ours.iter().zip(theirs.iter()).all(|((name, ours), (other, theirs))| {
                entries += 1;
                if Rc::ptr_eq(ours, theirs) {
                    return name == other;
                }
                let shared =
                    ours.values.iter().zip(&theirs.values).take_while(|(ours, theirs)| ours == theirs);
                bytes += shared.map(|(ours, _)| ours.size()).sum::<usize>();
                name == other && ours == theirs
            });
            let steps = u32::try_from(1 + entries / COMPARED + bytes / COMPARED_BYTES).unwrap_or(u32::MAX);
            if !self.step(steps) || !same {
                return false;
            }
        }
        one.scope == other.scope
    }
}

/// The variables of two ways that are not the same in both; none where both have not the same names.
fn apart<'o>(
    one: &'o Outcome,
    other: &'o Outcome,
) -> impl Iterator<Item = (Option<&'o Variable>, Option<&'o Variable>)> {
    let (ours, theirs) = (&one.scope.variables, &other.scope.variables);
    let changed = ours.iter().filter_map(|(name, ours)| {
        let theirs = theirs.get(name);
        let same = theirs.is_some_and(|theirs| Rc::ptr_eq(ours, theirs) || ours == theirs);
        (!same).then_some((Some(ours.as_ref()), theirs.map(Rc::as_ref)))
    });
    let added = theirs.iter().filter(|(name, _)| !ours.contains_key(*name));
    changed.chain(added.map(|(_, theirs)| (None, Some(theirs.as_ref()))))
}

/// Whether a variable holds a number, or something of which nothing is known but where it comes from.
fn is_number(variable: Option<&Variable>) -> bool {
    let Some([value]) = variable.map(|variable| variable.values.as_slice()) else { return false };
    match value.pieces.as_slice() {
        [Piece::Hole(hole)] => hole.file.is_none() && hole.matched.is_none(),
        [Piece::Literal(text)] => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// Whether what two ways differ in can be said of one: variables may hold either, but code, directories and rights cannot be both.
fn may_be_one(one: &Outcome, other: &Outcome) -> bool {
    let (ours, theirs) = (&one.scope, &other.scope);
    let names = |scope: &Scope| -> Vec<Rc<str>> {
        scope.frame.hidden.iter().map(|(name, _)| Rc::clone(name)).collect()
    };
    one.leaves == other.leaves
        && !tells_apart(one, other)
        && ours.functions == theirs.functions
        && ours.aliases == theirs.aliases
        && ours.hashed == theirs.hashed
        && ours.disabled == theirs.disabled
        && ours.references == theirs.references
        && ours.between == theirs.between
        && ours.frame.looping == theirs.frame.looping
        && ours.frame.function == theirs.frame.function
        && (ours.frame.hidden == theirs.frame.hidden || names(ours) == names(theirs))
        && ours.positional == theirs.positional
        && ours.directory == theirs.directory
        && ours.descriptors == theirs.descriptors
        && ours.stream == theirs.stream
        && ours.stdin == theirs.stdin
        && ours.to_network == theirs.to_network
        && ours.realm == theirs.realm
        && ours.privileged == theirs.privileged
        && ours.hooked == theirs.hooked
        && ours.certainty == theirs.certainty
        && ours.within == theirs.within
        && ours.origin == theirs.origin
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

/// Keeps what two scopes agree on; where they differ, a variable holds the value of either, or what is not known.
pub(super) fn join(scope: &mut Scope, other: &Scope) {
    if scope.directory != other.directory {
        scope.directory = None;
    }
    scope.condition = scope.condition.max(other.condition);
    let variables = Rc::make_mut(&mut scope.variables);
    for (name, variable) in variables.iter_mut() {
        let theirs = other.variables.get(name);
        if theirs.is_none_or(|theirs| !Rc::ptr_eq(theirs, variable) && theirs != variable) {
            join_variable(name, Rc::make_mut(variable), theirs.map(Rc::as_ref));
        }
    }
    for (name, theirs) in other.variables.iter() {
        variables.entry(Rc::clone(name)).or_insert_with(|| {
            let mut variable = Variable::clone(theirs);
            join_variable(name, &mut variable, None);
            Rc::new(variable)
        });
    }
    join_hidden(scope, other);
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

/// Makes a variable what it is on either of two ways; on one of them it may not be there.
fn join_variable(name: &str, variable: &mut Variable, theirs: Option<&Variable>) {
    if theirs.is_none_or(|theirs| theirs.subscripts != variable.subscripts) {
        variable.subscripts = Subscripts::Numbers;
    }
    variable.exported |= theirs.is_some_and(|theirs| theirs.exported);
    variable.integer |= theirs.is_some_and(|theirs| theirs.integer);
    variable.fixed |= theirs.is_some_and(|theirs| theirs.fixed);
    let others = theirs.map(|theirs| theirs.values.as_slice()).unwrap_or_default();
    if theirs.is_some_and(|theirs| theirs.keys == variable.keys && theirs.values == variable.values) {
        return;
    }
    variable.keys = None;
    variable.values = vec![match (variable.values.as_slice(), others) {
        ([ours], [theirs]) => Value::one_of(name, ours.clone(), theirs.clone()),
        (ours, others) => {
            let all =
                ours.iter().chain(others).fold(Provenance::OUTSIDE, |all, value| all | value.provenance);
            let shown = format!("${name}");
            let is_array = ours.len() > 1 || others.len() > 1;
            if is_array { Value::unknown_words(shown, all) } else { Value::unknown(shown, all) }
        }
    }];
}

/// Joins what the own variables of a function hide: it comes back when the function ends.
fn join_hidden(scope: &mut Scope, other: &Scope) {
    if scope.frame.hidden == other.frame.hidden {
        return;
    }
    let theirs = other.frame.hidden.iter().map(|(_, variable)| variable);
    for ((name, ours), theirs) in Rc::make_mut(&mut scope.frame.hidden).iter_mut().zip(theirs) {
        if ours != theirs {
            let mut variable = ours.as_deref().or(theirs.as_deref()).cloned().unwrap_or_default();
            join_variable(name, &mut variable, theirs.as_deref().filter(|_| ours.is_some()));
            *ours = Some(Rc::new(variable));
        }
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
