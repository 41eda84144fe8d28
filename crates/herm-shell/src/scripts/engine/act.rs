//! What calls do, as data.

use super::{Reader, Val};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::value::Value;

/// A path, and what calling it does.
pub(in crate::scripts) type Row = (&'static str, Act);

/// What a call does. Numbers say which argument.
#[derive(Clone, Copy, Debug)]
pub(in crate::scripts) enum Act {
    /// All arguments, lists flattened, are a program with its arguments.
    Argv,
    /// The mode and the path of a file.
    ChangeMode(usize, usize),
    /// The path of a file whose owner changes.
    ChangeOwner(usize),
    /// Code in a language.
    Code(Lang),
    /// Host and port.
    Connect(usize, usize),
    /// From and to.
    Copy(usize, usize),
    /// Everything but options is deleted.
    Delete(Flags),
    /// The argument is decoded or computed; nothing happens.
    Pure(fn(&[Val]) -> Val),
    /// A variable of the environment; without one, all of it.
    Env,
    /// A URL is fetched.
    Fetch(usize),
    /// The process doubles.
    Fork,
    /// Nothing happens that matters.
    Inert,
    /// Code is taken from standard input.
    Interact(Lang),
    /// Signal and process.
    Kill(usize, usize),
    /// The path of a new link to the first argument.
    Link(usize),
    /// A port is opened.
    Listen(usize),
    /// From and to.
    Move(usize, usize),
    /// A file is opened: path and mode.
    Open(usize, usize),
    /// A command is started whose streams are files: command and mode.
    Pipe(usize, usize),
    /// Prints its arguments.
    Print(&'static str),
    /// A program, and a list of its arguments.
    Program(usize, usize),
    /// A file is read.
    Read(usize),
    /// A file of code runs.
    Script(Lang),
    /// Data goes to a URL: which argument it is.
    Send(usize),
    /// The shell runs a text.
    Shell(usize),
    /// One argument is the shell's, several are a program with its arguments.
    ShellOrArgv,
    /// What data cannot say.
    Special(fn(&mut Reader<'_>, &[Val]) -> Val),
    /// What stands on standard input.
    Stdin,
    /// Something is done to the path.
    Touch(Verb, usize, Flags),
    /// A file is written: path and content.
    Write(usize, usize, Flags),
}

impl Reader<'_> {
    /// Does what a call does.
    pub(in crate::scripts) fn perform(&mut self, act: Act, arguments: &[Val]) -> Val {
        self.follow_call();
        let result = match act {
            // What is printed or goes by the call unseen is one text, which is not known then.
            Act::Print(_) | Act::Inert | Act::Stdin | Act::Fork => self.perform_plainly(act, arguments),
            Act::Argv
            | Act::ChangeMode(..)
            | Act::ChangeOwner(_)
            | Act::Code(_)
            | Act::Connect(..)
            | Act::Copy(..)
            | Act::Delete(_)
            | Act::Env
            | Act::Fetch(_)
            | Act::Interact(_)
            | Act::Kill(..)
            | Act::Link(_)
            | Act::Listen(_)
            | Act::Move(..)
            | Act::Open(..)
            | Act::Pipe(..)
            | Act::Program(..)
            | Act::Pure(_)
            | Act::Read(_)
            | Act::Script(_)
            | Act::Send(_)
            | Act::Shell(_)
            | Act::ShellOrArgv
            | Act::Special(_)
            | Act::Touch(..)
            | Act::Write(..) => {
                self.each_way(arguments, |reader, arguments| reader.perform_plainly(act, arguments))
            }
        };
        if !matches!(act, Act::Special(_) | Act::Pure(_)) {
            self.ambient |= result.provenance();
            self.run_callbacks(arguments, &result);
        }
        result
    }

    fn perform_plainly(&mut self, act: Act, arguments: &[Val]) -> Val {
        match act {
            Act::Argv => self.argv(arguments),
            Act::ChangeMode(mode, path) => self.change_mode(arguments.get(mode), arguments.get(path)),
            Act::ChangeOwner(path) => self.touch(Verb::ChangeOwner, arguments, path, Flags::NONE),
            Act::Code(lang) => self.code(lang, arguments),
            Act::Connect(host, port) => self.connect(arguments, host, port),
            Act::Copy(from, to) => self.copy(arguments, from, to),
            Act::Delete(flags) => self.delete(arguments, flags),
            Act::Pure(compute) => self.compute(compute, arguments),
            Act::Env => self.env(arguments),
            Act::Fetch(url) => self.fetch(arguments, url),
            Act::Fork => self.fork(),
            Act::Inert => Val::list(Vec::new()),
            Act::Interact(lang) => {
                self.sink.interact(lang);
                Val::list(Vec::new())
            }
            Act::Kill(signal, process) => self.kill(arguments, signal, process),
            Act::Link(path) => self.link(arguments, path),
            Act::Listen(port) => self.listen(arguments, port),
            Act::Move(from, to) => self.rename(arguments, from, to),
            Act::Open(path, mode) => self.open(arguments, path, mode),
            Act::Pipe(command, mode) => self.pipe(arguments, command, mode),
            Act::Print(end) => self.print(arguments, end),
            Act::Program(program, list) => self.program(arguments, program, list),
            Act::Read(path) => self.read_file(arguments, path),
            Act::Script(lang) => self.script(lang, arguments),
            Act::Send(url) => self.send(arguments, url),
            Act::Shell(text) => self.shell_argument(arguments, text),
            Act::ShellOrArgv => self.shell_or_argv(arguments),
            Act::Special(special) => special(self, arguments),
            Act::Stdin => Val::value(self.sink.stdin()),
            Act::Touch(verb, path, flags) => self.touch(verb, arguments, path, flags),
            Act::Write(path, content, flags) => self.write_file(arguments, path, content, flags),
        }
    }

    /// Functions among the arguments are called with what the call yields.
    fn run_callbacks(&mut self, arguments: &[Val], result: &Val) {
        for argument in arguments {
            if let Val::Function(function) = argument {
                let given = match function.parameters.len() {
                    0 | 1 => vec![result.clone()],
                    // Node's way: the error first.
                    _ => vec![Val::name("error"), result.clone()],
                };
                self.apply(&std::rc::Rc::clone(function), &given);
            }
        }
    }

    fn compute(&mut self, compute: fn(&[Val]) -> Val, arguments: &[Val]) -> Val {
        let resolved: Vec<Val> = arguments
            .iter()
            .map(|argument| match argument {
                Val::Name(..) | Val::Text(_) => Val::value(self.text(argument)),
                Val::Function(_)
                | Val::Handle(_)
                | Val::List(_)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_) => argument.clone(),
            })
            .collect();
        compute(&resolved)
    }

    fn env(&mut self, arguments: &[Val]) -> Val {
        match arguments.first().map(|name| self.text(name)) {
            None => self.environment(),
            Some(name) => match name.known() {
                Some(name) => self.variable(&name),
                None => Val::unknown("variable", crate::value::Provenance::OUTSIDE),
            },
        }
    }

    fn print(&mut self, arguments: &[Val], end: &str) -> Val {
        let operands: Vec<Val> =
            arguments.iter().filter(|argument| !matches!(argument, Val::Function(_))).cloned().collect();
        let mut printed = if operands.is_empty() { self.topic() } else { self.joined(&operands, " ") };
        printed.push_str(end);
        self.sink.print(printed);
        Val::list(Vec::new())
    }

    /// What a call without arguments works on: `$_`, or the line that was read.
    pub(super) fn topic(&mut self) -> Value {
        match self.vars.get("_").cloned() {
            Some(topic) => self.text(&topic),
            None if matches!(self.lang(), Lang::Perl | Lang::Awk) => self.sink.stdin(),
            None => Value::default(),
        }
    }

    /// Several values as one text.
    pub(in crate::scripts) fn joined(&mut self, values: &[Val], between: &str) -> Value {
        let mut whole = Value::default();
        for value in values {
            if !whole.pieces.is_empty() && !matches!(self.lang(), Lang::Perl | Lang::Lua | Lang::Php) {
                whole.push_str(between);
            }
            let value = match value {
                Val::List(_) => super::pure::join(&[Val::text(""), value.clone()]),
                Val::Function(_)
                | Val::Handle(_)
                | Val::Name(..)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_)
                | Val::Text(_) => value.clone(),
            };
            whole.push(&self.text(&value));
        }
        whole
    }

    /// The text of an argument; one that is missing is empty and unknown.
    pub(in crate::scripts) fn argument_text(&mut self, arguments: &[Val], index: usize) -> Value {
        match arguments.get(index) {
            Some(argument) => self.text(&argument.clone()),
            None => Value::unknown("missing argument", crate::value::Provenance::NONE),
        }
    }
}
