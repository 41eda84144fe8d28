//! The tokens of code as the net sees them, whatever the language.

use std::borrow::Cow;

use crate::scripts::scanner::{self, Kind as Scanned, Part, Pattern, Profile, Token};

/// A token.
#[derive(Debug)]
pub(super) struct Atom<'t> {
    pub(super) kind: Kind,
    pub(super) text: Cow<'t, str>,
    /// Where the name itself begins, behind a quote or a sign.
    pub(super) at: u32,
    pub(super) spaced: bool,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An operator, a bracket, the end of a line.
    Mark,
    /// A name behind a sign by which it is a function: Perl's `\&system`.
    Reference,
    /// A string that is nothing but a name.
    Text,
    /// Anything else that has a value.
    Value,
    /// A variable.
    Variable,
    /// A name.
    Word,
}

impl Atom<'_> {
    pub(super) fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }
}

/// How long a name may be.
const NAME_MOST: usize = 64;
/// How deeply code may stand in strings in code.
const DEPTH_MOST: u32 = 8;

/// The tokens of code that the common scanner cuts.
pub(super) fn scanned<'t>(profile: &Profile, text: &'t str) -> Vec<Atom<'t>> {
    let mut atoms = Vec::new();
    add(profile, text, &scanner::scan(profile, text, 0), 0, &mut atoms);
    atoms
}

fn add<'t>(profile: &Profile, text: &'t str, tokens: &[Token], depth: u32, atoms: &mut Vec<Atom<'t>>) {
    for token in tokens {
        let (kind, name): (Kind, Cow<'t, str>) = match &token.kind {
            Scanned::Name(name) => (Kind::Word, Cow::Owned(name.clone())),
            Scanned::Var(name) => variable(text, token, name),
            Scanned::Op(op) => (Kind::Mark, Cow::Borrowed(*op)),
            Scanned::Newline => (Kind::Mark, Cow::Borrowed("\n")),
            Scanned::Text(parts) => match parts.as_slice() {
                [Part::Text(name)] if is_name(name) => (Kind::Text, Cow::Owned(name.clone())),
                _ => (Kind::Value, Cow::Borrowed("")),
            },
            Scanned::Command(_)
            | Scanned::Number(_)
            | Scanned::Readline(_)
            | Scanned::Regex(_)
            | Scanned::Words(_) => (Kind::Value, Cow::Borrowed("")),
        };
        let at = token.start + behind_sign(text, token, &name);
        atoms.push(Atom { kind, text: name, at, spaced: token.spaced });
        if depth < DEPTH_MOST {
            inner(profile, text, token, depth, atoms);
        }
    }
}

/// How far behind the beginning of a token its name stands.
fn behind_sign(text: &str, token: &Token, name: &str) -> u32 {
    let start = usize::try_from(token.start).unwrap_or(usize::MAX);
    let length = usize::try_from(token.end.saturating_sub(token.start)).unwrap_or_default();
    let written = text.get(start..start.saturating_add(length.min(NAME_MOST + 8))).unwrap_or_default();
    written.rfind(name).and_then(|at| u32::try_from(at).ok()).unwrap_or_default()
}

/// The code in a token: what is put into a string, what a pattern is replaced by.
fn inner<'t>(profile: &Profile, text: &'t str, token: &Token, depth: u32, atoms: &mut Vec<Atom<'t>>) {
    let parts: &[Part] = match &token.kind {
        Scanned::Text(parts) | Scanned::Command(parts) => parts,
        Scanned::Regex(Pattern::Runs(part)) => std::slice::from_ref(part),
        Scanned::Name(_)
        | Scanned::Newline
        | Scanned::Number(_)
        | Scanned::Op(_)
        | Scanned::Readline(_)
        | Scanned::Regex(_)
        | Scanned::Var(_)
        | Scanned::Words(_) => return,
    };
    for part in parts {
        if let Part::Code(code, at) = part {
            atoms.push(mark(";", *at));
            add(profile, text, &scanner::scan(profile, code, *at), depth + 1, atoms);
            atoms.push(mark(";", *at));
        }
    }
}

fn mark<'t>(text: &'static str, at: u32) -> Atom<'t> {
    Atom { kind: Kind::Mark, text: Cow::Borrowed(text), at, spaced: false }
}

/// A variable, or a function behind its sign.
fn variable<'t>(text: &'t str, token: &Token, name: &str) -> (Kind, Cow<'t, str>) {
    let start = usize::try_from(token.start).unwrap_or(usize::MAX);
    let is_function = text.get(start..).is_some_and(|rest| rest.starts_with('&'));
    let last = name.rsplit("::").next().unwrap_or(name).to_owned();
    if is_function {
        (Kind::Reference, Cow::Owned(last))
    } else {
        (Kind::Variable, Cow::Owned(name.to_owned()))
    }
}

/// Whether a text is nothing but a name, behind the names of what holds it.
pub(super) fn is_name(text: &str) -> bool {
    text.len() < NAME_MOST
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}
