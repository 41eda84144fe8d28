//! Messages to the kernel, part by part. Numbers are in the machine's order, except those that say otherwise.

use super::{Family, Message};

/// A message that is being written.
#[derive(Debug)]
pub(super) struct Encoder {
    family: Family,
    bytes: Vec<u8>,
    /// Where the part that is being written began.
    part: usize,
    answers: u32,
}

/// What is asked of the kernel along with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// To say whether it was done.
    Answered,
    /// To make something new, after what is there already, and to say whether it was done.
    Created,
    /// Nothing: it begins or ends a row of others.
    Plain,
}

impl Encoder {
    pub(super) fn new(family: Family) -> Self {
        Self { family, bytes: Vec::new(), part: 0, answers: 0 }
    }

    /// Begins a part.
    pub(super) fn part(&mut self, kind: Kind, number: u16, head: &[u8]) {
        self.part = self.bytes.len();
        let flags = match kind {
            Kind::Answered => REQUEST | ANSWER,
            Kind::Created => REQUEST | ANSWER | CREATE | APPEND,
            Kind::Plain => REQUEST,
        };
        self.answers += u32::from(kind != Kind::Plain);
        self.bytes.extend(0_u32.to_ne_bytes());
        self.bytes.extend(number.to_ne_bytes());
        self.bytes.extend(flags.to_ne_bytes());
        // A number for the order, and the sender's own: the kernel fills in what is nought.
        self.bytes.extend([0; 8]);
        self.bytes.extend(head);
        self.measure();
    }

    /// Adds a value to the part.
    pub(super) fn attribute(&mut self, number: u16, value: &[u8]) {
        self.bytes.extend(length(value.len() + ATTRIBUTE_HEAD).to_ne_bytes());
        self.bytes.extend(number.to_ne_bytes());
        self.bytes.extend(value);
        self.pad();
        self.measure();
    }

    /// Adds a number in the network's order.
    pub(super) fn number(&mut self, number: u16, value: u32) {
        self.attribute(number, &value.to_be_bytes());
    }

    /// Adds a name.
    pub(super) fn name(&mut self, number: u16, name: &str) {
        let mut value = name.as_bytes().to_vec();
        value.push(0);
        self.attribute(number, &value);
    }

    /// Adds values within a value.
    pub(super) fn nested(&mut self, number: u16, write: impl FnOnce(&mut Self)) {
        let start = self.bytes.len();
        self.attribute(number | NESTED, &[]);
        write(self);
        let size = length(self.bytes.len() - start).to_ne_bytes();
        write_at(&mut self.bytes, start, &size);
    }

    pub(super) fn finish(self) -> Message {
        Message { family: self.family, bytes: self.bytes, answers: self.answers }
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// Puts down how long the part has become.
    fn measure(&mut self) {
        let size = u32::try_from(self.bytes.len() - self.part).unwrap_or(u32::MAX).to_ne_bytes();
        write_at(&mut self.bytes, self.part, &size);
    }
}

fn write_at(bytes: &mut [u8], at: usize, value: &[u8]) {
    for (place, byte) in bytes.iter_mut().skip(at).zip(value) {
        *place = *byte;
    }
}

/// A message here is a few hundred bytes. One that were too long would be refused by the kernel.
fn length(length: usize) -> u16 {
    u16::try_from(length).unwrap_or(u16::MAX)
}

const ATTRIBUTE_HEAD: usize = 4;
const NESTED: u16 = 0x8000;

const REQUEST: u16 = 1;
const ANSWER: u16 = 4;
const CREATE: u16 = 0x400;
const APPEND: u16 = 0x800;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_heads_and_padding() {
        let mut message = Encoder::new(Family::Route);
        message.part(Kind::Answered, 16, &[9; 4]);
        message.nested(1, |within| within.name(2, "ab"));
        let bytes = message.finish().bytes;
        assert_eq!(bytes.len(), 16 + 4 + 4 + 8);
        assert_eq!(bytes[..4], 32_u32.to_ne_bytes());
        assert_eq!(bytes[20..24], [12_u16.to_ne_bytes(), 0x8001_u16.to_ne_bytes()].concat());
        assert_eq!(bytes[24..], [&7_u16.to_ne_bytes()[..], &2_u16.to_ne_bytes(), b"ab\0\0"].concat());
    }

    #[test]
    fn parts_that_are_answered_are_counted() {
        let mut message = Encoder::new(Family::Netfilter);
        for kind in [Kind::Plain, Kind::Created, Kind::Answered, Kind::Plain] {
            message.part(kind, 0, &[0; 4]);
        }
        let message = message.finish();
        assert_eq!((message.answers, message.bytes.len()), (2, 80));
    }
}
