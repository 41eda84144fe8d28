//! Keys that are typed for somebody: into the pane of a multiplexer, a window, another's terminal.
//!
//! A pane that the text itself opens is its own. Any other may be the one in which a person is asked.

use super::arguments::Parsed;
use super::kinds::joined;
use super::operands::named;
use super::schema::{Operands, Program, Syntax, program};
use crate::effect::{Flags, Verb};
use crate::fuel::Fuel;
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// The kind of thing that keys are typed into.
const TERMINAL: &str = "terminal";
/// The kind of a pane without a name, in which a known command is to run.
const PANE: &str = "pane";
/// The kind of thing that a text opens for itself.
const OWN: &str = "own terminal";

pub(super) static PROGRAMS: &[Program] = &[
    program(&["ydotool", "dotool", "wtype", "xte", "xvkbd", "wlrctl", "cliclick", "xdotool.exe"])
        .syntax(Syntax::Words)
        .operands(Operands::None)
        .refine(|parsed, sink| {
            if parsed.all.iter().any(|word| !word.value.known_prefix().starts_with("--h")) {
                typed_into(parsed.program, sink);
            }
        }),
    program(&["kitten"]).syntax(Syntax::Words).operands(Operands::None).refine(emulator),
];

/// Keys go to a terminal that is not the text's own.
pub(super) fn typed_into(target: &str, sink: &mut dyn Sink) {
    named(Verb::Send, TERMINAL, target, Flags::NONE, sink);
}

/// A session is opened under this name, by this program and at this server.
pub(super) fn opened(parsed: &Parsed<'_>, name: &Value, sink: &mut dyn Sink) {
    named(Verb::Configure, OWN, &at(parsed, &name.shown()), Flags::NONE, sink);
}

/// Something that takes keys is started under this name.
pub(super) fn opened_as(name: &str, sink: &mut dyn Sink) {
    named(Verb::Configure, OWN, name, Flags::NONE, sink);
}

/// A pane is opened that has no name.
pub(super) fn opened_nameless(sink: &mut dyn Sink) {
    named(Verb::Configure, OWN, "", Flags::NONE, sink);
}

/// Something is done to a pane, or typed into it that may be an answer.
pub(super) fn done_to(parsed: &Parsed<'_>, target: Option<&Value>, sink: &mut dyn Sink) {
    let name = target.and_then(session).map(|name| at(parsed, &name)).unwrap_or_default();
    typed_into(&name, sink);
}

/// A known command runs in a pane, or beside it: outside of what the text runs in.
pub(super) fn runs_in(target: Option<&Value>, sink: &mut dyn Sink) {
    if target.and_then(session).is_none() {
        named(Verb::Send, PANE, &target.map(Value::shown).unwrap_or_default(), Flags::NONE, sink);
    }
}

/// Keys that are typed into the pane `target`. Those that are plainly a command count as that command.
pub(super) fn keys(parsed: &Parsed<'_>, target: Option<&Value>, words: &[Value], sink: &mut dyn Sink) {
    let words: Vec<Value> = words.iter().filter(|word| !ends_nothing(word)).cloned().collect();
    if words.is_empty() {
        return;
    }
    if are_commands(&words) {
        runs_in(target, sink);
    } else {
        done_to(parsed, target, sink);
    }
    let text: Vec<Value> = words.into_iter().filter(|word| !is_key(word)).collect();
    if text.is_empty() {
        return;
    }
    let line = joined(&text);
    // A pane may show anything: what no shell would accept is meant for something else.
    let lang = if is_shells(&line) { Lang::Shell } else { Lang::Python };
    sink.code(lang, &line);
}

/// The session in `session:window.pane`, if somebody gave it its name: a number, a mark or a pattern may be any.
fn session(target: &Value) -> Option<String> {
    let text = target.known()?;
    let name = text.trim_start_matches('=');
    let name = name.split([':', '.']).next().unwrap_or(name);
    let is_name = name.chars().any(char::is_alphabetic)
        && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ' | '/'));
    is_name.then(|| name.to_owned())
}

/// A session with the program that has it, and the server if it is not the usual one.
fn at(parsed: &Parsed<'_>, session: &str) -> String {
    let program = if parsed.program == "byobu" { "tmux" } else { parsed.program };
    let server = if program == "screen" { None } else { parsed.value("-L -S").map(Value::shown) };
    [Some(program), server.as_deref(), Some(session)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Whether every line that is typed is a known program's call, and nothing edits it.
fn are_commands(words: &[Value]) -> bool {
    let mut lines = words.split(is_enter).collect::<Vec<_>>();
    if lines.len() > 1 && lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.into_iter().all(|line| {
        let typed = joined(line);
        !line.is_empty()
            && !line.iter().any(is_key)
            && !answers(&line.iter().map(Value::shown).collect::<String>())
            && typed.known_prefix().trim_end().split(['\n', '\r']).all(is_command)
    })
}

/// Whether a line is a known program's call; an answer to a question is a word or less.
fn is_command(line: &str) -> bool {
    let Some(first) = line.split_whitespace().next() else { return false };
    let name = first.rsplit('/').next().unwrap_or(first);
    first.len() > 1
        && !answers(name)
        && (BUILTINS.contains(&name)
            || first.contains('/')
            || first.contains('=')
            || super::find(name).is_some())
}

fn answers(word: &str) -> bool {
    ANSWERS.contains(&word.to_ascii_lowercase().as_str())
}

fn is_enter(word: &Value) -> bool {
    word.known().is_some_and(|word| matches!(&*word, "Enter" | "KPEnter" | "C-m" | "C-j" | "C-M" | "C-J"))
}

/// What answers a question, here or in another agent.
const ANSWERS: &[&str] = &[
    "accept", "allow", "always", "approve", "confirm", "continue", "deny", "go", "no", "ok", "okay", "once",
    "proceed", "session", "sure", "try", "yes",
];

const BUILTINS: &[&str] = &[
    "alias", "cd", "echo", "exit", "export", "fg", "for", "if", "jobs", "printf", "pwd", "set", "source",
    "type", "unset", "while",
];

fn is_key(word: &Value) -> bool {
    word.known()
        .is_some_and(|word| KEYS.contains(&&*word) || word.starts_with("C-") || word.starts_with("M-"))
}

/// Whether a key only interrupts, or leaves.
fn ends_nothing(word: &Value) -> bool {
    word.known().is_some_and(|word| matches!(&*word, "C-c" | "C-l" | "C-z" | "Escape" | "n" | "q"))
}

const KEYS: &[&str] = &[
    "BSpace", "BTab", "DC", "Down", "End", "Enter", "Escape", "Home", "IC", "KPEnter", "Left", "NPage",
    "PPage", "PageDown", "PageUp", "Right", "Space", "Tab", "Up", "y",
];

/// How much of what is typed is looked at before it is read.
const LOOK: u32 = 4096;

/// Whether a shell would accept the line.
fn is_shells(line: &Value) -> bool {
    line.known().is_none_or(|text| crate::reader::read(&text, &Fuel::new(LOOK)).problems.is_empty())
}

/// `kitty @ send-key`, `kitten @ send-text`: whoever speaks to the emulator types into any of its windows.
pub(super) fn emulator(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<String> = parsed.all.iter().map(|word| word.value.shown()).collect();
    let speaks = words.iter().any(|word| matches!(word.as_str(), "@" | "cli" | "msg"));
    let types = |word: &String| word.starts_with("send-") || word == "paste";
    if speaks && words.iter().any(types) {
        typed_into(parsed.program, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_typed_as_commands(words: &[&str]) -> bool {
        are_commands(&words.iter().map(|word| Value::literal(*word)).collect::<Vec<_>>())
    }

    #[test]
    fn every_typed_line_has_to_be_a_command() {
        assert!(
            is_typed_as_commands(&["npm test", "Enter"])
                && is_typed_as_commands(&["ls", "Enter", "pwd", "C-m"])
        );
        for words in [
            ["npm test", "Enter", "o", "Enter"].as_slice(),
            &["npm test\no\n"],
            &["npm test", "Enter", "Enter"],
            &["Enter"],
            &["ls", "BSpace", "BSpace", "o"],
            &["su", "re", "Enter"],
            &["Yes", "Enter"],
        ] {
            assert!(!is_typed_as_commands(words), "{words:?}");
        }
    }

    #[test]
    fn only_a_name_is_a_session_that_somebody_named() {
        let named = |target: &str| session(&Value::literal(target));
        assert_eq!(named("=work:0.1").as_deref(), Some("work"));
        for target in
            ["", "0", "0.1", "%3", "@2", "$1", ":0.0", ":build", "!", "{last}", "*", "wor?", "1234.pts"]
        {
            assert_eq!(named(target), None, "{target}");
        }
        assert_eq!(session(&Value::unknown("$P", crate::value::Provenance::OUTSIDE)), None);
    }
}
