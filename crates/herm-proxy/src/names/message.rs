//! Questions and answers as the domain name system writes them (RFC 1035), as far as they are needed here.

use std::net::Ipv4Addr;

/// The longest message that is read.
pub(super) const LONGEST: usize = 4096;

/// A question about a name.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Where the question ends in the message.
    end: usize,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An address of IPv4.
    Address,
    /// It cannot be read.
    Malformed,
    /// Anything else, such as an address of IPv6: there is none.
    Other,
}

/// What is answered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Address(Ipv4Addr),
    Failed,
    Nothing,
    Refused,
}

const HEADER: usize = 12;

/// How long, in seconds, an answer holds. The same name always gets the same address.
const HOLDS: u32 = 60;

/// Reads a question. `None` for what is none at all, which is not answered: it may be an answer itself.
pub(super) fn read(bytes: &[u8]) -> Option<Question> {
    let (header, body) = bytes.split_at_checked(HEADER)?;
    let flags = header.get(2)?;
    let is_question = flags & 0x80 == 0;
    let is_plain = flags & 0x78 == 0 && header.get(4..6) == Some(&[0, 1]);
    if !is_question {
        return None;
    }
    let malformed = Question { name: String::new(), kind: Kind::Malformed, end: HEADER };
    Some(name(body).filter(|_| is_plain).unwrap_or(malformed))
}

/// Pointers are for answers: in a question they could only point at itself.
fn name(body: &[u8]) -> Option<Question> {
    let mut labels = Vec::new();
    let mut rest = body;
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
    let (kind, after) = rest.split_at_checked(2)?;
    let (class, after) = after.split_at_checked(2)?;
    let kind = if kind == [0, 1] && class == [0, 1] { Kind::Address } else { Kind::Other };
    Some(Question { name: labels.join("."), kind, end: HEADER + body.len() - after.len() })
}

/// Writes the answer to a question: its own bytes, then what is answered.
pub(super) fn write(asked: &[u8], question: &Question, answer: Answer) -> Vec<u8> {
    let (code, address) = match answer {
        Answer::Address(address) => (0, Some(address)),
        Answer::Failed => (2, None),
        Answer::Nothing => (0, None),
        Answer::Refused => (5, None),
    };
    let number = asked.get(..2).unwrap_or(&[0, 0]);
    let wants_recursion = asked.get(2).copied().unwrap_or_default() & 1;
    let questions = u8::from(question.kind != Kind::Malformed);
    let mut bytes = number.to_vec();
    bytes.extend([
        0x80 | wants_recursion,
        0x80 | code,
        0,
        questions,
        0,
        u8::from(address.is_some()),
        0,
        0,
        0,
        0,
    ]);
    bytes.extend(asked.get(HEADER..question.end).unwrap_or_default());
    if let Some(address) = address {
        // The name is that of the question, which begins after the header.
        bytes.extend([0xC0, 12, 0, 1, 0, 1]);
        bytes.extend(HOLDS.to_be_bytes());
        bytes.extend([0, 4]);
        bytes.extend(address.octets());
    }
    bytes
}
