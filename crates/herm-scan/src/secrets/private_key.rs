//! Blocks of private keys, which go over many lines.

use super::Found;
use super::bytes::{BASE64, BLANK, DIGIT, NEWLINE, QUOTE, between, byte, from, is, run};

/// What a marker of a private key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    /// The key is on this line.
    Here(Found),
    /// The key is on the lines that follow.
    Below,
}

/// What markers begin with.
pub(super) const MARKERS: &[&str] = &["BEGIN ", PUTTY];

/// In a file of `PuTTY`, the number of lines that the key has comes before it.
const PUTTY: &str = "Private-Lines: ";

/// The marker that stands here: a `BEGIN` after five dashes, or that of `PuTTY`.
pub(super) fn marker(text: &[u8], at: usize) -> Option<Marker> {
    if let Some(count) = from(text, at).strip_prefix(PUTTY.as_bytes()) {
        let digits = run(count, 0, DIGIT);
        return (digits > 0 && is(byte(count, digits), NEWLINE)).then_some(Marker::Below);
    }
    let label = between(text, at, text.len().min(at + LABEL));
    let label = between(label, 0, label.windows(5).position(|window| window == DASHES)?);
    let names_key = label.windows(11).any(|window| window == b"PRIVATE KEY")
        || label.windows(10).any(|window| window == b"Static key");
    if !names_key || !between(text, 0, at).ends_with(DASHES) {
        return None;
    }
    let start = at + label.len() + DASHES.len();
    let rest = from(text, start);
    let rest =
        between(rest, 0, rest.iter().take(LABEL).position(|byte| is(*byte, NEWLINE)).unwrap_or(rest.len()));
    if rest.len() <= LABEL && rest.iter().all(|byte| is_junk(*byte)) {
        return Some(Marker::Below);
    }
    let end = material(from(text, start))?;
    Some(Marker::Here(Found { start, end: start + end, kind: "private-key" }))
}

const DASHES: &[u8] = b"-----";

/// The longest label, with the dashes behind it.
const LABEL: usize = 80;

/// How much of the rest of a line belongs to a key: Base64, with the line ends of a string between.
fn material(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut longest = 0;
    loop {
        let end = run(rest, at, BASE64);
        longest = longest.max(end - at);
        at = match from(rest, end) {
            [b'\\', b'n' | b'r', ..] => end + 2,
            [b' ' | b'\r' | b'\t' | b'\\', ..] => end + 1,
            _ => return (longest >= 16).then_some(end),
        };
    }
}

/// What may stand behind a part of a key on its line: the end of a string, of an element or of a line of code.
fn is_junk(byte: u8) -> bool {
    is(byte, BLANK | QUOTE) || matches!(byte, b',' | b';' | b'\\' | b'n' | b'r' | b'+' | b')' | b'|')
}

/// Whether a line is part of a key, if it is one of a key; a shorter one only if others stand before it.
pub(crate) fn is_material(line: &[u8], goes_on: bool) -> bool {
    let least = if goes_on { 4 } else { 40 };
    // Nearly all lines are shorter, or end in a word that is: there is no need to look further.
    let tail = line.trim_ascii_end();
    if !(least..=200).contains(&tail.len()) || !goes_on && has_short_tail(tail) {
        return false;
    }
    let (key, _) = bare(line);
    (least..=128).contains(&key.len())
}

/// Whether a blank stands among the last bytes of a line, before what may close a string.
fn has_short_tail(line: &[u8]) -> bool {
    between(line, line.len().saturating_sub(36), line.len().saturating_sub(6)).contains(&b' ')
}

/// Whether a line ends the private key that these lines are: what stands before each is the same.
pub(crate) fn is_end(line: &[u8], lines: &[u8]) -> bool {
    let find = |words: &[u8]| line.windows(words.len()).position(|window| window == words);
    let Some(end) = find(b"-----END ") else { return false };
    let first = lines.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.len() <= 200
        && find(b"PRIVATE KEY").is_some()
        && shape(between(line, 0, end)) == shape(bare(first).1)
}

/// Whether a line is the first of a private key: what all of them begin with.
fn is_first(key: &[u8]) -> bool {
    let pkcs = key.starts_with(b"MI")
        && matches!(
            key.get(4..10),
            Some([
                b'o' | b'p' | b'q' | b'k' | b'w' | b'v' | b'J' | b'K' | b'C' | b'X',
                _,
                b'I',
                b'B',
                b'A',
                b'A' | b'D'
            ])
        );
    key.len() >= 40 && (pkcs || key.starts_with(b"b3BlbnNzaC1rZXktdjE"))
}

/// Whether lines are those of a private key, though none announces it.
pub(crate) fn begins(lines: &[u8]) -> bool {
    lines.split(|byte| *byte == b'\n').next().is_some_and(|first| is_first(bare(first).0))
}

/// The lines after a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Headers may come, and then the key.
    Expected,
    /// Lines of this length, with this before each, are the key.
    Inside(usize, u32),
    /// A shorter line was the last; a checksum may follow.
    Ended,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Part of the key.
    Key,
    /// Something that comes before it.
    Header,
    /// Something else: the block is over.
    Other,
}

impl Body {
    /// What the next line is.
    pub(crate) fn line(&mut self, line: &[u8]) -> Line {
        let (key, before) = bare(line);
        let shape = shape(before);
        match *self {
            Self::Expected if is_header(headed(line)) => Line::Header,
            Self::Expected if key.len() >= 16 => {
                *self = Self::Inside(key.len(), shape);
                Line::Key
            }
            Self::Expected if is_empty(line) => Line::Header,
            Self::Inside(width, begun) if !key.is_empty() && shape == begun => {
                *self = if key.len() < width { Self::Ended } else { Self::Inside(width, begun) };
                Line::Key
            }
            Self::Ended if key.starts_with(b"=") && key.len() == 5 => Line::Key,
            Self::Expected | Self::Inside(..) | Self::Ended => Line::Other,
        }
    }
}

/// The last run of Base64 on a line, and what stands before it: line numbers, names of files, times, quotes.
fn bare(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii_end();
    let mut end = line.len();
    while end > 0 && !is_closed(line, end) {
        end -= 1;
    }
    let start = super::bytes::run_back(line, end, BASE64, 200);
    let before = between(line, 0, start);
    let is_apart = before.last().is_none_or(|last| !is(*last, super::bytes::WORD) && *last != b'.');
    // In a patch the sign before a line looks like a part of it.
    if is_apart { (between(line, start, end), before) } else { (&[], line) }
}

/// Whether what stands behind a position closes a string, and nothing more.
fn is_closed(line: &[u8], end: usize) -> bool {
    let last = super::bytes::before(line, end);
    let escaped = matches!(last, b'n' | b'r') && end >= 2 && super::bytes::byte(line, end - 2) == b'\\';
    // A sign that joins two strings stands apart; one of a key has its letters before it.
    let joins = last == b'+' && end < line.len() && !is(super::bytes::before(line, end - 1), BASE64);
    is(last, BASE64) && !escaped && !joins
}

/// What the lines of one key have in common before them: all but numbers and blanks.
fn shape(before: &[u8]) -> u32 {
    let kept = before.iter().filter(|byte| !is(**byte, DIGIT | BLANK));
    kept.fold(0, |shape, byte| (shape ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|byte| {
        is(*byte, BLANK | NEWLINE | QUOTE | DIGIT) || matches!(byte, b'#' | b'>' | b'|' | b'*' | b'+' | b':')
    })
}

/// A line without what quotes and comments put before it.
fn headed(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|byte| is(*byte, super::bytes::UPPER));
    from(line, start.unwrap_or(line.len())).trim_ascii()
}

/// `Proc-Type: 4,ENCRYPTED`
fn is_header(line: &[u8]) -> bool {
    let colon = line.iter().position(|byte| *byte == b':');
    colon.is_some_and(|colon| {
        colon < 20 && is(byte(line, 0), super::bytes::UPPER) && byte(line, colon + 1) == b' '
    })
}
