//! What a run changed, ready to be shown: bounded, in order, with nothing in it that a terminal obeys.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::attempt::Try;
use super::compare::{Change, Comparison, Kind, besides};
use super::diff::{Diff, Hunk, LONGEST, Line, diff};
use super::error::Result;
use super::name::safe;
use super::node::{Content, Node, Shape};
use super::overlay::Lack;
use super::plan;
use super::rights::Right;

/// What a run changed.
#[derive(Debug)]
pub struct Summary {
    /// What is worth a line, in the order of paths. What a directory took with it when it was renamed or deleted is not.
    pub items: Vec<Item>,
    /// How many paths of each kind there are in all.
    pub counts: Counts,
    /// What the run made and keeping leaves out, and what it is.
    pub left_out: Vec<(String, &'static str)>,
    /// Names that were one file and are several now, because the ground of the try could not hold them together.
    pub apart: Vec<String>,
    /// What must be known about rights before it is kept.
    pub rights: Vec<(String, Right)>,
}

/// How many paths changed, and how.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Counts {
    /// Were not there before.
    pub created: usize,
    /// Have other contents, or are of another kind.
    pub changed: usize,
    /// Are not there any more.
    pub deleted: usize,
    /// Have other permissions, attributes or names only.
    pub mode_changed: usize,
    /// Were renamed; these are not counted as created and deleted.
    pub renamed: usize,
    /// Have another time only.
    pub touched: usize,
}

/// A line of a summary.
#[derive(Debug)]
pub struct Item {
    /// The path, safe to show.
    pub path: String,
    /// What happened to it.
    pub kind: Kind,
    /// Where it was before, if it was renamed.
    pub from: Option<String>,
    /// What else happened to it, if it was renamed.
    pub besides: Option<Kind>,
    /// What was there; under its old name, if it was renamed.
    pub before: Option<Side>,
    /// What is there.
    pub after: Option<Side>,
    /// How many paths a directory took with it.
    pub within: usize,
    /// What became of the bytes.
    pub diff: Option<Diff>,
}

/// What is there before or after.
#[derive(Clone, Debug)]
pub struct Side {
    /// What it is.
    pub shape: Shape,
    /// Its permissions.
    pub mode: u32,
    /// How long a file is.
    pub size: Option<u64>,
    /// The hash of a file's bytes, where it was needed.
    pub digest: Option<String>,
    /// Where a symbolic link leads.
    pub target: Option<String>,
}

/// More bytes are not read for diffs, all together.
pub(super) const SHOWN: u64 = 16 << 20;

impl Summary {
    /// Sums a comparison up. Diffs are made as long as they are not too many.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn new(attempt: &Try, comparison: &Comparison) -> Result<Self> {
        let origins = origins(comparison);
        let mut summary = Self {
            items: Vec::new(),
            counts: counts(comparison, &origins),
            left_out: comparison.left_out.iter().map(|(path, shape)| (safe(path), shape.as_str())).collect(),
            apart: apart(attempt, comparison),
            rights: comparison.rights.iter().map(|(path, right)| (safe(path), *right)).collect(),
        };
        let mut budget = SHOWN;
        let mut within: Option<(PathBuf, usize)> = None;
        for change in &comparison.changes {
            if change.kind == Kind::Touched || is_old_name(change, &origins) {
                continue;
            }
            if let Some((top, place)) = &within
                && change.path.starts_with(top)
                && goes_along(change, top, comparison)
            {
                if let Some(item) = summary.items.get_mut(*place) {
                    item.within += 1;
                }
                continue;
            }
            let old = renamed(change, comparison);
            let item = Item {
                path: safe(&change.path),
                kind: change.kind,
                from: change.from.as_deref().map(safe),
                besides: old.zip(change.kept.as_ref()).and_then(|(old, new)| besides(old, new)),
                before: change.before.as_ref().or(old).map(side),
                after: change.kept.as_ref().map(side),
                within: 0,
                diff: difference(attempt, change, &mut budget)?,
            };
            within = takes_along(change).then(|| (change.path.clone(), summary.items.len()));
            summary.items.push(item);
        }
        Ok(summary)
    }

    /// All of it, for programs.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let left_out = self.left_out.iter().map(|(path, shape)| json!({ "path": path, "shape": shape }));
        let rights = self.rights.iter().map(|(path, right)| json!({ "path": path, "what": right.as_str() }));
        json!({
            "changes": self.items.iter().map(Item::to_json).collect::<Vec<_>>(),
            "counts": {
                "created": self.counts.created,
                "changed": self.counts.changed,
                "deleted": self.counts.deleted,
                "mode_changed": self.counts.mode_changed,
                "renamed": self.counts.renamed,
                "touched": self.counts.touched,
            },
            "left_out": left_out.collect::<Vec<_>>(),
            "apart": self.apart,
            "rights": rights.collect::<Vec<_>>(),
        })
    }
}

impl Item {
    /// All of it, for programs.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "path": self.path,
            "kind": if self.from.is_some() { "renamed" } else { self.kind.as_str() },
            "from": self.from,
            "besides": self.besides.map(Kind::as_str),
            "before": self.before.as_ref().map(Side::to_json),
            "after": self.after.as_ref().map(Side::to_json),
            "within": self.within,
            "diff": self.diff.as_ref().map(diff_json),
        })
    }
}

impl Side {
    fn to_json(&self) -> Value {
        json!({
            "shape": self.shape.as_str(),
            "mode": format!("{:04o}", self.mode),
            "size": self.size,
            "sha256": self.digest,
            "target": self.target,
        })
    }
}

fn diff_json(diff: &Diff) -> Value {
    match diff {
        Diff::Binary => json!({ "binary": true }),
        Diff::Long => json!({ "long": true }),
        Diff::Text(hunks) => json!({ "hunks": hunks.iter().map(hunk_json).collect::<Vec<_>>() }),
    }
}

fn hunk_json(hunk: &Hunk) -> Value {
    let lines = hunk.lines.iter().map(Line::to_string);
    json!({
        "before": { "line": hunk.before.0, "count": hunk.before.1 },
        "after": { "line": hunk.after.0, "count": hunk.after.1 },
        "lines": lines.collect::<Vec<_>>(),
    })
}

/// On a copy names come apart only where the command itself parts them, which is a change as any other.
fn apart(attempt: &Try, comparison: &Comparison) -> Vec<String> {
    let apart = if attempt.lacks().contains(&Lack::HardLinks) { comparison.apart() } else { Vec::new() };
    apart.into_iter().map(safe).collect()
}

/// Old names of what was renamed.
fn origins(comparison: &Comparison) -> BTreeMap<&Path, &Path> {
    let renamed = comparison.changes.iter();
    renamed.filter_map(|change| Some((change.from.as_deref()?, change.path.as_path()))).collect()
}

fn is_old_name(change: &Change, origins: &BTreeMap<&Path, &Path>) -> bool {
    change.kind == Kind::Deleted && origins.contains_key(change.path.as_path())
}

fn counts(comparison: &Comparison, origins: &BTreeMap<&Path, &Path>) -> Counts {
    let mut counts = Counts::default();
    for change in comparison.changes.iter().filter(|change| !is_old_name(change, origins)) {
        let count = match change.kind {
            Kind::Created if change.from.is_some() => &mut counts.renamed,
            Kind::Created => &mut counts.created,
            Kind::Deleted => &mut counts.deleted,
            Kind::Retyped | Kind::Changed => &mut counts.changed,
            Kind::ModeChanged | Kind::AttributesChanged | Kind::Relinked => &mut counts.mode_changed,
            Kind::Touched => &mut counts.touched,
        };
        *count += 1;
    }
    counts
}

/// A directory that was deleted or renamed speaks for all that was in it.
fn takes_along(change: &Change) -> bool {
    let is_directory =
        |node: &Option<Node>| node.as_ref().is_some_and(|node| node.content == Content::Directory);
    match change.kind {
        Kind::Created => change.from.is_some() && is_directory(&change.after),
        Kind::Deleted => is_directory(&change.before),
        Kind::Retyped
        | Kind::Changed
        | Kind::ModeChanged
        | Kind::AttributesChanged
        | Kind::Relinked
        | Kind::Touched => false,
    }
}

/// Whether nothing else happened to what is in such a directory.
fn goes_along(change: &Change, top: &Path, comparison: &Comparison) -> bool {
    match (&change.from, change.kind) {
        (None, Kind::Deleted) => true,
        (Some(from), Kind::Created) => {
            let moved = comparison.changes.binary_search_by(|other| other.path.as_path().cmp(top)).ok();
            let origin = moved.and_then(|place| comparison.changes.get(place)?.from.as_deref());
            let same_name =
                change.path.strip_prefix(top).ok().zip(origin).map(|(name, origin)| origin.join(name));
            let is_as_it_was = renamed(change, comparison)
                .zip(change.kept.as_ref())
                .is_some_and(|(old, new)| besides(old, new).is_none());
            same_name.as_ref() == Some(from) && is_as_it_was
        }
        _ => false,
    }
}

/// What stood under the old name of what was renamed.
fn renamed<'c>(change: &Change, comparison: &'c Comparison) -> Option<&'c Node> {
    let from = change.from.as_ref()?;
    let place = comparison.changes.binary_search_by(|other| other.path.cmp(from)).ok()?;
    comparison.changes.get(place)?.before.as_ref()
}

pub(super) fn size(node: &Node) -> Option<u64> {
    match node.content {
        Content::File { size, .. } => Some(size),
        Content::Directory | Content::Special(_) | Content::Symlink(_) => None,
    }
}

pub(super) fn side(node: &Node) -> Side {
    let (digest, target) = match &node.content {
        Content::File { digest, .. } => (digest.map(|digest| digest.to_string()), None),
        Content::Symlink(target) => (None, Some(safe(target))),
        Content::Directory | Content::Special(_) => (None, None),
    };
    Side { shape: node.content.shape(), mode: node.mode, size: size(node), digest, target }
}

fn difference(attempt: &Try, change: &Change, budget: &mut u64) -> Result<Option<Diff>> {
    let (before, after) = (change.before.as_ref().and_then(size), change.after.as_ref().and_then(size));
    let is_about_bytes = matches!(change.kind, Kind::Created | Kind::Deleted | Kind::Retyped | Kind::Changed)
        && change.from.is_none();
    if !is_about_bytes || before.or(after).is_none() {
        return Ok(None);
    }
    let cost = before.unwrap_or(0).saturating_add(after.unwrap_or(0));
    if cost > *budget || before.max(after) > Some(LONGEST) {
        return Ok(Some(Diff::Long));
    }
    *budget -= cost;
    let read = |size: Option<u64>, side| match size {
        Some(_) => attempt.bytes(change, side, LONGEST),
        None => Ok(Some(Vec::new())),
    };
    let (old, new) = (read(before, plan::Side::Before)?, read(after, plan::Side::After)?);
    Ok(Some(old.zip(new).map_or(Diff::Long, |(old, new)| diff(&old, &new))))
}
