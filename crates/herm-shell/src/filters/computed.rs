//! What goes into a filter and comes out of it, as types: exact, or a hole.
//!
//! A filter that took a hole for text would print what the real program never prints. So text comes in as [`Known`]
//! alone, which is whole, and goes out as [`Computed`] alone: together with the [`Known`] that it was made of, whose
//! origin it keeps, or as the piece that came in.

use std::borrow::Cow;
use std::ops::Deref;

use crate::value::{Piece, Provenance, Value};

/// A text of which every letter is known, and where it came from.
#[derive(Clone, Debug)]
pub(super) struct Known<'v> {
    text: Cow<'v, str>,
    provenance: Provenance,
}

impl<'v> Known<'v> {
    /// The text of a value that has no hole.
    pub(super) fn of(value: &'v Value) -> Option<Self> {
        Some(Self { text: value.known()?, provenance: value.provenance })
    }

    /// The texts of several values, if none has a hole.
    pub(super) fn all(values: &'v [Value]) -> Option<Vec<Self>> {
        values.iter().map(Self::of).collect()
    }

    /// The parts of a value, each either known or open.
    pub(super) fn parts(value: &'v Value) -> impl Iterator<Item = Part<'v>> {
        value.pieces.iter().map(|piece| match piece {
            Piece::Literal(text) => {
                Part::Known(Self { text: Cow::Borrowed(text), provenance: value.provenance })
            }
            Piece::Glob(_) | Piece::Hole(_) => Part::Open(piece),
        })
    }
}

impl Deref for Known<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// A part of a value.
pub(super) enum Part<'v> {
    Known(Known<'v>),
    /// A hole, or a pattern that the files decide.
    Open(&'v Piece),
}

/// What a filter prints: each part is what the real program prints there, or a hole.
#[derive(Debug, Default)]
pub(super) struct Computed(Value);

impl Computed {
    /// Text made of what is known.
    pub(super) fn exact(text: impl Into<String>, from: &Known<'_>) -> Self {
        Self(Value::literal(text).from(from.provenance))
    }

    /// Text made of several texts that are known.
    pub(super) fn exact_from(text: impl Into<String>, from: &[Known<'_>]) -> Self {
        let origin = from.iter().fold(Provenance::NONE, |all, known| all | known.provenance);
        Self(Value::literal(text).from(origin))
    }

    /// What came in, as it came.
    pub(super) fn unchanged(input: Value) -> Self {
        Self(input)
    }

    /// A hole in the place of text that is known: programs of other kinds cannot read what stands there.
    pub(super) fn hidden(shown: String, from: &Known<'_>) -> Self {
        Self(Value::unknown(shown, from.provenance | Provenance::OUTSIDE))
    }

    /// Adds text made of what is known.
    pub(super) fn write(&mut self, text: &str, from: &Known<'_>) {
        self.0.push_str(text);
        self.0.provenance |= from.provenance;
    }

    /// Ends a line, which no input decides.
    pub(super) fn end_line(&mut self) {
        self.0.push_str("\n");
    }

    /// Adds a word that came in, as it came.
    pub(super) fn pass(&mut self, word: &Value) {
        self.0.push(word);
    }

    /// Adds a part of a value that is not known.
    pub(super) fn keep(&mut self, open: &Piece, from: Provenance) {
        self.0.pieces.push(open.clone());
        self.0.provenance |= from;
    }

    /// The same text, known to come from `provenance` too.
    pub(super) fn from(self, provenance: Provenance) -> Self {
        Self(self.0.from(provenance))
    }

    /// The same text, or none: programs of one kind print it, and others refuse.
    pub(super) fn perhaps(self) -> Self {
        let nothing = Value::default().from(self.0.provenance);
        Self(Value::either(self.0, nothing))
    }

    /// The text, when all of it is known.
    pub(super) fn known(&self) -> Option<Cow<'_, str>> {
        self.0.known()
    }

    /// The value that it is for whoever reads it.
    pub(super) fn into_value(self) -> Value {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_with_a_hole_is_not_known() {
        let mut value = Value::literal("rm ");
        assert_eq!(Known::of(&value).as_deref(), Some("rm "));
        value.push(&Value::unknown("$x", Provenance::OUTSIDE));
        assert!(Known::of(&value).is_none());
        assert!(Known::all(&[Value::literal("a"), value]).is_none());
    }

    #[test]
    fn text_keeps_the_origin_of_what_it_was_made_of() {
        let secret = Value::literal("k").from(Provenance::SECRET);
        let known = Known::of(&secret).unwrap();
        assert!(Computed::exact("x", &known).into_value().provenance.has(Provenance::SECRET));
        let mut out = Computed::default();
        out.write("x", &known);
        assert!(out.into_value().provenance.has(Provenance::SECRET));
    }
}
