//! The tables as plain bytes, and an index to them.
//!
//! A table of texts and lists is full of pointers, and in a program that can be loaded anywhere each of them has to be
//! put right before the first line runs: most of what a fresh process costs, for the two or three programs that a
//! command names. So the tables are written down without pointers while this crate is compiled, and a program is read
//! back when it is first met.

mod codes;
mod read;
mod write;

use std::sync::OnceLock;

use super::FAMILIES;
use super::schema::{Program, Refine};
use read::Reader;
use write::Writer;

/// The program with exactly this name.
pub(super) fn named(name: &str) -> Option<&'static Program> {
    let mut at = INDEX.last.get(slot(name.as_bytes())).copied()?;
    while let Some(entry) = INDEX.entries.get(usize::from(at)) {
        if entry.bytes() == Some(name.as_bytes()) {
            return entry.program();
        }
        at = entry.before;
    }
    None
}

/// The program that is described by this beginning of its name: `mkfs.*`.
pub(super) fn beginning(name: &str) -> Option<&'static Program> {
    let (name, initial) = (name.as_bytes(), *name.as_bytes().first()?);
    let likely = INDEX.beginnings.iter().filter(|(first, _)| *first == initial);
    let mut entries = likely.filter_map(|(_, at)| INDEX.entries.get(usize::from(*at)));
    let begins = |entry: &&Entry| {
        entry.bytes().and_then(|known| known.strip_suffix(b"*")).is_some_and(|known| name.starts_with(known))
    };
    entries.find(begins)?.program()
}

/// All names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    INDEX.entries.iter().filter_map(|entry| entry.name())
}

/// How much there is of everything.
#[derive(Clone, Copy)]
struct Sizes {
    bytes: usize,
    refined: usize,
    programs: usize,
    names: usize,
    beginnings: usize,
}

/// A name. Those that share a slot are chained.
#[derive(Clone, Copy)]
struct Entry {
    /// Where it stands in the bytes.
    name: u32,
    program: u16,
    before: u16,
}

impl Entry {
    fn name(self) -> Option<&'static str> {
        reader(self.name)?.text()
    }

    /// The name as bytes: most names that are looked for are none of these, and nothing else is asked of them.
    fn bytes(self) -> Option<&'static [u8]> {
        reader(self.name)?.bytes()
    }

    fn program(self) -> Option<&'static Program> {
        let number = usize::from(self.program);
        let read = || reader(*INDEX.programs.get(number)?)?.program();
        *MET.get(number)?.get_or_init(|| read().map(|program| &*Box::leak(Box::new(program))))
    }
}

fn reader(at: u32) -> Option<Reader> {
    Some(Reader { rest: BYTES.get(usize::try_from(at).ok()?..)?, refine: &REFINED })
}

struct Index {
    /// Where each program stands in the bytes.
    programs: [u32; SIZES.programs],
    entries: [Entry; SIZES.names],
    /// The entries that are beginnings, each with its first letter.
    beginnings: [(u8, u16); SIZES.beginnings],
    /// The last entry of each slot.
    last: [u16; SLOTS],
}

/// The programs that were met.
static MET: [OnceLock<Option<&Program>>; SIZES.programs] = [const { OnceLock::new() }; SIZES.programs];

static BYTES: [u8; SIZES.bytes] = WRITTEN.bytes;
static REFINED: [Option<Refine>; SIZES.refined] = WRITTEN.refine;
static INDEX: Index = indexed();

const SIZES: Sizes = sizes();
const WRITTEN: Writer<{ SIZES.bytes }, { SIZES.refined }> = written();

/// Stands for no entry.
const NONE: u16 = u16::MAX;
const SLOTS: usize = 1024;

/// Where a name is kept: its length, its first and its last letters tell most names apart.
const fn slot(name: &[u8]) -> usize {
    let (first, second) = match name {
        [first, second, ..] => (*first as usize, *second as usize),
        [first] => (*first as usize, 0),
        [] => (0, 0),
    };
    let last = match name.last() {
        Some(last) => *last as usize,
        None => 0,
    };
    (first * 7 + second * 31 + last * 131 + name.len() * 17) % SLOTS
}

/// Runs a step for each program of each family, in order.
macro_rules! each_program {
    ($program:ident => $step:block) => {
        let mut families = FAMILIES;
        while let [family, more @ ..] = families {
            let mut programs = *family;
            while let [$program, rest @ ..] = programs {
                $step
                programs = rest;
            }
            families = more;
        }
    };
}

const fn sizes() -> Sizes {
    let mut writer = Writer::<0, 0>::new();
    let (mut programs, mut names, mut beginnings) = (0, 0, 0);
    each_program!(program => {
        writer.program(program);
        programs += 1;
        names += program.names.len();
        let mut left = program.names;
        while let [name, rest @ ..] = left {
            beginnings += is_beginning(name) as usize;
            left = rest;
        }
    });
    assert!(
        names < NONE as usize && writer.length < u32::MAX as usize,
        "the numbers of the index are too small"
    );
    Sizes { bytes: writer.length, refined: writer.refined, programs, names, beginnings }
}

const fn written() -> Writer<{ SIZES.bytes }, { SIZES.refined }> {
    let mut writer = Writer::new();
    each_program!(program => { writer.program(program); });
    writer
}

const fn is_beginning(name: &str) -> bool {
    matches!(name.as_bytes(), [.., b'*'])
}

#[expect(clippy::indexing_slicing, reason = "a wrong place does not compile")]
#[expect(clippy::large_stack_arrays, reason = "it is made while the crate is compiled")]
const fn indexed() -> Index {
    let mut index = Index {
        programs: [0; SIZES.programs],
        entries: [Entry { name: 0, program: 0, before: NONE }; SIZES.names],
        beginnings: [(0, 0); SIZES.beginnings],
        last: [NONE; SLOTS],
    };
    let mut writer = Writer::<0, 0>::new();
    let (mut programs, mut names, mut beginnings) = (0, 0, 0);
    each_program!(program => {
        index.programs[programs] = (writer.length as u64 & 0xffff_ffff) as u32;
        let mut at = writer.length + write::number_length(program.names.len());
        let mut left = program.names;
        while let [name, rest @ ..] = left {
            let number = (names as u64 & 0xffff) as u16;
            let last = &mut index.last[slot(name.as_bytes())];
            index.entries[names] =
                Entry { name: (at as u64 & 0xffff_ffff) as u32, program: (programs as u64 & 0xffff) as u16, before: *last };
            *last = number;
            if is_beginning(name) {
                index.beginnings[beginnings] = (name.as_bytes()[0], number);
                beginnings += 1;
            }
            at += write::number_length(name.len()) + name.len();
            names += 1;
            left = rest;
        }
        writer.program(program);
        programs += 1;
    });
    index
}

#[cfg(test)]
mod tests {
    use super::super::FAMILIES;
    use super::{beginning, named, names};

    #[test]
    fn every_program_is_read_back_as_it_was_written() {
        for program in FAMILIES.iter().flat_map(|family| family.iter()) {
            for name in program.names {
                assert_eq!(format!("{:?}", named(name)), format!("{:?}", Some(program)), "{name}");
            }
        }
    }

    #[test]
    fn all_names_are_listed() {
        let described = FAMILIES.iter().flat_map(|family| family.iter()).flat_map(|program| program.names);
        assert!(names().eq(described.copied()));
    }

    #[test]
    fn beginnings_are_found() {
        assert!(beginning("mkfs.of-anything").is_some_and(|program| program.names.contains(&"mkfs.*")));
        assert!(named("mkfs.of-anything").is_none() && beginning("no-such-program").is_none());
    }
}
