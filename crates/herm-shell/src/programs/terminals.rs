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

/// A session is opened under this name.
pub(super) fn opened(name: &Value, sink: &mut dyn Sink) {
    named(Verb::Configure, OWN, &name.shown(), Flags::NONE, sink);
}

/// Keys that are typed into the pane `target`. Those that are plainly a command count as that command.
pub(super) fn keys(target: Option<&Value>, words: &[Value], sink: &mut dyn Sink) {
    let words: Vec<Value> = words.iter().filter(|word| !ends_nothing(word)).cloned().collect();
    let text: Vec<Value> = words.iter().filter(|word| !is_key(word)).cloned().collect();
    if words.is_empty() {
        return;
    }
    let session = target.map(session).unwrap_or_default();
    if text.is_empty() || !is_command(&text) {
        typed_into(&session, sink);
    }
    if text.is_empty() {
        return;
    }
    let line = joined(&text);
    // A pane may show anything: what no shell would accept is meant for something else.
    let lang = if is_shells(&line) { Lang::Shell } else { Lang::Python };
    sink.code(lang, &line);
}

/// The session in `session:window.pane`.
fn session(target: &Value) -> String {
    let text = target.shown();
    let name = text.trim_start_matches('=');
    name.split([':', '.']).next().unwrap_or(name).to_owned()
}

/// Whether what is typed is a known program's call; an answer to a question is a word or less.
fn is_command(text: &[Value]) -> bool {
    let line = joined(text);
    let prefix = line.known_prefix();
    let Some(first) = prefix.split_whitespace().next() else { return false };
    let name = first.rsplit('/').next().unwrap_or(first);
    first.len() > 1
        && !ANSWERS.contains(&name.to_ascii_lowercase().as_str())
        && (BUILTINS.contains(&name)
            || first.contains('/')
            || first.contains('=')
            || super::find(name).is_some())
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
