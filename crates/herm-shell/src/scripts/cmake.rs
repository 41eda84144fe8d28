//! The language of `CMake`: commands with words, variables, and files that it removes and programs that it starts while it is read.
//!
//! Conditions are not decided: what stands in a block may happen. A variable that a block sets is not known from then on.

use std::collections::HashMap;

use super::span;
use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// How deeply code may be given to commands.
const DEPTH_MOST: u32 = 8;
/// How many words a command may have.
const WORDS_MOST: usize = 4096;

/// Reads a script.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let mut cmake = Cmake { sink, variables: HashMap::new(), blocks: 0, depth: 0 };
    cmake.run(text, Stands::Here);
}

/// Whether code stands in the text that is read, or was computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Elsewhere,
    Here,
}

struct Cmake<'a> {
    sink: &'a mut dyn Sink,
    variables: HashMap<String, Value>,
    /// How many blocks are around: what stands there may run or not.
    blocks: u32,
    depth: u32,
}

impl Cmake<'_> {
    fn run(&mut self, text: &str, stands: Stands) {
        if self.depth >= DEPTH_MOST {
            return self.sink.gap(Position::Code, Reason::Depth, "cmake");
        }
        self.depth += 1;
        let mut parser = Parser { text, pos: 0 };
        while let Some((name, start)) = parser.command() {
            let units = u32::try_from((parser.pos - start) / 16 + 1).unwrap_or(u32::MAX);
            if self.sink.spend(units).is_err() {
                break;
            }
            let words = self.words(parser.arguments());
            if stands == Stands::Here {
                self.sink.at(span(start, parser.pos));
            }
            self.perform(&name.to_ascii_lowercase(), &words);
        }
        self.depth -= 1;
    }

    fn perform(&mut self, name: &str, words: &[Value]) {
        match name {
            "set" => self.set(words),
            "unset"
            | "list"
            | "string"
            | "math"
            | "get_filename_component"
            | "cmake_path"
            | "option"
            | "separate_arguments" => {
                self.forget(words);
            }
            "if" | "foreach" | "while" | "function" | "macro" | "block" => {
                self.blocks += 1;
                self.forget(words);
            }
            "endif" | "endforeach" | "endwhile" | "endfunction" | "endmacro" | "endblock" => {
                self.blocks = self.blocks.saturating_sub(1);
            }
            "file" => self.file(words),
            "include" => {
                // A name is that of a module that comes along.
                if let Some(path) =
                    words.first().filter(|path| path.has_hole() || path.known_prefix().contains(['/', '.']))
                {
                    self.sink.script(Lang::Other("cmake"), path, &[]);
                }
            }
            "cmake_language" => self.evaluate(words),
            "execute_process" | "exec_program" | "add_custom_command" | "add_custom_target" => {
                self.start(name, words);
            }
            _ => {}
        }
    }

    fn set(&mut self, words: &[Value]) {
        let Some((name, rest)) = words.split_first() else { return };
        let Some(name) = name.known().map(std::borrow::Cow::into_owned) else { return };
        if let Some(variable) = name.strip_prefix("ENV{").and_then(|name| name.strip_suffix('}')) {
            let value = rest.first().cloned().unwrap_or_default();
            return self.sink.set_variable(variable, &value);
        }
        let mut value = Value::default();
        let own = |word: &&Value| {
            word.known().is_none_or(|word| !matches!(word.as_ref(), "CACHE" | "PARENT_SCOPE"))
        };
        for (index, word) in rest.iter().take_while(own).enumerate() {
            value.push_str(if index > 0 { ";" } else { "" });
            value.push(word);
        }
        if self.blocks > 0 {
            value = Value::unknown(name.as_str(), value.provenance);
        }
        self.variables.insert(name, value);
    }

    /// What a command may give another value is not known.
    fn forget(&mut self, words: &[Value]) {
        for name in words.iter().filter_map(Value::known).take(WORDS_MOST) {
            self.variables.insert(name.to_string(), Value::unknown(name.as_ref(), Provenance::NONE));
        }
    }

    fn file(&mut self, words: &[Value]) {
        let Some((mode, rest)) = words.split_first() else { return };
        let (first, second) = (rest.first(), rest.get(1));
        match mode.known().as_deref() {
            Some("REMOVE") => self.delete(rest, Flags::NONE),
            Some("REMOVE_RECURSE") => self.delete(rest, Flags::RECURSIVE | Flags::FORCE),
            Some(how @ ("WRITE" | "APPEND")) => {
                let flags = if how == "WRITE" { Flags::TRUNCATE } else { Flags::APPEND };
                let content = rest.iter().skip(1).fold(Value::default(), |mut all, word| {
                    all.push(word);
                    all
                });
                if let Some(path) = first {
                    self.sink.write(path, &content, flags);
                }
            }
            Some("RENAME") => {
                if let (Some(from), Some(to)) = (first, second) {
                    self.sink.path(Verb::Delete, from, Flags::MOVE);
                    self.sink.path(Verb::Write, to, Flags::TRUNCATE);
                }
            }
            Some("READ" | "STRINGS") => {
                let content = first.map(|path| self.sink.read(path)).unwrap_or_default();
                if let Some(name) = second.and_then(Value::known) {
                    self.variables.insert(name.into_owned(), content);
                }
            }
            Some("DOWNLOAD") => {
                if let Some(url) = first {
                    self.sink.connect(Verb::Connect, url, Flags::DOWNLOAD, Provenance::NONE);
                    let content = Value::unknown(url.shown(), Provenance::NETWORK);
                    if let Some(path) = second {
                        self.sink.write(path, &content, Flags::TRUNCATE);
                    }
                }
            }
            Some("UPLOAD") => {
                if let (Some(path), Some(url)) = (first, second) {
                    let content = self.sink.read(path);
                    self.sink.connect(Verb::Send, url, Flags::UPLOAD, content.provenance);
                }
            }
            Some(_) => self.forget(rest.get(..1).unwrap_or_default()),
            None => self.sink.gap(Position::Unfollowed, Reason::Runtime, "file"),
        }
    }

    fn delete(&mut self, paths: &[Value], flags: Flags) {
        for path in paths {
            self.sink.path(Verb::Delete, path, flags);
        }
    }

    /// `cmake_language(EVAL CODE …)`, `cmake_language(CALL name …)`.
    fn evaluate(&mut self, words: &[Value]) {
        let how = words.first().and_then(Value::known);
        let rest = words.get(1..).unwrap_or_default();
        match (how.as_deref(), rest) {
            (Some("EVAL"), [_, code @ ..]) => {
                for code in code {
                    match code.known() {
                        Some(code) => self.run(&code, Stands::Elsewhere),
                        None => self.sink.gap(Position::Code, Reason::Runtime, &code.shown()),
                    }
                }
            }
            (Some("CALL"), [name, rest @ ..]) => match name.known() {
                Some(name) => self.perform(&name.to_ascii_lowercase(), rest),
                None => self.sink.gap(Position::Unfollowed, Reason::Runtime, &name.shown()),
            },
            _ => {}
        }
    }

    /// Programs that are started, each behind `COMMAND`.
    fn start(&mut self, name: &str, words: &[Value]) {
        let is = |word: &Value, list: &[&str]| word.known().is_some_and(|word| list.contains(&word.as_ref()));
        if name == "exec_program" {
            let _ = self.sink.run(words, &Value::default());
        }
        for (at, _) in words.iter().enumerate().filter(|(_, word)| is(word, &["COMMAND"])) {
            let argv: Vec<Value> =
                words.iter().skip(at + 1).take_while(|word| !is(word, BEHIND_COMMANDS)).cloned().collect();
            if !argv.is_empty() {
                let _ = self.sink.run(&argv, &Value::default());
            }
        }
        for variable in ["OUTPUT_VARIABLE", "ERROR_VARIABLE", "RESULT_VARIABLE"] {
            let named = words.iter().skip_while(|word| !is(word, &[variable])).nth(1);
            self.forget(&named.cloned().into_iter().collect::<Vec<_>>());
        }
    }

    /// The words of a command. One without quotes whose variable is a list is each of its items.
    fn words(&mut self, arguments: Vec<Argument>) -> Vec<Value> {
        let mut words = Vec::new();
        for argument in arguments.into_iter().take(WORDS_MOST) {
            match argument {
                Argument::Bracketed(text) => words.push(Value::literal(text)),
                Argument::Quoted(text) => words.push(self.expanded(&text)),
                Argument::Bare(text) => {
                    let value = self.expanded(&text);
                    match value.known().filter(|text| text.contains(';')) {
                        Some(list) => words.extend(
                            list.split(';')
                                .filter(|item| !item.is_empty())
                                .map(|item| Value::literal(item).from(value.provenance)),
                        ),
                        None if value.pieces.is_empty() => {}
                        None => words.push(value),
                    }
                }
            }
        }
        words
    }

    /// A text with its variables and escapes replaced.
    fn expanded(&mut self, text: &str) -> Value {
        let mut value = Value::default();
        let mut rest = text;
        while let Some(at) = rest.find(['$', '\\']) {
            value.push_str(rest.get(..at).unwrap_or_default());
            let found = rest.get(at..).unwrap_or_default();
            rest = if found.starts_with('\\') {
                escaped(found, &mut value)
            } else {
                self.variable(found, &mut value)
            };
        }
        value.push_str(rest);
        value
    }

    /// `${name}` and `$ENV{name}`; what is left of the text comes back.
    fn variable<'t>(&mut self, text: &'t str, value: &mut Value) -> &'t str {
        let (open, is_environment) = if text.starts_with("$ENV{") { ("$ENV{", true) } else { ("${", false) };
        let Some(inner) = text.strip_prefix(open) else {
            value.push_str("$");
            return text.get(1..).unwrap_or_default();
        };
        let Some(end) = inner.find('}') else {
            value.pieces.extend(Value::unknown(text, Provenance::NONE).pieces);
            return "";
        };
        let (name, rest) = (inner.get(..end).unwrap_or_default(), inner.get(end + 1..).unwrap_or_default());
        if name.contains('$') {
            // The name of a variable that is computed: all of it.
            value.push(&Value::unknown(inner, Provenance::NONE));
            return rest.trim_start_matches('}');
        }
        let held = match name {
            "HOME" if is_environment => Value::literal(self.sink.home()),
            _ if is_environment => self.sink.variable(name),
            _ => self.variables.get(name).cloned().unwrap_or_else(|| self.own_variable(name)),
        };
        value.push(&held);
        rest
    }

    /// A variable that the script did not set.
    fn own_variable(&self, name: &str) -> Value {
        let is_directory =
            name.ends_with("SOURCE_DIR") || name.ends_with("BINARY_DIR") || name.ends_with("LIST_DIR");
        match self.sink.directory() {
            Some(directory) if is_directory && name.starts_with("CMAKE_") => Value::literal(directory),
            _ if name == "CMAKE_COMMAND" => Value::literal("cmake"),
            _ => Value::unknown(name, Provenance::NONE),
        }
    }
}

/// What a backslash stands for; what is left of the text comes back.
fn escaped<'t>(text: &'t str, value: &mut Value) -> &'t str {
    let mut letters = text.chars();
    letters.next();
    match letters.next() {
        Some('n') => value.push_str("\n"),
        Some('t') => value.push_str("\t"),
        Some('r') => value.push_str("\r"),
        Some('\n') | None => {}
        Some(letter) => value.push_str(letter.encode_utf8(&mut [0; 4])),
    }
    letters.as_str()
}

/// Words that end the words of a program.
const BEHIND_COMMANDS: &[&str] = &[
    "ALL",
    "ARGS",
    "BYPRODUCTS",
    "COMMAND",
    "COMMAND_ECHO",
    "COMMAND_ERROR_IS_FATAL",
    "COMMENT",
    "DEPENDS",
    "ECHO_ERROR_VARIABLE",
    "ECHO_OUTPUT_VARIABLE",
    "ERROR_FILE",
    "ERROR_QUIET",
    "ERROR_STRIP_TRAILING_WHITESPACE",
    "ERROR_VARIABLE",
    "INPUT_FILE",
    "OUTPUT_FILE",
    "OUTPUT_QUIET",
    "OUTPUT_STRIP_TRAILING_WHITESPACE",
    "OUTPUT_VARIABLE",
    "RESULTS_VARIABLE",
    "RESULT_VARIABLE",
    "TIMEOUT",
    "VERBATIM",
    "WORKING_DIRECTORY",
];

/// A word as it is written.
enum Argument {
    Bare(String),
    Bracketed(String),
    Quoted(String),
}

struct Parser<'t> {
    text: &'t str,
    pos: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// Passes blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.pos += blank;
            let rest = self.rest();
            if let Some(length) = rest.strip_prefix('#').and_then(bracket).map(|(_, length)| length + 1) {
                self.pos += length;
            } else if rest.starts_with('#') {
                self.pos += rest.find('\n').unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    /// The name of the next command, up to its bracket, and where it stands.
    fn command(&mut self) -> Option<(&'t str, usize)> {
        loop {
            self.skip();
            let rest = self.rest();
            let first = rest.chars().next()?;
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let name = rest.get(..length).unwrap_or_default();
            let behind = rest.get(length..).unwrap_or_default();
            let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
            let start = self.pos;
            if length > 0 && behind.trim_start_matches([' ', '\t']).starts_with('(') {
                self.pos += length + blanks + 1;
                return Some((name, start));
            }
            self.pos += length.max(first.len_utf8());
        }
    }

    /// The words up to the bracket that closes.
    fn arguments(&mut self) -> Vec<Argument> {
        let mut arguments = Vec::new();
        let mut depth = 0_u32;
        loop {
            self.skip();
            let rest = self.rest();
            match rest.chars().next() {
                None => return arguments,
                Some(')') if depth == 0 => {
                    self.pos += 1;
                    return arguments;
                }
                Some(mark @ ('(' | ')')) => {
                    depth = if mark == '(' { depth + 1 } else { depth - 1 };
                    self.pos += 1;
                }
                Some('"') => arguments.push(self.quoted(rest)),
                Some('[') if bracket(rest).is_some() => {
                    let (text, length) = bracket(rest).unwrap_or_default();
                    self.pos += length;
                    arguments.push(Argument::Bracketed(text.to_owned()));
                }
                Some(_) => arguments.push(self.bare(rest)),
            }
        }
    }

    fn quoted(&mut self, rest: &str) -> Argument {
        let mut is_escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            ends
        });
        let end = end.map_or(rest.len(), |(at, _)| at);
        self.pos += (end + 1).min(rest.len());
        Argument::Quoted(rest.get(1..end).unwrap_or_default().to_owned())
    }

    fn bare(&mut self, rest: &str) -> Argument {
        let mut is_escaped = false;
        let end = rest.find(|c: char| {
            let ends = !is_escaped && (c.is_whitespace() || matches!(c, '(' | ')' | '#' | '"'));
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let end = end.unwrap_or(rest.len()).max(rest.chars().next().map_or(0, char::len_utf8));
        self.pos += end;
        Argument::Bare(rest.get(..end).unwrap_or_default().to_owned())
    }
}

/// The text between long brackets, `[==[…]==]`, and how long all of it is.
fn bracket(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('[')?;
    let level = inner.len() - inner.trim_start_matches('=').len();
    let body = inner.get(level..)?.strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level.min(64)));
    let end = body.find(&close).unwrap_or(body.len());
    Some((body.get(..end)?, (level + 2 + end + close.len()).min(text.len())))
}
