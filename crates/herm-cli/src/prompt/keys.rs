//! What a terminal sends when keys are pressed.

/// A key, as far as a prompt minds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// Takes back what was typed.
    Back,
    /// Leaves without an answer: escape, Ctrl-C, Ctrl-D, or a terminal that has gone.
    Cancel,
    /// A letter.
    Char(char),
    /// Confirms.
    Enter,
    /// One choice to the left.
    Left,
    /// Anything else.
    Other,
    /// One choice to the right.
    Right,
}

/// The keys in what was read at once. An escape that nothing follows is the key of that name.
pub(super) fn keys(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = bytes;
    while let Some((key, after)) = key(rest) {
        keys.push(key);
        rest = after;
    }
    keys
}

fn key(bytes: &[u8]) -> Option<(Key, &[u8])> {
    match bytes {
        [] => None,
        [0x1b, b'[' | b'O', rest @ ..] => Some(sequence(rest)),
        [0x1b] => Some((Key::Cancel, &[])),
        // A key that is held together with Alt.
        [0x1b, _, rest @ ..] => Some((Key::Other, rest)),
        [b'\r' | b'\n', rest @ ..] => Some((Key::Enter, rest)),
        [0x03 | 0x04, rest @ ..] => Some((Key::Cancel, rest)),
        [0x08 | 0x7f, rest @ ..] => Some((Key::Back, rest)),
        [byte, rest @ ..] if byte.is_ascii_alphabetic() => Some((Key::Char(char::from(*byte)), rest)),
        [_, rest @ ..] => Some((Key::Other, rest)),
    }
}

/// What follows `ESC [`: parameters up to a letter.
fn sequence(bytes: &[u8]) -> (Key, &[u8]) {
    let end = bytes.iter().position(|byte| (0x40..0x7f).contains(byte)).unwrap_or(bytes.len());
    let after = bytes.get(end + 1..).unwrap_or_default();
    match bytes.get(end) {
        Some(b'B' | b'C') => (Key::Right, after),
        Some(b'A' | b'D') => (Key::Left, after),
        Some(_) | None => (Key::Other, after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart() {
        assert_eq!(keys(b"o\r"), [Key::Char('o'), Key::Enter]);
        assert_eq!(keys(b"\x1b[C\x1bOD"), [Key::Right, Key::Left]);
        assert_eq!(keys(b"\x1b[1;5C"), [Key::Right]);
        assert_eq!(keys(b"\x1b"), [Key::Cancel]);
        assert_eq!(keys(b"\x1bs\r"), [Key::Other, Key::Enter]);
        assert_eq!(keys(b"\x03"), [Key::Cancel]);
        assert_eq!(keys("é".as_bytes()), [Key::Other, Key::Other]);
        assert_eq!(keys(b"\x1b[200~"), [Key::Other]);
        assert_eq!(keys(b"\x1b["), [Key::Other]);
    }
}
