//! Paths as the text means them: links followed, mounts mapped, files that the text wrote remembered.

use std::rc::Rc;

use super::links::Readings;
use super::machine::{Event, Machine};
use super::scope::{Endpoint, Scope};
use super::stream::own_descriptor;
use crate::effect::{Flags, Realm, Target, Verb};
use crate::gap::{Gap, Position, Reason};
use crate::place::{self, Extent, PathTarget, Places};
use crate::span::Span;
use crate::value::{Hole, Piece, Provenance, Value};

/// Who does something, and where in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor<'a> {
    /// The program, or the sign of a redirection.
    pub(crate) by: &'a str,
    pub(crate) invocation: usize,
    pub(crate) span: Span,
}

/// Something that happens to a path, as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<'a> {
    pub(crate) verb: Verb,
    pub(crate) path: &'a Value,
    pub(crate) flags: Flags,
    pub(crate) data: Provenance,
    pub(crate) actor: Actor<'a>,
}

impl<'a> Touch<'a> {
    /// With nothing else to be said about it.
    pub(crate) fn plain(verb: Verb, path: &'a Value, actor: Actor<'a>) -> Self {
        Self { verb, path, flags: Flags::NONE, data: Provenance::NONE, actor }
    }
}

/// A path that begins with a field of the table of accounts: the only field of it that is a directory is somebody's home.
fn of_account(path: &Value, home: &str) -> Option<Value> {
    let (Piece::Hole(field), rest) = path.pieces.split_first()? else { return None };
    let is_of_table = |file: &Option<Rc<str>>| file.as_deref() == Some("/etc/passwd");
    let goes_on = matches!(rest.first(), Some(Piece::Literal(text)) if !text.starts_with('/'));
    if goes_on || !is_of_table(&field.part_of) && !is_of_table(&field.file) {
        return None;
    }
    let mut whole = Value::literal(home).from(path.provenance);
    whole.push(&Value { pieces: rest.to_vec(), provenance: Provenance::NONE });
    Some(whole)
}

/// Whether a word stands for all that is below a directory, one by one: what is done to it is done to everything.
fn is_walk(value: &Value) -> bool {
    match value.pieces.last() {
        Some(Piece::Glob(glob)) => glob == place::WALK,
        Some(Piece::Hole(hole)) => hole.shown == place::EVERY_FILE,
        Some(Piece::Literal(_)) | None => false,
    }
}

/// The same word for what is listed, as it is for all that is below: what a walk picks by its content is as good as all.
fn as_walk(value: &Value) -> Option<Value> {
    let Some(Piece::Hole(hole)) = value.pieces.last() else { return None };
    if hole.shown != place::LISTED {
        return None;
    }
    let mut whole = value.clone();
    whole.pieces.pop();
    whole.pieces.push(Piece::Hole(Hole {
        shown: place::EVERY_FILE.to_owned(),
        may_be_empty: true,
        ..hole.clone()
    }));
    Some(whole)
}

/// Whether a word ends with a pattern that every name in a directory matches.
fn is_each(value: &Value) -> bool {
    let is_all =
        |piece: &&Piece| matches!(piece, Piece::Glob(glob) if glob.bytes().all(|letter| letter == b'*'));
    let globs = value.pieces.iter().rev().take_while(is_all).count();
    let before = value.pieces.iter().rev().nth(globs);
    globs > 0 && before.is_none_or(|piece| matches!(piece, Piece::Literal(text) if text.ends_with('/')))
}

/// Whether all that is there belongs to the system or is somebody's home.
fn is_precious(target: &PathTarget) -> bool {
    target.extent == Extent::Children
        && target.places.any(Places::ROOT | Places::SYSTEM_DIR | Places::HOME)
        && !target.places.any(Places::WORKSPACE | Places::TEMPORARY)
}

/// Whether a word stands for files that were there before and were chosen together. A name that is made of one of theirs is another.
fn names_many(value: &Value) -> bool {
    value.pieces.iter().any(|piece| match piece {
        Piece::Glob(_) => true,
        Piece::Hole(hole) => {
            let is_listed = hole.matched.is_some()
                || hole.part_of.as_deref().is_some_and(|of| of.ends_with('/'))
                || matches!(hole.shown.as_str(), place::LISTED | place::EVERY_FILE);
            is_listed && !hole.shown.starts_with("${")
        }
        Piece::Literal(_) => false,
    })
}

/// Whether something is done to a file that stays.
fn changes(verb: Verb) -> bool {
    matches!(verb, Verb::ChangeAttributes | Verb::ChangeMode | Verb::ChangeOwner | Verb::Link | Verb::Write)
}

impl Machine<'_> {
    pub(crate) fn next_invocation(&self) -> usize {
        self.invocations()
    }

    /// The directory that a word leads to.
    pub(crate) fn directory(&self, to: &Value, scope: &Scope) -> Option<Rc<str>> {
        let target = self.target(to, scope);
        (target.extent == Extent::Exact).then(|| Rc::from(target.path))
    }

    /// A path as a target: links that the text made, or that the world shows, are followed.
    pub(crate) fn target(&self, value: &Value, scope: &Scope) -> PathTarget {
        self.readings(value, scope).real
    }

    /// Every target that a path may be: the one where the kernel ends, and those where others may.
    pub(super) fn readings(&self, value: &Value, scope: &Scope) -> Readings {
        let behind = own_descriptor(value).and_then(|number| match scope.descriptors.get(&number)? {
            Endpoint::File(path) => Some(path),
            Endpoint::Network | Endpoint::Stream(_) | Endpoint::Terminal => None,
        });
        let value = behind.unwrap_or(value);
        let home = of_account(value, self.setting.home);
        let value = home.as_ref().unwrap_or(value);
        let mut target = place::resolve(value, scope.directory.as_deref(), self.setting.home);
        self.unmark_home(&mut target, scope.directory.as_deref());
        // Whoever asks next finds the tank empty.
        let depth = target.path.bytes().filter(|byte| *byte == b'/').count();
        let _ = self.fuel.spend(u32::try_from(depth).unwrap_or(u32::MAX));
        self.readings_of(target, value, scope)
    }

    /// A home that the text went to by itself is nobody's project as a whole.
    fn unmark_home(&self, target: &mut PathTarget, here: Option<&str>) {
        let is_whole =
            matches!(target.extent, Extent::Children | Extent::Exact) && target.places.has(Places::HOME);
        if is_whole && here != Some(self.setting.cwd) {
            target.places = target.places.without(Places::WORKSPACE.and(Places::WORKSPACE_ROOT));
        }
    }

    /// Records that something happens to a path. A path under a container's mount is one of this machine.
    pub(crate) fn path_effect(&mut self, scope: &Scope, touch: Touch<'_>) -> PathTarget {
        if let Some(whole) = self.everything_listed(touch.verb, touch.path, scope) {
            let readings = self.readings(&whole, scope);
            return self.effect_on(readings, scope, Touch { path: &whole, ..touch });
        }
        let readings = self.readings(touch.path, scope);
        self.effect_on(readings, scope, touch)
    }

    /// All that is below a directory, where a change is made to whatever a listing of it names and it is no project's.
    fn everything_listed(&self, verb: Verb, path: &Value, scope: &Scope) -> Option<Value> {
        let whole = as_walk(path).filter(|_| changes(verb) || verb == Verb::Delete)?;
        let mut target = self.readings(&whole, scope).real;
        self.mark_workspace(&mut target, scope.directory.as_deref());
        is_precious(&target).then_some(whole)
    }

    /// The same where a link that stands at the path is meant itself. What is followed all the same is judged by where it leads.
    pub(crate) fn name_effect(&mut self, scope: &Scope, touch: Touch<'_>) {
        if let Some(whole) = self.everything_listed(touch.verb, touch.path, scope) {
            let readings = self.readings(&whole, scope);
            self.effect_on(readings, scope, Touch { path: &whole, ..touch });
            return;
        }
        let readings = self.names(touch.path, scope).unwrap_or_else(|| self.readings(touch.path, scope));
        self.effect_on(readings, scope, touch);
    }

    fn effect_on(&mut self, mut readings: Readings, scope: &Scope, touch: Touch<'_>) -> PathTarget {
        let Touch { verb, path: value, flags, data, actor: Actor { by, invocation, span } } = touch;
        let empties = verb == Verb::Write && flags.any(Flags::TRUNCATE | Flags::IN_PLACE);
        let takes_all =
            changes(verb) && is_walk(value) || empties && is_each(value) && is_precious(&readings.real);
        let flags = if takes_all { flags | Flags::RECURSIVE } else { flags };
        let flags = if names_many(value) { flags } else { flags.without(Flags::EMPTIED) };
        let mut scope = scope.clone();
        if let Realm::Container { mounts, .. } = &scope.realm
            && let Some(outside) = mapped(&readings.real, mounts)
        {
            scope.realm = Realm::Here;
            scope.directory = None;
            readings = self.readings(&outside, &scope);
        }
        let Readings { mut real, mut others } = readings;
        if scope.realm == Realm::Here {
            for target in std::iter::once(&mut real).chain(&mut others) {
                self.mark_workspace(target, scope.directory.as_deref());
            }
        }
        self.unknown_path(verb, value, &real, flags, span);
        // A program that reduces names by itself ends where they say; the kernel may end elsewhere.
        if let Some(behind) = place::behind_pattern(value).filter(|_| scope.realm == Realm::Here) {
            let there = place::resolve(&behind, None, self.setting.home);
            self.unknown_path(verb, &behind, &there, flags, span);
            others.push(PathTarget { shown: value.shown(), ..there });
        }
        if verb == Verb::Read && scope.realm == Realm::Here && !flags.has(Flags::METADATA) {
            for target in std::iter::once(&mut real).chain(&mut others) {
                target.places |= place::beneath(target, flags.has(Flags::RECURSIVE), self.setting.home);
            }
        }
        for target in std::iter::once(&real).chain(&others) {
            let target = Target::Path(target.clone());
            self.effect(&scope, Event { verb, target, flags, data, by, invocation, span });
        }
        real
    }

    /// An unknown path is a gap; one that is a variable of the environment alone is the caller's to set.
    fn unknown_path(&mut self, verb: Verb, value: &Value, target: &PathTarget, flags: Flags, span: Span) {
        // That a path is absolute says nothing of where it ends, which matters for what is changed there.
        let anywhere = target.extent == Extent::Prefix && target.path == "/" && verb != Verb::Read;
        if target.extent != Extent::Unknown && !anywhere || !value.has_hole() {
            return;
        }
        let outside = value.provenance.any(Provenance::NETWORK | Provenance::OUTSIDE | Provenance::FILE);
        let replaces = verb == Verb::Write && flags.any(Flags::TRUNCATE | Flags::APPEND | Flags::IN_PLACE);
        let changes = replaces || matches!(verb, Verb::Link | Verb::ChangeMode | Verb::ChangeOwner);
        let position = if verb == Verb::Delete && outside && !flags.has(Flags::MOVE) {
            Position::Delete
        } else if changes && outside {
            Position::Write
        } else if verb == Verb::Read {
            Position::Read
        } else {
            Position::Inert
        };
        self.push_gap(Gap { position, reason: Reason::Runtime, shown: value.shown(), span });
    }

    pub(crate) fn read_file(&mut self, path: &Value, flags: Flags, scope: &Scope, actor: Actor<'_>) -> Value {
        if let Some(input) = self.given(path, scope) {
            return input;
        }
        let touch = Touch { verb: Verb::Read, path, flags, data: path.provenance, actor };
        let target = self.path_effect(scope, touch);
        if target.extent == Extent::Exact {
            if self.files.is_fifo(&target.path) {
                return Value::unknown(target.path, Provenance::OUTSIDE);
            }
            if let Some(content) = self.files.content(&target.path).cloned() {
                self.spend_bytes(content.size());
                return if self.files.is_unsettled(&target.path) {
                    either_way(&content, &target.path)
                } else {
                    content
                };
            }
        }
        let provenance = if target.places.any(Places::CREDENTIAL | Places::ABOVE_CREDENTIALS) {
            Provenance::SECRET
        } else if target.places.any(Places::ENDLESS) {
            Provenance::ENDLESS
        } else if target.places.any(Places::SINK) {
            return Value::default();
        } else {
            Provenance::FILE
        };
        if target.extent == Extent::Exact {
            return Value::content_of(target.path, provenance | path.provenance);
        }
        Value::unknown(target.path, provenance | path.provenance)
    }

    pub(crate) fn write_file(
        &mut self,
        path: &Value,
        content: &Value,
        flags: Flags,
        scope: &Scope,
        actor: Actor<'_>,
    ) {
        let is_empty =
            flags.has(Flags::TRUNCATE) && content.known().is_some_and(|text| text.trim().is_empty());
        let flags = if is_empty { flags | Flags::EMPTIED } else { flags };
        let touch = Touch { verb: Verb::Write, path, flags, data: content.provenance, actor };
        let target = self.path_effect(scope, touch);
        if content.provenance.has(Provenance::ENDLESS)
            && !target.places.any(Places::SINK | Places::BLOCK_DEVICE)
        {
            self.exhaust(scope, actor.by);
        }
        self.written_code(&target, content, scope, actor.invocation, actor.span);
        self.deliver(&target.path, content);
        if let Some(number) = own_descriptor(path) {
            self.outgoing(number, content, scope);
        }
        if target.extent == Extent::Exact && target.path != "/dev/null" {
            self.mind_rules(&target.path, content, scope, actor);
            self.hold(&target.path, content, flags, scope, actor);
        }
    }
}

/// A content that may be there in part only.
pub(super) fn either_way(content: &Value, path: &str) -> Value {
    let mut all = Value::content_of(path.to_owned(), Provenance::FILE);
    let end = all.clone();
    all.push(content);
    all.push(&end);
    all
}

/// The path on this machine of a path below a container's mount.
pub(super) fn mapped(target: &PathTarget, mounts: &[(String, String)]) -> Option<Value> {
    mounts.iter().find_map(|(outside, inside)| {
        let rest = if inside == "/" {
            Some(target.path.as_str())
        } else {
            target.path.strip_prefix(inside.as_str())
        }?;
        if !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        let mut path = Value::literal(format!("{}{rest}", outside.trim_end_matches('/')));
        if path.known().is_some_and(|text| text.is_empty()) {
            path = Value::literal("/");
        }
        if target.extent == Extent::Children {
            path.push_str("/");
            path.pieces.push(Piece::Glob("*".to_owned()));
        }
        Some(path)
    })
}
