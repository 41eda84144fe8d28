//! Blocks of private keys, which go over many lines.

use super::Found;
use super::bytes::{BASE64, BLANK, DIGIT, NEWLINE, between, byte, from, is, run};

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
    let names_key = label.windows(11).any(|window| window == b"PRIVATE KEY");
    if !names_key || !between(text, 0, at).ends_with(DASHES) {
        return None;
    }
    let start = at + label.len() + DASHES.len();
    if is(byte(text, run(text, start, BLANK)), NEWLINE) {
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

/// The lines after a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Headers may come, and then the key.
    Expected,
    /// Lines of this length are the key.
    Inside(usize),
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
        let key = bare(line);
        let base64 = !key.is_empty() && key.iter().all(|byte| is(*byte, BASE64));
        match *self {
            Self::Expected if base64 && key.len() >= 16 => {
                *self = Self::Inside(key.len());
                Line::Key
            }
            Self::Expected if key.is_empty() || is_header(key) => Line::Header,
            Self::Inside(width) if base64 => {
                *self = if key.len() < width { Self::Ended } else { Self::Inside(width) };
                Line::Key
            }
            Self::Ended if base64 && key.starts_with(b"=") && key.len() == 5 => Line::Key,
            Self::Expected | Self::Inside(_) | Self::Ended => Line::Other,
        }
    }
}

/// A line without what quotes, comments, patches and string literals put around it.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    let start =
        line.iter().position(|byte| !matches!(byte, b'"' | b'\'' | b'#' | b'>' | b'|' | b'*' | b' ' | b'\t'));
    let line = from(line, start.unwrap_or(line.len()));
    let line = match line {
        [b'+' | b'-', b' ', rest @ ..] => rest.trim_ascii_start(),
        _ => line,
    };
    let mut end = run(line, 0, BASE64);
    if from(line, end)
        .iter()
        .any(|byte| !matches!(byte, b'"' | b'\'' | b',' | b';' | b'\\' | b'n' | b'r' | b' ' | b'+' | b')'))
    {
        end = line.len();
    }
    between(line, 0, end)
}

/// `Proc-Type: 4,ENCRYPTED`
fn is_header(line: &[u8]) -> bool {
    let colon = line.iter().position(|byte| *byte == b':');
    colon.is_some_and(|colon| {
        colon < 20 && is(byte(line, 0), super::bytes::UPPER) && byte(line, colon + 1) == b' '
    })
}
