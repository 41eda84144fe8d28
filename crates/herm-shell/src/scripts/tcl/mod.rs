//! Tcl and expect.

mod channels;
mod compute;
mod files;
mod parser;
mod programs;

use std::collections::{HashMap, HashSet};

use channels::Channel;
use parser::{Parser, escape_length};

use super::forks::{Forks, Held, PASSES_MOST};
use super::span;
use super::wiring::Wiring;
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// How deeply scripts may nest.
const DEPTH_MOST: u32 = 32;
/// How long a value may grow.
const TEXT_MOST: usize = 1 << 16;

/// How often a procedure is followed within itself.
const CALLS_MOST: usize = 2;

/// Reads a script.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let mut tcl = Tcl {
        sink,
        variables: Forks::default(),
        procedures: HashMap::new(),
        channels: HashMap::new(),
        depth: 0,
        stopped: false,
        wiring: Wiring::default(),
        elsewhere: 0,
        is_answering: false,
        way: Vec::new(),
        called: HashSet::new(),
    };
    tcl.run(text, 0);
    tcl.finish();
}

struct Tcl<'a> {
    sink: &'a mut dyn Sink,
    variables: Forks<Value>,
    procedures: HashMap<String, Procedure>,
    channels: HashMap<String, Channel>,
    depth: u32,
    stopped: bool,
    wiring: Wiring,
    /// How much code around this stands nowhere in the text.
    elsewhere: u32,
    /// Whether what runs is what answers for commands that are none.
    is_answering: bool,
    /// The procedures that are being followed, outermost first.
    way: Vec<String>,
    /// The procedures that were called.
    called: HashSet<String>,
}

impl Held for Value {
    fn unknown(name: &str, several: &[Self]) -> Self {
        let origin = several.iter().fold(Provenance::NONE, |origin, value| origin | value.provenance);
        Self::unknown(format!("${name}"), origin)
    }
}

/// A procedure of the script.
#[derive(Clone)]
struct Procedure {
    parameters: Vec<String>,
    body: String,
    /// Where its body stands.
    at: usize,
}

/// A word of a command.
struct Word {
    value: Value,
    /// Where its text stands, when it is the text itself.
    at: usize,
}

impl Word {
    fn known(&self) -> String {
        self.value.known().map(std::borrow::Cow::into_owned).unwrap_or_default()
    }
}

/// The values of words, with `between` between those that are not empty.
fn run_together<'w>(words: impl IntoIterator<Item = &'w Word>, between: &str) -> Value {
    let mut whole = Value::default();
    for word in words {
        if !whole.pieces.is_empty() {
            whole.push_str(between);
        }
        whole.push(&word.value);
    }
    whole
}

impl Tcl<'_> {
    /// Runs a script; what its last command yields comes back.
    fn run(&mut self, text: &str, base: usize) -> Value {
        if self.depth >= DEPTH_MOST {
            self.sink.gap(Position::Code, Reason::Depth, "tcl");
            self.stopped = true;
            return Value::default();
        }
        self.depth += 1;
        let mut parser = Parser { text, pos: 0 };
        let mut result = Value::default();
        while parser.pos < text.len() && !self.stopped {
            self.stopped |= self.sink.spend(1).is_err();
            let start = parser.pos;
            let mut statement = self.variables.begin();
            let kept = self.variables.remember(&mut statement);
            self.stopped |= self.sink.spend(u32::try_from(kept / 4).unwrap_or(u32::MAX)).is_err();
            loop {
                parser.pos = start;
                let command = self.command(&mut parser, base, None);
                if !command.is_empty() {
                    if self.elsewhere == 0 {
                        self.sink.at(span(base + start, base + parser.pos));
                    }
                    result = self.perform(&command);
                }
                let units = u32::try_from(kept / 4 + 1).unwrap_or(u32::MAX);
                if !self.variables.next(&mut statement) {
                    break;
                }
                self.stopped |= self.sink.spend(units).is_err();
            }
            if parser.pos == start {
                parser.pos += parser.peek().map_or(1, char::len_utf8);
            }
        }
        self.depth -= 1;
        result
    }

    /// The words up to the end of a command.
    fn command(&mut self, parser: &mut Parser<'_>, base: usize, close: Option<char>) -> Vec<Word> {
        let mut command = Vec::new();
        parser.skip(|c| c.is_whitespace() || c == ';');
        if parser.peek() == Some('#') {
            parser.skip(|c| c != '\n');
            return command;
        }
        loop {
            parser.skip(|c| matches!(c, ' ' | '\t' | '\r'));
            match parser.peek() {
                None | Some('\n' | ';') => return command,
                Some(c) if Some(c) == close => return command,
                Some('\\') if parser.rest().starts_with("\\\n") => parser.pos += 2,
                Some(_) => {
                    let before = parser.pos;
                    let spreads = parser.rest().starts_with("{*}");
                    let word = self.word(parser, base, close);
                    match word.value.known().filter(|_| spreads) {
                        Some(text) => command.extend(
                            text.split_whitespace()
                                .map(|part| Word { value: Value::literal(part), at: word.at }),
                        ),
                        None => command.push(word),
                    }
                    if parser.pos == before {
                        return command;
                    }
                }
            }
        }
    }

    fn word(&mut self, parser: &mut Parser<'_>, base: usize, close: Option<char>) -> Word {
        if parser.rest().starts_with("{*}") {
            parser.pos += 3;
        }
        match parser.peek() {
            Some('{') => {
                let (body, at) = parser.braced();
                Word { value: Value::literal(body), at: base + at }
            }
            Some('"') => {
                parser.pos += 1;
                let at = base + parser.pos;
                let value = self.substituted(parser, base, |c| c == '"');
                parser.pos += 1;
                Word { value, at }
            }
            Some(_) | None => {
                let at = base + parser.pos;
                let ends = |c: char| c.is_whitespace() || c == ';' || Some(c) == close;
                Word { value: self.substituted(parser, base, ends), at }
            }
        }
    }

    /// Text with variables, commands and escapes replaced, up to where it ends.
    fn substituted(&mut self, parser: &mut Parser<'_>, base: usize, ends: impl Fn(char) -> bool) -> Value {
        let mut value = Value::default();
        while let Some(c) = parser.peek() {
            if ends(c) || self.stopped {
                break;
            }
            match c {
                '$' => value.push(&self.variable(parser)),
                '[' => value.push(&self.bracketed(parser, base)),
                '\\' => {
                    let rest = parser.rest();
                    let length = escape_length(rest);
                    let escape = rest.get(..length).unwrap_or_default();
                    let text =
                        if escape == "\\e" { "e".to_owned() } else { super::scanner::unescape(escape) };
                    value.push_str(&text);
                    parser.pos += length;
                }
                _ => {
                    value.push_str(c.encode_utf8(&mut [0; 4]));
                    parser.pos += c.len_utf8();
                }
            }
        }
        value
    }

    fn variable(&mut self, parser: &mut Parser<'_>) -> Value {
        parser.pos += 1;
        self.stopped |= self.sink.spend(1).is_err();
        let name = parser.variable_name();
        if name.is_empty() {
            return Value::literal("$");
        }
        if let Some(key) = name.strip_prefix("env(").or_else(|| name.strip_prefix("::env(")) {
            let key = key.trim_end_matches(')');
            return if key == "HOME" { Value::literal(self.sink.home()) } else { self.sink.variable(key) };
        }
        let found = self.variables.get(&name);
        let size = found.as_ref().map_or(0, Value::size);
        self.stopped |= self.sink.spend(u32::try_from(size / 64).unwrap_or(u32::MAX)).is_err();
        found.unwrap_or_else(|| Value::unknown(format!("${name}"), self.ambient()))
    }

    fn environment(&mut self) -> Value {
        self.sink.effect(Verb::Read, Target::Environment, Flags::NONE, Provenance::NONE);
        Value::unknown("environment", Provenance::SECRET)
    }

    fn ambient(&self) -> Provenance {
        if self.wiring.has_socket() { Provenance::NETWORK } else { Provenance::OUTSIDE }
    }

    fn bracketed(&mut self, parser: &mut Parser<'_>, base: usize) -> Value {
        parser.pos += 1;
        let mut result = Value::default();
        if self.depth >= DEPTH_MOST {
            self.stopped = true;
            return result;
        }
        self.depth += 1;
        while parser.peek().is_some_and(|c| c != ']') && !self.stopped {
            let before = parser.pos;
            let command = self.command(parser, base, Some(']'));
            if !command.is_empty() {
                result = self.perform(&command);
            }
            if parser.pos == before {
                break;
            }
        }
        self.depth -= 1;
        parser.pos += usize::from(parser.peek() == Some(']'));
        result
    }

    fn perform(&mut self, command: &[Word]) -> Value {
        let Some((head, arguments)) = command.split_first() else { return Value::default() };
        let name = head.known();
        if name.is_empty() {
            // Windows and objects are commands as well; programs are told options, and paths.
            let told = |mark: &[char]| arguments.iter().any(|word| word.known().starts_with(mark));
            let is_program =
                arguments.first().is_some_and(|word| word.known().starts_with('-')) || told(&['/', '~']);
            let position = if is_program { Position::Unfollowed } else { Position::Program };
            self.sink.gap(position, Reason::Runtime, &head.value.shown());
            return Value::default();
        }
        let name = name.trim_start_matches("::").to_owned();
        if let Some(result) = self.command_of_tcl(&name, arguments) {
            self.followed(head);
            if name == "file"
                && let Some(what) = arguments.first()
            {
                self.followed(what);
            }
            return result;
        }
        // What is no command is taken for a program at the prompt.
        if name.starts_with('/') && !self.procedures.contains_key(UNKNOWN) {
            return self.exec(command);
        }
        self.call(&name, arguments)
    }

    /// The command was followed whose name this is.
    fn followed(&mut self, word: &Word) {
        if self.elsewhere == 0 {
            self.sink.followed(span(word.at, word.at + word.known().len()));
        }
    }

    /// What a command does that is one of Tcl's own.
    fn command_of_tcl(&mut self, name: &str, arguments: &[Word]) -> Option<Value> {
        let result = match name {
            "exec" | "spawn" | "exp_spawn" => self.exec(arguments),
            "open" => self.open(arguments),
            "socket" => self.socket(arguments),
            "puts" => self.puts(arguments),
            "send" | "exp_send" => self.send(arguments),
            "gets" | "read" | "chan" => self.gets(arguments),
            "set" | "append" | "lappend" | "variable" => self.set(name, arguments),
            "incr" => self.increase(arguments),
            "subst" => {
                self.eval(arguments);
                Value::unknown(
                    "subst",
                    arguments.iter().fold(Provenance::NONE, |all, word| all | word.value.provenance),
                )
            }
            "file" => self.file(arguments),
            "source" => {
                if let Some(path) = arguments.last() {
                    self.sink.script(Lang::Tcl, &path.value, &[]);
                }
                Value::default()
            }
            "load" => {
                if let Some(path) = arguments.first() {
                    self.sink.path(Verb::Execute, &path.value, Flags::HOOK);
                }
                Value::default()
            }
            "eval" | "uplevel" | "interp" => self.eval(arguments),
            "parray" | "array" if arguments.iter().any(|word| word.known() == "env") => self.environment(),
            "proc" => self.define(arguments),
            "exp_interact" | "interact" | "expr" | "list" | "concat" | "join" | "format" | "string"
            | "binary" | "return" => compute::compute(name, arguments),
            "switch" => self.switch(arguments),
            _ if BODIES.contains(&name) => self.bodies(name, arguments),
            _ => return None,
        };
        Some(result)
    }

    /// Commands whose braced arguments are scripts.
    fn bodies(&mut self, name: &str, arguments: &[Word]) -> Value {
        let mut result = Value::default();
        let passes = if matches!(name, "while" | "for" | "foreach") { PASSES_MOST + 1 } else { 1 };
        for pass in 0..passes {
            let before = (passes > 1).then(|| self.variables.variables());
            self.stopped |= self.sink.spend(u32::try_from(self.variables.len()).unwrap_or(u32::MAX)).is_err();
            for (index, word) in arguments.iter().enumerate() {
                let text = word.known();
                let before = index.checked_sub(1).and_then(|index| arguments.get(index));
                if is_condition(name, index, before) {
                    self.condition(&text, word.at);
                } else if name == "foreach" && index + 1 < arguments.len() {
                    // Names, and what they stand for.
                } else if text.contains(char::is_whitespace) || self.procedures.contains_key(&text) {
                    result = self.body(&text, word.at);
                }
            }
            let Some(before) = before.filter(|before| self.variables.changed(before)) else { break };
            if self.stopped {
                break;
            }
            if pass + 1 == PASSES_MOST {
                self.variables.forget_changes(&before);
            }
        }
        // Which of the bodies ran, and whether one did, is not known.
        Value::unknown(name, result.provenance)
    }

    /// An expression: only the commands in it run. It is gone through for each value of its variables, apart from what is around it.
    fn condition(&mut self, text: &str, at: usize) {
        if !text.contains('[') {
            return;
        }
        let body = self.variables.begin_body();
        let mut statement = self.variables.begin();
        let kept = u32::try_from(self.variables.remember(&mut statement) / 4 + 1).unwrap_or(u32::MAX);
        loop {
            self.stopped |= self.sink.spend(kept).is_err();
            self.substituted(&mut Parser { text, pos: 0 }, at, |_| false);
            if self.stopped || !self.variables.next(&mut statement) {
                break;
            }
        }
        self.variables.end_body(&body);
    }

    /// A script that may not run, or not to its end.
    fn body(&mut self, text: &str, at: usize) -> Value {
        let body = self.variables.begin_body();
        let result = self.run(text, at);
        self.variables.end_body(&body);
        result
    }

    /// `switch value {pattern body …}`, or the pairs as words of their own.
    fn switch(&mut self, arguments: &[Word]) -> Value {
        let mut result = Value::default();
        let Some(last) = arguments.last() else { return result };
        let pairs = list_words(&last.known(), last.at);
        if pairs.len() > 1 && arguments.len() < 5 {
            for pair in pairs.chunks(2) {
                if let [_, body] = pair {
                    result = self.body(&body.known(), body.at);
                }
            }
        }
        for word in arguments {
            let text = word.known();
            if text.contains(char::is_whitespace) {
                self.body(&text, word.at);
            }
        }
        Value::unknown("switch", result.provenance)
    }

    fn define(&mut self, arguments: &[Word]) -> Value {
        if let [name, parameters, body] = arguments {
            let parameters = parameters.known().split_whitespace().map(str::to_owned).collect();
            let procedure = Procedure { parameters, body: body.known(), at: body.at };
            self.procedures.insert(name.known().trim_start_matches("::").to_owned(), procedure);
        }
        Value::default()
    }

    /// Procedures that were not seen to be called may be: by name, by a trace, by an event.
    fn finish(&mut self) {
        let waits = |(name, _): &(&String, &Procedure)| !self.called.contains(*name);
        let left = self.procedures.iter().filter(waits);
        let mut left: Vec<_> = left
            .map(|(name, procedure)| (procedure.at, name.clone(), procedure.parameters.clone()))
            .collect();
        left.sort();
        for (_, name, parameters) in left {
            if self.stopped || self.called.contains(&name) {
                continue;
            }
            let unknown = |name: &String| Value::unknown(format!("${name}"), Provenance::OUTSIDE);
            let given: Vec<Word> =
                parameters.iter().map(|name| Word { value: unknown(name), at: 0 }).collect();
            self.call(&name, &given);
        }
    }

    fn call(&mut self, name: &str, arguments: &[Word]) -> Value {
        if !self.procedures.contains_key(name)
            && self.procedures.contains_key(UNKNOWN)
            && !std::mem::replace(&mut self.is_answering, true)
        {
            // It is handed the name with the rest.
            let head = Word { value: Value::literal(name), at: 0 };
            let all: Vec<Word> = std::iter::once(&head)
                .chain(arguments)
                .map(|word| Word { value: word.value.clone(), at: word.at })
                .collect();
            let result = self.call(UNKNOWN, &all);
            self.is_answering = false;
            return result;
        }
        let within = self.way.iter().filter(|other| *other == name).count();
        if within > CALLS_MOST {
            return Value::unknown(name, Provenance::OUTSIDE);
        }
        let Some(Procedure { parameters, body, at }) = self.procedures.get(name).cloned() else {
            let data = arguments.iter().fold(Provenance::NONE, |all, word| all | word.value.provenance);
            return Value::unknown(name, data);
        };
        let locals = self.variables.begin_body();
        for (index, parameter) in parameters.iter().enumerate() {
            let value = if parameter == "args" {
                Some(run_together(arguments.iter().skip(index), " "))
            } else {
                arguments.get(index).map(|argument| argument.value.clone())
            };
            // One that calls itself is followed once more as any of its calls.
            let value = value
                .filter(|_| within < CALLS_MOST)
                .unwrap_or_else(|| Value::unknown(format!("${parameter}"), Provenance::OUTSIDE));
            self.variables.set(parameter, value);
        }
        self.stopped |= self.sink.spend(4).is_err();
        self.called.insert(name.to_owned());
        self.way.push(name.to_owned());
        let result = self.run(&body, at);
        self.way.pop();
        self.variables.end_body(&locals);
        // Where it may return earlier, what it yields is not known.
        if body.matches("return").count() > 1 { Value::unknown(name, result.provenance) } else { result }
    }

    fn eval(&mut self, arguments: &[Word]) -> Value {
        let text = run_together(arguments, " ");
        match text.known() {
            Some(code) => {
                let code = code.into_owned();
                // It stands nowhere in the text.
                self.elsewhere += 1;
                let result = self.run(&code, 0);
                self.elsewhere -= 1;
                result
            }
            None => self.sink.code(Lang::Tcl, &text),
        }
    }

    /// `incr name by`.
    fn increase(&mut self, arguments: &[Word]) -> Value {
        let Some(name) = arguments.first().map(Word::known) else { return Value::default() };
        let number = |value: &Value| value.known().and_then(|text| text.parse::<i64>().ok());
        let before = self.variables.get(&name);
        let by = arguments.get(1).map_or(Some(1), |by| number(&by.value));
        let sum = before.as_ref().and_then(number).zip(by).and_then(|(number, by)| number.checked_add(by));
        let value = sum.map_or_else(
            || Value::unknown(name.as_str(), Provenance::NONE),
            |sum| Value::literal(sum.to_string()),
        );
        self.variables.set(&name, value.clone());
        value
    }

    fn set(&mut self, how: &str, arguments: &[Word]) -> Value {
        let Some(name) = arguments.first().map(Word::known) else { return Value::default() };
        let mut value =
            if how == "set" { Value::default() } else { self.variables.get(&name).unwrap_or_default() };
        let Some(_) = arguments.get(1) else {
            return self.variables.get(&name).unwrap_or_else(|| Value::unknown(name, Provenance::OUTSIDE));
        };
        for word in arguments.iter().skip(1) {
            if how != "lappend" {
                value.push(&word.value);
                continue;
            }
            if !value.pieces.is_empty() {
                value.push_str(" ");
            }
            match word.value.known().and_then(|text| compute::quoted(&text)) {
                Some(item) => value.push(&Value::literal(item).from(word.value.provenance)),
                None => value.push(&Value::unknown("item", word.value.provenance)),
            }
        }
        if value.size() > TEXT_MOST {
            value = Value::unknown("long text", value.provenance);
        }
        self.stopped |= self.sink.spend(1).is_err();
        self.variables.set(&name, value.clone());
        value
    }
}

/// Whether an argument of a command is an expression, and no script.
fn is_condition(name: &str, index: usize, before: Option<&Word>) -> bool {
    match name {
        "while" => index == 0,
        "for" => index == 1,
        "if" => index == 0 || before.is_some_and(|before| before.known() == "elseif"),
        _ => false,
    }
}

/// The items of a list.
fn list_words(text: &str, base: usize) -> Vec<Word> {
    let mut parser = Parser { text, pos: 0 };
    let mut words = Vec::new();
    loop {
        parser.skip(char::is_whitespace);
        let Some(first) = parser.peek() else { return words };
        if first == '{' {
            let (body, at) = parser.braced();
            words.push(Word { value: Value::literal(body), at: base + at });
        } else {
            let start = parser.pos;
            parser.skip(|c| !c.is_whitespace());
            let word = text.get(start..parser.pos).unwrap_or_default();
            words.push(Word { value: Value::literal(word), at: base + start });
        }
    }
}

/// The procedure that is called for commands that are none.
const UNKNOWN: &str = "unknown";

/// Commands that run their braced arguments.
const BODIES: &[&str] = &[
    "if",
    "while",
    "for",
    "foreach",
    "catch",
    "try",
    "after",
    "time",
    "expect",
    "fileevent",
    "namespace",
    "dict",
    "apply",
    "trap",
    "exit",
    "bind",
    "trace",
    "coroutine",
    "expect_background",
    "else",
    "vwait",
    "chan",
];
