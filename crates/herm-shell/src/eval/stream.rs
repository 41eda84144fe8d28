//! Output that goes elsewhere than to the standard output of its own command, and descriptors under their paths.
//!
//! What a command prints comes back from running it. What it writes to `>&2` or `>&3` may belong to a pipe further out
//! (`{ { echo x >&3; } > log; } 3>&1 | sh`): it is kept here under the number of that stream, until the command that
//! the stream belongs to ends and hands it on.

use std::rc::Rc;

use super::machine::{Machine, Pace};
use super::scope::{Endpoint, Outcome, Scope, Status};
use crate::ast::{Command, Item, Join, List, Pipeline};
use crate::value::{Piece, Provenance, Value};

/// Where `{name}>file` begins to look for a free descriptor.
const FIRST_NAMED: u32 = 10;

/// What was written to streams that are still open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    last: u32,
    pending: Vec<(u32, Value)>,
}

impl Streams {
    /// Keeps what was written to a stream.
    pub(crate) fn put(&mut self, stream: u32, text: Value) {
        if !text.pieces.is_empty() {
            self.pending.push((stream, text));
        }
    }

    /// Adds what was written to a stream to what is printed there.
    pub(crate) fn flush(&mut self, stream: u32, output: &mut Value) {
        if self.pending.is_empty() {
            return;
        }
        for (of, text) in std::mem::take(&mut self.pending) {
            if of == stream {
                output.push(&text);
            } else {
                self.pending.push((of, text));
            }
        }
    }

    /// Gives a scope a standard output of its own.
    pub(crate) fn open(&mut self, scope: &mut Scope) -> u32 {
        self.last = self.last.saturating_add(1);
        scope.stream = self.last;
        if scope.descriptors.contains_key(&1) {
            Rc::make_mut(&mut scope.descriptors).remove(&1);
        }
        self.last
    }
}

impl Machine<'_> {
    /// What comes out of a descriptor of this shell that is opened by its path, or read from.
    pub(crate) fn incoming(&self, number: u32, scope: &Scope) -> Option<Value> {
        if number == 0 {
            return Some(match &scope.stdin {
                Some(value) => value.as_ref().clone(),
                None => Value::unknown("standard input", Provenance::OUTSIDE),
            });
        }
        match scope.descriptors.get(&number)? {
            Endpoint::File(path) => self.files.content(&self.target(path, scope).path).cloned(),
            Endpoint::Network => Some(Value::unknown("the connection", Provenance::NETWORK)),
            Endpoint::Stream(_) | Endpoint::Terminal => None,
        }
    }

    /// What stands on standard input or a connection, where a path means one of these.
    pub(crate) fn given(&self, path: &Value, scope: &Scope) -> Option<Value> {
        let number = if path.known().as_deref() == Some("-") { 0 } else { own_descriptor(path)? };
        let network = scope.descriptors.get(&number) == Some(&Endpoint::Network);
        if number == 0 || network { self.incoming(number, scope) } else { None }
    }

    /// Keeps what is left to be read from a descriptor.
    pub(crate) fn leave_unread(&mut self, number: u32, rest: Value, scope: &mut Scope) {
        let path = format!("{}{number}", super::files::SUBSTITUTIONS);
        self.files.write(&path, rest);
        Rc::make_mut(&mut scope.descriptors).insert(number, Endpoint::File(Value::literal(path)));
    }

    /// Starts a coprocess: one descriptor reads what it prints, what is written to another one is its input.
    pub(crate) fn coprocess(&mut self, name: &str, command: &Command, mut scope: Scope) -> Vec<Outcome> {
        let mut inner = scope.clone();
        self.streams.open(&mut inner);
        let pauses = self.pace.pauses;
        let printed = super::ways::picked(&self.command(command, inner)).0;
        self.pace = Pace { starts: self.pace.starts + 1, pauses };
        let reads = free_descriptor(&scope);
        self.leave_unread(reads, printed, &mut scope);
        let writes = free_descriptor(&scope);
        let path = self.files.substitution(Value::default());
        let pipeline =
            Pipeline { commands: vec![command.clone()], negated: false, timed: false, span: command.span };
        let items = vec![Item { pipelines: vec![(Join::First, pipeline)], background: false }];
        self.listen(&path, &List { items }, &scope);
        Rc::make_mut(&mut scope.descriptors).insert(writes, Endpoint::File(Value::literal(path)));
        let numbers = [reads, writes].map(|number| Value::literal(number.to_string()));
        scope.set_array(name, numbers.to_vec());
        vec![Outcome::of(scope, Status::Either)]
    }

    /// Writes to a descriptor of this shell that is named by its path (`tee /dev/stderr`).
    pub(crate) fn outgoing(&mut self, number: u32, text: &Value, scope: &Scope) {
        let endpoint = scope.descriptors.get(&number).cloned();
        match endpoint {
            Some(Endpoint::Stream(stream)) => self.streams.put(stream, text.clone()),
            None if number == 1 => self.streams.put(scope.stream, text.clone()),
            Some(Endpoint::File(_) | Endpoint::Network | Endpoint::Terminal) | None => {}
        }
    }
}

/// A descriptor that is free.
pub(crate) fn free_descriptor(scope: &Scope) -> u32 {
    let taken = |number: &u32| scope.descriptors.contains_key(number);
    (FIRST_NAMED..FIRST_NAMED + 64).find(|number| !taken(number)).unwrap_or(FIRST_NAMED)
}

/// The descriptor of this shell that a path names: `/dev/fd/3`, `/proc/self/fd/3`, `/dev/stderr`.
pub(crate) fn own_descriptor(path: &Value) -> Option<u32> {
    let Some(Piece::Literal(first)) = path.pieces.first() else { return None };
    if !first.starts_with("/dev/") && !first.starts_with("/proc/") {
        return None;
    }
    let text = match path.pieces.as_slice() {
        [Piece::Literal(before), Piece::Hole(hole), Piece::Literal(after)]
            if before == "/proc/" && matches!(hole.shown.as_str(), "$$" | "$BASHPID" | "$PPID") =>
        {
            format!("/proc/self{after}")
        }
        _ => path.known()?.into_owned(),
    };
    match text.as_str() {
        "/dev/stdin" => return Some(0),
        "/dev/stdout" => return Some(1),
        "/dev/stderr" => return Some(2),
        _ => {}
    }
    let number = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"]
        .iter()
        .find_map(|directory| text.strip_prefix(directory))?;
    number.parse().ok()
}
