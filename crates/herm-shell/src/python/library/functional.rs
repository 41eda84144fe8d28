//! Calls that lead to other calls, and encodings.

use std::rc::Rc;

use super::super::interpret::{Arguments, Interpreter, Object};
pub(super) use super::super::interpret::{Codec, decode_object, encode_object};
use crate::value::{Provenance, Value};

pub(super) fn decoded(codec: Codec, arguments: &Arguments) -> Object {
    let data = arguments.all().next().cloned().unwrap_or(Object::None);
    let found: Vec<Object> = data.choices().iter().map(|choice| decode_object(codec, choice)).collect();
    found.into_iter().reduce(Object::or).unwrap_or(Object::None)
}

fn encoded(codec: Codec, arguments: &Arguments) -> Object {
    encode_object(codec, &arguments.all().next().cloned().unwrap_or(Object::None))
}

macro_rules! codecs {
    ($($decode:ident, $encode:ident, $codec:ident;)*) => {
        $(
            pub(super) fn $decode(_: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
                decoded(Codec::$codec, arguments)
            }

            pub(super) fn $encode(_: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
                encoded(Codec::$codec, arguments)
            }
        )*
    };
}

codecs! {
    from_ascii85, to_ascii85, Ascii85;
    from_base16, to_base16, Base16;
    from_base32, to_base32, Base32;
    from_base64, to_base64, Base64;
    from_base85, to_base85, Base85;
    from_bzip2, to_bzip2, Bzip2;
    from_gzip, to_gzip, Gzip;
    from_zlib, to_zlib, Zlib;
}

/// `codecs.decode(data, codec)`.
pub(super) fn decode_by_name(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let method = method_of(arguments, "decode");
    interpreter.invoke(&method, rest_of(arguments))
}

/// `codecs.encode(data, codec)`.
pub(super) fn encode_by_name(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let method = method_of(arguments, "encode");
    interpreter.invoke(&method, rest_of(arguments))
}

fn method_of(arguments: &Arguments, name: &str) -> Object {
    let receiver = arguments.plain.first().cloned().unwrap_or(Object::None);
    Object::Method(Rc::new((receiver, Rc::from(name))))
}

fn rest_of(arguments: &Arguments) -> Arguments {
    Arguments {
        plain: arguments.plain.iter().skip(1).cloned().collect(),
        named: arguments.named.clone(),
        open: arguments.open,
    }
}

/// `f(called, *arguments)`: the first is called with the others.
pub(super) fn apply(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let Some(called) = arguments.plain.first().cloned() else { return Object::None };
    interpreter.invoke(&called, rest_of(arguments))
}

/// `f(delay, called, *arguments)` and the like.
pub(super) fn apply_second(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    apply(interpreter, &rest_of(arguments))
}

/// `start_new_thread(called, arguments)`.
pub(super) fn apply_to_list(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let Some(called) = arguments.plain.first().cloned() else { return Object::None };
    let plain =
        arguments.plain.get(1).cloned().and_then(|list| interpreter.elements(&list)).unwrap_or_default();
    interpreter.invoke(&called, Arguments::of(plain))
}

/// Threads, processes and timers: what they would run is run.
pub(super) fn start(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let target =
        arguments.named("target").or_else(|| arguments.named("function")).or(arguments.plain.get(1)).cloned();
    let list = arguments.get(3, "args").or(arguments.plain.get(2)).cloned();
    let plain = list.and_then(|list| interpreter.elements(&list)).unwrap_or_default();
    let named = match arguments.named("kwargs") {
        Some(Object::Dict(id)) => {
            let entries = interpreter.heap.entries(*id).iter();
            entries.filter_map(|(key, value)| Some((Rc::from(key.known_text()?), value.clone()))).collect()
        }
        Some(_) | None => Vec::new(),
    };
    if let Some(target) = target {
        if interpreter.is_running(&target) {
            interpreter.exhaust();
        } else {
            interpreter.invoke(&target, Arguments { plain, named, open: false });
        }
    }
    interpreter.make("thread", Value::default(), Provenance::NONE)
}

pub(super) fn partial(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let Some(called) = arguments.plain.first().cloned() else { return Object::None };
    let rest = rest_of(arguments);
    interpreter.heap.partial(called, rest)
}

/// `map(called, list)`.
pub(super) fn map(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let Some((called, lists)) = arguments.plain.split_first() else { return Object::None };
    let rows = if let [only] = lists {
        interpreter.elements(only)
    } else {
        let rows = super::builtins::zip(interpreter, &Arguments::of(lists.to_vec()));
        interpreter.elements(&rows)
    };
    let Some(rows) = rows else {
        let unknown =
            Arguments::of(lists.iter().map(|list| interpreter.unknown_from("an item", list)).collect());
        let result = interpreter.invoke(called, unknown);
        return interpreter.heap.list(vec![result]);
    };
    let mut found = Vec::with_capacity(rows.len());
    interpreter.each(rows, |interpreter, row| {
        let row = match lists {
            [_] => vec![row],
            _ => interpreter.elements(&row).unwrap_or_else(|| vec![row]),
        };
        found.push(interpreter.invoke(called, Arguments::of(row)));
    });
    interpreter.heap.list(found)
}

pub(super) fn star_map(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let (Some(called), Some(rows)) = (arguments.plain.first(), arguments.plain.get(1)) else {
        return Object::None;
    };
    let rows = interpreter.elements(rows).unwrap_or_default();
    let mut found = Vec::new();
    interpreter.each(rows, |interpreter, row| {
        let plain = interpreter.elements(&row).unwrap_or_else(|| vec![row.clone()]);
        found.push(interpreter.invoke(called, Arguments::of(plain)));
    });
    interpreter.heap.list(found)
}

/// `filter(called, list)`: all may remain.
pub(super) fn filter(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let (Some(called), Some(list)) = (arguments.plain.first().cloned(), arguments.plain.get(1).cloned())
    else {
        return Object::None;
    };
    let items = interpreter.elements(&list).unwrap_or_default();
    if !matches!(called, Object::None) {
        interpreter
            .each(items, |interpreter, item| drop(interpreter.invoke(&called, Arguments::of(vec![item]))));
    }
    list
}

/// `sorted(list, key=…)`, `max(list, key=…)`: the key is asked of each item.
fn ask_key(interpreter: &mut Interpreter<'_>, arguments: &Arguments) {
    let (Some(key), Some(list)) = (arguments.named("key").cloned(), arguments.plain.first().cloned()) else {
        return;
    };
    let items =
        interpreter.elements(&list).unwrap_or_else(|| vec![interpreter.unknown_from("an item", &list)]);
    if !matches!(key, Object::None) {
        interpreter
            .each(items, |interpreter, item| drop(interpreter.invoke(&key, Arguments::of(vec![item]))));
    }
}

pub(super) fn sorted(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    ask_key(interpreter, arguments);
    super::builtins::list(interpreter, arguments)
}

pub(super) fn extreme(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    ask_key(interpreter, arguments);
    arguments.plain.first().cloned().unwrap_or_else(|| Object::unknown("a value", Provenance::NONE))
}

/// `iter(list)`, or `iter(called, end)`.
pub(super) fn iterate(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.plain.as_slice() {
        [called, _] => {
            let (forks, actions) = (interpreter.forks, interpreter.actions());
            let item = interpreter.invoke(called, Arguments::default());
            // It is called again and again, and nothing else is.
            if interpreter.forks > forks && interpreter.actions() - actions <= interpreter.forks - forks {
                interpreter.exhaust();
            }
            interpreter.heap.list(vec![item])
        }
        _ => super::builtins::list(interpreter, arguments),
    }
}

/// `functools.reduce(called, list, start)`.
pub(super) fn reduce(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let (Some(called), Some(list)) = (arguments.plain.first().cloned(), arguments.plain.get(1).cloned())
    else {
        return Object::None;
    };
    let mut items = interpreter.elements(&list).unwrap_or_default().into_iter();
    let Some(mut sum) = arguments.plain.get(2).cloned().or_else(|| items.next()) else { return Object::None };
    interpreter.each(items.collect(), |interpreter, item| {
        sum = interpreter.invoke(&called, Arguments::of(vec![sum.clone(), item]));
    });
    sum
}

/// A decorator with arguments gives back what it decorates.
pub(super) fn decorator(_: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.plain.first() {
        Some(function @ (Object::Function(_) | Object::Class(_))) => function.clone(),
        Some(_) | None => Object::library("copy.copy"),
    }
}

fn caller(interpreter: &mut Interpreter<'_>, kind: &str, arguments: &Arguments) -> Object {
    let content = interpreter.heap.partial(Object::text(kind), arguments.clone());
    let mut thing = interpreter.new_thing("caller", Value::default());
    thing.content = content;
    interpreter.heap.thing(thing)
}

pub(super) fn attribute_getter(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    caller(interpreter, "attribute", arguments)
}

pub(super) fn method_caller(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    caller(interpreter, "method", arguments)
}

pub(super) fn item_getter(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    caller(interpreter, "item", arguments)
}

/// Lists one after another.
pub(super) fn chain(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut items = Vec::new();
    for list in &arguments.plain {
        items.extend(interpreter.elements(list).unwrap_or_else(|| vec![list.clone()]));
    }
    interpreter.heap.list(items)
}

/// `unittest.main()`: every class that builds on a library's is run.
pub(super) fn run_classes(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    for id in interpreter.heap.classes().to_vec() {
        if !interpreter.spend(1) {
            break;
        }
        let tests = interpreter
            .heap
            .class_at(id)
            .is_some_and(|class| class.bases.iter().any(|base| matches!(base, Object::Library(_))));
        if tests {
            interpreter.run_methods(id);
        }
    }
    Object::None
}

pub(super) fn unpickle(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let data = arguments.all().next().cloned().unwrap_or(Object::None);
    interpreter.unpickle(&data)
}

/// A function made of code: calling it runs the code.
pub(super) fn function_of(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let code = arguments.plain.first().cloned().unwrap_or(Object::None);
    match code {
        Object::Text(_) | Object::Bytes(..) | Object::OneOf(_) => {
            interpreter.heap.partial(Object::library("builtins.exec"), Arguments::of(vec![code]))
        }
        other => other,
    }
}

/// Everything that Python holds in memory: whoever picks something of it by its name means the way to a process.
pub(super) fn everything(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let own = interpreter.unknown_attribute(&Object::library("globals"), "");
    interpreter.heap.list(vec![Object::library("subprocess.Popen").or(own)])
}

/// YAML that may name Python objects.
pub(super) fn load_yaml(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let safe = arguments.get(1, "Loader").is_some_and(
        |loader| matches!(loader, Object::Library(name) if name.contains("Safe") || name.contains("Base")),
    );
    let data = arguments.all().next().cloned().unwrap_or(Object::None);
    if safe {
        return interpreter.unknown_from("data", &data);
    }
    if let Some(text) = data.known_text()
        && let Some((_, after)) = text.split_once("python/object/apply:")
    {
        let name: String = after
            .chars()
            .take_while(|letter| letter.is_ascii_alphanumeric() || "._".contains(*letter))
            .collect();
        let rest = after.get(name.len()..).unwrap_or_default();
        let argument = rest.trim_matches(|letter: char| letter.is_whitespace() || "[]-'\"".contains(letter));
        let called = interpreter.dotted(&name);
        return interpreter.invoke(&called, Arguments::of(vec![Object::text(argument)]));
    }
    interpreter.unpickle(&data)
}

pub(super) fn pickle(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = arguments.plain.first().cloned().unwrap_or(Object::None);
    let mut thing = interpreter.new_thing("pickled", Value::default());
    thing.provenance = interpreter.provenance(&object);
    thing.content = object;
    interpreter.heap.thing(thing)
}
