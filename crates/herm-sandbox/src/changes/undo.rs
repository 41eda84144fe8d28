//! Takes a kept run back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::apply::Steps;
use super::attempt::About;
use super::beneath::Root;
use super::codec;
use super::error::{Doing, Error, Result};
use super::journal::{Kept, Markers};
use super::node::{Content, Digest, Stamp};
use super::plan::{Plan, Side};
use super::rescue::Left;
use super::tries::{Status, Tries};

/// What was taken back.
#[derive(Debug)]
pub struct Undone {
    /// Where.
    pub workspace: PathBuf,
    /// The paths that are as they were before the run.
    pub paths: Vec<PathBuf>,
    /// Paths that somebody changed in this very moment, and that were left to them.
    pub left: Vec<Left>,
}

impl Tries {
    /// Takes the kept run `id` back: contents, modes, times, links and deleted trees are as they were before it.
    ///
    /// # Errors
    /// When later edits would be lost: then nothing is changed, and [`Tries::edits`] shows them. And when there is no such
    /// run, or the machine refuses.
    pub fn undo(&self, id: &str, steps: Steps<'_>) -> Result<Undone> {
        let _door = self.door()?;
        self.recover_workspace(&self.about(id)?.workspace, &mut *steps)?;
        let run = Run::load(self, id)?;
        let edited = run.edited()?;
        if !edited.is_empty() {
            return Err(Error::Edited(edited));
        }
        let lively = run.lively()?;
        let Run { about, mut plan, root, directory, .. } = run;
        let root = root.closing();
        codec::save_for_good(&Markers::new(&directory).undo(), &lively.iter().cloned().collect::<Vec<_>>())?;
        plan.lively = lively;
        let left = self.bring_back(id, &about, &plan, &root, &mut *steps)?;
        steps();
        self.remove(id)?;
        let is_left = |path: &PathBuf| left.iter().any(|left| left.path == *path);
        let paths = plan.entries.into_iter().map(|entry| entry.path).filter(|path| !is_left(path)).collect();
        Ok(Undone { workspace: about.workspace, paths, left })
    }

    /// The kept run that was begun last in a workspace.
    ///
    /// # Errors
    /// When the tries cannot be read.
    pub fn last_kept(&self, workspace: &Path) -> Result<Option<String>> {
        let listed = self.list()?.into_iter().rev();
        let mut kept = listed.filter(|listed| listed.status == Status::Kept && listed.workspace == workspace);
        Ok(kept.next().map(|listed| listed.id))
    }
}

/// A run that was kept.
pub(super) struct Run {
    pub(super) about: About,
    pub(super) plan: Plan,
    kept: Kept,
    pub(super) root: Root,
    pub(super) directory: PathBuf,
}

impl Run {
    pub(super) fn load(tries: &Tries, id: &str) -> Result<Self> {
        let about = tries.about(id)?;
        let kept: Kept = tries.read(id, "kept")?.ok_or_else(|| tries.unkept(id))?;
        let plan = tries.plan(id)?;
        let root = Root::open(&about.workspace).doing("open", &about.workspace)?.opening();
        Ok(Self { about, plan, kept, root, directory: tries.place(id)? })
    }

    /// The paths that somebody worked on after the run was kept, and that stand in the way of taking it back.
    pub(super) fn edited(&self) -> Result<Vec<PathBuf>> {
        let mut edited = Vec::new();
        for (path, stamp) in &self.kept.0 {
            let now = self.root.stamp(path).doing("look at", path)?;
            if !self.is_as_kept(path, stamp.as_ref(), now.as_ref())? {
                edited.push(path.clone());
            }
        }
        edited.extend(self.plan.strays(&self.root, Side::Before)?);
        edited.sort();
        edited.dedup();
        Ok(edited)
    }

    /// Whether a path is as keeping left it. A file of which only the time of change is another, because somebody gave it a
    /// second name or touched and restored it, is looked into.
    fn is_as_kept(&self, path: &Path, kept: Option<&Stamp>, now: Option<&Stamp>) -> Result<bool> {
        let (kept, now) = match (kept, now) {
            (None, None) => return Ok(true),
            (Some(kept), Some(now)) => (kept, now),
            (Some(_), None) => return self.can_be_made_again(path),
            (None, Some(_)) => return Ok(false),
        };
        if kept.still(now) {
            return Ok(true);
        }
        let is_alike = Stamp { changed: kept.changed, links: kept.links, ..*now } == *kept;
        let Some(entry) = self.plan.entry(path).filter(|_| is_alike) else { return Ok(false) };
        let Some(node) = &entry.after else { return Ok(false) };
        let has_its_bytes = match &node.content {
            Content::File { digest: Some(digest), .. } => {
                let (_, found) = self.root.file(path).and_then(Digest::of).doing("read", path)?;
                found == *digest
            }
            // The way back does not touch the bytes of what stays.
            Content::File { digest: None, .. } => entry.stays,
            Content::Directory | Content::Special(_) | Content::Symlink(_) => false,
        };
        Ok(has_its_bytes && self.root.attributes(path).doing("read", path)? == node.attributes)
    }

    /// What is gone holds no edit that would be lost. What stood there before can be made again where the directory is still
    /// what it was, or is made again itself.
    fn can_be_made_again(&self, path: &Path) -> Result<bool> {
        let has_predecessor = self.plan.entry(path).is_some_and(|entry| entry.before.is_some());
        let Some(parent) = path.parent().filter(|_| has_predecessor) else { return Ok(true) };
        let found = self.root.stamp(parent).doing("look at", parent)?;
        Ok(found.map_or_else(|| self.plan.entry(parent).is_some(), |stamp| stamp.is_directory()))
    }

    /// Directories that somebody else has worked in since.
    fn lively(&self) -> Result<BTreeSet<PathBuf>> {
        let mut lively = BTreeSet::new();
        for (path, stamp) in &self.kept.0 {
            let Some(stamp) = stamp.filter(Stamp::is_directory) else { continue };
            let now = self.root.stamp(path).doing("look at", path)?;
            if now.is_some_and(|now| now.modified != stamp.modified) {
                lively.insert(path.clone());
            }
        }
        Ok(lively)
    }
}
