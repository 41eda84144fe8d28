//! Commands of the clients.

use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::shell;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// A command of psql, sqlite or mysql, with its mark.
pub(super) fn command(line: &str, sink: &mut dyn Sink) {
    let line = line.trim_end_matches(';');
    if let Some(command) = line.strip_prefix("\\!") {
        return shell(command.trim(), sink);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match whole(&word.to_ascii_lowercase()) {
        "system" | ".shell" | ".system" => shell(rest, sink),
        "\\o" | "\\out" | "\\g" | "\\gx" | "\\w" | "\\write" | ".output" | ".once" | ".excel" | "tee"
        | "\\t" | ".log" | ".trace" => {
            output(rest, sink);
        }
        ".save" | ".backup" | ".clone" => {
            output(rest.split_whitespace().next_back().unwrap_or_default(), sink);
        }
        "\\i" | "\\ir" | "\\include" | ".read" | "source" | "\\." => input(rest, sink),
        ".import" => {
            let path = rest.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
            match path.trim_matches(['"', '\'']).strip_prefix('|') {
                Some(_) => shell(rest.trim_matches(['"', '\'']).trim_start_matches('|'), sink),
                None => {
                    sink.read(&Value::literal(unquoted(path)));
                }
            }
        }
        // Whatever the query returns is run as SQL.
        "\\gexec" => sink.gap(Position::Code, Reason::Runtime, "what the query returns"),
        // What a database holds is somebody's, and belongs to nobody else.
        ".dump" => sink.print(Value::unknown(crate::value::DUMP, Provenance::SECRET)),
        ".load" => sink.path(Verb::Execute, &Value::literal(unquoted(rest)), Flags::HOOK),
        "\\copy" => copy(rest, sink),
        "\\lo_import" => {
            sink.read(&Value::literal(unquoted(rest)));
        }
        "\\lo_export" => output(rest.split_whitespace().next_back().unwrap_or_default(), sink),
        _ => {}
    }
}

/// What an abbreviated command of sqlite means: any beginning of its name is enough.
fn whole(word: &str) -> &str {
    const COMMANDS: &[&str] = &[
        ".backup", ".clone", ".dump", ".excel", ".import", ".load", ".log", ".once", ".output", ".read",
        ".save", ".shell", ".system", ".trace",
    ];
    let is_meant = |name: &&&str| word.len() > 2 && name.starts_with(word);
    COMMANDS.iter().find(is_meant).copied().unwrap_or(word)
}

/// Where results go: a file, or a command after a bar.
fn output(target: &str, sink: &mut dyn Sink) {
    let target = unquoted(target);
    if let Some(command) = target.strip_prefix('|') {
        return shell(command.trim(), sink);
    }
    if !target.is_empty() && !matches!(target, "stdout" | "off" | "on") && !target.starts_with('(') {
        sink.write(&Value::literal(target), &Value::unknown("results", Provenance::NONE), Flags::TRUNCATE);
    }
}

fn input(path: &str, sink: &mut dyn Sink) {
    let path = unquoted(path);
    match path.strip_prefix('|') {
        Some(command) => shell(command.trim(), sink),
        None => sink.script(Lang::Sql, &Value::literal(path), &[]),
    }
}

/// `\copy t from 'path'`, `\copy t to program 'cmd'`.
fn copy(rest: &str, sink: &mut dyn Sink) {
    let lower = rest.to_ascii_lowercase();
    let found = [" from ", " to "].iter().filter_map(|word| lower.rfind(word).map(|at| (at, word))).max();
    let Some((at, word)) = found else { return };
    let target = rest.get(at + word.len()..).unwrap_or_default().trim();
    let program = target.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("program"));
    if program {
        return shell(first_quoted(target.get(7..).unwrap_or_default()), sink);
    }
    let path = first_quoted(target);
    if matches!(path.to_ascii_lowercase().as_str(), "stdin" | "stdout" | "pstdin" | "pstdout") {
        return;
    }
    if word.contains("from") {
        sink.read(&Value::literal(path));
    } else {
        output(path, sink);
    }
}

/// The first string, or word.
fn first_quoted(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix('\'') {
        Some(body) => body.split('\'').next().unwrap_or_default(),
        None => text.split_whitespace().next().unwrap_or_default(),
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}
