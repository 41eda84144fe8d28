//! Numbers: `12`, `010`, `0x1f`, `36#z`.

/// The number that `text` begins with, and what follows it.
pub(super) fn read(text: &str) -> Option<(i64, &str)> {
    let length =
        text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"#@_".contains(byte)).count();
    let (number, behind) = text.split_at_checked(length)?;
    number.starts_with(|first: char| first.is_ascii_digit()).then_some(())?;
    Some((value(number)?, behind))
}

fn value(number: &str) -> Option<i64> {
    if let Some((base, digits)) = number.split_once('#') {
        let base = base.parse().ok().filter(|base| (2..=64).contains(base))?;
        return in_base(digits, base);
    }
    let hexadecimal = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X"));
    match hexadecimal {
        Some("") => Some(0),
        Some(digits) => in_base(digits, 16),
        None if number.starts_with('0') => in_base(number, 8),
        None => in_base(number, 10),
    }
}

fn in_base(digits: &str, base: i64) -> Option<i64> {
    let add = |value: i64, byte: u8| Some(value.wrapping_mul(base).wrapping_add(digit(byte, base)?));
    if digits.is_empty() { None } else { digits.bytes().try_fold(0, add) }
}

/// Up to base 36 the case of letters does not matter.
fn digit(byte: u8, base: i64) -> Option<i64> {
    let value = i64::from(match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' if base <= 36 => byte - b'A' + 10,
        b'A'..=b'Z' => byte - b'A' + 36,
        b'@' => 62,
        b'_' => 63,
        _ => return None,
    });
    (value < base).then_some(value)
}
