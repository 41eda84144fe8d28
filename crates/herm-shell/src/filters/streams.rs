//! Where filters read.

use super::computed::{Computed, Known};
use crate::fuel::Fuel;
use crate::value::{Piece, Value};

/// What a filter can read.
pub(super) struct Streams<'a> {
    pub(super) stdin: &'a Value,
    pub(super) read: &'a mut dyn FnMut(&Value) -> Value,
    pub(super) fuel: &'a Fuel,
}

impl Streams<'_> {
    /// The files one after the other; standard input if there are none or where one is `-`.
    pub(super) fn input(&mut self, files: &[Value]) -> Value {
        if files.is_empty() {
            return self.stdin.clone();
        }
        let mut all = Value::default();
        for file in files {
            let stdin = file.known().is_some_and(|name| matches!(name.as_ref(), "-" | "/dev/stdin"));
            let content = if stdin { self.stdin.clone() } else { (self.read)(file) };
            all.push(&content);
        }
        all
    }

    /// The same, changed as a whole, when all of it is known.
    pub(super) fn map(
        &mut self,
        files: &[Value],
        change: impl FnOnce(&str) -> Option<String>,
    ) -> Option<Computed> {
        let input = self.input(files);
        if !affordable(&input, self.fuel) {
            return None;
        }
        let text = Known::of(&input)?;
        Some(Computed::exact(change(&text)?, &text))
    }
}

/// Whether a text is small enough to work on, and the work is paid for.
pub(super) fn affordable(value: &Value, fuel: &Fuel) -> bool {
    let length: usize = value.pieces.iter().map(length).sum();
    let units = u32::try_from(length / 64 + 1).unwrap_or(u32::MAX);
    length <= super::LARGEST && fuel.spend(units).is_ok()
}

/// A word as it is printed: what a pattern becomes is decided by the files.
pub(super) fn printed(word: &Value) -> Value {
    let mut value = Value::default().from(word.provenance);
    for piece in &word.pieces {
        match piece {
            Piece::Literal(text) => value.push_str(text),
            Piece::Hole(_) => value.pieces.push(piece.clone()),
            Piece::Glob(glob) => {
                value.pieces.push(Piece::match_of(glob));
            }
        }
    }
    value
}

fn length(piece: &Piece) -> usize {
    match piece {
        Piece::Literal(text) | Piece::Glob(text) => text.len(),
        Piece::Hole(_) => 1,
    }
}
