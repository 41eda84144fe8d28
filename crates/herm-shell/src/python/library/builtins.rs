//! What Python brings without an import.

use std::rc::Rc;

use super::super::interpret::{Arguments, Class, Interpreter, Object};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

fn first(arguments: &Arguments) -> Object {
    arguments.all().next().cloned().unwrap_or(Object::None)
}

pub(super) fn import_module(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let name = first(arguments);
    let found: Vec<Object> = name
        .choices()
        .iter()
        .map(|choice| match choice.known_text() {
            // `__import__("os.path")` gives `os`; only `import_module` gives the inner one, and both lead on.
            Some(name) => {
                let name = super::canonical(&name.replace(':', "."));
                interpreter.uses_library(&name);
                Object::Library(name)
            }
            None => Object::unknown("a module", interpreter.provenance(choice)),
        })
        .collect();
    found.into_iter().reduce(Object::or).unwrap_or(Object::None)
}

pub(super) fn execute(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let code =
        arguments.get(0, "source").or_else(|| arguments.named("stmt")).cloned().unwrap_or(Object::None);
    match &code {
        Object::Function(_) | Object::Method(_) | Object::Partial(_) | Object::Class(_) => {
            interpreter.invoke(&code, Arguments::default())
        }
        other => {
            evaluates(interpreter);
            interpreter.python(other)
        }
    }
}

/// A text is run as code: what it does is found in it, that it is one is a fact of its own.
fn evaluates(interpreter: &mut Interpreter<'_>) {
    interpreter.effect(Verb::Execute, Target::Code(Lang::Python, None), Flags::NONE, Provenance::NONE);
}

/// Whatever code a call is given by position or name.
pub(super) fn execute_all(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    for (place, name) in [(0, "stmt"), (1, "setup")] {
        let Some(code) = arguments.get(place, name).cloned() else { continue };
        match code {
            Object::Text(_) | Object::Bytes(..) | Object::Thing(_) => {
                evaluates(interpreter);
                drop(interpreter.python(&code));
            }
            _ => interpreter.hand_over(&code),
        }
    }
    Object::unknown("a time", Provenance::NONE)
}

pub(super) fn interact(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.interact(Lang::Python);
    Object::None
}

/// The same where lines for the shell are understood, too.
pub(super) fn interact_further(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.interact(Lang::Other("ipython"));
    Object::None
}

/// `breakpoint(…)` calls what `PYTHONBREAKPOINT` names, and else the debugger.
pub(super) fn debug(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let named = interpreter.variable("PYTHONBREAKPOINT").known().map(std::borrow::Cow::into_owned);
    if let Some(name) = named.filter(|name| !name.is_empty() && name != "0") {
        return interpreter.call_named(&name, arguments);
    }
    interpreter.interact(Lang::Other("pdb"));
    Object::None
}

pub(super) fn get_attribute(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.plain.as_slice() {
        [object, name, ..] => interpreter.attribute_named(object, name),
        _ => Object::None,
    }
}

pub(super) fn globals(_: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    // `vars(module)` is the module's dictionary.
    arguments.plain.first().cloned().unwrap_or_else(|| Object::library("globals"))
}

pub(super) fn print(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut output = Value::default();
    for (place, argument) in arguments.plain.iter().enumerate() {
        if place > 0 {
            output.push_str(" ");
        }
        let argument = interpreter.text_of(argument);
        output.push(&argument);
    }
    let end = arguments.named("end").and_then(Object::known_text);
    output.push_str(end.as_deref().unwrap_or("\n"));
    match arguments.named("file").cloned() {
        Some(Object::Thing(id)) => {
            let method = Object::Method(Rc::new((Object::Thing(id), Rc::from("write"))));
            interpreter.invoke(&method, Arguments::of(vec![Object::value(output)]));
        }
        Some(Object::Library(name)) if &*name == "sys.stderr" => {}
        Some(_) => {}
        None => interpreter.print(output),
    }
    Object::None
}

pub(super) fn write_output(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let output = interpreter.argument(arguments, 0, "data");
    interpreter.print(output);
    Object::None
}

pub(super) fn read_input(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let stdin = interpreter.stdin();
    match stdin.known() {
        Some(text) if !text.is_empty() => {
            Object::value(Value::literal(text.trim_end_matches('\n')).from(stdin.provenance))
        }
        Some(_) => Object::unknown("input()", Provenance::OUTSIDE),
        None => Object::value(stdin),
    }
}

pub(super) fn read_lines(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match interpreter.input_lines() {
        Some(lines) => interpreter.heap.list(lines),
        None => read_input(interpreter, arguments),
    }
}

pub(super) fn character(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let code = first(arguments);
    let letter = code.int().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32);
    letter.map_or_else(|| interpreter.unknown_from("a letter", &code), Object::text)
}

pub(super) fn ordinal(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let letter = first(arguments);
    let code =
        letter.known_text().and_then(|text| text.chars().next()).map(|letter| i64::from(u32::from(letter)));
    code.map_or_else(|| interpreter.unknown_from("a number", &letter), Object::Int)
}

pub(super) fn text(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    match &object {
        Object::None if arguments.plain.is_empty() => Object::text(""),
        Object::OneOf(choices) => {
            let texts: Vec<Object> = choices
                .iter()
                .map(|choice| text(interpreter, &Arguments::of(vec![choice.clone()])))
                .collect();
            texts.into_iter().reduce(Object::or).unwrap_or(Object::None)
        }
        Object::Bytes(bytes, from) if arguments.get(1, "encoding").is_some() => {
            Object::value(Value::literal(String::from_utf8_lossy(bytes)).from(*from))
        }
        Object::Unknown(_) => object,
        other => Object::value(interpreter.text_of(other)),
    }
}

pub(super) fn represent(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    interpreter.repr(&first(arguments))
}

pub(super) fn bytes(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    let provenance = interpreter.provenance(&object);
    match &object {
        Object::Bytes(..) => object,
        Object::Text(value) => match value.known() {
            Some(text) => Object::Bytes(text.as_bytes().into(), provenance),
            None => object,
        },
        Object::Int(count) => {
            Object::Bytes(vec![0; usize::try_from(*count).unwrap_or(0).min(4096)].into(), provenance)
        }
        other => {
            let items = interpreter.elements(other);
            let bytes: Option<Vec<u8>> = items.and_then(|items| {
                items.iter().map(|item| item.int().and_then(|byte| u8::try_from(byte).ok())).collect()
            });
            bytes.map_or_else(
                || interpreter.unknown_from("bytes", other),
                |bytes| Object::Bytes(bytes.into(), provenance),
            )
        }
    }
}

pub(super) fn from_hex(_: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    super::functional::decoded(super::functional::Codec::Hex, arguments)
}

pub(super) fn make_table(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    interpreter.maketrans(arguments)
}

pub(super) fn integer(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    if let Some(number) = object.int() {
        return Object::Int(number);
    }
    let radix = arguments.get(1, "base").and_then(Object::int).and_then(|radix| u32::try_from(radix).ok());
    let text = object.known_text().map(|text| text.trim().replace('_', "").to_ascii_lowercase());
    let number = text.and_then(|text| {
        let digits = ["0x", "0o", "0b"]
            .iter()
            .find_map(|prefix| text.strip_prefix(prefix))
            .filter(|_| radix.is_some())
            .unwrap_or(&text);
        i64::from_str_radix(digits, radix.filter(|radix| (2..=36).contains(radix)).unwrap_or(10)).ok()
    });
    number.map_or_else(|| interpreter.unknown_from("a number", &object), Object::Int)
}

pub(super) fn hexadecimal(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    object.int().map_or_else(
        || interpreter.unknown_from("a number", &object),
        |number| Object::text(format!("{number:#x}")),
    )
}

pub(super) fn list(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    match (&object, interpreter.elements(&object)) {
        (Object::None, _) => interpreter.heap.list(Vec::new()),
        (_, Some(items)) => interpreter.heap.list(items),
        (_, None) => object,
    }
}

pub(super) fn tuple(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    match (&object, interpreter.elements(&object)) {
        (Object::None, _) => interpreter.heap.tuple(Vec::new()),
        (_, Some(items)) => interpreter.heap.tuple(items),
        (_, None) => object,
    }
}

pub(super) fn dictionary(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut entries = Vec::new();
    match arguments.plain.first() {
        Some(Object::Dict(id)) => entries.extend(interpreter.heap.entries(*id).to_vec()),
        Some(environment) if environment.is_library("os.environ") && arguments.named.is_empty() => {
            return interpreter.make("environ", Value::default(), Provenance::SECRET);
        }
        Some(environment) if environment.is_library("os.environ") => {}
        Some(module @ Object::Library(_)) if arguments.named.is_empty() => return module.clone(),
        Some(pairs) => {
            for pair in interpreter.elements(&pairs.clone()).unwrap_or_default() {
                if let Some([key, value]) = interpreter.elements(&pair).as_deref() {
                    entries.push((key.clone(), value.clone()));
                }
            }
        }
        None => {}
    }
    entries.extend(arguments.named.iter().map(|(name, value)| (Object::text(&**name), value.clone())));
    interpreter.heap.dict(entries)
}

pub(super) fn reversed(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    let decoded = matches!(object, Object::Text(_));
    let Some(mut items) = interpreter.elements(&object) else { return object };
    items.reverse();
    if decoded {
        let marked =
            items.into_iter().map(|item| Object::value(interpreter.text_of(&item).from(Provenance::DECODED)));
        let marked = marked.collect();
        return interpreter.heap.list(marked);
    }
    interpreter.heap.list(items)
}

pub(super) fn range(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let numbers: Option<Vec<i64>> = arguments.plain.iter().map(Object::int).collect();
    let (low, high, step) = match numbers.as_deref() {
        Some([high]) => (0, *high, 1),
        Some([low, high]) => (*low, *high, 1),
        Some([low, high, step]) if *step != 0 => (*low, *high, *step),
        _ => return Object::unknown("a number", Provenance::NONE),
    };
    let mut found = Vec::new();
    let mut at = low;
    while if step > 0 { at < high } else { at > high } {
        if found.len() >= 512 {
            return Object::unknown("a number", Provenance::NONE);
        }
        found.push(Object::Int(at));
        at = at.saturating_add(step);
    }
    interpreter.heap.list(found)
}

pub(super) fn enumerate(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    let items = match interpreter.elements(&object) {
        Some(items) => items,
        None => vec![interpreter.unknown_from("an item", &object)],
    };
    // An item that is not known may stand for several.
    let counted = items.iter().take_while(|item| item.is_known()).count();
    let place = |at: usize| match i64::try_from(at) {
        Ok(place) if at < counted => Object::Int(place),
        _ => Object::unknown("a number", Provenance::NONE),
    };
    let numbered = items.into_iter().enumerate();
    let pairs = numbered.map(|(at, item)| interpreter.heap.tuple(vec![place(at), item])).collect();
    interpreter.heap.list(pairs)
}

pub(super) fn zip(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let lists: Option<Vec<Vec<Object>>> =
        arguments.plain.iter().map(|list| interpreter.elements(list)).collect();
    let Some(lists) = lists else { return Object::unknown("pairs", interpreter.provenance_of(arguments)) };
    let length = lists.iter().map(Vec::len).min().unwrap_or(0);
    let rows =
        (0..length).map(|at| lists.iter().filter_map(|list| list.get(at).cloned()).collect::<Vec<_>>());
    let rows: Vec<Vec<Object>> = rows.collect();
    let rows = rows.into_iter().map(|row| interpreter.heap.tuple(row)).collect();
    interpreter.heap.list(rows)
}

pub(super) fn next(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = first(arguments);
    let items = interpreter.elements(&object);
    items
        .and_then(|items| items.into_iter().next())
        .unwrap_or_else(|| interpreter.unknown_from("an item", &object))
}

pub(super) fn length(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    // Lists may be longer than they are known to be.
    let object = first(arguments);
    let length = match &object {
        Object::Text(_) => object.known_text().map(|text| text.chars().count()),
        Object::Bytes(bytes, _) => Some(bytes.len()),
        Object::Tuple(id) => Some(interpreter.heap.items(*id).len()),
        _ => None,
    };
    length
        .and_then(|length| i64::try_from(length).ok())
        .map_or_else(|| Object::unknown("a length", Provenance::NONE), Object::Int)
}

pub(super) fn type_of(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.plain.as_slice() {
        [Object::Instance(id)] => {
            interpreter.heap.instance_at(*id).map_or(Object::None, |(class, _)| class.clone())
        }
        [Object::Text(_)] => Object::library("builtins.str"),
        [Object::Bytes(..)] => Object::library("builtins.bytes"),
        [_, bases, Object::Dict(members)] => {
            let bases = interpreter.elements(bases).unwrap_or_default();
            let members = interpreter.heap.entries(*members).iter();
            let members =
                members.filter_map(|(name, member)| Some((Rc::from(name.known_text()?), member.clone())));
            let class = Class::new(bases, members.collect());
            Object::Class(interpreter.heap.class(class))
        }
        _ => Object::unknown("a type", Provenance::NONE),
    }
}

pub(super) fn plain(_: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::unknown("a result", Provenance::NONE)
}
