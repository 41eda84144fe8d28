//! Builtins that set and unset: variables, options, aliases, positional parameters.

use std::rc::Rc;

use super::super::arithmetic::written;
use super::super::assign::{declare_array, element};
use super::super::machine::{Event, Machine};
use super::super::scope::{Letters, Outcome, SHELL_OPTIONS, Scope, Status, Subscripts};
use super::values;
use crate::arith;
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Gap, Position, Reason};
use crate::programs::arguments::{Argument, tail};
use crate::span::Span;
use crate::value::{Provenance, Value};

/// How variables are declared.
struct Declaration {
    /// The letters behind `-`.
    options: String,
    /// The letters behind `+`.
    withdrawn: String,
    exports: bool,
    /// Whether the value is fixed.
    fixes: bool,
    /// Whether they are the function's own.
    own: bool,
}

impl Declaration {
    /// Two of them at once cancel each other.
    fn letters(&self) -> Option<Letters> {
        let all = [('c', Letters::Capital), ('l', Letters::Small), ('u', Letters::Large)];
        let mut given = all.into_iter().filter(|(option, _)| self.options.contains(*option));
        given.next().filter(|_| given.next().is_none()).map(|(_, letters)| letters)
    }
}

impl Machine<'_> {
    pub(super) fn declare(
        &mut self,
        name: &str,
        arguments: &[Argument],
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let invocation = self.record(name, arguments, &scope, span);
        let silent = arguments.iter().filter_map(|argument| argument.value.known());
        if silent.into_iter().any(|word| keeps_no_history(&word)) {
            self.history_off(name, &scope, invocation, span);
        }
        let options = letters(arguments, '-');
        if lists_variables(arguments, &options) {
            return self.print_variables(name, scope, invocation, span);
        }
        if name == "export" && options.contains('f') || options.contains('x') && options.contains('f') {
            for function in
                arguments.iter().filter(|argument| !argument.value.known_prefix().starts_with('-'))
            {
                self.bind_code(function.value.clone());
            }
        }
        let how = Declaration {
            exports: name == "export" || options.contains('x'),
            fixes: name == "readonly" || options.contains('r'),
            own: scope.frame.function
                && matches!(name, "declare" | "local" | "typeset")
                && !options.contains('g'),
            withdrawn: letters(arguments, '+'),
            options,
        };
        for argument in arguments {
            let value = written(&argument.value);
            if !value.known_prefix().starts_with(['-', '+']) {
                self.declare_one(&value, &how, &mut scope);
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    /// Declares what one word names, and gives it the value that stands there.
    fn declare_one(&mut self, word: &Value, how: &Declaration, scope: &mut Scope) {
        let text = word.known_prefix();
        let at = equals(&text);
        self.own_subscript(word, scope);
        if let Some((array, _)) = text.split_once('[').filter(|_| at.is_none() && text.contains('=')) {
            // Which element is set is not known: it may be any.
            return scope.set(array, Value::unknown(format!("${array}"), Provenance::OUTSIDE));
        }
        let variable = text.get(..at.unwrap_or(text.len())).unwrap_or_default().trim_end_matches('+');
        self.attribute(variable, at.is_some(), how, scope);
        let elements = text.split_once("=(").and_then(|(_, rest)| rest.strip_suffix(')'));
        let given = at.map(|at| tail(word, at + 1));
        if let Some(given) = given.as_ref().filter(|given| given.known_prefix().starts_with('(')) {
            // The elements of an array that comes as text are expanded and evaluated where it is declared.
            self.evaluate(given, scope);
        }
        if let Some(elements) = elements {
            declare_array(variable, elements, scope);
        } else if let Some(value) = given {
            match value.known().filter(|to| how.options.contains('n') && **to != *variable) {
                Some(to) => scope.refer(variable, &to),
                None => self.store(variable, value, scope),
            }
        } else if how.options.contains('n') {
            declare_reference(variable, how.own, scope);
        }
        if how.fixes {
            scope.variable(variable).fixed = true;
        }
        if how.exports {
            scope.export(variable);
        }
    }

    /// Gives a variable its attributes, but for those that hold once it has its value.
    fn attribute(&mut self, variable: &str, assigned: bool, how: &Declaration, scope: &mut Scope) {
        let (integer, plain) = (how.options.contains('i'), how.withdrawn.contains('i'));
        let inherited = self.inherited(variable, scope).filter(|_| !how.own);
        if how.own {
            scope.hide(variable);
        }
        if how.options.contains('A') {
            declare_associative(variable, how.own, inherited.unwrap_or_default(), scope);
        } else if let Some(values) = inherited.filter(|_| !assigned && (how.fixes || integer || plain)) {
            scope.set_array(variable, values);
        }
        if integer {
            scope.variable(variable).integer = true;
        } else if plain && scope.is_integer(variable) {
            scope.variable(variable).integer = false;
        }
        if let Some(letters) = how.letters() {
            scope.variable(variable).letters = letters;
        } else if how.withdrawn.contains(['c', 'l', 'u']) {
            scope.variable(variable).letters = Letters::AsGiven;
        }
        if how.withdrawn.contains('n') {
            scope.stop_referring(variable);
        }
    }

    /// Variables are printed with their values: those that came from outside hold what the environment holds.
    fn print_variables(&mut self, name: &str, scope: Scope, invocation: usize, span: Span) -> Vec<Outcome> {
        let (verb, target) = (Verb::Read, Target::Environment);
        let (flags, data) = (Flags::ALL, Provenance::SECRET);
        self.effect(&scope, Event { verb, target, flags, data, by: name, invocation, span });
        let origin = Provenance::SECRET | Provenance::OUTSIDE;
        vec![Outcome::printing(scope, Value::unknown("the environment", origin))]
    }

    /// From here on, what is typed is not kept.
    fn history_off(&mut self, name: &str, scope: &Scope, invocation: usize, span: Span) {
        let target = Target::Named("audit", "the history of commands".to_owned());
        let (verb, flags, data) = (Verb::Disable, Flags::NONE, Provenance::NONE);
        self.effect(scope, Event { verb, target, flags, data, by: name, invocation, span });
    }

    /// An assignment without a command holds for the shell that goes on.
    pub(in crate::eval) fn assigned_history(&mut self, name: &str, scope: &Scope, span: Span) {
        let value = scope.scalar(name).and_then(Value::known);
        if value.is_some_and(|value| keeps_no_history(&format!("{name}={value}"))) {
            let invocation = self.record("declare", &[], scope, span);
            self.history_off("declare", scope, invocation, span);
        }
    }

    /// `shopt -u -o history` is `set +o history`.
    pub(super) fn shopt(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("shopt", arguments, &scope, span);
        let options = letters(arguments, '-');
        if options.contains('s') {
            let mut all = scope.scalar(SHELL_OPTIONS).cloned().unwrap_or_default();
            for argument in arguments {
                all.push_str(":");
                all.push(&argument.value);
            }
            scope.set(SHELL_OPTIONS, all);
        }
        let names_history =
            arguments.iter().any(|argument| argument.value.known().as_deref() == Some("history"));
        if names_history && options.contains('o') && options.contains('u') {
            self.history_off("shopt", &scope, invocation, span);
        }
        vec![Outcome::printing(scope, Value::unknown("output of shopt", Provenance::OUTSIDE))]
    }

    pub(super) fn unset(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        if arguments.iter().any(|argument| argument.value.known().as_deref() == Some("HISTFILE")) {
            let invocation = self.record("unset", arguments, &scope, span);
            self.history_off("unset", &scope, invocation, span);
        }
        unset(arguments, scope)
    }

    /// The prompt of traced commands is expanded for each of them.
    pub(crate) fn traced(&mut self, scope: &mut Scope) {
        let traces = scope.scalar("SHELLOPTS").is_some_and(|options| options.shown().contains("xtrace"));
        if let Some(prompt) = scope.scalar("PS4").filter(|_| traces).cloned() {
            self.prompt(&prompt, scope);
        }
    }

    /// `set -x` shows `PS4` before every command, and expands it for that.
    pub(super) fn set(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        if arguments.is_empty() {
            let invocation = self.record("set", arguments, &scope, span);
            return self.print_variables("set", scope, invocation, span);
        }
        if let [off, what] = values(arguments).as_slice()
            && (off.known().as_deref(), what.known().as_deref()) == (Some("+o"), Some("history"))
        {
            let invocation = self.record("set", arguments, &scope, span);
            self.history_off("set", &scope, invocation, span);
        }
        if is_switched_on(arguments, "histexpand", 'H') && self.designates {
            let shown = "what the history makes of this".to_owned();
            self.push_gap(Gap { position: Position::Code, reason: Reason::Runtime, shown, span });
        }
        for (name, letter) in [("noclobber", 'C'), ("xtrace", 'x')] {
            if is_switched_on(arguments, name, letter) {
                let mut options = scope.scalar("SHELLOPTS").cloned().unwrap_or_default();
                options.push_str(&format!(":{name}"));
                scope.set("SHELLOPTS", options);
            }
        }
        if is_switched_on(arguments, "xtrace", 'x') {
            self.traced(&mut scope);
        }
        set_parameters(arguments, scope)
    }

    pub(super) fn alias(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("alias", arguments, &scope, span);
        for argument in arguments {
            if let Some(text) = argument.value.known()
                && let Some((name, body)) = text.split_once('=')
            {
                Rc::make_mut(&mut scope.aliases).insert(Rc::from(name), Rc::from(body));
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }
}

/// `HISTFILE=/dev/null`, `HISTSIZE=0`: what is typed is lost.
fn keeps_no_history(word: &str) -> bool {
    match word.split_once('=') {
        Some(("HISTFILE", file)) => matches!(file, "" | "/dev/null"),
        Some(("HISTSIZE" | "HISTFILESIZE", size)) => size == "0",
        Some(_) | None => false,
    }
}

/// Whether a declaration names nothing, and so prints what there is; functions are no variables.
fn lists_variables(arguments: &[Argument], options: &str) -> bool {
    let option = |argument: &Argument| argument.value.known_prefix().starts_with('-');
    arguments.iter().all(option) && !options.contains(['f', 'F'])
}

/// The letters of the options that begin with `sign`.
fn letters(arguments: &[Argument], sign: char) -> String {
    let words = arguments.iter().map(|argument| argument.value.known_prefix());
    words.filter(|text| text.starts_with(sign)).collect()
}

/// Where the value of an assignment begins; what looks like one in a subscript does not count.
fn equals(text: &str) -> Option<usize> {
    let sign = text.find('=')?;
    let Some(open) = text.find('[').filter(|open| *open < sign) else { return Some(sign) };
    let behind = open + arith::subscript(text.get(open..)?);
    let rest = text.get(behind..)?;
    let append = usize::from(rest.starts_with('+'));
    rest.get(append..)?.starts_with('=').then_some(behind + append)
}

/// An array that has numbers for subscripts keeps them.
fn declare_associative(name: &str, own: bool, inherited: Vec<Value>, scope: &mut Scope) {
    let fresh = own || !scope.variables.contains_key(name);
    let variable = scope.variable(name);
    let keys = variable.keys.get_or_insert_default();
    if fresh {
        variable.subscripts = Subscripts::Texts;
        keys.extend((0..inherited.len()).map(|number| number.to_string()));
        variable.values.extend(inherited);
    }
}

/// A reference without a target takes what the variable holds for one, or else what it is given next.
fn declare_reference(name: &str, own: bool, scope: &mut Scope) {
    if scope.references.contains_key(name) && !own {
        return;
    }
    scope.stop_referring(name);
    let held = scope.scalar(name).filter(|_| !own).and_then(Value::known);
    let held = held.map(std::borrow::Cow::into_owned).filter(|target| target != name);
    scope.refer(name, held.as_deref().unwrap_or_default());
}

/// Without an option, a function is only meant where there is no such variable.
fn unset(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    let words: Vec<_> = arguments.iter().filter_map(|argument| argument.value.known()).collect();
    let (functions, variables) =
        (words.iter().any(|word| word == "-f"), words.iter().any(|word| word == "-v"));
    let references = words.iter().any(|word| word == "-n");
    for name in words.iter().filter(|word| !word.starts_with('-')) {
        if references {
            scope.stop_referring(name);
            continue;
        }
        if let Some((array, key)) = element(name).filter(|_| !functions) {
            scope.variable(array).take_away(key);
            continue;
        }
        let is_set = scope.scalar(name).is_some();
        if functions || !variables && !is_set {
            scope.unset_function(name);
        }
        if !functions {
            scope.unset(name);
            scope.set_array(name, Vec::new());
        }
    }
    vec![Outcome::of(scope, Status::Either)]
}

pub(super) fn shift(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    let count =
        arguments.first().and_then(|argument| argument.value.known()?.parse::<usize>().ok()).unwrap_or(1);
    if let Some(positional) = &scope.positional {
        scope.positional = Some(Rc::new(positional.get(count..).unwrap_or_default().to_vec()));
    }
    vec![Outcome::of(scope, Status::Either)]
}

pub(super) fn unalias(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    for name in arguments.iter().filter_map(|argument| argument.value.known()) {
        Rc::make_mut(&mut scope.aliases).remove(name.as_ref());
    }
    vec![Outcome::of(scope, Status::Either)]
}

fn set_parameters(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    let dashes = arguments.iter().position(|argument| argument.value.known().as_deref() == Some("--"));
    let from = dashes.map(|at| at + 1).or_else(|| {
        let first = arguments.first()?.value.known_prefix();
        (!first.starts_with(['-', '+'])).then_some(0)
    });
    if let Some(from) = from {
        scope.positional = Some(Rc::new(values(arguments.get(from..).unwrap_or_default())));
    }
    vec![Outcome::of(scope, Status::Either)]
}

/// Whether `set` is told to switch an option on, by its name or its letter.
fn is_switched_on(arguments: &[Argument], name: &str, letter: char) -> bool {
    let words = arguments.iter().filter_map(|argument| argument.value.known());
    words
        .take_while(|word| word != "--")
        .any(|word| word == name || word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
}
