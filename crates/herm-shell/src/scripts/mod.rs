//! Readers for the languages of one-liners: perl, ruby, node, php, awk, sed, SQL and others.
//!
//! Each finds what the code does to the world and says so to a [`Sink`]; whatever it cannot read is a hole in a value
//! or a gap, never a guess. Languages with C's look share one [`engine`]; the rest have a small reader of their own.

mod cmake;
mod cmd;
mod console;
mod debugger;
mod engine;
mod ex;
mod forks;
mod languages;
pub(crate) mod lexical;
pub(crate) mod make;
mod mongo;
pub(crate) mod powershell;
pub(crate) mod redis;
mod scanner;
mod sed;
mod sql;
mod tcl;
#[cfg(test)]
mod tests;
pub(crate) mod wire;
mod wiring;
mod words;

use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};

/// Reads `text` and says what it does. Shell and Python have readers elsewhere.
pub(crate) fn read(lang: Lang, text: &str, sink: &mut dyn Sink) {
    match lang {
        Lang::Awk => engine::read(&languages::AWK, text, sink),
        Lang::Cmd => cmd::read(text, sink),
        Lang::Debugger => debugger::read(text, sink),
        Lang::Ex => ex::read(text, sink),
        Lang::JavaScript => engine::read(&languages::JAVASCRIPT, text, sink),
        Lang::Lua => engine::read(&languages::LUA, text, sink),
        Lang::Make => {
            let given = sink.arguments();
            make::read(text, &given, sink);
        }
        Lang::Other(name) if wire::read(name, text, sink) => {}
        Lang::Other("cmake") => cmake::read(text, sink),
        Lang::Other(name) => match console::named(name) {
            Some(console) => console.read(text, sink),
            None => languages::read_other(name, text, sink),
        },
        Lang::Perl => engine::read(&languages::PERL, text, sink),
        Lang::Php => engine::read(&languages::PHP, &languages::php_code(text), sink),
        Lang::PowerShell => powershell::read(text, sink),
        Lang::R => engine::read(&languages::R, text, sink),
        Lang::Ruby => engine::read(&languages::RUBY, text, sink),
        Lang::Sed => sed::read(text, sink),
        Lang::Sql => sql::read(text, sink),
        Lang::Tcl => tcl::read(text, sink),
        Lang::Python | Lang::Shell => {}
    }
}

/// Whether the engine reads a language, which takes what scanning it costs.
pub(crate) fn is_scanned(lang: Lang) -> bool {
    matches!(lang, Lang::Awk | Lang::JavaScript | Lang::Lua | Lang::Perl | Lang::Php | Lang::R | Lang::Ruby)
}

/// A command that a console hands to the shell; none opens a shell.
fn shell(command: &str, sink: &mut dyn Sink) {
    if command.is_empty() {
        let target = Target::Code(Lang::Shell, None);
        return sink.effect(Verb::Execute, target, Flags::INTERACTIVE | Flags::HOOK, Provenance::NONE);
    }
    sink.code(Lang::Shell, &Value::literal(command));
}

/// The span of bytes `start..end`.
fn span(start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}

/// The path that a text with `*` and `?` in it is, when a function expands those.
fn globbed(text: &Value) -> Value {
    let Some(known) = text.known() else { return text.clone() };
    let mut pieces = Vec::new();
    let mut literal = String::new();
    for c in known.chars() {
        if matches!(c, '*' | '?') {
            if !literal.is_empty() {
                pieces.push(Piece::Literal(std::mem::take(&mut literal)));
            }
            match pieces.last_mut() {
                Some(Piece::Glob(glob)) => glob.push(c),
                Some(Piece::Hole(_) | Piece::Literal(_)) | None => pieces.push(Piece::Glob(c.to_string())),
            }
        } else {
            literal.push(c);
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    Value { pieces, provenance: text.provenance }
}

/// The path with a leading `~` made the home directory.
fn at_home(path: &Value, home: &str) -> Value {
    match path.known() {
        Some(text) if text == "~" || text.starts_with("~/") => {
            Value::literal(format!("{home}{}", text.get(1..).unwrap_or_default())).from(path.provenance)
        }
        Some(_) | None => path.clone(),
    }
}
