//! Windows' `cmd`.

use std::collections::BTreeMap;

use super::span;
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Hole, Piece, Provenance, Value};

/// How deeply `cmd /c` may nest.
const DEPTH_MOST: u32 = 8;

/// Reads a batch of commands.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let mut batch = Batch::default();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        sink.at(span(offset, offset + line.trim_end().len()));
        offset += line.len();
        for command in chained(line.trim()) {
            let words = u32::try_from(command.len()).unwrap_or(u32::MAX);
            if sink.spend(1 + words).is_err() {
                return;
            }
            batch.run(&command, 0, sink);
        }
    }
}

/// What holds while a batch runs.
#[derive(Default)]
struct Batch {
    /// Variables that were set, by their names in lower case; without a value where it is not known.
    variables: BTreeMap<String, Option<String>>,
    /// Whether the command is carried out on some condition.
    is_conditional: bool,
}

/// The commands of a line: `&`, `&&`, `|` and `||` stand between, a caret escapes.
fn chained(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word = String::new();
    let mut quoted = false;
    let mut chars = line.chars();
    let finish = |commands: &mut Vec<Vec<String>>, word: &mut String| {
        if !word.is_empty()
            && let Some(last) = commands.last_mut()
        {
            last.push(std::mem::take(word));
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '^' if !quoted => word.extend(chars.next()),
            '&' | '|' if !quoted => {
                finish(&mut commands, &mut word);
                commands.push(Vec::new());
            }
            '>' if !quoted => {
                finish(&mut commands, &mut word);
                word.push(c);
                finish(&mut commands, &mut word);
            }
            '(' | ')' | '@' if !quoted && word.is_empty() => {}
            c if c.is_whitespace() && !quoted => finish(&mut commands, &mut word),
            c => word.push(c),
        }
    }
    finish(&mut commands, &mut word);
    commands.retain(|command| !command.is_empty());
    commands
}

/// A word with its `%NAME%`s as holes.
fn value(word: &str) -> Value {
    let mut value = Value::default();
    let parts: Vec<&str> = word.split('%').collect();
    for (index, part) in parts.iter().enumerate() {
        // A loop's variable has no closing mark.
        let closed = index + 1 < parts.len();
        if index % 2 == 0 {
            value.push_str(part);
        } else {
            let shown = if closed { format!("%{part}%") } else { format!("%{part}") };
            value.pieces.push(Piece::Hole(Hole {
                shown,
                may_be_empty: true,
                may_split: true,
                ..Hole::default()
            }));
        }
    }
    value
}

impl Batch {
    fn run(&mut self, command: &[String], depth: u32, sink: &mut dyn Sink) {
        let (command, target) = redirected(&self.expanded(command));
        let Some((program, arguments)) = command.split_first() else { return };
        if let Some((mark, path)) = target {
            report(mark, &path, program, arguments, sink);
        }
        let lower = program.to_ascii_lowercase();
        let name = lower.rsplit(['\\', '/']).next().unwrap_or(&lower).trim_end_matches(".exe");
        match name {
            "cmd" | "start" | "call" if depth < DEPTH_MOST => {
                let inner: Vec<String> =
                    arguments.iter().skip_while(|word| word.starts_with('/')).cloned().collect();
                for command in chained(&inner.join(" ")) {
                    self.run(&command, depth + 1, sink);
                }
            }
            "for" if depth < DEPTH_MOST => self.each_item(arguments, depth, sink),
            "if" if depth < DEPTH_MOST => {
                let outer = std::mem::replace(&mut self.is_conditional, true);
                self.run(arguments.get(condition(arguments)..).unwrap_or_default(), depth + 1, sink);
                self.is_conditional = outer;
            }
            "set" if !arguments.is_empty() => self.set(arguments),
            _ => own(name, &command, arguments, sink),
        }
    }

    /// The words with what variables hold. A command word may become several, and have switches glued on: `rd/s`.
    fn expanded(&self, command: &[String]) -> Vec<String> {
        let mut words: Vec<String> = command.iter().map(|word| self.expand(word)).collect();
        if let Some(first) = words.first().cloned() {
            let (name, switches) = first.split_once('/').unwrap_or((&first, ""));
            let split: Vec<String> =
                if SWITCHED.contains(&name.to_ascii_lowercase().as_str()) && !switches.is_empty() {
                    let switches = switches.split('/').map(|switch| format!("/{switch}"));
                    std::iter::once(name.to_owned()).chain(switches).collect()
                } else {
                    first.split_whitespace().map(str::to_owned).collect()
                };
            words.splice(..1, split);
        }
        words
    }

    fn expand(&self, word: &str) -> String {
        let mut whole = word.to_owned();
        for (name, value) in &self.variables {
            let Some(value) = value else { continue };
            for mark in ['%', '!'] {
                let written = format!("{mark}{name}{mark}");
                while let Some(at) = whole.to_ascii_lowercase().find(&written) {
                    whole.replace_range(at..at + written.len(), value);
                    if value.contains(&written) {
                        return whole;
                    }
                }
            }
        }
        whole
    }

    /// `set NAME=VALUE`. What a condition or a sum decides is not known.
    fn set(&mut self, arguments: &[String]) {
        let text = arguments.join(" ");
        let is_plain = !text.starts_with('/') && !self.is_conditional && !text.contains(['%', '!']);
        let Some((name, value)) = text.trim_start_matches("/a ").trim_start_matches("/A ").split_once('=')
        else {
            return;
        };
        self.variables.insert(name.trim().to_ascii_lowercase(), is_plain.then(|| value.to_owned()));
    }

    /// `for %x in (a b) do …`.
    fn each_item(&mut self, arguments: &[String], depth: u32, sink: &mut dyn Sink) {
        let at = |word: &str| arguments.iter().position(|other| other.eq_ignore_ascii_case(word));
        let (start, end) = (at("in").unwrap_or(0), at("do").unwrap_or(1));
        let body = arguments.get(end + 1..).unwrap_or_default();
        let variable =
            arguments.iter().take(start).find(|word| word.starts_with('%')).cloned().unwrap_or_default();
        let items = arguments.get(start + 1..end).unwrap_or_default();
        let items = items.iter().map(|item| item.trim_matches(['(', ')', ',']));
        let is_plain = !arguments.iter().take(start).any(|word| word.starts_with('/'));
        let known: Vec<&str> =
            items.filter(|item| is_plain && !item.is_empty() && !item.contains(['*', '?'])).collect();
        if known.is_empty() || variable.is_empty() {
            return self.run(body, depth + 1, sink);
        }
        for item in known.into_iter().take(ITEMS) {
            let filled: Vec<String> = body.iter().map(|word| word.replace(&variable, item)).collect();
            self.run(&filled, depth + 1, sink);
        }
    }
}

/// How many words of a `for` are gone through.
const ITEMS: usize = 16;

/// Commands of its own whose switches may be glued on.
const SWITCHED: &[&str] = &["copy", "del", "erase", "format", "move", "rd", "rmdir", "xcopy"];

/// How many words the condition of an `if` takes.
fn condition(arguments: &[String]) -> usize {
    let is = |at: usize, words: &[&str]| {
        arguments.get(at).is_some_and(|word| words.iter().any(|other| word.eq_ignore_ascii_case(other)))
    };
    let start = (0..2).take_while(|at| is(*at, &["/i", "not"])).count();
    if is(start, &["cmdextversion", "defined", "errorlevel", "exist"]) {
        return start + 2;
    }
    match arguments.get(start) {
        Some(word) if word.contains("==") && !word.ends_with("==") => start + 1,
        Some(word) if word.ends_with("==") => start + 2,
        Some(_) | None => start + 3,
    }
}

/// Says that what a command prints goes to a file.
fn report(marks: usize, path: &str, program: &str, arguments: &[String], sink: &mut dyn Sink) {
    if path.eq_ignore_ascii_case("nul") {
        return;
    }
    let flags = if marks == 2 { Flags::APPEND } else { Flags::TRUNCATE };
    let content = if program.eq_ignore_ascii_case("echo") {
        Value::literal(arguments.join(" "))
    } else {
        Value::unknown("output", Provenance::NONE)
    };
    sink.write(&value(path), &content, flags);
}

/// A command that it has itself, or a program.
fn own(name: &str, command: &[String], arguments: &[String], sink: &mut dyn Sink) {
    let switch = |letter: &str| arguments.iter().any(|word| word.to_ascii_lowercase().starts_with(letter));
    match name {
        "del" | "erase" | "rd" | "rmdir" => {
            delete(arguments, switch("/s"), switch("/f") || switch("/q"), sink);
        }
        "format" => each(arguments, Verb::Format, "device", sink),
        "diskpart" => effect(Verb::Format, Target::Named("device", String::new()), Flags::NONE, sink),
        "shutdown" if !switch("/a") => {
            effect(Verb::Power, Target::Named("power state", String::new()), Flags::NONE, sink);
        }
        "reg" if arguments.first().is_some_and(|word| word.eq_ignore_ascii_case("delete")) => {
            let key = arguments.get(1).cloned().unwrap_or_default();
            effect(Verb::Configure, Target::Named("registry key", key), Flags::IRREVERSIBLE, sink);
        }
        "taskkill" => taskkill(arguments, sink),
        "copy" | "xcopy" | "move" | "ren" | "rename" => transfer(name, arguments, sink),
        "type" => operands(arguments).filter(|path| !path.eq_ignore_ascii_case("nul")).for_each(|path| {
            let content = sink.read(&value(path));
            sink.print(content);
        }),
        "echo" => sink.print(Value::literal(format!("{}\n", arguments.join(" ")))),
        "powershell" | "pwsh" => powershell(arguments, sink),
        "set" if arguments.is_empty() => effect(Verb::Read, Target::Environment, Flags::NONE, sink),
        "cd" | "chdir" | "cls" | "dir" | "exit" | "md" | "mkdir" | "pause" | "rem" | "set" | "title"
        | "ver" | "vol" | "setlocal" | "goto" | "date" | "time" | "path" | "where" | "else" => {}
        _ => {
            let argv: Vec<Value> = command.iter().map(|word| value(word)).collect();
            sink.run(&argv, &Value::default());
        }
    }
}

/// The command without `>`, and how many marks stood before which path.
fn redirected(command: &[String]) -> (Vec<String>, Option<(usize, String)>) {
    let Some(at) = command.iter().position(|word| word == ">") else { return (command.to_vec(), None) };
    let marks = command.iter().skip(at).take_while(|word| *word == ">").count();
    let path = command.get(at + marks).cloned().unwrap_or_default();
    let head = command.get(..at).unwrap_or_default().to_vec();
    // A handle's number stands before the mark: `2>`.
    let head = if head.last().is_some_and(|word| matches!(word.as_str(), "1" | "2")) && !path.is_empty() {
        head.get(..at - 1).unwrap_or_default().to_vec()
    } else {
        head
    };
    (head, Some((marks, path)).filter(|(_, path)| !path.is_empty()))
}

fn effect(verb: Verb, target: Target, flags: Flags, sink: &mut dyn Sink) {
    sink.effect(verb, target, flags, Provenance::NONE);
}

fn operands(arguments: &[String]) -> impl Iterator<Item = &String> {
    arguments.iter().filter(|word| !word.starts_with('/'))
}

fn delete(arguments: &[String], recursive: bool, force: bool, sink: &mut dyn Sink) {
    let when = |set: bool, flag: Flags| if set { flag } else { Flags::NONE };
    let flags = when(recursive, Flags::RECURSIVE) | when(force, Flags::FORCE);
    for path in operands(arguments) {
        let path = super::globbed(&value(path));
        sink.path(Verb::Delete, &path, flags);
    }
}

fn each(arguments: &[String], verb: Verb, kind: &'static str, sink: &mut dyn Sink) {
    for name in operands(arguments).take(1) {
        effect(verb, Target::Named(kind, name.clone()), Flags::IRREVERSIBLE, sink);
    }
}

fn taskkill(arguments: &[String], sink: &mut dyn Sink) {
    let after = |switch: &str| {
        arguments
            .iter()
            .position(|word| word.eq_ignore_ascii_case(switch))
            .and_then(|at| arguments.get(at + 1))
    };
    let target = match (after("/im"), after("/pid")) {
        (Some(name), _) if name == "*" => ProcessTarget::All,
        (Some(name), _) => ProcessTarget::Matching(name.clone()),
        (None, Some(number)) => number.parse().map_or(ProcessTarget::Unknown, ProcessTarget::Number),
        (None, None) => ProcessTarget::Unknown,
    };
    let forced = arguments.iter().any(|word| word.eq_ignore_ascii_case("/f"));
    let flags = if forced { Flags::FORCE | Flags::KILL_SIGNAL } else { Flags::NONE };
    effect(Verb::Kill, Target::Process(target), flags, sink);
}

fn transfer(name: &str, arguments: &[String], sink: &mut dyn Sink) {
    let paths: Vec<&String> = operands(arguments).collect();
    let (Some(from), Some(to)) = (paths.first(), paths.get(1)) else { return };
    if name.contains("copy") {
        let content = sink.read(&value(from));
        return sink.write(&value(to), &content, Flags::TRUNCATE);
    }
    sink.path(Verb::Delete, &value(from), Flags::MOVE);
    sink.path(Verb::Write, &value(to), Flags::TRUNCATE);
}

fn powershell(arguments: &[String], sink: &mut dyn Sink) {
    if let Some(code) = super::powershell::encoded_argument(arguments) {
        sink.code(Lang::PowerShell, &Value::literal(code).from(Provenance::DECODED));
        return;
    }
    let code: Vec<&str> =
        arguments.iter().map(String::as_str).skip_while(|word| word.starts_with('-')).collect();
    sink.code(Lang::PowerShell, &Value::literal(code.join(" ")));
}
