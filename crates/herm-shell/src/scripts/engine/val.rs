//! What an expression of a script is known to be.

use std::cell::Cell;
use std::rc::Rc;

use crate::scripts::scanner::Token;
use crate::value::{Piece, Provenance, Value};

/// What an expression is known to be.
#[derive(Clone, Debug)]
pub(in crate::scripts) enum Val {
    /// A function of the script itself.
    Function(Rc<Function>),
    /// An open file, socket or process.
    Handle(Rc<Handle>),
    /// A list, or the pairs of a map.
    List(Rc<Vec<Val>>),
    /// Something known by its path from a global name (`child_process.exec`), and where its data came from.
    Name(Rc<str>, Provenance),
    /// A whole number.
    Number(i64),
    /// One of several, because the way forked.
    OneOf(Rc<[Val]>),
    /// A key with its value.
    Pair(Rc<(String, Val)>),
    /// A text.
    Text(Rc<Value>),
}

/// A function of the script: a range of tokens.
#[derive(Debug)]
pub(in crate::scripts) struct Function {
    pub(super) parameters: Vec<String>,
    pub(super) tokens: Rc<[Token]>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) called: Cell<bool>,
    /// Whether it hands out values one by one: `function*`.
    pub(super) generates: Cell<bool>,
}

/// Something open.
#[derive(Debug)]
pub(in crate::scripts) struct Handle {
    pub(super) kind: HandleKind,
    /// The path, the host or the command.
    pub(super) to: Value,
    /// What reading from it yields.
    pub(super) content: Value,
    /// Whether something was done with it already.
    pub(super) used: Cell<bool>,
}

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scripts) enum HandleKind {
    /// A file that is added to.
    Append,
    /// A command that reads what is written to it.
    PipeTo,
    /// Something that is only read from.
    Read,
    /// A connection.
    Socket,
    /// A file that is overwritten.
    Write,
}

impl Val {
    pub(in crate::scripts) fn text(text: impl Into<String>) -> Self {
        Self::Text(Rc::new(Value::literal(text)))
    }

    pub(in crate::scripts) fn value(value: Value) -> Self {
        Self::Text(Rc::new(value))
    }

    pub(in crate::scripts) fn name(name: &str) -> Self {
        Self::Name(Rc::from(name), Provenance::NONE)
    }

    pub(in crate::scripts) fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(items))
    }

    pub(in crate::scripts) fn unknown(shown: &str, provenance: Provenance) -> Self {
        let short: String = shown.chars().take(80).collect();
        Self::value(Value::unknown(short, provenance))
    }

    /// Its text, without asking the environment.
    pub(in crate::scripts) fn plain(&self) -> Value {
        match self {
            Self::Text(value) => value.as_ref().clone(),
            Self::Number(number) => Value::literal(number.to_string()),
            Self::Name(name, provenance) => Value::unknown(name.as_ref(), *provenance),
            Self::Handle(handle) => Value::unknown(handle.to.shown(), handle.content.provenance),
            Self::OneOf(_) => Value::unknown("one of several", self.provenance()),
            Self::Pair(pair) => pair.1.plain(),
            Self::List(items) => match items.as_slice() {
                [only] => only.plain(),
                _ => Value::unknown("list", self.provenance()),
            },
            Self::Function(_) => Value::unknown("function", Provenance::NONE),
        }
    }

    /// The text when all of it is known.
    pub(in crate::scripts) fn known(&self) -> Option<String> {
        match self {
            Self::Text(value) => value.known().map(std::borrow::Cow::into_owned),
            Self::Number(number) => Some(number.to_string()),
            Self::Function(_)
            | Self::Handle(_)
            | Self::List(_)
            | Self::Name(..)
            | Self::OneOf(_)
            | Self::Pair(_) => None,
        }
    }

    pub(in crate::scripts) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(value) => value.known().and_then(|text| text.trim().parse().ok()),
            Self::Function(_)
            | Self::Handle(_)
            | Self::List(_)
            | Self::Name(..)
            | Self::OneOf(_)
            | Self::Pair(_) => None,
        }
    }

    /// Where its data came from. Lists are looked at one level deep, so that shared nesting stays cheap.
    pub(in crate::scripts) fn provenance(&self) -> Provenance {
        match self {
            Self::List(items) => {
                items.iter().take(LIST_MOST).fold(Provenance::NONE, |all, item| all | item.own_provenance())
            }
            Self::Function(_)
            | Self::Handle(_)
            | Self::Name(..)
            | Self::Number(_)
            | Self::OneOf(_)
            | Self::Pair(_)
            | Self::Text(_) => self.own_provenance(),
        }
    }

    fn own_provenance(&self) -> Provenance {
        match self {
            Self::Text(value) => value.provenance,
            Self::Name(_, provenance) => *provenance,
            Self::Handle(handle) => handle.content.provenance,
            Self::Pair(pair) => match &pair.1 {
                Self::Text(value) => value.provenance,
                Self::Name(_, provenance) => *provenance,
                Self::Function(_)
                | Self::Handle(_)
                | Self::List(_)
                | Self::Number(_)
                | Self::OneOf(_)
                | Self::Pair(_) => Provenance::NONE,
            },
            Self::OneOf(all) => all.iter().fold(Provenance::NONE, |origin, one| origin | one.provenance()),
            Self::Function(_) | Self::List(_) | Self::Number(_) => Provenance::NONE,
        }
    }

    /// The items of a list; anything else is a list of itself.
    pub(in crate::scripts) fn items(&self) -> Vec<Self> {
        match self {
            Self::List(items) => items.iter().take(LIST_MOST).cloned().collect(),
            Self::OneOf(all) => all.iter().flat_map(Self::items).take(LIST_MOST).collect(),
            Self::Function(_)
            | Self::Handle(_)
            | Self::Name(..)
            | Self::Number(_)
            | Self::Pair(_)
            | Self::Text(_) => {
                vec![self.clone()]
            }
        }
    }

    /// The value that a map or a list of options has for one of `keys`.
    pub(in crate::scripts) fn keyed(&self, keys: &[&str]) -> Option<Self> {
        match self {
            Self::Pair(pair) => keys.contains(&pair.0.as_str()).then(|| pair.1.clone()),
            Self::List(items) => items.iter().take(LIST_MOST).find_map(|item| match item {
                Self::Pair(pair) if keys.contains(&pair.0.as_str()) => Some(pair.1.clone()),
                Self::Pair(_)
                | Self::Function(_)
                | Self::Handle(_)
                | Self::List(_)
                | Self::Name(..)
                | Self::Number(_)
                | Self::OneOf(_)
                | Self::Text(_) => None,
            }),
            Self::OneOf(all) => {
                all.iter().filter_map(|one| one.keyed(keys)).reduce(|one, other| one.either(&other))
            }
            Self::Function(_) | Self::Handle(_) | Self::Name(..) | Self::Number(_) | Self::Text(_) => None,
        }
    }

    /// Whether it is an option rather than an operand: a pair, or a map.
    pub(in crate::scripts) fn is_options(&self) -> bool {
        match self {
            Self::OneOf(all) => all.iter().any(Self::is_options),
            Self::Pair(_) => true,
            Self::List(items) => items.iter().any(|item| matches!(item, Self::Pair(_))),
            Self::Function(_) | Self::Handle(_) | Self::Name(..) | Self::Number(_) | Self::Text(_) => false,
        }
    }
}

/// How many items of a list are looked at.
pub(super) const LIST_MOST: usize = 4096;
/// What a piece costs beside its text.
const PIECE_SIZE: usize = 64;
/// How long a text may grow by joining; what is longer is unknown.
pub(super) const TEXT_MOST: usize = 1 << 16;

/// How many bytes a value takes, roughly.
pub(super) fn size(value: &Value) -> usize {
    let length = |piece: &Piece| match piece {
        Piece::Literal(text) | Piece::Glob(text) => text.len(),
        Piece::Hole(hole) => hole.shown.len() + PIECE_SIZE,
    };
    value.pieces.iter().map(length).sum()
}
