//! Base64, hexadecimal digits and percent signs, as strictly as the strictest interpreter reads them.

use crate::filters::decode;

/// The text that base64 stands for; every character counts, and only ASCII comes of it.
pub(super) fn base64(text: &str) -> Option<String> {
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    let whole = digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let fits = digits.len() % 4 != 1 && (padding == 0 || padding < 3 && text.len().is_multiple_of(4));
    (whole && fits).then(|| decode::base64(text)).flatten().and_then(readable)
}

/// The text that pairs of hexadecimal digits stand for.
pub(super) fn hex(text: &str) -> Option<String> {
    let whole = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (whole && text.len().is_multiple_of(2)).then(|| decode::hex(text)).flatten().and_then(readable)
}

/// The hexadecimal digits of a text.
pub(super) fn hexed(text: &str) -> String {
    text.bytes()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// The text in which each `%41` is a letter.
pub(super) fn percent(text: &str, plus: Plus) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match (byte, plus) {
            (b'%', _) => {
                let (high, low) = (decode::nibble(rest.next()?)?, decode::nibble(rest.next()?)?);
                high << 4 | low
            }
            (b'+', Plus::Blank) => b' ',
            (byte, _) => byte,
        });
    }
    readable(bytes)
}

/// What a plus sign stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plus {
    Blank,
    Itself,
}

/// Bytes as text, where every language takes them for the same.
pub(super) fn readable(bytes: Vec<u8>) -> Option<String> {
    let plain = bytes.iter().all(|byte| (1..128).contains(byte));
    if plain { String::from_utf8(bytes).ok() } else { None }
}
