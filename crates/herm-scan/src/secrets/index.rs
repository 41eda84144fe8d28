//! What a word may be, by how it begins.

use std::sync::LazyLock;

use super::bytes::{byte, from};
use super::command_line::{PROGRAMS, Program};
use super::format::Format;
use super::{chat, cloud, forges, models, payment, telemetry};

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
    /// One bit for each pair of bytes that something begins with.
    pairs: Box<[u64; 1024]>,
    /// By the first byte.
    entries: Vec<Vec<(&'static str, Entry)>>,
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
        let mut index = Self { pairs: Box::new([0; 1024]), entries: Vec::new() };
        index.entries.resize_with(256, Vec::new);
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
        index
    }

    fn insert(&mut self, beginning: &'static str, entry: Entry) {
        let (word, bit) = place(beginning.as_bytes(), 0);
        if let Some(pairs) = self.pairs.get_mut(word) {
            *pairs |= bit;
        }
        if let Some(entries) = self.entries.get_mut(usize::from(byte(beginning.as_bytes(), 0))) {
            entries.push((beginning, entry));
        }
    }

    /// What the word at a position may be.
    pub(super) fn entries(&self, text: &[u8], at: usize) -> impl Iterator<Item = &Entry> {
        let (word, bit) = place(text, at);
        let known = self.pairs.get(word).is_some_and(|pairs| pairs & bit != 0);
        let entries = known.then(|| self.entries.get(usize::from(byte(text, at)))).flatten();
        let here = from(text, at);
        let begins = move |(beginning, _): &&(&str, Entry)| here.starts_with(beginning.as_bytes());
        entries.into_iter().flatten().filter(begins).map(|(_, entry)| entry)
    }
}

/// Where the bit for two bytes stands.
fn place(text: &[u8], at: usize) -> (usize, u64) {
    let pair = usize::from(byte(text, at)) << 8 | usize::from(byte(text, at + 1));
    (pair >> 6, 1 << (pair & 63))
}
