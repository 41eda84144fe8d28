//! Functions that call themselves, directly or through others.
//!
//! How often they do is not known, so a call of a function that is on the way already stands for all of those that may
//! follow: its arguments could be anything that they could come from, and so could every variable that its body changes. Read
//! like that once, it has nothing new to say the next time.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Function, Reader, Val};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

/// How many kinds of calls of itself a function may make, told apart by the functions that they hand on.
const KINDS_MOST: usize = 4;
/// How many items of a list are compared.
const ITEMS_MOST: usize = 32;

/// A function on the way.
#[derive(Debug)]
pub(super) struct OnTheWay {
    function: Rc<Function>,
    /// What it was called with.
    arguments: Vec<Val>,
    /// The calls of itself that were read.
    again: Vec<Again>,
    /// What these handed out.
    yielded: Vec<Val>,
}

/// What all calls of one kind have in common: where their data may come from, and the functions that they hand on.
#[derive(Clone, Debug)]
struct Again {
    origin: Provenance,
    handed: Vec<Option<Val>>,
    /// The directories that it was first called with, where they are called with something below them again.
    below: Vec<Option<String>>,
}

impl Again {
    fn covers(&self, other: &Self) -> bool {
        let alike = |(own, other): (&Option<Val>, &Option<Val>)| match (own, other) {
            (Some(own), Some(other)) => is_same(own, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        self.origin.has(other.origin)
            && self.below == other.below
            && self.handed.len() == other.handed.len()
            && self.handed.iter().zip(&other.handed).all(alike)
    }
}

impl Reader<'_> {
    /// Calls a function of the script. Parameters without an argument are unknown.
    pub(super) fn apply(&mut self, function: &Rc<Function>, arguments: &[Val]) -> Val {
        function.called.set(true);
        self.follow_call();
        if let Some(at) = self.way.iter().position(|other| is_same_function(&other.function, function)) {
            return self.apply_again(at, function, arguments);
        }
        self.way.push(OnTheWay {
            function: Rc::clone(function),
            arguments: arguments.to_vec(),
            again: Vec::new(),
            yielded: Vec::new(),
        });
        let result = self.enter(function, arguments);
        let way = self.way.pop();
        match way.filter(|way| function.generates.get() && !way.yielded.is_empty()) {
            Some(way) => Val::list(result.items().into_iter().chain(way.yielded).collect()),
            None => result,
        }
    }

    /// Calls a function that is on the way.
    fn apply_again(&mut self, at: usize, function: &Rc<Function>, arguments: &[Val]) -> Val {
        let handed = arguments.iter().map(|argument| self.to_call(argument).cloned()).collect();
        let own = arguments.iter().fold(Provenance::OUTSIDE, |all, argument| all | argument.provenance());
        let first = self.way.get(at).map(|entry| entry.arguments.as_slice()).unwrap_or_default();
        let below = arguments.iter().enumerate().map(|(index, argument)| below(first.get(index), argument));
        let again = Again { origin: own | self.ambient, handed, below: below.collect() };
        // What a generator hands out when it calls itself, the first call hands out in the end.
        let result = if function.generates.get() {
            Val::list(Vec::new())
        } else {
            Val::unknown("what it returned", again.origin)
        };
        let Some(entry) = self.way.get_mut(at) else { return result };
        if entry.again.iter().any(|earlier| earlier.covers(&again)) {
            return result;
        }
        if entry.again.len() >= KINDS_MOST {
            self.too_deep();
            return result;
        }
        entry.again.push(again.clone());
        let yielded = self.enter_as_any(function, &again);
        if let Some(entry) = self.way.get_mut(at) {
            entry.yielded.extend(yielded);
        }
        result
    }

    /// Runs the body as any of the calls, and once more with what that changes. What it hands out comes back.
    fn enter_as_any(&mut self, function: &Rc<Function>, call: &Again) -> Vec<Val> {
        let any: Vec<Val> = function
            .parameters
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let handed = call.handed.get(index).cloned().flatten();
                let below = || Some(inside(call.below.get(index)?.as_deref()?, name, call.origin));
                handed.or_else(below).unwrap_or_else(|| Val::unknown(name, call.origin))
            })
            .collect();
        let own: Vec<(String, Option<Val>)> = self
            .own_names(function)
            .into_iter()
            .map(|name| (name.clone(), self.vars.get(&name).cloned()))
            .collect();
        let mut yielded = Vec::new();
        for _ in 0..2 {
            self.spend(self.vars.len());
            let before = self.vars.clone();
            let result = self.enter(function, &any);
            self.forget_changes(&before, call.origin);
            if function.generates.get() {
                yielded = result.items();
            }
        }
        for (name, value) in own {
            match value {
                Some(value) => drop(self.vars.insert(name, value)),
                None => drop(self.vars.remove(&name)),
            }
        }
        yielded
    }

    /// The variables that each call of a function has for itself: another call leaves them as they are.
    fn own_names(&mut self, function: &Function) -> Vec<String> {
        if self.lang() != Lang::JavaScript {
            return Vec::new();
        }
        let tokens = function.tokens.get(function.start..function.end).unwrap_or_default();
        self.spend(tokens.len() / 16);
        let declared = tokens.windows(2).filter_map(|pair| match pair {
            [word, name] if matches!(word.name(), Some("const" | "let" | "var")) => name.name(),
            _ => None,
        });
        function.parameters.iter().map(String::as_str).chain(declared).map(str::to_owned).collect()
    }

    /// What a variable holds that was changed is not known: how often it is changed is not.
    fn forget_changes(&mut self, before: &HashMap<String, Val>, origin: Provenance) {
        let mut vars = std::mem::take(&mut self.vars);
        for (name, value) in &mut vars {
            let kept = before.get(name).is_some_and(|earlier| is_same(earlier, value));
            if !kept && self.to_call(value).is_none() {
                let unknown = Val::unknown(name, origin | value.provenance());
                *value = std::mem::replace(value, Val::Number(0)).either(&unknown);
            }
        }
        self.vars = vars;
    }

    /// What may be called, or holds what may be, if it is anything like that.
    fn to_call<'v>(&self, val: &'v Val) -> Option<&'v Val> {
        let is_callable = match val {
            Val::Function(_) => true,
            Val::Name(path, _) => self.is_of_the_table(path),
            Val::Handle(_) | Val::List(_) | Val::Number(_) | Val::OneOf(_) | Val::Pair(_) | Val::Text(_) => {
                false
            }
        };
        is_callable.then_some(val)
    }

    /// Whether the table lists what a path leads to, or something in the same module.
    pub(super) fn is_of_the_table(&self, path: &str) -> bool {
        let module = |path: &'static str| path.split('.').next();
        let own = self.plain_path(path).split('.').next();
        self.language.calls.iter().any(|(listed, ..)| module(listed) == own)
    }
}

/// The directory that a function was first called with, if it is called with something below it again.
fn below(first: Option<&Val>, again: &Val) -> Option<String> {
    let directory = first?.known().filter(|directory| !directory.is_empty())?;
    let Val::Text(path) = again else { return None };
    let below = format!("{}/", directory.trim_end_matches('/'));
    path.known_prefix().starts_with(&below).then_some(below)
}

/// Something below a directory.
fn inside(directory: &str, name: &str, origin: Provenance) -> Val {
    let mut path = Value::literal(directory);
    path.push(&Value::unknown(name, origin));
    Val::value(path)
}

/// Whether two functions have the same body.
fn is_same_function(one: &Rc<Function>, other: &Rc<Function>) -> bool {
    Rc::ptr_eq(one, other) || Rc::ptr_eq(&one.tokens, &other.tokens) && one.start == other.start
}

pub(super) fn is_same(one: &Val, other: &Val) -> bool {
    match (one, other) {
        (Val::Function(one), Val::Function(other)) => is_same_function(one, other),
        (Val::Handle(one), Val::Handle(other)) => one.kind == other.kind && one.to == other.to,
        (Val::List(one), Val::List(other)) => {
            let short = one.len() == other.len() && one.len() <= ITEMS_MOST;
            Rc::ptr_eq(one, other)
                || short && one.iter().zip(other.iter()).all(|(one, other)| is_same_item(one, other))
        }
        _ => is_same_item(one, other),
    }
}

/// The same for what stands in a list. Lists in lists count as changed, so that nothing is compared over and over.
fn is_same_item(one: &Val, other: &Val) -> bool {
    match (one, other) {
        (Val::Name(one, origin), Val::Name(other, other_origin)) => one == other && origin == other_origin,
        (Val::Number(one), Val::Number(other)) => one == other,
        (Val::Pair(one), Val::Pair(other)) => Rc::ptr_eq(one, other),
        (Val::Text(one), Val::Text(other)) => one == other,
        (Val::Function(one), Val::Function(other)) => is_same_function(one, other),
        (Val::List(one), Val::List(other)) => Rc::ptr_eq(one, other),
        (Val::OneOf(one), Val::OneOf(other)) => {
            Rc::ptr_eq(one, other)
                || one.len() == other.len()
                    && one.iter().zip(other.iter()).all(|(one, other)| is_plainly_same(one, other))
        }
        _ => false,
    }
}

/// The same for two of several, which hold no other forks.
fn is_plainly_same(one: &Val, other: &Val) -> bool {
    !matches!((one, other), (Val::OneOf(_), Val::OneOf(_))) && is_same_item(one, other)
}
