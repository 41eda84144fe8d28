//! Undoes DEFLATE (RFC 1951): `gunzip` of what is known, and code that was packed with `zlib` or `gzip`.

use super::LARGEST;
use super::bytes::{of_text, to_text};
use super::computed::Computed;
use super::streams::Streams;
use crate::value::Value;

/// What gzip's own format holds in these files.
pub(super) fn gunzip(files: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    streams.map(files, |text| Some(to_text(&gzip(&of_text(text), LARGEST)?)))
}

/// The content of a zlib stream, unless it has more than `most` bytes.
pub(crate) fn zlib(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    match bytes {
        [header, _, rest @ ..] if header & 15 == 8 => inflate(rest, most),
        _ => None,
    }
}

/// The content of a gzip file, unless it has more than `most` bytes.
pub(crate) fn gzip(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let [0x1F, 0x8B, 8, flags, _, _, _, _, _, _, rest @ ..] = bytes else { return None };
    let mut rest = rest;
    if flags & 4 != 0 {
        let [low, high, after @ ..] = rest else { return None };
        rest = after.get(usize::from(*low) + 256 * usize::from(*high)..)?;
    }
    for bit in [8, 16] {
        if flags & bit != 0 {
            rest = rest.get(rest.iter().position(|byte| *byte == 0)? + 1..)?;
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    inflate(rest, most)
}

fn inflate(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes, at: 0 };
    let mut out = Output { bytes: Vec::new(), most };
    loop {
        let last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out)?,
            1 => compressed(&mut bits, &mut out, &fixed_lengths(), &Code::new(&[5; 30]))?,
            2 => {
                let (letters, distances) = dynamic(&mut bits)?;
                compressed(&mut bits, &mut out, &letters, &distances)?;
            }
            _ => return None,
        }
        if last {
            return Some(out.bytes);
        }
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    /// The next bit.
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<usize> {
        let mut value = 0;
        for place in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            value |= usize::from(byte >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(value)
    }
}

/// What was unpacked, and how much it may be.
struct Output {
    bytes: Vec<u8>,
    most: usize,
}

impl Output {
    fn fits(&self) -> Option<()> {
        (self.bytes.len() <= self.most).then_some(())
    }
}

fn stored(bits: &mut Bits<'_>, out: &mut Output) -> Option<()> {
    bits.at = bits.at.div_ceil(8) * 8;
    let length = bits.take(16)?;
    bits.take(16)?;
    let start = bits.at / 8;
    out.bytes.extend_from_slice(bits.bytes.get(start..start + length)?);
    bits.at += length * 8;
    out.fits()
}

/// A canonical Huffman code: how many codes there are of each length, and the symbols in order.
struct Code {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Code {
    fn new(lengths: &[u8]) -> Self {
        let mut counts = [0; 16];
        let mut symbols: Vec<usize> =
            (0..lengths.len()).filter(|symbol| lengths.get(*symbol) != Some(&0)).collect();
        for length in lengths.iter().filter(|length| **length != 0) {
            if let Some(count) = counts.get_mut(usize::from(*length)) {
                *count += 1;
            }
        }
        symbols.sort_by_key(|symbol| lengths.get(*symbol).copied());
        Self { counts, symbols }
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut index) = (0_usize, 0_usize, 0_usize);
        for count in self.counts.iter().skip(1) {
            code |= bits.take(1)?;
            if code < first + count {
                return self.symbols.get(index + code.checked_sub(first)?).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

fn fixed_lengths() -> Code {
    let mut lengths = [8; 288];
    for (symbol, length) in lengths.iter_mut().enumerate() {
        *length = match symbol {
            144..=255 => 9,
            256..=279 => 7,
            _ => 8,
        };
    }
    Code::new(&lengths)
}

fn dynamic(bits: &mut Bits<'_>) -> Option<(Code, Code)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let letters = bits.take(5)? + 257;
    let distances = bits.take(5)? + 1;
    let count = bits.take(4)? + 4;
    let mut lengths = [0_u8; 19];
    for place in ORDER.iter().take(count) {
        *lengths.get_mut(*place)? = u8::try_from(bits.take(3)?).ok()?;
    }
    let code = Code::new(&lengths);
    let mut lengths = Vec::new();
    while lengths.len() < letters + distances {
        let (value, repeat) = match code.symbol(bits)? {
            16 => (*lengths.last()?, bits.take(2)? + 3),
            17 => (0, bits.take(3)? + 3),
            18 => (0, bits.take(7)? + 11),
            length => (u8::try_from(length).ok()?, 1),
        };
        lengths.extend(std::iter::repeat_n(value, repeat));
    }
    Some((Code::new(lengths.get(..letters)?), Code::new(lengths.get(letters..letters + distances)?)))
}

fn compressed(bits: &mut Bits<'_>, out: &mut Output, letters: &Code, distances: &Code) -> Option<()> {
    const LENGTHS: [usize; 29] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227, 258,
    ];
    const LENGTH_BITS: [usize; 29] =
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
    const DISTANCES: [usize; 30] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
        3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ];
    const DISTANCE_BITS: [usize; 30] =
        [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
    loop {
        match letters.symbol(bits)? {
            256 => return Some(()),
            letter @ 0..=255 => out.bytes.push(u8::try_from(letter).ok()?),
            symbol => {
                let at = symbol - 257;
                let length = *LENGTHS.get(at)? + bits.take(*LENGTH_BITS.get(at)?)?;
                let at = distances.symbol(bits)?;
                let distance = *DISTANCES.get(at)? + bits.take(*DISTANCE_BITS.get(at)?)?;
                for _ in 0..length {
                    out.bytes.push(*out.bytes.get(out.bytes.len().checked_sub(distance)?)?);
                }
            }
        }
        out.fits()?;
    }
}
