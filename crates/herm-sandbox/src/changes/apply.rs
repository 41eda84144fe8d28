//! Brings the workspace to one side of a plan.
//!
//! It does not matter how far an earlier attempt got, in whichever direction: every step looks at what is there. Files are made
//! whole under a name that nobody uses, and then get their own in one step, so that at no moment half a file is seen.
//!
//! What is neither the one state nor the other was put there by somebody else. On the way forward that is an error, and
//! the way back leaves it alone and says so.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::beneath::{Root, itself};
use super::copy::{Reach, dress, dress_at, make};
use super::error::{Doing, Error, Result};
use super::node::{Content, Digest, Node, Shape, Stamp};
use super::plan::{Entry, Plan, Side};
use super::view::Source;

/// Where the bytes of both sides are.
#[derive(Debug)]
pub(crate) struct Store {
    /// What was in the workspace, by the place in the plan.
    pub(crate) before: Root,
    /// What comes from elsewhere in the workspace, by the place in the plan.
    pub(crate) after: Root,
    /// What the run wrote.
    pub(crate) upper: Root,
}

/// Is told before every step that changes something.
pub type Steps<'a> = &'a mut dyn FnMut();

/// Brings the workspace to a side, and says which paths were left to those who changed them.
pub(crate) fn apply(
    plan: &Plan,
    side: Side,
    root: &Root,
    store: &Store,
    steps: Steps<'_>,
) -> Result<Vec<PathBuf>> {
    let mut work = Work { plan, side, root, store, steps, left: Vec::new() };
    work.open_directories()?;
    work.clear_parts()?;
    work.remove()?;
    work.make_directories()?;
    work.make_files()?;
    work.finish_directories()?;
    Ok(work.left)
}

/// Where something is taken from.
enum Origin<'p> {
    /// From what has the bytes of a place in the plan.
    Bytes(usize),
    /// It is a further name of a file that is there.
    Name(&'p Path),
}

struct Work<'a, 's> {
    plan: &'a Plan,
    side: Side,
    root: &'a Root,
    store: &'a Store,
    steps: Steps<'s>,
    left: Vec<PathBuf>,
}

impl Work<'_, '_> {
    /// Directories may be closed to their owner. They are opened for the work, and get their modes last.
    fn open_directories(&mut self) -> Result<()> {
        self.root.forget();
        for entry in &self.plan.entries {
            let found = self.root.stamp(&entry.path).doing("look at", &entry.path)?;
            if let Some(stamp) = found.filter(|stamp| stamp.is_directory() && stamp.mode & 0o700 != 0o700) {
                (self.steps)();
                self.chmod(&entry.path, stamp.mode | 0o700).doing("open", &entry.path)?;
            }
        }
        Ok(())
    }

    fn chmod(&self, path: &Path, mode: u32) -> std::io::Result<()> {
        let opened = self.root.open_at(path, OFlags::PATH | OFlags::DIRECTORY)?;
        Ok(rustix::fs::chmodat(
            rustix::fs::CWD,
            itself(&opened),
            Mode::from_raw_mode(mode),
            AtFlags::empty(),
        )?)
    }

    /// What an attempt that was cut short was just making.
    fn clear_parts(&mut self) -> Result<()> {
        for entry in &self.plan.entries {
            let is_directory =
                |node: &Option<Node>| node.as_ref().is_some_and(|node| node.content == Content::Directory);
            if !is_directory(&entry.before) && !is_directory(&entry.after) {
                continue;
            }
            match self.root.directory(&entry.path) {
                Err(error) if super::beneath::is_missing(&error) => {}
                answer => {
                    let directory = answer.doing("open", &entry.path)?;
                    unlink(&directory, &self.plan.part).doing("clear", &entry.path)?;
                }
            }
        }
        Ok(())
    }

    /// Removes what has no place on this side, what is deepest first.
    fn remove(&mut self) -> Result<()> {
        for entry in self.plan.entries.iter().rev() {
            let Some(stamp) = self.root.stamp(&entry.path).doing("look at", &entry.path)? else { continue };
            let wanted = entry.node(self.side).map(|node| node.content.shape());
            let is_in_the_way = match wanted {
                None => true,
                Some(wanted) => stamp.is_directory() != (wanted == Shape::Directory),
            };
            if is_in_the_way && !self.leaves(entry, &stamp)? {
                self.remove_one(&entry.path, &stamp)?;
            }
        }
        self.root.forget();
        Ok(())
    }

    fn remove_one(&mut self, path: &Path, stamp: &Stamp) -> Result<()> {
        (self.steps)();
        let (parent, name) = self.root.parent(path).doing("remove", path)?;
        let flags = if stamp.is_directory() { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        self.root.forget();
        match rustix::fs::unlinkat(&*parent, name, flags) {
            Err(Errno::NOTEMPTY | Errno::EXIST) if self.side == Side::Before => {
                self.left.push(path.to_owned());
                Ok(())
            }
            Err(Errno::NOTEMPTY | Errno::EXIST) => Err(Error::Changed(vec![path.to_owned()])),
            answer => answer.doing("remove", path),
        }
    }

    /// Whether what stands there is somebody else's.
    fn leaves(&mut self, entry: &Entry, stamp: &Stamp) -> Result<bool> {
        let is_known = [&entry.before, &entry.after].into_iter().flatten().any(|node| resembles(node, stamp));
        if !is_known {
            self.leave(&entry.path)?;
        }
        Ok(!is_known)
    }

    /// Somebody else was here: going forwards that is an error, going back they keep what they have.
    fn leave(&mut self, path: &Path) -> Result<()> {
        if self.side == Side::After {
            return Err(Error::Changed(vec![path.to_owned()]));
        }
        if !self.left.iter().any(|other| other == path) {
            self.left.push(path.to_owned());
        }
        Ok(())
    }

    /// Whether a path cannot be restored, because what stands there or above it was left to somebody else.
    fn is_beyond_reach(&mut self, path: &Path, found: Option<&Stamp>) -> bool {
        let is_left = |other: &PathBuf| {
            path.starts_with(other) && (path != other || found.is_some_and(Stamp::is_directory))
        };
        let is_so = self.left.iter().any(is_left);
        if is_so && !self.left.iter().any(|other| other == path) {
            self.left.push(path.to_owned());
        }
        is_so
    }

    fn make_directories(&mut self) -> Result<()> {
        for entry in &self.plan.entries {
            let is_wanted = entry.node(self.side).is_some_and(|node| node.content == Content::Directory);
            let found = self.root.stamp(&entry.path).doing("look at", &entry.path)?;
            if is_wanted && found.is_none() && !self.is_beyond_reach(&entry.path, None) {
                (self.steps)();
                let (parent, name) = self.root.parent(&entry.path).doing("make", &entry.path)?;
                rustix::fs::mkdirat(&*parent, name, Mode::from_raw_mode(0o700)).doing("make", &entry.path)?;
            }
        }
        Ok(())
    }

    fn make_files(&mut self) -> Result<()> {
        let made = self.plan.made(self.side);
        // Where a file with several names is already.
        let mut there: BTreeMap<u64, &Path> = BTreeMap::new();
        for entry in self.plan.entries.iter().filter(|entry| entry.stays) {
            let number = entry.node(self.side).and_then(|node| node.links);
            if let Some(number) = number
                && self.root.stamp(&entry.path).doing("look at", &entry.path)?.is_some()
            {
                there.insert(number, &entry.path);
            }
        }
        for (place, entry) in self.plan.entries.iter().enumerate() {
            let Some(node) = entry.node(self.side).filter(|node| node.content != Content::Directory) else {
                continue;
            };
            let found = self.root.stamp(&entry.path).doing("look at", &entry.path)?;
            if self.is_beyond_reach(&entry.path, found.as_ref()) {
                continue;
            }
            if entry.stays {
                self.dress_in_place(entry, node)?;
                continue;
            }
            if let Some(stamp) = &found
                && self.leaves(entry, stamp)?
            {
                continue;
            }
            let Some(origin) = self.origin(place, node, &made, &there) else {
                // Somebody has removed the file that this was a further name of.
                self.leave(&entry.path)?;
                continue;
            };
            (self.steps)();
            self.make_part(&origin, entry, node)?;
            (self.steps)();
            self.give_name(&entry.path)?;
            node.links.map(|number| there.entry(number).or_insert(&entry.path));
        }
        Ok(())
    }

    /// Where to take it from. What comes back may be a further name of a file that was left to somebody else: then its bytes
    /// are those that were put aside for the other name.
    fn origin<'p>(
        &self,
        place: usize,
        node: &Node,
        made: &BTreeSet<usize>,
        there: &BTreeMap<u64, &'p Path>,
    ) -> Option<Origin<'p>> {
        let other = node.links.filter(|_| !made.contains(&place)).and_then(|number| there.get(&number));
        match (other, self.side) {
            (Some(other), _) => Some(Origin::Name(other)),
            (None, Side::Before) if node.content.shape() == Shape::File => {
                self.plan.aside(place, made).map(Origin::Bytes)
            }
            (None, Side::After | Side::Before) => Some(Origin::Bytes(place)),
        }
    }

    /// Changes what stays. It is opened first and then looked at, so that nothing else can be put in its place: whoever is
    /// root here would give away what that leads to.
    fn dress_in_place(&mut self, entry: &Entry, node: &Node) -> Result<()> {
        let path = &entry.path;
        let opened = match self.root.open_at(path, OFlags::PATH) {
            Err(error) if super::beneath::is_missing(&error) => return self.leave(path),
            answer => answer.doing("open", path)?,
        };
        let stamp = super::beneath::stamp_of(&opened).doing("look at", path)?;
        if self.leaves(entry, &stamp)? {
            return Ok(());
        }
        (self.steps)();
        match node.content {
            Content::Symlink(_) => dress(self.root, path, node, Reach::Others),
            Content::Directory | Content::File { .. } | Content::Special(_) => {
                dress_at(&itself(&opened), node, Reach::Others)
            }
        }
        .doing("change", path)
    }

    /// Makes what is wanted beside the place where it is wanted.
    fn make_part(&self, origin: &Origin<'_>, entry: &Entry, node: &Node) -> Result<()> {
        let path = &entry.path;
        let (parent, _) = self.root.parent(path).doing("make", path)?;
        let place = match origin {
            Origin::Bytes(place) => *place,
            Origin::Name(first) => {
                let (other, name) = self.root.parent(first).doing("make", path)?;
                let part = self.plan.part.as_os_str();
                return rustix::fs::linkat(&*other, name, &*parent, part, AtFlags::empty())
                    .doing("link", path);
            }
        };
        if node.content.shape() != Shape::File {
            let part = Path::new(&self.plan.part);
            return make(&parent, part, node, None, Reach::Others).map(drop).doing("make", path);
        }
        match self.side {
            Side::After => self.write_after(place, entry, node, &parent),
            Side::Before => self.bring_back(place, path, node, &parent),
        }
    }

    /// Writes what comes after, and makes sure that it is what was shown.
    fn write_after(&self, place: usize, entry: &Entry, node: &Node, parent: &Rc<OwnedFd>) -> Result<()> {
        let path = &entry.path;
        let unshown = || Error::Unshown(path.clone());
        let part = Path::new(&self.plan.part);
        match entry.bytes.as_ref().ok_or_else(unshown)? {
            (Source::Lower(_), _) => {
                let file = self.store.after.file(Path::new(&place.to_string())).doing("read", path)?;
                make(parent, part, node, Some(&file), Reach::Others).doing("write", path)?;
            }
            (Source::Upper(source), stamp) => {
                let file = self.store.upper.file(source).doing("read", path)?;
                let digest = make(parent, part, node, Some(&file), Reach::Others).doing("write", path)?;
                let is_shown = match shown_digest(node) {
                    Some(shown) => digest == Some(shown),
                    // Too long to hash: nobody has touched it since.
                    None => self.store.upper.stamp(source).doing("look at", path)? == Some(*stamp),
                };
                if !is_shown {
                    return Err(unshown());
                }
            }
        }
        Ok(())
    }

    /// Brings back the very file that was there, if it was put aside, or else a copy.
    fn bring_back(&self, place: usize, path: &Path, node: &Node, parent: &Rc<OwnedFd>) -> Result<()> {
        let (part, name) = (Path::new(&self.plan.part), place.to_string());
        let (aside, name) = self.store.before.parent(Path::new(&name)).doing("bring back", path)?;
        let found = super::beneath::stamp_in(&*aside, name).doing("bring back", path)?;
        if rustix::fs::linkat(&*aside, name, &**parent, part, AtFlags::empty()).is_ok() {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let linked =
                rustix::fs::openat(&**parent, part, flags, Mode::empty()).doing("bring back", path)?;
            return super::copy::dress_open(&linked, node, &found).doing("bring back", path);
        }
        let file = self.store.before.file(Path::new(name)).doing("bring back", path)?;
        let plain = Node { content: Content::File { size: found.size, digest: None }, ..node.clone() };
        make(parent, part, &plain, Some(&file), Reach::Others).map(drop).doing("bring back", path)
    }

    fn give_name(&mut self, path: &Path) -> Result<()> {
        let (parent, name) = self.root.parent(path).doing("name", path)?;
        rustix::fs::renameat(&*parent, &self.plan.part, &*parent, name).doing("name", path)?;
        // Where both are names of one file already, renaming does nothing.
        unlink(&parent, &self.plan.part).doing("name", path)
    }

    /// Modes and times of directories, what is deepest first: nothing happens in them any more.
    fn finish_directories(&mut self) -> Result<()> {
        self.root.forget();
        for entry in self.plan.entries.iter().rev() {
            let Some(node) = entry.node(self.side).filter(|node| node.content == Content::Directory) else {
                continue;
            };
            let found = self.root.stamp(&entry.path).doing("look at", &entry.path)?;
            let Some(stamp) = found.filter(Stamp::is_directory) else { continue };
            let mut node = node.clone();
            if self.plan.lively.contains(&entry.path) {
                node.modified = stamp.modified;
            }
            (self.steps)();
            dress(self.root, &entry.path, &node, Reach::Others).doing("finish", &entry.path)?;
        }
        Ok(())
    }
}

fn shown_digest(node: &Node) -> Option<Digest> {
    match node.content {
        Content::File { digest, .. } => digest,
        Content::Directory | Content::Special(_) | Content::Symlink(_) => None,
    }
}

/// Whether what stands there is what the plan knows. Whatever gets its name has its time already, and an edit has another.
pub(crate) fn resembles(node: &Node, stamp: &Stamp) -> bool {
    match node.content {
        Content::Directory => stamp.is_directory(),
        Content::File { size, .. } => {
            stamp.shape == Shape::File && stamp.size == size && stamp.modified == node.modified
        }
        Content::Special(shape) => stamp.shape == shape,
        Content::Symlink(_) => stamp.shape == Shape::Symlink && stamp.modified == node.modified,
    }
}

fn unlink(directory: &OwnedFd, name: &OsStr) -> std::io::Result<()> {
    match rustix::fs::unlinkat(directory, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}
