//! `read` and `mapfile`.

use std::rc::Rc;

use super::super::expand::separators;
use super::super::machine::Machine;
use super::super::scope::{Outcome, Scope, Status};
use super::{option_value, value_after};
use crate::lang::Lang;
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};

impl Machine<'_> {
    pub(super) fn read(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("read", arguments, &scope, span);
        let inputs = each_input(scope).into_iter();
        inputs.flat_map(|scope| self.read_from(arguments, scope)).collect()
    }

    fn read_from(&mut self, arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
        let names = read_names(arguments);
        let before = scope.clone();
        let (line, status) = self.line_of(arguments, &mut scope);
        let array = arguments.iter().filter_map(|argument| argument.value.known()).any(|text| {
            text.strip_prefix('-').is_some_and(|letters| letters.ends_with('a') && letters.len() < 5)
        });
        if array {
            if let Some(name) = names.first() {
                let words = line_words(&line, &separators(&scope));
                scope.set_array(name, words);
            }
        } else {
            self.assign_words(&names, &line, &mut scope);
        }
        // Where what it should read cannot be opened, nothing is read, and everything stays as it was.
        let is_kept = line.has_hole()
            && names.iter().any(|name| before.scalar(name).is_some_and(|value| !value.has_hole()));
        let kept = is_kept.then(|| Outcome::of(before, Status::Failure));
        kept.into_iter().chain([Outcome::of(scope, status)]).collect()
    }

    /// The next line of standard input, or of the descriptor that `-u` names.
    fn line_of(&mut self, arguments: &[Argument], scope: &mut Scope) -> (Value, Status) {
        let Some(number) = other_input(arguments) else { return next_line(scope) };
        let there = self.incoming(number, scope).map(Rc::new);
        let own = std::mem::replace(&mut scope.stdin, there);
        let read = next_line(scope);
        let rest = std::mem::replace(&mut scope.stdin, own);
        if let Some(rest) = rest.filter(|rest| !rest.has_hole()) {
            self.leave_unread(number, rest.as_ref().clone(), scope);
        }
        read
    }

    pub(super) fn mapfile(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("mapfile", arguments, &scope, span);
        let inputs = each_input(scope).into_iter();
        inputs.flat_map(|scope| self.map_from(arguments, scope, invocation, span)).collect()
    }

    fn map_from(
        &mut self,
        arguments: &[Argument],
        mut scope: Scope,
        invocation: usize,
        span: Span,
    ) -> Vec<Outcome> {
        let name = mapfile_name(arguments);
        let end = option_value(arguments, "dnOsuCc", 'd')
            .map_or(Some('\n'), |end| end.known().map(|text| text.chars().next().unwrap_or('\0')));
        let input = match other_input(arguments) {
            Some(number) => self.incoming(number, &scope),
            None => scope.stdin.as_deref().cloned(),
        };
        let stdin = input.unwrap_or_else(|| Value::unknown("input", Provenance::OUTSIDE));
        let lines: Vec<Value> = match stdin.known().zip(end) {
            Some((text, end)) => {
                let lines = text.strip_suffix(end).unwrap_or(&text).split(end).take(1024);
                lines.map(|line| Value::literal(line).from(stdin.provenance)).collect()
            }
            None => vec![first_line(&stdin)],
        };
        if let Some(code) = value_after(arguments, "-C") {
            for line in lines.iter().take(CALLED_BACK) {
                let _ = self.code_at(
                    Lang::Shell,
                    &called_back(&code, line),
                    &mut scope.clone(),
                    invocation,
                    span,
                );
            }
        }
        let lines = lines.into_iter().map(|line| self.as_declared(&name, line, &mut scope)).collect();
        scope.set_array(&name, lines);
        vec![Outcome::of(scope, Status::Either)]
    }

    /// Each name gets a word, the last one what is left.
    fn assign_words(&mut self, names: &[String], line: &Value, scope: &mut Scope) {
        let Some(text) = line.known() else {
            for name in names {
                self.store(name, line.clone(), scope);
            }
            return;
        };
        let separators = separators(scope);
        let separates = |letter: char| separators.contains(letter);
        let mut rest = text.trim_matches(|letter: char| letter.is_whitespace() && separates(letter));
        for (index, name) in names.iter().enumerate() {
            let end = if index + 1 == names.len() { None } else { rest.find(separates) };
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            self.store(name, Value::literal(word).from(line.provenance), scope);
            rest = after.trim_start_matches(separates);
        }
    }
}

/// The same place with each text that its standard input may be.
fn each_input(scope: Scope) -> Vec<Scope> {
    let ways = scope.stdin.as_deref().map_or(0, Value::ways);
    if ways < 2 {
        return vec![scope];
    }
    let chosen = |at| scope.stdin.as_deref().map(|stdin| Rc::new(stdin.chosen(at)));
    (0..ways).map(|at| Scope { stdin: chosen(at), ..scope.clone() }).collect()
}

/// For how many lines the code is run that `mapfile -C` is given.
const CALLED_BACK: usize = 8;

/// The code that `mapfile -C` runs for a line: an index and the line itself stand behind it.
fn called_back(code: &Value, line: &Value) -> Value {
    let mut text = code.clone();
    text.push_str(" 0 ");
    match line.known() {
        Some(known) => text.push_str(&format!("'{}'", known.replace('\'', r"'\''"))),
        None => text.push(line),
    }
    text
}

/// The array that `mapfile` fills: its only operand, where there is one.
fn mapfile_name(arguments: &[Argument]) -> String {
    let mut skip = false;
    for text in arguments.iter().filter_map(|argument| argument.value.known()) {
        if skip {
            skip = false;
        } else if let Some(letters) = text.strip_prefix('-') {
            skip =
                letters.find(['d', 'n', 'O', 's', 'u', 'C', 'c']).is_some_and(|at| at + 1 == letters.len());
        } else {
            return text.into_owned();
        }
    }
    "MAPFILE".to_owned()
}

/// The descriptor that `-u` names.
fn other_input(arguments: &[Argument]) -> Option<u32> {
    let glued = arguments.iter().find_map(|argument| {
        let text = argument.value.known()?;
        text.strip_prefix('-')?.split_once('u')?.1.parse().ok()
    });
    glued.or_else(|| value_after(arguments, "-u")?.known()?.parse().ok())
}

fn read_names(arguments: &[Argument]) -> Vec<String> {
    let mut names = Vec::new();
    let mut skip = false;
    for text in arguments.iter().filter_map(|argument| argument.value.known()) {
        if skip {
            skip = false;
        } else if let Some(option) = text.strip_prefix('-') {
            skip = option.ends_with(['d', 'n', 'N', 'p', 't', 'u', 'i']);
        } else {
            names.push(text.into_owned());
        }
    }
    if names.is_empty() {
        names.push("REPLY".to_owned());
    }
    names
}

fn line_words(line: &Value, separators: &str) -> Vec<Value> {
    match line.known() {
        Some(text) => {
            let words = text.split(|letter| separators.contains(letter)).filter(|word| !word.is_empty());
            words.map(|word| Value::literal(word).from(line.provenance)).collect()
        }
        None => vec![line.clone()],
    }
}

/// Takes a line from standard input.
fn next_line(scope: &mut Scope) -> (Value, Status) {
    let Some(stdin) = scope.stdin.clone() else {
        return (Value::unknown("input", Provenance::OUTSIDE), Status::Either);
    };
    match stdin.known() {
        Some(text) if text.is_empty() => (Value::default(), Status::Failure),
        Some(text) => {
            let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
            scope.stdin = Some(Rc::new(Value::literal(rest).from(stdin.provenance)));
            (Value::literal(line).from(stdin.provenance), Status::Success)
        }
        None => (first_line(&stdin), Status::Either),
    }
}

/// What a line of a partly known stream holds.
fn first_line(stream: &Value) -> Value {
    let mut line = Value { pieces: Vec::new(), provenance: stream.provenance };
    for piece in &stream.pieces {
        match piece {
            Piece::Literal(text) => match text.split_once('\n') {
                Some((before, _)) if !line.pieces.is_empty() || !before.is_empty() => {
                    line.push_str(before);
                    return line;
                }
                Some((_, after)) => line.push_str(after),
                None => line.push_str(text),
            },
            Piece::Glob(_) | Piece::Hole(_) => line.pieces.push(piece.clone()),
        }
    }
    line
}
