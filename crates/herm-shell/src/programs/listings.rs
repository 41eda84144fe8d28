//! What programs print that print the names of files.

use crate::place::{EVERY_FILE, LISTED};
use crate::value::{Hole, Piece, Provenance, Value};

/// Something below each of these, a line each.
pub(super) fn found_below(starts: &[Value]) -> Value {
    let mut text = Value::default();
    for start in starts {
        text.push(&as_text(&below(start)));
        text.pieces.push(name_in(start, "(found)", false));
        text.push_str("\n");
    }
    text.from(Provenance::OUTSIDE)
}

/// A directory and all that is below it, one after the other.
pub(super) fn every_file_below(start: &Value) -> Value {
    let mut text = as_text(&below(start));
    text.pieces.push(name_in(start, EVERY_FILE, true));
    text.push_str("\n");
    text.from(Provenance::OUTSIDE)
}

/// Files below each of these, a line each, that nothing in their names picked: of a system or a home directory, that is as good as all.
pub(super) fn listed_below(starts: &[Value]) -> Value {
    let mut text = Value::default();
    for start in starts {
        text.push(&as_text(&below(start)));
        text.pieces.push(name_in(start, LISTED, false));
        text.push_str("\n");
    }
    text.from(Provenance::OUTSIDE)
}

/// Each of these as it is, a line each, and of a pattern that every name matches whatever is there.
pub(super) fn listed_themselves(words: &[Value]) -> Value {
    let mut text = Value::default();
    for word in words {
        text.push(&as_text(word));
        text.push_str("\n");
    }
    text.from(Provenance::OUTSIDE)
}

/// A name that is a part of what a directory holds.
fn name_in(directory: &Value, shown: &str, may_be_empty: bool) -> Piece {
    let part_of = Some(format!("{}/", directory.shown().trim_end_matches('/')).into());
    Piece::Hole(Hole { shown: shown.to_owned(), may_be_empty, part_of, ..Hole::default() })
}

/// Something below the working directory.
pub(super) fn found_here() -> Value {
    found_below(&[Value::literal(".")])
}

/// A path with a slash at its end.
pub(super) fn below(start: &Value) -> Value {
    let mut inner = start.clone();
    if !inner.shown().ends_with('/') {
        inner.push_str("/");
    }
    inner
}

/// A stream holds no globs: the files that one became are not known.
pub(super) fn as_text(word: &Value) -> Value {
    let mut text = word.clone();
    for piece in &mut text.pieces {
        if let Piece::Glob(glob) = piece {
            *piece = Piece::match_of(glob);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place;

    #[test]
    fn only_what_every_name_matches_is_listed_whatever_is_there() {
        let holes = |glob: &str| match Piece::match_of(glob) {
            Piece::Hole(hole) => hole.shown,
            Piece::Glob(text) | Piece::Literal(text) => text,
        };
        assert_eq!((holes("*").as_str(), holes("**").as_str()), (place::LISTED, place::LISTED));
        assert_eq!((holes("*.c").as_str(), holes("").as_str()), ("*.c", ""));
    }
}
