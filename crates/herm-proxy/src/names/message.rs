//! Questions and answers as the domain name system writes them (RFC 1035, RFC 6891), as far as they are needed here.

use std::net::Ipv4Addr;

/// The longest message that is read.
pub(super) const LONGEST: usize = 4096;

/// A question about a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Whether whoever asks knows of extensions.
    extended: bool,
    /// Where the question ends in the message.
    end: usize,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An address of IPv4.
    Address,
    /// Anything else about a name, such as an address of IPv6 or a server of mail: there is none.
    Other,
    /// The name of an address.
    Reverse,
}

/// What is no question that can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// It cannot be read.
    Malformed,
    /// It is about something else than the internet.
    OtherClass,
    /// It is no question but an order.
    OtherDeed,
    /// Its extensions are of a version that there is not.
    OtherVersion,
}

/// What is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Address(Ipv4Addr),
    /// Just now there is no answer.
    Failed,
    /// The name has nothing of this kind.
    Nothing,
    /// There is no such name.
    NoName,
}

const HEADER: usize = 12;

/// How long, in seconds, an answer holds. The same name always gets the same address.
const HOLDS: u32 = 60;

/// Reads a question. `None` for what is none at all, which is not answered: it may be an answer itself.
pub(super) fn read(bytes: &[u8]) -> Option<Result<Question, Flaw>> {
    let (header, body) = bytes.split_at_checked(HEADER)?;
    let flags = header.get(2)?;
    if flags & 0x80 != 0 {
        return None;
    }
    if flags & 0x78 != 0 {
        return Some(Err(Flaw::OtherDeed));
    }
    Some(question(header, body))
}

fn question(header: &[u8], body: &[u8]) -> Result<Question, Flaw> {
    // One question, no answers; what comes along may say what whoever asks knows.
    let Some([0, 1, 0, 0, 0, 0, many, further]) = header.get(4..) else { return Err(Flaw::Malformed) };
    let (name, rest) = name(body).ok_or(Flaw::Malformed)?;
    let (kind, rest) = number(rest).ok_or(Flaw::Malformed)?;
    let (class, rest) = number(rest).ok_or(Flaw::Malformed)?;
    let end = HEADER + body.len() - rest.len();
    let extended = extension(rest, u16::from_be_bytes([*many, *further]))?;
    if class != INTERNET {
        return Err(Flaw::OtherClass);
    }
    let kind = match kind {
        A => Kind::Address,
        PTR => Kind::Reverse,
        _ => Kind::Other,
    };
    Ok(Question { name, kind, extended, end })
}

/// A name and what follows it. Pointers are for answers: in a question they could only point at itself.
fn name(bytes: &[u8]) -> Option<(String, &[u8])> {
    let mut labels = Vec::new();
    let mut rest = bytes;
    loop {
        let (length, after) = rest.split_first()?;
        let (label, after) = after.split_at_checked(usize::from(*length).min(64))?;
        rest = after;
        match label {
            [] => break,
            label if label.len() < 64 => labels.push(std::str::from_utf8(label).ok()?),
            _ => return None,
        }
    }
    // A label and its length, and the empty one at the end.
    let is_short = bytes.len() - rest.len() <= 255;
    is_short.then(|| (labels.join("."), rest))
}

/// Whether one of the records that come along says that extensions are known.
fn extension(mut rest: &[u8], count: u16) -> Result<bool, Flaw> {
    let mut found = false;
    for _ in 0..count {
        let (record, after) = record(rest).ok_or(Flaw::Malformed)?;
        rest = after;
        match record {
            Along::Extension { .. } if found => return Err(Flaw::Malformed),
            Along::Extension { version: 0 } => found = true,
            Along::Extension { .. } => return Err(Flaw::OtherVersion),
            Along::Other => {}
        }
    }
    if rest.is_empty() { Ok(found) } else { Err(Flaw::Malformed) }
}

/// A record that comes along with a question.
enum Along {
    Extension { version: u8 },
    Other,
}

fn record(bytes: &[u8]) -> Option<(Along, &[u8])> {
    let (name, rest) = name(bytes)?;
    let (kind, rest) = number(rest)?;
    let (_size, rest) = number(rest)?;
    let (&[_, version, _, _], rest) = rest.split_first_chunk::<4>()?;
    let (length, rest) = number(rest)?;
    let (_data, rest) = rest.split_at_checked(usize::from(length))?;
    let along = if kind == OPT && name.is_empty() { Along::Extension { version } } else { Along::Other };
    Some((along, rest))
}

fn number(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<2>()?;
    Some((u16::from_be_bytes(*number), rest))
}

/// Writes the answer to a question: its own bytes, then what is answered. It always fits into the smallest datagram.
pub(super) fn write(asked: &[u8], question: &Question, answer: Answer) -> Vec<u8> {
    let (code, address) = match answer {
        Answer::Address(address) => (0, Some(address)),
        Answer::Failed => (2, None),
        Answer::Nothing => (0, None),
        Answer::NoName => (3, None),
    };
    let mut bytes = header(asked, code, [1, u8::from(address.is_some()), u8::from(question.extended)]);
    bytes.extend(asked.get(HEADER..question.end).unwrap_or_default());
    if let Some(address) = address {
        // The name is that of the question, which begins after the header.
        bytes.extend([0xC0, 12, 0, 1, 0, 1]);
        bytes.extend(HOLDS.to_be_bytes());
        bytes.extend([0, 4]);
        bytes.extend(address.octets());
    }
    if question.extended {
        bytes.extend(own_extension(0));
    }
    bytes
}

/// Says what is wrong with a question, without repeating any of it.
pub(super) fn write_flaw(asked: &[u8], flaw: Flaw) -> Vec<u8> {
    let (code, high) = match flaw {
        Flaw::Malformed => (1, None),
        Flaw::OtherClass => (5, None),
        Flaw::OtherDeed => (4, None),
        // 16, whose upper bits have their place in the extension.
        Flaw::OtherVersion => (0, Some(1)),
    };
    let mut bytes = header(asked, code, [0, 0, u8::from(high.is_some())]);
    bytes.extend(high.into_iter().flat_map(own_extension));
    bytes
}

fn header(asked: &[u8], code: u8, [questions, answers, along]: [u8; 3]) -> Vec<u8> {
    let wants_recursion = asked.get(2).copied().unwrap_or_default() & 0x79;
    let mut bytes = asked.get(..2).unwrap_or(&[0, 0]).to_vec();
    bytes.extend([0x80 | wants_recursion, 0x80 | code, 0, questions, 0, answers, 0, 0, 0, along]);
    bytes
}

fn own_extension(high: u8) -> [u8; 11] {
    let [size_high, size_low] = u16::try_from(LONGEST).unwrap_or(u16::MAX).to_be_bytes();
    [0, 0, 41, size_high, size_low, high, 0, 0, 0, 0, 0]
}

const A: u16 = 1;
const PTR: u16 = 12;
const OPT: u16 = 41;
const INTERNET: u16 = 1;
