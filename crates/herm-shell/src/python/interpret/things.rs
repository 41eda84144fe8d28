//! Objects of libraries: files, sockets, responses, processes and what can be done with them.

use std::rc::Rc;

use super::super::library;
use super::services::CLIENT;
use super::{Access, Arguments, Id, Interpreter, Object, Thing, hole};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

/// How many fields of a thing are looked at or copied for a unit of work.
const FIELDS_A_UNIT: usize = 8;

/// How many bytes of what a thing is about are copied for a unit of work.
const BYTES_A_UNIT: usize = 512;

impl Interpreter<'_> {
    pub(in crate::python) fn new_thing(&self, class: &str, about: Value) -> Thing {
        Thing {
            class: Rc::from(class),
            about,
            content: Object::None,
            provenance: Provenance::NONE,
            access: Access::Read,
            fields: Vec::new(),
            span: self.span,
        }
    }

    /// A thing about a place, from which data with this provenance comes.
    pub(in crate::python) fn make(&mut self, class: &str, about: Value, provenance: Provenance) -> Object {
        let mut thing = self.new_thing(class, about);
        thing.provenance = provenance;
        thing.content = Object::unknown(class, provenance);
        self.heap.thing(thing)
    }

    /// What came over the network.
    pub(in crate::python) fn response(&mut self, url: Value) -> Object {
        let shown = url.shown();
        let mut thing = self.new_thing("response", url);
        thing.provenance = Provenance::NETWORK;
        thing.content = Object::unknown(&format!("the content of {shown}"), Provenance::NETWORK);
        self.heap.thing(thing)
    }

    pub(super) fn environment_thing(&mut self) -> Object {
        self.make("environ", Value::default(), Provenance::SECRET)
    }

    pub(super) fn thing_value(&mut self, id: Id) -> Value {
        let Some(thing) = self.heap.thing_at(id) else { return Value::default() };
        let (class, provenance, about) = (Rc::clone(&thing.class), thing.provenance, thing.about.clone());
        match &*class {
            "environ" => self.environment(),
            "temporary" => about,
            _ => hole(&class, provenance),
        }
    }

    pub(super) fn thing_elements(&mut self, id: Id) -> Option<Vec<Object>> {
        let thing = self.heap.thing_at(id)?;
        let (class, content, about) = (Rc::clone(&thing.class), thing.content.clone(), thing.about.clone());
        match &*class {
            "environ" | CLIENT => Some(vec![Object::Thing(id)]),
            "entries" => {
                let mut entry = self.new_thing("entry", about.clone());
                entry.content = Object::value(about);
                Some(vec![self.heap.thing(entry)])
            }
            "file" => match content.known_text() {
                Some(text) => Some(text.lines().map(Object::text).collect()),
                None => Some(vec![content]),
            },
            _ => None,
        }
    }

    pub(super) fn thing_item(&mut self, id: Id, index: &Object) -> Object {
        let Some(thing) = self.heap.thing_at(id) else { return Object::None };
        match (&*thing.class, index.known_text()) {
            ("environ", Some(name)) => Object::value(self.variable(&name)),
            ("library", Some(name)) => self.thing_attribute(id, &Rc::from(name)),
            (CLIENT, name) => self.client_noun(id, name.as_deref().unwrap_or("it")),
            _ => Object::unknown("an item", thing.provenance),
        }
    }

    /// Takes what copying a thing costs, or looking through its fields.
    fn spend_on_thing(&mut self, id: Id) -> bool {
        let weight = self
            .heap
            .thing_at(id)
            .map_or(0, |thing| thing.fields.len() / FIELDS_A_UNIT + thing.about.size() / BYTES_A_UNIT);
        self.spend(weight)
    }

    pub(super) fn thing_attribute(&mut self, id: Id, name: &Rc<str>) -> Object {
        if !self.spend_on_thing(id) {
            return Object::None;
        }
        let Some(thing) = self.heap.thing_at(id) else { return Object::None };
        if let Some((_, field)) = thing.fields.iter().rev().find(|(field, _)| field == name) {
            return field.clone();
        }
        match (&*thing.class, &**name) {
            ("response", "text" | "content" | "raw" | "data" | "body")
            | ("process", "stdout" | "stderr" | "output") => thing.content.clone(),
            ("tcl", "tk") | ("process", "stdin") | ("file", "buffer" | "file") | ("loader", "loader") => {
                Object::Thing(id)
            }
            ("file" | "temporary" | "entry", "name" | "path") => Object::value(thing.about.clone()),
            _ => Object::Method(Rc::new((Object::Thing(id), Rc::clone(name)))),
        }
    }

    /// A method of a thing.
    pub(super) fn call_thing(&mut self, id: Id, name: &str, arguments: &Arguments) -> Object {
        if !self.spend_on_thing(id) {
            return Object::unknown(name, Provenance::NONE);
        }
        let Some(thing) = self.heap.thing_at(id).cloned() else { return Object::None };
        self.actions += 1;
        match &*thing.class {
            "file" => self.file_method(id, &thing, name, arguments),
            "process" => self.process_method(id, &thing, name, arguments),
            "socket" => self.socket_method(id, &thing, name, arguments),
            "response" => self.response_method(&thing, name, arguments),
            "session" => self.session_method(name, arguments),
            "connection" => self.connection_method(&thing, name, arguments),
            "mail" | "upload" => self.upload_method(&thing, name, arguments),
            "ssh" => self.ssh_method(&thing, name, arguments),
            "library" => self.native_call(name, arguments),
            "interpreter" => self.interpreter_method(name, arguments),
            "tcl" => self.tcl_method(id, name, arguments),
            "pool" => self.pool_method(name, arguments),
            "database" => self.database_method(id, &thing, name, arguments),
            "archive" => self.archive_method(&thing, name, arguments),
            "environ" => self.environ_method(id, name, arguments),
            CLIENT => self.client_method(id, &thing, name, arguments),
            "commands" => self.command_method(id, name, arguments),
            "loader" => {
                self.python_file(&thing.about);
                Object::Thing(id)
            }
            "caller" => self.caller(&thing, arguments),
            "entry" | "temporary" => self.unknown_from(name, &Object::Thing(id)),
            _ => {
                let unknown = Object::unknown(&format!("{}.{name}", thing.class), thing.provenance);
                self.call_unknown(&unknown, arguments)
            }
        }
    }

    fn file_method(&mut self, id: Id, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "write" | "writelines" => {
                let content = arguments.plain.first().cloned().unwrap_or(Object::None);
                let content = match content {
                    Object::List(list) => {
                        let items = self.heap.items(list).to_vec();
                        self.concatenate(&items)
                    }
                    other => other,
                };
                self.write_file(id, thing, &content);
                Object::unknown("a number", Provenance::NONE)
            }
            "truncate" => {
                self.path(Verb::Write, &thing.about, Flags::TRUNCATE);
                Object::None
            }
            "readlines" => match self.thing_elements(id) {
                Some(lines) => self.heap.list(lines),
                None => thing.content.clone(),
            },
            "read" | "readline" | "getvalue" | "readall" | "read1" => thing.content.clone(),
            "__enter__" | "fileno" | "detach" => Object::Thing(id),
            _ => self.unknown_from(name, &Object::Thing(id)),
        }
    }

    pub(in crate::python) fn write_file(&mut self, id: Id, thing: &Thing, content: &Object) {
        let flags = match thing.access {
            Access::Append | Access::Written => Flags::APPEND,
            Access::Edit => Flags::IN_PLACE,
            Access::Read | Access::Replace => Flags::TRUNCATE,
        };
        for choice in content.choices() {
            let content = self.text_of(choice);
            self.write(&thing.about, &content, flags);
        }
        if let Some(thing) = self.heap.thing_mut(id) {
            thing.access = Access::Written;
        }
    }

    /// Files that were opened to be written, but to which nothing visible was written.
    pub(super) fn finish_files(&mut self) {
        let open: Vec<(Value, Access, crate::span::Span)> = self
            .heap
            .things()
            .filter(|thing| {
                &*thing.class == "file" && !matches!(thing.access, Access::Read | Access::Written)
            })
            .map(|thing| (thing.about.clone(), thing.access, thing.span))
            .collect();
        for (path, access, span) in open {
            self.span = span;
            let flags = match access {
                Access::Append => Flags::APPEND,
                Access::Edit => Flags::IN_PLACE,
                Access::Read | Access::Replace | Access::Written => Flags::TRUNCATE,
            };
            self.path(Verb::Write, &path, flags);
        }
    }

    fn process_method(&mut self, id: Id, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "communicate" | "write" | "send" | "sendline" => {
                let input = arguments.get(0, "input").cloned().unwrap_or(Object::None);
                let input = if matches!(input, Object::None) { Object::text("") } else { input };
                let done = self.feed_process(id, input);
                let output = if let Object::Thing(id) = done {
                    self.thing_attribute(id, &Rc::from("stdout"))
                } else {
                    done
                };
                self.heap.tuple(vec![output, Object::text("")])
            }
            "read" | "readline" | "readlines" | "stdout" => thing.content.clone(),
            "strip" | "decode" | "splitlines" | "split" => {
                self.call_method(&thing.content, &Rc::from(name), arguments)
            }
            "kill" | "terminate" | "send_signal" | "wait" | "poll" | "close" | "flush" => {
                Object::unknown("a status", Provenance::NONE)
            }
            _ => Object::Thing(id),
        }
    }

    fn socket_method(&mut self, id: Id, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "connect" | "connect_ex" => {
                let to = self.address(arguments.plain.first());
                self.connect(Verb::Connect, &to, Flags::NONE, Provenance::NONE);
                self.connected = true;
                if let Some(thing) = self.heap.thing_mut(id) {
                    thing.about = to;
                }
                Object::None
            }
            "bind" => {
                let to = self.address(arguments.plain.first());
                if let Some(thing) = self.heap.thing_mut(id) {
                    thing.about = to;
                }
                Object::None
            }
            "listen" => {
                self.connect(Verb::Listen, &thing.about, Flags::NONE, Provenance::NONE);
                self.connected = true;
                Object::None
            }
            "accept" => {
                self.connected = true;
                self.heap.tuple(vec![Object::Thing(id), Object::unknown("an address", Provenance::NETWORK)])
            }
            "send" | "sendall" | "sendto" | "sendfile" => {
                let data = self.provenance_of(arguments);
                let to =
                    if name == "sendto" { self.address(arguments.plain.last()) } else { thing.about.clone() };
                self.connect(Verb::Send, &to, Flags::UPLOAD, data);
                Object::None
            }
            "recv" | "recvfrom" | "recv_into" | "read" | "readline" | "readlines" => {
                Object::unknown("what the socket receives", Provenance::NETWORK)
            }
            "makefile" | "fileno" | "dup" | "detach" | "__enter__" => Object::Thing(id),
            _ => Object::unknown(name, Provenance::NETWORK),
        }
    }

    /// `(host, port)` as `host:port`.
    pub(in crate::python) fn address(&mut self, object: Option<&Object>) -> Value {
        let Some(object) = object else { return hole("an address", Provenance::NONE) };
        let parts =
            if matches!(object, Object::Tuple(_) | Object::List(_)) { self.elements(object) } else { None };
        match parts.as_deref() {
            Some([host, port, ..]) => {
                let mut to = self.text_of(host);
                let port = self.text_of(port);
                to.push_str(":");
                to.push(&port);
                to
            }
            _ => self.text_of(object),
        }
    }

    fn response_method(&mut self, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "raise_for_status" | "close" | "getcode" => Object::None,
            "readinto" | "read" | "readlines" | "readline" | "json" | "text" | "iter_content"
            | "iter_lines" | "getvalue" => thing.content.clone(),
            _ => {
                let unknown = thing.content.clone();
                self.call_unknown(&unknown, arguments)
            }
        }
    }

    fn session_method(&mut self, name: &str, arguments: &Arguments) -> Object {
        match name {
            "get" | "post" | "put" | "patch" | "delete" | "head" | "options" | "request" | "stream"
            | "urlopen" | "open" | "send" | "ws_connect" | "emit" => {
                library::call(self, &format!("requests.{name}"), arguments).unwrap_or(Object::None)
            }
            "__enter__" => self.make("session", Value::default(), Provenance::NONE),
            _ => Object::unknown(name, Provenance::NETWORK),
        }
    }

    /// `http.client` and its kin: the host was given before.
    fn connection_method(&mut self, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "request" | "send" | "endheaders" | "putheader" => {
                let data = self.provenance_of(arguments);
                let method = arguments.plain.first().and_then(Object::known_text).unwrap_or_default();
                let sends = !matches!(method.as_str(), "GET" | "HEAD") || data.has(Provenance::SECRET);
                let (verb, flags) =
                    if sends { (Verb::Send, Flags::UPLOAD) } else { (Verb::Connect, Flags::DOWNLOAD) };
                self.connect(verb, &thing.about, flags, data);
                self.response(thing.about.clone())
            }
            "getresponse" => self.response(thing.about.clone()),
            _ => Object::unknown(name, Provenance::NETWORK),
        }
    }

    /// Mail and file transfer.
    fn upload_method(&mut self, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "sendmail" | "send_message" | "storbinary" | "storlines" | "put" | "putfo" => {
                let mut data = self.provenance_of(arguments);
                if name == "put" {
                    let path = self.argument(arguments, 0, "filename");
                    data |= self.read(&path).provenance;
                }
                self.connect(Verb::Send, &thing.about, Flags::UPLOAD, data);
                Object::None
            }
            "connect" => {
                let to = self.argument(arguments, 0, "host");
                self.connect(Verb::Connect, &to, Flags::NONE, Provenance::NONE);
                Object::None
            }
            _ => Object::unknown(name, Provenance::NETWORK),
        }
    }

    /// What runs on another machine happens there.
    fn ssh_method(&mut self, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "connect" => {
                let to = self.argument(arguments, 0, "hostname");
                self.connect(Verb::Connect, &to, Flags::NONE, Provenance::NONE);
            }
            "exec_command" | "run" | "sudo" => {
                let command = self.argument(arguments, 0, "command");
                let host = thing.about.shown();
                self.remotely(&host, |this| drop(this.code(Lang::Shell, &command)));
            }
            "open_sftp" => return self.make("upload", thing.about.clone(), Provenance::NETWORK),
            "put" => {
                let path = self.argument(arguments, 0, "local");
                let data = self.read(&path).provenance;
                self.connect(Verb::Send, &thing.about, Flags::UPLOAD, data);
            }
            "local" => {
                let command = self.argument(arguments, 0, "command");
                self.code(Lang::Shell, &command);
            }
            _ => {}
        }
        let output = Object::unknown("its output", Provenance::NETWORK);
        self.heap.tuple(vec![output.clone(), output.clone(), output])
    }

    /// `Context().run("command")`: what tasks are given to run commands with.
    fn command_method(&mut self, id: Id, name: &str, arguments: &Arguments) -> Object {
        match name {
            "run" | "sudo" | "local" => library::call(self, "invoke.run", arguments).unwrap_or(Object::None),
            "cd" | "prefix" | "__enter__" => Object::Thing(id),
            _ => Object::unknown(name, Provenance::NONE),
        }
    }

    /// Functions of the C library, by way of `ctypes` or `cffi`.
    fn native_call(&mut self, name: &str, arguments: &Arguments) -> Object {
        let equivalent = match name {
            "system" => "os.system",
            "popen" => "os.popen",
            "execl" | "execlp" => "os.execlp",
            "execv" | "execvp" | "execve" => "os.execvp",
            "unlink" | "remove" => "os.remove",
            "rmdir" => "os.rmdir",
            "kill" => "os.kill",
            "chmod" => "os.chmod",
            "setuid" => "os.setuid",
            "fork" => "os.fork",
            "rename" => "os.rename",
            "reboot" => {
                self.effect(Verb::Power, Target::None, Flags::NONE, Provenance::NONE);
                return Object::None;
            }
            "LoadLibrary" | "dlopen" => "ctypes.CDLL",
            "abs" | "atoi" | "clock_gettime" | "free" | "getenv" | "getpid" | "getppid" | "gettid"
            | "getuid" | "geteuid" | "malloc" | "printf" | "puts" | "rand" | "sleep" | "sqrt" | "strlen"
            | "time" | "usleep" => {
                return Object::unknown(name, Provenance::NONE);
            }
            // What a function of machine code does is not known.
            _ => {
                self.dynamic(&format!("{name} of a library of machine code"));
                return Object::unknown(name, Provenance::NONE);
            }
        };
        library::call(self, equivalent, arguments).unwrap_or(Object::None)
    }

    /// `tkinter.Tcl().eval("exec …")`.
    fn tcl_method(&mut self, id: Id, name: &str, arguments: &Arguments) -> Object {
        match name {
            "eval" | "evalfile" | "createcommand" => {
                let text = self.argument(arguments, 0, "script");
                if name == "evalfile" {
                    self.script(Lang::Tcl, &text, &[]);
                } else {
                    drop(self.code(Lang::Tcl, &text));
                }
                Object::unknown(name, Provenance::NONE)
            }
            "call" => {
                let words: Vec<Value> = arguments.plain.iter().map(|word| self.text_of(word)).collect();
                self.code(Lang::Tcl, &Value::joined(&words, " "));
                Object::unknown(name, Provenance::NONE)
            }
            "tk" => Object::Thing(id),
            _ => Object::unknown(name, Provenance::NONE),
        }
    }

    fn interpreter_method(&mut self, name: &str, arguments: &Arguments) -> Object {
        let code = arguments.plain.first().cloned();
        match (name, code) {
            (
                "runsource" | "runcode" | "push" | "run" | "runctx" | "runeval" | "timeit" | "repeat"
                | "autorange",
                Some(code),
            ) => self.python(&code),
            ("interact" | "cmdloop", _) => {
                self.interact(Lang::Python);
                Object::None
            }
            ("set_trace", _) => {
                self.interact(Lang::Other("pdb"));
                Object::None
            }
            _ => Object::unknown(name, Provenance::NONE),
        }
    }

    /// Pools and executors call what they are given.
    fn pool_method(&mut self, name: &str, arguments: &Arguments) -> Object {
        let Some((called, rest)) = arguments.plain.split_first() else { return Object::None };
        match name {
            "submit" => self.invoke(called, Arguments { plain: rest.to_vec(), ..arguments.clone() }),
            "map" | "imap" | "imap_unordered" | "starmap" | "map_async" => {
                let arguments = Arguments::of(arguments.plain.clone());
                library::call(
                    self,
                    if name == "starmap" { "itertools.starmap" } else { "builtins.map" },
                    &arguments,
                )
                .unwrap_or(Object::None)
            }
            "apply" | "apply_async" => {
                let plain = arguments
                    .get(1, "args")
                    .cloned()
                    .and_then(|plain| self.elements(&plain))
                    .unwrap_or_default();
                self.invoke(called, Arguments::of(plain))
            }
            _ => {
                let called = Object::unknown(name, Provenance::NONE);
                self.call_unknown(&called, arguments)
            }
        }
    }

    fn database_method(&mut self, id: Id, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        let is_lost_anyway = thing.about.known().as_deref() == Some(":memory:") && stays_inside(arguments);
        if matches!(name, "execute" | "executescript" | "executemany") && !is_lost_anyway {
            self.sql(arguments);
        }
        Object::Thing(id)
    }

    fn archive_method(&mut self, thing: &Thing, name: &str, arguments: &Arguments) -> Object {
        match name {
            "extractall" | "extract" => {
                let into = if arguments.get(usize::from(name == "extract"), "path").is_some() {
                    self.argument(arguments, usize::from(name == "extract"), "path")
                } else {
                    Value::literal(".")
                };
                let below = super::paths::below(&into);
                self.path(Verb::Write, &below, Flags::NONE);
                if name == "extractall" {
                    self.path(Verb::Write, &into, Flags::RECURSIVE);
                }
            }
            "write" => {
                let path = self.argument(arguments, 0, "filename");
                let content = self.read(&path);
                self.write(&thing.about, &content, Flags::APPEND);
            }
            // A directory goes in with all that is below it.
            "add" => {
                let path = self.argument(arguments, 0, "name");
                let is_alone =
                    arguments.get(2, "recursive").is_some_and(|given| self.truth(given) == Some(false));
                let content = if is_alone { self.read(&path) } else { self.read_below(&path) };
                self.write(&thing.about, &content, Flags::APPEND);
            }
            _ => {}
        }
        Object::unknown(name, thing.provenance)
    }

    fn environ_method(&mut self, id: Id, name: &str, arguments: &Arguments) -> Object {
        match (name, arguments.plain.first().and_then(Object::known_text)) {
            ("get" | "pop" | "setdefault", Some(variable)) => Object::value(self.variable(&variable)),
            ("items", _) => {
                let pair = self.heap.tuple(vec![Object::Thing(id), Object::Thing(id)]);
                self.heap.list(vec![pair])
            }
            ("copy" | "keys" | "values", _) => Object::Thing(id),
            _ => Object::unknown(name, Provenance::SECRET),
        }
    }

    /// `operator.attrgetter("a")(x)`, `methodcaller("m", …)(x)`, `itemgetter(i)(x)`.
    fn caller(&mut self, thing: &Thing, arguments: &Arguments) -> Object {
        let Some(receiver) = arguments.plain.first() else { return Object::None };
        let Object::Partial(id) = thing.content else { return Object::None };
        let Some((kind, given)) = self.heap.partial_at(id) else { return Object::None };
        let Some((name, rest)) = given.plain.split_first() else { return Object::None };
        match kind.known_text().as_deref() {
            Some("item") => self.item(receiver, name),
            Some("method") => {
                let method = self.attribute_named(receiver, name);
                self.invoke(
                    &method,
                    Arguments { plain: rest.to_vec(), named: given.named.clone(), open: false },
                )
            }
            Some(_) | None => self.attribute_named(receiver, name),
        }
    }
}

/// Whether a statement has nothing to do with what is outside of its database.
fn stays_inside(arguments: &Arguments) -> bool {
    let text = arguments.plain.first().and_then(Object::known_text).map(|text| text.to_ascii_lowercase());
    let outside = ["attach", "vacuum", "load_extension", "file("];
    text.is_some_and(|text| !outside.iter().any(|word| text.contains(word)))
}
