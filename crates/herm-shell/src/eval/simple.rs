//! Simple commands: their words, their environment, what holds for them alone.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::approvals::Switches;
use super::assign::declared_elements;
use super::choice::substitutes;
use super::expand::BRACES;
use super::machine::Machine;
use super::scope::{Endpoint, Outcome, Scope, Status, Variable};
use crate::ast::{AssignedValue, Assignment, Part, Redirect, Word};
use crate::brace;
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::{Piece, Value};

/// Builtins whose operands may be elements of arrays, which are no patterns.
const NAMING: &[&str] =
    &["[", "getopts", "let", "mapfile", "printf", "read", "readarray", "test", "unset", "wait"];
/// Builtins whose operands may be assignments.
const DECLARATIONS: &[&str] = &["declare", "export", "local", "readonly", "typeset"];

impl Machine<'_> {
    /// Runs a simple command.
    pub(crate) fn simple(
        &mut self,
        assignments: &[Assignment],
        words: &[Word],
        redirects: &[Redirect],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        match scope.between.clone() {
            Some(between) => self.interrupted(&between, scope, |machine, scope| {
                machine.uninterrupted(assignments, words, redirects, scope, span)
            }),
            None if substitutes(assignments, words) => self.for_each_choice(&scope, |machine, scope| {
                machine.uninterrupted(assignments, words, redirects, scope, span)
            }),
            None => self.uninterrupted(assignments, words, redirects, scope, span),
        }
    }

    fn uninterrupted(
        &mut self,
        assignments: &[Assignment],
        words: &[Word],
        redirects: &[Redirect],
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let (argv, arrays) = self.words(words, &mut scope);
        if argv.is_empty() {
            return self.no_words(assignments, redirects, scope, span);
        }
        let span = scope.origin.map(span);
        let before = Before::of(&scope, assignments, redirects);
        let (switches, said) = (Switches::of(&scope), self.out.effects.len());
        let environment = self.environment_of(assignments, &mut scope);
        self.mind_switches(switches, said, &scope, span);
        if is_word(&argv, "exec") && argv.len() == 1 {
            self.rewire(redirects, &mut scope);
            return vec![Outcome::of(scope, Status::Either)];
        }
        let stream = scope.stream;
        let wiring = self.wire_simple(redirects, &mut scope);
        let may_fail = redirects.iter().any(opens);
        // Only where the text asks for it: a variable that changes with every command keeps ways apart.
        let last = argv.last().filter(|_| self.text.contains("$_")).map(|argument| argument.value.clone());
        let mut outcomes = self.call(argv, environment, scope, span);
        if may_fail {
            outcomes = outcomes.into_iter().flat_map(not_left).collect();
        }
        for outcome in &mut outcomes {
            outcome.output = self.drain(&wiring, &outcome.scope, &outcome.output);
            for array in &arrays {
                self.assign(array, &mut outcome.scope);
            }
            self.put_back(&wiring, &mut outcome.scope);
            before.restore(&mut outcome.scope, redirects);
            self.streams.flush(stream, &mut outcome.output);
            if may_fail {
                outcome.status = Status::Either;
            }
            if let Some(last) = &last {
                outcome.scope.set("_", last.clone());
            }
        }
        outcomes
    }

    /// What words become. Assignments that are handed to `declare` and its kin are not split or globbed.
    /// Their arrays are assigned once they are declared: until then, only the name stands there.
    fn words(&mut self, words: &[Word], scope: &mut Scope) -> (Vec<Argument>, Vec<Assignment>) {
        let first = words.first().and_then(bare).unwrap_or_default();
        let declares = DECLARATIONS.contains(&first);
        let (mut argv, mut arrays) = (Vec::with_capacity(words.len()), Vec::new());
        for word in words {
            let span = scope.origin.map(word.span);
            if let Some(array) = declared_elements(word).filter(|_| declares) {
                argv.push(Argument { value: Value::literal(array.name.as_str()), span });
                arrays.push(array);
            } else if let Some(name) =
                bare(word).filter(|name| begins_with_element(name) && takes_names(&argv))
            {
                argv.push(Argument { value: Value::literal(name), span });
            } else if declares && starts_with_assignment(word) {
                argv.extend(self.declared(word, scope).into_iter().map(|value| Argument { value, span }));
            } else {
                argv.extend(self.fields(word, scope));
            }
        }
        (argv, arrays)
    }

    /// The assignments that a word handed to a builtin becomes: unlike those before a command, it has its braces expanded.
    fn declared(&mut self, word: &Word, scope: &mut Scope) -> Vec<Value> {
        let braced = word.parts.iter().any(|part| matches!(part, Part::Bare(text) if text.contains('{')));
        let words = if braced { brace::expand(&word.parts, &self.fuel, BRACES) } else { None };
        match words {
            Some(words) if words.len() > 1 => {
                let words = words.into_iter().map(|parts| Word { parts, span: word.span });
                words.map(|word| self.text(&word, scope)).collect()
            }
            Some(_) | None => vec![self.text(word, scope)],
        }
    }

    /// Assignments or redirections without a command.
    fn no_words(
        &mut self,
        assignments: &[Assignment],
        redirects: &[Redirect],
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        for assignment in assignments {
            self.assign(assignment, &mut scope);
            self.assigned_history(&assignment.name, &scope, scope.origin.map(span));
        }
        let mut inner = scope.clone();
        let wiring = self.wire(redirects, &mut inner);
        let printed = if redirects.is_empty() {
            Value::default()
        } else {
            inner.stdin.as_deref().cloned().unwrap_or_default()
        };
        let output = self.drain(&wiring, &inner, &printed);
        vec![Outcome::printing(scope, output)]
    }

    /// `NAME=value` before a command: set for it alone.
    fn environment_of(&mut self, assignments: &[Assignment], scope: &mut Scope) -> Vec<(String, Value)> {
        let mut environment = Vec::with_capacity(assignments.len());
        for assignment in assignments {
            let AssignedValue::Scalar(word) = &assignment.value else { continue };
            let value = self.text(word, scope);
            environment.push((assignment.name.clone(), value));
        }
        for (name, value) in &environment {
            scope.set(name, value.clone());
            scope.export(name);
        }
        environment
    }
}

/// A word that is a single unquoted text.
pub(super) fn bare(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Bare(text)] => Some(text),
        _ => None,
    }
}

/// Whether words call a builtin whose operands may name elements of arrays.
fn takes_names(argv: &[Argument]) -> bool {
    let words = argv.iter().map_while(|argument| argument.value.known());
    let mut words = words.skip_while(|word| matches!(word.as_ref(), "builtin" | "command"));
    words.next().is_some_and(|word| NAMING.contains(&&*word) || DECLARATIONS.contains(&&*word))
}

/// Whether a text begins as the name of an element does: `name[`.
fn begins_with_element(text: &str) -> bool {
    let name = text.split('[').next().unwrap_or_default();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    !name.is_empty() && name.len() < text.len() && is_name
}

fn starts_with_assignment(word: &Word) -> bool {
    let Some(Part::Bare(text)) = word.parts.first() else { return false };
    if begins_with_element(text) {
        return true;
    }
    let name = text.split('=').next().unwrap_or_default().trim_end_matches('+');
    name.len() < text.len()
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a redirection may fail, and with it the command.
pub(super) fn opens(redirect: &Redirect) -> bool {
    use crate::ast::RedirectOperator as Operator;
    match redirect.operator {
        Operator::HereDocument | Operator::HereString => false,
        Operator::DuplicateInput | Operator::DuplicateOutput => {
            !bare(&redirect.target).is_some_and(|to| matches!(to, "0" | "1" | "2" | "-"))
        }
        Operator::Append
        | Operator::AppendBoth
        | Operator::Clobber
        | Operator::Input
        | Operator::Output
        | Operator::OutputBoth
        | Operator::ReadWrite => bare(&redirect.target) != Some("/dev/null"),
    }
}

/// A command that may not have run may not have left, either.
fn not_left(outcome: Outcome) -> Vec<Outcome> {
    if outcome.leaves.is_none() {
        return vec![outcome];
    }
    vec![Outcome { leaves: None, ..outcome.clone() }, outcome]
}

fn is_word(argv: &[Argument], word: &str) -> bool {
    argv.first().is_some_and(
        |argument| matches!(argument.value.pieces.as_slice(), [Piece::Literal(text)] if text == word),
    )
}

/// What a command may change for itself alone. Keeping no more than that leaves the rest unshared, so that the
/// command changes it in place.
struct Before {
    /// Standard input, if it is another one for this command; what is read from the same one is gone.
    #[expect(clippy::option_option, reason = "whether it is another one, and whether there is one")]
    stdin: Option<Option<Rc<Value>>>,
    to_network: bool,
    stream: u32,
    descriptors: Rc<BTreeMap<u32, Endpoint>>,
    variables: Vec<(Rc<str>, Option<Rc<Variable>>)>,
}

impl Before {
    fn of(scope: &Scope, assignments: &[Assignment], redirects: &[Redirect]) -> Self {
        let variable = |name: &str| (Rc::from(name), scope.variables.get(name).cloned());
        Self {
            stdin: (!redirects.is_empty()).then(|| scope.stdin.clone()),
            to_network: scope.to_network,
            stream: scope.stream,
            descriptors: Rc::clone(&scope.descriptors),
            variables: assignments.iter().map(|assignment| variable(&assignment.name)).collect(),
        }
    }

    fn restore(&self, scope: &mut Scope, redirects: &[Redirect]) {
        if let Some(stdin) = &self.stdin {
            scope.stdin.clone_from(stdin);
        }
        scope.to_network = self.to_network;
        scope.stream = self.stream;
        scope.restore_descriptors(redirects, &self.descriptors);
        for (name, variable) in &self.variables {
            match variable {
                Some(variable) => {
                    Rc::make_mut(&mut scope.variables).insert(Rc::clone(name), Rc::clone(variable));
                }
                None => scope.unset(name),
            }
        }
    }
}
