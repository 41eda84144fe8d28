//! Objects and classes that are made, changed or looked into by calls rather than by statements.

use std::rc::Rc;

use super::super::interpret::{Arguments, Interpreter, Object};
use crate::value::Provenance;

/// `types.SimpleNamespace(a=…)`.
pub(super) fn namespace(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let instance = interpreter.heap.instance(Object::None);
    for (name, value) in &arguments.named {
        interpreter.set_attribute(&instance, name, value.clone());
    }
    instance
}

/// `namedtuple("Point", "x y")`: a class whose objects have these fields.
pub(super) fn named_tuple(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let names = arguments.get(1, "field_names").cloned().unwrap_or(Object::None);
    interpreter.heap.partial(Object::library("collections.namedtuple()"), Arguments::of(vec![names]))
}

/// An object of such a class.
pub(super) fn of_named_tuple(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let Some((names, values)) = arguments.plain.split_first() else { return Object::None };
    let names: Vec<String> = if let Some(text) = names.known_text() {
        text.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    } else {
        let names = interpreter.elements(names).unwrap_or_default();
        names.iter().filter_map(Object::known_text).collect()
    };
    let instance = namespace(interpreter, arguments);
    for (name, value) in names.iter().zip(values) {
        interpreter.set_attribute(&instance, &Rc::from(name.as_str()), value.clone());
    }
    instance
}

/// `setattr(object, name, value)`.
pub(super) fn set_attribute(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if let [object, name, value] = arguments.plain.as_slice()
        && let Some(name) = name.known_text()
    {
        interpreter.set_attribute(object, &Rc::from(name), value.clone());
    }
    Object::None
}

/// `object.__getattribute__(object, name)`.
pub(super) fn get_attribute(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.plain.as_slice() {
        [object, name, ..] => interpreter.attribute_named(object, name),
        _ => Object::unknown("an attribute", Provenance::NONE),
    }
}

/// `globals().update(…)`, `locals().update(…)`.
pub(super) fn update_names(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut entries: Vec<(Rc<str>, Object)> = arguments.named.clone();
    if let Some(Object::Dict(id)) = arguments.plain.first() {
        let given = interpreter.heap.entries(*id).iter();
        entries.extend(given.filter_map(|(name, value)| Some((Rc::from(name.known_text()?), value.clone()))));
    }
    let program = Object::library("__main__");
    for (name, value) in entries {
        interpreter.set_attribute(&program, &name, value);
    }
    Object::None
}

/// What is put among the finders of modules is asked at the next import.
pub(super) fn find_modules(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    for argument in &arguments.plain {
        if let Object::Instance(id) = argument
            && let Some((Object::Class(class), _)) = interpreter.heap.instance_at(*id)
        {
            let class = *class;
            interpreter.run_methods(class);
        }
        interpreter.hand_over(argument);
    }
    Object::None
}

/// Where modules are looked for from now on.
pub(super) fn search_modules(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    for argument in &arguments.plain {
        if matches!(argument, Object::Text(_) | Object::Path(_)) {
            let directory = interpreter.text_of(argument);
            interpreter.search_modules_in(directory);
        }
    }
    Object::None
}

/// `inspect.getmembers(object)`: pairs of a name and what has it.
pub(super) fn members(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let Some(object) = arguments.plain.first().cloned() else { return Object::None };
    let any = interpreter.unknown_attribute(&object, "");
    let pair = interpreter.heap.tuple(vec![Object::unknown("a name", Provenance::NONE), any]);
    interpreter.heap.list(vec![pair])
}
