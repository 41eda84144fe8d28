//! Putting the fields of a word together: splitting and globs.

use crate::value::{Hole, Piece, Provenance, Value};

/// The fields of a word while they are put together.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) done: Vec<Value>,
    pub(super) current: Value,
    pub(super) open: bool,
}

impl Fields {
    pub(super) fn finish(&mut self) {
        if self.open {
            drop_positional(&mut self.current);
            self.done.push(std::mem::take(&mut self.current));
        }
        self.current = Value::default();
        self.open = false;
    }

    pub(super) fn quoted(&mut self, text: &str) {
        self.current.push_str(text);
        self.open = true;
    }

    pub(super) fn whole(&mut self, value: &Value) {
        self.current.push(value);
        self.open = true;
    }

    pub(super) fn bare(&mut self, text: &str) {
        self.open |= !text.is_empty();
        push_globs(&mut self.current, text);
    }

    pub(super) fn apart(&mut self, values: Vec<Value>) {
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.finish();
            }
            self.whole(&value);
        }
    }

    pub(super) fn unquoted(&mut self, value: &Value, separators: &str) {
        self.current.provenance |= value.provenance;
        for piece in &value.pieces {
            match piece {
                Piece::Literal(text) => self.separate(text, separators, value.provenance),
                Piece::Glob(_) => {
                    self.current.pieces.push(piece.clone());
                    self.open = true;
                }
                Piece::Hole(hole) => {
                    self.current.pieces.push(Piece::Hole(Hole { may_split: true, ..hole.clone() }));
                    self.open = true;
                }
            }
        }
    }

    pub(super) fn separate(&mut self, text: &str, separators: &str, provenance: Provenance) {
        for (index, part) in text.split(|letter| separators.contains(letter)).enumerate() {
            if index > 0 {
                self.finish();
            }
            if !part.is_empty() {
                self.current.provenance |= provenance;
                push_globs(&mut self.current, part);
                self.open = true;
            }
        }
    }
}

/// A text that was handed in has no positional parameters, so `$9` glued to other text adds nothing. On its own it is
/// kept as unknown: then the text is more likely part of a script.
pub(super) fn drop_positional(value: &mut Value) {
    let is_positional = |piece: &Piece| {
        matches!(piece, Piece::Hole(hole)
            if hole.shown.strip_prefix('$').is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())))
    };
    if value.pieces.len() < 2 || !value.pieces.iter().any(is_positional) {
        return;
    }
    let mut rest = Value { pieces: Vec::new(), provenance: value.provenance };
    for piece in value.pieces.iter().filter(|piece| !is_positional(piece)) {
        match piece {
            Piece::Literal(text) => rest.push_str(text),
            Piece::Glob(_) | Piece::Hole(_) => rest.pieces.push(piece.clone()),
        }
    }
    *value = rest;
}

/// Adds unquoted text: its pattern characters become globs.
fn push_globs(value: &mut Value, text: &str) {
    let mut rest = text;
    let mut brackets = Brackets { text, stop: 0 };
    while let Some(at) = rest.find(['*', '?', '[']) {
        let (before, from) = rest.split_at(at);
        value.push_str(before);
        let length = brackets.glob_length(from);
        let (glob, after) = from.split_at(length);
        match single_choice(glob) {
            Some(letter) => value.push_str(letter.encode_utf8(&mut [0; 4])),
            None if length == 1 && glob == "[" => value.push_str(glob),
            None => value.pieces.push(Piece::Glob(glob.to_owned())),
        }
        rest = after;
    }
    value.push_str(rest);
}

/// `[r]` can only be `r`: bash turns the word into the file of that name, which is what matters here.
fn single_choice(glob: &str) -> Option<char> {
    let inner = glob.strip_prefix('[')?.strip_suffix(']')?;
    let mut letters = inner.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter != '!' && letter != '^' => Some(letter),
        _ => None,
    }
}

/// Where the brackets of a text end. It is gone over once, however many brackets are open in it.
struct Brackets<'a> {
    text: &'a str,
    /// What was found last: a bracket that closes, a slash or the end of the text.
    stop: usize,
}

impl Brackets<'_> {
    /// How long the glob is that the rest of the text begins with.
    fn glob_length(&mut self, rest: &str) -> usize {
        let Some(inner) = rest.strip_prefix('[') else { return 1 };
        let listed = inner.trim_start_matches(['!', '^']);
        let negated = (inner.len() - listed.len()).min(2);
        let first = inner.get(negated..).and_then(|listed| listed.chars().next()).map_or(0, char::len_utf8);
        let start = self.text.len() - rest.len();
        let from = start + 1 + negated + first;
        if from > self.stop {
            let found = self.text.get(from..).and_then(|rest| rest.find([']', '/']));
            self.stop = found.map_or(self.text.len(), |found| from + found);
        }
        let is_closed = self.text.get(self.stop..).is_some_and(|rest| rest.starts_with(']'));
        if is_closed && from <= self.stop { self.stop + 1 - start } else { 1 }
    }
}
