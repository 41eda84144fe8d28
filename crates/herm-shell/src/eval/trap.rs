//! `trap`: text that runs when a shell ends, or between its commands.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::{Between, Outcome, Scope, Status};
use crate::lang::Lang;
use crate::programs::arguments::Argument;
use crate::span::Span;

/// How many traps are run once more in the end.
const TRAPS: usize = 8;

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
        let Between { action, invocation, span } = between.as_ref();
        let mut quiet = Scope { between: None, ..scope.clone() };
        let mut ways = self.in_this_shell(action, &mut quiet, *invocation, *span);
        for way in &mut ways {
            way.leaves = None;
            way.scope.between = Some(Rc::clone(between));
        }
        ways.push(Outcome::of(scope, Status::Either));
        let ways = self.merge(ways);
        self.after(ways, &mut run)
    }
}
