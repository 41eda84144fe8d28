//! Which bytes belong together.

/// A set of kinds of bytes.
pub(crate) type Set = u16;

pub(crate) const UPPER_HEX: Set = 1;
pub(crate) const UPPER_REST: Set = 1 << 1;
pub(crate) const LOWER_HEX: Set = 1 << 2;
pub(crate) const LOWER_REST: Set = 1 << 3;
pub(crate) const DIGIT: Set = 1 << 4;
pub(crate) const UNDERSCORE: Set = 1 << 5;
pub(crate) const DASH: Set = 1 << 6;
pub(crate) const DOT: Set = 1 << 7;
pub(crate) const PLUS_SLASH: Set = 1 << 8;
pub(crate) const EQUALS: Set = 1 << 9;
pub(crate) const BLANK: Set = 1 << 10;
pub(crate) const NEWLINE: Set = 1 << 11;
pub(crate) const QUOTE: Set = 1 << 12;
/// What stands between a name and its value, or inside some tokens.
pub(crate) const SIGN: Set = 1 << 13;
/// What ends a value that is not quoted.
pub(crate) const STOP: Set = 1 << 14;
pub(crate) const TILDE: Set = 1 << 15;

pub(crate) const UPPER: Set = UPPER_HEX | UPPER_REST;
pub(crate) const LOWER: Set = LOWER_HEX | LOWER_REST;
pub(crate) const LETTER: Set = UPPER | LOWER;
pub(crate) const ALNUM: Set = LETTER | DIGIT;
pub(crate) const HEX: Set = LOWER_HEX | DIGIT;
pub(crate) const ANY_HEX: Set = HEX | UPPER_HEX;
pub(crate) const WORD: Set = ALNUM | UNDERSCORE;
/// The alphabet of Base64 as URLs have it.
pub(crate) const URL64: Set = WORD | DASH;
pub(crate) const BASE64: Set = ALNUM | PLUS_SLASH | EQUALS;
pub(crate) const SPACE: Set = BLANK | NEWLINE;

/// The kind of each byte.
static KINDS: [Set; 256] = kinds();

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn kinds() -> [Set; 256] {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = kind_of(byte);
        if byte == u8::MAX {
            return table;
        }
        byte += 1;
    }
}

const fn kind_of(byte: u8) -> Set {
    match byte {
        b'A'..=b'F' => UPPER_HEX,
        b'G'..=b'Z' => UPPER_REST,
        b'a'..=b'f' => LOWER_HEX,
        b'g'..=b'z' => LOWER_REST,
        b'0'..=b'9' => DIGIT,
        b'_' => UNDERSCORE,
        b'-' => DASH,
        b'.' => DOT,
        b'+' | b'/' => PLUS_SLASH,
        b'=' => EQUALS | SIGN,
        b':' => SIGN,
        b',' | b'>' => SIGN | STOP,
        b'~' => TILDE | SIGN,
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => BLANK,
        b'\n' => NEWLINE | SIGN,
        b'"' | b'\'' | b'`' => QUOTE,
        b';' | b')' | b'}' | b']' | b'<' | b'|' | b'&' | b'(' | b'[' | b'{' => STOP,
        _ => 0,
    }
}

/// The kind of a byte.
pub(crate) fn kind(byte: u8) -> Set {
    KINDS.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Whether a byte is in a set.
pub(crate) fn is(byte: u8, set: Set) -> bool {
    kind(byte) & set != 0
}

/// The byte at a position; a blank beyond the ends, which nothing minds.
pub(crate) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'\n')
}

/// The byte before a position.
pub(crate) fn before(text: &[u8], at: usize) -> u8 {
    at.checked_sub(1).map_or(b'\n', |at| byte(text, at))
}

/// What stands between two positions.
pub(crate) fn between(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.get(start..end).unwrap_or_default()
}

/// What stands from a position on.
pub(crate) fn from(text: &[u8], at: usize) -> &[u8] {
    text.get(at..).unwrap_or_default()
}

/// Where a run of bytes of a set ends.
pub(crate) fn run(text: &[u8], at: usize, set: Set) -> usize {
    let length = from(text, at).iter().position(|byte| !is(*byte, set));
    length.map_or(text.len().max(at), |length| at + length)
}

/// Where the first byte stands from a position on that is such; the end of the text, or the position beyond it, if none is.
pub(crate) fn until(text: &[u8], at: usize, is_such: impl Fn(&u8) -> bool) -> usize {
    let length = from(text, at).iter().position(is_such);
    length.map_or(text.len().max(at), |length| at + length)
}

/// Where a run of bytes of a set begins that ends at a position, at most so many bytes back.
pub(crate) fn run_back(text: &[u8], end: usize, set: Set, most: usize) -> usize {
    let start = end.saturating_sub(most);
    let other = between(text, start, end).iter().rposition(|byte| !is(*byte, set));
    other.map_or(start, |other| start + other + 1)
}

/// Where a line ends first. Most lines are short, so that eight bytes are looked at together.
pub(crate) fn newline(text: &[u8]) -> Option<usize> {
    let (words, rest) = text.as_chunks();
    for (at, word) in words.iter().enumerate() {
        let odd = u64::from_le_bytes(*word) ^ NEWLINES;
        // The lowest bit that is left belongs to the first byte that has become nought.
        let found = odd.wrapping_sub(LOWEST) & !odd & HIGHEST;
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|byte| *byte == b'\n').map(|at| text.len() - rest.len() + at)
}

const NEWLINES: u64 = u64::from_ne_bytes([b'\n'; 8]);
const LOWEST: u64 = u64::from_ne_bytes([1; 8]);
const HIGHEST: u64 = u64::from_ne_bytes([0x80; 8]);

/// Where a line ends last.
pub(crate) fn last_newline(text: &[u8]) -> Option<usize> {
    let (_, chunks) = text.as_rchunks();
    let end = text.len() - chunks.iter().rev().take_while(|chunk| !has_newline(chunk)).count() * CHUNK;
    between(text, 0, end).iter().rposition(|byte| *byte == b'\n')
}

/// How many bytes are looked at together.
const CHUNK: usize = 64;

/// There is no branch in here, so that the compiler makes vectors of it.
fn has_newline(chunk: &[u8; CHUNK]) -> bool {
    chunk.iter().fold(0, |found, byte| found | u8::from(*byte == b'\n')) != 0
}

/// Whether a text contains another, whatever the case of its letters.
pub(crate) fn contains(text: &[u8], wanted: &[u8]) -> bool {
    let Some(first) = wanted.first() else { return true };
    let (small, capital) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let begins = text.get(..(text.len() + 1).saturating_sub(wanted.len())).unwrap_or_default();
    begins.iter().enumerate().filter(|(_, byte)| **byte == small || **byte == capital).any(|(at, _)| {
        text.get(at..at + wanted.len()).is_some_and(|window| window.eq_ignore_ascii_case(wanted))
    })
}

/// The bytes that a text has, with all letters small: most words are not in it because one of their bytes is not.
#[derive(Debug, Default)]
pub(crate) struct Bytes {
    seen: [u64; 4],
}

impl Bytes {
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut bytes = Self::default();
        for byte in text.iter().map(u8::to_ascii_lowercase) {
            if let Some(seen) = bytes.seen.get_mut(usize::from(byte >> 6)) {
                *seen |= 1 << (byte & 63);
            }
        }
        bytes
    }

    /// Whether all bytes of a word in small letters are there.
    pub(crate) fn have(&self, word: &[u8]) -> bool {
        word.iter().all(|byte| {
            self.seen.get(usize::from(byte >> 6)).is_some_and(|seen| seen >> (byte & 63) & 1 != 0)
        })
    }
}

/// As much of a value as it takes to tell what it is.
pub(crate) fn head(value: &[u8]) -> &[u8] {
    value.get(..HEAD).unwrap_or(value)
}

const HEAD: usize = 256;
