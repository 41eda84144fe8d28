//! What a run changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::beneath::{Hashing, Root};
use super::error::{Doing, Result};
use super::node::{Content, Digest, Node, Shape, Stamp, Time};
use super::rights::{self, Right};
use super::snapshot::Snapshot;
use super::view::{Seen, Source, View, numbered};

/// Everything that a run changed, by path.
#[derive(Debug)]
pub struct Comparison {
    /// What changed, in the order of paths.
    pub changes: Vec<Change>,
    /// What the run made and keeping leaves out: pipes, sockets, devices.
    pub left_out: Vec<(PathBuf, Shape)>,
    /// What must be known about rights before it is kept.
    pub rights: Vec<(PathBuf, Right)>,
}

/// One path that is not as it was.
#[derive(Clone, Debug)]
pub struct Change {
    /// Relative to the workspace; empty for the workspace itself.
    pub path: PathBuf,
    /// What happened to it.
    pub kind: Kind,
    /// What stood there before.
    pub before: Option<Node>,
    /// What stands there now.
    pub after: Option<Node>,
    /// Where it was before, if it was renamed.
    pub from: Option<PathBuf>,
    /// Where its bytes are, and the stamp they had when they were looked at.
    pub(crate) source: Option<(Source, Stamp)>,
    /// What will stand there if it is kept.
    pub(crate) kept: Option<Node>,
}

/// What happened to a path. What comes later says less: a file that has new bytes and a new mode has `Changed`.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Kind {
    /// Nothing stood there before.
    Created,
    /// Nothing stands there now.
    Deleted,
    /// Something of another kind stands there: a link in place of a file.
    Retyped,
    /// Other bytes, or a link that leads elsewhere.
    Changed,
    /// Other permissions only.
    ModeChanged,
    /// Other extended attributes only.
    AttributesChanged,
    /// The same bytes, but other names share them.
    Relinked,
    /// Only the time of the last change.
    Touched,
}

impl Kind {
    /// One word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Deleted => "deleted",
            Self::Retyped => "retyped",
            Self::Changed => "changed",
            Self::ModeChanged => "mode-changed",
            Self::AttributesChanged => "attributes-changed",
            Self::Relinked => "relinked",
            Self::Touched => "touched",
        }
    }
}

/// Compares how the workspace was with how it looks now.
pub(crate) fn compare(snapshot: &Snapshot, view: &View, lower: &Root, upper: &Root) -> Result<Comparison> {
    let comparer = Comparer { snapshot, view, lower, upper, links: numbered(snapshot.tree.linked()) };
    let relinked = relinked(&comparer.links, &view.links);
    let paths: BTreeSet<&PathBuf> = view.seen.keys().chain(&view.gone).chain(&relinked).collect();
    let mut comparison = Comparison { changes: Vec::new(), left_out: Vec::new(), rights: Vec::new() };
    for path in paths {
        let mut seen = comparer.seen(path);
        if let Some(special) = seen.as_ref().map(|seen| seen.stamp.shape).filter(|shape| is_special(*shape)) {
            let was = snapshot.stamp(path);
            if was.is_some_and(|was| was.shape == special) {
                continue;
            }
            comparison.left_out.push((path.clone(), special));
            seen = None;
        }
        comparison.changes.extend(comparer.change(path, seen, relinked.contains(path))?);
    }
    find_renames(&mut comparison.changes, lower);
    comparison.rights = rights::settle(&mut comparison.changes, snapshot, lower)?;
    Ok(comparison)
}

fn is_special(shape: Shape) -> bool {
    matches!(shape, Shape::Device | Shape::Fifo | Shape::Socket)
}

struct Comparer<'a> {
    snapshot: &'a Snapshot,
    view: &'a View,
    lower: &'a Root,
    upper: &'a Root,
    /// The files with several names before.
    links: BTreeMap<PathBuf, u64>,
}

impl Comparer<'_> {
    /// What stands at a path now; what was not looked at is as it was.
    fn seen(&self, path: &Path) -> Option<Seen> {
        if self.view.gone.contains(path) {
            return None;
        }
        let untouched = || {
            let stamp = *self.snapshot.stamp(path)?;
            Some(Seen { stamp, source: Source::Lower(path.to_owned()) })
        };
        self.view.seen.get(path).cloned().or_else(untouched)
    }

    fn change(&self, path: &Path, seen: Option<Seen>, is_relinked: bool) -> Result<Option<Change>> {
        let stamp = self.snapshot.stamp(path);
        let hashing = hashing(path, stamp, seen.as_ref());
        // What may not be read is put aside unread, and counts as changed where something else stands in its place.
        let read = |stamp| match self.lower.node(path, stamp, hashing) {
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                self.lower.node(path, stamp, Hashing::Skip)
            }
            answer => answer,
        };
        let read = |stamp| read(stamp).doing("read", path);
        let mut before = stamp.map(read).transpose()?;
        let mut after = seen.as_ref().map(|seen| self.node(path, seen, hashing)).transpose()?;
        if let Some(before) = &mut before {
            before.links = self.links.get(path).copied();
        }
        if let Some(after) = &mut after {
            after.links = self.view.links.get(path).copied();
        }
        let Some(kind) = kind(before.as_ref(), after.as_ref(), is_relinked) else { return Ok(None) };
        let moved = self.view.moved.get(path).filter(|_| kind == Kind::Created);
        let from = moved.filter(|from| self.is_only_renamed(from, seen.as_ref(), after.as_ref())).cloned();
        let source = seen.map(|seen| (seen.source, seen.stamp));
        Ok(Some(Change { path: path.to_owned(), kind, before, after, from, source, kept: None }))
    }

    /// Whether something still holds what it held under its old name: whoever renames a file may have written to it, too, and could give it
    /// its old size and time again.
    fn is_only_renamed(&self, from: &Path, seen: Option<&Seen>, after: Option<&Node>) -> bool {
        let (Some(seen), Some(after)) = (seen, after) else { return false };
        let read = |stamp| self.lower.node(from, stamp, Hashing::Bytes).ok();
        matches!(seen.source, Source::Lower(_))
            || self
                .snapshot
                .stamp(from)
                .and_then(read)
                .is_some_and(|before| same_content(&before.content, &after.content))
    }

    /// What the run wrote is always hashed, so that what is kept is what was shown.
    fn node(&self, path: &Path, seen: &Seen, hashing: Hashing) -> Result<Node> {
        match &seen.source {
            Source::Lower(origin) => self.lower.node(origin, &seen.stamp, hashing),
            Source::Upper(origin) => self.upper.node(origin, &seen.stamp, Hashing::Bytes),
        }
        .doing("read", path)
    }
}

/// Files of the workspace are hashed where another file stands in their place.
fn hashing(path: &Path, before: Option<&Stamp>, seen: Option<&Seen>) -> Hashing {
    let is_compared = before.is_some_and(|before| before.shape == Shape::File)
        && seen.is_some_and(|seen| {
            seen.stamp.shape == Shape::File && seen.source != Source::Lower(path.to_owned())
        });
    if is_compared { Hashing::Bytes } else { Hashing::Skip }
}

fn kind(before: Option<&Node>, after: Option<&Node>, is_relinked: bool) -> Option<Kind> {
    let (before, after) = match (before, after) {
        (None, None) => return None,
        (None, Some(_)) => return Some(Kind::Created),
        (Some(_), None) => return Some(Kind::Deleted),
        (Some(before), Some(after)) => (before, after),
    };
    let kinds = [
        (before.content.shape() != after.content.shape(), Kind::Retyped),
        (!same_content(&before.content, &after.content), Kind::Changed),
        // A symbolic link has no permissions of its own.
        (before.mode != after.mode && after.content.shape() != Shape::Symlink, Kind::ModeChanged),
        (before.attributes != after.attributes, Kind::AttributesChanged),
        (is_relinked, Kind::Relinked),
        (before.modified != after.modified, Kind::Touched),
    ];
    kinds.into_iter().find(|(is_so, _)| *is_so).map(|(_, kind)| kind)
}

/// What else happened to something that was renamed.
pub(crate) fn besides(old: &Node, new: &Node) -> Option<Kind> {
    if old.mode != new.mode && new.content.shape() != Shape::Symlink {
        Some(Kind::ModeChanged)
    } else if old.attributes != new.attributes {
        Some(Kind::AttributesChanged)
    } else {
        None
    }
}

/// Whether bytes are surely the same. Files too long to hash are not; files that were not touched have no hashes on
/// either side.
pub(crate) fn same_content(before: &Content, after: &Content) -> bool {
    match (before, after) {
        (Content::File { size: a, digest: one }, Content::File { size: b, digest: other }) => {
            a == b && one == other && (one.is_some() || *a <= super::beneath::HASHED)
        }
        (Content::Directory | Content::File { .. } | Content::Special(_) | Content::Symlink(_), _) => {
            before == after
        }
    }
}

/// Names whose file has other names than before.
fn relinked(before: &BTreeMap<PathBuf, u64>, after: &BTreeMap<PathBuf, u64>) -> BTreeSet<PathBuf> {
    let (old, new) = (groups(before), groups(after));
    let names = before.keys().chain(after.keys());
    let fellows =
        |path: &PathBuf, links: &BTreeMap<PathBuf, u64>, groups: &BTreeMap<u64, BTreeSet<PathBuf>>| {
            links.get(path).and_then(|number| groups.get(number)).cloned()
        };
    names.filter(|path| fellows(path, before, &old) != fellows(path, after, &new)).cloned().collect()
}

fn groups(links: &BTreeMap<PathBuf, u64>) -> BTreeMap<u64, BTreeSet<PathBuf>> {
    let mut groups: BTreeMap<u64, BTreeSet<PathBuf>> = BTreeMap::new();
    for (path, number) in links {
        groups.entry(*number).or_default().insert(path.clone());
    }
    groups
}

/// Longer files are not read only to call two changes one.
const RENAMED: u64 = 64 << 20;

/// Finds files that were renamed one by one: renaming keeps the time, so only files that agree in it are read.
fn find_renames(changes: &mut [Change], lower: &Root) {
    let known: BTreeSet<PathBuf> = changes.iter().filter_map(|change| change.from.clone()).collect();
    let mut deleted: BTreeMap<_, Vec<PathBuf>> = BTreeMap::new();
    for change in
        changes.iter().filter(|change| change.kind == Kind::Deleted && !known.contains(&change.path))
    {
        if let Some(key) = change.before.as_ref().and_then(size_and_time) {
            deleted.entry(key).or_default().push(change.path.clone());
        }
    }
    for change in changes.iter_mut().filter(|change| change.kind == Kind::Created && change.from.is_none()) {
        let Some(candidates) =
            change.after.as_ref().and_then(size_and_time).and_then(|key| deleted.get_mut(&key))
        else {
            continue;
        };
        let found = candidates.iter().position(|path| has_bytes(lower, path, change.after.as_ref()));
        change.from = found.map(|place| candidates.swap_remove(place));
    }
}

fn size_and_time(node: &Node) -> Option<(u64, Time)> {
    match node.content {
        Content::File { size, .. } if size > 0 && size <= RENAMED => Some((size, node.modified)),
        Content::Directory | Content::File { .. } | Content::Special(_) | Content::Symlink(_) => None,
    }
}

fn has_bytes(lower: &Root, path: &Path, node: Option<&Node>) -> bool {
    let Some(Content::File { digest: Some(wanted), .. }) = node.map(|node| &node.content) else {
        return false;
    };
    lower.file(path).and_then(Digest::of).is_ok_and(|(_, digest)| digest == *wanted)
}
