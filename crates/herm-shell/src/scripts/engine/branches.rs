//! Code that may run or not: what is assigned there joins with what was known before.
//!
//! A body in brackets, of a function or of a loop is read as if it ran, and when it ends, each variable that it changed may
//! hold anything that it held from its beginning on: a body may be left at any statement. Where it is only known that a
//! statement may not run, and not where what depends on it ends (`x = 1 if y`, `a && b`), values join at once.

use std::collections::HashMap;

use super::{Reader, Val};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::scanner::{Kind, Token};

/// How often the body of a loop is read before what still changes becomes unknown.
const PASSES_MOST: usize = 3;
/// How often bodies of loops are read again in a text.
const AGAIN_MOST: usize = 64;

/// What variables held before a body changed them.
#[derive(Debug, Default)]
pub(super) struct Body {
    before: HashMap<String, Option<Val>>,
}

impl Reader<'_> {
    /// A body begins.
    pub(super) fn begin_body(&mut self) {
        self.bodies.push(Body::default());
    }

    /// A body ends: it may not have run, or not to its end. The variables that may hold something else now come back.
    pub(super) fn end_body(&mut self) -> Vec<String> {
        let mut changed = Vec::new();
        let Some(body) = self.bodies.pop() else { return changed };
        for (name, before) in body.before {
            self.note(&name, before.clone());
            let Some(before) = before else { continue };
            let now = self.vars.remove(&name).unwrap_or_else(|| before.clone());
            self.spend(1);
            let joined = before.clone().either(&now);
            if !super::recursion::is_same(&before, &joined) {
                changed.push(name.clone());
            }
            self.vars.insert(name, joined);
        }
        changed
    }

    /// A variable is about to change that held `before`.
    fn note(&mut self, name: &str, before: Option<Val>) {
        let Some(body) = self.bodies.last_mut() else { return };
        let Some(earlier) = body.before.get_mut(name) else {
            body.before.insert(name.to_owned(), before);
            return;
        };
        *earlier = match (earlier.take(), before) {
            (Some(earlier), Some(before)) => Some(earlier.either(&before)),
            (earlier, before) => earlier.or(before),
        };
    }

    /// Gives a variable a value for as long as a body runs.
    pub(super) fn bind(&mut self, name: &str, val: Val) {
        let before = self.held(name);
        self.note(name, before);
        self.store(name, val);
    }

    /// Gives a variable a value; where it is not certain that this happens, the one before stays possible.
    pub(super) fn bind_perhaps(&mut self, name: &str, val: Val, is_certain: bool) {
        let before = self.held(name);
        self.note(name, before.clone());
        let val = match before {
            Some(before) if !is_certain => before.either(&val),
            Some(_) | None => val,
        };
        self.store_linked(name, &val);
        self.store(name, val);
    }

    /// What is the same as a variable takes its value, too.
    fn store_linked(&mut self, name: &str, val: &Val) {
        let others = self.linked.iter().filter_map(|(one, other)| match name {
            _ if one == name => Some(other.clone()),
            _ if other == name => Some(one.clone()),
            _ => None,
        });
        for other in others.take(8).collect::<Vec<_>>() {
            let before = self.held(&other);
            self.note(&other, before.clone());
            self.store(&other, before.map_or_else(|| val.clone(), |before| before.either(val)));
        }
    }

    /// A variable is about to change in a way of its own.
    pub(super) fn note_before(&mut self, name: &str, before: &Val) {
        self.note(name, Some(before.clone()));
    }

    fn store(&mut self, name: &str, val: Val) {
        self.store_parts(name, &val);
        if let Some((whole, key)) = name.rsplit_once('.') {
            if !self.wholes.contains(whole) {
                self.wholes.insert(whole.to_owned());
            }
            self.change_part(whole, key, &val);
        }
        self.vars.insert(name.to_owned(), val);
    }

    /// Elements that were assigned one by one change with what they are elements of.
    fn store_parts(&mut self, name: &str, val: &Val) {
        if !self.wholes.remove(name) || !self.spend(self.vars.len() / 4 + 1) {
            return;
        }
        let start = format!("{name}.");
        let keys: Vec<String> = self.vars.keys().filter(|key| key.starts_with(&start)).cloned().collect();
        for place in keys {
            let before = self.vars.remove(&place);
            let key = place.get(start.len()..).unwrap_or_default();
            let now = self.stored_element(val, key);
            let now = now.unwrap_or_else(|| Val::unknown(&place, val.provenance()));
            self.note(&place, before);
            self.vars.insert(place, now);
            self.wholes.insert(name.to_owned());
        }
    }

    /// What a place holds: a variable, or an element of a known list.
    fn held(&mut self, place: &str) -> Option<Val> {
        if let Some(found) = self.vars.get(place) {
            return Some(found.clone());
        }
        let (whole, key) = place.rsplit_once('.')?;
        let whole = self.vars.get(whole)?.clone();
        self.stored_element(&whole, key)
    }

    fn stored_element(&mut self, whole: &Val, key: &str) -> Option<Val> {
        let mut found: Option<Val> = None;
        for list in whole.alternatives() {
            let Val::List(items) = &list else { continue };
            let index = key.parse::<usize>().ok().map(|index| index.saturating_sub(self.first_index()));
            let element = list.keyed(&[key]).or_else(|| index.and_then(|index| items.get(index).cloned()));
            found = match (found, element) {
                (Some(found), Some(element)) => Some(found.either(&element)),
                (found, element) => found.or(element),
            };
        }
        found
    }

    /// Whether what stands here runs whenever the body does that it stands in.
    pub(super) fn is_certain(&self) -> bool {
        self.pos > self.doubtful_until
    }

    /// The rest of the statement may not run.
    pub(super) fn doubt_statement(&mut self) {
        if self.pos >= self.doubtful_until {
            self.doubtful_until = self.statement_end(self.pos);
        }
    }

    /// Where the statement ends that `at` stands in.
    fn statement_end(&mut self, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at).filter(|_| at < self.end) {
            if token.is(";") || token.kind == Kind::Newline {
                break;
            }
            at = token.partner.map_or(at + 1, |partner| partner.max(at) + 1);
        }
        self.spend(at.saturating_sub(from) / 16);
        at.min(self.end)
    }

    /// A word was passed after which code may run or not. A body in brackets sees to itself.
    pub(super) fn doubt_after(&mut self, word: &str) {
        if !CONDITIONAL.contains(&word) {
            return;
        }
        let ends = matches!(self.lang(), Lang::Lua | Lang::Ruby | Lang::Other(_));
        if ends && self.begins_statement() {
            // Which `end` belongs to it is not always certain.
            self.doubtful_until = self.end;
            return;
        }
        let mut at = self.pos;
        if self.at_op("(") {
            at = self.partner(at) + 1;
        }
        match self.tokens.get(at).filter(|_| at < self.end) {
            Some(token) if token.is("{") && matches!(word, "switch" | "match" | "given") => {
                self.doubtful_until = self.doubtful_until.max(self.partner(at));
            }
            Some(token) if token.is("{") => {}
            Some(_) | None => {
                let end = self.statement_end(at);
                self.doubtful_until = self.doubtful_until.max(end);
            }
        }
    }

    /// Whether the word that was just passed begins a statement, so that it is no modifier.
    fn begins_statement(&self) -> bool {
        let before = self.pos.checked_sub(2).and_then(|at| self.tokens.get(at));
        before.is_none_or(|token| match &token.kind {
            Kind::Newline => true,
            Kind::Op(op) => !matches!(*op, ")" | "]"),
            Kind::Name(name) => OPENS.contains(&name.as_str()),
            Kind::Number(_) | Kind::Text(_) => self.lang() == Lang::Lua,
            Kind::Command(_) | Kind::Readline(_) | Kind::Regex(_) | Kind::Var(_) | Kind::Words(_) => false,
        }) || self.lang() == Lang::Lua
    }

    /// Reads the body of a loop as often as it takes until nothing new comes of it.
    pub(super) fn repeated(&mut self, from: usize, to: usize) -> Val {
        let mut result = Val::list(Vec::new());
        for pass in 0..=PASSES_MOST {
            let outer = std::mem::take(&mut self.changed);
            result = self.once(from, to).unwrap_or(result);
            let changed = std::mem::replace(&mut self.changed, outer);
            if changed.is_empty() || self.stopped || pass == PASSES_MOST {
                break;
            }
            self.again += 1;
            if self.again > AGAIN_MOST {
                self.sink.gap(Position::Unfollowed, Reason::Fuel, "loop");
                break;
            }
            if pass + 1 == PASSES_MOST {
                for name in changed {
                    let Some(value) = self.vars.get(&name).cloned() else { continue };
                    let unknown = Val::unknown(&name, value.provenance());
                    self.vars.insert(name, value.either(&unknown));
                }
            }
        }
        result
    }
}

/// Whether a statement's tail makes it depend on something: `x if y`.
pub(super) fn is_modifier(token: &Token) -> bool {
    token.name().is_some_and(|name| MODIFIERS.contains(&name))
}

const MODIFIERS: &[&str] =
    &["if", "unless", "while", "until", "for", "foreach", "and", "or", "rescue", "when"];
const OPENS: &[&str] = &["then", "do", "else", "begin", "ensure", "not", "and", "or", "return"];
const CONDITIONAL: &[&str] = &[
    "if", "unless", "elsif", "elseif", "elif", "else", "while", "until", "for", "foreach", "loop", "repeat",
    "case", "when", "default", "switch", "match", "given", "try", "catch", "except", "rescue", "ensure",
    "finally", "begin", "do", "then",
];
