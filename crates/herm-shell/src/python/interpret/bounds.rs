//! Where following ends, and what stands for the rest: nothing that is cut off is taken to be harmless.

use std::rc::Rc;

use super::super::ast::Function;
use super::branches::Names;
use super::object::{Mark, hole};
use super::{Arguments, Id, Interpreter, Object};
use crate::gap::{Position, Reason};
use crate::value::{Piece, Provenance, Value};

/// How often a loop is followed turn by turn.
pub(super) const MAX_TURNS: usize = 256;

/// How deep statements and expressions are followed, through all calls.
const MAX_DEPTH: u32 = 250;

/// How many steps a loop is followed turn by turn, with all loops in it.
const PATIENCE: usize = 6_000;

/// How many changes are looked through in a step.
const CHANGES: usize = 8;

/// How often a function is followed within itself before its arguments are no longer told apart.
const AGAIN: usize = 3;

/// A call that is being followed.
pub(super) struct Running {
    pub(super) id: Id,
    /// The function of the program, where it is one.
    function: Option<Rc<Function>>,
    /// What it was given, where it is being followed within itself.
    given: Arguments,
}

impl Running {
    /// A level of its own, where no function of the program stands for it.
    pub(super) fn level(id: Id) -> Self {
        Self { id, function: None, given: Arguments::default() }
    }

    fn is(&self, function: &Rc<Function>) -> bool {
        self.function.as_ref().is_some_and(|running| Rc::ptr_eq(running, function))
    }
}

/// What was there when a loop began.
pub(super) struct Watch {
    pub(super) names: Names,
    mark: Mark,
    /// Whether no other loop is around it.
    outermost: bool,
}

impl Interpreter<'_> {
    /// Says that something could not be followed to its end.
    pub(super) fn unfollowed(&mut self, what: &str) {
        if self.speaks() {
            self.sink.gap(Position::Whole, Reason::Depth, what);
        }
    }

    /// Whether so many calls are being followed within each other that no further one is; then it is said.
    pub(super) fn is_too_deep(&mut self, most: usize) -> bool {
        let is_too_deep = self.running.len() >= most;
        if is_too_deep {
            self.unfollowed("calls within calls");
        }
        is_too_deep
    }

    /// The same for statements and expressions.
    pub(super) fn is_too_nested(&mut self) -> bool {
        let is_too_nested = self.depth >= MAX_DEPTH;
        if is_too_nested {
            self.unfollowed("code within code");
        }
        is_too_nested
    }

    /// Begins a loop.
    pub(super) fn watch(&mut self) -> Watch {
        let outermost = self.weary_at.is_none();
        self.weary_at.get_or_insert(self.spent.saturating_add(PATIENCE));
        Watch { names: self.names(), mark: self.heap.mark(), outermost }
    }

    /// Whether loops have been followed turn by turn for long enough.
    pub(super) fn is_weary(&self) -> bool {
        self.weary_at.is_some_and(|at| self.spent >= at)
    }

    /// Ends a loop.
    pub(super) fn unwatch(&mut self, watch: &Watch) {
        if watch.outermost {
            self.weary_at = None;
        }
    }

    /// Forgets what a loop has counted, because how often it went round is not known. Whether there was anything to forget.
    pub(super) fn forget(&mut self, watch: &Watch) -> bool {
        let named = self.blur(&watch.names);
        let changes = self.heap.changes_since(watch.mark);
        let kept = self.spend(changes / CHANGES) && self.heap.forget_numbers(watch.mark, self.scope);
        named || kept
    }

    /// Takes each item in turn; where there are too many, the last turn is taken with any of the others, and where an item may
    /// stand for several, with any of those.
    pub(in crate::python) fn each(&mut self, items: Vec<Object>, turn: impl FnMut(&mut Self, Object)) {
        let watch = self.watch();
        self.each_watched(&watch, items, turn);
        self.unwatch(&watch);
    }

    pub(super) fn each_watched(
        &mut self,
        watch: &Watch,
        items: Vec<Object>,
        mut turn: impl FnMut(&mut Self, Object),
    ) {
        let several: Vec<Object> = items.iter().filter(|item| !item.is_known()).cloned().collect();
        let mut items = items.into_iter();
        for _ in 0..MAX_TURNS {
            if self.is_weary() || !self.spend(1) {
                break;
            }
            let Some(item) = items.next() else { break };
            turn(self, item);
        }
        let others = items.as_slice();
        if !others.is_empty() && self.spend(others.len() / 4) {
            let any = any_of(others);
            self.forget(watch);
            turn(self, any);
        } else if !several.is_empty() && self.forget(watch) && self.spend(several.len()) {
            turn(self, any_of(&several));
        }
    }

    /// Begins to follow a function, and says with which arguments: where it is being followed already, with what stands for all further
    /// ones. Nothing where it is being followed with such.
    pub(super) fn begin(&mut self, id: Id, function: &Rc<Function>, given: Arguments) -> Option<Arguments> {
        let again = self.running.iter().filter(|running| running.is(function)).count();
        let given = if again < AGAIN { given } else { self.widened(function, given, again > AGAIN + 1)? };
        let kept = if again + 1 < AGAIN { Arguments::default() } else { given.clone() };
        self.running.push(Running { id, function: Some(Rc::clone(function)), given: kept });
        Some(given)
    }

    fn widened(&self, function: &Rc<Function>, given: Arguments, wholly: bool) -> Option<Arguments> {
        let last =
            self.running.iter().rev().find(|running| running.is(function)).map(|running| &running.given)?;
        let covered = last.open >= given.open
            && last.plain.len() == given.plain.len()
            && last.all().count() == given.all().count()
            && last.all().zip(given.all()).all(|(last, given)| covers(last, given));
        if covered {
            return None;
        }
        let widen = |(at, object): (usize, Object)| match last.plain.get(at) {
            Some(last) if !wholly => common(last, &object),
            Some(_) | None => Object::unknown("an argument", self.provenance(&object)),
        };
        let plain = given.plain.into_iter().enumerate().map(widen).collect();
        let named = given.named.into_iter().map(|(name, object)| {
            let same = last.named(&name).is_some_and(|last| *last == object);
            let wide = Object::unknown(&name, self.provenance(&object));
            (name, if same && !wholly { object } else { wide })
        });
        Some(Arguments { plain, named: named.collect(), open: given.open })
    }
}

/// Any one of these.
pub(in crate::python) fn any_of(items: &[Object]) -> Object {
    match items {
        [] => Object::None,
        [only] => only.clone(),
        [Object::Int(_), .., Object::Int(_)] if items.iter().all(|item| item.int().is_some()) => {
            Object::unknown("a number", Provenance::NONE)
        }
        _ => Object::one_of(items.iter().flat_map(Object::choices)),
    }
}

/// What stands for two objects, and those that may follow: texts that begin alike begin so.
fn common(one: &Object, other: &Object) -> Object {
    let begins = match (one, other) {
        (Object::Text(one), Object::Text(other)) => beginning(one, other).map(Object::value),
        (Object::Path(one), Object::Path(other)) => {
            beginning(one, other).map(|path| Object::Path(Rc::new(path)))
        }
        (Object::Int(_), _) | (_, Object::Int(_)) => Some(Object::unknown("a number", Provenance::NONE)),
        _ => None,
    };
    begins.filter(|_| one != other).unwrap_or_else(|| one.clone().or(other.clone()))
}

fn beginning(one: &Value, other: &Value) -> Option<Value> {
    let same = one.pieces.iter().zip(&other.pieces).take_while(|(one, other)| one == other).count();
    let pieces = one.pieces.iter().take(same).cloned().collect();
    let mut value = Value { pieces, ..Value::default() };
    if let (Some(Piece::Literal(one)), Some(Piece::Literal(other))) =
        (one.pieces.get(same), other.pieces.get(same))
    {
        value.push_str(&same_directories(one, other));
    }
    if value.pieces.is_empty() {
        return None;
    }
    value.push(&hole("the rest", one.provenance | other.provenance));
    Some(value)
}

/// The whole names at the beginning of two paths.
fn same_directories(one: &str, other: &str) -> String {
    let same =
        one.split_inclusive('/').zip(other.split_inclusive('/')).take_while(|(one, other)| one == other);
    same.map(|(name, _)| name).filter(|name| name.ends_with('/')).collect()
}

/// Whether whatever is done with one object shows what would be done with the other.
fn covers(one: &Object, other: &Object) -> bool {
    match (one, other) {
        (Object::Unknown(one), _) => one.provenance.has(other.own_provenance()),
        (Object::Text(one), Object::Text(other)) | (Object::Path(one), Object::Path(other)) => {
            one == other || begins(one, other)
        }
        _ => one == other,
    }
}

/// Whether a text is a beginning with anything after it, and the other has that beginning.
fn begins(one: &Value, other: &Value) -> bool {
    let Some((Piece::Hole(_), known)) = one.pieces.split_last() else { return false };
    !known.is_empty() && other.pieces.starts_with(known) && one.provenance.has(other.provenance)
}
