//! Tokens of the languages that the common scanner does not cut.

use std::borrow::Cow;

use super::atoms::{Atom, Kind, is_name};
use super::extends;
use crate::lang::Lang;

/// The tokens of PowerShell and Tcl, as far as names, strings and comments go.
pub(super) fn atoms(lang: Lang, text: &str) -> Vec<Atom<'_>> {
    let mut cutter = Cutter { lang, text, pos: 0, atoms: Vec::new(), depth: 0 };
    while cutter.pos < text.len() {
        cutter.next();
    }
    cutter.atoms
}

/// How deep strings are cut that stand in code in strings. What is deeper is cut as if it stood in none.
const DEEPEST: u32 = 8;

struct Cutter<'t> {
    lang: Lang,
    text: &'t str,
    pos: usize,
    atoms: Vec<Atom<'t>>,
    depth: u32,
}

impl<'t> Cutter<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn next(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        if blanks > 0 {
            self.pos += blanks;
            return;
        }
        if let Some(length) = self.comment(rest) {
            self.pos += length;
            return;
        }
        match first {
            '"' => self.string('"'),
            '\'' if self.lang == Lang::PowerShell => self.string('\''),
            '$' => {
                let name = name_length(self.lang, rest.get(1..).unwrap_or_default());
                self.push(Kind::Variable, 1 + name);
            }
            '\\' | '`' => self.pos += 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            _ if first.is_alphabetic() || first == '_' => {
                let length = name_length(self.lang, rest);
                self.push(Kind::Word, length);
            }
            _ if rest.starts_with("::") => self.push(Kind::Mark, 2),
            _ => self.push(Kind::Mark, first.len_utf8()),
        }
    }

    /// How long the comment here is, if there is one.
    fn comment(&self, rest: &str) -> Option<usize> {
        if self.lang == Lang::PowerShell && rest.starts_with("<#") {
            return Some(rest.find("#>").map_or(rest.len(), |end| end + 2));
        }
        let begins = self.lang == Lang::PowerShell
            || self.atoms.last().is_none_or(|last| ["\n", ";", "{"].iter().any(|mark| last.is(mark)));
        (rest.starts_with('#') && begins).then(|| rest.find('\n').unwrap_or(rest.len()))
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let text = self.text.get(self.pos..self.pos + length).unwrap_or_default();
        let spaced = self.text.get(..self.pos).is_some_and(|before| before.ends_with([' ', '\t', '\r']));
        let at = u32::try_from(self.pos + usize::from(kind == Kind::Text)).unwrap_or(u32::MAX);
        let held = match kind {
            Kind::Text => text.get(1..length.saturating_sub(1)).unwrap_or_default(),
            Kind::Variable => text.get(1..).unwrap_or_default(),
            Kind::Mark | Kind::Reference | Kind::Value | Kind::Word => text,
        };
        self.atoms.push(Atom { kind, text: Cow::Borrowed(held), at, spaced });
        self.pos += length.max(1);
    }

    /// A string; what is put into it is code.
    fn string(&mut self, quote: char) {
        if self.depth > DEEPEST {
            return self.push(Kind::Mark, quote.len_utf8());
        }
        let rest = self.rest();
        let escape = if self.lang == Lang::Tcl { '\\' } else { '`' };
        let (mut length, mut is_escaped, mut depth) = (1, false, 0_u32);
        let (open, close) = if self.lang == Lang::Tcl { ('[', ']') } else { ('(', ')') };
        for c in rest.chars().skip(1) {
            length += c.len_utf8();
            if std::mem::take(&mut is_escaped) {
                continue;
            }
            is_escaped = c == escape && quote == '"';
            depth += u32::from(c == open && quote == '"');
            depth -= u32::from(c == close && depth > 0);
            if c == quote && depth == 0 {
                break;
            }
        }
        let inner = rest.get(1..length - 1).unwrap_or_default();
        if is_name(inner) {
            return self.push(Kind::Text, length);
        }
        let start = self.pos;
        self.push(Kind::Value, length);
        if quote == '"' {
            self.inner(inner, start + 1);
        }
    }

    /// Code within a string: `"[exec x]"`, `"$(iex x)"`.
    fn inner(&mut self, text: &'t str, base: usize) {
        let opening = if self.lang == Lang::Tcl { "[" } else { "$(" };
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| rest.find(opening)) {
            let start = from + found + opening.len();
            let end = text
                .get(start..)
                .and_then(|rest| rest.find([']', ')']))
                .map_or(text.len(), |end| start + end);
            let mut code = Cutter {
                lang: self.lang,
                text: self.text.get(..base + end).unwrap_or_default(),
                pos: base + start,
                atoms: Vec::new(),
                depth: self.depth + 1,
            };
            while code.pos < code.text.len() {
                code.next();
            }
            self.atoms.append(&mut code.atoms);
            from = end;
        }
    }
}

fn name_length(lang: Lang, text: &str) -> usize {
    let joins =
        |c: char| c.is_alphanumeric() || c == '_' || u8::try_from(c).is_ok_and(|byte| extends(lang, byte));
    text.find(|c: char| !joins(c)).unwrap_or(text.len())
}
