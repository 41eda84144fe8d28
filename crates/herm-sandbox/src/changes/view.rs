//! How the workspace looks after a run, as far as it looks different.
//!
//! Nothing here says what changed: a file that was copied up and left as it was is seen, and comparing tells that it is the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use super::beneath::{Root, stamp_in};
use super::error::{Doing, Error, Result};
use super::node::{Shape, Stamp, Time};
use super::overlay::Standing;
use super::snapshot::Tree;

/// What may have changed.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) seen: BTreeMap<PathBuf, Seen>,
    pub(crate) gone: BTreeSet<PathBuf>,
    /// New names of what is known to have been renamed, with the old.
    pub(crate) moved: BTreeMap<PathBuf, PathBuf>,
    /// The number of the file that a name stands for, where it has several names.
    pub(crate) links: BTreeMap<PathBuf, u64>,
}

/// What is seen at a path, and where it is kept.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) stamp: Stamp,
    pub(crate) source: Source,
}

/// Where bytes are.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Source {
    /// In the workspace, under the name they had before.
    Lower(PathBuf),
    /// In the try's own tree, under the name they have now.
    Upper(PathBuf),
}

/// Reads what overlayfs left in its upper directory. The marks are the kernel's, the rest is the command's: hostile.
pub(crate) fn of_overlay(upper: &Root, lower: &Tree, standing: Standing) -> Result<View> {
    let top = upper.stamp(Path::new("")).doing("look at", upper.path())?;
    let top = top.ok_or_else(|| Error::Unfit { path: upper.path().to_owned(), what: "gone" })?;
    let mut reader =
        Reader { upper, lower, standing, view: View::default(), vanished: BTreeSet::new(), count: 0 };
    reader.directory(Path::new(""), top, Some(Path::new("")), 0)?;
    let Reader { mut view, vanished, .. } = reader;
    view.gone = vanished.into_iter().filter(|path| !view.seen.contains_key(path)).collect();
    view.links = overlay_links(&view, lower);
    Ok(view)
}

/// Compares a private copy with how it was when it was made.
pub(crate) fn of_copy(made: &Tree, now: &Tree) -> View {
    let mut view = View::default();
    let mut origins = BTreeMap::new();
    made.each(Path::new(""), &mut |path, node| {
        if now.get(path).is_none() {
            view.gone.insert(path.to_owned());
            origins.insert((node.stamp.inode, node.stamp.born), path.to_owned());
        }
    });
    now.each(Path::new(""), &mut |path, node| {
        let before = made.get(path).map(|node| node.stamp);
        if before == Some(node.stamp) {
            return;
        }
        // Without a time of birth nobody knows whether the number was used again.
        if let Some(origin) = origins.get(&(node.stamp.inode, node.stamp.born))
            && before.is_none()
            && node.stamp.born != UNKNOWN
        {
            view.moved.insert(path.to_owned(), origin.clone());
        }
        let source = Source::Upper(path.to_owned());
        view.seen.insert(path.to_owned(), Seen { stamp: node.stamp, source });
    });
    view.links = numbered(now.linked());
    view
}

/// What a file system says that keeps no times of birth.
const UNKNOWN: Time = Time { seconds: 0, nanoseconds: 0 };

struct Reader<'a> {
    upper: &'a Root,
    lower: &'a Tree,
    standing: Standing,
    view: View,
    /// What was in the workspace and is not shown any more, unless it is seen.
    vanished: BTreeSet<PathBuf>,
    count: usize,
}

/// As for the workspace: what walks a tree calls itself, and no tree may take all the memory.
const DEEPEST: usize = 256;
const MOST: usize = 4_000_000;

impl Reader<'_> {
    /// Reads a directory that is shown at `path`, together with the directory of the workspace that it is laid over.
    fn directory(&mut self, path: &Path, stamp: Stamp, over: Option<&Path>, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(Error::Unfit { path: path.to_owned(), what: "too deep" });
        }
        self.see(path, stamp, Source::Upper(path.to_owned()))?;
        let names = self.upper.names(path).doing("read", path)?;
        let directory = self.upper.directory(path).doing("open", path)?;
        let has_marked_files = self.mark(path, "opaque")?.is_some_and(|value| value == b"x");
        for name in &names {
            let child = path.join(name);
            let stamp = stamp_in(&*directory, name).doing("look at", &child)?;
            if self.is_whiteout(&child, &stamp, has_marked_files)? {
                self.vanish(&child);
            } else if stamp.is_directory() {
                let over = self.laid_over(&child, over, name)?;
                if over.as_deref() != Some(&child) {
                    self.vanish(&child);
                }
                self.directory(&child, stamp, over.as_deref(), depth + 1)?;
            } else {
                self.refuse_halves(&child, &stamp)?;
                self.vanish(&child);
                self.see(&child, stamp, Source::Upper(child.clone()))?;
            }
        }
        self.shine_through(path, over, &names)
    }

    /// What the directory of the workspace has, and the upper one neither replaces nor hides.
    fn shine_through(&mut self, path: &Path, over: Option<&Path>, names: &[OsString]) -> Result<()> {
        let Some(over) = over.filter(|over| *over != path) else { return Ok(()) };
        self.view.moved.insert(path.to_owned(), over.to_owned());
        let lower = self.lower;
        let Some(tree) = lower.get(over) else { return Ok(()) };
        for (name, child) in tree.children.iter().filter(|(name, _)| names.binary_search(name).is_err()) {
            let mut seen = Vec::new();
            child.each(Path::new(name), &mut |inner, node| seen.push((inner.to_owned(), node.stamp)));
            for (inner, stamp) in seen {
                let origin = over.join(&inner);
                self.view.moved.insert(path.join(&inner), origin.clone());
                self.see(&path.join(&inner), stamp, Source::Lower(origin))?;
            }
        }
        Ok(())
    }

    fn see(&mut self, path: &Path, stamp: Stamp, source: Source) -> Result<()> {
        self.count += 1;
        if self.count > MOST {
            return Err(Error::Unfit { path: self.upper.path().to_owned(), what: "too large a tree" });
        }
        self.view.seen.insert(path.to_owned(), Seen { stamp, source });
        Ok(())
    }

    fn vanish(&mut self, path: &Path) {
        if let Some(tree) = self.lower.get(path) {
            tree.each(path, &mut |path, _| {
                self.vanished.insert(path.to_owned());
            });
        }
    }

    /// The two ways to write that a name is gone: a character device without a number, or a mark on an empty file in a
    /// directory that says to look for such marks.
    fn is_whiteout(&self, path: &Path, stamp: &Stamp, has_marked_files: bool) -> Result<bool> {
        match stamp.shape {
            Shape::Device => Ok(stamp.number == (0, 0)),
            Shape::File if has_marked_files && stamp.size == 0 => Ok(self.mark(path, "whiteout")?.is_some()),
            Shape::Directory | Shape::Fifo | Shape::File | Shape::Socket | Shape::Symlink => Ok(false),
        }
    }

    /// Which directory of the workspace a directory is laid over, if any.
    fn laid_over(&self, path: &Path, parent: Option<&Path>, name: &OsStr) -> Result<Option<PathBuf>> {
        if self.mark(path, "opaque")?.is_some_and(|value| value == b"y") {
            return Ok(None);
        }
        let redirect = match self.standing {
            Standing::Root => self.mark(path, "redirect")?.map(OsString::from_vec),
            // Without the right to follow them, the kernel takes no notice of these.
            Standing::User => None,
        };
        let over = match redirect.as_deref().map(Path::new) {
            Some(redirect) => Some(redirected(redirect, parent).ok_or_else(|| Error::Unfit {
                path: path.to_owned(),
                what: "redirected to no place in the workspace",
            })?),
            None => parent.map(|parent| parent.join(name)),
        };
        let is_directory =
            |over: &PathBuf| self.lower.get(over).is_some_and(|tree| tree.stamp.is_directory());
        Ok(over.filter(is_directory))
    }

    /// A file of which the upper directory has only the outside. Overlays are mounted so that there are none.
    fn refuse_halves(&self, path: &Path, stamp: &Stamp) -> Result<()> {
        if stamp.shape == Shape::File && self.mark(path, "metacopy")?.is_some() {
            return Err(Error::Unfit { path: path.to_owned(), what: "a file without its bytes" });
        }
        Ok(())
    }

    fn mark(&self, path: &Path, name: &str) -> Result<Option<Vec<u8>>> {
        self.upper.attribute(path, &self.standing.mark(name)).doing("read the marks of", path)
    }
}

/// A redirect is a path from the top, or another name in the directory that the parent is laid over.
fn redirected(redirect: &Path, parent: Option<&Path>) -> Option<PathBuf> {
    let (top, relative) = match redirect.strip_prefix("/") {
        Ok(relative) => (Path::new(""), relative),
        Err(_) => (parent?, redirect),
    };
    let is_plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && !relative.as_os_str().is_empty()).then(|| top.join(relative))
}

/// Files with several names: those that the run made in the upper directory, and those of the workspace that it left alone.
fn overlay_links(view: &View, lower: &Tree) -> BTreeMap<PathBuf, u64> {
    let mut upper: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    let mut left: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    for (path, seen) in view.seen.iter().filter(|(_, seen)| seen.stamp.shape == Shape::File) {
        match seen.source {
            Source::Upper(_) if seen.stamp.links > 1 => {
                upper.entry(seen.stamp.inode).or_default().push(path.clone());
            }
            Source::Upper(_) => {}
            Source::Lower(_) => left.entry(seen.stamp.inode).or_default().push(path.clone()),
        }
    }
    for (inode, paths) in lower.linked() {
        let untouched =
            paths.into_iter().filter(|path| !view.seen.contains_key(path) && !view.gone.contains(path));
        left.entry(inode).or_default().extend(untouched);
    }
    for group in [&mut upper, &mut left] {
        group.retain(|_, paths| paths.len() > 1);
    }
    let mut links = numbered(left);
    // Two file systems may use the same numbers.
    links.extend(numbered(upper).into_iter().map(|(path, number)| (path, number | 1 << 63)));
    links
}

pub(crate) fn numbered(groups: BTreeMap<u64, Vec<PathBuf>>) -> BTreeMap<PathBuf, u64> {
    groups.into_iter().flat_map(|(inode, paths)| paths.into_iter().map(move |path| (path, inode))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_in_the_workspace() {
        let parent = Some(Path::new("a/b"));
        assert_eq!(redirected(Path::new("/x/y"), parent), Some("x/y".into()));
        assert_eq!(redirected(Path::new("/x/y"), None), Some("x/y".into()));
        assert_eq!(redirected(Path::new("old"), parent), Some("a/b/old".into()));
        assert_eq!(redirected(Path::new("old"), None), None);
        for hostile in ["/", "", "..", "/..", "/x/../..", "../x", "/x/../../etc"] {
            assert_eq!(redirected(Path::new(hostile), parent), None, "{hostile}");
        }
    }
}
