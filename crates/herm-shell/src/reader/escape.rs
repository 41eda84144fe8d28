//! The escapes of `$'…'`.

use std::iter::Peekable;
use std::str::Bytes;

/// The text that stands between the quotes of `$'…'`, decoded.
///
/// A NUL ends it, as in bash; bytes that are not UTF-8 in the end become the replacement character.
pub(super) fn decode(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' {
            escape(&mut bytes, &mut out);
        } else {
            out.push(byte);
        }
    }
    let end = out.iter().position(|byte| *byte == 0).unwrap_or(out.len());
    out.truncate(end);
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

type Source<'t> = Peekable<Bytes<'t>>;

fn escape(bytes: &mut Source<'_>, out: &mut Vec<u8>) {
    let Some(byte) = bytes.next() else { return out.push(b'\\') };
    match byte {
        b'a' => out.push(7),
        b'b' => out.push(8),
        b'e' | b'E' => out.push(27),
        b'f' => out.push(12),
        b'n' => out.push(b'\n'),
        b'r' => out.push(b'\r'),
        b't' => out.push(b'\t'),
        b'v' => out.push(11),
        b'\\' | b'\'' | b'"' | b'?' => out.push(byte),
        b'0'..=b'7' => octal(byte, bytes, out),
        b'x' => hexadecimal(bytes, out),
        b'u' => unicode(byte, 4, bytes, out),
        b'U' => unicode(byte, 8, bytes, out),
        b'c' => control(bytes, out),
        _ => out.extend([b'\\', byte]),
    }
}

fn octal(first: u8, bytes: &mut Source<'_>, out: &mut Vec<u8>) {
    let mut value = u32::from(first - b'0');
    for _ in 0..2 {
        let Some(digit) = bytes.next_if(|byte| matches!(byte, b'0'..=b'7')) else { break };
        value = value * 8 + u32::from(digit - b'0');
    }
    out.push(low_byte(value));
}

/// `\xHH`, and `\x{H…}` of which the last byte counts.
fn hexadecimal(bytes: &mut Source<'_>, out: &mut Vec<u8>) {
    let braced = bytes.next_if_eq(&b'{').is_some();
    match digits(bytes, if braced { usize::MAX } else { 2 }) {
        Some(value) => {
            out.push(low_byte(value));
            if braced {
                bytes.next_if_eq(&b'}');
            }
        }
        None if braced => out.extend(b"\\x{"),
        None => out.extend(b"\\x"),
    }
}

fn unicode(kind: u8, limit: usize, bytes: &mut Source<'_>, out: &mut Vec<u8>) {
    let Some(value) = digits(bytes, limit) else { return out.extend([b'\\', kind]) };
    let decoded = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend(decoded.encode_utf8(&mut [0; 4]).bytes());
}

fn control(bytes: &mut Source<'_>, out: &mut Vec<u8>) {
    let Some(byte) = bytes.next() else { return out.extend(b"\\c") };
    if byte == b'\\' {
        bytes.next_if_eq(&b'\\');
    }
    out.push(if byte == b'?' { 127 } else { byte & 31 });
}

/// At most `limit` hexadecimal digits; what does not fit is lost at the front.
fn digits(bytes: &mut Source<'_>, limit: usize) -> Option<u32> {
    let mut value = None;
    for _ in 0..limit {
        let Some(byte) = bytes.next_if(u8::is_ascii_hexdigit) else { break };
        let digit = char::from(byte).to_digit(16).unwrap_or(0);
        value = Some((value.unwrap_or(0u32) << 4) | digit);
    }
    value
}

fn low_byte(value: u32) -> u8 {
    value.to_le_bytes().first().copied().unwrap_or(0)
}
