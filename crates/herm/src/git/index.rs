//! What an index of git names as repositories of their own, read as git reads it.
//!
//! Git goes into each of those and obeys what is written there, so none may be overlooked. Whoever wrote the index may want
//! exactly that. What git could read in another way than this does is not understood: then nothing is known of the index.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How long the names of objects are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// Twenty bytes.
    Sha1,
    /// Thirty-two bytes.
    Sha256,
}

impl Hash {
    /// How many bytes they are.
    #[must_use]
    pub const fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }
}

/// What an index says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// Repositories of their own.
    pub links: Vec<PathBuf>,
    /// Directories whose contents are not told, since nobody wants them here.
    pub folded: Vec<PathBuf>,
    /// The file that has the rest of it, by the name of an object.
    pub shared: Option<String>,
    /// There is a repository whose name is only told in that file.
    pub has_nameless_link: bool,
    /// How long all of these names are.
    told: usize,
}

/// More than the names of all files of a repository take.
const MOST_TOLD: usize = 128 << 20;

/// What a name takes besides its own length.
const EACH: usize = 64;

/// Which of the names in an index count as repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All of them: which are, another file says.
    All,
    /// Those that are said to be.
    Links,
}

impl Index {
    /// Reads an index; nothing where it is not understood. What git refuses names nobody.
    #[must_use]
    pub fn read(bytes: &[u8], hash: Hash, counted: Counted) -> Option<Self> {
        let Some((version, count)) = header(bytes, hash) else { return Some(Self::default()) };
        if !(2..=4).contains(&version) {
            // Git of today refuses it, and that of tomorrow may not.
            return None;
        }
        let mut entries = Entries { bytes, at: HEADER, hash, is_short: version == 4, name: Vec::new() };
        let (mut index, mut starts) = (Self::default(), Vec::new());
        for _ in 0..count {
            let start = entries.at;
            let entry = entries.next()?;
            starts.push((start, entry.is_fresh));
            index.add(entry.kind, &entries.name, counted)?;
        }
        index.extend(&Extensions { bytes, at: entries.at, hash, starts: &starts })?;
        Some(index)
    }

    /// The files with such names, and what each was like when it was last taken in; nothing where the index is not understood, or another
    /// file has the rest of it.
    #[must_use]
    pub fn files(
        bytes: &[u8],
        hash: Hash,
        is_wanted: impl Fn(&Path) -> bool,
    ) -> Option<Vec<(PathBuf, Stamp)>> {
        let index = Self::read(bytes, hash, Counted::Links)?;
        let (version, count) = header(bytes, hash)?;
        let mut entries = Entries { bytes, at: HEADER, hash, is_short: version == 4, name: Vec::new() };
        let mut found = Vec::new();
        for _ in 0..count {
            let stamp = Stamp::at(bytes, entries.at)?;
            entries.next()?;
            let name = Path::new(OsStr::from_bytes(&entries.name));
            if is_wanted(name) {
                found.push((name.to_owned(), stamp));
            }
        }
        index.shared.is_none().then_some(found)
    }

    fn add(&mut self, kind: u32, name: &[u8], counted: Counted) -> Option<()> {
        // Git takes a name to end there, whatever its length is said to be.
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let kept = match kind {
            DIRECTORY => &mut self.folded,
            LINK if name.is_empty() => {
                self.has_nameless_link = true;
                return Some(());
            }
            LINK => &mut self.links,
            _ if counted == Counted::All => &mut self.links,
            _ => return Some(()),
        };
        // Names can be told in far fewer bytes than they have.
        self.told += name.len() + EACH;
        (self.told <= MOST_TOLD).then(|| kept.push(path(name)))
    }

    fn extend(&mut self, extensions: &Extensions<'_>) -> Option<()> {
        extensions.agree_on_their_place()?;
        let mut at = extensions.at;
        while let Some((kind, data)) = extensions.one(at) {
            match (kind, kind.first()?.is_ascii_uppercase()) {
                (b"link", _) => self.shared = shared(data, extensions.hash)?,
                (b"IEOT", _) => extensions.have_blocks(data)?,
                (b"sdir", _) | (_, true) => {}
                // Git does not read on where it must understand this and does not.
                (_, false) => return None,
            }
            at += EXTENSION + data.len();
        }
        Some(())
    }
}

/// What a file was like when it was taken in, as far as an index tells. Git reads a file again when this differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// When it was last written, in seconds and in parts of one.
    pub written: (u32, u32),
    /// How long it was.
    pub length: u32,
}

impl Stamp {
    /// That of the entry that begins there.
    fn at(bytes: &[u8], start: usize) -> Option<Self> {
        let one = |offset| number(bytes, start + offset);
        Some(Self { written: (one(8)?, one(12)?), length: one(36)? })
    }
}

/// What kind of thing an entry is about.
const KIND: u32 = 0o170_000;
const LINK: u32 = 0o160_000;
const DIRECTORY: u32 = 0o040_000;

/// A word that says what it is, a version, and how many entries there are.
const HEADER: usize = 12;

fn header(bytes: &[u8], hash: Hash) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(b"DIRC").filter(|_| bytes.len() >= HEADER + hash.length())?;
    Some((number(rest, 0)?, number(rest, 4)?)).filter(|(version, _)| *version >= 2)
}

struct Entries<'a> {
    bytes: &'a [u8],
    at: usize,
    hash: Hash,
    /// Names are told by what differs from the one before.
    is_short: bool,
    /// The name of the entry that was read last.
    name: Vec<u8>,
}

struct Entry {
    kind: u32,
    /// Nothing of the name before is in this one.
    is_fresh: bool,
}

impl Entries<'_> {
    fn next(&mut self) -> Option<Entry> {
        let start = self.at;
        let kind = number(self.bytes, start + 24)? & KIND;
        let flags = start + 40 + self.hash.length();
        let said = u32::from(half(self.bytes, flags)?);
        let text = flags + if said & EXTENDED == 0 { 2 } else { 4 };
        let length = usize::try_from(said & LENGTH).ok().filter(|length| *length < LONG);
        let is_first = start == HEADER;
        let is_fresh = if self.is_short {
            self.short_name(text, length, is_first)?
        } else {
            self.whole_name(start, text, length)?
        };
        Some(Entry { kind, is_fresh })
    }

    /// A name with as many noughts after it as make the entry a multiple of eight.
    fn whole_name(&mut self, start: usize, text: usize, length: Option<usize>) -> Option<bool> {
        let length = length.or_else(|| self.until_nought(text))?;
        let name = self.bytes.get(text..text.checked_add(length)?)?;
        self.name.clear();
        self.name.extend_from_slice(name);
        self.at = start + ((text - start + length + 8) & !7);
        Some(true)
    }

    /// How much of the name before goes, and what comes instead.
    fn short_name(&mut self, text: usize, length: Option<usize>, is_first: bool) -> Option<bool> {
        let (gone, text) = varying(self.bytes, text)?;
        let kept = if is_first { 0 } else { self.name.len().checked_sub(gone)? };
        let added = match length {
            Some(length) => length.checked_sub(kept)?,
            None => self.until_nought(text)?,
        };
        let name = self.bytes.get(text..text.checked_add(added)?)?;
        self.name.truncate(kept);
        self.name.extend_from_slice(name);
        self.at = text + added + 1;
        Some(kept == 0)
    }

    fn until_nought(&self, text: usize) -> Option<usize> {
        self.bytes.get(text..)?.iter().position(|byte| *byte == 0)
    }
}

/// Two bytes more follow.
const EXTENDED: u32 = 0x4000;

/// Where the length of the name stands.
const LENGTH: u32 = 0x0fff;

/// It is at least this long.
const LONG: usize = 0x0fff;

/// What follows the entries.
struct Extensions<'a> {
    bytes: &'a [u8],
    at: usize,
    hash: Hash,
    /// Where each entry begins, and whether it can be read without the one before.
    starts: &'a [(usize, bool)],
}

/// A word that says what it is, and its length.
const EXTENSION: usize = 8;

impl<'a> Extensions<'a> {
    fn one(&self, at: usize) -> Option<(&'a [u8], &'a [u8])> {
        let end = self.bytes.len().checked_sub(self.hash.length())?;
        let rest = self.bytes.get(at..end)?;
        let length = usize::try_from(number(rest, 4)?).ok()?;
        Some((rest.get(..4)?, rest.get(EXTENSION..EXTENSION.checked_add(length)?)?))
    }

    /// Git may start reading where the last one says that they begin.
    fn agree_on_their_place(&self) -> Option<()> {
        let own = EXTENSION + 4 + self.hash.length();
        let last = self.bytes.len().checked_sub(self.hash.length() + own);
        let said = last.and_then(|last| self.bytes.get(last..)).filter(|last| last.starts_with(b"EOIE"));
        said.is_none_or(|last| {
            number(last, EXTENSION).and_then(|at| usize::try_from(at).ok()) == Some(self.at)
        })
        .then_some(())
    }

    /// Git may read entries in blocks, from where it is told that those begin.
    fn have_blocks(&self, data: &[u8]) -> Option<()> {
        let blocks = data.get(4..)?;
        let mut read = 0;
        for block in blocks.chunks(8) {
            let [at, count] = [number(block, 0)?, number(block, 4)?].map(|one| usize::try_from(one).ok());
            (*self.starts.get(read)? == (at?, true)).then_some(())?;
            read = read.checked_add(count?)?;
        }
        (blocks.is_empty() || read == self.starts.len()).then_some(())
    }
}

/// The file that has the rest, unless it is none.
#[expect(clippy::option_option, reason = "there may be none, and it may not be understood")]
fn shared(data: &[u8], hash: Hash) -> Option<Option<String>> {
    let name = data.get(..hash.length())?;
    let digit = |half: u8| char::from_digit(u32::from(half), 16);
    let digits = name.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(digit);
    Some(name.iter().any(|byte| *byte != 0).then(|| digits.collect()))
}

fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(name))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|four| u32::from_be_bytes(*four))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|two| u16::from_be_bytes(*two))
}

/// A number in as many bytes as it needs, and where it ends.
fn varying(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut rest = bytes.get(at..)?.iter();
    let mut byte = *rest.next()?;
    let (mut value, mut end) = (usize::from(byte & 127), at + 1);
    while byte & 128 != 0 {
        byte = *rest.next()?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        end += 1;
    }
    Some((value, end))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests have git make files")]
mod tests;
