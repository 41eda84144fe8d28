//! How a tree stood at one moment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::beneath::{HASHED, Root, look_in};
use super::codec::Record;
use super::error::{Doing, Error, Result};
use super::node::{Digest, Shape, Stamp, Time};

/// A tree of stamps, and hashes of the files that were changed so recently that a stamp cannot tell a change before it from
/// one after it.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) tree: Tree,
    pub(crate) fresh: BTreeMap<PathBuf, Digest>,
}

/// A node and what is in it.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) stamp: Stamp,
    pub(crate) children: BTreeMap<OsString, Tree>,
    pub(crate) inside: Inside,
}

/// What is known of what is in a node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Inside {
    /// It is a directory that this user may not read: what is in it is nobody's business, and stays as it is.
    Closed,
    /// Something is mounted there. That belongs to another tree, which neither an overlay nor a copy shows.
    Mounted,
    /// All of it.
    Open,
}

/// Deeper trees are refused: what walks them calls itself.
const DEEPEST: usize = 256;

/// More nodes are refused, so that a tree cannot take all the memory.
const MOST: usize = 4_000_000;

/// Older file systems and kernels tell times apart by ticks; none is longer.
const TICK: i128 = 20_000_000;

impl Snapshot {
    pub(crate) fn take(root: &Root) -> Result<Self> {
        let begun = now();
        let tree = Tree::scan(root)?;
        let mut fresh = BTreeMap::new();
        let mut failed = None;
        tree.each(Path::new(""), &mut |path, node| {
            let is_fresh = nanoseconds(node.stamp.changed) + TICK >= begun;
            let is_own = node.inside != Inside::Mounted;
            if failed.is_none()
                && is_own
                && is_fresh
                && node.stamp.shape == Shape::File
                && node.stamp.size <= HASHED
            {
                match root.file(path).and_then(Digest::of) {
                    Ok((_, digest)) => drop(fresh.insert(path.to_owned(), digest)),
                    Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {}
                    Err(error) => failed = Some((path.to_owned(), error)),
                }
            }
        });
        match failed {
            Some((path, cause)) => Err(Error::Io { doing: "read", path, cause }),
            None => Ok(Self { tree, fresh }),
        }
    }

    pub(crate) fn stamp(&self, path: &Path) -> Option<&Stamp> {
        self.tree.get(path).map(|node| &node.stamp)
    }

    /// Whether a path is as it was.
    pub(crate) fn holds(&self, root: &Root, path: &Path) -> Result<bool> {
        let now = root.stamp(path).doing("look at", path)?;
        let (before, now) = match (self.stamp(path), now) {
            (None, None) => return Ok(true),
            (Some(before), Some(now)) => (before, now),
            (Some(_), None) | (None, Some(_)) => return Ok(false),
        };
        match self.fresh.get(path) {
            Some(digest) if before.still(&now) => {
                Ok(root.file(path).and_then(Digest::of).is_ok_and(|(_, now)| now == *digest))
            }
            Some(_) | None => Ok(before.still(&now)),
        }
    }

    /// Puts a new stamp in the place of an old one.
    pub(crate) fn renew(&mut self, path: &Path, stamp: Stamp) {
        self.fresh.remove(path);
        if let Some(node) = self.tree.get_mut(path) {
            node.stamp = stamp;
        }
    }
}

impl Tree {
    pub(crate) fn scan(root: &Root) -> Result<Self> {
        let mut count = 0;
        let stamp = root.stamp(Path::new("")).doing("look at", root.path())?;
        let stamp = stamp.ok_or_else(|| Error::Unfit { path: root.path().to_owned(), what: "gone" })?;
        scan(root, Path::new(""), stamp, 0, &mut count)
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Self> {
        path.iter().try_fold(self, |node, name| node.children.get(name))
    }

    pub(crate) fn get_mut(&mut self, path: &Path) -> Option<&mut Self> {
        path.iter().try_fold(self, |node, name| node.children.get_mut(name))
    }

    /// Visits the node that stands at `path`, and everything in it.
    pub(crate) fn each(&self, path: &Path, visit: &mut impl FnMut(&Path, &Self)) {
        visit(path, self);
        for (name, child) in &self.children {
            child.each(&path.join(name), visit);
        }
    }

    /// Where something is mounted.
    pub(crate) fn mounts(&self) -> Vec<PathBuf> {
        let mut mounts = Vec::new();
        self.each(Path::new(""), &mut |path, node| {
            if node.inside == Inside::Mounted {
                mounts.push(path.to_owned());
            }
        });
        mounts
    }

    /// The files that have several names in this tree, by inode.
    pub(crate) fn linked(&self) -> BTreeMap<u64, Vec<PathBuf>> {
        let mut found: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
        self.each(Path::new(""), &mut |path, node| {
            let is_own = node.inside != Inside::Mounted;
            if is_own && node.stamp.shape == Shape::File && node.stamp.links > 1 {
                found.entry(node.stamp.inode).or_default().push(path.to_owned());
            }
        });
        found.retain(|_, paths| paths.len() > 1);
        found
    }
}

/// Nobody opens what has a longer path.
fn too_deep<T>(path: &Path, answer: std::io::Result<T>) -> Result<T> {
    match answer {
        Err(error) if error.kind() == std::io::ErrorKind::InvalidFilename => {
            Err(Error::Unfit { path: path.to_owned(), what: "too deep" })
        }
        answer => answer.doing("read", path),
    }
}

fn scan(root: &Root, path: &Path, stamp: Stamp, depth: usize, count: &mut usize) -> Result<Tree> {
    *count += 1;
    if *count > MOST {
        return Err(Error::Unfit { path: root.path().to_owned(), what: "too large a tree" });
    }
    let mut tree = Tree { stamp, children: BTreeMap::new(), inside: Inside::Open };
    if !stamp.is_directory() {
        return Ok(tree);
    }
    if depth > DEEPEST {
        return Err(Error::Unfit { path: path.to_owned(), what: "too deep" });
    }
    let names = match root.names(path) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            tree.inside = Inside::Closed;
            return Ok(tree);
        }
        answer => too_deep(path, answer)?,
    };
    let directory = too_deep(path, root.directory(path))?;
    for name in names {
        let child = path.join(&name);
        // Gone between the two calls is gone.
        let (found, is_mounted) = match look_in(&*directory, &name) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                tree.inside = Inside::Closed;
                return Ok(tree);
            }
            answer => answer.doing("look at", &child)?,
        };
        let node = if is_mounted || found.device != stamp.device {
            Tree { stamp: found, children: BTreeMap::new(), inside: Inside::Mounted }
        } else {
            scan(root, &child, found, depth + 1, count)?
        };
        tree.children.insert(name, node);
    }
    Ok(tree)
}

fn nanoseconds(time: Time) -> i128 {
    i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds)
}

fn now() -> i128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i128::try_from(since.as_nanos()).ok())
        .unwrap_or(0)
}

impl Record for Snapshot {
    fn write(&self, out: &mut Vec<u8>) {
        self.tree.write(out);
        (self.fresh.len() as u64).write(out);
        for (path, digest) in &self.fresh {
            path.write(out);
            digest.write(out);
        }
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let tree = Tree::read(input)?;
        let fresh = Vec::<(PathBuf, Digest)>::read(input)?;
        Some(Self { tree, fresh: fresh.into_iter().collect() })
    }
}

impl Record for Inside {
    fn write(&self, out: &mut Vec<u8>) {
        let number: u8 = match self {
            Self::Open => 0,
            Self::Closed => 1,
            Self::Mounted => 2,
        };
        number.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        match u8::read(input)? {
            0 => Some(Self::Open),
            1 => Some(Self::Closed),
            2 => Some(Self::Mounted),
            _ => None,
        }
    }
}

impl Record for Tree {
    fn write(&self, out: &mut Vec<u8>) {
        self.stamp.write(out);
        self.inside.write(out);
        (self.children.len() as u64).write(out);
        for (name, child) in &self.children {
            name.write(out);
            child.write(out);
        }
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let stamp = Stamp::read(input)?;
        let inside = Inside::read(input)?;
        let count = u64::read(input)?;
        let children: Option<BTreeMap<_, _>> =
            (0..count).map(|_| Some((OsString::read(input)?, Self::read(input)?))).collect();
        Some(Self { stamp, children: children?, inside })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_change_of_any_kind_is_noticed_at_once() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("f");
        fs::create_dir(place.path().join("d")).unwrap();
        fs::write(&file, "one").unwrap();
        let root = Root::open(place.path()).unwrap();
        let path = Path::new("f");
        for change in 0..5 {
            let snapshot = Snapshot::take(&root).unwrap();
            assert!(snapshot.holds(&root, path).unwrap());
            match change {
                0 => fs::write(&file, "two").unwrap(),
                1 => fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap(),
                2 => fs::rename(&file, place.path().join("g")).unwrap(),
                3 => fs::create_dir(&file).unwrap(),
                _ => fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap(),
            }
            assert!(!snapshot.holds(&root, path).unwrap(), "{change}");
        }
        let snapshot = Snapshot::take(&root).unwrap();
        fs::write(place.path().join("d/new"), "").unwrap();
        assert!(
            snapshot.holds(&root, Path::new("d")).unwrap(),
            "what is in a directory is looked at on its own"
        );
        assert!(!snapshot.holds(&root, Path::new("d/new")).unwrap());
    }

    #[test]
    fn a_snapshot_survives_being_written() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("a/b")).unwrap();
        fs::write(place.path().join("a/b/c"), "x").unwrap();
        fs::hard_link(place.path().join("a/b/c"), place.path().join("d")).unwrap();
        let root = Root::open(place.path()).unwrap();
        let snapshot = Snapshot::take(&root).unwrap();
        let saved = place.path().join("e");
        super::super::codec::save(&saved, &snapshot).unwrap();
        let again: Snapshot = super::super::codec::load(&saved).unwrap().unwrap();
        assert!(again.holds(&root, Path::new("a/b/c")).unwrap());
        assert_eq!(
            again.tree.linked().into_values().collect::<Vec<_>>(),
            [[PathBuf::from("a/b/c"), "d".into()]]
        );
    }
}
