//! Follows a program without running it.
//!
//! Names are bound to what is known of their objects, calls of the program's own functions are followed with the
//! arguments at hand, and calls into libraries are looked up in a table. Where the way forks on something unknown,
//! both ways are followed.

mod attributes;
mod bounds;
mod branches;
mod calls;
mod collections;
mod decode;
mod emit;
mod escapes;
mod evaluate;
mod execute;
mod format;
mod handed;
mod imports;
mod methods;
mod object;
mod operators;
pub(in crate::python) mod paths;
mod processes;
mod program;
mod rest;
mod services;
mod silence;
mod text;
mod things;

pub(in crate::python) use bounds::any_of;
pub(in crate::python) use decode::{Codec, encoded as encode_object, object as decode_object};
pub(in crate::python) use object::{Access, Arguments, Class, Found, Id, MAX_CHOICES, Object, Thing};
pub(in crate::python) use paths::below;
pub(in crate::python) use processes::split_words;
pub(in crate::python) use text::any_text;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::ast::Block;
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Provenance, Value};
use object::{Heap, hole};

/// How deep calls are followed.
const MAX_CALLS: usize = 12;

/// The longest text, in bytes, that is worked out.
const MAX_TEXT: usize = 1 << 18;

/// The most pieces that a text is known by.
const MAX_PIECES: usize = 512;

/// Follows a program and says what it does.
pub(super) fn follow(body: &Block, sink: &mut dyn Sink) {
    let mut heap = Heap::default();
    let globals = heap.scope(None);
    let mut interpreter = Interpreter {
        sink,
        heap,
        scope: globals,
        globals,
        span: Span::default(),
        elsewhere: 0,
        quiet: 0,
        running: Vec::new(),
        returned: None,
        yielded: Vec::new(),
        defining: None,
        depth: 0,
        wired: false,
        connected: false,
        forks: 0,
        actions: 0,
        doubts: 0,
        temporaries: 0,
        module_directories: Vec::new(),
        exhausted: false,
        spent: 0,
        weary_at: None,
        said: HashSet::new(),
        acted: HashMap::new(),
        taken: silence::Taken::default(),
        attributes: HashSet::new(),
        replaced: HashMap::new(),
        examples: Vec::new(),
        annotations: Annotations::Evaluated,
    };
    interpreter.block(body);
    interpreter.finish();
}

/// Where a program is being followed.
pub(in crate::python) struct Interpreter<'s> {
    sink: &'s mut dyn Sink,
    pub(in crate::python) heap: Heap,
    scope: Id,
    globals: Id,
    /// Where the innermost call stands.
    span: Span,
    /// How many texts that were themselves computed enclose this one; they have no spans of their own.
    elsewhere: u32,
    /// Above zero, nothing is said: the text has been handed to its reader already.
    quiet: u32,
    /// The functions being followed, outermost first.
    running: Vec<bounds::Running>,
    /// What the innermost function may return.
    returned: Option<Object>,
    yielded: Vec<Object>,
    /// The class whose body is being followed.
    defining: Option<Id>,
    depth: u32,
    /// Whether the standard streams lead to a connection.
    pub(in crate::python) wired: bool,
    /// Whether a connection was made or awaited.
    pub(in crate::python) connected: bool,
    /// How often a process was made, and how often anything else was called: a loop that only forks is a bomb.
    pub(in crate::python) forks: u32,
    actions: u32,
    /// How many ways are being followed, one in another, that the script may not take.
    doubts: u32,
    /// How many temporary files and directories were made.
    pub(in crate::python) temporaries: u32,
    /// Where modules are looked for besides the working directory.
    module_directories: Vec<Value>,
    /// Whether there is no fuel left.
    exhausted: bool,
    /// How many steps were taken.
    spent: usize,
    /// After how many the loops are no longer followed turn by turn.
    weary_at: Option<usize>,
    /// What has been said and where: loops say the same again.
    said: HashSet<(Span, u64)>,
    /// How often those functions of libraries were called that do something.
    acted: HashMap<Rc<str>, u32>,
    /// Those that are taken without being called.
    taken: silence::Taken,
    /// The attributes that the program names, once it has classes.
    attributes: HashSet<Rc<str>>,
    /// What the program put in the place of something of a library.
    replaced: HashMap<Rc<str>, Object>,
    /// Texts of documentation with examples in them.
    pub(in crate::python) examples: Vec<Rc<str>>,
    annotations: Annotations,
}

/// What becomes of annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Annotations {
    /// They are expressions like others.
    Evaluated,
    /// They are kept as text: `from __future__ import annotations`.
    Kept,
}

/// Where a statement leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// Out of the loop or function.
    Leave,
    Next,
}

impl Interpreter<'_> {
    /// Takes a work unit; false when the rest should not be looked at.
    pub(in crate::python) fn spend(&mut self, units: usize) -> bool {
        self.spent = self.spent.saturating_add(units);
        if !self.exhausted {
            self.exhausted = self.sink.spend(u32::try_from(units).unwrap_or(u32::MAX)).is_err();
        }
        !self.exhausted
    }

    /// Takes what handling an object costs, besides looking at it: as much as a copy of it weighs, because nothing
    /// that is copied is freed before the end.
    fn spend_on(&mut self, object: &Object) -> bool {
        let length = match object {
            Object::Text(value) | Object::Path(value) => {
                let bytes: usize = value.pieces.iter().map(text::piece_length).sum();
                bytes / 16 + value.pieces.len().saturating_sub(1)
            }
            Object::Bytes(bytes, _) => bytes.len() / 16,
            Object::List(id) | Object::Tuple(id) => self.heap.items(*id).len(),
            Object::Dict(id) => self.heap.entries(*id).len() * 2,
            _ => 0,
        };
        self.spend(length)
    }

    /// What happens when the program ends.
    fn finish(&mut self) {
        self.follow_rest();
        self.mind_taken();
        self.finish_files();
        self.finish_processes();
    }

    /// Something unknown that depends on `object`.
    pub(in crate::python) fn unknown_from(&self, shown: &str, object: &Object) -> Object {
        Object::unknown(shown, self.provenance(object))
    }

    /// Where an object's data came from.
    pub(in crate::python) fn provenance(&self, object: &Object) -> Provenance {
        self.provenance_to(object, 3)
    }

    fn provenance_to(&self, object: &Object, depth: u32) -> Provenance {
        let union = |items: &[Object]| {
            let few = items.iter().take(if depth == 0 { 0 } else { 64 });
            few.fold(Provenance::NONE, |sum, item| sum | self.provenance_to(item, depth - 1))
        };
        match object {
            Object::Bytes(_, provenance) => *provenance,
            Object::Text(value) | Object::Path(value) => value.provenance,
            Object::Unknown(unknown) => unknown.provenance,
            Object::List(id) | Object::Tuple(id) => union(self.heap.items(*id)),
            Object::Dict(id) => {
                let entries = self.heap.entries(*id).iter().take(if depth == 0 { 0 } else { 64 });
                entries.fold(Provenance::NONE, |sum, (key, value)| {
                    sum | self.provenance_to(key, depth - 1) | self.provenance_to(value, depth - 1)
                })
            }
            Object::OneOf(choices) => union(choices),
            Object::Thing(id) => self.heap.thing_at(*id).map_or(Provenance::NONE, |thing| {
                let content =
                    if depth == 0 { Provenance::NONE } else { self.provenance_to(&thing.content, depth - 1) };
                thing.provenance | content
            }),
            Object::Method(method) if depth > 0 => self.provenance_to(&method.0, depth - 1),
            Object::Library(name) if &**name == "os.environ" || name.starts_with("os.environ.") => {
                Provenance::SECRET
            }
            Object::Instance(id) => self.heap.instance_at(*id).map_or(Provenance::NONE, |(_, fields)| {
                let few = fields.values().take(if depth == 0 { 0 } else { 16 });
                few.fold(Provenance::NONE, |sum, item| sum | self.provenance_to(item, depth - 1))
            }),
            Object::Bool(_)
            | Object::Class(_)
            | Object::Function(_)
            | Object::Int(_)
            | Object::Library(_)
            | Object::Method(_)
            | Object::None
            | Object::Partial(_) => Provenance::NONE,
        }
    }

    /// Where the data of a call's arguments came from.
    pub(in crate::python) fn provenance_of(&self, arguments: &Arguments) -> Provenance {
        arguments.all().fold(Provenance::NONE, |sum, object| sum | self.provenance(object))
    }

    /// Whether an object counts as true, when that is known.
    fn truth(&self, object: &Object) -> Option<bool> {
        match object {
            Object::Bool(truth) => Some(*truth),
            Object::Int(number) => Some(*number != 0),
            Object::None => Some(false),
            Object::Text(value) => value.known().map(|text| !text.is_empty()),
            Object::Bytes(bytes, _) => Some(!bytes.is_empty()),
            // Lists are filled on ways that are not always taken, so their length proves nothing.
            Object::List(_)
            | Object::Dict(_)
            | Object::Unknown(_)
            | Object::OneOf(_)
            | Object::Thing(_)
            | Object::Instance(_) => None,
            Object::Tuple(id) => Some(!self.heap.items(*id).is_empty()),
            Object::Class(_)
            | Object::Function(_)
            | Object::Library(_)
            | Object::Method(_)
            | Object::Partial(_)
            | Object::Path(_) => Some(true),
        }
    }
}

/// Joins two values.
fn joined(first: &Value, second: &Value) -> Value {
    let mut value = first.clone();
    append(&mut value, second);
    value
}

/// Adds a value at the end of another; what grows past all use is no longer known.
fn append(value: &mut Value, more: &Value) {
    value.push(more);
    let too_many = value.pieces.len() > MAX_PIECES;
    if too_many || value.pieces.iter().map(text::piece_length).sum::<usize>() > MAX_TEXT {
        *value = hole("a long text", value.provenance);
    }
}
