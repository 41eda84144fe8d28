//! Base64 (RFC 4648), as `Authorization: Basic` and certificates write it.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number =
            group.iter().chain([&0, &0]).take(3).fold(0, |number, byte| number << 8 | usize::from(*byte));
        for place in 0..4 {
            let letter = LETTERS.get(number >> (18 - 6 * place) & 63).copied().unwrap_or(b'=');
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.trim_ascii().trim_ascii_end();
    let padding = digits.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = digits.get(..digits.len() - padding)?;
    let mut bytes = Vec::with_capacity(digits.len());
    for group in digits.chunks(4) {
        let mut number = 0_u32;
        for digit in group {
            let value = LETTERS.iter().position(|letter| letter == digit)?;
            number = number << 6 | u32::try_from(value).ok()?;
        }
        number <<= 6 * (4 - u32::try_from(group.len()).ok()?);
        bytes.extend(number.to_be_bytes().get(1..group.len())?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("\u{ff}~?", "w79+Pw=="),
        ] {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded.as_bytes()).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(decode(b"a b"), None);
        assert_eq!(decode(b"Zm9v!"), None);
    }
}
