//! Code that stands in an address: `data:text/javascript,…`.

/// The text in an address of this kind, if it is one.
pub(super) fn content(address: &str) -> Option<String> {
    let (kind, body) = address.strip_prefix("data:")?.split_once(',')?;
    let bytes = unescaped(body);
    let bytes = if kind.ends_with(";base64") { decoded(&bytes)? } else { bytes };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        if let Some(byte) = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            bytes.extend_from_slice(part.get(2..).unwrap_or_default().as_bytes());
        } else {
            bytes.push(b'%');
            bytes.extend_from_slice(part.as_bytes());
        }
    }
    bytes
}

fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.iter().filter(|letter| **letter != b'=' && !letter.is_ascii_whitespace()) {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(held >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_what_is_escaped_or_coded() {
        assert_eq!(content("data:text/javascript,a%28%22b c%22)").as_deref(), Some("a(\"b c\")"));
        assert_eq!(content("data:text/javascript;base64,YSgxKQ==").as_deref(), Some("a(1)"));
        assert_eq!(content("data:,100%").as_deref(), Some("100%"));
        assert_eq!(content("./data:x,y"), None);
    }
}
