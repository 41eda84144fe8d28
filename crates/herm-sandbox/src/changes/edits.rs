//! What taking a run back would lose, ready to be shown: bounded, in order, with nothing in it that a terminal obeys.

use std::io::Read;
use std::path::Path;

use super::attempt::{read_at_most, store};
use super::beneath::{HASHED, Hashing, is_missing};
use super::compare::Kind;
use super::diff::{Diff, LONGEST, diff};
use super::error::{Doing, Result};
use super::name::safe;
use super::node::{Content, Digest, Node, Time};
use super::summary::{Item, SHOWN, Side, side, size};
use super::tries::Tries;
use super::undo::Run;
use super::view::Source;

/// What was edited after a run was kept.
#[derive(Debug)]
pub struct Edits {
    /// From what the run left to what is there now, in the order of paths.
    pub items: Vec<Item>,
    /// How many more paths were edited.
    pub more: usize,
}

/// More paths are not looked into.
const MOST: usize = 1_000;

impl Tries {
    /// What was edited after the run `id` was kept and stands in the way of taking it back.
    ///
    /// # Errors
    /// When there is no such run, or something cannot be read.
    pub fn edits(&self, id: &str) -> Result<Edits> {
        let run = Run::load(self, id)?;
        let edited = run.edited()?;
        let mut room = Room { shown: SHOWN, hashed: HASHED };
        let items = edited.iter().take(MOST).map(|path| run.item(path, &mut room)).collect::<Result<_>>()?;
        Ok(Edits { items, more: edited.len().saturating_sub(MOST) })
    }
}

/// How many bytes may still be read, all paths together.
struct Room {
    shown: u64,
    hashed: u64,
}

/// The bytes on one side of an edit.
enum Bytes {
    /// All of them; none where there is no file.
    Known(Vec<u8>),
    /// They are nowhere any more, or cannot be read.
    Lost,
    /// There are too many of them.
    Many,
}

impl Run {
    fn item(&self, path: &Path, room: &mut Room) -> Result<Item> {
        let (left, now) = (self.left(path), self.found(path)?);
        let sizes = [left, now.as_ref()].map(|node| node.and_then(size));
        let (old, new) = if takes(sizes, &mut room.shown) {
            (self.bytes_left(path, left), self.bytes_found(path, now.as_ref()))
        } else {
            (Bytes::Many, Bytes::Many)
        };
        let is_about_bytes = sizes.iter().any(Option::is_some);
        let diff = if is_about_bytes { difference(&old, &new) } else { None };
        let (mut before, mut after) = (left.map(side), now.as_ref().map(side));
        if !matches!(diff, Some(Diff::Text(_))) {
            if let (Some(before), Bytes::Known(bytes), Some(_)) = (&mut before, &old, sizes[0]) {
                before.digest = digest(&bytes[..]);
            }
            if let (Some(after), Some(size)) = (&mut after, sizes[1]) {
                after.digest = self.digest(path, &new, size, room);
            }
        }
        let is_other = match (&old, &new) {
            (Bytes::Known(old), Bytes::Known(new)) => old != new,
            _ => differ(before.as_ref(), after.as_ref())
                .unwrap_or_else(|| left.map(stamp) != now.as_ref().map(stamp)),
        };
        let kind = kind(left, now.as_ref(), is_other);
        let diff = diff.filter(|_| is_told(kind));
        Ok(Item { path: safe(path), kind, from: None, besides: None, before, after, within: 0, diff })
    }

    /// What the run left at a path.
    fn left(&self, path: &Path) -> Option<&Node> {
        self.plan.entry(path)?.after.as_ref()
    }

    /// What stands at a path now.
    fn found(&self, path: &Path) -> Result<Option<Node>> {
        let Some(stamp) = self.root.stamp(path).doing("look at", path)? else { return Ok(None) };
        match self.root.node(path, &stamp, Hashing::Skip) {
            Err(error) if is_missing(&error) => Ok(None),
            answer => answer.doing("read", path).map(Some),
        }
    }

    fn bytes_found(&self, path: &Path, node: Option<&Node>) -> Bytes {
        if node.and_then(size).is_none() {
            return Bytes::Known(Vec::new());
        }
        let read = self.root.file(path).and_then(|file| read_at_most(&file, LONGEST));
        read.map_or(Bytes::Lost, |bytes| bytes.map_or(Bytes::Many, Bytes::Known))
    }

    fn bytes_left(&self, path: &Path, node: Option<&Node>) -> Bytes {
        if node.and_then(size).is_none() {
            return Bytes::Known(Vec::new());
        }
        self.written(path).map_or(Bytes::Lost, Bytes::Known)
    }

    /// What the run wrote. Of a copy that is kept by the place in the plan.
    fn written(&self, path: &Path) -> Option<Vec<u8>> {
        let place = self.plan.entries.iter().position(|entry| entry.path == path)?;
        let Some((Source::Upper(source), _)) = &self.plan.entries.get(place)?.bytes else { return None };
        let upper = store(&self.directory, self.about.is_copy).ok()?.upper;
        let source = if self.about.is_copy { place.to_string().into() } else { source.clone() };
        read_at_most(&upper.file(&source).ok()?, LONGEST).ok().flatten()
    }

    /// The hash of what is not shown. What becomes longer while it is read has none.
    fn digest(&self, path: &Path, bytes: &Bytes, size: u64, room: &mut Room) -> Option<String> {
        if let Bytes::Known(bytes) = bytes {
            return digest(&bytes[..]);
        }
        room.hashed = room.hashed.checked_sub(size)?;
        let file = self.root.file(path).ok()?;
        let (read, digest) = Digest::of(file.take(size.saturating_add(1))).ok()?;
        (read == size).then(|| digest.to_string())
    }
}

fn digest(bytes: &[u8]) -> Option<String> {
    Digest::of(bytes).ok().map(|(_, digest)| digest.to_string())
}

/// Whether both sides may be read, which counts them.
fn takes(sizes: [Option<u64>; 2], room: &mut u64) -> bool {
    let [old, new] = sizes.map(Option::unwrap_or_default);
    let left = room.checked_sub(old.saturating_add(new)).filter(|_| old.max(new) <= LONGEST);
    *room = left.unwrap_or(*room);
    left.is_some()
}

/// What differs, where it can be said.
fn difference(old: &Bytes, new: &Bytes) -> Option<Diff> {
    match (old, new) {
        (Bytes::Known(old), Bytes::Known(new)) => Some(diff(old, new)),
        (Bytes::Lost, _) | (_, Bytes::Lost) => None,
        (Bytes::Many, _) | (_, Bytes::Many) => Some(Diff::Long),
    }
}

/// Whether hashes tell the bytes of two sides apart, where both are known.
fn differ(before: Option<&Side>, after: Option<&Side>) -> Option<bool> {
    let (before, after) = (before?.digest.as_ref()?, after?.digest.as_ref()?);
    Some(before != after)
}

/// What tells bytes apart that nobody has any more.
fn stamp(node: &Node) -> (Option<u64>, Time) {
    (size(node), node.modified)
}

fn kind(left: Option<&Node>, now: Option<&Node>, is_other: bool) -> Kind {
    let (left, now) = match (left, now) {
        (None, _) => return Kind::Created,
        (Some(_), None) => return Kind::Deleted,
        (Some(left), Some(now)) => (left, now),
    };
    match (&left.content, &now.content) {
        (left, now) if left.shape() != now.shape() => Kind::Retyped,
        (Content::File { .. }, _) if is_other => Kind::Changed,
        (Content::Symlink(left), Content::Symlink(now)) if left != now => Kind::Changed,
        _ if left.mode != now.mode => Kind::ModeChanged,
        _ if left.attributes != now.attributes => Kind::AttributesChanged,
        _ => Kind::Touched,
    }
}

/// Whether bytes differ, and not only what is said about them.
fn is_told(kind: Kind) -> bool {
    match kind {
        Kind::Created | Kind::Deleted | Kind::Retyped | Kind::Changed => true,
        Kind::ModeChanged | Kind::AttributesChanged | Kind::Relinked | Kind::Touched => false,
    }
}
