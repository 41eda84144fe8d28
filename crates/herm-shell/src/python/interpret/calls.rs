//! Calls.

use std::rc::Rc;

use super::super::ast::{Body, ParameterKind};
use super::super::library;
use super::bounds::Running;
use super::{Arguments, Flow, Id, Interpreter, MAX_CALLS, Object};
use crate::span::Span;
use crate::value::Provenance;

/// What it costs to look for everything that Python may call on its own accord in one more class than the object's own.
const LOOKED_UP: usize = 8;

/// How many parameters are compared with names for a unit of work.
const COMPARED: usize = 16;

impl Interpreter<'_> {
    pub(in crate::python) fn call(&mut self, called: &Object, arguments: Arguments, span: Span) -> Object {
        if !self.spend(2) {
            return Object::unknown("a result", Provenance::NONE);
        }
        self.span = self.place(span);
        let outer = self.span;
        let result = self.dispatch(called, arguments);
        self.span = outer;
        result
    }

    /// Calls something from inside a library: no place of its own.
    pub(in crate::python) fn invoke(&mut self, called: &Object, arguments: Arguments) -> Object {
        self.dispatch(called, arguments)
    }

    fn dispatch(&mut self, called: &Object, arguments: Arguments) -> Object {
        if !arguments.all().all(|argument| self.spend_on(argument)) {
            return Object::unknown("a result", Provenance::NONE);
        }
        let given = self.given(&arguments);
        if given.is_empty() {
            return self.reach(called, arguments);
        }
        let result = self.reach(called, arguments.clone());
        self.settle(called, &given, &arguments);
        result
    }

    /// Calls what stands there, whatever it is.
    fn reach(&mut self, called: &Object, arguments: Arguments) -> Object {
        match called {
            Object::Library(name) => self.call_library(name, &arguments),
            Object::Function(id) => self.call_function(*id, arguments),
            Object::Class(id) => self.construct(*id, &arguments),
            Object::Method(method) => self.call_method(&method.0, &method.1, &arguments),
            Object::Instance(_) => self
                .call_member(called, "__call__", arguments)
                .unwrap_or_else(|| Object::unknown("a result", Provenance::NONE)),
            Object::Partial(id) => match self.heap.partial_at(*id) {
                Some((inner, mut first)) if !self.is_too_deep(MAX_CALLS) => {
                    first.plain.extend(arguments.plain);
                    first.named.extend(arguments.named);
                    self.nested(|this| this.dispatch(&inner, first))
                }
                Some(_) | None => Object::unknown("a result", Provenance::NONE),
            },
            Object::OneOf(choices) => {
                let results: Vec<Object> =
                    choices.iter().map(|choice| self.dispatch(choice, arguments.clone())).collect();
                results.into_iter().reduce(Object::or).unwrap_or(Object::None)
            }
            Object::Thing(id) => self.call_thing(*id, "__call__", &arguments),
            Object::Bool(_)
            | Object::Bytes(..)
            | Object::Dict(_)
            | Object::Int(_)
            | Object::List(_)
            | Object::None
            | Object::Path(_)
            | Object::Text(_)
            | Object::Tuple(_)
            | Object::Unknown(_) => self.call_unknown(called, &arguments),
        }
    }

    /// Goes one level down where no function of the program stands for the level.
    fn nested<T>(&mut self, follow: impl FnOnce(&mut Self) -> T) -> T {
        self.running.push(Running::level(self.globals));
        let result = follow(self);
        self.running.pop();
        result
    }

    /// A function of a library is called that a setting names.
    pub(in crate::python) fn call_named(&mut self, name: &str, arguments: &Arguments) -> Object {
        self.call(&Object::library(name), arguments.clone(), self.span)
    }

    /// Calls a function of a library, once for each that its arguments may be.
    pub(super) fn call_library(&mut self, name: &Rc<str>, arguments: &Arguments) -> Object {
        let ways = arguments.ways().filter(|ways| self.spend(ways.len()));
        let Some(ways) = ways else { return self.call_library_with(name, arguments) };
        let results = ways.iter().map(|way| self.call_library_with(name, way));
        results.reduce(Object::or).unwrap_or(Object::None)
    }

    fn call_library_with(&mut self, name: &Rc<str>, arguments: &Arguments) -> Object {
        if library::acts(name) {
            *self.acted.entry(Rc::clone(name)).or_default() += 1;
        }
        if self.is_too_deep(2 * MAX_CALLS + 1) {
            return Object::unknown("a result", Provenance::NONE);
        }
        self.uses_library(name);
        self.nested(|this| {
            if let Some(result) = library::call(this, name, arguments) {
                this.actions += 1;
                return result;
            }
            this.actions += 1;
            this.call_unknown(&Object::Library(Rc::clone(name)), arguments)
        })
    }

    /// Every method of a class that a framework was given.
    pub(in crate::python) fn run_methods(&mut self, id: Id) {
        let count = self.heap.class_at(id).map_or(0, |class| class.members.len());
        if !self.spend(count) {
            return;
        }
        let Some(class) = self.heap.class_at(id) else { return };
        let mut methods: Vec<(Rc<str>, Object)> =
            class.members.iter().map(|(name, member)| (Rc::clone(name), member.clone())).collect();
        methods.sort_by(|one, other| one.0.cmp(&other.0));
        let instance = self.heap.instance(Object::Class(id));
        for (_, member) in methods {
            if let Object::Function(function) = member {
                self.call_function(
                    function,
                    Arguments { plain: vec![instance.clone()], named: Vec::new(), open: true },
                );
            }
        }
    }

    pub(super) fn call_function(&mut self, id: Id, arguments: Arguments) -> Object {
        let Some(closure) = self.heap.closure(id).cloned() else { return Object::None };
        let result = |provenance| Object::unknown(&format!("{}()", closure.function.name), provenance);
        let provenance = self.provenance_of(&arguments);
        if !self.spend(2) || self.is_too_deep(MAX_CALLS) {
            return result(provenance);
        }
        self.heap.follow(id);
        let Some(arguments) = self.begin(id, &closure.function, arguments) else { return result(provenance) };
        let scope = self.heap.scope(Some(closure.scope));
        let outer = (
            std::mem::replace(&mut self.scope, scope),
            self.returned.take(),
            std::mem::take(&mut self.yielded),
            self.defining.take(),
        );
        self.bind_parameters(&closure, arguments);
        let result = match &closure.function.body {
            Body::Expression(value) => self.evaluate(value),
            Body::Block(body) => {
                let flow = self.block(body);
                self.result(flow)
            }
        };
        self.running.pop();
        (self.scope, self.returned, self.yielded, self.defining) = outer;
        result
    }

    fn result(&mut self, flow: Flow) -> Object {
        if !self.yielded.is_empty() {
            let items = std::mem::take(&mut self.yielded);
            return self.heap.list(items);
        }
        match (self.returned.take(), flow) {
            (Some(object), _) => object,
            (None, Flow::Leave | Flow::Next) => Object::None,
        }
    }

    fn bind_parameters(&mut self, closure: &super::object::Closure, arguments: Arguments) {
        let open = arguments.open;
        let mut plain = arguments.plain.into_iter();
        let mut named = arguments.named;
        if !self.spend(named.len().saturating_mul(closure.defaults.len()) / COMPARED) {
            return;
        }
        for (parameter, default) in closure.function.parameters.iter().zip(&closure.defaults) {
            let by_name =
                named.iter().position(|(name, _)| *name == parameter.name).map(|at| named.swap_remove(at).1);
            let object = match parameter.kind {
                ParameterKind::Rest => {
                    let rest: Vec<Object> = plain.by_ref().collect();
                    self.heap.tuple(rest)
                }
                ParameterKind::Keywords => {
                    let rest = named.drain(..).map(|(name, value)| (Object::text(&*name), value)).collect();
                    self.heap.dict(rest)
                }
                ParameterKind::Named | ParameterKind::Plain => {
                    let next = || if parameter.kind == ParameterKind::Plain { plain.next() } else { None };
                    let given = by_name.or_else(next);
                    let is_default = given.is_none() && default.is_some();
                    let object = Self::default_of(given, default.as_ref(), &parameter.name);
                    // Where more may be given than is known, a default is only one of the values.
                    if open && is_default {
                        object.or(Object::unknown(&parameter.name, Provenance::NONE))
                    } else {
                        object
                    }
                }
            };
            self.bind(&parameter.name, object);
        }
    }

    fn default_of(given: Option<Object>, default: Option<&Object>, name: &str) -> Object {
        given.or_else(|| default.cloned()).unwrap_or_else(|| Object::unknown(name, Provenance::NONE))
    }

    /// Makes an object of a class of the program. What Python may call on its own accord is called.
    fn construct(&mut self, id: Id, arguments: &Arguments) -> Object {
        let instance = self.heap.instance(Object::Class(id));
        self.inherit_library(id, &instance, arguments);
        self.call_member(&instance, "__new__", arguments.clone());
        self.call_member(&instance, "__init__", arguments.clone());
        // Most classes have none of these, and each is looked for in all that the class builds on.
        let lineage = self.lineage(id);
        if self.spend(lineage.len().saturating_sub(1) * LOOKED_UP) {
            let has = |name: &&str| self.member_of(&lineage, name).is_some();
            let names: Vec<&str> = library::IMPLICIT_METHODS.iter().copied().filter(has).collect();
            for name in names {
                self.call_member(&instance, name, Arguments::default());
            }
        }
        instance
    }

    /// A class that builds on a library's: its object is also one of those.
    fn inherit_library(&mut self, id: Id, instance: &Object, arguments: &Arguments) {
        let bases = self.heap.class_at(id).map(|class| class.bases.clone()).unwrap_or_default();
        let builds_on = bases
            .iter()
            .any(|base| base.is_library("threading.Thread") || base.is_library("multiprocessing.Process"));
        if builds_on
            && let Object::Instance(id) = instance
            && let (Some(target), Some(fields)) =
                (arguments.named("target").cloned(), self.heap.fields_mut(*id))
        {
            fields.insert(Rc::from("_target"), target);
        }
    }

    pub(in crate::python) fn is_running(&self, object: &Object) -> bool {
        let Object::Function(id) = object else { return false };
        self.running.iter().any(|running| running.id == *id)
    }

    pub(super) fn call_method(&mut self, receiver: &Object, name: &Rc<str>, arguments: &Arguments) -> Object {
        if !self.spend_on(receiver) {
            return Object::unknown(name, Provenance::NONE);
        }
        match receiver {
            Object::Instance(_) => self.call_instance_method(receiver, name, arguments),
            Object::Thing(id) => self.call_thing(*id, name, arguments),
            Object::Text(_) | Object::Bytes(..) => self.text_method(receiver, name, arguments),
            Object::List(_) | Object::Tuple(_) | Object::Dict(_) => {
                self.collection_method(receiver, name, arguments)
            }
            Object::Path(path) => self.path_method(&Rc::clone(path), name, arguments),
            Object::Unknown(_) => {
                if receiver.is_any_function() {
                    self.unfollowed("one of many functions");
                }
                self.unknown_method(receiver, name, arguments)
            }
            Object::OneOf(choices) => {
                let results: Vec<Object> =
                    choices.iter().map(|choice| self.call_method(choice, name, arguments)).collect();
                results.into_iter().reduce(Object::or).unwrap_or(Object::None)
            }
            Object::Library(module) if is_lookup(module, name) => self.look_up(receiver, name, arguments),
            Object::Library(module) => self.call_library(&Rc::from(format!("{module}.{name}")), arguments),
            Object::Class(_) => self
                .call_member(receiver, name, arguments.clone())
                .unwrap_or_else(|| self.call_unknown(receiver, arguments)),
            Object::Bool(_)
            | Object::Function(_)
            | Object::Int(_)
            | Object::Method(_)
            | Object::None
            | Object::Partial(_) => self.call_unknown(receiver, arguments),
        }
    }

    /// A method of a module's dictionary.
    fn look_up(&mut self, module: &Object, name: &str, arguments: &Arguments) -> Object {
        match (name, arguments.plain.first()) {
            ("items", _) => library::call(self, "inspect.getmembers", &Arguments::of(vec![module.clone()]))
                .unwrap_or(Object::None),
            ("values", _) => {
                let any = self.unknown_attribute(module, "");
                self.heap.list(vec![any])
            }
            ("get" | "pop" | "setdefault" | "__getitem__", Some(key)) => self.item(module, key),
            _ => module.clone(),
        }
    }

    fn call_instance_method(&mut self, receiver: &Object, name: &Rc<str>, arguments: &Arguments) -> Object {
        if let Some(result) = self.call_member(receiver, name, arguments.clone()) {
            return result;
        }
        // Threads and processes start their `run`; servers and test cases call whatever they find.
        if matches!(&**name, "start" | "run" | "serve_forever") {
            if let Object::Instance(id) = receiver
                && let Some(target) =
                    self.heap.instance_at(*id).and_then(|(_, fields)| fields.get("_target").cloned())
            {
                return self.dispatch(&target, Arguments::default());
            }
            if let Some(result) = self.call_member(receiver, "run", Arguments::default()) {
                return result;
            }
        }
        self.call_unknown(receiver, arguments)
    }
}

/// Whether it is a method of a module's dictionary: `vars(os).get("system")`.
fn is_lookup(module: &str, name: &str) -> bool {
    matches!(name, "get" | "pop" | "setdefault" | "__getitem__" | "items" | "values" | "copy" | "keys")
        && (library::is_module(module) || matches!(module, "globals" | "sys.modules" | "__main__"))
        && !library::describes(&format!("{module}.{name}"))
}
