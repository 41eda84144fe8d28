//! Files, programs and connections that are read and written through a channel.

use super::{Tcl, Word};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::scripts::words;
use crate::value::{Provenance, Value};

/// What a script opened.
pub(super) struct Channel {
    to: Value,
    kind: ChannelKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChannelKind {
    Append,
    Command,
    Read,
    Socket,
    Write,
}

impl Tcl<'_> {
    fn channel(&mut self, to: Value, kind: ChannelKind) -> Value {
        let name = format!("channel{}", self.channels.len());
        self.channels.insert(name.clone(), Channel { to, kind });
        Value::literal(name)
    }

    pub(super) fn open(&mut self, arguments: &[Word]) -> Value {
        let Some(path) = arguments.first().map(|word| word.value.clone()) else { return Value::default() };
        let mode = arguments.get(1).map(Word::known).unwrap_or_default();
        if let Some(command) = path.known().and_then(|text| text.strip_prefix('|').map(str::to_owned)) {
            if !mode.starts_with('w') {
                let argv: Vec<String> = words::blanks(&command);
                if words::waits(&argv) {
                    self.wiring.shell(self.sink);
                }
                self.sink.code(Lang::Shell, &Value::literal(command.trim()));
            }
            return self.channel(Value::literal(command.trim()), ChannelKind::Command);
        }
        match mode.chars().next() {
            Some('a') => self.channel(path, ChannelKind::Append),
            Some('w') => {
                self.sink.path(Verb::Write, &path, Flags::TRUNCATE);
                self.channel(path, ChannelKind::Write)
            }
            Some(_) | None => {
                let content = self.sink.read(&path);
                self.channel(content, ChannelKind::Read)
            }
        }
    }

    pub(super) fn socket(&mut self, arguments: &[Word]) -> Value {
        let server = arguments.iter().any(|word| word.known() == "-server");
        let operands: Vec<&Word> =
            arguments.iter().skip_while(|word| word.known().starts_with('-')).collect();
        let mut to = operands.first().map(|word| word.value.clone()).unwrap_or_default();
        if let (false, Some(port)) = (server, operands.get(1)) {
            to.push_str(":");
            to.push(&port.value);
        }
        let verb = if server { Verb::Listen } else { Verb::Connect };
        self.sink.connect(verb, &to, Flags::NONE, Provenance::NONE);
        self.wiring.connected(self.sink);
        self.channel(to, ChannelKind::Socket)
    }

    pub(super) fn puts(&mut self, arguments: &[Word]) -> Value {
        let operands: Vec<&Word> = arguments.iter().filter(|word| word.known() != "-nonewline").collect();
        let content = operands.last().map(|word| word.value.clone()).unwrap_or_default();
        let channel = operands.first().filter(|_| operands.len() > 1).map(|word| word.known());
        let found = channel
            .and_then(|name| self.channels.get(&name))
            .map(|channel| (channel.to.clone(), channel.kind));
        match found {
            Some((to, ChannelKind::Write | ChannelKind::Append)) => {
                self.sink.write(&to, &content, Flags::APPEND);
            }
            Some((to, ChannelKind::Socket)) => {
                self.sink.connect(Verb::Send, &to, Flags::NONE, content.provenance);
            }
            Some((to, ChannelKind::Command)) => {
                let argv: Vec<Value> =
                    to.known().unwrap_or_default().split_whitespace().map(Value::literal).collect();
                self.sink.run(&argv, &content);
            }
            Some((_, ChannelKind::Read)) => {}
            None => self.sink.print(content),
        }
        Value::default()
    }

    /// What is typed into a program that was spawned: to a shell it is a command.
    pub(super) fn send(&mut self, arguments: &[Word]) -> Value {
        let text = arguments.last().map(|word| word.value.clone()).unwrap_or_default();
        if self.wiring.has_shell() {
            let command = text.known().map(|text| Value::literal(text.replace('\r', "\n")));
            self.sink.code(Lang::Shell, &command.unwrap_or(text));
        }
        Value::default()
    }

    pub(super) fn gets(&mut self, arguments: &[Word]) -> Value {
        let name = arguments
            .iter()
            .map(Word::known)
            .find(|word| !word.starts_with('-') && word != "read")
            .unwrap_or_default();
        let content = match self.channels.get(&name) {
            Some(channel) if channel.kind == ChannelKind::Socket => {
                Value::unknown("received", Provenance::NETWORK)
            }
            Some(channel) if channel.kind == ChannelKind::Read => channel.to.clone(),
            Some(_) => Value::unknown("output", Provenance::OUTSIDE),
            None if name == "stdin" => self.sink.stdin(),
            None => Value::unknown("input", self.ambient()),
        };
        if let Some(variable) = arguments.get(1).map(Word::known).filter(|name| !name.is_empty()) {
            self.variables.set(&variable, content.clone());
        }
        content
    }
}
