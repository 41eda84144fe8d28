//! Takes what a run did over into the workspace, as a whole or not at all.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, OFlags};

use super::apply::{Steps, Store, apply};
use super::attempt::{Try, store, upper_name};
use super::beneath::{Hashing, Root, stamp_in};
use super::codec;
use super::compare::Comparison;
use super::copy::{Reach, make};
use super::diff::LONGEST;
use super::error::{Doing, Error, Result};
use super::journal::{Kept, Markers, stamps};
use super::node::Shape;
use super::plan::{Plan, Side};
use super::snapshot::Snapshot;
use super::view::Source;

impl Try {
    /// Takes over what was compared and shown, all of it or nothing.
    ///
    /// Everything that will be replaced is put aside first and a journal says how to get back, so that whatever stops
    /// this, the next [`recover`](super::Tries::recover) puts the workspace back exactly. `steps` is told before every step.
    ///
    /// # Errors
    /// When the workspace changed since the try began, the tree is not what was shown, or the machine refuses.
    pub fn keep(&self, comparison: &Comparison, steps: Steps<'_>) -> Result<()> {
        let _door = self.tries.door()?;
        self.tries.recover_workspace(&self.about.workspace, &mut *steps)?;
        let markers = Markers::new(&self.directory);
        if markers.has_plan() {
            return Err(Error::Unknown(self.id.clone()));
        }
        let (root, snapshot) = (self.lower()?, self.tidied()?);
        let mut plan = Plan::draft(comparison, &snapshot, &root)?;
        unchanged(&plan, &snapshot, &root)?;
        plan.lively = lively(&plan, &snapshot, &root)?;
        let store = store(&self.directory, self.about.is_copy)?;
        if let Err(error) =
            put_aside(&plan, &snapshot, &root, &store, &mut *steps).and_then(|()| sync_aside(&store.before))
        {
            self.forget_aside(&plan, snapshot)?;
            return Err(error);
        }
        steps();
        codec::settle(&self.directory.join("about"))?;
        codec::save_for_good(&markers.plan(), &plan)?;
        match take_over(&plan, &root, &store, &markers, &mut *steps) {
            Ok(()) => {
                // It is kept. Room that cannot be freed now is freed with the try.
                let _ = self.thin(&plan);
                Ok(())
            }
            Err(error) => {
                let recovery = self.tries.roll_back(&self.id, steps)?;
                // That nothing was kept is said in any case.
                if !recovery.left.is_empty() {
                    self.tries.hear(recovery);
                }
                Err(error)
            }
        }
    }

    /// Of a copy only what the run wrote is needed any more, to show what later edits differ from.
    #[expect(clippy::disallowed_methods, reason = "tries are moved about in one place")]
    fn thin(&self, plan: &Plan) -> Result<()> {
        if !self.about.is_copy {
            return Ok(());
        }
        let (copy, fresh) = (self.directory.join(upper_name(true)), self.directory.join("thin"));
        std::fs::create_dir(&fresh).doing("make", &fresh)?;
        let (from, to) = (self.upper()?, Root::open(&fresh).doing("open", &fresh)?);
        let (target, _) = to.parent(Path::new("0")).doing("open", &fresh)?;
        for place in plan.made(Side::After) {
            let bytes = plan.entries.get(place).and_then(|entry| entry.bytes.as_ref());
            if let Some((Source::Upper(path), _)) = bytes.filter(|(_, stamp)| stamp.size <= LONGEST) {
                let (parent, name) = from.parent(path).doing("move", path)?;
                rustix::fs::renameat(&*parent, name, &*target, place.to_string()).doing("move", path)?;
            }
        }
        self.tries.bin(&copy, &self.id)?;
        std::fs::rename(&fresh, &copy).doing("move", &fresh)
    }

    /// How the workspace stood, after a keeping that was killed before its journal was written: putting files aside gave
    /// them another time of change.
    fn tidied(&self) -> Result<Snapshot> {
        let mut snapshot = self.snapshot()?;
        if !self.directory.join("before").exists() {
            return Ok(snapshot);
        }
        let (root, store) = (self.lower()?, store(&self.directory, self.about.is_copy)?);
        let mut aside = BTreeSet::new();
        for shelf in [&store.before, &store.after] {
            for name in shelf.names(Path::new("")).doing("read", shelf.path())? {
                let stamp = shelf.stamp(Path::new(&name)).doing("read", shelf.path())?;
                aside.extend(stamp.map(|stamp| stamp.inode));
            }
        }
        let mut paths = Vec::new();
        snapshot.tree.each(Path::new(""), &mut |path, node| {
            if aside.contains(&node.stamp.inode) {
                paths.push(path.to_owned());
            }
        });
        clear_aside(&self.directory);
        renew(&mut snapshot, &root, paths.iter())?;
        codec::save(&self.directory.join("lower"), &snapshot)?;
        Ok(snapshot)
    }

    fn forget_aside(&self, plan: &Plan, mut snapshot: Snapshot) -> Result<()> {
        clear_aside(&self.directory);
        renew(&mut snapshot, &self.lower()?, plan.entries.iter().map(|entry| &entry.path))?;
        codec::save(&self.directory.join("lower"), &snapshot)
    }
}

/// Removes what was put aside.
pub(crate) fn clear_aside(directory: &Path) {
    drop(crate::Scratch::adopt(directory.join("before")));
    drop(crate::Scratch::adopt(directory.join("after")));
}

/// Takes the times of change over that putting aside has made, of files that are otherwise as they were.
fn renew<'a>(snapshot: &mut Snapshot, root: &Root, paths: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
    for path in paths {
        let (Some(before), Some(now)) = (snapshot.stamp(path), root.stamp(path).doing("look at", path)?)
        else {
            continue;
        };
        let is_same = before.inode == now.inode
            && before.size == now.size
            && before.modified == now.modified
            && before.mode == now.mode;
        if is_same {
            snapshot.renew(path, now);
        }
    }
    Ok(())
}

/// Refuses if anything that the plan touches is not as the run found it.
fn unchanged(plan: &Plan, snapshot: &Snapshot, root: &Root) -> Result<()> {
    let mut changed = Vec::new();
    let top = root.stamp(Path::new("")).doing("look at", root.path())?;
    if top
        .is_none_or(|top| top.inode != snapshot.tree.stamp.inode || top.device != snapshot.tree.stamp.device)
    {
        return Err(Error::Changed(vec![PathBuf::new()]));
    }
    for entry in &plan.entries {
        if !snapshot.holds(root, &entry.path)? {
            changed.push(entry.path.clone());
        }
        if let Some((Source::Lower(origin), _)) = &entry.bytes
            && *origin != entry.path
            && !snapshot.holds(root, origin)?
        {
            changed.push(origin.clone());
        }
    }
    changed.extend(plan.strays(root, Side::After)?);
    changed.sort();
    changed.dedup();
    if changed.is_empty() { Ok(()) } else { Err(Error::Changed(changed)) }
}

/// Directories that somebody else has worked in since the try began.
fn lively(plan: &Plan, snapshot: &Snapshot, root: &Root) -> Result<BTreeSet<PathBuf>> {
    let mut lively = BTreeSet::new();
    for entry in &plan.entries {
        let Some(before) = snapshot.stamp(&entry.path).filter(|before| before.is_directory()) else {
            continue;
        };
        let now = root.stamp(&entry.path).doing("look at", &entry.path)?;
        if now.is_some_and(|now| now.modified != before.modified) {
            lively.insert(entry.path.clone());
        }
    }
    Ok(lively)
}

/// Puts every file aside that will be replaced, and every file whose bytes will be needed under another name.
fn put_aside(plan: &Plan, snapshot: &Snapshot, root: &Root, store: &Store, steps: Steps<'_>) -> Result<()> {
    let (backwards, forwards) = (plan.made(Side::Before), plan.made(Side::After));
    for (place, entry) in plan.entries.iter().enumerate() {
        let name = PathBuf::from(place.to_string());
        if backwards.contains(&place) {
            steps();
            put_one_aside(root, &entry.path, snapshot, &store.before, &name)?;
        }
        if let Some((Source::Lower(origin), _)) = entry.bytes.as_ref().filter(|_| forwards.contains(&place)) {
            steps();
            put_one_aside(root, origin, snapshot, &store.after, &name)?;
        }
    }
    Ok(())
}

/// Gives a file a second name where nobody else comes, which costs nothing and keeps the very file. One that others may
/// write to under a further name is copied, and so is everything on another file system.
fn put_one_aside(root: &Root, path: &Path, snapshot: &Snapshot, shelf: &Root, name: &Path) -> Result<()> {
    let changed = || Error::Changed(vec![path.to_owned()]);
    let before = snapshot.stamp(path).ok_or_else(changed)?;
    let (parent, file_name) = root.parent(path).doing("put aside", path)?;
    let (aside, _) = shelf.parent(name).doing("put aside", path)?;
    let is_linked =
        before.links == 1 && rustix::fs::linkat(&*parent, file_name, &*aside, name, AtFlags::empty()).is_ok();
    if !is_linked {
        let node = root.node(path, before, Hashing::Skip).doing("read", path)?;
        let file = root.file(path).doing("read", path)?;
        make(&aside, name, &node, Some(&file), Reach::Ourselves).doing("put aside", path)?;
    }
    let now = stamp_in(&*parent, file_name).doing("look at", path)?;
    let put = stamp_in(&*aside, name.as_os_str()).doing("put aside", path)?;
    let is_same = now.inode == before.inode && now.size == before.size && now.modified == before.modified;
    let is_whole = put.size == before.size && put.modified == before.modified;
    if is_same && is_whole { Ok(()) } else { Err(changed()) }
}

fn take_over(plan: &Plan, root: &Root, store: &Store, markers: &Markers, steps: Steps<'_>) -> Result<()> {
    apply(plan, Side::After, root, store, &mut *steps)?;
    let root = root.opening();
    let kept = Kept(stamps(plan, &root, Side::After)?);
    sync(&root, plan.paths())?;
    drop(root);
    steps();
    codec::save_for_good(&markers.kept(), &kept)?;
    steps();
    drop(crate::Scratch::adopt(markers.directory().join("after")));
    drop(crate::Scratch::adopt(markers.directory().join("work")));
    Ok(())
}

/// More files are not waited for one by one.
const FEW: usize = 64;

/// Waits until these files and directories have reached the disk: one by one if they are few, or else everything that is on
/// the file system, in one call.
pub(crate) fn sync<'a>(root: &Root, paths: impl ExactSizeIterator<Item = &'a Path>) -> Result<()> {
    if paths.len() > FEW {
        return sync_all(root);
    }
    for path in paths {
        let shape = root.stamp(path).doing("look at", path)?.map(|stamp| stamp.shape);
        if !matches!(shape, Some(Shape::Directory | Shape::File)) {
            continue;
        }
        match root.open_at(path, OFlags::RDONLY | OFlags::NONBLOCK) {
            Ok(opened) => rustix::fs::fsync(opened).doing("write to disk", path)?,
            // It cannot be opened, but it must be written.
            Err(_) => return sync_all(root),
        }
    }
    Ok(())
}

pub(crate) fn sync_all(root: &Root) -> Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let opened = root.open_at(Path::new(""), flags).doing("write to disk", root.path())?;
    rustix::fs::syncfs(opened).doing("write to disk", root.path())
}

/// What was put aside.
fn sync_aside(shelf: &Root) -> Result<()> {
    let names = shelf.names(Path::new("")).doing("read", shelf.path())?;
    let top = std::ffi::OsString::new();
    sync(shelf, names.iter().chain([&top]).map(Path::new).collect::<Vec<_>>().into_iter())
}
