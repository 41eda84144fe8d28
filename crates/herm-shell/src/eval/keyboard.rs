//! Programs at whose keyboard one gives commands.
//!
//! An agent that types into what it has started, unseen, does with them whatever it likes. On input from elsewhere, and where they do
//! not print to a terminal, they offer nothing.

use super::Input;
use super::machine::Machine;
use super::scope::Scope;
use crate::gap::{Gap, Position, Reason};
use crate::programs::arguments::Argument;
use crate::programs::keyboard::takes_commands;
use crate::span::Span;
use crate::value::{Provenance, Value};

impl Machine<'_> {
    /// Notes that commands may be typed into a program that nobody sees.
    pub(super) fn mind_the_keyboard(
        &mut self,
        scope: &Scope,
        program: &str,
        arguments: &[Value],
        span: Span,
    ) {
        if self.setting.input != Input::Unknown || !is_at_keyboard(scope) {
            return;
        }
        let arguments: Vec<Argument> =
            arguments.iter().map(|value| Argument { value: value.clone(), span }).collect();
        let names = |variable: &str| scope.variables.get(variable).is_some_and(|set| set.exported);
        if takes_commands(program, &arguments, names) {
            let shown = format!("what is typed into {program}");
            self.push_gap(Gap { position: Position::Code, reason: Reason::Runtime, shown, span });
        }
    }
}

/// Whether standard input and standard output are what the whole text was given.
fn is_at_keyboard(scope: &Scope) -> bool {
    let typed = Value::unknown("standard input", Provenance::OUTSIDE);
    scope.stream == 0 && scope.stdin.as_deref() == Some(&typed)
}
