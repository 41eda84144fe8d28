//! ed, ex and vim commands.

use super::span;
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// How deeply `execute` may nest.
const DEPTH_MOST: u32 = 8;

/// Reads commands, one a line, or several with bars between.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let mut offset = 0;
    let mut inserting = false;
    let mut editor = Editor { shell: None };
    for line in text.split_inclusive('\n') {
        if sink.spend(1).is_err() {
            return;
        }
        sink.at(span(offset, offset + line.trim_end().len()));
        offset += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if inserting {
            inserting = line != ".";
            continue;
        }
        inserting = editor.line(line, 0, sink);
    }
}

struct Editor {
    /// What `:set shell=` said.
    shell: Option<String>,
}

impl Editor {
    /// Reads one line; whether text to insert follows.
    fn line(&mut self, line: &str, depth: u32, sink: &mut dyn Sink) -> bool {
        let mut rest = line;
        loop {
            rest = without_range(rest.trim_start_matches([':', ' ', '\t']));
            if matches!(rest, "a" | "i" | "c") {
                return true;
            }
            if sink.spend(1).is_err() {
                return false;
            }
            match self.command(rest, depth, sink) {
                Some(after) if after.len() < rest.len() => rest = after,
                Some(_) | None => return false,
            }
        }
    }

    /// Reads one command; what stands after its bar comes back.
    fn command<'t>(&mut self, text: &'t str, depth: u32, sink: &mut dyn Sink) -> Option<&'t str> {
        if let Some(command) = text.strip_prefix('!') {
            Self::shell(command, sink);
            return None;
        }
        let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
        let (word, after) = text.split_at_checked(end)?;
        let argument = after.strip_prefix('!').unwrap_or(after).trim_start();
        if MODIFIERS.contains(&word) {
            return Some(argument);
        }
        if let Some(delimiter) = pattern_delimiter(word, after) {
            return Some(after_pattern(word, after, delimiter));
        }
        self.named(word, argument, depth, sink)
    }

    fn named<'t>(
        &mut self,
        word: &str,
        argument: &'t str,
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Option<&'t str> {
        let (own, next) = at_bar(argument);
        match word {
            "r" | "re" | "read" => return Self::reading(argument, sink),
            "w" | "wr" | "write" | "wq" | "x" | "xit" | "sav" | "saveas" | "W" | "up" | "update" => {
                return Self::writing(argument, sink);
            }
            "e" | "E" | "ed" | "edit" | "ex" | "f" | "tabe" | "tabedit" | "tabnew" | "sp" | "split"
            | "vs" | "vsplit" | "view" => {
                return Self::editing(argument, sink);
            }
            "so" | "source" | "ru" | "runtime" => sink.script(Lang::Ex, &Value::literal(own), &[]),
            "sh" | "shell" | "stop" | "suspend" => self.interactive(sink),
            "ter" | "term" | "terminal" => self.terminal(own, sink),
            "set" | "se" | "setlocal" => self.set(own),
            "exe" | "exec" | "execute" => match joined(argument).filter(|_| depth < DEPTH_MOST) {
                Some(code) => {
                    self.line(&code, depth + 1, sink);
                }
                None => sink.gap(Position::Code, Reason::Runtime, argument),
            },
            "cal" | "call" | "ec" | "echo" | "echom" | "let" | "return" | "put" | "if" | "eval" => {
                expression(argument, sink);
            }
            "au" | "autocmd" | "com" | "command" | "map" | "nmap" | "nnoremap" => {}
            _ => {
                if let Some(lang) = language(word) {
                    return code(lang, word, argument, sink);
                }
            }
        }
        next
    }

    fn shell(command: &str, sink: &mut dyn Sink) {
        let command = command.trim();
        if command.is_empty() {
            return;
        }
        sink.code(Lang::Shell, &Value::literal(command.trim_start_matches('!')));
    }

    fn interactive(&self, sink: &mut dyn Sink) {
        if let Some(shell) = &self.shell {
            let argv: Vec<Value> = shell.split_whitespace().map(Value::literal).collect();
            sink.run(&argv, &Value::default());
        } else {
            let target = Target::Code(Lang::Shell, None);
            sink.effect(Verb::Execute, target, Flags::INTERACTIVE | Flags::HOOK, Provenance::NONE);
        }
    }

    fn terminal(&self, command: &str, sink: &mut dyn Sink) {
        let words = command.split_whitespace().skip_while(|word| word.starts_with("++"));
        let argv: Vec<Value> = words.map(Value::literal).collect();
        if argv.is_empty() {
            return self.interactive(sink);
        }
        sink.run(&argv, &Value::default());
    }

    fn set(&mut self, options: &str) {
        for option in options.split(' ') {
            if let Some(shell) = option.strip_prefix("shell=").or_else(|| option.strip_prefix("sh=")) {
                self.shell = Some(shell.replace('\\', ""));
            }
        }
    }

    fn reading<'t>(argument: &'t str, sink: &mut dyn Sink) -> Option<&'t str> {
        if let Some(command) = argument.strip_prefix('!') {
            Self::shell(command, sink);
            return None;
        }
        let (path, next) = at_bar(argument);
        if !path.is_empty() {
            let content = sink.read(&at_home(path, sink));
            sink.print(content);
        }
        next
    }

    fn writing<'t>(argument: &'t str, sink: &mut dyn Sink) -> Option<&'t str> {
        if let Some(command) = argument.strip_prefix('!') {
            Self::shell(command, sink);
            return None;
        }
        let (path, next) = at_bar(argument);
        let (flags, path) = match path.strip_prefix(">>") {
            Some(path) => (Flags::APPEND, path.trim_start()),
            None => (Flags::TRUNCATE, path),
        };
        if !path.is_empty() && path != "%" && !path.starts_with("++") {
            let path = at_home(path, sink);
            sink.write(&path, &Value::unknown("buffer", Provenance::NONE), flags);
        }
        next
    }

    fn editing<'t>(argument: &'t str, sink: &mut dyn Sink) -> Option<&'t str> {
        if let Some(command) = argument.strip_prefix('!') {
            Self::shell(command, sink);
            return None;
        }
        let (path, next) = at_bar(argument);
        if !path.is_empty() && !path.starts_with(['+', '%', '#']) {
            let path = at_home(path, sink);
            sink.read(&path);
        }
        next
    }
}

/// Words before a command that change how it runs, not what it does.
const MODIFIERS: &[&str] = &[
    "sil",
    "silent",
    "verb",
    "verbose",
    "keepalt",
    "keepjumps",
    "noautocmd",
    "noa",
    "bufdo",
    "windo",
    "argdo",
    "tabdo",
    "sandbox",
    "unsilent",
    "vertical",
    "vert",
    "botright",
    "topleft",
    "conf",
    "confirm",
    "redir",
];

fn language(word: &str) -> Option<Lang> {
    match word {
        "py" | "py3" | "python" | "python3" | "pyx" | "pythonx" | "pydo" | "py3do" | "pyfile" | "py3file"
        | "pyf" | "py3f" => Some(Lang::Python),
        "lua" | "luado" | "luafile" | "luaf" => Some(Lang::Lua),
        "perl" | "perldo" | "pe" => Some(Lang::Perl),
        "ruby" | "rubydo" | "rubyfile" | "rub" => Some(Lang::Ruby),
        "tcl" | "tcldo" | "tclfile" => Some(Lang::Tcl),
        _ => None,
    }
}

/// Code takes the whole line.
fn code<'t>(lang: Lang, word: &str, argument: &str, sink: &mut dyn Sink) -> Option<&'t str> {
    if word.ends_with("file") || matches!(word, "pyf" | "py3f" | "luaf") {
        sink.script(lang, &Value::literal(argument.trim()), &[]);
    } else {
        sink.code(lang, &Value::literal(argument.trim_start_matches('=').trim_start()));
    }
    None
}

/// A text of which the parts are quoted: `"call del"."ete(x)"`.
fn joined(expression: &str) -> Option<String> {
    let mut whole = String::new();
    let mut rest = expression.trim();
    while !rest.is_empty() {
        let part = quoted(rest)?;
        rest = rest.get(quoted_length(rest)?..)?.trim_start_matches(['.', ' ', '\t']);
        whole.push_str(&part.replace("\\\"", "\""));
    }
    Some(whole).filter(|whole| !whole.is_empty())
}

/// How long a text in quotes is at the beginning of another one, with its quotes.
fn quoted_length(text: &str) -> Option<usize> {
    let quote = text.chars().next()?;
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, mark)| {
        let closes = *mark == quote && !escaped;
        escaped = *mark == '\\' && quote == '"' && !escaped;
        closes
    });
    end.map(|(at, _)| at + 1)
}

/// Functions of vim's own language that reach outside.
fn expression(text: &str, sink: &mut dyn Sink) {
    // What is called, or typed, is only known when it runs.
    for name in ["call(", "feedkeys(", "function("] {
        if text.contains(name) {
            sink.gap(Position::Code, Reason::Runtime, text);
        }
    }
    for name in ["system", "systemlist", "job_start", "term_start", "termopen", "jobstart"] {
        if let Some(command) = super::words::quoted_argument(text, name) {
            sink.code(Lang::Shell, &Value::literal(super::scanner::unescape(&command)));
            return;
        }
    }
    let flags = if text.contains("rf") { Flags::RECURSIVE } else { Flags::NONE };
    if let Some(path) = super::words::quoted_argument(text, "delete") {
        sink.path(Verb::Delete, &Value::literal(path), flags);
    } else if let Some((_, rest)) = text.split_once("delete(") {
        let name = rest.split([',', ')']).next().unwrap_or_default().trim();
        let path = match name.strip_prefix('$') {
            Some(variable) => sink.variable(variable),
            None => Value::unknown(name, Provenance::OUTSIDE),
        };
        sink.path(Verb::Delete, &path, flags);
    }
    for name in ["libcall", "libcallnr"] {
        if let Some(path) = super::words::quoted_argument(text, name) {
            sink.path(Verb::Execute, &Value::literal(path), Flags::HOOK);
        }
    }
    if let Some(path) = super::words::quoted_argument(text, "readfile") {
        let content = sink.read(&Value::literal(path));
        sink.print(content);
    }
    if text.contains("writefile(")
        && let Some(path) =
            text.rsplit_once(',').map(|(_, path)| path.trim().trim_end_matches(')').trim_matches(['"', '\'']))
    {
        sink.path(Verb::Write, &Value::literal(path), Flags::TRUNCATE);
    }
}

fn at_home(path: &str, sink: &dyn Sink) -> Value {
    super::at_home(&Value::literal(path.trim()), &sink.home())
}

/// The text without the lines that it is about: `1,$`, `%`, `'a,'b`, `/x/`.
fn without_range(text: &str) -> &str {
    let mut rest = text;
    loop {
        let before = rest.len();
        rest = rest.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, '%' | '.' | '$' | ',' | ';' | '+' | '-' | '*')
        });
        if let Some(marked) = rest.strip_prefix('\'') {
            rest = marked.get(1..).unwrap_or_default();
        }
        if let Some((_, after)) = rest.strip_prefix('/').and_then(|pattern| pattern.split_once('/')) {
            rest = after;
        }
        if rest.len() == before {
            return rest;
        }
    }
}

/// What a command takes up to a bar, and what stands after it.
fn at_bar(argument: &str) -> (&str, Option<&str>) {
    match argument.split_once('|') {
        Some((own, next)) => (own.trim(), Some(next)),
        None => (argument.trim(), None),
    }
}

fn pattern_delimiter(word: &str, after: &str) -> Option<char> {
    let takes = matches!(word, "s" | "substitute" | "g" | "global" | "v" | "vglobal");
    after
        .chars()
        .next()
        .filter(|c| takes && !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, '|' | '"' | '\\'))
}

/// What stands after the patterns of `s/a/b/` or `g/a/`.
fn after_pattern<'t>(word: &str, after: &'t str, delimiter: char) -> &'t str {
    let patterns = if word.starts_with('s') { 3 } else { 2 };
    let mut seen = 0;
    let mut escaped = false;
    for (at, c) in after.char_indices() {
        if c == delimiter && !escaped {
            seen += 1;
            if seen == patterns {
                let rest = after.get(at + c.len_utf8()..).unwrap_or_default();
                return if patterns == 3 {
                    rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '&')
                        .trim_start()
                        .trim_start_matches('|')
                } else {
                    rest
                };
            }
        }
        escaped = c == '\\' && !escaped;
    }
    ""
}

fn quoted(argument: &str) -> Option<String> {
    let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(super::words::until_quote(argument.get(1..)?, quote))
}
