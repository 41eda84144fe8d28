//! Heads of requests and responses, read strictly: whatever two programs could read differently is refused.

use std::fmt;
use std::io;

use crate::wire::Reader;

/// The most fields that a head may have.
const FIELDS: usize = 256;

/// A head: its first line and its fields, in order.
#[derive(Debug)]
pub(crate) struct Head<'a> {
    pub(crate) line: &'a str,
    pub(crate) fields: Vec<Field<'a>>,
}

/// A field of a head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a [u8],
}

/// How the end of a body is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// By the lengths of its pieces.
    Chunked,
    /// There is none.
    Empty,
    /// By its length.
    Length(u64),
    /// By the end of the connection.
    UntilClose,
}

/// What is wrong with a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    /// A character that does not belong where it stands.
    Character,
    /// Two ways to say where the body ends, or one that is not clear.
    Ending,
    /// The first line is none.
    Line,
    /// There are too many fields.
    Many,
    /// It is not said for which host, or twice, or for another one.
    Host,
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Character => "the head holds a character that does not belong there",
            Self::Ending => "it is not clear where the body ends",
            Self::Line => "the first line is not of HTTP/1",
            Self::Many => "the head has too many fields",
            Self::Host => "it is not clear which host is meant",
        })
    }
}

/// Why there is no head.
#[derive(Debug)]
pub(crate) enum NoHead {
    /// The other end has gone before it began one.
    Closed,
    /// The connection broke, or it took too long.
    Broken,
    /// It is longer than allowed.
    Long,
}

impl From<io::Error> for NoHead {
    fn from(_: io::Error) -> Self {
        Self::Broken
    }
}

/// Reads the bytes of a head, up to and with its empty line.
pub(crate) async fn bytes(reader: &mut Reader, most: usize) -> Result<Vec<u8>, NoHead> {
    let mut looked = 0;
    loop {
        let ready = reader.ready();
        if let Some(end) = end(ready, looked) {
            let head = ready.get(..end).unwrap_or_default().to_vec();
            reader.used(end);
            return Ok(head);
        }
        looked = ready.len().saturating_sub(3);
        if ready.len() >= most {
            return Err(NoHead::Long);
        }
        let begun = !ready.is_empty();
        if reader.more().await? == 0 {
            return Err(if begun { NoHead::Broken } else { NoHead::Closed });
        }
    }
}

/// Where the empty line ends. Lines that end otherwise than they should end the head, too, so that they are seen at once.
fn end(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let mut at = 0;
    while let Some(found) = rest.get(at..)?.iter().position(|byte| *byte == b'\n') {
        at += found + 1;
        match rest.get(at..)? {
            [b'\n', ..] => return Some(from + at + 1),
            [b'\r', b'\n', ..] => return Some(from + at + 2),
            _ => {}
        }
    }
    None
}

impl<'a> Head<'a> {
    /// Reads a head.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Bad> {
        let bytes = bytes.strip_suffix(b"\r\n\r\n").ok_or(Bad::Character)?;
        let mut lines = Lines(Some(bytes));
        let line = lines.next().ok_or(Bad::Line)?;
        let line = std::str::from_utf8(line).map_err(|_| Bad::Line)?;
        if !line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return Err(Bad::Character);
        }
        let fields = lines.map(Field::read).collect::<Result<Vec<_>, _>>()?;
        if fields.len() > FIELDS { Err(Bad::Many) } else { Ok(Self { line, fields }) }
    }

    /// The values of all fields with a name.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &'a [u8]> {
        let named = self.fields.iter().filter(move |field| field.name.eq_ignore_ascii_case(name));
        named.map(|field| field.value)
    }

    /// The words of all fields with a name, which are separated by commas.
    pub(crate) fn words(&self, name: &str) -> impl Iterator<Item = &'a [u8]> {
        self.values(name).flat_map(|value| value.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii)
    }

    /// Whether a word stands in a field.
    pub(crate) fn says(&self, name: &str, word: &str) -> bool {
        self.words(name).any(|each| each.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// What the fields say about where the body ends. Whoever says it twice wants somebody to believe the other.
    pub(crate) fn framing(&self, minor: u8) -> Result<Option<Framing>, Bad> {
        let mut codings = self.values("transfer-encoding");
        let mut lengths = self.values("content-length");
        match (codings.next(), lengths.next()) {
            (Some(coding), None) => {
                let plain = coding.eq_ignore_ascii_case(b"chunked") && codings.next().is_none() && minor == 1;
                if plain { Ok(Some(Framing::Chunked)) } else { Err(Bad::Ending) }
            }
            (None, Some(length)) if lengths.next().is_none() => {
                number(length).map(Framing::Length).map(Some).ok_or(Bad::Ending)
            }
            (_, Some(_)) => Err(Bad::Ending),
            (None, None) => Ok(None),
        }
    }

    /// Whether the connection goes on after the message.
    pub(crate) fn keeps_alive(&self, minor: u8) -> bool {
        minor == 1 && !self.says("connection", "close")
    }

    /// The fields that are meant for the other end of the whole way, not for whoever stands in between.
    pub(crate) fn end_to_end(&self) -> impl Iterator<Item = &Field<'a>> {
        let named: Vec<&[u8]> = self.words("connection").collect();
        self.fields.iter().filter(move |field| {
            let name = field.name.as_bytes();
            !HOP_BY_HOP.iter().any(|hop| hop.as_bytes().eq_ignore_ascii_case(name))
                && !named.iter().any(|other| other.eq_ignore_ascii_case(name))
        })
    }
}

static HOP_BY_HOP: &[&str] = &[
    "connection",
    "content-length",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

fn number(digits: &[u8]) -> Option<u64> {
    let plain = !digits.is_empty() && digits.len() < 19 && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| plain)?.parse().ok()
}

impl<'a> Field<'a> {
    fn read(line: &'a [u8]) -> Result<Self, Bad> {
        let colon = line.iter().position(|byte| *byte == b':').ok_or(Bad::Character)?;
        let (name, value) = line.split_at_checked(colon).ok_or(Bad::Character)?;
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        let text = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~' | 0x80..);
        if name.is_empty() || !name.iter().copied().all(is_token) || !value.iter().all(text) {
            return Err(Bad::Character);
        }
        Ok(Self { name: std::str::from_utf8(name).map_err(|_| Bad::Character)?, value })
    }
}

/// Whether a byte may stand in a name (RFC 9110).
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Lines that end with CR and LF.
struct Lines<'a>(Option<&'a [u8]>);

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.0?;
        match rest.windows(2).position(|pair| pair == b"\r\n") {
            Some(at) => {
                self.0 = rest.get(at + 2..);
                rest.get(..at)
            }
            None => self.0.take(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(fields: &str) -> Result<Option<Framing>, Bad> {
        let bytes = format!("POST / HTTP/1.1\r\n{fields}\r\n");
        Head::read(bytes.as_bytes()).and_then(|head| head.framing(1))
    }

    #[test]
    fn one_way_to_say_where_a_body_ends() {
        assert_eq!(framing(""), Ok(None));
        assert_eq!(framing("Content-Length: 5\r\n"), Ok(Some(Framing::Length(5))));
        assert_eq!(framing("Transfer-Encoding: Chunked\r\n"), Ok(Some(Framing::Chunked)));
        for odd in [
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 5\r\nContent-Length: 5\r\n",
            "Content-Length: 5\r\ncontent-length: 6\r\n",
            "Content-Length: 5, 5\r\n",
            "Content-Length: +5\r\n",
            "Content-Length: 0x5\r\n",
            "Content-Length: \r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
            "Transfer-Encoding: xchunked\r\n",
        ] {
            assert_eq!(framing(odd), Err(Bad::Ending), "{odd}");
        }
    }

    #[test]
    fn what_programs_read_differently_is_refused() {
        for odd in [
            "Transfer-Encoding : chunked\r\n",
            " Content-Length: 5\r\n",
            "A: b\r\n c\r\n",
            "A: b\nContent-Length: 5\r\n",
            "A: b\rContent-Length: 5\r\n",
            "A: b\0\r\n",
            "A\u{b}: b\r\n",
            ": b\r\n",
            "A\r\n",
            "Transfer-Encoding:\u{b}chunked\r\n",
        ] {
            assert_eq!(framing(odd).unwrap_err(), Bad::Character, "{odd:?}");
        }
        assert_eq!(Head::read(b"GET / HTTP/1.1\n\n").unwrap_err(), Bad::Character);
        let many = "A: b\r\n".repeat(FIELDS + 1);
        assert_eq!(framing(&many).unwrap_err(), Bad::Many);
    }

    #[test]
    fn fields_for_the_next_hop_stay_behind() {
        let bytes = b"GET / HTTP/1.1\r\nConnection: close, X-Secret\r\nX-Secret: 1\r\nProxy-Authorization: x\r\nTE: trailers\r\nAccept: */*\r\n\r\n";
        let head = Head::read(bytes).unwrap();
        let kept: Vec<_> = head.end_to_end().map(|field| field.name).collect();
        assert_eq!(kept, ["Accept"]);
        assert!(!head.keeps_alive(1));
    }

    #[test]
    fn the_end_is_found_wherever_it_is_cut() {
        let whole = b"GET / HTTP/1.1\r\nA: b\r\n\r\nrest";
        assert_eq!(end(whole, 0), Some(24));
        for from in 0..=20 {
            assert_eq!(end(whole, from), Some(24), "{from}");
        }
        assert_eq!(end(b"GET / HTTP/1.1\n\nrest", 0), Some(16));
        assert_eq!(end(b"GET / HTTP/1.1\r\nA: b\r\n", 0), None);
    }
}
