//! The words of an invocation with their roles, and in which order they are looked at.

use crate::programs::arguments::{Argument, Parsed};
use crate::programs::schema::{Do, Operands, Program, Role};
use crate::span::Span;
use crate::value::{Piece, Value};

/// A word with its role.
pub(super) struct Task {
    pub(super) role: Role,
    pub(super) value: Value,
    /// What follows it, for roles that take the rest.
    pub(super) rest: Vec<Value>,
    pub(super) span: Span,
    /// Whether an option brought it, not an operand.
    pub(super) by_option: bool,
    /// Whether something else is run besides, whatever this is.
    pub(super) comes_before: bool,
}

impl Task {
    /// An operand, of which nothing else is known yet.
    fn of(role: Role, span: Span) -> Self {
        Self { role, value: Value::default(), rest: Vec::new(), span, by_option: false, comes_before: false }
    }

    /// A part of this word, with a role of its own.
    pub(super) fn inner(&self, role: Role, value: Value) -> Self {
        Self {
            value,
            by_option: self.by_option,
            comes_before: self.comes_before,
            ..Self::of(role, self.span)
        }
    }

    /// What a variable of the environment brings.
    pub(super) fn obeyed(role: Role, value: Value, span: Span) -> Self {
        Self { value, by_option: true, comes_before: true, ..Self::of(role, span) }
    }
}

/// In which order words are looked at: what they are relative to, what is read, what is written, what runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Prepare,
    Read,
    Run,
    Write,
}

pub(super) fn phase_of(role: Role) -> Phase {
    match role {
        Role::Directory | Role::Environment => Phase::Prepare,
        Role::Append | Role::Write | Role::TransferTo => Phase::Write,
        Role::Argv
        | Role::ArgvText
        | Role::Code(_)
        | Role::Expanded
        | Role::Interact(_)
        | Role::Library
        | Role::Plugin(_)
        | Role::Program
        | Role::Script(_) => Phase::Run,
        Role::AtFile(inner) => phase_of(*inner),
        Role::Options
        | Role::Prefixed(_)
        | Role::ChangeMode
        | Role::ChangeOwner
        | Role::Delete
        | Role::Host
        | Role::Inert
        | Role::Link
        | Role::MoveFrom
        | Role::Read
        | Role::Send
        | Role::SendFile
        | Role::Setting
        | Role::TransferFrom
        | Role::Url => Phase::Read,
    }
}

pub(super) fn tasks(parsed: &Parsed<'_>, program: &Program) -> Vec<Task> {
    let (mut tasks, mut last) = (Vec::new(), Vec::new());
    let mut operands = program.operands;
    for given in &parsed.options {
        let does = given.option.map(|option| option.does);
        let comes_before = matches!(does, Some(Do::Before(_)));
        let role = match does {
            Some(Do::Is(role @ Role::Interact(_))) if given.values.is_empty() => {
                last.push(Task::of(role, given.span));
                continue;
            }
            Some(Do::Is(role) | Do::Before(role)) => Some((role, true)),
            Some(Do::StopWith(role)) => Some((role, false)),
            Some(Do::Operands(instead)) => {
                operands = instead;
                None
            }
            Some(Do::Emit(_) | Do::Nothing | Do::Set(_) | Do::Stop) | None => None,
        };
        let (Some((role, by_option)), Some((value, rest))) = (role, given.values.split_first()) else {
            continue;
        };
        let rest = if by_option { rest.to_vec() } else { values(&parsed.operands) };
        let task = Task { role, value: value.clone(), rest, span: given.span, by_option, comes_before };
        tasks.push(task);
    }
    if !parsed.taken {
        operand_tasks(&parsed.operands, operands, &mut tasks);
    }
    tasks.append(&mut last);
    tasks
}

fn values(operands: &[&Argument]) -> Vec<Value> {
    operands.iter().map(|operand| operand.value.clone()).collect()
}

fn operand_tasks(operands: &[&Argument], roles: Operands, tasks: &mut Vec<Task>) {
    for (index, operand) in operands.iter().enumerate() {
        let role = match roles {
            Operands::None => Role::Inert,
            Operands::Rest(role) => role,
            Operands::Each(roles) => roles.get(index).or(roles.last()).copied().unwrap_or(Role::Inert),
            Operands::LastIs(_, last) if index + 1 == operands.len() && index > 0 => last,
            Operands::LastIs(first, _) => first,
        };
        let whole = matches!(role, Role::Argv | Role::Script(_) | Role::Program);
        let rest = if matches!(role, Role::Link) {
            values(operands.get(..1).unwrap_or_default())
        } else if whole || matches!(role, Role::Code(crate::lang::Lang::Shell)) {
            values(operands.get(index + 1..).unwrap_or_default())
        } else {
            Vec::new()
        };
        tasks.push(Task { value: operand.value.clone(), rest, ..Task::of(role, operand.span) });
        if whole {
            break;
        }
    }
}

/// Copying `a/b` into `dir/` writes `dir/b`.
pub(super) fn into_directory(to: &Value, sources: &[&Value]) -> Option<Value> {
    let shown = to.shown();
    let is_directory = shown.ends_with('/') || matches!(shown.as_str(), "." | "..") || sources.len() > 1;
    let source = sources.first()?;
    if !is_directory {
        return None;
    }
    let name = source.known()?;
    let name = name.trim_end_matches('/').rsplit('/').next()?;
    if name.is_empty() || name == "." || name == "-" {
        return None;
    }
    let mut path = to.clone();
    if !shown.ends_with('/') {
        path.push_str("/");
    }
    path.push_str(name);
    Some(path)
}

pub(super) fn words_of(value: &Value) -> Vec<Value> {
    let mut words = vec![Value::default()];
    for piece in &value.pieces {
        let Piece::Literal(text) = piece else {
            if let Some(last) = words.last_mut() {
                last.pieces.push(piece.clone());
            }
            continue;
        };
        for (index, part) in text.split_whitespace().enumerate() {
            if index > 0 || text.starts_with(char::is_whitespace) {
                words.push(Value::default());
            }
            if let Some(last) = words.last_mut() {
                last.push_str(part);
            }
        }
        if text.ends_with(char::is_whitespace) {
            words.push(Value::default());
        }
    }
    words.retain(|word| !word.pieces.is_empty());
    words.into_iter().map(|word| word.from(value.provenance)).collect()
}

pub(super) fn is_assignment(value: &Value) -> bool {
    let text = value.known_prefix();
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|letter: char| letter.is_ascii_digit())
    })
}
