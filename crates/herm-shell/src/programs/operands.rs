//! What several families do with their operands.

use super::arguments::Parsed;
use crate::effect::{Flags, Target, Verb};
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

/// The operands are looked at from outside: names, sizes, times, never content.
pub(super) fn look(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    every(Verb::Read, Flags::METADATA, parsed, sink);
}

/// The operands come into being, without content.
///
/// A name of which nothing is known is left out: an empty file or directory does no harm anywhere.
pub(super) fn create(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for operand in parsed.operands.iter().filter(|operand| !is_unknown(&operand.value)) {
        sink.path(Verb::Write, &operand.value, Flags::METADATA | parsed.flags);
    }
}

/// Whether not even the beginning is known.
pub(super) fn is_unknown(path: &Value) -> bool {
    // What a pattern matched is a name that was there.
    let is_matched = matches!(path.pieces.first(), Some(Piece::Hole(hole)) if hole.matched.is_some());
    path.has_hole() && path.known_prefix().is_empty() && !is_matched
}

/// The same thing happens to every operand, with the flags that options set.
pub(super) fn every(verb: Verb, flags: Flags, parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for operand in &parsed.operands {
        sink.path(verb, &operand.value, flags | parsed.flags);
    }
}

/// A named thing is the target.
pub(super) fn named(verb: Verb, kind: &'static str, name: &str, flags: Flags, sink: &mut dyn Sink) {
    sink.effect(verb, Target::Named(kind, name.to_owned()), flags, Provenance::NONE);
}

/// The path of what lands in `directory` when a file of this name is put there.
pub(super) fn inside(directory: &Value, source: &Value) -> Value {
    let mut path = directory.clone();
    if !path.shown().ends_with('/') {
        path.push_str("/");
    }
    path.push(&last_component(source));
    path
}

/// What follows the last slash of the known text; the whole when there is none.
fn last_component(path: &Value) -> Value {
    let has_slash = |piece: &Piece| match piece {
        Piece::Literal(text) | Piece::Glob(text) => text.contains('/'),
        Piece::Hole(_) => false,
    };
    let Some(index) = path.pieces.iter().rposition(has_slash) else { return path.clone() };
    let mut name = Value { pieces: Vec::new(), provenance: path.provenance };
    match path.pieces.get(index) {
        Some(Piece::Literal(text)) => {
            // A slash at the very end belongs to the name; before a pattern, what follows it is the name.
            let is_last = index + 1 == path.pieces.len();
            let text = if is_last { text.trim_end_matches('/') } else { text };
            name.push_str(text.rsplit('/').next().unwrap_or_default());
        }
        // `**/*~` finds the file wherever it lies; where it goes, only its name does.
        Some(Piece::Glob(glob)) => {
            name.pieces.push(Piece::Glob(glob.rsplit('/').next().unwrap_or_default().to_owned()));
        }
        Some(Piece::Hole(_)) | None => {}
    }
    name.pieces.extend(path.pieces.iter().skip(index + 1).cloned());
    name
}

/// Whether a word names a device that never ends.
pub(super) fn endless(path: &Value) -> bool {
    path.known().is_some_and(|path| {
        matches!(path.as_ref(), "/dev/zero" | "/dev/urandom" | "/dev/random" | "/dev/full")
    })
}

/// The program keeps all it reads in memory, so that an endless device takes the machine down.
pub(super) fn hoard(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.operands.iter().any(|operand| endless(&operand.value)) {
        sink.effect(Verb::Exhaust, Target::None, parsed.flags, Provenance::NONE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_name_inside_a_directory() {
        let inside = |directory, source| inside(&Value::literal(directory), &Value::literal(source)).shown();
        assert_eq!(inside("/etc", "a/b"), "/etc/b");
        assert_eq!(inside("/etc/", "b"), "/etc/b");
        assert_eq!(inside("d", "a/b/"), "d/b");
    }

    #[test]
    fn what_a_walk_finds_lands_by_its_name_alone() {
        let mut found = Value::literal("./");
        found.pieces.push(Piece::Glob("**/*~".to_owned()));
        assert_eq!(inside(&Value::literal("/tmp"), &found).shown(), "/tmp/*~");
    }
}
