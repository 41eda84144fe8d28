//! What names stand for while a program is followed.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::ast;
use crate::span::Span;
use crate::value::{Hole, Piece, Provenance, Value};

/// How many objects are told apart where it is not known which one it is.
pub(in crate::python) const MAX_CHOICES: usize = 12;

/// The same for what may be called.
const MAX_CALLABLE: usize = 64;

/// How those read that are not told apart.
const MANY: &str = "one of many";
const MANY_FUNCTIONS: &str = "one of many functions";

/// How many characters are shown of something unknown.
const SHOWN: usize = 60;

/// An object, as far as it is known.
///
/// What can change or hold others lives in the [`Heap`], so cloning is cheap and no object is ever nested deeply.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::python) enum Object {
    Bool(bool),
    Bytes(Rc<[u8]>, Provenance),
    /// A class of the program.
    Class(Id),
    Dict(Id),
    Function(Id),
    /// An object of a class of the program.
    Instance(Id),
    Int(i64),
    /// Something of the standard library or another module, by its full name: `os`, `os.system`.
    Library(Rc<str>),
    /// Also sets and generators.
    List(Id),
    /// A method together with its object.
    Method(Rc<(Object, Rc<str>)>),
    None,
    /// One of these; which, is not known.
    OneOf(Rc<[Object]>),
    Partial(Id),
    /// A `pathlib` path.
    Path(Rc<Value>),
    Text(Rc<Value>),
    /// An object of a class of a library: a file, a socket, a response.
    Thing(Id),
    Tuple(Id),
    Unknown(Rc<Unknown>),
}

/// A place in the [`Heap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::python) struct Id(usize);

/// Something of which only this is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::python) struct Unknown {
    /// How it reads in the source.
    pub(in crate::python) shown: String,
    pub(in crate::python) provenance: Provenance,
    pub(in crate::python) found: Found,
}

/// How something unknown was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::python) enum Found {
    /// It was made, read or given.
    Given,
    /// It was looked up among modules by a name that is not known.
    Module,
    /// It was looked up elsewhere by a name that is not known.
    Named,
}

/// A function of the program and the names that it sees.
#[derive(Clone, Debug)]
pub(in crate::python) struct Closure {
    pub(in crate::python) function: Rc<ast::Function>,
    pub(in crate::python) scope: Id,
    pub(in crate::python) defaults: Vec<Option<Object>>,
    /// How often it was followed.
    pub(in crate::python) follows: u32,
    /// Whether the program names it, or made it where it stands.
    pub(in crate::python) is_mentioned: bool,
}

/// The arguments of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::python) struct Arguments {
    pub(in crate::python) plain: Vec<Object>,
    pub(in crate::python) named: Vec<(Rc<str>, Object)>,
    /// Whether more follow that are not known (`*args`, `**options`).
    pub(in crate::python) open: bool,
}

impl Arguments {
    pub(in crate::python) fn of(plain: Vec<Object>) -> Self {
        Self { plain, named: Vec::new(), open: false }
    }

    /// The arguments for each that one of them may be, where one may be several and together they are not too many. What may be called
    /// is left to who calls it.
    pub(super) fn ways(&self) -> Option<Vec<Self>> {
        let forks =
            |object: &Object| object.choices().len() > 1 && !object.choices().iter().any(Object::is_callable);
        if !self.plain.iter().any(forks) {
            return None;
        }
        let mut ways = vec![Self { plain: Vec::new(), ..self.clone() }];
        for object in &self.plain {
            let choices: Vec<&Object> =
                if forks(object) { object.real_choices().collect() } else { vec![object] };
            if ways.len() * choices.len() > MAX_CHOICES {
                return None;
            }
            let longer = |way: &Self, choice: &Object| {
                let plain = way.plain.iter().chain([choice]).cloned().collect();
                Self { plain, ..way.clone() }
            };
            ways =
                ways.iter().flat_map(|way| choices.iter().map(move |choice| longer(way, choice))).collect();
        }
        Some(ways)
    }

    /// The argument called `name`.
    pub(in crate::python) fn named(&self, name: &str) -> Option<&Object> {
        self.named.iter().rev().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }

    /// The argument at a place, or by its name.
    pub(in crate::python) fn get(&self, place: usize, name: &str) -> Option<&Object> {
        self.plain.get(place).or_else(|| self.named(name))
    }

    /// All of them, in order.
    pub(in crate::python) fn all(&self) -> impl Iterator<Item = &Object> {
        self.plain.iter().chain(self.named.iter().map(|(_, value)| value))
    }
}

/// An object of a library's class.
#[derive(Clone, Debug)]
pub(in crate::python) struct Thing {
    /// The class: `file`, `socket.socket`, `response`.
    pub(in crate::python) class: Rc<str>,
    /// What it is about: a path, an address, what a process printed.
    pub(in crate::python) about: Value,
    /// What reading from it gives.
    pub(in crate::python) content: Object,
    pub(in crate::python) provenance: Provenance,
    pub(in crate::python) access: Access,
    pub(in crate::python) fields: Vec<(Rc<str>, Object)>,
    /// Where it was made.
    pub(in crate::python) span: Span,
}

/// What an open file is for, and what has happened to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::python) enum Access {
    /// Opened to be added to.
    Append,
    /// Opened to be changed in place.
    Edit,
    /// Only read, or not a file.
    Read,
    /// Opened to be replaced, nothing written yet.
    Replace,
    /// Something was written after replacing.
    Written,
}

/// A class of the program.
#[derive(Clone, Debug)]
pub(in crate::python) struct Class {
    pub(in crate::python) bases: Vec<Object>,
    pub(in crate::python) members: HashMap<Rc<str>, Object>,
    pub(in crate::python) used: Used,
    /// The object of it that was made last.
    pub(in crate::python) made: Option<Object>,
}

impl Class {
    pub(in crate::python) fn new(bases: Vec<Object>, members: HashMap<Rc<str>, Object>) -> Self {
        Self { bases, members, used: Used::No, made: None }
    }
}

/// How far a class gets around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::python) enum Used {
    /// It is only defined.
    No,
    /// The program names it.
    Mentioned,
    /// It, or an object of it, was given to something that is not known.
    Given,
}

/// Names and what they stand for.
#[derive(Clone, Debug, Default)]
pub(in crate::python) struct Scope {
    pub(in crate::python) names: HashMap<Rc<str>, Object>,
    pub(in crate::python) parent: Option<Id>,
    /// Names that belong to an outer scope.
    pub(in crate::python) outer: Vec<Rc<str>>,
}

#[derive(Debug)]
enum Cell {
    Class(Class),
    Dict(Vec<(Object, Object)>),
    Function(Closure),
    Instance(Object, HashMap<Rc<str>, Object>),
    /// Also tuples.
    List(Vec<Object>),
    Partial(Object, Arguments),
    Scope(Scope),
    Thing(Thing),
}

impl Cell {
    fn forget_numbers(&mut self) -> bool {
        match self {
            Self::Dict(entries) => forget_all(entries.iter_mut().map(|(_, value)| value)),
            Self::Instance(_, fields) => forget_all(fields.values_mut()),
            Self::List(items) => forget_all(items.iter_mut()),
            Self::Scope(scope) => forget_all(scope.names.values_mut()),
            Self::Class(class) => forget_all(class.members.values_mut()),
            Self::Function(_) | Self::Partial(..) | Self::Thing(_) => false,
        }
    }
}

fn forget_all<'o>(objects: impl Iterator<Item = &'o mut Object>) -> bool {
    let mut any = false;
    for object in objects.filter(|object| matches!(object, Object::Int(_) | Object::Bool(_))) {
        *object = Object::unknown("a number", Provenance::NONE);
        any = true;
    }
    any
}

/// A point in the life of a [`Heap`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    cells: usize,
    changed: usize,
}

/// Everything that can change. Nothing is freed before the program has been followed, so cycles do no harm.
#[derive(Debug, Default)]
pub(in crate::python) struct Heap {
    cells: Vec<Cell>,
    /// What was changed, in order.
    changed: Vec<Id>,
    /// The classes among them, in order.
    classes: Vec<Id>,
    /// The functions among them, in order.
    functions: Vec<Id>,
}

impl Heap {
    fn add(&mut self, cell: Cell) -> Id {
        self.cells.push(cell);
        Id(self.cells.len() - 1)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { cells: self.cells.len(), changed: self.changed.len() }
    }

    /// How many changes there were since a point.
    pub(super) fn changes_since(&self, mark: Mark) -> usize {
        self.changed.len() - mark.changed
    }

    /// Forgets the numbers in what was there at a point and has been changed since, but for one scope. Whether there were any.
    pub(super) fn forget_numbers(&mut self, since: Mark, but: Id) -> bool {
        let mut changed: Vec<Id> = self.changed.get(since.changed..).unwrap_or_default().to_vec();
        changed.retain(|id| id.0 < since.cells && *id != but);
        changed.sort_unstable();
        changed.dedup();
        let mut any = false;
        for id in changed {
            any |= self.cells.get_mut(id.0).is_some_and(Cell::forget_numbers);
        }
        any
    }

    fn cell_mut(&mut self, id: Id) -> Option<&mut Cell> {
        self.changed.push(id);
        self.cells.get_mut(id.0)
    }

    pub(in crate::python) fn list(&mut self, items: Vec<Object>) -> Object {
        Object::List(self.add(Cell::List(items)))
    }

    pub(in crate::python) fn tuple(&mut self, items: Vec<Object>) -> Object {
        Object::Tuple(self.add(Cell::List(items)))
    }

    pub(in crate::python) fn function(&mut self, closure: Closure) -> Object {
        let id = self.add(Cell::Function(closure));
        self.functions.push(id);
        Object::Function(id)
    }

    /// Every function of the program that was made, in order.
    pub(in crate::python) fn functions(&self) -> &[Id] {
        &self.functions
    }

    /// Remembers that a function is followed.
    pub(super) fn follow(&mut self, id: Id) {
        if let Some(Cell::Function(closure)) = self.cells.get_mut(id.0) {
            closure.follows = closure.follows.saturating_add(1);
        }
    }

    /// Remembers that the program names something.
    pub(super) fn mention(&mut self, object: &Object) {
        match object {
            Object::Function(id) => {
                if let Some(Cell::Function(closure)) = self.cells.get_mut(id.0) {
                    closure.is_mentioned = true;
                }
            }
            Object::Class(id) => self.use_class(*id, Used::Mentioned),
            _ => {}
        }
    }

    /// Remembers how a class is used.
    pub(super) fn use_class(&mut self, id: Id, used: Used) {
        if let Some(Cell::Class(class)) = self.cells.get_mut(id.0) {
            class.used = class.used.max(used);
        }
    }

    /// Takes back that a class was named.
    pub(super) fn set_used(&mut self, id: Id, used: Used) {
        if let Some(Cell::Class(class)) = self.cells.get_mut(id.0) {
            class.used = used;
        }
    }

    pub(in crate::python) fn partial(&mut self, called: Object, arguments: Arguments) -> Object {
        Object::Partial(self.add(Cell::Partial(called, arguments)))
    }

    pub(in crate::python) fn closure(&self, id: Id) -> Option<&Closure> {
        if let Some(Cell::Function(closure)) = self.cells.get(id.0) { Some(closure) } else { None }
    }

    pub(in crate::python) fn partial_at(&self, id: Id) -> Option<(Object, Arguments)> {
        if let Some(Cell::Partial(called, arguments)) = self.cells.get(id.0) {
            Some((called.clone(), arguments.clone()))
        } else {
            None
        }
    }

    pub(in crate::python) fn dict(&mut self, items: Vec<(Object, Object)>) -> Object {
        Object::Dict(self.add(Cell::Dict(items)))
    }

    pub(in crate::python) fn class(&mut self, class: Class) -> Id {
        let id = self.add(Cell::Class(class));
        self.classes.push(id);
        id
    }

    pub(in crate::python) fn instance(&mut self, class: Object) -> Object {
        let of = if let Object::Class(id) = &class { Some(*id) } else { None };
        let made = Object::Instance(self.add(Cell::Instance(class, HashMap::new())));
        if let Some(id) = of
            && let Some(Cell::Class(class)) = self.cells.get_mut(id.0)
        {
            class.made = Some(made.clone());
        }
        made
    }

    pub(in crate::python) fn scope(&mut self, parent: Option<Id>) -> Id {
        self.add(Cell::Scope(Scope { parent, ..Scope::default() }))
    }

    pub(in crate::python) fn thing(&mut self, thing: Thing) -> Object {
        Object::Thing(self.add(Cell::Thing(thing)))
    }

    pub(in crate::python) fn items(&self, id: Id) -> &[Object] {
        if let Some(Cell::List(items)) = self.cells.get(id.0) { items } else { &[] }
    }

    pub(in crate::python) fn items_mut(&mut self, id: Id) -> Option<&mut Vec<Object>> {
        if let Some(Cell::List(items)) = self.cell_mut(id) { Some(items) } else { None }
    }

    pub(in crate::python) fn entries(&self, id: Id) -> &[(Object, Object)] {
        if let Some(Cell::Dict(items)) = self.cells.get(id.0) { items } else { &[] }
    }

    pub(in crate::python) fn entries_mut(&mut self, id: Id) -> Option<&mut Vec<(Object, Object)>> {
        if let Some(Cell::Dict(items)) = self.cell_mut(id) { Some(items) } else { None }
    }

    pub(in crate::python) fn scope_at(&self, id: Id) -> Option<&Scope> {
        if let Some(Cell::Scope(scope)) = self.cells.get(id.0) { Some(scope) } else { None }
    }

    pub(in crate::python) fn scope_mut(&mut self, id: Id) -> Option<&mut Scope> {
        if let Some(Cell::Scope(scope)) = self.cell_mut(id) { Some(scope) } else { None }
    }

    pub(in crate::python) fn class_at(&self, id: Id) -> Option<&Class> {
        if let Some(Cell::Class(class)) = self.cells.get(id.0) { Some(class) } else { None }
    }

    pub(in crate::python) fn class_mut(&mut self, id: Id) -> Option<&mut Class> {
        if let Some(Cell::Class(class)) = self.cell_mut(id) { Some(class) } else { None }
    }

    pub(in crate::python) fn instance_at(&self, id: Id) -> Option<(&Object, &HashMap<Rc<str>, Object>)> {
        if let Some(Cell::Instance(class, fields)) = self.cells.get(id.0) {
            Some((class, fields))
        } else {
            None
        }
    }

    pub(in crate::python) fn fields_mut(&mut self, id: Id) -> Option<&mut HashMap<Rc<str>, Object>> {
        if let Some(Cell::Instance(_, fields)) = self.cell_mut(id) { Some(fields) } else { None }
    }

    pub(in crate::python) fn thing_at(&self, id: Id) -> Option<&Thing> {
        if let Some(Cell::Thing(thing)) = self.cells.get(id.0) { Some(thing) } else { None }
    }

    pub(in crate::python) fn thing_mut(&mut self, id: Id) -> Option<&mut Thing> {
        if let Some(Cell::Thing(thing)) = self.cell_mut(id) { Some(thing) } else { None }
    }

    /// Every thing that was made, in order.
    pub(in crate::python) fn things(&self) -> impl Iterator<Item = &Thing> {
        self.cells.iter().filter_map(|cell| if let Cell::Thing(thing) = cell { Some(thing) } else { None })
    }

    /// Every class that was defined, in order.
    pub(in crate::python) fn classes(&self) -> &[Id] {
        &self.classes
    }
}

impl Object {
    pub(in crate::python) fn text(text: impl Into<String>) -> Self {
        Self::Text(Rc::new(Value::literal(text)))
    }

    pub(in crate::python) fn value(value: Value) -> Self {
        Self::Text(Rc::new(value))
    }

    pub(in crate::python) fn library(name: &str) -> Self {
        Self::Library(Rc::from(name))
    }

    pub(in crate::python) fn unknown(shown: &str, provenance: Provenance) -> Self {
        Self::found(shown, provenance, Found::Given)
    }

    /// Something unknown that was looked up.
    pub(in crate::python) fn found(shown: &str, provenance: Provenance, found: Found) -> Self {
        let shown = shortened(shown);
        Self::Unknown(Rc::new(Unknown { shown, provenance, found }))
    }

    /// A text that is wholly known.
    pub(in crate::python) fn known_text(&self) -> Option<String> {
        match self {
            Self::Text(value) | Self::Path(value) => value.known().map(std::borrow::Cow::into_owned),
            Self::Bytes(bytes, _) => std::str::from_utf8(bytes).ok().map(str::to_owned),
            _ => None,
        }
    }

    /// Whether it is one object, and which.
    pub(in crate::python) fn is_known(&self) -> bool {
        match self {
            Self::Text(value) | Self::Path(value) => value.known().is_some(),
            Self::OneOf(_) | Self::Unknown(_) | Self::Thing(_) => false,
            _ => true,
        }
    }

    pub(in crate::python) fn int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Bool(truth) => Some(i64::from(*truth)),
            _ => None,
        }
    }

    pub(in crate::python) fn is_library(&self, name: &str) -> bool {
        matches!(self, Self::Library(found) if &**found == name)
    }

    /// What it may be.
    pub(in crate::python) fn choices(&self) -> &[Self] {
        if let Self::OneOf(choices) = self { choices } else { std::slice::from_ref(self) }
    }

    /// What it may be when it is used: nothing is only meant where nothing else can be.
    pub(in crate::python) fn real_choices(&self) -> impl Iterator<Item = &Self> {
        let choices = self.choices();
        choices.iter().filter(move |choice| choices.len() == 1 || !matches!(choice, Self::None))
    }

    /// One or the other.
    #[expect(clippy::needless_pass_by_value, reason = "it is handed to `reduce`")]
    pub(in crate::python) fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        Self::one_of(self.choices().iter().chain(other.choices()))
    }

    /// Any of these. Where they are too many, those behind the limit are not told apart; of what may be called, more are.
    pub(super) fn one_of<'o>(all: impl Iterator<Item = &'o Self>) -> Self {
        let mut choices: Vec<Self> = Vec::new();
        let mut others: Option<Provenance> = None;
        let mut shown = MANY;
        for choice in all {
            let most = if choice.is_callable() { MAX_CALLABLE } else { MAX_CHOICES };
            if choices.len() >= most {
                others = Some(others.unwrap_or(Provenance::NONE) | choice.own_provenance());
                if choice.is_callable() || choice.is_any_function() {
                    shown = MANY_FUNCTIONS;
                }
            } else if !choices.contains(choice) {
                choices.push(choice.clone());
            }
        }
        choices.extend(others.map(|provenance| Self::unknown(shown, provenance)));
        match choices.as_slice() {
            [only] => only.clone(),
            _ => Self::OneOf(Rc::from(choices)),
        }
    }

    /// Whether it stands for functions that are not told apart.
    pub(super) fn is_any_function(&self) -> bool {
        matches!(self, Self::Unknown(unknown) if unknown.shown == MANY_FUNCTIONS)
    }

    fn is_callable(&self) -> bool {
        matches!(
            self,
            Self::Class(_)
                | Self::Function(_)
                | Self::Instance(_)
                | Self::Library(_)
                | Self::Method(_)
                | Self::Partial(_)
        )
    }

    /// Where its data came from, without that of what it holds.
    pub(super) fn own_provenance(&self) -> Provenance {
        match self {
            Self::Bytes(_, provenance) => *provenance,
            Self::Text(value) | Self::Path(value) => value.provenance,
            Self::Unknown(unknown) => unknown.provenance,
            _ => Provenance::NONE,
        }
    }
}

/// As much as is shown of something unknown.
fn shortened(shown: &str) -> String {
    let end = shown.char_indices().nth(SHOWN).map_or(shown.len(), |(at, _)| at);
    shown.get(..end).unwrap_or_default().to_owned()
}

/// A text that is not known; unlike a shell variable it is never quietly empty.
pub(in crate::python) fn hole(shown: &str, provenance: Provenance) -> Value {
    let shown = shortened(shown);
    let hole = Hole { shown, may_be_empty: false, may_split: false, ..Hole::default() };
    Value { pieces: vec![Piece::Hole(hole)], provenance }
}
