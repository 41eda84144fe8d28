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
        | Role::Library
        | Role::Plugin(_)
        | Role::Program
        | Role::Script(_) => Phase::Run,
        Role::AtFile(inner) => phase_of(*inner),
        Role::Prefixed(_)
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
        | Role::TransferFrom
        | Role::Url => Phase::Read,
    }
}

pub(super) fn tasks(parsed: &Parsed<'_>, program: &Program) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut operands = program.operands;
    for given in &parsed.options {
        let role = match given.option.map(|option| option.does) {
            Some(Do::Is(role)) => Some((role, true)),
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
        tasks.push(Task { role, value: value.clone(), rest, span: given.span, by_option });
    }
    if !parsed.taken {
        operand_tasks(&parsed.operands, operands, &mut tasks);
    }
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
        tasks.push(Task { role, value: operand.value.clone(), rest, span: operand.span, by_option: false });
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
