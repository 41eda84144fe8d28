//! Texts that are changed where they stand: perl's `tr`, `y` and `s`, awk's `sub` and `gsub`.
//!
//! A variable that keeps its old value here would be judged by a text that never runs, so what cannot be computed
//! becomes unknown.

use super::{Reader, Val, texts};
use crate::lang::Lang;
use crate::scripts::scanner::{Change, Kind, Part, Pattern};
use crate::value::Value;

/// How many bytes are changed for a unit of work.
const CHANGED_A_UNIT: usize = 128;

/// Characters that mean something else than themselves in a pattern.
pub(super) const SPECIAL: &[char] = &['.', '^', '$', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '\\'];

/// What the path of a regular expression begins with; what it finds follows.
pub(super) const REGEX: &str = "regex ";

/// What is changed.
enum Place {
    /// A variable.
    Variable(String),
    /// A part of one: which is not known.
    Within(String),
    /// A text without a name.
    Text(Val),
}

impl Reader<'_> {
    /// A regular expression was passed; one that replaces changes what it stands behind, or the topic.
    pub(super) fn pattern(&mut self, pattern: &Pattern) -> Val {
        match pattern {
            Pattern::Finds(text) => {
                self.code_within(text);
                Val::name(&format!("{REGEX}{text}"))
            }
            Pattern::Runs(part) => {
                if let Part::Code(code, offset) = part {
                    // What the pattern takes out of the text may be all of it.
                    let before = match self.changed_place() {
                        Place::Variable(name) | Place::Within(name) => self.lookup(&name),
                        Place::Text(text) => text,
                    };
                    self.reaches(&[before]);
                    self.nested(code, *offset);
                }
                self.change(None)
            }
            Pattern::Changes(change) => {
                self.code_within(&change.from);
                self.change(Some(change))
            }
        }
    }

    /// Perl's `(?{ … })` and `(??{ … })`: code in a pattern.
    fn code_within(&mut self, pattern: &str) {
        if self.lang() != Lang::Perl {
            return;
        }
        for mark in ["(?{", "(??{"] {
            for (at, _) in pattern.match_indices(mark).take(8) {
                let code = pattern.get(at + mark.len()..).unwrap_or_default();
                let code = code.rfind('}').and_then(|end| code.get(..end)).unwrap_or(code);
                self.nested(code, 0);
            }
        }
    }

    fn change(&mut self, change: Option<&Change>) -> Val {
        let place = self.changed_place();
        let before = match &place {
            Place::Variable(name) | Place::Within(name) => self.lookup(name),
            Place::Text(text) => text.clone(),
        };
        let after = change
            .filter(|_| self.may_change(&before))
            .and_then(|change| changed(change, &before))
            .unwrap_or_else(|| Val::unknown("changed text", before.provenance()));
        if change.is_some_and(|change| change.flags.contains('r')) {
            return after;
        }
        match place {
            Place::Variable(name) => self.assign(&name, after),
            Place::Within(name) => self.assign(&name, Val::unknown("changed text", before.provenance())),
            Place::Text(_) => {}
        }
        Val::name("count")
    }

    /// Takes what reading and writing a text costs.
    pub(super) fn may_change(&mut self, before: &Val) -> bool {
        self.spend(super::val::size(&before.plain()) / CHANGED_A_UNIT)
    }

    /// What stands before `=~`; the topic without one.
    fn changed_place(&mut self) -> Place {
        let topic = || Place::Variable("_".to_owned());
        let Some(bound) =
            self.pos.checked_sub(2).filter(|at| self.tokens.get(*at).is_some_and(|token| token.is("=~")))
        else {
            return topic();
        };
        let Some(last) = bound.checked_sub(1) else { return topic() };
        match self.tokens.get(last).map(|token| token.kind.clone()) {
            Some(Kind::Var(name)) => Place::Variable(name),
            Some(Kind::Text(parts)) => Place::Text(Val::value(self.parts(&parts))),
            // `(my $x = …) =~ tr…`, `$x{y} =~ …`, `$x[0] =~ …`.
            Some(Kind::Op(")")) => self.variable_from(self.opening(last), Place::Variable),
            Some(Kind::Op("}" | "]")) => {
                self.variable_from(self.opening(last).saturating_sub(1), Place::Within)
            }
            Some(_) | None => Place::Text(Val::unknown("text", self.ambient)),
        }
    }

    /// The first variable at or behind `from`.
    fn variable_from(&self, from: usize, place: fn(String) -> Place) -> Place {
        let mut names =
            self.tokens.iter().skip(from).take(8).filter_map(|token| {
                if let Kind::Var(name) = &token.kind { Some(name.clone()) } else { None }
            });
        names.next().map_or_else(|| Place::Text(Val::unknown("text", self.ambient)), place)
    }

    /// The bracket whose partner stands at `close`.
    pub(super) fn opening(&self, close: usize) -> usize {
        let open = self.tokens.iter().take(close).rposition(|token| token.partner == Some(close));
        open.unwrap_or(close)
    }

    /// awk's `sub` and `gsub`, whose closing bracket was just passed: `gsub(/_/, " ", x)`.
    pub(in crate::scripts) fn awk_substitute(&mut self, arguments: &[Val], all: bool) -> Val {
        let close = self.pos.saturating_sub(1);
        let first = self.tokens.get(self.opening(close) + 1).map(|token| token.kind.clone());
        let from = match first {
            Some(Kind::Regex(Pattern::Finds(text))) => Some(text),
            _ => arguments.first().and_then(Val::known),
        };
        let place = match self.tokens.get(close.saturating_sub(1)).map(|token| &token.kind) {
            Some(Kind::Name(name) | Kind::Var(name)) if arguments.len() > 2 => name.clone(),
            _ => "0".to_owned(),
        };
        let before = self.lookup(&place);
        let flags = if all { "g" } else { "" }.to_owned();
        let to = arguments.get(1).and_then(Val::known).filter(|to| !to.contains('&'));
        let change = from.zip(to).map(|(from, to)| Change { word: "s", from, to, flags });
        let may = self.may_change(&before);
        let after = change.as_ref().filter(|_| may).and_then(|change| changed(change, &before));
        if place == "0" {
            // What the line is cut into changes with it.
            for field in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "NF"] {
                self.assign(field, Val::unknown(field, before.provenance()));
            }
        }
        self.assign(&place, after.unwrap_or_else(|| Val::unknown("changed text", before.provenance())));
        Val::name("count")
    }
}

/// The text after the change, when that can be computed.
pub(super) fn changed(change: &Change, text: &Val) -> Option<Val> {
    let whole = text.plain();
    let known = whole.known().filter(|known| known.is_ascii())?;
    let flags: String = change.flags.chars().filter(|flag| *flag != 'r').collect();
    let after = if change.word == "s" {
        let plain = !change.from.is_empty()
            && !change.from.contains(SPECIAL)
            && !change.from.contains(['@', '/'])
            && !change.to.contains(['$', '@', '\\', '&']);
        match flags.as_str() {
            "g" if plain => known.replace(&change.from, &change.to),
            "" if plain => known.replacen(&change.from, &change.to, 1),
            _ => return None,
        }
    } else {
        translated(&known, change, &flags)?
    };
    (after.len() <= super::val::TEXT_MOST).then(|| Val::value(Value::literal(after).from(whole.provenance)))
}

/// `tr` and `y`: sets of letters, without what a backslash means.
fn translated(text: &str, change: &Change, flags: &str) -> Option<String> {
    match (flags, change.to.is_empty()) {
        ("", true) => Some(text.to_owned()),
        ("", false) => texts::translated(text, &change.from, &change.to),
        ("d", true) => texts::without(text, &change.from),
        _ => None,
    }
}
