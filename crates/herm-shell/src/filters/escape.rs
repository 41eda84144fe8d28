//! Backslash escapes, as echo and printf read them.

use super::decode::nibble;

/// Who reads the escapes: they differ in how octal numbers are written and in what `\c` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// printf's `%b`: `\nnn` or `\0nnn`; `\c` ends the output.
    Argument,
    /// `echo -e`: `\0nnn`; `\c` ends the output.
    Echo,
    /// printf's format: `\nnn`.
    Format,
}

/// How many letters the longest escape has: `\U0001f600`.
pub(super) const LONGEST: usize = 10;

/// Escapes taken out of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Unescaped {
    pub(super) bytes: Vec<u8>,
    /// Whether `\c` ended the output.
    pub(super) ended: bool,
    /// Whether the locale, or who reads it, says what an escape becomes.
    pub(super) doubtful: bool,
}

/// The text with its escapes replaced.
pub(super) fn unescape(text: &str, reader: Reader) -> Unescaped {
    let mut out = Unescaped::default();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if let (b'\\', Some((&letter, tail))) = (byte, after.split_first()) {
            if letter == b'c' && reader != Reader::Format {
                out.ended = true;
                break;
            }
            let before = out.bytes.len();
            rest = one(letter, tail, reader, &mut out.bytes);
            let written = after.get(1..after.len() - rest.len()).unwrap_or_default();
            let wide = out.bytes.get(before..).unwrap_or_default().iter().any(|byte| *byte >= 0x80);
            let large = written.len() == 2 && matches!(letter, b'4'..=b'7') && reader != Reader::Echo
                || letter == b'0'
                    && written.len() == 3
                    && written.first().is_some_and(|first| *first >= b'4');
            out.doubtful |= matches!(letter, b'u' | b'U') && wide || large && reader != Reader::Format;
        } else {
            out.bytes.push(byte);
            rest = after;
        }
    }
    out
}

/// One escape, whose letter was read; what follows it comes back.
fn one<'a>(letter: u8, tail: &'a [u8], reader: Reader, out: &mut Vec<u8>) -> &'a [u8] {
    if let Some(byte) = simple(letter) {
        out.push(byte);
        return tail;
    }
    match letter {
        b'x' => byte(tail, out),
        b'u' => letter_number(tail, 4, out, b"\\u"),
        b'U' => letter_number(tail, 8, out, b"\\U"),
        b'0' if reader != Reader::Format => octal(0, 3, tail, out),
        b'0'..=b'7' if reader != Reader::Echo => octal(u32::from(letter - b'0'), 2, tail, out),
        b'"' | b'\'' | b'?' if reader == Reader::Format => {
            out.push(letter);
            tail
        }
        other => {
            out.extend_from_slice(&[b'\\', other]);
            tail
        }
    }
}

/// Up to `most` more octal digits, as one byte.
fn octal<'a>(first: u32, most: usize, tail: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let (mut value, mut rest) = (first, tail);
    for _ in 0..most {
        let Some((digit @ b'0'..=b'7', after)) = rest.split_first() else { break };
        value = value * 8 + u32::from(digit - b'0');
        rest = after;
    }
    out.push(u8::try_from(value & 0xFF).unwrap_or_default());
    rest
}

fn simple(letter: u8) -> Option<u8> {
    Some(match letter {
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 27,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'\\' => b'\\',
        _ => return None,
    })
}

/// One or two hexadecimal digits as one byte; none at all leaves the escape as it was written.
fn byte<'a>(tail: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let (value, rest) = digits(tail, 2);
    match value.and_then(|value| u8::try_from(value).ok()) {
        Some(value) => out.push(value),
        None => out.extend_from_slice(b"\\x"),
    }
    rest
}

/// Up to `most` hexadecimal digits as one character.
fn letter_number<'a>(tail: &'a [u8], most: usize, out: &mut Vec<u8>, written: &[u8]) -> &'a [u8] {
    let (value, rest) = digits(tail, most);
    match value.and_then(char::from_u32) {
        Some(letter) => out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend_from_slice(written),
    }
    rest
}

fn digits(tail: &[u8], most: usize) -> (Option<u32>, &[u8]) {
    let mut value = None;
    let mut rest = tail;
    for _ in 0..most {
        let Some((&digit, after)) = rest.split_first() else { break };
        let Some(digit) = nibble(digit).map(u32::from) else { break };
        value = Some(value.unwrap_or(0_u32).wrapping_mul(16).wrapping_add(digit));
        rest = after;
    }
    (value, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, reader: Reader) -> String {
        String::from_utf8(unescape(text, reader).bytes).unwrap()
    }

    #[test]
    fn each_reader_has_its_octal_numbers() {
        assert_eq!(read(r"\x72\x6d\x20", Reader::Echo), "rm ");
        assert_eq!(read(r"\0162\0155", Reader::Echo), "rm");
        assert_eq!(read(r"\162", Reader::Echo), r"\162");
        assert_eq!(read(r"\162\155", Reader::Format), "rm");
        assert_eq!(read(r"\0162", Reader::Format), "\u{e}2");
        assert_eq!(read(r"\0162\162", Reader::Argument), "rr");
        assert_eq!(read(r"\u0072\U0000006d", Reader::Echo), "rm");
    }

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(read(r"\q \x \u", Reader::Echo), r"\q \x \u");
        assert_eq!(read("a\\", Reader::Format), "a\\");
    }

    #[test]
    fn c_ends_the_output() {
        assert_eq!(
            unescape(r"ab\cde", Reader::Echo),
            Unescaped { bytes: b"ab".to_vec(), ended: true, doubtful: false }
        );
    }
}
