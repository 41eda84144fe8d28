//! What a word may be, by how it begins.

use std::sync::LazyLock;

use super::bytes::{byte, from};
use super::command_line::{PROGRAMS, Program};
use super::format::Format;
use super::sieve::Sieve;
use super::spoken::{self, Spoken};
use super::{chat, cloud, forges, models, payment, private_key, shapes, telemetry};

/// What begins in a certain way.
#[derive(Debug)]
pub(super) enum Entry {
    Format(&'static Format),
    /// A private key.
    Marker,
    /// A word that a secret may follow in a sentence.
    Phrase,
    /// Something that has a way of its own to tell.
    Shape(Spoken),
    Program(&'static Program),
}

/// All of it, found by the first two bytes.
#[derive(Debug)]
pub(super) struct Index {
    /// For each pair of letters or digits, where the entries are that begin with it; none for most.
    pairs: Box<[u8; PAIRS]>,
    entries: Vec<Vec<(Head, &'static str, Entry)>>,
    /// Keeps what one of them may be about.
    pub(super) sieve: Sieve,
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
    "PASS",
    "Passwort",
    "passwort",
    "apikey",
    "credential",
    "authtoken",
    "login",
];

impl Index {
    /// The one that all share. Making it takes some microseconds.
    pub(super) fn shared() -> &'static Self {
        static INDEX: LazyLock<Index> = LazyLock::new(Index::new);
        &INDEX
    }

    fn new() -> Self {
        let mut index =
            Self { pairs: Box::new([NOTHING; PAIRS]), entries: vec![Vec::new()], sieve: Sieve::new() };
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
        for (word, find) in spoken::WORDS.iter().chain(shapes::BEGINNINGS) {
            index.insert(word, Entry::Shape(*find));
        }
        for method in spoken::METHODS {
            index.insert(method, Entry::Shape(spoken::crypt));
        }
        for phrase in PHRASES {
            index.insert(phrase, Entry::Phrase);
        }
        for marker in private_key::MARKERS {
            index.insert(marker, Entry::Marker);
        }
        index
    }

    fn insert(&mut self, beginning: &'static str, entry: Entry) {
        let bytes = beginning.as_bytes();
        // What must stand behind a dollar or a dash is a reason to look by itself.
        let is_behind = beginning.len() <= 3 && beginning.ends_with('$') || beginning == "us";
        if !is_behind {
            self.sieve.insert(bytes);
        }
        let Some(pair) = self.pairs.get_mut(number(byte(bytes, 0), byte(bytes, 1))) else { return };
        if *pair == NOTHING {
            *pair = u8::try_from(self.entries.len()).unwrap_or(NOTHING);
            self.entries.push(Vec::new());
        }
        if let Some(entries) = self.entries.get_mut(usize::from(*pair)) {
            entries.push((Head::new(bytes), beginning, entry));
        }
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
    usize::from(code(one)) << 6 | usize::from(code(two))
}

/// The number of whatever is neither a letter nor a digit.
const OTHER: u8 = 63;

/// A number of six bits for each letter and digit.
static CODES: [u8; 256] = codes();

fn code(byte: u8) -> u8 {
    CODES.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn codes() -> [u8; 256] {
    let mut table = [OTHER; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            _ => OTHER,
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
    }
}
