//! Turning encoded text back into bytes.
//!
//! The decoders are lenient where the tools are: line breaks do not count, missing padding is accepted, and so is
//! junk where a tool has an option to skip it.

/// The bytes that base64 text stands for, in the usual or the URL-safe alphabet.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    groups(text, 6, |letter| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    })
}

/// The bytes that base32 text stands for.
pub(crate) fn base32(text: &str) -> Option<Vec<u8>> {
    groups(text, 5, |letter| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a'),
        b'2'..=b'7' => Some(letter - b'2' + 26),
        _ => None,
    })
}

/// The bytes that base32 text in the alphabet of digits first stands for.
pub(crate) fn base32hex(text: &str) -> Option<Vec<u8>> {
    groups(text, 5, |letter| match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'A'..=b'V' => Some(letter - b'A' + 10),
        b'a'..=b'v' => Some(letter - b'a' + 10),
        _ => None,
    })
}

/// The bytes that hexadecimal text stands for. Blanks may stand between the digits; an odd digit is an error.
pub(crate) fn hex(text: &str) -> Option<Vec<u8>> {
    let digits =
        text.bytes().filter(|byte| !byte.is_ascii_whitespace()).map(nibble).collect::<Option<Vec<_>>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// The bytes that text of zeros and ones stands for, the highest bit first.
pub(crate) fn binary(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| matches!(byte, b'0' | b'1').then(|| byte - b'0');
    let digits =
        text.bytes().filter(|byte| !byte.is_ascii_whitespace()).map(digit).collect::<Option<Vec<_>>>()?;
    let (bytes, rest) = digits.as_chunks::<8>();
    rest.is_empty()
        .then(|| bytes.iter().map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)).collect())
}

/// Letters moved by thirteen places.
pub(crate) fn rot13(text: &str) -> String {
    let turn = |letter: char, first: u8| {
        char::from((u8::try_from(letter).unwrap_or(first) - first + 13) % 26 + first)
    };
    text.chars()
        .map(|letter| match letter {
            'a'..='z' => turn(letter, b'a'),
            'A'..='Z' => turn(letter, b'A'),
            other => other,
        })
        .collect()
}

/// The text that UTF-16 in little-endian bytes stands for, without its mark, unless it is no text.
pub(crate) fn utf16(bytes: &[u8]) -> Option<String> {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    String::from_utf16(&units).ok().map(|text| text.trim_start_matches('\u{feff}').to_owned())
}

/// The value of a hexadecimal digit.
pub(crate) fn nibble(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Letters of `width` bits each, up to the padding.
fn groups(text: &str, width: u32, value: impl Fn(u8) -> Option<u8>) -> Option<Vec<u8>> {
    let (mut held, mut bits) = (0_u32, 0_u32);
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let mut padded = false;
    for letter in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        if letter == b'=' {
            padded = true;
            continue;
        }
        if padded {
            return None;
        }
        held = (held << width | u32::from(value(letter)?)) & 0xFFFF;
        bits += width;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xFF).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: Option<Vec<u8>>) -> Option<String> {
        bytes.and_then(|bytes| String::from_utf8(bytes).ok())
    }

    #[test]
    fn base64_reads_both_alphabets_without_padding_and_across_lines() {
        assert_eq!(text(base64("cm0gLXJmIC8=")).as_deref(), Some("rm -rf /"));
        assert_eq!(text(base64("cm0gLXJm\nIC8")).as_deref(), Some("rm -rf /"));
        assert_eq!(base64("-_8=").as_deref(), Some([0xFB, 0xFF].as_slice()));
        assert_eq!(base64("+/8=").as_deref(), Some([0xFB, 0xFF].as_slice()));
        assert_eq!(base64("a*b"), None);
        assert_eq!(base64("YQ==YQ=="), None);
    }

    #[test]
    fn base32_reads_its_alphabets() {
        assert_eq!(text(base32("OJWSALLSMYQC6===")).as_deref(), Some("rm -rf /"));
        assert_eq!(text(base32hex("E9MI0BBICOG2U===")).as_deref(), Some("rm -rf /"));
        assert_eq!(base32("0189"), None);
    }

    #[test]
    fn letters_turn_and_wide_text_is_read() {
        assert_eq!(rot13("Ez -es /1"), "Rm -rf /1");
        assert_eq!(utf16(b"\xff\xfer\0m\0").as_deref(), Some("rm"));
        assert_eq!(utf16(b"r\0m").as_deref(), Some("r"));
    }

    #[test]
    fn hex_and_binary_want_whole_bytes() {
        assert_eq!(text(hex("726d 202d7266\n202F")).as_deref(), Some("rm -rf /"));
        assert_eq!(hex("726"), None);
        assert_eq!(hex("zz"), None);
        assert_eq!(text(binary("01110010 01101101")).as_deref(), Some("rm"));
        assert_eq!(binary("0111001"), None);
    }
}
