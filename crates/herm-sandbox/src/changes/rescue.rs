//! Originals that cannot go back to their place, because somebody has changed what stands there now.
//!
//! They lie by their paths under `rescued/ID/` in the guard's home, and nobody clears them away but a person. Beside the file
//! itself they would be in the way of whatever reads the workspace, and its directory may be what is gone.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::apply::{Steps, Store, resembles};
use super::beneath::Root;
use super::copy::{Reach, make};
use super::error::{Doing, Error, Result};
use super::journal::Markers;
use super::keep::sync_all;
use super::node::{Content, Node, Shape};
use super::plan::{Plan, Side};
use super::tries::{PRIVATE, Tries, is_ours};

/// A path that somebody else has changed, and that was left to them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Left {
    /// Which one, relative to the workspace.
    pub path: PathBuf,
    /// Where the original is now, if there was one that herm had taken away.
    pub original: Option<PathBuf>,
}

/// How many directories of one name are made. More than one takes a try that was cut short again and again.
const MOST: usize = 1000;

impl Tries {
    /// Puts the originals of what was left where a person finds them. The try still has them, so that whoever is killed here
    /// can begin anew.
    pub(crate) fn rescue(
        &self,
        id: &str,
        plan: &Plan,
        store: &Store,
        left: Vec<PathBuf>,
        steps: Steps<'_>,
    ) -> Result<Vec<Left>> {
        let made = plan.made(Side::Before);
        let mut found = Vec::new();
        for path in left {
            let original = original(plan, &made, store, &path)?;
            found.push((path, original));
        }
        if found.iter().all(|(_, original)| original.is_none()) {
            return Ok(found.into_iter().map(|(path, _)| Left { path, original: None }).collect());
        }
        let place = self.fresh(id)?;
        let refuge = Root::open(&place).doing("open", &place)?;
        let mut answers = Vec::new();
        for (path, original) in found {
            if let Some(original) = &original {
                steps();
                original.put(store, &refuge, &path)?;
            }
            let original = original.map(|_| place.join(&path));
            answers.push(Left { path, original });
        }
        sync_all(&refuge)?;
        Ok(answers)
    }

    /// A directory that was not there before.
    #[expect(clippy::disallowed_methods, reason = "the one place where tries are kept")]
    fn fresh(&self, id: &str) -> Result<PathBuf> {
        let rescued = self.rescued();
        match DirBuilder::new().mode(PRIVATE).create(&rescued) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(error).doing("make", &rescued);
            }
            Ok(()) | Err(_) => {}
        }
        if !is_ours(&fs::symlink_metadata(&rescued).doing("look at", &rescued)?) {
            return Err(Error::Unfit { path: rescued, what: "open to others" });
        }
        for number in 1..=MOST {
            let name = if number == 1 { id.to_owned() } else { format!("{id}-{number}") };
            let path = rescued.join(name);
            match DirBuilder::new().mode(PRIVATE).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                answer => return answer.map(|()| path.clone()).doing("make", &path),
            }
        }
        Err(Error::Unfit { path: rescued, what: "full" })
    }

    /// Saves what a try that cannot be put right has put aside, by number, since nobody knows the paths any more. What still
    /// has its name in the workspace is not lost, and a second name would only tie it to a file that changes with it.
    #[expect(clippy::disallowed_methods, reason = "tries are moved about in one place")]
    pub(crate) fn rescue_unnamed(&self, id: &str) -> Result<Option<PathBuf>> {
        let directory = self.place(id)?;
        let aside = directory.join("before");
        if !Markers::new(&directory).is_cut_short() || !aside.exists() {
            return Ok(None);
        }
        let root = Root::open_own(&aside).doing("open", &aside)?;
        let mut names = BTreeSet::new();
        for name in root.names(Path::new("")).doing("read", &aside)? {
            let stamp = root.stamp(Path::new(&name)).doing("look at", &aside)?;
            if stamp.is_some_and(|stamp| stamp.links == 1) {
                names.insert(name);
            }
        }
        if names.is_empty() {
            return Ok(None);
        }
        let refuge = self.fresh(id)?;
        for name in names {
            fs::rename(aside.join(&name), refuge.join(&name)).doing("save", &refuge)?;
        }
        Ok(Some(refuge))
    }
}

/// What stood at a path before.
enum Original<'a> {
    /// A file, by the place in the plan under which its bytes are.
    File(usize, &'a Node),
    /// What is known in full.
    Other(&'a Node),
}

/// What stood at a path before, if the try has it. It has not what stays in its place: somebody else has changed that very
/// file. The same goes for a file that was put aside by a second name and had still the first.
fn original<'a>(
    plan: &'a Plan,
    made: &BTreeSet<usize>,
    store: &Store,
    path: &Path,
) -> Result<Option<Original<'a>>> {
    let Some(place) = plan.place(path) else { return Ok(None) };
    let Some(entry) = plan.entries.get(place).filter(|entry| !entry.stays) else { return Ok(None) };
    let Some(node) = &entry.before else { return Ok(None) };
    match node.content {
        Content::Directory | Content::Symlink(_) | Content::Special(Shape::Fifo | Shape::Socket) => {
            Ok(Some(Original::Other(node)))
        }
        Content::Special(_) => Ok(None),
        Content::File { .. } => {
            let Some(aside) = plan.aside(place, made) else { return Ok(None) };
            let found = store.before.stamp(Path::new(&aside.to_string())).doing("look at", path)?;
            let is_it = found.is_some_and(|found| resembles(node, &found));
            Ok(is_it.then_some(Original::File(aside, node)))
        }
    }
}

impl Original<'_> {
    fn put(&self, store: &Store, refuge: &Root, path: &Path) -> Result<()> {
        match self {
            Self::File(place, node) => {
                deepen(refuge, path.parent().unwrap_or(path), path)?;
                put_file(*place, node, store, refuge, path)
            }
            Self::Other(node) if node.content == Content::Directory => deepen(refuge, path, path),
            Self::Other(node) => {
                deepen(refuge, path.parent().unwrap_or(path), path)?;
                let (parent, name) = refuge.parent(path).doing("save", path)?;
                make(&parent, Path::new(name), node, None, Reach::Ourselves).map(drop).doing("save", path)
            }
        }
    }
}

/// Gives the very file another name. One that has a further name in the workspace is copied, so that it changes no more.
fn put_file(place: usize, node: &Node, store: &Store, refuge: &Root, path: &Path) -> Result<()> {
    let aside = PathBuf::from(place.to_string());
    let (from, source) = store.before.parent(&aside).doing("save", path)?;
    let (parent, name) = refuge.parent(path).doing("save", path)?;
    let found = super::beneath::stamp_in(&*from, source).doing("save", path)?;
    if found.links == 1 && rustix::fs::linkat(&*from, source, &*parent, name, AtFlags::empty()).is_ok() {
        return Ok(());
    }
    let file = store.before.opening().file(&aside).doing("save", path)?;
    let plain = Node { content: Content::File { size: found.size, digest: None }, ..node.clone() };
    make(&parent, Path::new(name), &plain, Some(&file), Reach::Ourselves).map(drop).doing("save", path)
}

/// Makes a directory and those above it.
fn deepen(refuge: &Root, directory: &Path, path: &Path) -> Result<()> {
    let above: Vec<&Path> = directory.ancestors().filter(|above| !above.as_os_str().is_empty()).collect();
    for directory in above.into_iter().rev() {
        let (parent, name) = refuge.parent(directory).doing("save", path)?;
        match rustix::fs::mkdirat(&*parent, name, Mode::from_raw_mode(PRIVATE)) {
            Err(Errno::EXIST) => {}
            answer => answer.doing("save", path)?,
        }
    }
    Ok(())
}
