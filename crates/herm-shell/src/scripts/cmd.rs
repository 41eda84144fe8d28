//! Windows' `cmd`.

use super::span;
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Hole, Piece, Provenance, Value};

/// How deeply `cmd /c` may nest.
const DEPTH_MOST: u32 = 8;

/// Reads a batch of commands.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        sink.at(span(offset, offset + line.trim_end().len()));
        offset += line.len();
        for command in chained(line.trim()) {
            let words = u32::try_from(command.len()).unwrap_or(u32::MAX);
            if sink.spend(1 + words).is_err() {
                return;
            }
            run(&command, 0, sink);
        }
    }
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

fn run(command: &[String], depth: u32, sink: &mut dyn Sink) {
    let (command, target) = redirected(command);
    let Some((program, arguments)) = command.split_first() else { return };
    if let Some((mark, path)) = target {
        let flags = if mark == 2 { Flags::APPEND } else { Flags::TRUNCATE };
        if !path.eq_ignore_ascii_case("nul") {
            let content = if program.eq_ignore_ascii_case("echo") {
                Value::literal(arguments.join(" "))
            } else {
                Value::unknown("output", Provenance::NONE)
            };
            sink.write(&value(&path), &content, flags);
        }
    }
    let lower = program.to_ascii_lowercase();
    let name = lower.rsplit(['\\', '/']).next().unwrap_or(&lower).trim_end_matches(".exe");
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
        "cmd" | "start" | "call" if depth < DEPTH_MOST => {
            let inner: Vec<String> =
                arguments.iter().skip_while(|word| word.starts_with('/')).cloned().collect();
            for command in chained(&inner.join(" ")) {
                run(&command, depth + 1, sink);
            }
        }
        "for" | "if" if depth < DEPTH_MOST => {
            let body =
                arguments.iter().position(|word| word.eq_ignore_ascii_case("do")).map_or(2, |at| at + 1);
            run(arguments.get(body..).unwrap_or_default(), depth + 1, sink);
        }
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
