//! What a word may be, by how it begins.

use std::sync::LazyLock;

use super::bytes::{byte, from};
use super::command_line::{PROGRAMS, Program};
use super::format::Format;
use super::{chat, cloud, forges, models, payment, shapes, telemetry};

/// What begins in a certain way.
#[derive(Debug)]
pub(super) enum Entry {
    Format(&'static Format),
    /// A private key.
    Marker,
    /// A word that a secret may follow in a sentence.
    Phrase,
    Program(&'static Program),
}

/// All of it, found by the first two bytes.
#[derive(Debug)]
pub(super) struct Index {
    /// For each pair of letters or digits, where the entries are that begin with it; none for most.
    pairs: Box<[u8; PAIRS]>,
    /// For each of those places, one bit for each byte that may come third.
    thirds: Vec<u64>,
    entries: Vec<Vec<(Head, &'static str, Entry)>>,
}

const PAIRS: usize = 64 * 64;

/// The place of what nothing begins with.
const NOTHING: u8 = 0;

/// Up to four bytes, which are compared at once.
#[derive(Clone, Copy, Debug)]
struct Head {
    bytes: u32,
    mask: u32,
}

impl Head {
    fn new(beginning: &[u8]) -> Self {
        let unused = 4_usize.saturating_sub(beginning.len());
        let mask = u32::MAX.checked_shl(u32::try_from(8 * unused).unwrap_or(0)).unwrap_or(0);
        Self { bytes: first_four(beginning) & mask, mask }
    }
}

fn first_four(text: &[u8]) -> u32 {
    match text {
        [one, two, three, four, ..] => u32::from_be_bytes([*one, *two, *three, *four]),
        _ => u32::from_be_bytes([byte(text, 0), byte(text, 1), byte(text, 2), byte(text, 3)]),
    }
}

const PHRASES: &[&str] = &[
    "key",
    "Key",
    "KEY",
    "token",
    "Token",
    "TOKEN",
    "secret",
    "Secret",
    "SECRET",
    "Bearer",
    "bearer",
    "BEARER",
    "password",
    "Password",
    "PASSWORD",
    "apikey",
    "credential",
];

impl Index {
    /// The one that all share. Making it takes some microseconds.
    pub(super) fn shared() -> &'static Self {
        static INDEX: LazyLock<Index> = LazyLock::new(Index::new);
        &INDEX
    }

    fn new() -> Self {
        let mut index =
            Self { pairs: Box::new([NOTHING; PAIRS]), thirds: vec![0], entries: vec![Vec::new()] };
        let families = [
            models::FORMATS,
            forges::FORMATS,
            cloud::FORMATS,
            chat::FORMATS,
            payment::FORMATS,
            telemetry::FORMATS,
        ];
        for format in families.into_iter().flatten() {
            index.insert(format.prefix, Entry::Format(format));
        }
        for program in PROGRAMS {
            index.insert(program.name, Entry::Program(program));
        }
        for phrase in PHRASES {
            index.insert(phrase, Entry::Phrase);
        }
        index.insert("BEGIN ", Entry::Marker);
        for (firsts, seconds, thirds) in shapes::BEGINNINGS {
            let place = index.place();
            index.begin(place, firsts, seconds, thirds);
        }
        index
    }

    fn insert(&mut self, beginning: &'static str, entry: Entry) {
        let bytes = beginning.as_bytes();
        let here = self.pairs.get(number(byte(bytes, 0), byte(bytes, 1))).copied().unwrap_or(NOTHING);
        let place = if here == NOTHING { self.place() } else { here };
        let nth = |at: usize| bytes.get(at..=at).unwrap_or_default();
        self.begin(place, nth(0), nth(1), nth(2));
        if let Some(entries) = self.entries.get_mut(usize::from(place)) {
            entries.push((Head::new(bytes), beginning, entry));
        }
    }

    /// A new place.
    fn place(&mut self) -> u8 {
        self.entries.push(Vec::new());
        self.thirds.push(0);
        u8::try_from(self.entries.len() - 1).unwrap_or(NOTHING)
    }

    /// Says what may begin with one of some bytes, one of others, and one of others again; none of those means any. A pair
    /// that has a place already keeps it.
    fn begin(&mut self, place: u8, firsts: &[u8], seconds: &[u8], thirds: &[u8]) {
        let bits = if thirds.is_empty() {
            u64::MAX
        } else {
            thirds.iter().map(|third| bit(*third)).fold(0, |all, bit| all | bit)
        };
        for (one, two) in firsts.iter().flat_map(|one| seconds.iter().map(move |two| (*one, *two))) {
            let Some(pair) = self.pairs.get_mut(number(one, two)) else { continue };
            *pair = if *pair == NOTHING { place } else { *pair };
            if let Some(thirds) = self.thirds.get_mut(usize::from(*pair)) {
                *thirds |= bits;
            }
        }
    }

    /// Whether anything begins like a word.
    pub(super) fn knows(&self, [one, two, three]: [u8; 3]) -> bool {
        let place = self.pairs.get(number(one, two)).copied().unwrap_or(NOTHING);
        place != NOTHING && self.thirds.get(usize::from(place)).is_some_and(|thirds| thirds & bit(three) != 0)
    }

    /// What the word at a position may be.
    pub(super) fn entries(&self, text: &[u8], at: usize) -> impl Iterator<Item = &Entry> {
        let place = self.pairs.get(number(byte(text, at), byte(text, at + 1))).copied().unwrap_or_default();
        let entries = self.entries.get(usize::from(place)).map(Vec::as_slice).unwrap_or_default();
        let here = from(text, at);
        let four = first_four(here);
        let begins = move |(head, beginning, _): &&(Head, &str, Entry)| {
            four & head.mask == head.bytes && here.starts_with(beginning.as_bytes())
        };
        entries.iter().filter(begins).map(|(_, _, entry)| entry)
    }
}

/// The number of a pair.
fn number(one: u8, two: u8) -> usize {
    usize::from(trait_of(one) & CODE) << 6 | usize::from(trait_of(two) & CODE)
}

/// The bit of a byte that comes third; all signs share one.
fn bit(byte: u8) -> u64 {
    1 << (trait_of(byte) & CODE)
}

/// How many bytes are looked at together.
pub(super) const SPAN: usize = 128;

/// Places at which a word begins or a sign stands.
pub(super) struct Places {
    list: [u8; 256],
    count: u8,
}

impl Places {
    pub(super) fn new() -> Self {
        Self { list: [0; 256], count: 0 }
    }

    /// Looks at some bytes after the first. There is no branch in here, because it is run for every byte of a text, and no
    /// processor can tell where words end.
    pub(super) fn read(&mut self, text: &[u8; SPAN + 1]) {
        let [first, rest @ ..] = text;
        let mut before = trait_of(*first);
        self.count = 0;
        for (at, byte) in (0_u8..).zip(rest) {
            let here = trait_of(*byte);
            if let Some(place) = self.list.get_mut(usize::from(self.count)) {
                *place = at;
            }
            self.count = self.count.wrapping_add(u8::from(here & !before & (ALNUM | SIGN) != 0));
            before = here;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.list.iter().take(usize::from(self.count)).map(|place| usize::from(*place))
    }
}

/// The low bits number letters and digits; the others say what a byte is.
const CODE: u8 = 63;
const ALNUM: u8 = 1 << 6;
const SIGN: u8 = 1 << 7;

static TRAITS: [u8; 256] = traits();

fn trait_of(byte: u8) -> u8 {
    TRAITS.get(usize::from(byte)).copied().unwrap_or_default()
}

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn traits() -> [u8; 256] {
    let mut table = [CODE; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'0'..=b'9' => (byte - b'0') | ALNUM,
            b'A'..=b'Z' => (byte - b'A' + 10) | ALNUM,
            b'a'..=b'z' => (byte - b'a' + 36) | ALNUM,
            b'=' | b':' | b'~' | b',' | b'>' => CODE | SIGN,
            _ => CODE,
        };
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_begins_somehow_is_found_by_it() {
        let index = Index::shared();
        let families = [
            models::FORMATS,
            forges::FORMATS,
            cloud::FORMATS,
            chat::FORMATS,
            payment::FORMATS,
            telemetry::FORMATS,
        ];
        for format in families.into_iter().flatten() {
            let here = |entry: &Entry| matches!(entry, Entry::Format(found) if std::ptr::eq(*found, format));
            assert!(index.entries(format.prefix.as_bytes(), 0).any(here), "{}", format.prefix);
        }
        for beginning in [b"123", b"Mx9", b"Oaa", b"eyJ", b"atl", b"ghp", b"SK1", b"sk-", b"hf_"] {
            assert!(index.knows(*beginning), "{beginning:?}");
        }
        assert!(!index.knows(*b"zzz") && !index.knows(*b"the"));
    }
}
