//! Kinds of programs that many tables need, and what their refinements share.

use super::arguments::Parsed;
use super::schema::{Aim, Deed, Do, Opt, Program, Role, Source, Syntax, deed, flag, program};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// Printing the help or the version is all that a program does.
pub(super) const HELP: Opt = flag("--help --version", Do::Stop);

/// An option that starts a shell.
pub(super) const SHELL_WITHIN: Deed = deed(Verb::Execute, Aim::None, INTERACTIVE_HOOK);

/// A program that runs the command in its operands: `nice`, `setsid`.
pub(super) const fn wrapper(names: &'static [&'static str]) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).all(Role::Argv)
}

/// A program that shows what is in the files it is given.
pub(super) const fn reader(names: &'static [&'static str]) -> Program {
    program(names).all(Role::Read).stdout(Source::Input)
}

/// Runs the operands from `first` on as a command; what it prints is what the wrapper prints.
pub(super) fn run_from(parsed: &Parsed<'_>, first: usize, sink: &mut dyn Sink) {
    let argv = operands_from(parsed, first);
    if !argv.is_empty() {
        run(&argv, sink);
    }
}

/// Runs a command with the standard input that is there.
pub(super) fn run(argv: &[Value], sink: &mut dyn Sink) {
    let output = sink.run(argv, &Value::default());
    sink.print(output);
}

/// The operands from `first` on.
pub(super) fn operands_from(parsed: &Parsed<'_>, first: usize) -> Vec<Value> {
    parsed.operands.iter().skip(first).map(|argument| argument.value.clone()).collect()
}

/// Words joined by blanks, as `ssh` and `watch` do before a shell reads them.
pub(super) fn joined(words: &[Value]) -> Value {
    Value::joined(words, " ")
}

/// The part of a value after a known beginning.
pub(super) fn strip_prefix(value: &Value, prefix: &str) -> Option<Value> {
    let mut rest = value.clone();
    let crate::value::Piece::Literal(first) = rest.pieces.first_mut()? else { return None };
    *first = first.strip_prefix(prefix)?.to_owned();
    Some(rest)
}

/// Splits a value at the first occurrence of `mark` in its known beginning.
pub(crate) fn split_once(value: &Value, mark: char) -> Option<(String, Value)> {
    let prefix = value.known_prefix();
    let (before, _) = prefix.split_once(mark)?;
    let rest = strip_prefix(value, before)?;
    Some((before.to_owned(), strip_prefix(&rest, mark.encode_utf8(&mut [0; 4]))?))
}

/// Runs shell text that an option of a program carries, and says so when all it does is start a shell.
pub(super) fn hook(text: &Value, flags: Flags, sink: &mut dyn Sink) {
    if starts_bare_shell(text) {
        let shown = text.known().map(std::borrow::Cow::into_owned);
        sink.effect(
            Verb::Execute,
            Target::Code(Lang::Shell, shown),
            flags | INTERACTIVE_HOOK,
            text.provenance,
        );
    } else {
        sink.hooked_code(Lang::Shell, text);
    }
}

const INTERACTIVE_HOOK: Flags = Flags::INTERACTIVE.and(Flags::HOOK);

/// A command whose input and output are a connection. `text` is shell text or a bare command line.
pub(super) fn serve(text: &Value, sink: &mut dyn Sink) {
    if starts_bare_shell(text) {
        let shown = text.known().map(std::borrow::Cow::into_owned);
        let flags = INTERACTIVE_HOOK | Flags::REMOTE_CONTROL;
        sink.effect(Verb::Execute, Target::Code(Lang::Shell, shown), flags, Provenance::NETWORK);
    } else {
        sink.code(Lang::Shell, text);
    }
}

/// A program that waits for commands of its own, among them one that starts a shell.
pub(super) fn console(sink: &mut dyn Sink) {
    if sink.at_terminal() {
        let target = Target::Code(Lang::Other("console"), None);
        sink.effect(Verb::Execute, target, Flags::INTERACTIVE, Provenance::NONE);
    }
}

/// Whether shell text does nothing but start a shell or an interpreter that reads what comes in.
pub(super) fn starts_bare_shell(text: &Value) -> bool {
    let Some(text) = text.known() else { return false };
    let mut words =
        text.split_ascii_whitespace().skip_while(|word| matches!(*word, "exec" | "setsid" | "env" | "sudo"));
    words.next().is_some_and(is_shell) && words.take_while(|word| !word.starts_with('#')).all(starts_nothing)
}

/// An option that leaves a shell reading its input, or a redirection.
fn starts_nothing(word: &str) -> bool {
    let option = word.starts_with('-') && !word.starts_with("--") && !word.contains(['c', 'e']);
    option || word == "--login" || word.contains(['<', '>', '&'])
}

/// Whether a word names a shell or an interpreter that takes commands from its input.
pub(super) fn is_shell(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    SHELLS.contains(&name)
}

const SHELLS: &[&str] = &[
    "ash",
    "bash",
    "cmd",
    "csh",
    "dash",
    "elvish",
    "fish",
    "ksh",
    "lua",
    "mksh",
    "node",
    "perl",
    "php",
    "posh",
    "powershell",
    "pwsh",
    "python",
    "python2",
    "python3",
    "rbash",
    "ruby",
    "sash",
    "sh",
    "tclsh",
    "tcsh",
    "yash",
    "zsh",
];

/// Loads a file of code, when the value is a path rather than the name of an installed module.
pub(super) fn load_path(value: &Value, sink: &mut dyn Sink) {
    if value.known_prefix().contains('/') {
        sink.path(Verb::Execute, value, Flags::HOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_that_waits_for_input_is_bare() {
        for text in ["/bin/sh", "bash -i", "exec /bin/sh 0<&2 1>&2", "sh -i <$(tty)", "/bin/sh #"] {
            assert!(starts_bare_shell(&Value::literal(text)), "{text}");
        }
    }

    #[test]
    fn a_shell_with_something_to_run_is_not_bare() {
        for text in ["sh -c id", "bash handler.sh", "cat", "bash -ec id", ""] {
            assert!(!starts_bare_shell(&Value::literal(text)), "{text}");
        }
    }

    #[test]
    fn values_split_before_their_holes() {
        let mut value = Value::literal("file=@");
        value.push(&Value::unknown("$x", Provenance::NONE));
        let (name, rest) = split_once(&value, '=').expect("has the mark");
        assert_eq!((name.as_str(), rest.shown().as_str()), ("file", "@$x"));
    }
}
