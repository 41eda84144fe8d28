//! Files and directories.

use std::rc::Rc;

use super::super::interpret::{Access, Arguments, Interpreter, MAX_CHOICES, Object, any_text, paths};
use crate::effect::{Flags, Verb};
use crate::value::{Provenance, Value};

pub(super) fn open(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mode = arguments.get(1, "mode").and_then(Object::known_text).unwrap_or_default();
    if arguments.get(0, "file").and_then(Object::int) == Some(0) {
        return interpreter.open_input();
    }
    let mut opened = Object::None;
    for path in interpreter.argument_choices(arguments, 0, "file") {
        opened = interpreter.open_file(&path, &mode);
    }
    opened
}

/// `os.open(path, flags)`.
pub(super) fn open_descriptor(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "path");
    let flags = arguments.get(1, "flags").and_then(Object::int).unwrap_or(0);
    let mode = match (flags & 3, flags & 0o1000 != 0, flags & 0o2000 != 0) {
        (0, _, _) => "r",
        (_, true, _) => "w",
        (_, _, true) => "a",
        _ => "r+",
    };
    interpreter.open_file(&path, mode)
}

/// A function whose first argument is an open file, as a method of that file.
fn as_method(interpreter: &mut Interpreter<'_>, name: &str, arguments: &Arguments) -> Object {
    let Some((file, rest)) = arguments.plain.split_first() else { return Object::None };
    let method = Object::Method(Rc::new((file.clone(), Rc::from(name))));
    interpreter.invoke(&method, Arguments::of(rest.to_vec()))
}

pub(super) fn write(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    as_method(
        interpreter,
        if arguments.plain.first().is_some_and(|file| interpreter.is_socket(file)) {
            "send"
        } else {
            "write"
        },
        arguments,
    )
}

pub(super) fn read(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    as_method(interpreter, "read", arguments)
}

/// `json.dump(object, file)` and `pickle.dump(object, file)`.
pub(super) fn dump(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if let (Some(object), Some(file)) =
        (arguments.plain.first(), arguments.get(1, "fp").or_else(|| arguments.named("stream")))
    {
        let method = Object::Method(Rc::new((file.clone(), Rc::from("write"))));
        let object = object.clone();
        let content = Object::value(interpreter.text_of(&object));
        return interpreter.invoke(&method, Arguments::of(vec![content]));
    }
    dump_text(interpreter, arguments)
}

pub(super) fn dump_text(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = arguments.plain.first().cloned().unwrap_or(Object::None);
    let value = interpreter.text_of(&object);
    Object::unknown("a text", value.provenance)
}

pub(super) fn link(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let (to, path) = (interpreter.argument(arguments, 0, "src"), interpreter.argument(arguments, 1, "dst"));
    interpreter.link(&path, &to);
    Object::None
}

pub(super) fn copy(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let to = interpreter.argument(arguments, 1, "dst");
    for from in interpreter.argument_choices(arguments, 0, "src") {
        interpreter.copy(&from, &to);
    }
    Object::value(to)
}

pub(super) fn copy_tree(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let (from, to) = (interpreter.argument(arguments, 0, "src"), interpreter.argument(arguments, 1, "dst"));
    interpreter.path(Verb::Read, &from, Flags::RECURSIVE);
    interpreter.path(Verb::Write, &to, Flags::RECURSIVE);
    Object::value(to)
}

pub(super) fn copy_file_object(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let (Some(from), Some(to)) = (arguments.get(0, "fsrc").cloned(), arguments.get(1, "fdst").cloned())
    else {
        return Object::None;
    };
    let content = match &from {
        Object::Thing(id) => {
            interpreter.heap.thing_at(*id).map_or(Object::None, |thing| thing.content.clone())
        }
        other => interpreter.unknown_from("content", other),
    };
    let method = Object::Method(Rc::new((to, Rc::from("write"))));
    interpreter.invoke(&method, Arguments::of(vec![content]))
}

pub(super) fn rename(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let to = interpreter.argument(arguments, 1, "dst");
    for from in interpreter.argument_choices(arguments, 0, "src") {
        interpreter.move_path(&from, &to);
    }
    Object::value(to)
}

pub(super) fn change_mode(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mode = arguments.get(1, "mode").cloned();
    for path in interpreter.argument_choices(arguments, 0, "path") {
        interpreter.change_mode(&path, mode.as_ref());
    }
    Object::None
}

pub(super) fn change_owner(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let root = arguments
        .get(1, "user")
        .is_some_and(|user| user.int() == Some(0) || user.known_text().as_deref() == Some("root"));
    let flags = if root { Flags::TO_ROOT } else { Flags::NONE };
    for path in interpreter.argument_choices(arguments, 0, "path") {
        interpreter.path(Verb::ChangeOwner, &path, flags);
    }
    Object::None
}

/// `shutil.make_archive(base_name, format, root_dir, base_dir)`: of what is below the one, all that is below the other.
pub(super) fn archive(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut from = Value::default();
    for (place, name) in [(2, "root_dir"), (3, "base_dir")] {
        if arguments.get(place, name).is_some_and(|given| !matches!(given, Object::None)) {
            let inside = interpreter.argument(arguments, place, name);
            // What is not known may be all of it.
            if from.pieces.is_empty() || !inside.has_hole() {
                from = paths::join(&from, &inside);
            }
        }
    }
    let from = if from.pieces.is_empty() { Value::literal(".") } else { from };
    let content = interpreter.read_below(&from);
    let mut archive = interpreter.argument(arguments, 0, "base_name");
    let format = arguments.get(1, "format").and_then(Object::known_text).unwrap_or_default();
    archive.push_str(match format.as_str() {
        "zip" => ".zip",
        "tar" => ".tar",
        "gztar" => ".tar.gz",
        "bztar" => ".tar.bz2",
        "xztar" => ".tar.xz",
        _ => "",
    });
    interpreter.write(&archive, &content, Flags::TRUNCATE);
    Object::value(archive)
}

pub(super) fn unpack(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let into = if arguments.get(1, "extract_dir").is_some() {
        interpreter.argument(arguments, 1, "extract_dir")
    } else {
        Value::literal(".")
    };
    let below = paths::below(&into);
    interpreter.path(Verb::Write, &below, Flags::NONE);
    Object::None
}

pub(super) fn open_archive(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "name");
    let writes = arguments
        .get(1, "mode")
        .and_then(Object::known_text)
        .is_some_and(|mode| mode.starts_with(['w', 'a', 'x']));
    if writes {
        interpreter.path(Verb::Write, &path, Flags::TRUNCATE);
    }
    interpreter.make("archive", path, Provenance::FILE)
}

pub(super) fn join(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut joined = vec![Value::default()];
    for part in &arguments.plain {
        let parts: Vec<Value> = part.real_choices().map(|choice| interpreter.text_of(choice)).collect();
        let parts = if joined.len() * parts.len() > MAX_CHOICES { vec![any_text(&parts)] } else { parts };
        joined =
            joined.iter().flat_map(|base| parts.iter().map(move |part| paths::join(base, part))).collect();
    }
    joined.into_iter().map(Object::value).reduce(Object::or).unwrap_or(Object::None)
}

pub(super) fn expand_user(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "path");
    Object::value(interpreter.expand_user(&path))
}

/// Where a person's own packages are, and files that Python runs when it starts.
pub(super) fn own_packages(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let path = Value::literal("~/.local/lib/python3/site-packages");
    Object::value(interpreter.expand_user(&path))
}

/// `$HOME` and the like in a path.
pub(super) fn expand_variables(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "path");
    let Some(text) = path.known() else { return Object::value(path) };
    let mut value = Value::default();
    let mut rest: &str = &text;
    while let Some((before, after)) = rest.split_once('$') {
        value.push_str(before);
        let inner = after.strip_prefix('{').unwrap_or(after);
        let name: String =
            inner.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
        let found = interpreter.variable(&name);
        value.push(&found);
        let after = inner.get(name.len()..).unwrap_or_default();
        rest = if inner.len() < text.len() { after.strip_prefix('}').unwrap_or(after) } else { after };
    }
    value.push_str(rest);
    Object::value(value)
}

pub(super) fn directory_name(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "path");
    Object::value(paths::directory_of(&path))
}

pub(super) fn base_name(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "path");
    Object::value(paths::base_of(&path))
}

pub(super) fn path(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if arguments.plain.is_empty() {
        return Object::Path(Rc::new(Value::literal(".")));
    }
    let joined = join(interpreter, arguments);
    let found: Vec<Object> =
        joined.choices().iter().map(|choice| Object::Path(Rc::new(interpreter.text_of(choice)))).collect();
    found.into_iter().reduce(Object::or).unwrap_or(Object::None)
}

pub(super) fn home_path(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::Path(Rc::new(Value::literal(interpreter.home())))
}

pub(super) fn working_path(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::Path(Rc::new(interpreter.working_directory()))
}

pub(super) fn working_directory(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::value(interpreter.working_directory())
}

pub(super) fn list_names(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.heap.list(vec![paths::any_name()])
}

pub(super) fn scan(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let directory = if arguments.plain.is_empty() {
        Value::literal(".")
    } else {
        interpreter.argument(arguments, 0, "path")
    };
    let any = interpreter.text_of(&paths::any_name());
    let mut thing = interpreter.new_thing("entries", paths::join(&directory, &any));
    thing.access = Access::Read;
    interpreter.heap.thing(thing)
}

pub(super) fn walk(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let top = interpreter.argument(arguments, 0, "top");
    interpreter.walk(&top, false)
}

pub(super) fn glob(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let wanted = interpreter.argument(arguments, 0, "pathname");
    let root = arguments.named("root_dir").cloned().map(|root| interpreter.text_of(&root));
    let pattern = paths::pattern(&wanted);
    let found = root.map_or_else(|| pattern.clone(), |root| paths::join(&root, &pattern));
    interpreter.heap.list(vec![Object::value(found)])
}

/// Something new in the directory for temporary files. Its letters are made up, and no other has them.
fn temporary_path(interpreter: &mut Interpreter<'_>) -> Value {
    interpreter.temporaries += 1;
    Value::literal(format!("/tmp/tmp{:08}", interpreter.temporaries))
}

/// `mkdtemp()`, `TemporaryDirectory()`: what is in it was put there by the program. One asked for elsewhere, or called something, is not told apart.
pub(super) fn temporary_directory(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let path = temporary_path(interpreter);
    interpreter.path(Verb::Write, &path, Flags::METADATA | Flags::FRESH);
    Object::value(path)
}

pub(super) fn temporary_root(_: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::text("/tmp")
}

pub(super) fn temporary_file(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let path = temporary_path(interpreter);
    interpreter.open_file(&path, "w")
}

pub(super) fn temporary_pair(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let path = temporary_path(interpreter);
    let file = interpreter.open_file(&path, "w");
    interpreter.heap.tuple(vec![file, Object::value(path)])
}

/// `tempfile.mktemp()`: only a name.
pub(super) fn temporary_name(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::value(temporary_path(interpreter))
}

pub(super) fn memory_file(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let content = arguments.plain.first().cloned().unwrap_or_else(|| Object::text(""));
    let mut thing = interpreter.new_thing("memory", Value::default());
    thing.provenance = interpreter.provenance(&content);
    thing.content = content;
    interpreter.heap.thing(thing)
}

pub(super) fn read_lines(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "filename");
    let content = interpreter.read(&path);
    let line = Object::unknown("a line", content.provenance);
    interpreter.heap.list(vec![line])
}

/// `fileinput.input(files, inplace=…)`.
pub(super) fn file_input(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if arguments.get(0, "files").is_none() {
        return super::builtins::read_lines(interpreter, arguments);
    }
    let given = arguments.get(0, "files").cloned().unwrap_or(Object::None);
    let several = match &given {
        Object::List(_) | Object::Tuple(_) => interpreter.elements(&given).unwrap_or_default(),
        _ => given.real_choices().cloned().collect(),
    };
    let mut lines = Vec::new();
    for file in several.iter().take(FILES_MOST) {
        let path = interpreter.text_of(file);
        if arguments.named("inplace").is_some() {
            interpreter.path(Verb::Write, &path, Flags::IN_PLACE);
        }
        lines.push(Object::value(interpreter.read(&path)));
    }
    interpreter.heap.list(lines)
}

/// How many files are looked at one by one.
const FILES_MOST: usize = 64;
