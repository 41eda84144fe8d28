//! Where readers say what they found.
//!
//! A program's table, a refinement and a reader of another language all speak to the evaluator through this one
//! trait. The evaluator adds what they do not know: the working directory, the realm, the rights, the spans.

use crate::analysis::UseKind;
use crate::effect::{Flags, Realm, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Where readers say what they found.
pub trait Sink {
    /// Something happens that is not about a path or a host. `data` is where the data or code came from.
    fn effect(&mut self, verb: Verb, target: Target, flags: Flags, data: Provenance);

    /// Something happens to a path. It is resolved against the working directory and home; a hole in it becomes a
    /// gap where that matters.
    fn path(&mut self, verb: Verb, path: &Value, flags: Flags);

    /// Something happens to what stands at a path: a link that stands there is meant itself, and not where it leads.
    fn name(&mut self, verb: Verb, path: &Value, flags: Flags) {
        self.path(verb, path, flags);
    }

    /// What stood at a path now stands at another one. If it is a link, it still leads where it did.
    fn moved(&mut self, from: &Value, to: &Value) {
        let _ = (from, to);
    }

    /// The same as [`link`](Self::link), where a link that stood there is replaced, and not followed.
    fn relink(&mut self, path: &Value, to: &Value, flags: Flags) {
        self.link(path, to, flags);
    }

    /// A link to `to` is made at a path; what happens to it later happens to `to`.
    fn link(&mut self, path: &Value, to: &Value, flags: Flags) {
        let _ = to;
        self.path(Verb::Link, path, flags);
    }

    /// Data is written to a path; the content is remembered, so that running or reading that file later is understood.
    fn write(&mut self, path: &Value, content: &Value, flags: Flags);

    /// Data is written to a path on some ways through the code; on others, what was there stays.
    fn write_perhaps(&mut self, path: &Value, content: &Value, flags: Flags) {
        self.write(path, content, flags);
    }

    /// A filter edits a file in place; `words` are those that let it print what the file holds then.
    fn edit(&mut self, file: &Value, words: &[Value]) {
        let _ = words;
        self.path(Verb::Write, file, Flags::IN_PLACE);
    }

    /// A file is read; what is known of its content comes back, with its provenance.
    fn read(&mut self, path: &Value) -> Value;

    /// All that is at or below a path is read; where it came from comes back.
    fn read_below(&mut self, path: &Value) -> Value {
        self.path(Verb::Read, path, Flags::RECURSIVE);
        Value::unknown(path.shown(), Provenance::FILE | path.provenance)
    }

    /// The text of a file that runs, or says what runs (a manifest, a hook), where it may be looked at.
    fn shown(&mut self, path: &Value) -> Option<String> {
        let _ = path;
        None
    }

    /// Whether a file is there that runs, readable or not.
    fn is_there(&mut self, path: &Value) -> bool {
        self.shown(path).is_some()
    }

    /// Whether nothing is known to stand at a path, neither by what the world shows nor by what the text has made.
    fn is_absent(&self, path: &Value) -> bool {
        let _ = path;
        false
    }

    /// Whether a path is that of a temporary directory that the text had made anew, or lies in one, and nothing was put there from elsewhere.
    fn is_fresh(&self, path: &Value) -> bool {
        let _ = path;
        false
    }

    /// The files at or below a path that the text itself wrote.
    fn made_here(&self, path: &Value) -> Vec<String> {
        let _ = path;
        Vec::new()
    }

    /// A module is imported: if the text itself wrote this file of it, its code runs, once.
    fn import(&mut self, lang: Lang, path: &Value) {
        let _ = (lang, path);
    }

    /// A connection is made. `to` is a URL, `host:port` or a host. `data` is what is sent, if anything is.
    fn connect(&mut self, verb: Verb, to: &Value, flags: Flags, data: Provenance);

    /// Code runs here; it is read by the reader of its language. What it prints comes back.
    fn code(&mut self, lang: Lang, text: &Value) -> Value;

    /// The same for code that is called with arguments.
    fn code_with(&mut self, lang: Lang, text: &Value, arguments: &[Value]) -> Value {
        let _ = arguments;
        self.code(lang, text)
    }

    /// The same for code that an option or a setting of the program brings.
    fn hooked_code(&mut self, lang: Lang, text: &Value) -> Value {
        self.code(lang, text)
    }

    /// Code is taken from standard input as it comes, whatever else runs.
    fn interact(&mut self, lang: Lang);

    /// A file of code runs with arguments.
    fn script(&mut self, lang: Lang, path: &Value, arguments: &[Value]);

    /// What the code being read was called with.
    fn arguments(&self) -> Vec<Value> {
        Vec::new()
    }

    /// A program runs, without a shell in between. What it prints comes back.
    fn run(&mut self, argv: &[Value], stdin: &Value) -> Value;

    /// A setting gives a name to a command line of a shell from here on, or takes it away. `forks` says whether a process of its own runs it.
    fn shortcut(&mut self, name: &str, text: Option<&str>, forks: bool) {
        let _ = (name, text, forks);
    }

    /// What a setting gave this name to runs with arguments; `false` if there is no such name.
    fn call_shortcut(&mut self, name: &str, arguments: &[Value]) -> bool {
        let _ = (name, arguments);
        false
    }

    /// The same, but each `{}`-like `marker` in the arguments stands for something out of `items`
    /// (`find -exec`, `xargs -I`).
    fn run_each(&mut self, argv: &[Value], marker: &str, items: &[Value]);

    /// The lines of a cron table will run; they are read as what they are.
    fn schedule(&mut self, table: &Value) {
        let _ = table;
    }

    /// What follows in this invocation happens in `realm`. Paths under a container's mounts are mapped back.
    fn enter(&mut self, realm: Realm);

    /// What follows in this invocation happens with another user's rights.
    fn escalate(&mut self);

    /// What follows in this invocation happens in this directory.
    fn change_directory(&mut self, to: &Value);

    /// Variables for what follows in this invocation.
    fn set_variable(&mut self, name: &str, value: &Value);

    /// A script makes use of something, whether or not anything comes of it.
    fn uses(&mut self, kind: UseKind, name: &str) {
        let _ = (kind, name);
    }

    /// Words reach what is not known: the operands of a function or a program of which nothing says what it does with them, text that was
    /// decoded or joined on its way to a gap. They are read once more as commands. Words of which it is known that they are only
    /// printed, compared or looked at are not handed here.
    fn reaches(&mut self, words: &[Value]) {
        let _ = words;
    }

    /// The call whose name stands there was followed: whatever came of it has been said.
    fn followed(&mut self, at: Span) {
        let _ = at;
    }

    /// Something could not be known.
    fn gap(&mut self, position: Position, reason: Reason, shown: &str);

    /// What stands on standard input.
    fn stdin(&self) -> Value;

    /// Whether nothing in the text feeds standard input: it is a terminal, or whatever the caller has.
    fn at_terminal(&self) -> bool {
        false
    }

    /// What the program prints, as far as it is known.
    fn print(&mut self, output: Value);

    /// What follows stands here in the text being read (for readers of languages: offsets into their text).
    fn at(&mut self, span: Span);

    /// The home directory, for `~`, `Path.home()` and `$ENV{HOME}`.
    fn home(&self) -> String;

    /// The working directory, when it is known.
    fn directory(&self) -> Option<String>;

    /// The value of a variable of the environment; unknown ones come back as a hole.
    fn variable(&self, name: &str) -> Value;

    /// Whether the text itself gives a variable another value for what runs here, known or not.
    fn changes_variable(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Takes work units.
    ///
    /// # Errors
    /// When the tank is empty: stop reading, the evaluator says so.
    fn spend(&mut self, units: u32) -> Result<(), crate::fuel::OutOfFuel>;
}
