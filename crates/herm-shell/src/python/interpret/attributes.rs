//! Attributes: of modules, of the program's classes and objects, of things.

use std::rc::Rc;

use super::super::library;
use super::{Arguments, Found, Id, Interpreter, Object};
use crate::effect::{Flags, Verb};
use crate::value::{Provenance, Value};

/// How many classes are looked at for a member.
const MAX_LINEAGE: usize = 32;

impl Interpreter<'_> {
    pub(in crate::python) fn attribute(&mut self, object: &Object, name: &Rc<str>) -> Object {
        if let Some(found) = special(object, name) {
            return found;
        }
        if !self.heap.classes().is_empty() {
            self.attributes.insert(Rc::clone(name));
        }
        if let Object::Library(module) = object
            && let Some(put) = self.replacement(module, name)
        {
            return put;
        }
        match object {
            Object::Library(module) => Self::library_attribute(module, name),
            Object::OneOf(choices) => {
                let found: Vec<Object> = choices.iter().map(|choice| self.attribute(choice, name)).collect();
                found.into_iter().reduce(Object::or).unwrap_or(Object::None)
            }
            Object::Instance(id) => self.instance_attribute(*id, name),
            Object::Class(id) => self
                .class_attribute(*id, name)
                .or_else(|| self.made_attribute(*id, name))
                .unwrap_or_else(|| Object::unknown(name, Provenance::NONE)),
            Object::Thing(id) => self.thing_attribute(*id, name),
            Object::Path(path) => self.path_attribute(path, name),
            Object::Bool(_)
            | Object::Bytes(..)
            | Object::Dict(_)
            | Object::Function(_)
            | Object::Int(_)
            | Object::List(_)
            | Object::None
            | Object::Partial(_)
            | Object::Text(_)
            | Object::Tuple(_)
            | Object::Unknown(_) => Object::Method(Rc::new((object.clone(), Rc::clone(name)))),
            Object::Method(method) => {
                // `unknown.a.b` is as unknown as `unknown`; only one name is kept, so that chains stay short.
                let receiver = self.method_value(&method.0, &method.1);
                Object::Method(Rc::new((receiver, Rc::clone(name))))
            }
        }
    }

    /// What the program itself put in the place of something of a library.
    fn replacement(&self, module: &str, name: &str) -> Option<Object> {
        if self.replaced.is_empty() {
            return None;
        }
        self.replaced.get(&*format!("{module}.{name}")).cloned()
    }

    /// A method that is used as a value: what is known of it is what is known of its object.
    pub(super) fn method_value(&mut self, receiver: &Object, name: &str) -> Object {
        if let Object::Thing(id) = receiver
            && self.is_client(*id)
        {
            return self.client_noun(*id, name);
        }
        let provenance = self.provenance(receiver);
        let shown = match receiver {
            Object::Unknown(unknown) => format!("{}.{name}", unknown.shown),
            Object::Thing(id) => {
                format!("{}.{name}", self.heap.thing_at(*id).map_or("", |thing| &thing.class))
            }
            other => format!("{}.{name}", self.text_of(other).shown()),
        };
        Object::unknown(&shown, provenance)
    }

    fn library_attribute(module: &Rc<str>, name: &str) -> Object {
        if let Some(found) = Self::constant(module, name) {
            return found;
        }
        if module.contains("Path") && matches!(name, "parent") {
            return Object::library(module);
        }
        // Modules see the modules that they import themselves: `shutil.os.system`, `random._os.system`.
        if let Some(core) = library::core_module(module, name) {
            return Object::Library(library::canonical(core));
        }
        Object::Library(library::canonical(&format!("{module}.{name}")))
    }

    fn constant(module: &str, name: &str) -> Option<Object> {
        if let Some(text) = library::constant_text(module, name) {
            return Some(Object::text(text));
        }
        if let Some(number) = library::constant_number(module, name) {
            return Some(Object::Int(number));
        }
        Some(match (module, name) {
            ("sys", "argv") => Object::unknown("sys.argv", Provenance::NONE),
            ("os" | "sys", "name" | "platform") => Object::unknown("the platform", Provenance::NONE),
            ("os", "environb") => Object::library("os.environ"),
            _ => return None,
        })
    }

    fn instance_attribute(&mut self, id: Id, name: &Rc<str>) -> Object {
        let Some((class, fields)) = self.heap.instance_at(id) else { return Object::None };
        if let Some(field) = fields.get(name) {
            return field.clone();
        }
        let class = class.clone();
        let member =
            if let Object::Class(class) = &class { self.class_attribute(*class, name) } else { None };
        match member {
            Some(Object::Function(function)) if self.is_property(function) => {
                self.call_function(function, Arguments::of(vec![Object::Instance(id)]))
            }
            None if self.looks_up(&class, name) => {
                let given = Arguments::of(vec![Object::text(&**name)]);
                self.call_member(&Object::Instance(id), "__getattr__", given).unwrap_or(Object::None)
            }
            Some(Object::Function(_)) | None => {
                Object::Method(Rc::new((Object::Instance(id), Rc::clone(name))))
            }
            Some(other) => {
                let given = Arguments::of(vec![Object::Instance(id), class]);
                self.call_member(&other, "__get__", given).unwrap_or(other)
            }
        }
    }

    /// Whether a class has a function for attributes that are not there, and it is not being asked already.
    fn looks_up(&self, class: &Object, name: &str) -> bool {
        let Object::Class(id) = class else { return false };
        let found = if name.starts_with("__") { None } else { self.class_attribute(*id, "__getattr__") };
        found.is_some_and(|found| !self.is_running(&found))
    }

    pub(super) fn is_property(&self, function: Id) -> bool {
        self.heap.closure(function).is_some_and(|closure| {
            closure.function.decorators.iter().any(|decorator| {
                matches!(&decorator.kind, super::super::ast::Node::Name(name) if matches!(&**name, "property" | "cached_property"))
            })
        })
    }

    /// A member of a class or of the classes that it builds on.
    pub(super) fn class_attribute(&self, id: Id, name: &str) -> Option<Object> {
        self.member_of(&self.lineage(id), name).cloned()
    }

    /// The classes that a class builds on, itself first: those that have members at all.
    pub(super) fn lineage(&self, id: Id) -> Vec<Id> {
        self.ancestry(id).0
    }

    /// Whether a class builds on more classes than are looked through.
    pub(super) fn is_too_derived(&self, id: Id) -> bool {
        !self.ancestry(id).1
    }

    /// The classes that are looked through, and whether those are all.
    fn ancestry(&self, id: Id) -> (Vec<Id>, bool) {
        let mut waiting = vec![id];
        let mut found = Vec::new();
        for _ in 0..MAX_LINEAGE {
            let Some(id) = waiting.pop() else { break };
            let Some(class) = self.heap.class_at(id) else { break };
            if !class.members.is_empty() {
                found.push(id);
            }
            let bases = class.bases.iter().rev();
            waiting
                .extend(bases.filter_map(|base| if let Object::Class(id) = base { Some(*id) } else { None }));
        }
        (found, waiting.is_empty())
    }

    /// A member of the first of these classes that has one of this name.
    pub(super) fn member_of(&self, lineage: &[Id], name: &str) -> Option<&Object> {
        lineage.iter().find_map(|id| self.heap.class_at(*id)?.members.get(name))
    }

    pub(in crate::python) fn set_attribute(&mut self, object: &Object, name: &Rc<str>, value: Object) {
        if &**name == "__doc__" {
            self.keep_examples(&value);
        }
        match object {
            Object::Instance(id) => {
                let given = Arguments::of(vec![Object::text(&**name), value.clone()]);
                self.call_member(object, "__setattr__", given);
                if let Some(fields) = self.heap.fields_mut(*id) {
                    fields.insert(Rc::clone(name), value);
                }
            }
            Object::Class(id) => {
                if let Some(class) = self.heap.class_mut(*id) {
                    class.members.insert(Rc::clone(name), value);
                }
            }
            Object::Thing(id) => {
                self.leave(&value);
                self.clean_up_elsewhere(*id, &value);
                if let Some(thing) = self.heap.thing_mut(*id) {
                    thing.fields.push((Rc::clone(name), value));
                }
            }
            // A name of the program, or one that every program has.
            Object::Library(module) if matches!(&**module, "__main__" | "builtins") => {
                if &**module == "builtins" {
                    self.leave(&value);
                }
                let globals = self.globals;
                if let Some(scope) = self.heap.scope_mut(globals) {
                    scope.names.insert(Rc::clone(name), value);
                }
            }
            Object::Library(module) if &**module == "sys" && name.starts_with("std") => {
                self.call_member(&value, "write", Arguments::of(vec![Object::text("")]));
                self.leave(&value);
            }
            // `sys.excepthook`, `os.listdir`: whoever calls it calls what was put there.
            Object::Library(module) => {
                self.leave(&value);
                self.replaced.insert(Rc::from(format!("{module}.{name}")), value);
            }
            // Such an object is the path of a temporary directory.
            Object::Text(_) | Object::Path(_) if &**name == "name" => self.clean_up(&value),
            _ => self.leave(&value),
        }
    }

    /// A temporary directory that is given another name deletes what stands there.
    fn clean_up_elsewhere(&mut self, id: Id, value: &Object) {
        if self.heap.thing_at(id).is_some_and(|thing| &*thing.class == "temporary") {
            self.clean_up(value);
        }
    }

    fn clean_up(&mut self, value: &Object) {
        if matches!(value, Object::Text(_) | Object::Path(_) | Object::Unknown(_)) {
            let path = self.text_of(value);
            self.path(Verb::Delete, &path, Flags::RECURSIVE);
        }
    }

    /// Calls a member of an object or class of the program, if it has one.
    pub(super) fn call_member(
        &mut self,
        object: &Object,
        name: &str,
        arguments: Arguments,
    ) -> Option<Object> {
        let class = match object {
            Object::Class(id) => *id,
            Object::Instance(id) => match self.heap.instance_at(*id)?.0 {
                Object::Class(id) => *id,
                _ => return None,
            },
            _ => return None,
        };
        let function = match self.class_attribute(class, name)? {
            Object::Function(function) => function,
            // Such a member does not get the object.
            member @ (Object::Library(_) | Object::Partial(_)) => {
                return Some(self.invoke(&member, arguments));
            }
            _ => return None,
        };
        let mut all = vec![object.clone()];
        all.extend(arguments.plain);
        Some(self.call_function(function, Arguments { plain: all, ..arguments }))
    }

    /// `getattr(object, name)` and everything that amounts to it.
    pub(in crate::python) fn attribute_named(&mut self, object: &Object, name: &Object) -> Object {
        let beginning = super::escapes::beginning(name);
        let names: Vec<Option<String>> = name.choices().iter().map(Object::known_text).collect();
        let found = names.into_iter().map(|name| match name {
            Some(name) => {
                name.split('.').fold(object.clone(), |object, name| self.attribute(&object, &Rc::from(name)))
            }
            None => self.unknown_attribute(object, &beginning),
        });
        let found: Vec<Object> = found.collect();
        found.into_iter().reduce(Object::or).unwrap_or(Object::None)
    }

    /// An attribute of which only the beginning of the name is known. Of a dangerous module it may be the most dangerous one, of an object
    /// of the program any method.
    pub(in crate::python) fn unknown_attribute(&mut self, object: &Object, beginning: &str) -> Object {
        let provenance = self.provenance(object);
        match object {
            Object::Library(module) => match &**module {
                "os" | "subprocess" => Object::library("os.system"),
                "shutil" => Object::library("shutil.rmtree"),
                "builtins" => Object::library("builtins.exec"),
                "__main__" | "globals" => self.unknown_global(beginning),
                "sys.modules" => super::escapes::looked_up(object, "a module", provenance),
                module if library::is_module(module) => {
                    super::escapes::looked_up(object, &format!("an attribute of {module}"), provenance)
                }
                _ => self.unknown_from("an attribute", object),
            },
            Object::Class(_) | Object::Instance(_) => self.unknown_member(object, beginning),
            Object::Unknown(_) => super::escapes::looked_up(object, "an attribute", provenance),
            other => self.unknown_from("an attribute", other),
        }
    }

    /// Any member of an object of the program whose name begins so.
    fn unknown_member(&mut self, object: &Object, beginning: &str) -> Object {
        let Some(class) = self.class_of(object) else { return self.unknown_from("an attribute", object) };
        let lineage = self.lineage(class);
        let mut names: Vec<Rc<str>> = Vec::new();
        for id in lineage {
            let members = self.heap.class_at(id).map(|class| &class.members);
            names.extend(
                members
                    .into_iter()
                    .flat_map(|members| members.keys())
                    .filter(|name| name.starts_with(beginning))
                    .cloned(),
            );
        }
        names.sort();
        self.spend(names.len());
        let found: Vec<Object> = names.iter().map(|name| self.attribute(object, name)).collect();
        let other = self.unknown_from("an attribute", object);
        Object::one_of(found.iter().chain([&other]))
    }

    /// Any function of the program whose name begins so.
    pub(super) fn unknown_global(&mut self, beginning: &str) -> Object {
        let names = self.heap.scope_at(self.globals).map(|scope| &scope.names);
        let mut found: Vec<(Rc<str>, Object)> = names
            .into_iter()
            .flatten()
            .filter(|(name, object)| {
                name.starts_with(beginning)
                    && matches!(object, Object::Function(_) | Object::Class(_) | Object::Library(_))
            })
            .map(|(name, object)| (Rc::clone(name), object.clone()))
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        self.spend(found.len());
        for (_, object) in &found {
            self.heap.mention(object);
        }
        let other = Object::found("a name", Provenance::NONE, Found::Named);
        let functions = found.iter().map(|(_, object)| object);
        if beginning.is_empty() || found.is_empty() {
            Object::one_of(functions.chain([&other]))
        } else {
            Object::one_of(functions)
        }
    }

    /// The working directory, as a value.
    pub(in crate::python) fn working_directory(&self) -> Value {
        self.directory().map_or_else(|| super::hole("os.getcwd()", Provenance::NONE), Value::literal)
    }
}

/// Attributes that every object has and that lead back to modules.
fn special(object: &Object, name: &str) -> Option<Object> {
    match name {
        "__globals__" | "func_globals" | "f_globals" => Some(Object::library("globals")),
        "__builtins__" | "f_builtins" => Some(Object::library("builtins")),
        // Where all classes end, and from where all of them are found again.
        "__base__" | "__bases__" | "__mro__" if !matches!(object, Object::Class(_)) => {
            Some(Object::library("builtins.object"))
        }
        "mro" if matches!(object, Object::Method(_)) => Some(Object::library("builtins.object")),
        "__call__" | "__func__" | "__wrapped__" => Some(object.clone()),
        "__code__" | "func_code" if matches!(object, Object::Function(_)) => Some(object.clone()),
        "__dict__" if matches!(object, Object::Library(_) | Object::Instance(_)) => Some(object.clone()),
        _ => None,
    }
}
