//! Libraries that run what they are told by a name or a text: configurations, examples, browsers, the tools of an agent.

use std::rc::Rc;

use super::super::interpret::{Arguments, Interpreter, Object, split_words};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

/// How deep a configuration is looked through.
const MAX_DEEP: u32 = 8;

/// `logging.config.dictConfig`: what stands at `()` is called with the rest as arguments.
pub(super) fn configure(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    if let Some(config) = arguments.all().next().cloned() {
        configured(interpreter, &config, MAX_DEEP);
    }
    Object::None
}

fn configured(interpreter: &mut Interpreter<'_>, object: &Object, deep: u32) {
    if deep == 0 || !interpreter.spend(1) {
        return;
    }
    match object {
        Object::Dict(id) => {
            let entries = interpreter.heap.entries(*id).to_vec();
            for (_, value) in &entries {
                configured(interpreter, value, deep - 1);
            }
            let maker = entries.iter().find(|(key, _)| {
                key.known_text().is_some_and(|key| matches!(key.as_str(), "()" | "class" | "factory"))
            });
            if let Some((_, maker)) = maker {
                let called = match maker.known_text() {
                    Some(name) => interpreter.dotted(name.trim_start_matches("ext://")),
                    None => maker.clone(),
                };
                let others = entries.iter().filter(|(_, value)| value != maker);
                let named: Vec<(Rc<str>, Object)> = others
                    .filter_map(|(key, value)| Some((Rc::from(key.known_text()?), value.clone())))
                    .collect();
                interpreter.invoke(&called, Arguments { plain: Vec::new(), named, open: true });
            }
        }
        Object::List(id) | Object::Tuple(id) => {
            for item in interpreter.heap.items(*id).to_vec() {
                configured(interpreter, &item, deep - 1);
            }
        }
        _ => {}
    }
}

/// `doctest.testmod()`: the examples in the program's documentation run.
pub(super) fn run_examples(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut texts = interpreter.examples.clone();
    for argument in arguments.all() {
        texts.extend(argument.known_text().map(|text| Rc::from(text.as_str())));
    }
    for text in texts {
        let code = examples(&text);
        if !code.is_empty() {
            interpreter.python(&Object::text(code));
        }
    }
    Object::unknown("results", Provenance::NONE)
}

/// The lines of code among documentation.
fn examples(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        let line = line.trim_start();
        let rest = line
            .strip_prefix(">>>")
            .or_else(|| line.strip_prefix("..."))
            .map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        if let Some(rest) = rest {
            code.push_str(rest);
            code.push('\n');
        }
    }
    code
}

/// `webbrowser.get("command %s")`: a command that opens a page.
pub(super) fn browser(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    for command in interpreter.argument_choices(arguments, 0, "using") {
        let words: Vec<Value> = split_words(&command);
        if words.len() > 1 || command.shown().contains('/') {
            interpreter.run(&words, &Value::default());
        }
    }
    Object::unknown("a browser", Provenance::NONE)
}

/// `venv.create(path, clear=True)` and `venv.EnvBuilder`.
pub(super) fn environment(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let path = interpreter.argument(arguments, 0, "env_dir");
    if arguments.get(2, "clear").is_some_and(|clear| !matches!(clear, Object::Bool(false) | Object::None)) {
        let below = super::super::interpret::below(&path);
        interpreter.path(Verb::Delete, &below, Flags::RECURSIVE);
    }
    interpreter.path(Verb::Write, &path, Flags::RECURSIVE);
    Object::None
}

/// `venv.EnvBuilder(clear=True)`: its `create` gets the path.
pub(super) fn environment_builder(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut given = Arguments::default();
    if let Some(clear) = arguments.get(1, "clear") {
        given.named.push((Rc::from("clear"), clear.clone()));
    }
    let create = interpreter.heap.partial(Object::library("venv.create"), given);
    let builder = interpreter.heap.instance(Object::None);
    interpreter.set_attribute(&builder, &Rc::from("create"), create);
    builder
}

/// `hermes_tools.terminal(command)`: the command runs in the agent's own terminal.
pub(super) fn terminal(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let before = interpreter.directory();
    if arguments.named("workdir").is_some() {
        let to = interpreter.argument(arguments, usize::MAX, "workdir");
        interpreter.directory_change(&to);
    }
    for command in interpreter.argument_choices(arguments, 0, "command") {
        interpreter.code(Lang::Shell, &command);
    }
    if let Some(back) = before {
        interpreter.directory_change(&Value::literal(back));
    }
    Object::unknown("its output", Provenance::OUTSIDE)
}

/// `hermes_tools.write_file(path, content)`.
pub(super) fn write_file(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let content = interpreter.argument(arguments, 1, "content");
    for path in interpreter.argument_choices(arguments, 0, "path") {
        interpreter.write(&path, &content, Flags::TRUNCATE);
    }
    Object::unknown("a result", Provenance::NONE)
}

/// `hermes_tools.patch(path, old, new)`; in its other mode a text names the files.
pub(super) fn patch(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut paths = Vec::new();
    if arguments.get(0, "path").is_some() {
        paths = interpreter.argument_choices(arguments, 0, "path");
    }
    if let Some(text) = arguments.named("patch").and_then(Object::known_text) {
        let named = text.lines().filter_map(|line| line.strip_prefix("*** ")?.split_once(" File: "));
        paths.extend(named.map(|(_, path)| Value::literal(path.trim())));
    } else if arguments.named("patch").is_some() {
        paths.push(interpreter.argument(arguments, usize::MAX, "path"));
    }
    for path in paths {
        let content = Value::unknown("a patch", Provenance::NONE);
        interpreter.write(&path, &content, Flags::IN_PLACE);
    }
    Object::unknown("a result", Provenance::NONE)
}

/// `hermes_tools.read_file(path)`.
pub(super) fn read_file(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let mut provenance = Provenance::NONE;
    for path in interpreter.argument_choices(arguments, 0, "path") {
        provenance |= interpreter.read(&path).provenance;
    }
    Object::unknown("a file", provenance)
}

/// `hermes_tools.web_extract(urls)`.
pub(super) fn fetch(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let given = arguments.get(0, "urls").cloned().unwrap_or(Object::None);
    let urls = match &given {
        Object::List(_) | Object::Tuple(_) => interpreter.elements(&given).unwrap_or_default(),
        _ => vec![given],
    };
    let data = interpreter.provenance_of(arguments);
    for url in urls {
        let url = interpreter.text_of(&url);
        interpreter.connect(Verb::Connect, &url, Flags::DOWNLOAD, data);
    }
    Object::unknown("pages", Provenance::NETWORK)
}
