//! Lines of Base64 that hold names and values of secrets: `base64 .env`.

use super::bytes::{BASE64, DASH, WORD, between, is, run};
use super::name::{Strength, strength};

/// Whether a line is nothing but Base64, and long enough to say something.
pub(super) fn is_one(line: &[u8]) -> bool {
    line.len() >= 24 && line.len().is_multiple_of(4) && line.iter().all(|byte| is(*byte, BASE64))
}

/// Whether a text with the name and the value of a secret is encoded here.
pub(super) fn has_secret(line: &[u8]) -> bool {
    let Some(text) = decoded(line) else { return false };
    text.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        let line = line.strip_prefix(b"export ").unwrap_or(line);
        let end = run(line, 0, WORD | DASH);
        let gives = matches!(line.get(end), Some(b'=' | b':')) && line.len() >= end + 6;
        gives && strength(between(line, 0, end)).is_some_and(|said| said >= Strength::Secret)
    })
}

/// The text that is encoded; `None` if it is none.
pub(super) fn decoded(line: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(line.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in line.iter().take_while(|byte| **byte != b'=') {
        bits = bits << 6 | digit(*byte)?;
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = u8::try_from(bits >> count & 0xff).ok()?;
            let is_text = matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
            text.push(is_text.then_some(byte)?);
        }
    }
    Some(text)
}

fn digit(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}
