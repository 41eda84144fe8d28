//! What is left when the program has been followed: functions and methods that it names, and that nobody was seen to call.

use std::rc::Rc;

use super::super::library;
use super::escapes::anything;
use super::object::Used;
use super::{Id, Interpreter, Object};

/// How often it is looked for more: what is followed may name further functions.
const ROUNDS: usize = 4;

/// Functions of a module that Python calls by itself.
const HOOKS: &[&str] = &["__dir__", "__getattr__"];

impl Interpreter<'_> {
    /// Follows with unknown arguments what may run though no call of it was seen: functions that are named, special methods of
    /// classes that are used, and all methods of those that a library knows.
    pub(super) fn follow_rest(&mut self) {
        for _ in 0..ROUNDS {
            let functions = self.unfollowed_functions();
            let methods = self.unfollowed_methods();
            if functions.is_empty() && methods.is_empty() {
                return;
            }
            for id in functions {
                self.call_function(id, anything());
            }
            for (class, id) in methods {
                self.call_method_of(class, id);
            }
        }
    }

    fn unfollowed_functions(&mut self) -> Vec<Id> {
        let count = self.heap.functions().len();
        if !self.spend(count / 4) {
            return Vec::new();
        }
        let waits = |id: &Id| {
            self.heap.closure(*id).is_some_and(|closure| closure.follows == 0 && closure.is_mentioned)
        };
        let mut found: Vec<Id> = self.heap.functions().iter().copied().filter(waits).collect();
        for name in HOOKS {
            match self.heap.scope_at(self.globals).and_then(|scope| scope.names.get(*name)).cloned() {
                Some(Object::Function(id))
                    if self.heap.closure(id).is_some_and(|closure| closure.follows == 0) =>
                {
                    found.push(id);
                }
                Some(Object::Library(_)) => {
                    if let Some(hook) =
                        self.heap.scope_mut(self.globals).and_then(|scope| scope.names.remove(*name))
                    {
                        self.leave(&hook);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The methods, each with its class.
    fn unfollowed_methods(&mut self) -> Vec<(Id, Id)> {
        let mut found: Vec<(Id, Id)> = Vec::new();
        for class in self.heap.classes().to_vec() {
            let Some(used) =
                self.heap.class_at(class).map(|class| class.used).filter(|used| *used != Used::No)
            else {
                continue;
            };
            let lineage = self.lineage(class);
            if !self.spend(lineage.len()) {
                return found;
            }
            let runs_all = used == Used::Given || lineage.iter().any(|id| self.is_of_framework(*id));
            for id in lineage {
                let members = self.members_to_run(id, runs_all);
                found.extend(
                    members
                        .into_iter()
                        .map(|member| (class, member))
                        .filter(|(_, member)| found.iter().all(|(_, known)| known != member))
                        .collect::<Vec<_>>(),
                );
            }
        }
        found
    }

    fn members_to_run(&mut self, id: Id, runs_all: bool) -> Vec<Id> {
        let Some(class) = self.heap.class_at(id) else { return Vec::new() };
        let mut members: Vec<(Rc<str>, Object)> =
            class.members.iter().map(|(name, member)| (Rc::clone(name), member.clone())).collect();
        members.sort_by(|one, other| one.0.cmp(&other.0));
        self.spend(members.len());
        let mut found = Vec::new();
        for (name, member) in members {
            match member {
                Object::Function(function)
                    if (runs_all
                        || is_special(&name)
                        || self.attributes.contains(&name)
                        || self.is_property(function))
                        && self.heap.closure(function).is_some_and(|closure| closure.follows == 0) =>
                {
                    found.push(function);
                }
                Object::Library(ref library)
                    if is_special(&name) && library::acts(library) && !self.acted.contains_key(library) =>
                {
                    self.leave(&member);
                    self.acted.insert(Rc::clone(library), 1);
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a class builds on one that calls its methods: of a library, but for those that only describe.
    fn is_of_framework(&self, id: Id) -> bool {
        self.heap.class_at(id).is_some_and(|class| class.bases.iter().any(is_framework))
    }

    fn call_method_of(&mut self, class: Id, function: Id) {
        let made = self.heap.class_at(class).and_then(|class| class.made.clone());
        let instance = made.unwrap_or_else(|| self.heap.instance(Object::Class(class)));
        let mut arguments = anything();
        arguments.plain.push(instance);
        let result = self.call_function(function, arguments);
        // What `__reduce__` gives is a call that others make; what a lookup gives may be called.
        if let Object::Tuple(id) = &result
            && let [called, given, ..] = self.heap.items(*id).to_vec().as_slice()
            && matches!(called, Object::Library(_) | Object::Function(_) | Object::Partial(_))
        {
            let plain = self.elements(given).unwrap_or_default();
            self.invoke(called, super::Arguments::of(plain));
        } else if matches!(result, Object::Library(_)) {
            self.leave(&result);
        }
    }
}

/// `__name__` and `_name_`: what Python and its classes of values look for by name.
fn is_special(name: &str) -> bool {
    name.len() > 2 && name.starts_with('_') && name.ends_with('_')
}

fn is_framework(base: &Object) -> bool {
    const DESCRIBING: &[&str] = &[
        "abc",
        "builtins",
        "collections",
        "dataclasses",
        "enum",
        "numbers",
        "pydantic",
        "typing",
        "typing_extensions",
    ];
    const PROBLEMS: &[&str] = &["Error", "Exception", "Exit", "Interrupt", "Warning", "StopIteration"];
    match base {
        Object::Library(name) => {
            if &**name == "builtins.type" {
                return true;
            }
            let module = name.split('.').next().unwrap_or_default();
            !DESCRIBING.contains(&module) && !PROBLEMS.iter().any(|end| name.ends_with(end))
        }
        Object::Unknown(unknown) => !PROBLEMS.iter().any(|end| unknown.shown.ends_with(end)),
        _ => false,
    }
}
