//! The programs that a try has started.

use std::iter;
use std::path::Path;

use herm_sandbox::changes::safe;
use herm_sandbox::native::{Program, Programs};
use serde_json::{Value, json};

/// The programs that a try has started, without secrets.
///
/// It is a record: what a process asks for can be changed by itself between being seen and being done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The first of them, as they were asked for.
    commands: Vec<Command>,
    /// How many there were in all.
    total: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Command {
    line: String,
    by: Option<usize>,
    depth: usize,
}

/// How many a person is shown.
const SHOWN: usize = 20;

/// How far a line is moved to the right at most.
const DEEPEST: usize = 8;

impl Started {
    pub(super) fn new(programs: &Programs, redact: &dyn Fn(&str) -> String) -> Self {
        let lines: Vec<_> = programs.first.iter().map(line).collect();
        let mut commands: Vec<Command> = Vec::new();
        for (program, line) in programs.first.iter().zip(redacted(&lines, redact)) {
            let depth = program.by.and_then(|by| commands.get(by)).map_or(0, |by| by.depth + 1);
            commands.push(Command { line, by: program.by, depth });
        }
        Self { commands, total: programs.total }
    }

    /// As a program reads it.
    pub(super) fn to_json(&self) -> Value {
        let first = self.commands.iter().map(|command| json!({ "command": command.line, "by": command.by }));
        json!({ "total": self.total, "first": first.collect::<Vec<_>>() })
    }

    /// As a person reads it. The first is the command itself, which they know.
    pub(super) fn told(&self) -> String {
        let others = self.commands.iter().skip(1);
        let lines = others.take(SHOWN).map(|command| {
            let depth = command.depth.saturating_sub(1).min(DEEPEST);
            format!("  {}{}\n", "  ".repeat(depth), command.line)
        });
        let text: String = lines.collect::<Vec<_>>().concat();
        let shown = u64::try_from(SHOWN).unwrap_or(u64::MAX) + 1;
        match self.total {
            0 | 1 => String::new(),
            total if total > shown => format!("What it ran:\n{text}  … and {} more\n", total - shown),
            _ => format!("What it ran:\n{text}"),
        }
    }
}

/// A program with its arguments, with nothing in it that a terminal obeys.
fn line(program: &Program) -> String {
    let path = program.path.as_deref().unwrap_or("(could not be seen)");
    let words = iter::once(path).chain(program.arguments.iter().map(String::as_str));
    let line = words.map(word).collect::<Vec<_>>().join(" ");
    let line = if program.is_cut && program.path.is_some() { line + " …" } else { line };
    safe(Path::new(&line))
}

fn word(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_=./:,+@%^~…()".contains(character);
    match word {
        "(could not be seen)" => word.to_owned(),
        _ if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        _ if word.contains('\'') => format!("\"{word}\""),
        _ => format!("'{word}'"),
    }
}

/// All lines at once where that does not change how many there are: making a redactor takes a while.
fn redacted(lines: &[String], redact: &dyn Fn(&str) -> String) -> Vec<String> {
    let together: Vec<_> = redact(&lines.join("\n")).lines().map(str::to_owned).collect();
    if together.len() == lines.len() { together } else { lines.iter().map(|line| redact(line)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &str, arguments: &[&str], by: Option<usize>) -> Program {
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        Program { path: Some(path.to_owned()), arguments, is_cut: false, by }
    }

    fn started(first: Vec<Program>, total: u64) -> Started {
        Started::new(&Programs { first, total }, &|text| text.replace("hunter2", "***"))
    }

    #[test]
    fn programs_are_told_as_a_tree_without_the_command_itself() {
        let first = vec![
            program("bash", &["-c", "make; rm 'a b'"], None),
            program("/usr/bin/make", &[], Some(0)),
            program("/bin/sh", &["-c", "echo hunter2"], Some(1)),
            program("/usr/bin/rm", &["a b", ""], Some(0)),
        ];
        let started = started(first, 4);
        assert_eq!(
            started.told(),
            "What it ran:\n  /usr/bin/make\n    /bin/sh -c 'echo ***'\n  /usr/bin/rm 'a b' ''\n"
        );
        assert_eq!(started.to_json()["first"][2], json!({ "command": "/bin/sh -c 'echo ***'", "by": 1 }));
    }

    #[test]
    fn many_programs_are_counted_and_nothing_drives_the_terminal() {
        let mut first = vec![program("bash", &[], None)];
        first.extend((0..100).map(|_| program("/bin/true", &["\u{1b}[2J\n"], Some(0))));
        let told = started(first, 5000).told();
        assert!(told.ends_with("  … and 4979 more\n") && !told.contains('\u{1b}'), "{told}");
        assert_eq!(told.lines().count(), 22, "{told}");
    }

    #[test]
    fn the_command_alone_is_not_told() {
        assert_eq!(started(vec![program("bash", &["-c", "true"], None)], 1).told(), "");
    }
}
