//! Builtins that run words or text: `eval`, `source`, `exec`, `trap` and options that hold code.

use std::rc::Rc;

use super::super::bound::typed_by_key;
use super::super::machine::Machine;
use super::super::scope::{Origin, Outcome, Scope, Status};
use super::{LAST_TYPED, option_value, value_after, values};
use crate::lang::Lang;
use crate::programs::arguments::{Argument, tail};
use crate::span::Span;
use crate::value::{Provenance, Value};

/// The options of `compgen` and `complete` that have a value.
const COMPLETES: &str = "oAGWPSXFCV";

impl Machine<'_> {
    pub(super) fn eval(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("eval", arguments, &scope, span);
        let operands =
            arguments.iter().skip_while(|argument| argument.value.known().as_deref() == Some("--"));
        let text = joined(operands.map(|argument| &argument.value));
        self.in_this_shell(&text, &mut scope, invocation, span)
    }

    /// Runs text in this shell. Unknown text goes the usual way, which says so.
    pub(crate) fn in_this_shell(
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
                Some(option @ ("-v" | "-V")) if name == "command" => {
                    self.record(name, arguments, &scope, span);
                    return self.found(if option == "-v" { after } else { rest }, scope);
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

    /// `fc`: an editor is given what was typed, and what it leaves there runs. `-s` and `-e -` run it as it is.
    pub(super) fn run_again(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("fc", arguments, &scope, span);
        let given = |letter: char| {
            let texts = arguments.iter().filter_map(|argument| argument.value.known());
            texts.take_while(|text| text.starts_with('-')).any(|text| text.contains(letter))
        };
        if given('l') {
            return vec![Outcome::printing(scope, Value::unknown("the history", Provenance::OUTSIDE))];
        }
        let editor = option_value(arguments, "e", 'e')
            .or_else(|| scope.scalar("FCEDIT").or_else(|| scope.scalar("EDITOR")).cloned())
            .filter(|editor| !given('s') && editor.known().as_deref() != Some("-"));
        if let Some(mut editor) = editor {
            editor.push_str(" /tmp/bash-fc");
            let mut inner = scope.clone();
            inner.hooked = true;
            let _ = self.code_at(Lang::Shell, &editor, &mut inner, invocation, span);
        }
        let typed = scope.scalar(LAST_TYPED).cloned();
        let typed = typed.unwrap_or_else(|| Value::unknown("the history", Provenance::OUTSIDE));
        self.in_this_shell(&typed, &mut scope, invocation, span)
    }

    /// zsh's `bindkey -s KEY TEXT` types a text where a key is pressed.
    pub(super) fn bind_typed(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("bindkey", arguments, &scope, span);
        let types = arguments.iter().any(|argument| argument.value.known().as_deref() == Some("-s"));
        let text =
            arguments.last().filter(|_| types).and_then(|argument| typed_by_key(&argument.value.known()?));
        if let Some(text) = text {
            self.bind_code(Value::literal(text));
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
        let option =
            |letter| option_value(arguments, if name == "bind" { "fmqrux" } else { COMPLETES }, letter);
        if let Some(words) = option('W') {
            self.expand_again(&words, &mut scope.clone());
        }
        if let Some(library) = option_value(arguments, "f", 'f').filter(|_| name == "enable") {
            self.loaded(&library, &scope, name, invocation, span);
        }
        if let Some(function) = option('F').filter(|_| name == "compgen") {
            let _ = self.call(vec![Argument { value: function, span }], Vec::new(), scope.clone(), span);
        }
        if let Some(code) = option(if name == "bind" { 'x' } else { 'C' }).filter(|_| name != "enable") {
            let code = if name == "bind" { unquoted(&bound(&code)) } else { code };
            let mut inner = scope.clone();
            inner.hooked = true;
            let _ = self.code_at(Lang::Shell, &code, &mut inner, invocation, span);
        }
        if name == "complete"
            && let Some(function) = option('F')
        {
            self.bind_code(function);
        }
        if name == "bind" {
            let bindings = arguments.iter().filter(|argument| argument.value.known_prefix().contains("\":"));
            let typed: Vec<String> =
                bindings.filter_map(|key| typed_by_key(&bound(&key.value).known()?)).collect();
            for typed in typed {
                self.bind_code(Value::literal(typed));
            }
        }
        vec![Outcome::printing(scope, Value::unknown(format!("output of {name}"), Provenance::OUTSIDE))]
    }
}

/// Code that stands in quotes of its own, without them.
fn unquoted(code: &Value) -> Value {
    let Some(text) = code.known() else { return code.clone() };
    let inner = text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.map_or_else(|| code.clone(), |inner| Value::literal(inner).from(code.provenance))
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
