//! Turning bytes into text that survives anything.

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64URL: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Base64 in the usual alphabet, padded.
pub(crate) fn base64(bytes: &[u8]) -> String {
    groups(bytes, BASE64, 6, 4)
}

pub(super) fn base64url(bytes: &[u8]) -> String {
    groups(bytes, BASE64URL, 6, 4)
}

pub(super) fn base32(bytes: &[u8]) -> String {
    groups(bytes, BASE32, 5, 8)
}

/// Two hexadecimal digits a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Lines of at most `width` characters, each ended; no width leaves one line without an end.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    if width == 0 {
        return text.to_owned();
    }
    let mut lines = String::with_capacity(text.len() + text.len() / width + 1);
    for (at, letter) in text.chars().enumerate() {
        if at > 0 && at.is_multiple_of(width) {
            lines.push('\n');
        }
        lines.push(letter);
    }
    if !text.is_empty() {
        lines.push('\n');
    }
    lines
}

fn groups(bytes: &[u8], alphabet: &[u8], width: u32, whole: usize) -> String {
    let mut out = String::with_capacity(bytes.len() * 8 / 5 + whole);
    let (mut held, mut bits) = (0_u32, 0_u32);
    let push = |value: u32, out: &mut String| {
        let at = usize::try_from(value & ((1 << width) - 1)).unwrap_or_default();
        out.push(alphabet.get(at).map_or('=', |letter| char::from(*letter)));
    };
    for byte in bytes {
        held = (held << 8 | u32::from(*byte)) & 0xFFFF;
        bits += 8;
        while bits >= width {
            bits -= width;
            push(held >> bits, &mut out);
        }
    }
    if bits > 0 {
        push(held << (width - bits), &mut out);
    }
    while !out.len().is_multiple_of(whole) {
        out.push('=');
    }
    out
}
