//! Which of the words behind a program read as a command that it would start.
//!
//! Nobody can list every program that starts another one. But who starts one is given its name and its arguments, and those
//! are known: `faketty rm -rf /` holds the options of `rm`, `wrap -- dd of=/dev/sda` sets a command apart as launchers do.
//! A name alone says nothing: `tool install x`, `tool reboot` and `tool test rm` are words of the tool's own.

use super::call::plain_name;
use super::task::is_assignment;
use crate::programs;
use crate::programs::arguments::{self, Argument};
use crate::programs::schema::{Program, Syntax};
use crate::programs::split_once;
use crate::span::Span;
use crate::value::Value;

/// Words that read as a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) command: Command,
    pub(super) grounds: Grounds,
}

/// What would be started.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Shell text in one word.
    Text(Value),
    /// The program at this place, with the words behind it.
    Words(usize),
}

/// What says that it would; from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grounds {
    /// The name of a program that is known, with something behind it.
    Named,
    /// The words behind the name are that program's own options or sub-commands.
    Fitting,
    /// It is set apart by `--`, or by a word that means starting.
    Announced,
}

/// Every reading of a program's arguments, in the order in which they stand. Each takes work for the words that are behind it; where
/// there is none left, nothing more is read.
pub(super) fn readings(arguments: &[Argument], mut spend: impl FnMut(u32) -> bool) -> Vec<Reading> {
    let mut before = Mark::None;
    // What stands behind a command that is announced, and fits, belongs to that.
    let mut belongs = false;
    let mut said = Said::No;
    let mut kept = Kept::No;
    let mut found: Vec<Reading> = Vec::new();
    for (at, argument) in arguments.iter().enumerate() {
        if at % WORDS_PER_UNIT == WORDS_PER_UNIT - 1 && !spend(1) {
            break;
        }
        let word = argument.value.known();
        let is_text = word.as_ref().is_some_and(|word| word.contains(char::is_whitespace));
        // Variables for the command that follows.
        if is_assignment(&argument.value) && !is_text {
            continue;
        }
        let Some(word) = word else {
            before = Mark::None;
            continue;
        };
        let text = if belongs { None } else { text(&word, before) };
        let reading = text.or_else(|| words(&word, at, arguments, before, &mut spend));
        if let Some(reading) = reading.and_then(|reading| said.temper(kept.temper(reading, before))) {
            belongs |= reading.grounds == Grounds::Announced && is_fitting(&reading, arguments);
            found.push(reading);
        }
        said = said.after(&word, before);
        kept = kept.after(&word);
        before = Mark::of(&word);
    }
    found
}

/// Whether words are said rather than done: `echo` or `test` stands before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    No,
    /// If that is what is started.
    Perhaps,
    /// That is announced as what is started.
    Yes,
}

impl Said {
    /// What is left of a reading. What is announced is no longer what is said.
    fn temper(self, reading: Reading) -> Option<Reading> {
        match self {
            Self::No => Some(reading),
            Self::Perhaps | Self::Yes if reading.grounds == Grounds::Announced => Some(reading),
            Self::Perhaps => Some(Reading { grounds: Grounds::Named, ..reading }),
            Self::Yes => None,
        }
    }

    fn after(self, word: &str, before: Mark) -> Self {
        let says = programs::find(plain_name(word)).is_some_and(|program| program.syntax == Syntax::Words);
        match (before, says) {
            (Mark::Command | Mark::Separator, true) => Self::Yes,
            (Mark::Task, true) => Self::Perhaps,
            (Mark::Command | Mark::Separator | Mark::Task, false) => Self::No,
            (Mark::Expression | Mark::None | Mark::Text, true) if self == Self::No => Self::Perhaps,
            (Mark::Expression | Mark::None | Mark::Text, _) => self,
        }
    }
}

/// Whether words are kept rather than done: a sub-command of the program's own stands before them, which takes words to remember or to
/// look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    No,
    Yes,
}

impl Kept {
    /// What is left of a reading. After a word that means starting, it is no longer what is kept.
    fn temper(self, reading: Reading, before: Mark) -> Reading {
        match (self, before) {
            (Self::Yes, Mark::Expression | Mark::None | Mark::Separator | Mark::Text) => {
                Reading { grounds: Grounds::Named, ..reading }
            }
            (Self::No, _) | (Self::Yes, Mark::Command | Mark::Task) => reading,
        }
    }

    fn after(self, word: &str) -> Self {
        if KEEPING.contains(&word) { Self::Yes } else { self }
    }
}

/// Sub-commands by which programs of all kinds take words that they remember, show or look for.
pub(super) const KEEPING: &[&str] = &[
    "add", "annotate", "append", "comment", "create", "describe", "edit", "find", "get", "list", "log",
    "message", "new", "note", "query", "remember", "remind", "rename", "reply", "save", "say", "search",
    "send", "set", "show", "tag", "title", "todo", "write",
];

/// Whether anything announces a command.
pub(super) fn announce_something(arguments: &[Argument]) -> bool {
    arguments.iter().any(|argument| argument.value.known().is_some_and(|word| announces(&word)))
}

/// Whether the words of a reading are options and sub-commands of the program that they begin with.
pub(super) fn is_fitting(reading: &Reading, arguments: &[Argument]) -> bool {
    let Command::Words(at) = reading.command else { return false };
    let words = arguments.get(at..).and_then(<[Argument]>::split_first);
    words.is_some_and(|(program, rest)| {
        let name = program.value.shown();
        programs::find(plain_name(&name)).is_some_and(|program| fits(program, &name, rest))
    })
}

/// The variables that are set for the command at a place: the assignments before it.
pub(super) fn environment(arguments: &[Argument], at: usize) -> Vec<(String, Value)> {
    let before = arguments.get(..at).unwrap_or_default();
    let assigned = before.iter().rev().map_while(|argument| {
        let (name, value) = split_once(&argument.value, '=')?;
        is_assignment(&argument.value).then_some((name, value))
    });
    assigned.collect()
}

/// Whether a word says that a command or a task follows.
pub(super) fn announces(word: &str) -> bool {
    matches!(Mark::of(word), Mark::Command | Mark::Separator | Mark::Task)
}

/// Whether a text reads as a command line of a program that is known, with options of its own.
pub(super) fn is_command_line(text: &str) -> bool {
    let word = |word: &str| Argument { value: Value::literal(word), span: Span::default() };
    let mut words = text.split_whitespace();
    let Some(name) = words.next() else { return false };
    let rest: Vec<Argument> = words.map(word).collect();
    programs::find(name).is_some_and(|program| fits(program, name, &rest))
}

/// What the word before says of the one behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// `exec`: a command follows.
    Command,
    None,
    /// `--`: a command follows, or operands that are not options.
    Separator,
    /// `run`: a command follows, or the name of a task.
    Task,
    /// `-c`: a command follows in one word, or a setting.
    Text,
    /// `-e`: a command follows in one word, or an expression of any other kind.
    Expression,
}

impl Mark {
    fn of(word: &str) -> Self {
        match word {
            "--" => Self::Separator,
            "exec" | "execute" | "spawn" => Self::Command,
            "launch" | "run" | "run-program" | "shell" | "task" => Self::Task,
            "-c" | "--cmd" | "--command" | "--exec" | "--execute" | "--run" | "--shell"
            | "--shell-command" => Self::Text,
            "-e" | "-x" => Self::Expression,
            _ => Self::None,
        }
    }
}

/// A command in one word, where something says that a command is what it is: quoted text may be anything.
fn text(word: &str, before: Mark) -> Option<Reading> {
    let (mark, code) = match word.split_once('=') {
        Some((option, code)) if option.starts_with("--") => (Mark::of(option), code),
        Some(_) | None => (before, word),
    };
    let grounds = match mark {
        Mark::Command | Mark::Separator | Mark::Task | Mark::Text => Grounds::Fitting,
        Mark::Expression => Grounds::Named,
        Mark::None => return None,
    };
    let is_text = code.contains(char::is_whitespace);
    is_text.then(|| Reading { command: Command::Text(Value::literal(code)), grounds })
}

fn words(
    word: &str,
    at: usize,
    arguments: &[Argument],
    before: Mark,
    spend: &mut impl FnMut(u32) -> bool,
) -> Option<Reading> {
    let program = programs::find(plain_name(word)).filter(|_| !word.starts_with('-'))?;
    let rest = arguments.get(at + 1..).unwrap_or_default();
    if !spend(u32::try_from(rest.len() / WORDS_PER_UNIT).unwrap_or(u32::MAX).saturating_add(1)) {
        return None;
    }
    let is_command = !rest.is_empty() && !is_listed(program, rest) || word.contains('/');
    let grounds = match before {
        Mark::Command | Mark::Separator => Grounds::Announced,
        Mark::Task if !rest.is_empty() => Grounds::Announced,
        Mark::Task => Grounds::Named,
        Mark::Expression | Mark::None | Mark::Text if fits(program, word, rest) => Grounds::Fitting,
        Mark::Expression | Mark::None | Mark::Text if is_command => Grounds::Named,
        Mark::Expression | Mark::None | Mark::Text => return None,
    };
    Some(Reading { command: Command::Words(at), grounds })
}

/// How many words are looked at for one unit of work.
const WORDS_PER_UNIT: usize = 8;

/// Whether the name of a program is one of a list, as for an installer: another name stands behind it, which only programs that start
/// others make something of.
fn is_listed(program: &Program, rest: &[Argument]) -> bool {
    let next = rest.first().and_then(|argument| argument.value.known());
    program.syntax != Syntax::FirstOperandEnds && next.is_some_and(|word| programs::find(&word).is_some())
}

/// Whether the words behind a program's name are options and sub-commands that it has, and none that it has not.
fn fits(program: &'static Program, word: &str, rest: &[Argument]) -> bool {
    let (parsed, _) = arguments::parse(program, plain_name(word), rest);
    let is_own = !parsed.options.is_empty() || !parsed.subcommands.is_empty();
    is_own && parsed.options.iter().all(|given| given.option.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<(String, Grounds)> {
        let split = line.split(' ').map(|word| word.replace('_', " "));
        let arguments: Vec<Argument> =
            split.map(|word| Argument { value: Value::literal(word), span: Span::default() }).collect();
        let shown = |reading: Reading| match reading.command {
            Command::Text(text) => (text.shown(), reading.grounds),
            Command::Words(at) => {
                (arguments.get(at).map(|word| word.value.shown()).unwrap_or_default(), reading.grounds)
            }
        };
        readings(&arguments, |_| true).into_iter().map(shown).collect()
    }

    fn one(line: &str, name: &str, grounds: Grounds) {
        assert_eq!(read(line), [(name.to_owned(), grounds)], "{line}");
    }

    #[test]
    fn options_of_its_own_tell_a_program_from_a_word() {
        one("rm -rf /", "rm", Grounds::Fitting);
        one("-v 3 dd if=/dev/zero of=/dev/sda", "dd", Grounds::Fitting);
        one("mkfs.ext4 /dev/sda", "mkfs.ext4", Grounds::Named);
        one("rm --no-such-option /", "rm", Grounds::Named);
        one("/sbin/reboot", "/sbin/reboot", Grounds::Named);
    }

    #[test]
    fn a_command_may_be_announced() {
        one("-- reboot", "reboot", Grounds::Announced);
        one("exec reboot", "reboot", Grounds::Announced);
        one("run rm build", "rm", Grounds::Announced);
        one("run reboot", "reboot", Grounds::Named);
        one("-- A=b reboot", "reboot", Grounds::Announced);
        one("-- sh -c rm_-rf_/", "sh", Grounds::Announced);
    }

    #[test]
    fn text_is_a_command_only_where_something_says_so() {
        one("-c rm_-rf_/", "rm -rf /", Grounds::Fitting);
        one("--command=rm_-rf_/", "rm -rf /", Grounds::Fitting);
        one("-e rm_-rf_/", "rm -rf /", Grounds::Named);
        one("exec rm_-rf_/", "rm -rf /", Grounds::Fitting);
        one("-c A=b_rm_-rf_/", "A=b rm -rf /", Grounds::Fitting);
        assert_eq!(read("announce rm_-rf_/"), []);
        assert_eq!(read("--message=rm_-rf_/"), []);
    }

    #[test]
    fn what_is_said_is_not_done() {
        one("-- echo rm -rf /", "echo", Grounds::Announced);
        one("echo rm -rf /", "rm", Grounds::Named);
        let both = [("test".to_owned(), Grounds::Announced), ("rm".to_owned(), Grounds::Announced)];
        assert_eq!(read("run test -- rm -rf /"), both);
    }

    #[test]
    fn a_name_alone_says_nothing() {
        for line in ["reboot", "build src", "--all frobnicate", "get rm", "-c setting", "add curl git jq"] {
            assert_eq!(read(line), [], "{line}");
        }
    }
}
