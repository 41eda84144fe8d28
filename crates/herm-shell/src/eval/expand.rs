//! What words become: braces, tildes, parameters, substitutions, splitting, globs.

use super::fields::{Fields, drop_positional};
use super::machine::Machine;
use super::scope::Scope;
use super::ways::picked;
use crate::ast::{Direction, List, Part, Word};
use crate::brace;
use crate::gap::{Gap, Position, Reason};
use crate::pattern::Pattern;
use crate::place::{EVERY_FILE, LISTED};
use crate::programs::arguments::Argument;
use crate::value::{Piece, Provenance, Value};

/// The most words that one word's braces may become.
pub(super) const BRACES: usize = 256;

/// How many bytes are split into fields for one unit of work.
const SPLIT_PER_UNIT: usize = 8;

/// What a part of a word becomes.
pub(crate) enum Expansion<'w> {
    /// Several fields that stay apart even in quotes (`"$@"`).
    Fields(Vec<Value>),
    /// A word that stands in its place, with quotes of its own (`${x:-word}`).
    Instead(&'w Word),
    /// One text.
    Text(Value),
}

impl Machine<'_> {
    /// The fields that a word becomes.
    pub(crate) fn fields(&mut self, word: &Word, scope: &mut Scope) -> Vec<Argument> {
        let span = scope.origin.map(word.span);
        if !self.spend(1) {
            return Vec::new();
        }
        let braced = word.parts.iter().any(|part| matches!(part, Part::Bare(text) if text.contains('{')));
        let values = if braced {
            if let Some(words) = brace::expand(&word.parts, &self.fuel, BRACES) {
                words.iter().flat_map(|parts| self.split(parts, scope)).collect()
            } else {
                let shown = "too many words from braces".to_owned();
                self.push_gap(Gap { position: Position::Code, reason: Reason::Fuel, shown, span });
                vec![Value::unknown("{…}", Provenance::OUTSIDE)]
            }
        } else {
            self.split(&word.parts, scope)
        };
        if self.is_optional(word, scope) {
            self.optional.extend(values.iter().map(|value| (span, value.clone())));
        }
        values.into_iter().map(|value| Argument { value, span }).collect()
    }

    /// The one text that a word becomes where nothing is split: assignments, here-documents, `case` words.
    pub(crate) fn text(&mut self, word: &Word, scope: &mut Scope) -> Value {
        let mut value = Value::default();
        for (index, part) in word.parts.iter().enumerate() {
            match part {
                Part::Bare(text) if index == 0 => {
                    let (home, rest) = self.tilde(text, word.parts.len() == 1, scope);
                    value.push_str(&home);
                    value.push_str(rest);
                }
                Part::Bare(text) => value.push_str(text),
                Part::Arithmetic(_)
                | Part::Command(..)
                | Part::DoubleQuoted(_)
                | Part::Parameter(_)
                | Part::Process(..)
                | Part::Quoted(_) => value.push(&self.joined(part, scope)),
            }
        }
        drop_positional(&mut value);
        value
    }

    /// The one word of a redirection.
    pub(crate) fn single(&mut self, word: &Word, scope: &mut Scope) -> Value {
        let mut fields = self.fields(word, scope);
        if fields.len() == 1 {
            fields.pop().map(|field| field.value).unwrap_or_default()
        } else {
            self.text(word, scope)
        }
    }

    /// A word as a pattern: quoted parts are escaped.
    pub(crate) fn pattern(&mut self, word: &Word, scope: &mut Scope) -> Option<String> {
        let mut pattern = String::new();
        for part in &word.parts {
            match part {
                Part::Bare(text) => pattern.push_str(text),
                Part::Parameter(_) | Part::Command(..) | Part::Arithmetic(_) | Part::Process(..) => {
                    pattern.push_str(&self.joined(part, scope).known()?);
                }
                Part::DoubleQuoted(_) | Part::Quoted(_) => {
                    let text = self.joined(part, scope);
                    pattern.push_str(&Pattern::quote(&text.known()?));
                }
            }
        }
        Some(pattern)
    }

    fn split(&mut self, parts: &[Part], scope: &mut Scope) -> Vec<Value> {
        let mut fields = Fields::default();
        for (index, part) in parts.iter().enumerate() {
            match part {
                Part::Bare(text) if index == 0 => {
                    let (before, from) = before_tilde(text);
                    fields.bare(before);
                    // In what looks like an assignment, one may stand behind every colon.
                    let mut pieces =
                        from.split_inclusive(if before.is_empty() { '\0' } else { ':' }).peekable();
                    while let Some(piece) = pieces.next() {
                        let alone = pieces.peek().is_some() || parts.len() == 1;
                        let colon = piece.len() - piece.trim_end_matches(':').len();
                        let (name, colon) =
                            piece.split_at_checked(piece.len() - colon).unwrap_or((piece, ""));
                        let (home, rest) = self.tilde(name, alone, scope);
                        if !home.is_empty() {
                            fields.quoted(&home);
                        }
                        fields.bare(rest);
                        fields.bare(colon);
                    }
                }
                Part::Bare(text) => fields.bare(text),
                Part::Arithmetic(_)
                | Part::Command(..)
                | Part::DoubleQuoted(_)
                | Part::Parameter(_)
                | Part::Process(..)
                | Part::Quoted(_) => self.add(part, &mut fields, scope),
            }
        }
        fields.finish();
        fields.done
    }

    /// Adds what a part that is not bare text becomes.
    fn add(&mut self, part: &Part, fields: &mut Fields, scope: &mut Scope) {
        let whole = matches!(part, Part::DoubleQuoted(_) | Part::Process(..) | Part::Quoted(_));
        match self.part(part, scope) {
            Expansion::Fields(values) if whole => fields.apart(values),
            Expansion::Fields(values) => {
                let separators = separators(scope);
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        fields.finish();
                    }
                    fields.unquoted(value, &separators);
                }
            }
            Expansion::Instead(word) => self.add_word(word, fields, scope),
            Expansion::Text(value) if whole => fields.whole(&value),
            Expansion::Text(value) => {
                // Every other byte may be a field of its own.
                if self.spend(u32::try_from(value.size() / SPLIT_PER_UNIT).unwrap_or(u32::MAX)) {
                    fields.unquoted(&value, &separators(scope));
                }
            }
        }
    }

    /// Adds a word that stands in the place of an unquoted parameter: it is split where it is not quoted.
    fn add_word(&mut self, word: &Word, fields: &mut Fields, scope: &mut Scope) {
        for (index, part) in word.parts.iter().enumerate() {
            let Part::Bare(text) = part else {
                self.add(part, fields, scope);
                continue;
            };
            let (home, rest) = if index == 0 {
                self.tilde(text, word.parts.len() == 1, scope)
            } else {
                (String::new(), text.as_str())
            };
            fields.current.push_str(&home);
            fields.open |= !home.is_empty();
            fields.separate(rest, &separators(scope), Provenance::NONE);
        }
    }

    /// What a part becomes where nothing is split.
    pub(super) fn joined(&mut self, part: &Part, scope: &mut Scope) -> Value {
        match self.part(part, scope) {
            Expansion::Fields(values) => joined(&values),
            Expansion::Instead(word) => self.text(word, scope),
            Expansion::Text(value) => value,
        }
    }

    pub(crate) fn part<'w>(&mut self, part: &'w Part, scope: &mut Scope) -> Expansion<'w> {
        if !self.spend(1) {
            return Expansion::Text(Value::default());
        }
        let expansion = match part {
            Part::Arithmetic(parts) => Expansion::Text(self.arithmetic(parts, scope)),
            Part::Bare(text) | Part::Quoted(text) => Expansion::Text(Value::literal(text.as_str())),
            Part::Command(list, span) => Expansion::Text(self.substitute(list, *span, scope)),
            Part::DoubleQuoted(parts) => self.quoted(parts, scope),
            Part::Parameter(parameter) => self.parameter(parameter, scope),
            Part::Process(direction, list, _) => Expansion::Text(self.process(*direction, list, scope)),
        };
        if self.afford(&expansion) { expansion } else { Expansion::Text(Value::default()) }
    }

    /// Takes the units that copying an expansion costs.
    fn afford(&mut self, expansion: &Expansion<'_>) -> bool {
        match expansion {
            Expansion::Fields(values) => {
                let bytes = values.iter().map(Value::size).sum();
                self.spend(u32::try_from(values.len()).unwrap_or(u32::MAX)) && self.spend_bytes(bytes)
            }
            Expansion::Instead(_) => true,
            Expansion::Text(value) => self.spend_bytes(value.size()),
        }
    }

    fn quoted<'w>(&mut self, parts: &'w [Part], scope: &mut Scope) -> Expansion<'w> {
        let mut fields = vec![Value::literal("")];
        let mut apart = false;
        for part in parts {
            match self.part(part, scope) {
                Expansion::Fields(values) => {
                    apart = true;
                    for (index, value) in values.iter().enumerate() {
                        if index > 0 {
                            fields.push(Value::literal(""));
                        }
                        push_last(&mut fields, value);
                    }
                    if values.is_empty() && parts.len() == 1 {
                        fields.clear();
                    }
                }
                Expansion::Instead(word) => push_last(&mut fields, &self.text(word, scope)),
                Expansion::Text(value) => push_last(&mut fields, &value),
            }
        }
        if apart { Expansion::Fields(fields) } else { Expansion::Text(fields.pop().unwrap_or_default()) }
    }

    fn substitute(&mut self, list: &List, span: crate::span::Span, scope: &mut Scope) -> Value {
        let mut inner = scope.clone();
        inner.to_network = false;
        let stream = self.streams.open(&mut inner);
        let choice = std::mem::take(&mut self.choice);
        let outcomes = self.forked(|machine| machine.list(list, inner));
        self.choice = choice;
        let mut value = self.chosen(picked(&outcomes).0);
        self.streams.flush(stream, &mut value);
        trim_newlines(&mut value);
        let shown = self.written(scope.origin.map(span), "$(…)");
        rename_holes(&mut value, &shown);
        value
    }

    fn process(&mut self, direction: Direction, list: &List, scope: &mut Scope) -> Value {
        let mut inner = scope.clone();
        let stream = match direction {
            Direction::From => self.streams.open(&mut inner),
            Direction::To => inner.stream,
        };
        let outcomes = self.forked(|machine| machine.list(list, inner));
        let path = match direction {
            Direction::From => {
                let mut printed = picked(&outcomes).0;
                self.streams.flush(stream, &mut printed);
                self.files.substitution(printed)
            }
            Direction::To => {
                let path = self.files.substitution(Value::default());
                self.listen(&path, list, scope);
                path
            }
        };
        Value::literal(path)
    }

    /// A piece of the text that was handed in, shortened, for people.
    fn written(&self, span: crate::span::Span, otherwise: &str) -> String {
        let range = span.start as usize..span.end as usize;
        match self.text.get(range) {
            Some(text) if !text.is_empty() && text.len() <= 60 => text.to_owned(),
            Some(_) | None => otherwise.to_owned(),
        }
    }

    /// The directory that a leading tilde stands for, and the rest of the text.
    pub(super) fn tilde<'t>(&self, text: &'t str, alone: bool, scope: &Scope) -> (String, &'t str) {
        let Some(after) = text.strip_prefix('~') else { return (String::new(), text) };
        let end = after.find('/').unwrap_or(after.len());
        let (name, rest) = after.split_at(end);
        // A name that goes on in quotes or in a variable is none.
        if rest.is_empty() && !alone {
            return (String::new(), text);
        }
        let home = || match scope.scalar("HOME").and_then(Value::known) {
            Some(home) => home.into_owned(),
            None => self.setting.home.to_owned(),
        };
        let directory = match name {
            "" => home(),
            "+" => scope.directory.as_deref().unwrap_or("~+").to_owned(),
            "-" => "~-".to_owned(),
            "root" => "/root".to_owned(),
            user if Some(user) == self.setting.user => home(),
            user if user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) => {
                format!("/home/{user}")
            }
            _ => return (String::new(), text),
        };
        (directory, rest)
    }
}

/// Several values as one, with blanks between them.
pub(crate) fn joined(values: &[Value]) -> Value {
    let mut joined = Value::default();
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            joined.push_str(" ");
        }
        joined.push(value);
    }
    joined
}

fn push_last(fields: &mut [Value], value: &Value) {
    if let Some(last) = fields.last_mut() {
        last.push(value);
    }
}

/// What stands before the tilde in a word that looks like an assignment (`of=~/x`), and the rest.
fn before_tilde(text: &str) -> (&str, &str) {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match text.find("=~") {
        Some(at) if text.get(..at).is_some_and(is_name) => text.split_at(at + 1),
        Some(_) | None => ("", text),
    }
}

/// Where unquoted text is split.
pub(crate) fn separators(scope: &Scope) -> String {
    scope
        .scalar("IFS")
        .and_then(Value::known)
        .map_or_else(|| " \t\n".to_owned(), std::borrow::Cow::into_owned)
}

/// Substitution drops every NUL, and the newlines at the end.
fn trim_newlines(value: &mut Value) {
    for piece in &mut value.pieces {
        if let Piece::Literal(text) = piece {
            text.retain(|letter| letter != '\0');
        }
    }
    if let Some(Piece::Literal(text)) = value.pieces.last_mut() {
        text.truncate(text.trim_end_matches('\n').len());
        if text.is_empty() {
            value.pieces.pop();
        }
    }
}

fn rename_holes(value: &mut Value, shown: &str) {
    for piece in &mut value.pieces {
        if let Piece::Hole(hole) = piece
            && !matches!(hole.shown.as_str(), EVERY_FILE | LISTED)
        {
            shown.clone_into(&mut hole.shown);
        }
    }
}
