//! Substitutions that print one thing or another: `$(test -f a && echo b || echo c)`. The command that they stand in is gone through
//! once for each of them, so that what belongs together stays together.

use super::machine::Machine;
use super::scope::{Outcome, Scope};
use super::ways::either;
use crate::ast::{AssignedValue, Assignment, Part, Word};
use crate::effect::Certainty;
use crate::lang::Lang;
use crate::value::Value;

/// Which of several outputs the substitutions of a command are taken to print.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    /// The one that is taken here; none where the command is gone through once.
    taken: Option<usize>,
    /// The most that any substitution of the command had.
    most: usize,
}

impl Machine<'_> {
    /// Goes through a command once for each output that its substitutions may have.
    pub(super) fn for_each_choice(
        &mut self,
        scope: &Scope,
        mut run: impl FnMut(&mut Self, Scope) -> Vec<Outcome>,
    ) -> Vec<Outcome> {
        let outer = std::mem::replace(&mut self.choice, Choice { taken: Some(0), most: 0 });
        let certainty = scope.certainty;
        let mut outcomes = run(self, scope.clone());
        for taken in 1..self.choice.most {
            self.choice.taken = Some(taken);
            let scope = Scope { certainty: Certainty::May, ..scope.clone() };
            outcomes.extend(run(self, scope));
        }
        self.choice = outer;
        for outcome in &mut outcomes {
            outcome.scope.certainty = certainty;
        }
        self.merge(outcomes)
    }

    /// What a substitution is taken to print, of all that it may.
    pub(super) fn chosen(&mut self, printed: Value) -> Value {
        let Some(taken) = self.choice.taken.filter(|_| printed.ways() > 1) else { return printed };
        self.choice.most = self.choice.most.max(printed.ways());
        printed.chosen(taken)
    }

    /// Runs code that is one of several texts: each may be it.
    pub(super) fn code_of_each(
        &mut self,
        lang: Lang,
        text: &Value,
        scope: &Scope,
        invocation: usize,
    ) -> Value {
        let mut printed = Value::default();
        for at in 0..text.ways() {
            let mut inner = Scope { certainty: Certainty::May, ..scope.clone() };
            printed = either(printed, self.code(lang, &text.chosen(at), &mut inner, invocation));
        }
        printed
    }
}

/// The words that a word of a loop may become, if it is one of several texts.
pub(super) fn each_way(word: Value) -> Vec<Value> {
    if word.ways() < 2 {
        return vec![word];
    }
    let ways = (0..word.ways()).map(|at| word.chosen(at));
    ways.flat_map(|way| match way.known() {
        Some(text) => text.split_whitespace().map(|part| Value::literal(part).from(way.provenance)).collect(),
        None => vec![way],
    })
    .collect()
}

/// Whether a substitution stands in any word.
pub(super) fn substitutes(assignments: &[Assignment], words: &[Word]) -> bool {
    let assigned = assignments.iter().any(|assignment| match &assignment.value {
        AssignedValue::Scalar(word) => runs_something(&word.parts),
        AssignedValue::Array(elements) => elements.iter().any(|(_, word)| runs_something(&word.parts)),
    });
    assigned || words.iter().any(|word| runs_something(&word.parts))
}

fn runs_something(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Command(..) => true,
        Part::DoubleQuoted(inner) => runs_something(inner),
        Part::Arithmetic(_) | Part::Bare(_) | Part::Parameter(_) | Part::Process(..) | Part::Quoted(_) => {
            false
        }
    })
}
