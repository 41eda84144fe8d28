//! What starts itself anew in a process of its own, again and again: `g() { echo "$(g)"; }`, a script that runs `"$0"`. Every process waits
//! for the next one, until the machine can start no more.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::{Outcome, Scope};
use crate::ast::Command;
use crate::effect::Certainty;
use crate::value::Value;

/// A function on its way, and what its run depends on.
#[derive(Debug)]
pub(super) struct Activation {
    pub(super) body: Rc<Command>,
    pub(super) arguments: Rc<Vec<Value>>,
    pub(super) directory: Option<Rc<str>>,
    /// How many processes were forked before it was called.
    pub(super) forks: u32,
}

impl Machine<'_> {
    /// Runs something as a process of its own.
    pub(super) fn forked(&mut self, run: impl FnOnce(&mut Self) -> Vec<Outcome>) -> Vec<Outcome> {
        self.forks += 1;
        let outcomes = self.apart(run);
        self.forks -= 1;
        outcomes
    }

    /// Whether a function that calls itself has forked since it was called, and nothing tells this call from that one.
    pub(super) fn is_endless_chain(&self, body: &Rc<Command>, arguments: &[Value], scope: &Scope) -> bool {
        scope.certainty == Certainty::Always
            && self.calls.iter().rev().any(|underway| {
                Rc::ptr_eq(&underway.body, body)
                    && underway.forks < self.forks
                    && underway.directory == scope.directory
                    && underway.arguments.as_slice() == arguments
                    && !arguments.iter().any(Value::has_hole)
            })
    }

    /// A script that runs itself as it was run itself: nothing ends that but the machine.
    pub(super) fn run_anew(&mut self, path: &str, scope: &Scope) {
        if self.accompanied || scope.certainty == Certainty::Always {
            self.exhaust(scope, path);
        }
    }
}
