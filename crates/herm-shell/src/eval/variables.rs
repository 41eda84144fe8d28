//! Variables that reach a program of which nothing says what it makes of them.
//!
//! Nobody can list every variable that some program takes for options, a command or code. But whoever wants one run that way has to write
//! it into a value: each value is read once as a command, and only what nobody may approve is asked about.

use super::machine::Machine;
use super::scope::Scope;
use super::suppose::{SUPPOSITIONS, Starter};
use crate::effect::Certainty;
use crate::programs;
use crate::programs::arguments::Argument;
use crate::programs::schema::{Role, Syntax};
use crate::value::Value;

/// Variables that an interpreter takes options from, whatever started it, with words that have it do nothing else.
const HANDED_DOWN: &[(&str, &str, &[&str])] = &[
    ("BASH_ENV", "bash", &["-c", ":"]),
    ("JAVA_TOOL_OPTIONS", "java", &["-version"]),
    ("JDK_JAVA_OPTIONS", "java", &["-version"]),
    ("NODE_OPTIONS", "node", &["-e", "1"]),
    ("PERL5OPT", "perl", &["-e", "1"]),
    ("RUBYOPT", "ruby", &["-e", "1"]),
];

impl Machine<'_> {
    /// Lets interpreters that a program may start have the options that variables hold for them.
    pub(super) fn hand_down(&mut self, starter: Starter<'_>, scope: &Scope) {
        for (variable, interpreter, words) in HANDED_DOWN {
            let value =
                scope.exported().find(|(name, _)| ***name == **variable).map(|(_, value)| value.shown());
            let Some(value) = value.filter(|value| *interpreter != starter.name && !value.is_empty()) else {
                continue;
            };
            if !self.minded.insert(format!("{variable}={value}")) || !self.spend(1) {
                continue;
            }
            let words: Vec<Argument> = words
                .iter()
                .map(|word| Argument { value: Value::literal(*word), span: starter.span })
                .collect();
            let certainty = Certainty::May;
            let inner = Scope { certainty, stdin: None, within: Some(starter.invocation), ..scope.clone() };
            self.undone(|machine| {
                let _ = machine.call_program(interpreter, &words, &[], inner, starter.span);
            });
        }
    }

    /// Reads the exported variables that the description of a program does not explain.
    pub(super) fn mind_variables(&mut self, starter: Starter<'_>, scope: &Scope) {
        let program = programs::find(starter.name);
        if self.supposing >= SUPPOSITIONS || program.is_some_and(|program| program.syntax == Syntax::Words) {
            return;
        }
        let obeyed = program.map_or(&[][..], |program| program.env);
        let is_strange = |name: &str| {
            !obeyed
                .iter()
                .any(|(other, role)| *other == name && !matches!(role, Role::Options | Role::Setting))
        };
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
