//! Bytes that pass through text.
//!
//! Values hold text, but pipes hold bytes: `base64 -d | gunzip`. A byte that is not part of valid UTF-8 travels as
//! a character of the last private plane, and comes back as the byte it was.

/// Where the characters for stray bytes begin.
const STRAY: u32 = 0x10_FF00;

/// The bytes as text.
pub(super) fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(STRAY + u32::from(*byte))));
    }
    text
}

/// The bytes that a text stands for.
pub(super) fn of_text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match u32::from(letter).checked_sub(STRAY).and_then(|byte| u8::try_from(byte).ok()) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(of_text(&to_text(&all)), all);
        assert_eq!(to_text("é".as_bytes()), "é");
        assert_eq!(of_text("é"), "é".as_bytes());
    }
}
