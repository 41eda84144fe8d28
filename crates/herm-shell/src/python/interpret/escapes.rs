//! What leaves the program's hands: whoever is given a function may call it, with whatever it likes.

use std::rc::Rc;

use super::super::library;
use super::bounds::MAX_TURNS;
use super::object::Used;
use super::{Arguments, Found, Interpreter, Object};
use crate::gap::{Position, Reason};
use crate::value::{Piece, Provenance, Value};

/// How many items of a list or dictionary are looked through for functions.
const MAX_GIVEN: usize = 64;

/// How deep lists within lists are looked through.
const MAX_DEEP: u32 = 3;

impl Interpreter<'_> {
    /// Says that something is called of which it is not known what it is.
    pub(in crate::python) fn dynamic(&mut self, what: &str) {
        if self.speaks() {
            self.sink.gap(Position::Unfollowed, Reason::Runtime, what);
        }
    }

    /// Something that is not known is called; its result depends on what it is given.
    pub(in crate::python) fn call_unknown(&mut self, called: &Object, arguments: &Arguments) -> Object {
        if called.is_any_function() {
            self.unfollowed("one of many functions");
        }
        if let Object::Unknown(unknown) = called
            && unknown.found == Found::Named
        {
            self.dynamic(&unknown.shown);
        }
        if let Object::Library(name) = called
            && let Some((function, _)) = name.rsplit_once('.')
            && library::acts(function)
        {
            self.dynamic(name);
        }
        if !keeps(called) {
            for callable in self.callables_of(arguments) {
                self.hand_over(&callable);
            }
        }
        if !keeps(called) {
            self.reaches(called, arguments);
        }
        let shown = match called {
            Object::Library(name) => format!("{name}()"),
            Object::Unknown(unknown) => format!("{}()", unknown.shown),
            _ => "a result".to_owned(),
        };
        // A query that nothing narrows is the whole one.
        let shown = match shown.strip_suffix(".filter()").or_else(|| shown.strip_suffix(".exclude()")) {
            Some(query) if arguments.plain.is_empty() && arguments.named.is_empty() => {
                format!("{query}.all()")
            }
            Some(_) | None => shown,
        };
        let secrets = self.secrets_among(&shown, arguments);
        Object::unknown(&shown, self.provenance(called) | self.provenance_of(arguments) | secrets)
    }

    /// The words that something unknown is given may be a command for it.
    fn reaches(&mut self, called: &Object, arguments: &Arguments) {
        let name = match called {
            Object::Library(name) => name.rsplit('.').next().unwrap_or_default(),
            Object::Unknown(unknown) => unknown.shown.rsplit('.').next().unwrap_or_default(),
            _ => return,
        };
        if is_inert(name) {
            return;
        }
        let mut words: Vec<Value> = Vec::new();
        let named = arguments.named.iter().filter(|(name, _)| !TOLD.contains(&&**name));
        for argument in arguments.plain.iter().chain(named.map(|(_, value)| value)) {
            match argument {
                Object::Text(value) if may_be_command(value) => words.push(value.as_ref().clone()),
                Object::List(_) | Object::Tuple(_) => {
                    let items = self.elements(argument).unwrap_or_default();
                    let items: Vec<Value> = items.iter().take(MAX_GIVEN).filter_map(text_in).collect();
                    if items.len() > 1 {
                        self.cast(&items);
                    }
                }
                _ => {}
            }
        }
        if !words.is_empty() {
            self.cast(&words);
        }
    }

    fn cast(&mut self, words: &[Value]) {
        let length: usize = words.iter().map(Value::size).sum();
        if length <= MAX_COMMAND && self.spend(1 + length / 64) && self.speaks() {
            self.sink.reaches(words);
        }
    }

    /// Whatever can be called among the arguments of a call, and how often each was called so far.
    pub(super) fn given(&mut self, arguments: &Arguments) -> Vec<(Object, u32)> {
        let callables = self.callables_of(arguments);
        callables
            .into_iter()
            .map(|callable| (self.calls_of(&callable), callable))
            .map(|(calls, callable)| (callable, calls))
            .collect()
    }

    fn callables_of(&mut self, arguments: &Arguments) -> Vec<Object> {
        let mut found = Vec::new();
        for argument in arguments.all() {
            self.collect_callables(argument, MAX_DEEP, &mut found);
        }
        self.spend(found.len());
        found
    }

    fn collect_callables(&self, object: &Object, deep: u32, found: &mut Vec<Object>) {
        if found.len() >= MAX_GIVEN {
            return;
        }
        match object {
            Object::Class(_) | Object::Function(_) | Object::Instance(_) | Object::Partial(_) => {
                found.push(object.clone());
            }
            Object::Library(name) if library::acts(name) => found.push(object.clone()),
            Object::Method(method) if matches!(method.0, Object::Instance(_) | Object::Class(_)) => {
                found.push(object.clone());
            }
            Object::List(id) | Object::Tuple(id) if deep > 0 => {
                for item in self.heap.items(*id).iter().take(MAX_GIVEN) {
                    self.collect_callables(item, deep - 1, found);
                }
            }
            Object::Dict(id) if deep > 0 => {
                for (_, value) in self.heap.entries(*id).iter().take(MAX_GIVEN) {
                    self.collect_callables(value, deep - 1, found);
                }
            }
            Object::OneOf(choices) if deep > 0 => {
                for choice in choices.iter() {
                    self.collect_callables(choice, deep - 1, found);
                }
            }
            _ => {}
        }
    }

    fn calls_of(&self, callable: &Object) -> u32 {
        match callable {
            Object::Function(id) => self.heap.closure(*id).map_or(0, |closure| closure.follows),
            Object::Library(name) => self.acted.get(name).copied().unwrap_or(0),
            Object::Partial(id) => self.heap.partial_at(*id).map_or(0, |(inner, _)| match inner {
                Object::Partial(_) => 0,
                inner => self.calls_of(&inner),
            }),
            Object::Method(method) => match (&method.0, self.class_of(&method.0)) {
                (_, Some(class)) => self.class_attribute(class, &method.1).map_or(0, |member| match member {
                    member @ Object::Function(_) => self.calls_of(&member),
                    _ => 0,
                }),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// The class of the program that something is, or is of.
    pub(super) fn class_of(&self, object: &Object) -> Option<super::Id> {
        match object {
            Object::Class(id) => Some(*id),
            Object::Instance(id) => match self.heap.instance_at(*id)?.0 {
                Object::Class(id) => Some(*id),
                _ => None,
            },
            _ => None,
        }
    }

    /// After a call: what it was given and did not visibly call, it may have called with anything, or may do so later.
    pub(super) fn settle(&mut self, called: &Object, given: &[(Object, u32)], arguments: &Arguments) {
        if keeps(called) {
            return;
        }
        for (callable, calls) in given.iter().take(MAX_TURNS) {
            match callable {
                Object::Library(name) if self.calls_of(callable) == *calls => {
                    self.call_back(&Rc::clone(name), arguments);
                }
                // How classes and their objects are used shows at the end.
                Object::Class(id) if is_described(called) => self.heap.use_class(*id, Used::Given),
                Object::Instance(_) => {}
                _ if self.calls_of(callable) == *calls && is_described(called) => self.hand_over(callable),
                _ => {}
            }
        }
    }

    /// `later(os.system, "command")`: a function that is handed over with what follows it is taken to be called with that. Where nothing
    /// follows it, it may be called with anything.
    fn call_back(&mut self, name: &Rc<str>, arguments: &Arguments) {
        let at = arguments.plain.iter().position(|argument| argument.is_library(name));
        let rest = at.and_then(|at| arguments.plain.get(at + 1..)).unwrap_or_default().to_vec();
        let rest = match (rest.as_slice(), at) {
            ([all @ (Object::Tuple(_) | Object::List(_)), ..], Some(at)) if at > 0 => {
                self.elements(all).unwrap_or_default()
            }
            _ => rest,
        };
        let is_known = matches!(
            rest.first(),
            Some(Object::Text(_) | Object::Path(_) | Object::Bytes(..) | Object::List(_) | Object::Tuple(_))
        );
        if !rest.is_empty() {
            self.call_library(name, &Arguments::of(rest));
        }
        if is_known {
            return;
        }
        for text in self.texts_of(arguments) {
            self.call_library(name, &Arguments::of(vec![text]));
        }
        self.dynamic(&format!("a call of {name}"));
    }

    /// The texts among arguments.
    fn texts_of(&mut self, arguments: &Arguments) -> Vec<Object> {
        let mut found = Vec::new();
        for argument in arguments.all().cloned().collect::<Vec<_>>() {
            match &argument {
                Object::Text(_) | Object::Bytes(..) => found.push(argument),
                Object::List(_) | Object::Tuple(_) | Object::Dict(_) => {
                    let items = self.elements(&argument).unwrap_or_default();
                    found.extend(items.into_iter().filter(|item| matches!(item, Object::Text(_))));
                }
                _ => {}
            }
        }
        found.truncate(MAX_GIVEN);
        found
    }

    /// A function of the program that leaves its hands is taken to be called with anything.
    pub(in crate::python) fn hand_over(&mut self, object: &Object) {
        match object {
            Object::Function(id) => drop(self.call_function(*id, anything())),
            Object::Class(id) => {
                self.heap.use_class(*id, Used::Given);
                self.run_methods(*id);
            }
            Object::Instance(_) => {
                if let Some(class) = self.class_of(object) {
                    self.heap.use_class(class, Used::Given);
                }
            }
            Object::Method(method) if matches!(method.0, Object::Instance(_) | Object::Class(_)) => {
                self.call_member(&method.0, &method.1, anything());
            }
            Object::Partial(_) => drop(self.invoke(object, anything())),
            _ => {}
        }
    }

    /// Something that can be called is put where it is not known who calls it.
    pub(super) fn leave(&mut self, object: &Object) {
        let given = Arguments::of(vec![object.clone()]);
        for callable in self.callables_of(&given) {
            match &callable {
                Object::Library(name) => self.dynamic(&format!("a call of {name}")),
                other => self.hand_over(other),
            }
        }
    }

    /// A text of documentation is kept, if there are examples in it that can be run.
    pub(super) fn keep_example(&mut self, text: &str) {
        if text.contains(">>>") && self.examples.len() < MAX_GIVEN {
            self.examples.push(Rc::from(text));
        }
    }

    pub(super) fn keep_examples(&mut self, object: &Object) {
        if let Object::Text(value) = object
            && let Some(text) = value.known()
        {
            self.keep_example(&text);
        }
    }
}

/// The longest text that is read once more as a command.
const MAX_COMMAND: usize = 4096;

/// How functions are called that show, compare, keep or look for text, and run none.
const INERT: &[&str] = &[
    "add_argument",
    "add_parser",
    "append",
    "assert_",
    "blockquote",
    "compile",
    "contains",
    "critical",
    "debug",
    "describe",
    "dumps",
    "echo",
    "encode",
    "endswith",
    "error",
    "escape",
    "exception",
    "fail",
    "findall",
    "format",
    "fullmatch",
    "header",
    "info",
    "label",
    "log",
    "markdown",
    "match",
    "message",
    "option",
    "parametrize",
    "print",
    "question",
    "replace",
    "search",
    "secho",
    "set_title",
    "skip",
    "split",
    "startswith",
    "strip",
    "sub",
    "text",
    "title",
    "trace",
    "warn",
    "warning",
    "write",
];

/// What named arguments are called that people read.
const TOLD: &[&str] = &[
    "caption",
    "content",
    "description",
    "desc",
    "doc",
    "epilog",
    "help",
    "label",
    "message",
    "msg",
    "name",
    "placeholder",
    "prompt",
    "reason",
    "summary",
    "text",
    "title",
    "usage",
];

fn is_inert(name: &str) -> bool {
    let name = name.trim_end_matches("()");
    INERT.contains(&name) || name.starts_with("assert")
}

/// Whether a text has more than one word, and so may be a command with operands.
fn may_be_command(value: &Value) -> bool {
    value
        .pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Literal(text) if text.trim().contains([' ', '\t', '\n'])))
}

fn text_in(object: &Object) -> Option<Value> {
    if let Object::Text(value) = object { Some(value.as_ref().clone()) } else { None }
}

/// Arguments of which nothing is known.
pub(super) fn anything() -> Arguments {
    Arguments { open: true, ..Arguments::default() }
}

/// Whether what it does is described, so that what it is given is only called where that is written.
fn is_described(called: &Object) -> bool {
    match called {
        Object::Library(name) => library::describes(name),
        Object::Method(method) => !matches!(method.0, Object::Unknown(_)),
        _ => true,
    }
}

/// Methods of lists and dictionaries that put something into them, or look for it.
const KEEPING: &[&str] = &[
    "__contains__",
    "__getitem__",
    "__setitem__",
    "add",
    "append",
    "appendleft",
    "copy",
    "count",
    "discard",
    "extend",
    "get",
    "index",
    "insert",
    "items",
    "keys",
    "pop",
    "popleft",
    "put",
    "remove",
    "setdefault",
    "union",
    "update",
    "values",
];

/// Whether it calls nothing of what it is given: it looks at it, or keeps it where the program finds it again.
fn keeps(called: &Object) -> bool {
    match called {
        Object::Library(name) => library::keeps(name),
        Object::Method(method) => {
            matches!(method.0, Object::List(_) | Object::Tuple(_) | Object::Dict(_))
                && KEEPING.contains(&&*method.1)
        }
        Object::Class(_)
        | Object::Function(_)
        | Object::Instance(_)
        | Object::Partial(_)
        | Object::OneOf(_) => true,
        _ => false,
    }
}

/// A value that shows a looked-up name.
pub(super) fn looked_up(object: &Object, shown: &str, provenance: Provenance) -> Object {
    let found = if matches!(object, Object::Library(name) if &**name == "sys.modules") {
        Found::Module
    } else {
        Found::Named
    };
    Object::found(shown, provenance, found)
}

/// The text before what is not known of a name.
pub(super) fn beginning(name: &Object) -> String {
    if let Object::Text(value) = name { Value::known_prefix(value) } else { String::new() }
}
