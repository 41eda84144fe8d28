//! `cd`, `pushd`, `popd` and `pwd`.

use std::rc::Rc;

use super::super::machine::Machine;
use super::super::scope::{Outcome, Scope, Status};
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Where the directories are kept that `pushd` left.
const PUSHED: &str = "DIRSTACK";

impl Machine<'_> {
    pub(super) fn change_directory(
        &mut self,
        name: &str,
        arguments: &[Argument],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        self.record(name, arguments, &scope, span);
        let operand = arguments
            .iter()
            .map(|argument| &argument.value)
            .find(|value| !value.known_prefix().starts_with('-'));
        let mut moved = scope.clone();
        let back = arguments.iter().any(|argument| argument.value.known().as_deref() == Some("-"));
        moved.directory = match operand {
            Some(to) => self.directory(to, &scope),
            None if back => {
                scope.scalar("OLDPWD").and_then(Value::known).map(|before| Rc::from(before.as_ref()))
            }
            None if arguments.is_empty() => {
                self.lookup("HOME", &scope).first().and_then(Value::known).map(|home| Rc::from(home.as_ref()))
            }
            None => None,
        };
        let here = match &moved.directory {
            Some(directory) => Value::literal(directory.as_ref()),
            None => Value::unknown("$PWD", Provenance::NONE),
        };
        let before = self.lookup("PWD", &scope).into_iter().next().unwrap_or_default();
        if name == "pushd" {
            moved.variable(PUSHED).values.push(before.clone());
        }
        if moved.directory == scope.directory {
            return vec![Outcome::of(moved, Status::Either)];
        }
        moved.set("PWD", here);
        moved.set("OLDPWD", before);
        let elsewhere = operand.map(|to| self.searched(to, &scope)).unwrap_or_default();
        let mut outcomes = vec![Outcome::of(moved, Status::Success)];
        outcomes.extend(elsewhere.into_iter().map(|scope| Outcome::of(scope, Status::Success)));
        outcomes.push(Outcome::of(scope, Status::Failure));
        outcomes
    }

    /// Where `CDPATH` may lead.
    fn searched(&self, to: &Value, scope: &Scope) -> Vec<Scope> {
        let path = scope.scalar("CDPATH").and_then(Value::known);
        let Some(path) = path.filter(|_| !to.known_prefix().starts_with(['/', '.'])) else {
            return Vec::new();
        };
        let directories = path.split(':').filter(|directory| !directory.is_empty()).take(4);
        let mut scopes = Vec::new();
        for directory in directories {
            let mut full = Value::literal(format!("{directory}/"));
            full.push(to);
            scopes.push(Scope { directory: self.directory(&full, scope), ..scope.clone() });
        }
        scopes
    }

    pub(super) fn print_directory(&mut self, scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("pwd", &[], &scope, span);
        let output = match &scope.directory {
            Some(directory) => Value::literal(format!("{directory}\n")),
            None => Value::unknown("$PWD", Provenance::NONE),
        };
        vec![Outcome { scope, output, status: Status::Success, leaves: None }]
    }
}

/// The directory that `pushd` left last.
pub(super) fn pop_directory(mut scope: Scope) -> Vec<Outcome> {
    let left = scope.variable(PUSHED).values.pop();
    scope.directory = left.and_then(|left| left.known().map(|left| Rc::from(left.as_ref())));
    vec![Outcome::of(scope, Status::Either)]
}
