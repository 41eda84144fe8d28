//! Abstract execution: what a text would do, without doing it.
//!
//! The evaluator walks the tree as bash would run it, with values that know which of their parts are unknown
//! ([`crate::value`]). Where the way forks (`if`, `cd x; …`), both ways are followed, each with its own scope;
//! loops run a few times. Programs do not run: their tables say what their arguments mean.

mod address;
mod again;
mod apply;
mod approvals;
mod arithmetic;
mod assign;
mod attributes;
mod bound;
mod builtin;
mod call;
mod chain;
mod choice;
mod code;
mod control;
mod expand;
mod fields;
mod files;
mod guesswork;
mod handed;
mod keyboard;
mod later;
mod launch;
mod library;
mod links;
mod listener;
mod loaded;
mod loops;
mod machine;
mod matches;
mod names;
mod net;
mod parameter;
mod paths;
mod printed;
mod redirect;
mod rewrite;
mod role;
mod scope;
mod scratch;
mod shortcuts;
mod simple;
mod step;
mod stream;
mod suppose;
mod task;
mod trap;
mod typed;
mod uncovered;
mod underway;
mod undescribed;
mod unnamed;
mod vanish;
mod variables;
mod ways;

use crate::analysis::Analysis;
use crate::gap::{Gap, Position, Reason};
use crate::lang::Lang;
use crate::span::Span;
use crate::value::Value;
use crate::world::World;
pub(crate) use code::STAND_IN;
use machine::Machine;

/// What a text is judged against.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The working directory, absolute; empty where it is not known.
    pub cwd: &'a str,
    /// The home directory, absolute.
    pub home: &'a str,
    /// The user's name, when known.
    pub user: Option<&'a str>,
    /// What may be asked about the machine.
    pub world: &'a dyn World,
    /// How large and how costly a text may be.
    pub limits: Limits,
    /// What it reads where it reads standard input.
    pub input: Input,
}

/// What a text reads where it reads standard input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// What a person types, or nothing.
    #[default]
    Typed,
    /// What whoever hands in the text hands in with it: it could be anything, code too.
    Unknown,
}

/// How large and how costly a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes that are read.
    pub bytes: usize,
    /// The most work units that a shell text may spend.
    pub fuel: u32,
}

impl Limits {
    /// How many steps of Python's reader one unit is worth: they are smaller, and its texts are whole scripts. It is
    /// the same for a script that stands alone and for one that a shell text runs.
    pub(crate) const STEPS: u32 = 4;
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 128 * 1024, fuel: 10_000 }
    }
}

/// Works out what a text in a language would do.
#[must_use]
pub fn analyse(text: &str, lang: Lang, setting: &Setting<'_>) -> Analysis {
    if let Some(reason) = refusal(text, setting.limits) {
        return unread(reason, text);
    }
    let mut machine = Machine::new(text, setting);
    machine.run_text(lang, &Value::literal(text));
    machine.finish()
}

fn refusal(text: &str, limits: Limits) -> Option<Reason> {
    if text.len() > limits.bytes {
        Some(Reason::Size)
    } else if text.contains('\0') {
        Some(Reason::Text)
    } else {
        None
    }
}

fn unread(reason: Reason, text: &str) -> Analysis {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let gap = Gap { position: Position::Whole, reason, shown: String::new(), span: Span::new(0, end) };
    Analysis { gaps: vec![gap], ..Analysis::default() }
}
