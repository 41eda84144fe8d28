//! Runs code in thought: every statement, in order, keeping what is known of each variable.
//!
//! No condition is decided: the question is what the code *may* do. What may have been assigned or not is one of several
//! values (`branches`), and what is done with it is done with each of them (`alternatives`). A call of a name that the
//! language's table lists is performed as the table says; every other call yields something unknown that remembers
//! where its arguments came from.

mod act;
mod alternatives;
mod arguments;
mod arithmetic;
mod awk;
mod branches;
mod call;
mod change;
mod control;
mod expression;
mod files;
mod functions;
mod methods;
mod mutation;
mod network;
mod primary;
mod processes;
mod pure;
mod recursion;
mod texts;
mod unfollowed;
mod val;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::effect::{Flags, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::scanner::{self, Kind, Profile, Token};
use crate::scripts::wiring::Wiring;
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Provenance, Value};

pub(super) use act::{Act, Row};
pub(super) use files::{data_url, mode_flags};
pub(super) use pure::*;
pub(super) use val::{Function, Handle, HandleKind, Val};

/// A language: how it is written and what its calls do.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) profile: Profile,
    /// What calls do, by path. A path that begins with `*.` is the name of a method of anything.
    pub(super) calls: &'static [Row],
    /// Beginnings of paths that say nothing: `globalThis.`, `Kernel.`.
    pub(super) transparent: &'static [&'static str],
    /// What holds the whole environment.
    pub(super) environment: &'static [&'static str],
    /// What a variable or a path that was not assigned is.
    pub(super) global: fn(&mut Reader<'_>, &str) -> Option<Val>,
}

/// How deeply expressions, functions and strings may nest.
const DEPTH_MOST: u32 = 80;

/// Reads one piece of code.
pub(super) struct Reader<'a> {
    pub(super) language: &'static Language,
    pub(super) sink: &'a mut dyn Sink,
    tokens: Rc<[Token]>,
    pos: usize,
    end: usize,
    vars: HashMap<String, Val>,
    /// Variables that have elements of their own in `vars`.
    wholes: HashSet<String>,
    /// Pairs of variables that are the same.
    linked: Vec<(String, String)>,
    /// The bodies that are being read, innermost last.
    bodies: Vec<branches::Body>,
    /// Up to where code may run or not.
    doubtful_until: usize,
    /// What the last body may have changed.
    changed: Vec<String>,
    /// How often bodies of loops were read again.
    again: usize,
    /// Variables that count: they stand for every value they take.
    counters: HashSet<String>,
    /// Where data may come from that is handed to functions by libraries.
    ambient: Provenance,
    /// What the last expression can be assigned to.
    place: Option<String>,
    /// What `return` gave.
    returned: Option<Val>,
    /// What `yield` gave.
    yields: Vec<Val>,
    /// What `|>` hands to the call that follows.
    piped: Option<Val>,
    depth: u32,
    /// How often loops over values were run.
    rounds: usize,
    /// How many endless loops are around.
    endless: u32,
    /// Up to where the tail of the statement was searched for `while 1`.
    tail_seen: usize,
    /// Whether `=` names an argument rather than assigning.
    naming: bool,
    /// Whether `>` and `|` redirect rather than compare.
    redirects: bool,
    stopped: bool,
    socket: Option<Value>,
    wiring: Wiring,
    functions: Vec<Rc<Function>>,
    handles: Vec<Rc<Handle>>,
    /// The name of the call that is being performed, as long as it is not known whether it is followed.
    called: Option<Span>,
    /// The functions on the way, innermost last.
    way: Vec<recursion::OnTheWay>,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("pos", &self.pos).field("end", &self.end).finish_non_exhaustive()
    }
}

/// How many bytes are looked at for one unit of work, besides the tokens that they are.
const BYTES_PER_UNIT: usize = 64;
/// How many tokens are made for one unit of work.
const PIECES_PER_UNIT: usize = 5;

/// Reads `text` and says what it does.
pub(super) fn read(language: &'static Language, text: &str, sink: &mut dyn Sink) {
    let Ok(units) = u32::try_from(text.len() / BYTES_PER_UNIT + scanner::pieces(text) / PIECES_PER_UNIT + 1)
    else {
        return;
    };
    if sink.spend(units).is_err() {
        return;
    }
    let tokens: Rc<[Token]> = scanner::scan(&language.profile, text, 0).into();
    let mut reader = Reader {
        language,
        sink,
        end: tokens.len(),
        tokens,
        pos: 0,
        vars: HashMap::new(),
        wholes: HashSet::new(),
        linked: Vec::new(),
        bodies: Vec::new(),
        doubtful_until: 0,
        changed: Vec::new(),
        again: 0,
        counters: HashSet::new(),
        ambient: Provenance::NONE,
        place: None,
        returned: None,
        yields: Vec::new(),
        piped: None,
        depth: 0,
        rounds: 0,
        endless: 0,
        tail_seen: 0,
        naming: false,
        redirects: false,
        stopped: false,
        socket: None,
        wiring: Wiring::default(),
        functions: Vec::new(),
        handles: Vec::new(),
        called: None,
        way: Vec::new(),
    };
    reader.statements();
    reader.finish();
}

impl Reader<'_> {
    pub(super) fn lang(&self) -> Lang {
        self.language.profile.lang
    }

    fn peek(&self) -> Option<&Token> {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> Option<&Token> {
        let at = self.pos + by;
        if self.stopped || at >= self.end { None } else { self.tokens.get(at) }
    }

    fn at_op(&self, op: &str) -> bool {
        self.peek().is_some_and(|token| token.is(op))
    }

    fn at_name(&self, name: &str) -> bool {
        self.peek().and_then(Token::name) == Some(name)
    }

    pub(in crate::scripts) fn eat(&mut self, op: &str) -> bool {
        let found = self.at_op(op);
        self.pos += usize::from(found);
        found
    }

    /// Whether a variable was just passed.
    pub(in crate::scripts) fn is_after_variable(&self) -> bool {
        let last = self.pos.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.is_some_and(|token| matches!(token.kind, Kind::Var(_)))
    }

    /// Where the partner of the bracket at `at` is; without one, the end.
    fn partner(&self, at: usize) -> usize {
        self.tokens.get(at).and_then(|token| token.partner).unwrap_or(self.end).min(self.end)
    }

    /// Says to the sink where we are.
    pub(super) fn locate(&mut self, at: usize) {
        let last = self.tokens.get(self.pos.saturating_sub(1)).or_else(|| self.tokens.last());
        let end = last.map_or(0, |token| token.end);
        if let Some(token) = self.tokens.get(at) {
            self.sink.at(Span::new(token.start, token.end.max(end)));
        }
    }

    /// The name at `at` is called.
    fn begin_call(&mut self, at: Option<usize>) {
        self.called = at.and_then(|at| self.tokens.get(at)).map(|token| Span::new(token.start, token.end));
    }

    /// What is called is known: what comes of it is said.
    fn follow_call(&mut self) {
        if let Some(at) = self.called.take() {
            self.sink.followed(at);
        }
    }

    /// Takes work units; without any left, reading ends.
    fn spend(&mut self, units: usize) -> bool {
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        self.stopped |= self.sink.spend(units).is_err();
        !self.stopped
    }

    /// Runs `inner` one level deeper, or not at all.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH_MOST {
            self.too_deep();
            return None;
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        Some(result)
    }

    /// Ends reading: what is left is nested too deeply.
    fn too_deep(&mut self) {
        if !self.stopped {
            self.sink.gap(Position::Code, Reason::Depth, self.lang().name());
        }
        self.stopped = true;
    }

    /// The statements up to the end.
    fn statements(&mut self) -> Val {
        let mut last = Val::list(Vec::new());
        while self.peek().is_some() {
            if self.pass_separator() {
                continue;
            }
            let before = self.pos;
            self.look_at_tail();
            last = self.expression();
            if self.pos == before {
                self.pos += 1;
            }
        }
        last
    }

    fn pass_separator(&mut self) -> bool {
        let separates =
            self.peek().is_some_and(|token| token.kind == Kind::Newline || token.is(";") || token.is(","));
        self.pos += usize::from(separates);
        separates
    }

    /// What is left to say at the end: handles that were opened only, functions that nobody called.
    fn finish(&mut self) {
        let mut index = 0;
        while let Some(function) = self.functions.get(index).cloned().filter(|_| !self.stopped) {
            if !function.called.get() {
                self.apply(&function, &[]);
            }
            index += 1;
        }
        for handle in std::mem::take(&mut self.handles) {
            if !handle.used.replace(true) {
                self.open_only(&handle);
            }
        }
    }

    fn open_only(&mut self, handle: &Handle) {
        match handle.kind {
            HandleKind::Write => self.sink.path(Verb::Write, &handle.to, Flags::TRUNCATE),
            HandleKind::Append => self.sink.path(Verb::Write, &handle.to, Flags::APPEND),
            HandleKind::PipeTo => {
                self.shell(&handle.to.clone());
            }
            HandleKind::Read | HandleKind::Socket => {}
        }
    }

    /// The environment is read as a whole.
    pub(super) fn environment(&mut self) -> Val {
        self.sink.effect(Verb::Read, Target::Environment, Flags::NONE, Provenance::NONE);
        Val::unknown("environment", Provenance::SECRET)
    }

    /// Does something that is done again and again.
    pub(super) fn repeatedly<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.endless += 1;
        let result = inner(self);
        self.endless -= 1;
        result
    }

    /// A variable of the environment.
    pub(super) fn variable(&mut self, name: &str) -> Val {
        if name == "HOME" {
            return Val::text(self.sink.home());
        }
        Val::value(self.sink.variable(name))
    }

    /// The text that a value is.
    pub(super) fn text(&mut self, val: &Val) -> Value {
        let Val::Name(name, provenance) = val else {
            let plain = val.plain();
            self.spend(val::size(&plain) / 512);
            return plain;
        };
        if self.language.environment.contains(&self.plain_path(name)) {
            return self.environment().plain();
        }
        match (self.language.global)(self, name) {
            Some(Val::Name(name, own)) => Value::unknown(name.as_ref(), own | *provenance),
            Some(found) => found.plain(),
            None => Value::unknown(name.as_ref(), *provenance),
        }
    }
}
