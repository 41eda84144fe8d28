//! Builtins that run words or text: `eval`, `source`, `exec`, `trap` and options that hold code.

use std::rc::Rc;

use super::super::machine::Machine;
use super::super::scope::{Origin, Outcome, Scope, Status};
use super::{found, value_after, values};
use crate::lang::Lang;
use crate::programs::arguments::{Argument, tail};
use crate::span::Span;
use crate::value::{Provenance, Value};

/// How many traps are run once more in the end.
const TRAPS: usize = 8;

impl Machine<'_> {
    pub(super) fn eval(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("eval", arguments, &scope, span);
        let operands =
            arguments.iter().skip_while(|argument| argument.value.known().as_deref() == Some("--"));
        let text = joined(operands.map(|argument| &argument.value));
        self.in_this_shell(&text, &mut scope, invocation, span)
    }

    /// Runs text in this shell. Unknown text goes the usual way, which says so.
    fn in_this_shell(
        &mut self,
        text: &Value,
        scope: &mut Scope,
        invocation: usize,
        span: Span,
    ) -> Vec<Outcome> {
        let origin = scope.origin;
        let within = scope.within;
        if text.known().is_none() || !text.provenance.is_empty() {
            let output = self.code_at(Lang::Shell, text, &mut scope.clone(), invocation, span);
            if text.has_hole() {
                return vec![Outcome::printing(scope.clone(), output)];
            }
        }
        if !self.descend() {
            return vec![Outcome::of(scope.clone(), Status::Either)];
        }
        scope.origin = Origin::Within(span);
        scope.within = Some(invocation);
        let mut outcomes = self.shell_outcomes(text, scope.clone());
        self.ascend();
        for outcome in &mut outcomes {
            outcome.scope.origin = origin;
            outcome.scope.within = within;
        }
        outcomes
    }

    pub(super) fn source(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("source", arguments, &scope, span);
        let Some((file, rest)) = arguments.split_first() else {
            return vec![Outcome::of(scope, Status::Failure)];
        };
        let target = self.target(&file.value, &scope);
        let content = self.given(&file.value, &scope).or_else(|| self.files.content(&target.path).cloned());
        if let Some(content) = content {
            return self.in_this_shell(&content, &mut scope, invocation, span);
        }
        let mut inner = scope.clone();
        let output = self.script(Lang::Shell, &file.value, &values(rest), &mut inner, invocation, span);
        vec![Outcome::printing(scope, output)]
    }

    /// `exec`, `command`, `builtin`: their operands are a command.
    pub(super) fn run_words(
        &mut self,
        name: &str,
        arguments: &[Argument],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let mut rest = arguments;
        while let Some((first, after)) = rest.split_first() {
            match first.value.known().as_deref() {
                Some("-v" | "-V") if name == "command" => {
                    self.record(name, arguments, &scope, span);
                    return found(after, scope);
                }
                // `-a NAME`, also behind `-c` and `-l`.
                Some(option) if name == "exec" && option.starts_with('-') && option.ends_with('a') => {
                    rest = after.get(1..).unwrap_or_default();
                }
                Some(option) if option.starts_with('-') => rest = after,
                _ => break,
            }
        }
        self.record(name, arguments, &scope, span);
        // A shell that is talked to, or that has `execfail` set, goes on when `exec` finds no such program.
        self.without_functions(rest, scope, span)
    }

    fn without_functions(&mut self, argv: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let (functions, aliases) = (Rc::clone(&scope.functions), Rc::clone(&scope.aliases));
        let inner = Scope { functions: Rc::default(), aliases: Rc::default(), ..scope };
        let mut outcomes = self.call(argv.to_vec(), Vec::new(), inner, span);
        for outcome in &mut outcomes {
            outcome.scope.functions = Rc::clone(&functions);
            outcome.scope.aliases = Rc::clone(&aliases);
        }
        outcomes
    }

    pub(super) fn trap(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("trap", arguments, &scope, span);
        let action = arguments
            .iter()
            .map(|argument| &argument.value)
            .find(|value| value.known().as_deref() != Some("--"));
        if let Some(action) = action.filter(|_| arguments.len() > 1)
            && !matches!(action.known().as_deref(), Some("-" | "" | "-p" | "-l"))
        {
            let mut inner = scope.clone();
            let _ = self.code_at(Lang::Shell, action, &mut inner, invocation, span);
            if self.traps.len() < TRAPS {
                self.traps.push((action.clone(), invocation, span));
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    /// Builtins with an option whose value is code.
    pub(super) fn option_code(
        &mut self,
        name: &str,
        arguments: &[Argument],
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let invocation = self.record(name, arguments, &scope, span);
        if name == "enable" && value_after(arguments, "-n").is_some() {
            let names = arguments.iter().filter_map(|argument| argument.value.known());
            Rc::make_mut(&mut scope.disabled).extend(names.map(std::borrow::Cow::into_owned));
        }
        if let Some(words) = value_after(arguments, "-W") {
            self.injected(&words, &mut scope.clone());
        }
        let option = if name == "bind" { "-x" } else { "-C" };
        if let Some(code) = value_after(arguments, option) {
            let code = if name == "bind" { bound(&code) } else { code };
            let mut inner = scope.clone();
            inner.hooked = true;
            let _ = self.code_at(Lang::Shell, &code, &mut inner, invocation, span);
        }
        vec![Outcome::printing(scope, Value::unknown(format!("output of {name}"), Provenance::OUTSIDE))]
    }
}

pub(super) fn joined<'v>(values: impl Iterator<Item = &'v Value>) -> Value {
    let mut text = Value::default();
    for (index, value) in values.enumerate() {
        if index > 0 {
            text.push_str(" ");
        }
        text.push(value);
    }
    text
}

/// `"KEYS": CODE`, the code with or without quotes.
pub(super) fn bound(binding: &Value) -> Value {
    let text = binding.known_prefix();
    let at = text.strip_prefix('"').and_then(|rest| rest.find('"')).and_then(|end| {
        let colon = end + 2;
        text.get(colon..)?.starts_with(':').then_some(colon + 1)
    });
    at.map_or_else(|| binding.clone(), |at| tail(binding, at))
}
