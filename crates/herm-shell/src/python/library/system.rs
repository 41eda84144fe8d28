//! Programs, processes and rights.

use std::rc::Rc;

use super::super::interpret::{Arguments, Interpreter, Object, split_words};
use crate::approvals::is_loosening;
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

/// A command for a shell.
pub(super) fn shell(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut output = Value::default();
    for command in interpreter.argument_choices(arguments, 0, "command") {
        output = interpreter.code(Lang::Shell, &command);
    }
    finished(interpreter, output)
}

/// The same, but what comes back is the text itself.
pub(super) fn shell_text(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let command = interpreter.argument(arguments, 0, "cmd");
    let output = interpreter.code(Lang::Shell, &command);
    if output.has_hole() { Object::unknown("its output", output.provenance) } else { Object::value(output) }
}

pub(super) fn shell_status(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let output = shell_text(interpreter, arguments);
    interpreter.heap.tuple(vec![Object::unknown("a status", Provenance::NONE), output])
}

fn finished(interpreter: &mut Interpreter<'_>, output: Value) -> Object {
    let mut thing = interpreter.new_thing("process", Value::default());
    thing.provenance = output.provenance;
    thing.content = if output.has_hole() {
        Object::unknown("its output", output.provenance)
    } else {
        Object::value(output)
    };
    interpreter.heap.thing(thing)
}

pub(super) fn run(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    interpreter.process(arguments)
}

pub(super) fn run_for_output(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match interpreter.process(arguments) {
        Object::Thing(id) => {
            interpreter.heap.thing_at(id).map_or(Object::None, |thing| thing.content.clone())
        }
        other => other,
    }
}

pub(super) fn open_process(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    interpreter.open_process(arguments)
}

fn run_argv(interpreter: &mut Interpreter<'_>, argv: &[Value]) -> Object {
    run_each(interpreter, &[argv.to_vec()])
}

/// Runs one of these commands, of which it is not known which.
fn run_each(interpreter: &mut Interpreter<'_>, ways: &[Vec<Value>]) -> Object {
    if interpreter.wired {
        interpreter.remote_control();
    }
    let stdin = interpreter.stdin();
    let mut output = Value::default();
    for argv in ways {
        output = interpreter.run(argv, &stdin);
    }
    finished(interpreter, output)
}

/// `execv(file, [argv])`.
pub(super) fn replace_with_list(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let programs = interpreter.argument_choices(arguments, 0, "path");
    let list = arguments.get(1, "args").cloned().unwrap_or(Object::None);
    let lists = interpreter.argvs(&list);
    let named = |program: &Value, list: &Vec<Value>| {
        [program.clone()].into_iter().chain(list.iter().skip(1).cloned()).collect()
    };
    let ways: Vec<Vec<Value>> =
        programs.iter().flat_map(|program| lists.iter().map(|list| named(program, list))).collect();
    run_each(interpreter, &ways)
}

/// `execl(file, arg0, arg1, …)`.
pub(super) fn replace_with_words(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut words = vec![arguments.get(0, "path").cloned().unwrap_or(Object::None)];
    // `execle` ends with the environment.
    let is_word = |word: &&Object| !matches!(word, Object::Dict(_)) && !word.is_library("os.environ");
    words.extend(arguments.plain.iter().skip(2).filter(is_word).cloned());
    let ways = interpreter.each_way(&words);
    run_each(interpreter, &ways)
}

fn without_first(arguments: &Arguments) -> Arguments {
    Arguments { plain: arguments.plain.iter().skip(1).cloned().collect(), ..arguments.clone() }
}

/// `spawnv(mode, file, [argv])`.
pub(super) fn spawn_list(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    replace_with_list(interpreter, &without_first(arguments))
}

/// `spawnl(mode, file, arg0, …)`.
pub(super) fn spawn_words(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    replace_with_words(interpreter, &without_first(arguments))
}

/// `create_subprocess_exec(program, arg, …)`.
pub(super) fn spawn_plain(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let list = interpreter.heap.list(arguments.plain.clone());
    let arguments = Arguments { plain: vec![list], named: arguments.named.clone(), open: arguments.open };
    interpreter.open_process(&arguments)
}

pub(super) fn spawn_shell(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut arguments = arguments.clone();
    arguments.named.push((Rc::from("shell"), Object::Bool(true)));
    interpreter.open_process(&arguments)
}

/// `pty.spawn(argv)`.
pub(super) fn spawn_terminal(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let command = arguments.plain.first().cloned().unwrap_or(Object::None);
    let ways = interpreter.argvs(&command);
    if interpreter.connected {
        interpreter.remote_control();
    }
    run_each(interpreter, &ways)
}

pub(super) fn fork(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.forks += 1;
    Object::unknown("a process number", Provenance::NONE)
}

/// `dup2(socket.fileno(), 0)` puts a connection in place of the standard streams.
pub(super) fn duplicate(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if arguments.plain.first().is_some_and(|from| interpreter.is_socket(from)) {
        interpreter.wired = true;
    }
    Object::None
}

pub(super) fn kill(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let target = match arguments.get(0, "pid").map(Object::int) {
        Some(Some(-1)) => ProcessTarget::All,
        Some(Some(number)) => ProcessTarget::Number(number),
        Some(None) | None => ProcessTarget::Unknown,
    };
    let flags = match arguments.get(1, "sig").and_then(Object::int) {
        Some(9) => Flags::KILL_SIGNAL,
        Some(0 | 1 | 10 | 12 | 18 | 28) => Flags::GENTLE,
        Some(_) | None => Flags::NONE,
    };
    interpreter.effect(Verb::Kill, Target::Process(target), flags, Provenance::NONE);
    Object::None
}

/// Becoming another user; leaving rights behind is no escalation.
pub(super) fn set_user(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if arguments.plain.iter().any(|id| id.int() == Some(0)) {
        interpreter.effect(Verb::Escalate, Target::None, Flags::TO_ROOT, Provenance::NONE);
    }
    Object::None
}

/// A library of machine code is loaded.
pub(super) fn load_library(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let name = arguments.plain.first().cloned().unwrap_or(Object::None);
    if !matches!(name, Object::None) {
        let path = interpreter.text_of(&name);
        let plain = path.known().is_some_and(|name| !name.contains('/'));
        if !plain {
            interpreter.path(Verb::Execute, &path, Flags::HOOK);
        }
    }
    interpreter.make("library", Value::default(), Provenance::NONE)
}

pub(super) fn change_directory(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let to = interpreter.argument(arguments, 0, "path");
    interpreter.directory_change(&to);
    Object::None
}

pub(super) fn variable(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let name = arguments.get(0, "key").and_then(Object::known_text);
    let Some(name) = name else { return Object::unknown("a variable", Provenance::OUTSIDE) };
    let value = interpreter.variable(&name);
    let default = arguments.get(1, "default").cloned();
    match default {
        Some(default) if value.has_hole() && !matches!(default, Object::None) => {
            Object::value(value).or(default)
        }
        Some(_) | None => Object::value(value),
    }
}

pub(super) fn set_variable(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if let Some(name) = arguments.get(0, "key").and_then(Object::known_text) {
        let value = interpreter.argument(arguments, 1, "value");
        interpreter.set_variable(&name, &value);
    }
    Object::None
}

/// A default is what a variable is, if nobody has set it. Whether anybody has is known of none; one that switches approvals off
/// is usually not there.
pub(super) fn default_variable(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if arguments.get(0, "key").and_then(Object::known_text).is_some_and(|name| is_loosening(&name)) {
        set_variable(interpreter, arguments);
    }
    variable(interpreter, arguments)
}

pub(super) fn update_environment(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut entries = arguments
        .named
        .iter()
        .map(|(name, value)| (Object::text(&**name), value.clone()))
        .collect::<Vec<_>>();
    if let Some(Object::Dict(id)) = arguments.plain.first() {
        entries.extend(interpreter.heap.entries(*id).to_vec());
    }
    for (name, value) in entries {
        set_variable(interpreter, &Arguments::of(vec![name, value]));
    }
    Object::None
}

pub(super) fn copy_environment(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.make("environ", Value::default(), Provenance::SECRET)
}

pub(super) fn environment_items(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let thing = interpreter.make("environ", Value::default(), Provenance::SECRET);
    let pair = interpreter.heap.tuple(vec![thing.clone(), thing]);
    interpreter.heap.list(vec![pair])
}

pub(super) fn split(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.plain.first().cloned() {
        Some(Object::Text(value)) => {
            let words = split_words(&value).into_iter().map(Object::value).collect();
            interpreter.heap.list(words)
        }
        Some(other) => other,
        None => Object::None,
    }
}

pub(super) fn quote(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let object = arguments.plain.first().cloned().unwrap_or(Object::None);
    match object.known_text() {
        Some(text)
            if !text.is_empty()
                && text
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || "@%+=:,./-_".contains(letter)) =>
        {
            object
        }
        Some(text) => Object::text(format!("'{}'", text.replace('\'', "'\"'\"'"))),
        None => interpreter.unknown_from("a quoted word", &object),
    }
}

pub(super) fn join_words(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let items =
        arguments.plain.first().cloned().and_then(|list| interpreter.elements(&list)).unwrap_or_default();
    let words: Vec<Object> =
        items.into_iter().map(|word| quote(interpreter, &Arguments::of(vec![word]))).collect();
    let words = interpreter.heap.list(words);
    let method = Object::Method(Rc::new((Object::text(" "), Rc::from("join"))));
    interpreter.invoke(&method, Arguments::of(vec![words]))
}

pub(super) fn secret(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let name: Vec<String> = arguments.plain.iter().filter_map(Object::known_text).collect();
    interpreter.effect(Verb::Read, Target::Named("secret", name.join("/")), Flags::NONE, Provenance::SECRET);
    Object::unknown("a password", Provenance::SECRET)
}

/// The program that a function of `sh` or `plumbum.cmd` stands for, which has its name.
pub(super) fn command_called(name: &str) -> Option<&str> {
    let program = name.strip_prefix("sh.").or_else(|| name.strip_prefix("plumbum.cmd."))?;
    (program != "Command" && !program.contains('.')).then_some(program)
}

/// `sh.rm("-rf", "build")`.
pub(super) fn command(interpreter: &mut Interpreter<'_>, program: &str, arguments: &Arguments) -> Object {
    let mut words = vec![Object::text(program.replace('_', "-"))];
    words.extend(arguments.plain.iter().cloned());
    let ways = interpreter.each_way(&words);
    run_each(interpreter, &ways)
}

/// `pydoc.pipepager(text, command)`.
pub(super) fn pager(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    shell(interpreter, &without_first(arguments))
}

/// A program at a terminal of its own, which is typed into.
pub(super) fn spawn_console(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut arguments = arguments.clone();
    if let (Some(Object::Text(program)), Some(more)) =
        (arguments.plain.first(), arguments.get(1, "args").cloned())
    {
        let mut words: Vec<Object> = split_words(program).into_iter().map(Object::value).collect();
        words.extend(interpreter.elements(&more).unwrap_or_default());
        arguments.plain = vec![interpreter.heap.list(words)];
    }
    arguments.named = vec![(Rc::from("stdin"), Object::Int(-1))];
    interpreter.open_process(&arguments)
}

/// The secrets of a project, read as they are meant to be.
pub(super) fn own_secrets(_: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::unknown("secrets", Provenance::SECRET)
}

/// The passwords for other machines that a person keeps.
pub(super) fn netrc(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = match arguments.get(0, "file") {
        Some(file) => interpreter.text_of(&file.clone()),
        None => interpreter.expand_user(&Value::literal("~/.netrc")),
    };
    let content = interpreter.read(&path);
    Object::unknown("passwords", content.provenance)
}

/// Whoever listens to the keyboard hears passwords.
pub(super) fn keys(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let keyboard = Target::Named("secret", "what is typed".to_owned());
    interpreter.effect(Verb::Read, keyboard, Flags::NONE, Provenance::SECRET);
    for argument in arguments.all() {
        interpreter.hand_over(argument);
    }
    Object::unknown("what is typed", Provenance::SECRET)
}

/// `pip.main([…])` is the program of that name.
pub(super) fn install(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let given = arguments.get(0, "args").cloned().unwrap_or(Object::None);
    let mut ways = interpreter.argvs(&given);
    for argv in &mut ways {
        argv.insert(0, Value::literal("pip"));
    }
    run_each(interpreter, &ways)
}

/// `CFUNCTYPE(…)`: makes a function for C of one of Python's, or a function for Python of an address.
pub(super) fn prototype(_: &mut Interpreter<'_>, _: &Arguments) -> Object {
    Object::library("ctypes.CFUNCTYPE()")
}

pub(super) fn from_prototype(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.plain.first() {
        Some(Object::Int(_) | Object::Unknown(_) | Object::Bytes(..)) => {
            Object::library("ctypes.CFUNCTYPE()()")
        }
        Some(called) => {
            interpreter.hand_over(called);
            called.clone()
        }
        None => Object::None,
    }
}

/// What lies at an address is run as it is.
pub(super) fn machine_code(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    let code = Value::unknown("machine code", Provenance::DECODED);
    interpreter.code(Lang::Other("machine code"), &code);
    Object::unknown("a result", Provenance::NONE)
}

pub(super) fn run_file(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    for path in interpreter.argument_choices(arguments, 0, "path_name") {
        interpreter.python_file(&path);
    }
    Object::unknown("names", Provenance::NONE)
}

pub(super) fn load_source(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 1, "pathname");
    interpreter.python_file(&path);
    Object::unknown("a module", Provenance::NONE)
}

pub(super) fn module_loader(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 1, "location");
    interpreter.make("loader", path, Provenance::NONE)
}

pub(super) fn run_module(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let module = interpreter.argument(arguments, 0, "mod_name");
    let mut argv = vec![Value::literal("python3"), Value::literal("-m"), module];
    // What the program was told is what the module is told.
    let told = interpreter.attribute(&Object::library("sys"), &Rc::from("argv"));
    let told = if matches!(told, Object::List(_)) { interpreter.elements(&told) } else { None };
    for word in told.unwrap_or_default().iter().skip(1) {
        argv.push(interpreter.text_of(word));
    }
    run_argv(interpreter, &argv)
}

pub(super) fn remote(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let host = if arguments.plain.is_empty() {
        Value::literal("a remote host")
    } else {
        interpreter.argument(arguments, 0, "host")
    };
    interpreter.make("ssh", host, Provenance::NETWORK)
}

/// A value is set in the registry; some keys start programs.
pub(super) fn registry(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let shown = interpreter.argument(arguments, 1, "sub_key").shown();
    interpreter.effect(Verb::Persist, Target::Named("schedule", shown), Flags::NONE, Provenance::NONE);
    Object::None
}

pub(super) fn delete_key(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let key = Target::Named("registry key", interpreter.argument(arguments, 1, "sub_key").shown());
    interpreter.effect(Verb::Configure, key, Flags::IRREVERSIBLE, Provenance::NONE);
    Object::None
}

pub(super) fn schedule(interpreter: &mut Interpreter<'_>, _: &Arguments) -> Object {
    interpreter.effect(
        Verb::Persist,
        Target::Named("schedule", "crontab".to_owned()),
        Flags::NONE,
        Provenance::NONE,
    );
    Object::unknown("a crontab", Provenance::NONE)
}
