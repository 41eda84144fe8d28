//! `trap`: text that runs when a shell ends, or between its commands.

use std::rc::Rc;

use super::machine::Machine;
use super::names::Names;
use super::scope::{Between, Outcome, Scope, Status};
use super::ways::either;
use crate::effect::Certainty;
use crate::lang::Lang;
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::Value;

/// How many traps are run once more in the end.
const TRAPS: usize = 8;
/// How many runs of them between commands are remembered.
const INTERRUPTIONS: usize = 16;
/// How many variables are compared for one unit of work.
const COMPARED: usize = 32;

impl Machine<'_> {
    pub(super) fn trap(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("trap", arguments, &scope, span);
        let mut words = arguments
            .iter()
            .map(|argument| &argument.value)
            .skip_while(|value| value.known().as_deref() == Some("--"));
        let Some(action) = words.next().filter(|_| arguments.len() > 1) else {
            return vec![Outcome::of(scope, Status::Either)];
        };
        if matches!(action.known().as_deref(), Some("-" | "" | "-p" | "-l")) {
            scope.between = None;
            return vec![Outcome::of(scope, Status::Either)];
        }
        let _ = self.code_at(Lang::Shell, action, &mut scope.clone(), invocation, span);
        if self.traps.len() < TRAPS {
            self.traps.push((action.clone(), invocation, span));
        }
        if words.any(|signal| !matches!(signal.known().as_deref(), Some("EXIT" | "exit" | "0"))) {
            scope.between = Some(Rc::new(Between { action: action.clone(), invocation, span }));
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    /// Runs something as a shell of its own: traps set in there run with what holds when it ends.
    pub(crate) fn apart(&mut self, run: impl FnOnce(&mut Self) -> Vec<Outcome>) -> Vec<Outcome> {
        let outer = std::mem::take(&mut self.traps);
        let mut outcomes = run(self);
        for (action, invocation, span) in std::mem::replace(&mut self.traps, outer) {
            for outcome in &mut outcomes {
                let mut scope = outcome.scope.clone();
                let printed = self.code_at(Lang::Shell, &action, &mut scope, invocation, span);
                outcome.output.push(&printed);
            }
        }
        outcomes
    }

    /// Runs a command with and without what a trap runs before it.
    pub(super) fn interrupted(
        &mut self,
        between: &Rc<Between>,
        scope: Scope,
        mut run: impl FnMut(&mut Self, Scope) -> Vec<Outcome>,
    ) -> Vec<Outcome> {
        let quiet = Scope { between: None, ..scope.clone() };
        let ways = if let Some(printed) = self.known_interruption(between, &quiet) {
            vec![Outcome::printing(scope, printed)]
        } else {
            let mut ways = self.interruption(between, quiet);
            for way in &mut ways {
                way.leaves = None;
                way.scope.between = Some(Rc::clone(between));
            }
            ways.push(Outcome::of(scope, Status::Either));
            ways
        };
        let ways = self.merge(ways);
        self.after(ways, &mut run)
    }

    /// Runs what a trap runs between commands, and remembers where it did no more than it does each time.
    fn interruption(&mut self, between: &Rc<Between>, mut scope: Scope) -> Vec<Outcome> {
        let before = scope.clone();
        let Between { action, invocation, span } = between.as_ref();
        let ways = self.in_this_shell(action, &mut scope, *invocation, *span);
        let changes_nothing = ways.iter().all(|way| way.scope.is_same_shell(&before));
        if let Some(text) = action.known().filter(|_| changes_nothing && action.provenance.is_empty()) {
            let names = Names::reached(&self.read_shell(&text, &before), &before);
            if self.spend(names.units()) && self.interruptions.len() < INTERRUPTIONS {
                let files = self.files.changes();
                let between = Rc::clone(between);
                let printed = ways.iter().fold(Value::default(), |all, way| either(all, way.output.clone()));
                self.interruptions.push(Interruption { between, before, printed, files, names });
            }
        }
        ways
    }

    /// What a trap prints that was run before by a shell that is the same to it, and changed nothing.
    fn known_interruption(&mut self, between: &Rc<Between>, scope: &Scope) -> Option<Value> {
        let variables = scope.variables.len().saturating_mul(self.interruptions.len());
        if !self.spend(u32::try_from(variables / COMPARED).unwrap_or(u32::MAX)) {
            return None;
        }
        let known = self.interruptions.iter().rev().find(|known| {
            Rc::ptr_eq(&known.between, between)
                && known.files == self.files.changes()
                && known.names.see_the_same(&known.before, &known.as_far_as_it_matters(scope))
        })?;
        let printed = known.printed.clone();
        self.spend_bytes(printed.size()).then_some(printed)
    }
}

/// A trap that was run between two commands, and changed nothing of the shell that ran it.
#[derive(Debug)]
pub(super) struct Interruption {
    between: Rc<Between>,
    before: Scope,
    printed: Value,
    /// How often the text had changed files until then.
    files: u32,
    names: Names,
}

impl Interruption {
    /// A shell as one that differs in no more than where it prints, and in whether it comes to it: what happens for certain may happen.
    fn as_far_as_it_matters(&self, scope: &Scope) -> Scope {
        let is_certain = self.before.certainty == Certainty::Always;
        Scope {
            stream: self.before.stream,
            certainty: if is_certain { Certainty::Always } else { scope.certainty },
            ..scope.clone()
        }
    }
}
