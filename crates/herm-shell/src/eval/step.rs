//! One invocation on its way: what tables and readers of languages talk to.

use std::rc::Rc;

use super::approvals::Switches;
use super::machine::{Event, Machine};
use super::paths::{Actor, Touch, mapped};
use super::scope::Scope;
use super::suppose::Starter;
use crate::analysis::UseKind;
use crate::effect::{Flags, HostTarget, Realm, Target, Verb};
use crate::fuel::OutOfFuel;
use crate::gap::{Gap, Position, Reason};
use crate::lang::Lang;
use crate::place::{Extent, PathTarget, Places};
use crate::programs::arguments::{self, Argument};
use crate::scripts::lexical::{self, Heard};
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};
use crate::world::{Script, Standing};

/// One invocation on its way.
#[derive(Debug)]
pub(crate) struct Step<'s, 'a> {
    pub(crate) machine: &'s mut Machine<'a>,
    /// What holds for this invocation alone.
    pub(crate) scope: Scope,
    pub(crate) invocation: usize,
    pub(crate) by: Rc<str>,
    pub(crate) span: Span,
    /// What options said about every effect.
    pub(crate) flags: Flags,
    /// What was read so far, files and streams.
    pub(crate) inputs: Vec<Value>,
    pub(crate) printed: Option<Value>,
    /// Whether code or another program ran.
    pub(crate) ran: bool,
    /// What stands for the unknown parts of the code being read; see [`super::code`].
    pub(crate) holes: Vec<Value>,
    pub(crate) pace: Pace,
    /// What the reader of the code said so far, and where.
    pub(crate) heard: Heard,
}

/// What whoever reports here counts its work in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// In the smaller steps of Python; see [`super::Limits`].
    Steps,
    Units,
}

/// Builtins that print something else than the programs of their name.
const SAID_OTHERWISE: [&str; 2] = ["echo", "printf"];

impl Step<'_, '_> {
    /// Puts the unknown parts of the code back where their stand-ins are.
    pub(super) fn whole(&self, value: &Value) -> Value {
        if self.holes.is_empty() { value.clone() } else { super::code::restored(value, &self.holes) }
    }

    pub(super) fn event(&mut self, verb: Verb, target: Target, flags: Flags, data: Provenance) {
        if verb == Verb::Read && target == Target::Environment {
            self.inputs.push(Value::unknown("the environment", Provenance::SECRET));
        }
        let by = Rc::clone(&self.by);
        let event = Event {
            verb,
            target,
            flags: self.flags | flags,
            data,
            by: &by,
            invocation: self.invocation,
            span: self.span,
        };
        self.machine.effect(&self.scope, event);
    }

    /// Reads a file, or all that is below a directory.
    fn read_as(&mut self, path: &Value, flags: Flags) -> Value {
        let by = Rc::clone(&self.by);
        let deep = if (self.flags | flags).has(Flags::RECURSIVE) { Flags::RECURSIVE } else { Flags::NONE };
        let actor = Actor { by: &by, invocation: self.invocation, span: self.span };
        let content = self.machine.read_file(path, deep, &self.scope, actor);
        self.inputs.push(content.clone());
        content
    }

    /// Remembers a link, and what has another name by it.
    fn linked(&mut self, path: &Value, to: &Value) {
        let (from, to) = (self.whole(path), self.whole(to));
        if !to.has_hole() {
            self.path(Verb::Read, &to, Flags::METADATA | Flags::LINKED);
        }
        self.machine.link_made(&from, &to, &self.scope);
    }

    /// Code with a word in it that starts, deletes or ends something, and of which its reader said nothing, was not followed.
    pub(crate) fn mind_silence(&mut self, lang: Lang, code: &str) {
        if self.heard.gave_up() {
            return;
        }
        if let Some(word) = lexical::unaccounted(lang, code, &self.heard) {
            self.gap(Position::Unfollowed, Reason::Runtime, &word);
        }
    }

    /// Everything that was read, as one origin.
    pub(crate) fn taint(&self) -> Provenance {
        self.inputs.iter().fold(Provenance::NONE, |all, input| all | input.provenance)
    }
}

impl Sink for Step<'_, '_> {
    fn effect(&mut self, verb: Verb, target: Target, flags: Flags, data: Provenance) {
        self.heard.does(verb);
        self.event(verb, target, flags, data);
    }

    fn path(&mut self, verb: Verb, path: &Value, flags: Flags) {
        self.heard.does(verb);
        let path = self.whole(path);
        if verb == Verb::Read && !flags.has(Flags::METADATA) {
            let _ = self.read_as(&path, flags);
            return;
        }
        let (by, flags) = (Rc::clone(&self.by), self.flags | flags);
        let actor = Actor { by: &by, invocation: self.invocation, span: self.span };
        let touch = Touch { verb, path: &path, flags, data: path.provenance, actor };
        let target = self.machine.path_effect(&self.scope, touch);
        // `mknod` makes no content but that of a pipe.
        let pipe = by.as_ref() == "mkfifo" || by.as_ref() == "mknod" && !flags.has(Flags::METADATA);
        if verb == Verb::Write && pipe {
            self.machine.files.fifo(&target.path);
        }
        if target.extent == Extent::Exact {
            self.forget_content(verb, &target.path, flags);
        }
    }

    fn edit(&mut self, file: &Value, words: &[Value]) {
        self.heard.changes();
        let file = self.whole(file);
        let target = self.machine.target(&file, &self.scope);
        let before = self.machine.files.content(&target.path).cloned();
        let emptied = if self.leaves_nothing(words) { Flags::EMPTIED } else { Flags::NONE };
        self.path(Verb::Write, &file, Flags::IN_PLACE | emptied);
        let (by, scope) = (Rc::clone(&self.by), self.scope.clone());
        let actor = Actor { by: &by, invocation: self.invocation, span: self.span };
        self.machine.mind_edited_rules(&target.path, words, &scope, actor);
        if let Some(before) = before {
            self.machine.files.write(&target.path, before);
            self.edited(&file, words);
        }
    }

    fn name(&mut self, verb: Verb, path: &Value, flags: Flags) {
        self.heard.does(verb);
        let path = self.whole(path);
        let (by, flags) = (Rc::clone(&self.by), self.flags | flags);
        let actor = Actor { by: &by, invocation: self.invocation, span: self.span };
        let touch = Touch { verb, path: &path, flags, data: path.provenance, actor };
        self.machine.name_effect(&self.scope, touch);
    }

    fn moved(&mut self, from: &Value, to: &Value) {
        self.heard.changes();
        let (from, to) = (self.whole(from), self.whole(to));
        self.machine.link_moved(&from, &to, &self.scope);
    }

    fn relink(&mut self, path: &Value, to: &Value, flags: Flags) {
        self.heard.changes();
        self.name(Verb::Link, path, flags);
        self.linked(path, to);
    }

    fn link(&mut self, path: &Value, to: &Value, flags: Flags) {
        self.heard.changes();
        self.path(Verb::Link, path, flags);
        self.linked(path, to);
    }

    fn write(&mut self, path: &Value, content: &Value, flags: Flags) {
        self.heard.changes();
        let (path, content) = (self.whole(path), self.whole(content));
        let by = Rc::clone(&self.by);
        let flags = self.flags | flags;
        let actor = Actor { by: &by, invocation: self.invocation, span: self.span };
        self.machine.write_file(&path, &content, flags, &self.scope, actor);
    }

    fn write_perhaps(&mut self, path: &Value, content: &Value, flags: Flags) {
        let target = self.machine.target(&self.whole(path), &self.scope);
        let before = self.machine.files.content(&target.path).cloned();
        self.write(path, content, flags);
        if let Some(before) = before {
            self.machine.files.perhaps_write(&target.path, &before);
        }
    }

    fn read(&mut self, path: &Value) -> Value {
        self.read_as(&self.whole(path), Flags::NONE)
    }

    fn read_below(&mut self, path: &Value) -> Value {
        self.read_as(&self.whole(path), Flags::RECURSIVE)
    }

    fn shown(&mut self, path: &Value) -> Option<String> {
        let target = self.machine.target(&self.whole(path), &self.scope);
        if target.extent != Extent::Exact || self.scope.realm != Realm::Here {
            return None;
        }
        if let Some(content) = self.machine.files.content(&target.path) {
            return content.known().map(std::borrow::Cow::into_owned);
        }
        match self.machine.observe(&target.path) {
            Script::Text(text) => Some(text),
            Script::Absent | Script::Binary | Script::Hidden => None,
        }
    }

    fn is_there(&mut self, path: &Value) -> bool {
        let target = self.machine.target(&self.whole(path), &self.scope);
        target.extent == Extent::Exact
            && self.scope.realm == Realm::Here
            && (self.machine.files.content(&target.path).is_some()
                || self.machine.observe(&target.path) != Script::Absent)
    }

    fn is_absent(&self, path: &Value) -> bool {
        let target = self.machine.target(&self.whole(path), &self.scope);
        target.extent == Extent::Exact
            && self.scope.realm == Realm::Here
            && self.machine.files.at_or_below(&target.path).is_empty()
            && self.machine.setting.world.standing(&target.path) == Some(Standing::Absent)
    }

    fn is_fresh(&self, path: &Value) -> bool {
        self.lies_in_new(path)
    }

    fn made_here(&self, path: &Value) -> Vec<String> {
        let target = self.machine.target(&self.whole(path), &self.scope);
        if target.extent != Extent::Exact || self.scope.realm != Realm::Here {
            return Vec::new();
        }
        self.machine.files.at_or_below(&target.path)
    }

    fn import(&mut self, lang: Lang, path: &Value) {
        let Some(file) = self.made_here(path).first().cloned() else { return };
        if self.machine.imported.insert(file) {
            let ran = self.ran;
            self.script(lang, path, &[]);
            self.ran = ran;
        }
    }

    fn connect(&mut self, verb: Verb, to: &Value, flags: Flags, data: Provenance) {
        let to = self.whole(to);
        if let Some(path) = socket(&to) {
            return self.path(Verb::Send, &path, flags);
        }
        self.event(verb, Target::Host(host(&to)), flags, data | to.provenance);
    }

    fn code(&mut self, lang: Lang, text: &Value) -> Value {
        self.heard.starts();
        self.ran = true;
        let text = self.whole(text);
        let mut scope = self.scope.clone();
        scope.within = Some(self.invocation);
        let span = self.span;
        self.machine.code_at(lang, &text, &mut scope, self.invocation, span)
    }

    fn code_with(&mut self, lang: Lang, text: &Value, arguments: &[Value]) -> Value {
        let own = self.scope.positional.replace(Rc::new(arguments.to_vec()));
        let output = self.code(lang, text);
        self.scope.positional = own;
        output
    }

    fn interact(&mut self, lang: Lang) {
        self.heard.starts();
        self.take_code(lang, Flags::NONE);
    }

    fn arguments(&self) -> Vec<Value> {
        self.scope.positional.as_ref().map_or_else(Vec::new, |given| given.as_ref().clone())
    }

    fn hooked_code(&mut self, lang: Lang, text: &Value) -> Value {
        let hooked = std::mem::replace(&mut self.scope.hooked, true);
        let output = self.code(lang, text);
        self.scope.hooked = hooked;
        output
    }

    fn script(&mut self, lang: Lang, path: &Value, arguments: &[Value]) {
        self.heard.starts();
        self.ran = true;
        let path = self.whole(path);
        if let Some(name) = crate::programs::named_script(&path.shown()) {
            let argv: Vec<Value> =
                std::iter::once(Value::literal(name)).chain(arguments.iter().cloned()).collect();
            let _ = self.run(&argv, &Value::default());
        }
        let mut scope = self.scope.clone();
        scope.within = Some(self.invocation);
        self.printed =
            Some(self.machine.script(lang, &path, arguments, &mut scope, self.invocation, self.span));
    }

    fn run(&mut self, argv: &[Value], stdin: &Value) -> Value {
        self.heard.starts();
        self.ran = true;
        // Words that are handed on are copied once more at every level.
        let units = u32::try_from(argv.len()).unwrap_or(u32::MAX).saturating_add(2);
        if !self.machine.spend(units) || !self.machine.descend() {
            return Value::unknown("output", Provenance::OUTSIDE);
        }
        let arguments =
            argv.iter().map(|value| Argument { value: self.whole(value), span: self.span }).collect();
        let mut scope = self.scope.clone();
        scope.within = Some(self.invocation);
        // Programs start programs: `env echo` is not what the shell has under that name.
        Rc::make_mut(&mut scope.disabled).extend(SAID_OTHERWISE.map(str::to_owned));
        // What is handed on unchanged is inherited, and may still be nothing but a terminal.
        if !stdin.pieces.is_empty() && *stdin != self.stdin() {
            scope.stdin = Some(Rc::new(self.whole(stdin)));
        }
        let outcomes = self.machine.call(arguments, Vec::new(), scope, self.span);
        self.machine.ascend();
        super::ways::picked(&outcomes).0
    }

    fn shortcut(&mut self, name: &str, text: Option<&str>, forks: bool) {
        self.name_shortcut(name, text, forks);
    }

    fn call_shortcut(&mut self, name: &str, arguments: &[Value]) -> bool {
        let arguments: Vec<Value> = arguments.iter().map(|argument| self.whole(argument)).collect();
        self.heard.starts();
        self.follow_shortcut(name, &arguments)
    }

    fn run_each(&mut self, argv: &[Value], marker: &str, items: &[Value]) {
        for item in items {
            if !self.machine.spend(1) {
                break;
            }
            let filled: Vec<Value> =
                argv.iter().map(|value| filled(&self.whole(value), marker, item)).collect();
            let _ = self.run(&filled, &Value::default());
        }
    }

    fn schedule(&mut self, table: &Value) {
        self.heard.starts();
        let table = self.whole(table);
        let scope = self.scope.clone();
        self.machine.scheduled(&table, &scope, self.invocation, self.span);
    }

    fn enter(&mut self, realm: Realm) {
        let realm = mounted_from(realm, self.scope.directory.as_deref());
        if realm != Realm::Here {
            self.scope.directory = None;
        }
        self.scope.realm = inside(&self.scope.realm, realm);
    }

    fn escalate(&mut self) {
        self.scope.privileged = true;
    }

    fn change_directory(&mut self, to: &Value) {
        let to = self.whole(to);
        self.scope.directory = self.machine.directory(&to, &self.scope);
    }

    fn set_variable(&mut self, name: &str, value: &Value) {
        let value = self.whole(value);
        if let Some(function) = name.strip_prefix("BASH_FUNC_").and_then(|name| name.strip_suffix("%%")) {
            self.machine.import(function, &value, &mut self.scope);
        }
        let switches = Switches::of(&self.scope);
        self.scope.set(name, value);
        self.scope.export(name);
        self.mind_own_switches(switches);
    }

    fn uses(&mut self, kind: UseKind, name: &str) {
        self.machine.uses(&self.scope, kind, name, self.span);
    }

    fn reaches(&mut self, words: &[Value]) {
        let words: Vec<Value> = words.iter().map(|word| self.whole(word)).collect();
        let (by, scope) = (Rc::clone(&self.by), self.scope.clone());
        let starter = Starter { name: &by, invocation: self.invocation, span: self.span };
        self.machine.net(starter, words.iter(), &scope);
    }

    fn followed(&mut self, at: Span) {
        self.heard.follows(at);
    }

    fn gap(&mut self, position: Position, reason: Reason, shown: &str) {
        if matches!(position, Position::Code | Position::Unfollowed | Position::Whole) {
            self.heard.gives_up();
        }
        let position = where_it_runs(position, &self.scope.realm);
        self.machine.push_gap(Gap { position, reason, shown: shown.to_owned(), span: self.span });
    }

    fn stdin(&self) -> Value {
        match &self.scope.stdin {
            Some(value) => value.as_ref().clone(),
            None => Value::unknown("standard input", Provenance::OUTSIDE),
        }
    }

    fn at_terminal(&self) -> bool {
        self.scope.stdin.is_none()
    }

    fn print(&mut self, output: Value) {
        self.printed = Some(output);
    }

    fn at(&mut self, span: Span) {
        self.heard.moves(span);
        self.span = self.scope.origin.map(span);
    }

    fn home(&self) -> String {
        match self.scope.scalar("HOME").and_then(Value::known) {
            Some(home) => home.into_owned(),
            None => self.machine.setting.home.to_owned(),
        }
    }

    fn directory(&self) -> Option<String> {
        self.scope.directory.as_deref().map(str::to_owned)
    }

    fn variable(&self, name: &str) -> Value {
        self.machine.lookup(name, &self.scope).into_iter().next().unwrap_or_default()
    }

    fn changes_variable(&self, name: &str) -> bool {
        let value = self.scope.scalar(name);
        // The home directory is known from the beginning.
        let usual =
            |value: &Value| name == "HOME" && value.known().as_deref() == Some(self.machine.setting.home);
        value.is_some_and(|value| !usual(value))
    }

    fn spend(&mut self, units: u32) -> Result<(), OutOfFuel> {
        let may = match self.pace {
            Pace::Steps => self.machine.step(units),
            Pace::Units => self.machine.spend(units),
        };
        if may { Ok(()) } else { Err(OutOfFuel) }
    }
}

/// What code that was not followed to its end means where it runs: only here can a boundary be put around it. A closed container is one.
fn where_it_runs(position: Position, realm: &Realm) -> Position {
    match (position, realm) {
        (Position::Unfollowed, Realm::Container { open: true, .. } | Realm::Remote(_)) => Position::Code,
        (Position::Unfollowed, Realm::Container { open: false, .. }) => Position::Program,
        (position, _) => position,
    }
}

/// A realm entered from within a container: what it mounts are the container's paths, so they are mapped once more.
fn inside(outer: &Realm, inner: Realm) -> Realm {
    let (Realm::Container { mounts: outer, .. }, Realm::Container { mounts, open }) = (outer, &inner) else {
        return inner;
    };
    let through = |path: &str| {
        let target = PathTarget {
            shown: String::new(),
            path: path.to_owned(),
            extent: Extent::Exact,
            places: Places::NONE,
        };
        mapped(&target, outer).and_then(|value| value.known().map(std::borrow::Cow::into_owned))
    };
    let mounts =
        mounts.iter().filter_map(|(outside, inside)| Some((through(outside)?, inside.clone()))).collect();
    Realm::Container { mounts, open: *open }
}

/// Puts an item where its marker stands.
fn filled(value: &Value, marker: &str, item: &Value) -> Value {
    let mut result = Value { pieces: Vec::new(), provenance: value.provenance };
    for piece in &value.pieces {
        match piece {
            Piece::Literal(text) => {
                for (index, part) in text.split(marker).enumerate() {
                    if index > 0 {
                        result.push(item);
                    }
                    result.push_str(part);
                }
            }
            Piece::Glob(_) | Piece::Hole(_) => result.pieces.push(piece.clone()),
        }
    }
    result
}

/// The path of a socket on this machine, given where a host could stand.
fn socket(to: &Value) -> Option<Value> {
    let text = to.known_prefix();
    let scheme = ["unix://", "unix:", "unix-connect:", "http+unix://"]
        .iter()
        .find(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let path = arguments::tail(to, scheme.map_or(0, |scheme| scheme.len()));
    path.known_prefix().starts_with('/').then_some(path)
}

/// The host in a URL, `user@host`, `host:port` or host.
pub(crate) fn host(value: &Value) -> HostTarget {
    let shown = value.shown();
    // An address in brackets reads like a pattern, but there is no file of that name: it stays as it is.
    let known = value.pieces.iter().map_while(|piece| match piece {
        Piece::Glob(text) | Piece::Literal(text) => Some(text.as_str()),
        Piece::Hole(_) => None,
    });
    let prefix: String = known.collect();
    let (scheme, rest) = match prefix.split_once("://") {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, prefix.as_str()),
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let complete = authority.len() < rest.len() || !value.has_hole();
    let name = authority.rsplit('@').next().unwrap_or_default();
    let name = match name.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((inner, _)) => inner,
        None if name.matches(':').count() == 1 => name.split(':').next().unwrap_or_default(),
        None => name,
    };
    let host = (complete && !name.is_empty()).then(|| name.to_ascii_lowercase());
    HostTarget { host, scheme, shown }
}

/// The mounts of a container, by where they lie on this machine: what is given relatively is seen from the working directory.
fn mounted_from(realm: Realm, directory: Option<&str>) -> Realm {
    let Realm::Container { mounts, open } = realm else { return realm };
    let absolute = |outside: &str| match directory {
        Some(directory) if outside == "." => directory.to_owned(),
        Some(directory) if outside.starts_with("./") || outside.starts_with("..") => {
            format!("{}/{outside}", directory.trim_end_matches('/'))
        }
        Some(_) | None => outside.to_owned(),
    };
    let mounts: Vec<_> = mounts.iter().map(|(outside, inside)| (absolute(outside), inside.clone())).collect();
    Realm::Container { mounts: Rc::from(mounts), open }
}
