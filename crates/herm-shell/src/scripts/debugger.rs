//! gdb's and lldb's commands.

use super::{shell, span};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// Reads commands, one a line.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let mut offset = 0;
    let mut block: Option<String> = None;
    for line in text.split_inclusive('\n') {
        if sink.spend(1).is_err() {
            return;
        }
        let command = line.trim();
        sink.at(span(offset, offset + line.trim_end().len()));
        offset += line.len();
        match block.take() {
            Some(code) if command == "end" => {
                sink.code(Lang::Python, &Value::literal(code));
            }
            Some(mut code) => {
                code.push_str(line);
                block = Some(code);
            }
            None if matches!(command, "python" | "py") => block = Some(String::new()),
            None => one(command, sink),
        }
    }
    if let Some(code) = block {
        sink.code(Lang::Python, &Value::literal(code));
    }
}

fn one(command: &str, sink: &mut dyn Sink) {
    if let Some(rest) = command.strip_prefix('!') {
        return shell(rest.trim(), sink);
    }
    if let Some(rest) = command.strip_prefix('|') {
        return piped(rest, sink);
    }
    let (word, rest) =
        command.split_once(char::is_whitespace).map_or((command, ""), |(word, rest)| (word, rest.trim()));
    match word {
        "shell" | "she" => shell(rest, sink),
        "make" => shell(command, sink),
        "pipe" => piped(rest, sink),
        "platform" | "plat" => {
            let (sub, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if sub.starts_with("sh") {
                shell(rest.trim(), sink);
            }
        }
        "python" | "py" | "script" | "python-interactive" | "pi" => {
            sink.code(Lang::Python, &Value::literal(rest));
        }
        "guile" | "gu" => {
            sink.code(Lang::Other("guile"), &Value::literal(rest));
        }
        "source" | "so" => {
            let lang = if rest.rsplit('.').next() == Some("py") { Lang::Python } else { Lang::Debugger };
            sink.script(lang, &Value::literal(rest.trim_start_matches("-v ").trim()), &[]);
        }
        "dump" | "append" => {
            let path = rest
                .split_whitespace()
                .nth(if rest.starts_with("binary") || rest.starts_with("ihex") { 2 } else { 1 });
            written(path, sink);
        }
        "generate-core-file" | "gcore" => written(Some(rest), sink),
        "call" | "print" | "p" | "expr" | "expression" | "e" | "compile" | "eval" => called(rest, sink),
        "set" if rest.starts_with("logging file") => written(rest.split_whitespace().nth(2), sink),
        "set" if rest.starts_with("variable") || rest.starts_with("var") || rest.contains("system") => {
            called(rest, sink);
        }
        _ => {}
    }
}

/// `pipe command | shell command`.
fn piped(rest: &str, sink: &mut dyn Sink) {
    if let Some((_, command)) = rest.split_once('|') {
        shell(command.trim(), sink);
    }
}

fn written(path: Option<&str>, sink: &mut dyn Sink) {
    if let Some(path) = path.filter(|path| !path.is_empty()) {
        sink.path(Verb::Write, &Value::literal(path), Flags::TRUNCATE);
    }
}

/// An expression that calls into the C library.
fn called(expression: &str, sink: &mut dyn Sink) {
    for name in ["system", "popen"] {
        if let Some(argument) = super::words::quoted_argument(expression, name) {
            sink.code(Lang::Shell, &Value::literal(super::scanner::unescape(&argument)));
        }
    }
    if ["execl", "execv", "execve", "execlp", "execvp"]
        .iter()
        .any(|name| expression.contains(&format!("{name}(")))
    {
        let program =
            super::words::quoted_argument(expression, "exec").map(Value::literal).unwrap_or_default();
        sink.run(&[program], &Value::default());
    }
}
