//! Commands that a program would start if it is one that starts what it is given.

use super::approvals::Switches;
use super::launch::{
    Command, Grounds, Reading, announce_something, announces, environment, is_command_line, is_fitting,
    readings,
};
use super::machine::Machine;
use super::scope::Scope;
use super::step::Step;
use crate::analysis::{Analysis, Likelihood, Supposition};
use crate::effect::{Certainty, Effect};
use crate::gap::{Gap, Position, Reason};
use crate::lang::Lang;
use crate::programs;
use crate::programs::arguments::{Argument, Parsed};
use crate::programs::schema::{Operands, Program, Role, Source, Syntax};
use crate::span::Span;
use crate::value::Value;

/// A program that may start what it is given.
#[derive(Clone, Copy)]
pub(super) struct Starter<'s> {
    /// How it is called.
    pub(super) name: &'s str,
    pub(super) invocation: usize,
    pub(super) span: Span,
}

/// How many suppositions may rest on one another.
pub(super) const SUPPOSITIONS: u32 = 2;

/// How long a command line is at most that somebody mistakes for code of another language.
const ONE_LINE: usize = 256;

/// How much an analysis held at one point.
struct Extent {
    effects: usize,
    gaps: usize,
    invocations: usize,
    notes: usize,
    supposed: usize,
    uses: usize,
}

impl Extent {
    fn of(analysis: &Analysis) -> Self {
        Self {
            effects: analysis.effects.len(),
            gaps: analysis.gaps.len(),
            invocations: analysis.invocations.len(),
            notes: analysis.notes.len(),
            supposed: analysis.supposed.len(),
            uses: analysis.uses.len(),
        }
    }

    /// Cuts an analysis back to what it was, and returns the effects that it had besides. What could not be known of a command that may
    /// be none is left out; that reading had to stop is not.
    fn cut(&self, analysis: &mut Analysis) -> Vec<Effect> {
        analysis.invocations.truncate(self.invocations);
        analysis.notes.truncate(self.notes);
        analysis.uses.truncate(self.uses);
        let gaps = analysis.gaps.split_off(self.gaps.min(analysis.gaps.len()));
        analysis.gaps.extend(gaps.into_iter().filter(stopped));
        analysis.effects.split_off(self.effects.min(analysis.effects.len()))
    }
}

/// Whether a reader gave up on what it could have read. Text that is not valid in its language may be none.
fn stopped(gap: &Gap) -> bool {
    gap.position == Position::Whole && matches!(gap.reason, Reason::Depth | Reason::Fuel | Reason::Size)
}

impl Machine<'_> {
    /// Works out what a program of which nothing is known would start. What is announced counts as done on some way through the
    /// text; what only reads like a command is kept apart. Of several that are announced, the first holds the others.
    pub(super) fn suppose(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        let mut found = readings(arguments, |units| self.spend(units));
        found.extend(fed(arguments, scope));
        let announced = found.iter().position(|reading| reading.grounds == Grounds::Announced);
        self.take_back(&found, |machine| {
            for (at, reading) in found.iter().enumerate() {
                if announced == Some(at) {
                    machine.start(&reading.command, starter, arguments, scope);
                } else {
                    machine.set_apart(reading, starter, arguments, scope);
                }
            }
        });
    }

    /// The same for a script that is not there to be read.
    pub(super) fn suppose_script(&mut self, path: &str, scope: &Scope, invocation: usize, span: Span) {
        let given = scope.positional.as_deref().map(Vec::as_slice).unwrap_or_default();
        let arguments: Vec<Argument> =
            given.iter().map(|value| Argument { value: value.clone(), span }).collect();
        self.suppose(Starter { name: path, invocation, span }, &arguments, scope);
    }

    /// The same for code that is meant for another reader than a shell, if a command line is what stands there.
    pub(super) fn suppose_mistaken(
        &mut self,
        lang: Lang,
        text: &Value,
        scope: &Scope,
        invocation: usize,
        span: Span,
    ) {
        let code =
            text.known().filter(|code| is_scripting(lang) && code.len() < ONE_LINE && !code.contains('\n'));
        if !code.is_some_and(|code| is_command_line(&code)) {
            return;
        }
        let found = [Reading { command: Command::Text(text.clone()), grounds: Grounds::Named }];
        let starter = Starter { name: lang.name(), invocation, span };
        self.take_back(&found, |machine| {
            for reading in &found {
                machine.set_apart(reading, starter, &[], scope);
            }
        });
    }

    /// The same for a program that is known, but not as one that starts others: what it is given must be announced, and fit.
    fn suppose_known(&mut self, starter: Starter<'_>, parsed: &Parsed<'_>, scope: &Scope) {
        let arguments = parsed.all;
        let least = if parsed.subcommands.last().is_some_and(|word| announces(word)) {
            Grounds::Fitting
        } else {
            Grounds::Announced
        };
        if least == Grounds::Announced && !announce_something(arguments) {
            return;
        }
        let mut found = readings(arguments, |units| self.spend(units));
        found.retain(|reading| reading.grounds >= least && is_fitting(reading, arguments));
        self.take_back(&found, |machine| {
            for reading in &found {
                machine.set_apart(reading, starter, arguments, scope);
            }
        });
    }

    /// Nothing that may not have happened may be built upon: files and streams are afterwards as they were.
    fn take_back(&mut self, found: &[Reading], run: impl FnOnce(&mut Self)) {
        if !found.is_empty() {
            self.undone(run);
        }
    }

    /// The same, where something is supposed in any case.
    pub(super) fn undone(&mut self, run: impl FnOnce(&mut Self)) {
        if self.supposing >= SUPPOSITIONS || !self.spend_bytes(self.files.size()) {
            return;
        }
        let (files, streams) = (self.files.clone(), self.streams.clone());
        let (imported, shape) = (self.imported.clone(), *self.shape());
        let (traps, listeners) = (self.traps.len(), self.listeners.len());
        run(self);
        (self.files, self.streams, self.imported) = (files, streams, imported);
        *self.shape() = shape;
        self.traps.truncate(traps);
        self.listeners.truncate(listeners);
    }

    /// What a command would do, apart from what the text does.
    fn set_apart(&mut self, reading: &Reading, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        let command = shown(&reading.command, arguments);
        self.aside(likelihood(reading, arguments), &command, starter, |machine| {
            machine.start(&reading.command, starter, arguments, scope);
        });
    }

    /// Keeps what happens on a way that nothing says is taken apart from what the text does.
    pub(super) fn aside(
        &mut self,
        likelihood: Likelihood,
        command: &str,
        starter: Starter<'_>,
        run: impl FnOnce(&mut Self),
    ) {
        let before = Extent::of(&self.out);
        self.supposing += 1;
        run(self);
        self.supposing -= 1;
        let effects = before.cut(&mut self.out);
        let owned = |effect: Effect| Effect { invocation: starter.invocation, span: starter.span, ..effect };
        for inner in self.out.supposed.iter_mut().skip(before.supposed) {
            inner.likelihood = inner.likelihood.min(likelihood);
            inner.effects = std::mem::take(&mut inner.effects).into_iter().map(owned).collect();
        }
        let supposition = Supposition {
            by: starter.name.to_owned(),
            command: shortened(command.to_owned()),
            likelihood,
            effects: effects.into_iter().map(owned).collect(),
        };
        if !supposition.effects.is_empty() && !self.out.supposed.contains(&supposition) {
            self.out.supposed.push(supposition);
        }
    }

    pub(super) fn start(
        &mut self,
        command: &Command,
        starter: Starter<'_>,
        arguments: &[Argument],
        scope: &Scope,
    ) {
        if !self.descend() {
            return;
        }
        let mut inner = scope.clone();
        inner.certainty = Certainty::May;
        inner.within = Some(starter.invocation);
        match command {
            Command::Text(text) => {
                let _ = self.code_at(Lang::Shell, text, &mut inner, starter.invocation, starter.span);
            }
            Command::Words(at) => {
                if let Some((program, rest)) = arguments.get(*at..).and_then(<[Argument]>::split_first) {
                    let name = program.value.shown();
                    let environment = environment(arguments, *at);
                    let (switches, said) = (Switches::of(&inner), self.out.effects.len());
                    for (variable, value) in &environment {
                        inner.set(variable, value.clone());
                        inner.export(variable);
                    }
                    self.mind_switches(switches, said, &inner, starter.span);
                    let _ = self.call_program(&name, rest, &environment, inner, starter.span);
                }
            }
        }
        self.ascend();
    }
}

impl Step<'_, '_> {
    /// Words that the description gives no meaning to, and that nothing was started from.
    pub(super) fn suppose_handed(&mut self, parsed: &Parsed<'_>, program: &Program) {
        if self.ran || parsed.taken || !takes_free_words(program) {
            return;
        }
        let (by, scope) = (std::rc::Rc::clone(&self.by), self.scope.clone());
        let starter = Starter { name: &by, invocation: self.invocation, span: self.span };
        self.machine.suppose_known(starter, parsed, &scope);
    }
}

/// Whether a language has no command lines of its own.
fn is_scripting(lang: Lang) -> bool {
    matches!(
        lang,
        Lang::JavaScript
            | Lang::Lua
            | Lang::Perl
            | Lang::Php
            | Lang::Python
            | Lang::R
            | Lang::Ruby
            | Lang::Tcl
    )
}

/// Whether operands are handed on rather than printed, searched for or read.
fn takes_free_words(program: &Program) -> bool {
    let keeps = matches!(program.stdout, Source::Computed | Source::Decoded | Source::Input);
    matches!(program.operands, Operands::None | Operands::Rest(Role::Inert))
        && program.syntax != Syntax::Words
        && !keeps
}

/// A shell as the last word that is fed something to run: `curl … | wrap bash`.
fn fed(arguments: &[Argument], scope: &Scope) -> Option<Reading> {
    let at = arguments.len().checked_sub(1)?;
    let name = arguments.get(at)?.value.known()?;
    let is_fed = scope.stdin.as_ref().is_some_and(|stdin| !stdin.pieces.is_empty());
    let is_shell = programs::is_shell(super::call::plain_name(&name));
    (is_fed && is_shell).then_some(Reading { command: Command::Words(at), grounds: Grounds::Announced })
}

fn likelihood(reading: &Reading, arguments: &[Argument]) -> Likelihood {
    match reading.grounds {
        // The guard's own name may be any word of a tool's.
        Grounds::Fitting if is_guard_behind(reading, arguments) => Likelihood::Slight,
        Grounds::Fitting => Likelihood::Great,
        Grounds::Announced if is_fitting(reading, arguments) => Likelihood::Great,
        Grounds::Announced | Grounds::Named => Likelihood::Slight,
    }
}

/// Whether it is the guard that is named, behind other words.
fn is_guard_behind(reading: &Reading, arguments: &[Argument]) -> bool {
    match reading.command {
        Command::Words(at) => {
            let name = arguments.get(at).and_then(|argument| argument.value.known());
            let before = arguments.get(..at).unwrap_or_default();
            let is_told = before.iter().all(|argument| super::task::is_assignment(&argument.value));
            !is_told && name.is_some_and(|name| super::call::plain_name(&name) == super::call::GUARD)
        }
        Command::Text(_) => false,
    }
}

fn shown(command: &Command, arguments: &[Argument]) -> String {
    match command {
        Command::Text(text) => text.shown(),
        Command::Words(at) => {
            let words = arguments.get(*at..).unwrap_or_default();
            Value::joined(words.iter().map(|argument| &argument.value), " ").shown()
        }
    }
}

fn shortened(mut text: String) -> String {
    if text.chars().count() > SHOWN {
        text = text.chars().take(SHOWN).chain(['…']).collect();
    }
    text
}

/// How much of a command is shown to people, in characters.
const SHOWN: usize = 80;
