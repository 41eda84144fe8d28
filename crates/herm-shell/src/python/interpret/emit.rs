//! Says what happens, unless it has been said already.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Arguments, Interpreter, Object};
use crate::analysis::UseKind;
use crate::effect::{Flags, Realm, Target, Verb};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

/// Libraries that are there to connect.
const CONNECTING: &[&str] = &["aiohttp", "httpx", "requests", "socket", "urllib", "urllib3"];

impl Interpreter<'_> {
    pub(super) fn speaks(&mut self) -> bool {
        if self.quiet == 0 {
            self.sink.at(self.span);
        }
        self.quiet == 0
    }

    /// Whether this is to be said, and has not been said here before.
    fn news(&mut self, what: impl FnOnce() -> String) -> bool {
        if self.quiet > 0 {
            return false;
        }
        let what = what();
        self.spend(what.len() / 64);
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        self.said.insert((self.span, hasher.finish())) && self.speaks()
    }

    pub(in crate::python) fn effect(&mut self, verb: Verb, target: Target, flags: Flags, data: Provenance) {
        if self.news(|| format!("{verb:?} {target:?} {flags:?} {data:?}")) {
            self.sink.effect(verb, target, flags, data);
        }
    }

    pub(in crate::python) fn path(&mut self, verb: Verb, path: &Value, flags: Flags) {
        if self.news(|| format!("{verb:?} {} {flags:?}", path.shown())) {
            self.sink.path(verb, path, flags);
        }
    }

    /// A link is made; what happens to it later happens to what it leads to.
    pub(in crate::python) fn link(&mut self, path: &Value, to: &Value) {
        if self.news(|| format!("link {} {}", path.shown(), to.shown())) {
            self.sink.link(path, to, Flags::NONE);
        }
    }

    pub(in crate::python) fn write(&mut self, path: &Value, content: &Value, flags: Flags) {
        if !self.speaks() {
            return;
        }
        if self.doubts > 0 {
            self.sink.write_perhaps(path, content, flags);
        } else {
            self.sink.write(path, content, flags);
        }
    }

    pub(in crate::python) fn read(&mut self, path: &Value) -> Value {
        if self.speaks() { self.sink.read(path) } else { super::hole("a file", Provenance::FILE) }
    }

    pub(in crate::python) fn read_below(&mut self, path: &Value) -> Value {
        if self.speaks() { self.sink.read_below(path) } else { super::hole("files", Provenance::FILE) }
    }

    pub(in crate::python) fn connect(&mut self, verb: Verb, to: &Value, flags: Flags, data: Provenance) {
        if self.news(|| format!("{verb:?} {} {flags:?} {data:?}", to.shown())) {
            self.sink.connect(verb, to, flags, data);
        }
    }

    pub(in crate::python) fn code(&mut self, lang: Lang, text: &Value) -> Value {
        if !self.news(|| format!("{lang:?} {}", text.shown())) {
            return super::hole("its output", Provenance::OUTSIDE);
        }
        let driven =
            self.wired || (self.connected && text.has_hole() && text.provenance.has(Provenance::NETWORK));
        if driven && lang != Lang::Sql {
            self.remote_control();
        }
        if lang == Lang::Shell {
            // What the shell does is found in the text; that there is one is a fact of its own.
            self.effect(Verb::Execute, Target::Code(lang, None), Flags::NONE, Provenance::NONE);
        }
        self.sink.code(lang, text)
    }

    /// Code is taken from standard input.
    pub(in crate::python) fn interact(&mut self, lang: Lang) {
        if self.news(|| format!("interact {lang:?}")) {
            self.sink.interact(lang);
        }
    }

    pub(in crate::python) fn remote_control(&mut self) {
        let flags = Flags::REMOTE_CONTROL | Flags::INTERACTIVE;
        self.effect(Verb::Execute, Target::Code(Lang::Shell, None), flags, Provenance::NETWORK);
    }

    pub(in crate::python) fn script(&mut self, lang: Lang, path: &Value, arguments: &[Value]) {
        if self.speaks() {
            self.sink.script(lang, path, arguments);
        }
    }

    pub(in crate::python) fn run(&mut self, argv: &[Value], stdin: &Value) -> Value {
        let shown = || argv.iter().chain([stdin]).map(Value::shown).collect::<Vec<_>>().join("\0");
        if self.news(shown) {
            self.sink.run(argv, stdin)
        } else {
            super::hole("its output", Provenance::OUTSIDE)
        }
    }

    pub(in crate::python) fn print(&mut self, output: Value) {
        if self.speaks() {
            self.sink.print(output);
        }
    }

    /// Something that happens on another machine; what follows happens here again.
    pub(in crate::python) fn remotely(&mut self, host: &str, happen: impl FnOnce(&mut Self)) {
        if self.speaks() {
            self.sink.enter(Realm::Remote(host.into()));
            happen(self);
            self.sink.enter(Realm::Here);
        }
    }

    pub(in crate::python) fn directory_change(&mut self, to: &Value) {
        if self.speaks() {
            self.sink.change_directory(to);
        }
    }

    pub(in crate::python) fn set_variable(&mut self, name: &str, value: &Value) {
        if self.speaks() {
            self.sink.set_variable(name, value);
        }
        // It is looked at when the program ends.
        if name == "PYTHONINSPECT" && value.known().is_none_or(|text| !text.is_empty()) {
            self.interact(Lang::Python);
        }
    }

    pub(in crate::python) fn variable(&mut self, name: &str) -> Value {
        if self.speaks() {
            self.sink.uses(UseKind::Variable, name);
        }
        self.sink.variable(name)
    }

    /// A library is imported, or something of it is called.
    pub(in crate::python) fn uses_library(&mut self, name: &str) {
        let is_of = |module: &&str| {
            name.strip_prefix(*module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if CONNECTING.iter().any(is_of) && self.speaks() {
            self.sink.uses(UseKind::Network, name);
        }
    }

    pub(in crate::python) fn stdin(&self) -> Value {
        self.sink.stdin()
    }

    pub(in crate::python) fn home(&self) -> String {
        self.sink.home()
    }

    pub(in crate::python) fn directory(&self) -> Option<String> {
        self.sink.directory()
    }

    /// All variables of the environment are looked at.
    pub(in crate::python) fn environment(&mut self) -> Value {
        self.effect(Verb::Read, Target::Environment, Flags::NONE, Provenance::SECRET);
        super::hole("os.environ", Provenance::SECRET)
    }

    /// The text of an argument; unknown when it is not given.
    pub(in crate::python) fn argument(&mut self, arguments: &Arguments, place: usize, name: &str) -> Value {
        let object = arguments.get(place, name).cloned();
        object.map_or_else(|| super::hole(name, Provenance::NONE), |object| self.text_of(&object))
    }

    /// What the argument may be, each as text.
    pub(in crate::python) fn argument_choices(
        &mut self,
        arguments: &Arguments,
        place: usize,
        name: &str,
    ) -> Vec<Value> {
        let Some(object) = arguments.get(place, name).cloned() else {
            return vec![super::hole(name, Provenance::NONE)];
        };
        object.real_choices().map(|choice: &Object| self.text_of(choice)).collect()
    }
}
