//! Where in a text something may begin or stand, many bytes at a time.
//!
//! Every byte of a text comes by here, and hardly any matters. So nothing branches on what a byte is, which no processor
//! could foresee: a loop that the compiler turns into vectors says where words begin and signs stand, each of those goes
//! through a sieve, and what is left is a number with one bit for each place.

use super::sieve::{AROUND, Sieve};

/// How many bytes are looked at together.
pub(super) const SPAN: usize = 64;

/// The bytes that are looked at, with those around the first and the last of them.
pub(super) type Window = [u8; SPAN + AROUND - 1];

/// The places among some bytes that are worth looking at, one bit each, the first at the low end.
#[derive(Debug)]
pub(super) struct Places(u64);

impl Places {
    pub(super) fn read(sieve: &Sieve, window: &Window) -> Self {
        let mut kept = 0;
        for place in Self(begins(window)) {
            let around = window.get(place..place + AROUND).unwrap_or_default();
            kept |= u64::from(sieve.keeps(around)) << place;
        }
        Self(kept)
    }
}

impl Iterator for Places {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros();
        self.0 &= self.0.checked_sub(1)?;
        Some(place as usize)
    }
}

/// One bit for each byte that begins a word or a row of signs.
fn begins([_, before, window @ ..]: &Window) -> u64 {
    let mut kinds = [0; SPAN];
    for (kind, byte) in kinds.iter_mut().zip(window) {
        *kind = u8::from(byte.is_ascii_alphanumeric()) | sign(*byte) << 1;
    }
    let (words, signs) = (bits(&kinds, 0), bits(&kinds, 1));
    let (word, sign) = (u64::from(before.is_ascii_alphanumeric()), u64::from(sign(*before)));
    words & !(words << 1 | word) | signs & !(signs << 1 | sign)
}

/// One for what stands between a name and a value, or gives a token away; nought for all else.
fn sign(byte: u8) -> u8 {
    b"=:,>~".iter().fold(0, |found, sign| found | u8::from(byte == *sign))
}

/// One bit of each byte.
fn bits(bytes: &[u8; SPAN], bit: u32) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().rev().fold(0, |bits, word| bits << 8 | lowest_bits(u64::from_le_bytes(*word) >> bit))
}

/// The lowest bits of eight bytes. The product moves each to a place of its own in the highest byte.
fn lowest_bits(word: u64) -> u64 {
    (word & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
