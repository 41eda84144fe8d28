//! What is to be done to the workspace, in both directions.
//!
//! A plan says for every path what stands there before and after. Keeping makes the workspace what comes after, undoing and
//! rolling back make it what came before: one procedure, run to either [`Side`], as often as need be.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use super::beneath::{Hashing, Root};
use super::codec::Record;
use super::compare::{Comparison, same_content};
use super::error::{Doing, Error, Result};
use super::node::{Content, Node, Shape, Stamp};
use super::snapshot::Snapshot;
use super::view::Source;

/// Every path that is touched, parents before what is in them.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) entries: Vec<Entry>,
    /// The name under which things are made before they get their own. Nobody can guess it.
    pub(crate) part: OsString,
    /// Directories that others worked in meanwhile: their times are not turned back.
    pub(crate) lively: BTreeSet<PathBuf>,
}

/// One path.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<Node>,
    pub(crate) after: Option<Node>,
    /// The very same file or directory stands there on both sides; only its mode, times and attributes may differ.
    pub(crate) stays: bool,
    /// Where the bytes that come after are.
    pub(crate) bytes: Option<(Source, Stamp)>,
}

/// Which state the workspace is to be brought to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Side {
    After,
    Before,
}

impl Entry {
    pub(crate) fn node(&self, side: Side) -> Option<&Node> {
        match side {
            Side::After => self.after.as_ref(),
            Side::Before => self.before.as_ref(),
        }
    }
}

impl Plan {
    /// Plans what a comparison found. Parents are in it even where nothing happened to them, because working in them
    /// changes their times.
    pub(crate) fn draft(comparison: &Comparison, snapshot: &Snapshot, lower: &Root) -> Result<Self> {
        let mut entries = BTreeMap::new();
        for change in &comparison.changes {
            refuse_devices(&change.path, change.before.as_ref())?;
            let entry = Entry {
                path: change.path.clone(),
                before: change.before.clone(),
                after: change.kept.clone(),
                stays: false,
                bytes: change.source.clone(),
            };
            entries.insert(change.path.clone(), entry);
        }
        for change in &comparison.changes {
            let Some(parent) = change.path.parent() else { continue };
            if !entries.contains_key(parent)
                && let Some(stamp) = snapshot.stamp(parent)
            {
                let node = lower.node(parent, stamp, Hashing::Skip).doing("read", parent)?;
                let (before, after) = (Some(node.clone()), Some(node));
                let entry = Entry { path: parent.to_owned(), before, after, stays: true, bytes: None };
                entries.insert(parent.to_owned(), entry);
            }
        }
        let part = format!(".herm-{:016x}.part", RandomState::new().hash_one(std::process::id()));
        let mut plan =
            Self { entries: entries.into_values().collect(), part: part.into(), lively: BTreeSet::new() };
        plan.settle();
        Ok(plan)
    }

    /// Decides which entries stay in place. Two names that stay must share a file on both sides or on neither, or else one
    /// of them has to be made anew.
    fn settle(&mut self) {
        let mut pairs: (BTreeMap<u64, Option<u64>>, BTreeMap<u64, Option<u64>>) = Default::default();
        for entry in &mut self.entries {
            let (Some(before), Some(after)) = (&entry.before, &entry.after) else { continue };
            if !same_content(&before.content, &after.content) {
                continue;
            }
            entry.stays = match (before.links, after.links) {
                (None, None) => true,
                (old, new) => {
                    let agrees =
                        |map: &mut BTreeMap<u64, Option<u64>>, key: Option<u64>, value: Option<u64>| {
                            key.is_none_or(|key| match (map.get(&key), value) {
                                (None, _) => true,
                                (Some(known), value) => *known == value && value.is_some(),
                            })
                        };
                    let is_free = agrees(&mut pairs.0, old, new) && agrees(&mut pairs.1, new, old);
                    if is_free {
                        old.map(|old| pairs.0.insert(old, new));
                        new.map(|new| pairs.1.insert(new, old));
                    }
                    is_free
                }
            };
        }
    }

    /// The entries whose file has to be made from its bytes; the others stay or are further names of one that is there.
    pub(crate) fn made(&self, side: Side) -> BTreeSet<usize> {
        let links = |entry: &Entry| entry.node(side).and_then(|node| node.links);
        let mut there: BTreeSet<u64> =
            self.entries.iter().filter(|entry| entry.stays).filter_map(links).collect();
        let mut made = BTreeSet::new();
        for (place, entry) in self.entries.iter().enumerate().filter(|(_, entry)| !entry.stays) {
            let is_file = entry.node(side).is_some_and(|node| node.content.shape() == Shape::File);
            if is_file && links(entry).is_none_or(|number| there.insert(number)) {
                made.insert(place);
            }
        }
        made
    }

    /// Under which place the bytes are that an entry had before: its own, or that of another name of the same file.
    pub(crate) fn aside(&self, place: usize, made: &BTreeSet<usize>) -> Option<usize> {
        if made.contains(&place) {
            return Some(place);
        }
        let number = |place: usize| self.entries.get(place)?.before.as_ref()?.links;
        let wanted = number(place)?;
        made.iter().copied().find(|other| number(*other) == Some(wanted))
    }

    pub(crate) fn paths(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.entries.iter().map(|entry| entry.path.as_path())
    }

    pub(crate) fn place(&self, path: &Path) -> Option<usize> {
        self.entries.binary_search_by(|entry| entry.path.as_path().cmp(path)).ok()
    }

    pub(crate) fn entry(&self, path: &Path) -> Option<&Entry> {
        self.entries.get(self.place(path)?)
    }

    /// What stands in directories that have to go, and that the plan knows nothing about.
    pub(crate) fn strays(&self, root: &Root, side: Side) -> Result<Vec<PathBuf>> {
        let is_directory = |node: Option<&Node>| node.is_some_and(|node| node.content == Content::Directory);
        let other = if side == Side::After { Side::Before } else { Side::After };
        let mut strays = Vec::new();
        for entry in &self.entries {
            if !is_directory(entry.node(other)) || is_directory(entry.node(side)) {
                continue;
            }
            let names = match root.names(&entry.path) {
                Err(error) if super::beneath::is_missing(&error) => continue,
                answer => answer.doing("read", &entry.path)?,
            };
            let paths = names.into_iter().map(|name| entry.path.join(name));
            strays.extend(
                paths.filter(|path| self.entry(path).is_none_or(|entry| entry.node(other).is_none())),
            );
        }
        Ok(strays)
    }
}

/// A device cannot be made again without being root, and nobody knows what it is there for.
fn refuse_devices(path: &Path, before: Option<&Node>) -> Result<()> {
    match before.map(|node| &node.content) {
        Some(Content::Special(Shape::Device)) => {
            Err(Error::Unfit { path: path.to_owned(), what: "a device, which could not be brought back" })
        }
        Some(Content::Directory | Content::File { .. } | Content::Special(_) | Content::Symlink(_))
        | None => Ok(()),
    }
}

impl Record for Source {
    fn write(&self, out: &mut Vec<u8>) {
        let (is_upper, path) = match self {
            Self::Lower(path) => (false, path),
            Self::Upper(path) => (true, path),
        };
        is_upper.write(out);
        path.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let is_upper = bool::read(input)?;
        let path = PathBuf::read(input)?;
        Some(if is_upper { Self::Upper(path) } else { Self::Lower(path) })
    }
}

impl Record for Entry {
    fn write(&self, out: &mut Vec<u8>) {
        self.path.write(out);
        self.before.write(out);
        self.after.write(out);
        self.stays.write(out);
        self.bytes.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(Self {
            path: PathBuf::read(input)?,
            before: Option::read(input)?,
            after: Option::read(input)?,
            stays: bool::read(input)?,
            bytes: Option::read(input)?,
        })
    }
}

impl Record for Plan {
    fn write(&self, out: &mut Vec<u8>) {
        self.entries.write(out);
        self.part.write(out);
        (self.lively.len() as u64).write(out);
        for path in &self.lively {
            path.write(out);
        }
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let entries = Vec::read(input)?;
        let part = OsString::read(input)?;
        let lively = Vec::read(input)?;
        Some(Self { entries, part, lively: lively.into_iter().collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{Attributes, Digest, Owner, Time};
    use super::*;

    fn node(mode: u32, digest: u8, links: Option<u64>) -> Node {
        Node {
            content: Content::File { size: 1, digest: Some(Digest([digest; 32])) },
            mode,
            modified: Time { seconds: 0, nanoseconds: 0 },
            owner: Owner { user: 5, group: 5 },
            attributes: Attributes::new(),
            links,
        }
    }

    fn entry(path: &str, before: Option<Node>, after: Option<Node>) -> Entry {
        Entry { path: path.into(), before, after, stays: false, bytes: None }
    }

    fn settled(entries: Vec<Entry>) -> Plan {
        let mut plan = Plan { entries, part: "p".into(), lively: BTreeSet::new() };
        plan.settle();
        plan
    }

    fn made(plan: &Plan, side: Side) -> Vec<usize> {
        plan.made(side).into_iter().collect()
    }

    #[test]
    fn a_new_name_for_a_file_leaves_the_file_where_it_is() {
        let plan = settled(vec![
            entry("a", Some(node(0o644, 1, None)), Some(node(0o644, 1, Some(9)))),
            entry("b", None, Some(node(0o644, 1, Some(9)))),
        ]);
        assert!(plan.entries[0].stays && !plan.entries[1].stays);
        assert!(made(&plan, Side::After).is_empty() && made(&plan, Side::Before).is_empty());
    }

    #[test]
    fn of_two_files_that_become_one_the_second_is_made_anew_on_the_way_back() {
        let joined = || Some(node(0o644, 1, Some(9)));
        let plan = settled(vec![
            entry("a", Some(node(0o644, 1, None)), joined()),
            entry("b", Some(node(0o644, 1, None)), joined()),
        ]);
        assert_eq!([plan.entries[0].stays, plan.entries[1].stays], [true, false]);
        assert_eq!((made(&plan, Side::After), made(&plan, Side::Before)), (vec![], vec![1]));
    }

    #[test]
    fn a_file_that_comes_apart_keeps_one_of_its_names() {
        let plan = settled(vec![
            entry("a", Some(node(0o644, 1, Some(4))), Some(node(0o644, 2, None))),
            entry("b", Some(node(0o644, 1, Some(4))), Some(node(0o644, 1, None))),
        ]);
        assert_eq!([plan.entries[0].stays, plan.entries[1].stays], [false, true]);
        assert_eq!((made(&plan, Side::After), made(&plan, Side::Before)), (vec![0], vec![]));
    }

    #[test]
    fn a_file_whose_names_all_stay_together_stays() {
        let pair = || (Some(node(0o644, 1, Some(4))), Some(node(0o600, 1, Some(8))));
        let plan = settled(vec![entry("a", pair().0, pair().1), entry("b", pair().0, pair().1)]);
        assert!(plan.entries.iter().all(|entry| entry.stays));
    }
}
