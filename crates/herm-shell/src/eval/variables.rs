//! Variables that reach a program of which nothing says what it makes of them.
//!
//! Nobody can list every variable that some program takes for options, a command or code. But whoever wants one run that way has to write
//! it into a value: each value is read once as a command, and only what nobody may approve is asked about.

use super::machine::Machine;
use super::scope::Scope;
use super::suppose::{SUPPOSITIONS, Starter};
use crate::programs;
use crate::programs::schema::{Role, Syntax};

impl Machine<'_> {
    /// Reads the exported variables that the description of a program does not explain.
    pub(super) fn mind_variables(&mut self, starter: Starter<'_>, scope: &Scope) {
        let program = programs::find(starter.name);
        if self.supposing >= SUPPOSITIONS || program.is_some_and(|program| program.syntax == Syntax::Words) {
            return;
        }
        let obeyed = program.map_or(&[][..], |program| program.env);
        let is_strange =
            |name: &str| !obeyed.iter().any(|(other, role)| *other == name && !matches!(role, Role::Options));
        let values: Vec<String> = scope
            .exported()
            .filter(|(name, _)| is_strange(name))
            .filter_map(|(_, value)| value.known().map(std::borrow::Cow::into_owned))
            .filter(|text| !self.minded.contains(text))
            .collect();
        for text in values {
            if !self.spend(1) {
                return;
            }
            self.net_value(starter, &text, scope);
            self.minded.insert(text);
        }
    }
}
