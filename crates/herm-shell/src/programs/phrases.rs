//! Phrases that many tables use: the deeds, options and small readings that clients of services have in common.

use super::arguments::Parsed;
use super::schema::Role;
use super::schema::{Aim, Deed, Do, Opt, Program, deed, flag, program, value};
use crate::effect::{Flags, Target, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// Every operand is destroyed, as a thing of this kind.
pub(super) const fn destroys(kind: &'static str) -> Deed {
    deed(Verb::Destroy, Aim::Each(kind), Flags::IRREVERSIBLE)
}

/// Everything of this kind is destroyed.
pub(super) const fn destroys_all(kind: &'static str) -> Deed {
    deed(Verb::Destroy, Aim::Kind(kind), Flags::IRREVERSIBLE.and(Flags::ALL))
}

/// The operands are stopped.
pub(super) const fn stops(kind: &'static str) -> Deed {
    deed(Verb::Service, Aim::Each(kind), Flags::STOP)
}

/// The operands are restarted.
pub(super) const fn restarts(kind: &'static str) -> Deed {
    deed(Verb::Service, Aim::Each(kind), Flags::RESTART)
}

/// The operands are made public.
pub(super) const fn publishes(kind: &'static str) -> Deed {
    deed(Verb::Publish, Aim::Each(kind), Flags::NONE)
}

/// Credentials of a service are made, changed or dropped.
pub(super) const LOGS_IN: Deed = deed(Verb::Login, Aim::Kind("account"), Flags::NONE);

/// A secret is shown.
pub(super) const SHOWS_SECRET: Deed = deed(Verb::Read, Aim::Each("secret"), Flags::NONE);

/// A sub-command that does something.
pub(super) const fn sub(names: &'static [&'static str], does: &'static [Deed]) -> Program {
    program(names).does(does)
}

/// Options that leave nothing but a text on the terminal.
pub(super) const HELP: Opt = flag("--help -h", Do::Stop);

/// `--dry-run`, alone.
pub(super) const DRY_RUN: Opt = flag("--dry-run", Do::Stop);

/// Options whose values do not matter.
pub(super) const fn values(names: &'static str) -> Opt {
    value(names, Role::Inert)
}

/// Says that something happens to a named thing.
pub(super) fn emit(
    sink: &mut dyn Sink,
    verb: Verb,
    kind: &'static str,
    name: impl Into<String>,
    flags: Flags,
) {
    sink.effect(verb, Target::Named(kind, name.into()), flags, Provenance::NONE);
}

/// `NAME VALUE`, from this operand on: a variable for what is started from now on.
pub(super) fn variable_from(parsed: &Parsed<'_>, at: usize, sink: &mut dyn Sink) {
    if let (Some(name), Some(value)) = (parsed.word(at), parsed.operand(at + 1)) {
        sink.set_variable(&name, value);
    }
}

/// The operands from this one on, as they stand.
pub(super) fn operands_from(parsed: &Parsed<'_>, first: usize) -> Vec<Value> {
    parsed.operands.iter().skip(first).map(|argument| argument.value.clone()).collect()
}

/// The operands from this one on as one text, blanks between: what a program that joins its arguments makes of them.
pub(super) fn joined_from(parsed: &Parsed<'_>, first: usize) -> Value {
    let mut text = Value::default();
    for (index, argument) in parsed.operands.iter().skip(first).enumerate() {
        if index > 0 {
            text.push_str(" ");
        }
        text.push(&argument.value);
    }
    text
}

/// How an operand reads, for people.
pub(super) fn shown(parsed: &Parsed<'_>, index: usize) -> String {
    parsed.operand(index).map(Value::shown).unwrap_or_default()
}

/// The known value of an option, in lower case.
pub(super) fn option(parsed: &Parsed<'_>, names: &'static str) -> Option<String> {
    parsed.value(names).and_then(Value::known).map(|text| text.to_ascii_lowercase())
}

/// What follows the first `--`, when there is one.
pub(super) fn after_dashes(parsed: &Parsed<'_>) -> Option<Vec<Value>> {
    let place = parsed.all.iter().position(|argument| argument.value.known().as_deref() == Some("--"))?;
    Some(parsed.all.iter().skip(place + 1).map(|argument| argument.value.clone()).collect())
}

/// Runs the operands from this one on as a command with its arguments.
pub(super) fn run_from(parsed: &Parsed<'_>, sink: &mut dyn Sink, first: usize) {
    run(sink, &operands_from(parsed, first));
}

/// Runs a command with its arguments; it inherits standard input. A `--` before it is no part of it.
pub(super) fn run(sink: &mut dyn Sink, words: &[Value]) {
    let command = match words.split_first() {
        Some((first, rest)) if first.known().as_deref() == Some("--") => rest,
        Some(_) | None => words,
    };
    if command.is_empty() {
        return;
    }
    let output = sink.run(command, &Value::default());
    sink.print(output);
}

/// What stands after the last full stop of a file's name.
pub(super) fn ending(name: &str) -> Option<&str> {
    let file = name.rsplit('/').next()?;
    file.rsplit_once('.').map(|(_, ending)| ending)
}
