//! What a program does with one word that it is given, by the role that its description gives the word.

use std::rc::Rc;

use super::step::Step;
use super::task::{Phase, Task, is_assignment, phase_of, words_of};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::programs::arguments;
use crate::programs::schema::Role;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

impl Step<'_, '_> {
    /// Does with a word what its role says.
    pub(super) fn apply(&mut self, task: &Task) {
        let ran = self.ran;
        self.play(task);
        self.ran = if task.comes_before { ran } else { self.ran };
    }

    fn play(&mut self, task: &Task) {
        let value = &task.value;
        match task.role {
            Role::Inert | Role::Append | Role::Options | Role::Setting | Role::Write | Role::TransferTo => {}
            Role::Environment => self.set_from(value),
            Role::Directory => self.change_directory(value),
            Role::Read => {
                let _ = self.read(value);
            }
            Role::MoveFrom => {
                let target = self.machine.target(value, &self.scope);
                let content = self.machine.files.content(&target.path).cloned();
                self.inputs.push(content.unwrap_or_else(|| Value::unknown(target.path, Provenance::FILE)));
                self.path(Verb::Delete, value, Flags::MOVE);
            }
            Role::Delete => self.name(Verb::Delete, value, Flags::NONE),
            Role::ChangeMode => self.path(Verb::ChangeMode, value, Flags::NONE),
            Role::ChangeOwner => self.path(Verb::ChangeOwner, value, Flags::NONE),
            Role::Link => self.link_to(value, task),
            Role::Host => self.connect(Verb::Connect, value, Flags::NONE, Provenance::NONE),
            Role::Url => self.url(value),
            Role::Send => self.send(value),
            Role::SendFile => {
                let content = self.read(value);
                self.event_send(content.provenance);
            }
            Role::TransferFrom => self.transfer_from(value),
            Role::AtFile(role) => self.at_file(value, *role, task),
            Role::Prefixed(prefixes) => self.prefixed(value, prefixes, task),
            Role::Argv | Role::Program => self.started(task, Self::run_command),
            Role::ArgvText => self.started(task, |step, task| {
                let words = words_of(&task.value);
                step.print_of(|step| step.run(&words, &Value::default()));
            }),
            Role::Code(lang) => {
                self.started(task, |step, task| {
                    step.name_parameters(&task.rest);
                    step.print_of(|step| step.code(lang, &task.value));
                });
            }
            Role::Expanded => {
                let mut scope = self.scope.clone();
                self.machine.prompt(&task.value, &mut scope);
            }
            // A variable that is there and empty says nothing.
            Role::Interact(_) if task.by_option && is_empty(value) => {}
            Role::Interact(lang) => self.interact(lang),
            Role::Library => self.started(task, Self::load),
            Role::Plugin(lang) => self.started(task, |step, task| step.plug_in(lang, task)),
            Role::Script(lang) => {
                self.started(task, |step, task| step.script(lang, &task.value, &task.rest));
            }
        }
    }

    /// `bash -c CODE NAME ARGUMENT…`: what follows the code is `$0`, `$1` and so on.
    fn name_parameters(&mut self, words: &[Value]) {
        let Some((name, arguments)) = words.split_first() else { return };
        self.scope.set("0", name.clone());
        self.scope.positional = Some(Rc::new(arguments.to_vec()));
    }

    fn set_from(&mut self, value: &Value) {
        let text = value.known_prefix();
        if let Some(at) = text.find('=') {
            let name = text.get(..at).unwrap_or_default().to_owned();
            self.set_variable(&name, &arguments::tail(value, at + 1));
        }
    }

    fn link_to(&mut self, value: &Value, task: &Task) {
        match task.rest.first() {
            Some(to) => Sink::link(self, value, to, Flags::NONE),
            None => self.path(Verb::Link, value, Flags::NONE),
        }
    }

    fn url(&mut self, value: &Value) {
        if let Some(path) = value.known_prefix().strip_prefix("file://") {
            let _ = self.read(&Value::literal(path));
            return;
        }
        self.connect(Verb::Connect, value, Flags::DOWNLOAD, Provenance::NONE);
    }

    fn send(&mut self, value: &Value) {
        self.effect(Verb::Send, Target::None, Flags::UPLOAD, value.provenance);
    }

    fn transfer_from(&mut self, value: &Value) {
        match remote(value) {
            Some(host) => {
                self.connect(Verb::Connect, &host, Flags::DOWNLOAD, Provenance::NONE);
                self.inputs.push(Value::unknown(value.shown(), Provenance::NETWORK));
            }
            None => {
                let _ = self.read(value);
            }
        }
    }

    fn at_file(&mut self, value: &Value, role: Role, task: &Task) {
        let is_file = value.known_prefix().starts_with('@');
        let value = if is_file { arguments::tail(value, 1) } else { value.clone() };
        let role = match (is_file, role) {
            (true, Role::Send) => Role::SendFile,
            (_, role) => role,
        };
        self.play(&task.inner(role, value));
    }

    fn prefixed(&mut self, value: &Value, prefixes: &'static [(&'static str, Role)], task: &Task) {
        let text = value.known_prefix();
        let found = prefixes.iter().find(|(prefix, _)| text.starts_with(prefix));
        if let Some((prefix, role)) = found {
            let inner = task.inner(*role, arguments::tail(value, prefix.len()));
            if phase_of(*role) == Phase::Write {
                let content = Value::unknown("output", self.taint());
                self.write(&inner.value, &content, Flags::TRUNCATE);
            } else {
                self.play(&inner);
            }
        }
    }

    /// Starts something; what an option brought runs through a hook, unless running it is what the program is for.
    fn started(&mut self, task: &Task, start: impl FnOnce(&mut Self, &Task)) {
        let hooked = self.scope.hooked;
        let fills_window = matches!(task.role, Role::Argv) && crate::programs::houses_shells(&self.by);
        self.scope.hooked |= task.by_option && !fills_window;
        start(self, task);
        self.scope.hooked = hooked;
    }

    fn load(&mut self, task: &Task) {
        let (by, scope) = (Rc::clone(&self.by), self.scope.clone());
        self.machine.loaded(&task.value, &scope, &by, self.invocation, self.span);
    }

    /// An add-on that the text wrote is read; of any other one only the place is known.
    fn plug_in(&mut self, lang: Lang, task: &Task) {
        let target = self.machine.target(&task.value, &self.scope);
        if self.machine.files.content(&target.path).is_none_or(|content| content.known().is_none()) {
            self.load(task);
        }
        self.script(lang, &task.value, &task.rest);
    }

    pub(super) fn print_of(&mut self, run: impl FnOnce(&mut Self) -> Value) {
        let output = run(self);
        self.printed = Some(output);
    }

    /// Runs a command given as words; assignments before it are its environment.
    fn run_command(&mut self, task: &Task) {
        let mut argv: Vec<Value> =
            std::iter::once(task.value.clone()).chain(task.rest.iter().cloned()).collect();
        while argv.first().is_some_and(is_assignment) {
            let assignment = argv.remove(0);
            self.set_from(&assignment);
        }
        if !argv.is_empty() {
            self.print_of(|step| step.run(&argv, &Value::default()));
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.known().is_some_and(|text| text.is_empty())
}

/// `user@host:path`: the host.
pub(super) fn remote(value: &Value) -> Option<Value> {
    let text = value.known_prefix();
    let before = text.split(':').next().filter(|before| before.len() < text.len())?;
    if before.contains('/') || before.is_empty() {
        return text.starts_with("rsync://").then(|| value.clone());
    }
    Some(Value::literal(before))
}
