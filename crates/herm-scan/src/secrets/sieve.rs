//! Tells at once for most words and signs that they are nothing.

use crate::filter::Filter;

use super::bytes::{
    ALNUM, ANY_HEX, BLANK, DASH, DIGIT, DOT, NEWLINE, QUOTE, SPACE, STOP, Set, URL64, WORD, is,
};

/// Tells by the bytes around a place whether it is worth looking at.
///
/// There are at most 64 reasons to look, and a table for each of those bytes that says which of them it leaves. A place is
/// worth it if one reason is left by all. It takes eight look-ups and no branch, whatever the text.
#[derive(Debug)]
pub(super) struct Sieve {
    tables: Box<[[u64; 256]; AROUND]>,
    /// How many reasons there are.
    reasons: usize,
    /// The first four bytes of words that are known by how they begin, and the first three where there are no more.
    beginnings: Filter,
    triples: Filter,
}

/// How many bytes are looked up: two before a place, and six from it on.
pub(super) const AROUND: usize = BEFORE + 6;

/// How many of them stand before it.
pub(super) const BEFORE: usize = 2;

impl Sieve {
    pub(super) fn new() -> Self {
        let tables = Box::new([[0; 256]; AROUND]);
        let mut sieve = Self { tables, reasons: 0, beginnings: Filter::new(), triples: Filter::new() };
        for reason in REASONS {
            sieve.add(reason);
        }
        sieve
    }

    /// Words that begin so are worth looking at.
    pub(super) fn insert(&mut self, beginning: &[u8]) {
        if let Some(four) = beginning.first_chunk() {
            return self.beginnings.insert(u32::from_le_bytes(*four));
        }
        if let Some(three) = beginning.first_chunk() {
            return self.triples.insert(triple(*three));
        }
        let nth = |at: usize| beginning.get(at..=at).map_or(ANY, one_of);
        self.add(&[ANY, ANY, nth(0), nth(1), ANY, ANY, ANY, ANY]);
    }

    /// One reason more. If there are too many, some share a bit, and more places are looked at than need be.
    fn add(&mut self, reason: &[Bytes<'_>; AROUND]) {
        debug_assert!(self.reasons < 64, "some reasons share a bit");
        for (table, bytes) in self.tables.iter_mut().zip(reason) {
            bytes.mark(table, 1 << (self.reasons % 64));
        }
        self.reasons += 1;
    }

    /// Whether a place is worth looking at.
    pub(super) fn keeps(&self, around: &[u8]) -> bool {
        let of = |(table, byte): (&[u64; 256], &u8)| table.get(usize::from(*byte)).copied().unwrap_or(0);
        let left = self.tables.iter().zip(around).map(of).fold(u64::MAX, |left, reasons| left & reasons);
        let four = around.get(BEFORE..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        let [one, two, three, _] = four;
        let begins = self.beginnings.may_have(u32::from_le_bytes(four))
            | self.triples.may_have(triple([one, two, three]));
        left | u64::from(begins) != 0
    }
}

/// The number of three bytes.
fn triple([one, two, three]: [u8; 3]) -> u32 {
    u32::from_le_bytes([one, two, three, 0])
}

/// Some bytes.
enum Bytes<'a> {
    /// Those of some kinds, and some more.
    Of(Set, &'a [u8]),
    /// All but those.
    Not(Set, &'a [u8]),
}

impl Bytes<'_> {
    fn mark(&self, table: &mut [u64; 256], bit: u64) {
        match self {
            Self::Of(kinds, bytes) => each(table, *kinds, bytes, |bits| *bits |= bit),
            Self::Not(kinds, bytes) => {
                for bits in table.iter_mut() {
                    *bits |= bit;
                }
                each(table, *kinds, bytes, |bits| *bits &= !bit);
            }
        }
    }
}

/// Does something with what a table has for some bytes.
fn each(table: &mut [u64; 256], kinds: Set, bytes: &[u8], change: impl Fn(&mut u64)) {
    for byte in bytes {
        table.get_mut(usize::from(*byte)).map(&change);
    }
    if kinds != 0 {
        (0..=u8::MAX).zip(table).filter(|(byte, _)| is(*byte, kinds)).for_each(|(_, bits)| change(bits));
    }
}

const fn of(kinds: Set) -> Bytes<'static> {
    Bytes::Of(kinds, b"")
}

const fn one_of(bytes: &[u8]) -> Bytes<'_> {
    Bytes::Of(0, bytes)
}

const ANY: Bytes<'static> = Bytes::Not(0, b"");

/// What the name before a sign may end with, or the first half of the sign.
const NAME: Bytes<'static> = Bytes::Of(ALNUM | BLANK | QUOTE, b"])\\!?+|");

/// What a value goes on with right after its sign, and what it goes on with behind a blank or a quote.
const DIRECT: Bytes<'static> = Bytes::Not(SPACE | QUOTE, b"");
const APART: Bytes<'static> = Bytes::Not(SPACE | QUOTE | STOP, b"");
/// No value goes over the end of a line.
const MORE: Bytes<'static> = Bytes::Not(NEWLINE, b"");

/// What may stand between a sign and a value.
const GAP: Bytes<'static> = of(BLANK);
const OPEN: Bytes<'static> = of(QUOTE);
const MARK: Bytes<'static> = one_of(b"rbfuLRBF@$");
const COLOUR: Bytes<'static> = one_of(b"\x1b");
const ESCAPE: Bytes<'static> = one_of(b"\\");

const GIVES: Bytes<'static> = one_of(b"=:");
const LISTS: Bytes<'static> = one_of(b",");

const NUMBER: Bytes<'static> = of(DIGIT);
const PART: Bytes<'static> = of(WORD | DASH);
const BASE: Bytes<'static> = of(URL64);

/// Why a place is worth looking at: what must stand before it and there. No value has fewer than six bytes.
const REASONS: &[[Bytes<'static>; AROUND]] = &[
    // A sign and a value.
    [ANY, NAME, one_of(b"="), DIRECT, DIRECT, DIRECT, DIRECT, DIRECT],
    [ANY, NAME, one_of(b":"), Bytes::Not(SPACE | QUOTE, b":"), DIRECT, DIRECT, DIRECT, DIRECT],
    [ANY, NAME, GIVES, one_of(b"=>"), MORE, MORE, MORE, MORE],
    [ANY, NAME, GIVES, GAP, APART, APART, APART, APART],
    [ANY, NAME, GIVES, GAP, GAP, MORE, MORE, MORE],
    // Behind escapes that change a colour.
    [ANY, NAME, GIVES, COLOUR, one_of(b"["), MORE, MORE, MORE],
    [ANY, NAME, GIVES, GAP, COLOUR, one_of(b"["), MORE, MORE],
    // The same in quotes, with the mark of a string before them, or with escaped ones.
    [ANY, NAME, GIVES, OPEN, APART, MORE, MORE, MORE],
    [ANY, NAME, GIVES, MARK, OPEN, APART, MORE, MORE],
    [ANY, NAME, GIVES, ESCAPE, OPEN, APART, MORE, MORE],
    [ANY, NAME, GIVES, GAP, OPEN, APART, MORE, MORE],
    [ANY, NAME, GIVES, GAP, MARK, OPEN, APART, MORE],
    [ANY, NAME, GIVES, GAP, ESCAPE, OPEN, APART, MORE],
    // Next to one another both must be in quotes.
    [ANY, OPEN, LISTS, OPEN, APART, APART, APART, APART],
    [ANY, OPEN, LISTS, MARK, OPEN, APART, MORE, MORE],
    [ANY, OPEN, LISTS, ESCAPE, OPEN, APART, MORE, MORE],
    [ANY, OPEN, LISTS, GAP, OPEN, APART, MORE, MORE],
    [ANY, OPEN, LISTS, GAP, MARK, OPEN, APART, MORE],
    [ANY, OPEN, LISTS, GAP, ESCAPE, OPEN, APART, MORE],
    [ANY, OPEN, LISTS, GAP, GAP, MORE, MORE, MORE],
    // What opens an element.
    [Bytes::Of(WORD | DASH | DOT, b"<"), of(WORD | DASH | DOT), one_of(b">"), MORE, MORE, MORE, MORE, MORE],
    // An address.
    [ANY, ANY, one_of(b":"), one_of(b"/"), one_of(b"/"), MORE, MORE, MORE],
    // A client secret of Azure.
    [NUMBER, one_of(b"Q"), one_of(b"~"), MORE, MORE, MORE, MORE, MORE],
    // An option.
    [of(SPACE | QUOTE | DASH), one_of(b"-"), of(ALNUM), ANY, ANY, ANY, ANY, ANY],
    // The end of an escape.
    [ANY, ESCAPE, one_of(b"nrt"), of(ALNUM), ANY, ANY, ANY, ANY],
    [ANY, ESCAPE, one_of(b"x"), of(ANY_HEX), of(ANY_HEX), of(ALNUM), ANY, ANY],
    [ANY, ESCAPE, one_of(b"uU"), of(ANY_HEX), of(ANY_HEX), of(ANY_HEX), of(ANY_HEX), of(ALNUM)],
    [ANY, one_of(b"%"), of(ANY_HEX), of(ANY_HEX), of(ALNUM), ANY, ANY, ANY],
    [ANY, one_of(b"[;"), Bytes::Of(DIGIT, b"m"), ANY, ANY, ANY, ANY, ANY],
    // The hash of a password, and what ends with the name of a data centre.
    [
        ANY,
        one_of(b"$"),
        of(ALNUM),
        Bytes::Of(ALNUM, b"$"),
        Bytes::Not(SPACE | QUOTE, b""),
        DIRECT,
        DIRECT,
        DIRECT,
    ],
    [of(ALNUM), one_of(b"-"), one_of(b"u"), one_of(b"s"), NUMBER, ANY, ANY, ANY],
    // Tokens that are known by their shape.
    [ANY, ANY, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER],
    [ANY, ANY, one_of(b"b"), one_of(b"o"), one_of(b"t"), NUMBER, NUMBER, NUMBER],
    [ANY, ANY, one_of(b"MNO"), of(ALNUM), of(ALNUM), PART, PART, PART],
    [ANY, one_of(b"-\\%[;"), one_of(b"MNO"), PART, PART, PART, PART, PART],
    [ANY, ANY, one_of(b"e"), one_of(b"y"), BASE, BASE, BASE, BASE],
    [ANY, one_of(b"."), one_of(b"a"), one_of(b"t"), one_of(b"l"), one_of(b"a"), one_of(b"s"), one_of(b"v")],
];
