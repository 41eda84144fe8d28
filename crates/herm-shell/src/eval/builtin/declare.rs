//! Builtins that set and unset: variables, options, aliases, positional parameters.

use std::rc::Rc;

use super::super::assign::{declare_array, element};
use super::super::machine::Machine;
use super::super::scope::{Outcome, Scope, Status};
use super::values;
use crate::programs::arguments::{Argument, tail};
use crate::span::Span;
use crate::value::Value;

impl Machine<'_> {
    pub(super) fn declare(
        &mut self,
        name: &str,
        arguments: &[Argument],
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        self.record(name, arguments, &scope, span);
        let options: String = arguments
            .iter()
            .map(|argument| argument.value.known_prefix())
            .filter(|text| text.starts_with('-'))
            .collect();
        let exports = name == "export" || options.contains('x');
        let own =
            scope.frame.function && matches!(name, "declare" | "local" | "typeset") && !options.contains('g');
        for argument in arguments {
            let text = argument.value.known_prefix();
            if text.starts_with('-') {
                continue;
            }
            let at = text.find('=');
            let variable =
                text.get(..at.unwrap_or(text.len())).unwrap_or_default().trim_end_matches('+').to_owned();
            if own {
                scope.hide(&variable);
            }
            if options.contains('A') {
                scope.variable(&variable).keys.get_or_insert_default();
            }
            let elements = text.split_once("=(").and_then(|(_, rest)| rest.strip_suffix(')'));
            if let Some(elements) = elements {
                declare_array(&variable, elements, &mut scope);
            } else if let Some(at) = at {
                let value = tail(&argument.value, at + 1);
                if options.contains('i') {
                    self.injected(&value, &mut scope);
                }
                match value.known().filter(|to| options.contains('n') && **to != *variable) {
                    Some(to) => {
                        Rc::make_mut(&mut scope.references).insert(variable.clone(), to.into_owned());
                    }
                    None => scope.set(&variable, value),
                }
            }
            if name == "readonly" || options.contains('r') {
                scope.variable(&variable).fixed = true;
            }
            if exports {
                scope.export(&variable);
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    /// The prompt of traced commands is expanded for each of them.
    pub(crate) fn traced(&mut self, scope: &mut Scope) {
        let traces = scope.scalar("SHELLOPTS").is_some_and(|options| options.shown().contains("xtrace"));
        if let Some(prompt) = scope.scalar("PS4").filter(|_| traces).cloned() {
            self.injected(&prompt, scope);
        }
    }

    /// `set -x` shows `PS4` before every command, and expands it for that.
    pub(super) fn set(&mut self, arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
        let traces = arguments.iter().filter_map(|argument| argument.value.known()).any(|word| {
            word == "xtrace" || word.starts_with('-') && !word.starts_with("--") && word.contains('x')
        });
        if traces {
            scope.set("SHELLOPTS", Value::literal("xtrace"));
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

/// Without an option, a function is only meant where there is no such variable.
pub(super) fn unset(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    let words: Vec<_> = arguments.iter().filter_map(|argument| argument.value.known()).collect();
    let (functions, variables) =
        (words.iter().any(|word| word == "-f"), words.iter().any(|word| word == "-v"));
    for name in words.iter().filter(|word| !word.starts_with('-')) {
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
