//! How herm's value compares with the real one.

use herm_shell::Value;
use herm_shell::value::Piece;

/// What one comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same text.
    Exact,
    /// A hole where the text, or a part of it, belongs.
    Hole,
    /// Another text.
    Wrong,
}

/// Compares a value with the text that it stands for.
#[must_use]
pub fn judged(value: &Value, real: &str) -> Verdict {
    if let Some(known) = value.known() {
        return if known == real { Verdict::Exact } else { Verdict::Wrong };
    }
    if leaves_room(&value.pieces, real) { Verdict::Hole } else { Verdict::Wrong }
}

/// Whether the known parts stand in the text in this order, the first at its beginning and the last at its end.
fn leaves_room(pieces: &[Piece], real: &str) -> bool {
    let mut rest = real;
    let mut open = false;
    for piece in pieces {
        match piece {
            Piece::Glob(_) | Piece::Hole(_) => open = true,
            Piece::Literal(text) => {
                let found = if open {
                    rest.find(text.as_str())
                } else {
                    rest.starts_with(text.as_str()).then_some(0)
                };
                let Some(at) = found else { return false };
                rest = rest.get(at + text.len()..).unwrap_or_default();
                open = false;
            }
        }
    }
    open || rest.is_empty() || pieces.iter().any(|piece| matches!(piece, Piece::Hole(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_leaves_room_for_any_text_but_not_for_other_known_parts() {
        let hole = Value::unknown("$x", herm_shell::Provenance::NONE);
        let mut value = Value::literal("rm ");
        value.push(&hole);
        assert_eq!(judged(&value, "rm -rf /"), Verdict::Hole);
        assert_eq!(judged(&value, "ls"), Verdict::Wrong);
        assert_eq!(judged(&Value::literal("ls"), "ls"), Verdict::Exact);
    }
}
