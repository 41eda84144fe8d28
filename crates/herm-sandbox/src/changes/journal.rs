//! What survives a crash, and what is done about it afterwards.

use std::path::{Path, PathBuf};

use super::apply::{Steps, apply};
use super::attempt::{About, store};
use super::beneath::Root;
use super::codec::{self, Record};
use super::error::{Doing, Error, Result};
use super::keep::{clear_aside, sync};
use super::node::Stamp;
use super::plan::{Plan, Side};
use super::rescue::Left;
use super::snapshot::Snapshot;
use super::tries::Tries;

/// The files of a try that say how far it got.
#[derive(Debug)]
pub(crate) struct Markers(PathBuf);

impl Markers {
    pub(crate) fn new(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.0
    }

    pub(crate) fn plan(&self) -> PathBuf {
        self.0.join("plan")
    }

    pub(crate) fn kept(&self) -> PathBuf {
        self.0.join("kept")
    }

    pub(crate) fn undo(&self) -> PathBuf {
        self.0.join("undo")
    }

    pub(crate) fn has_plan(&self) -> bool {
        self.plan().exists()
    }

    /// For whoever holds the door: somebody began to change the workspace and did not come to an end.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.undo().exists() || (self.has_plan() && !self.kept().exists())
    }
}

/// What keeping left at every path of the plan.
#[derive(Debug)]
pub(crate) struct Kept(pub(crate) Vec<(PathBuf, Option<Stamp>)>);

impl Record for Kept {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Record::read(input).map(Self)
    }
}

/// What stands at every path of a plan, which must be what the plan says.
pub(crate) fn stamps(plan: &Plan, root: &Root, side: Side) -> Result<Vec<(PathBuf, Option<Stamp>)>> {
    root.forget();
    let mut stamps = Vec::new();
    for entry in &plan.entries {
        let stamp = root.stamp(&entry.path).doing("look at", &entry.path)?;
        let wanted = entry.node(side).map(|node| node.content.shape());
        if stamp.map(|stamp| stamp.shape) != wanted {
            return Err(Error::Changed(vec![entry.path.clone()]));
        }
        stamps.push((entry.path.clone(), stamp));
    }
    Ok(stamps)
}

/// What became of a try that was cut short.
#[derive(Debug)]
pub struct Recovery {
    /// Which one.
    pub id: String,
    /// Where.
    pub workspace: PathBuf,
    /// What was done.
    pub outcome: Recovered,
    /// Paths that somebody else had changed since, and that were left to them.
    pub left: Vec<Left>,
}

/// What was done about a try that was cut short.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Recovered {
    /// It was being kept; the workspace is as it was, and the try can be kept again.
    RolledBack,
    /// It was being taken back, and now is.
    Undone,
}

impl Tries {
    /// Sees to everything that was cut short, try by try. To be called when the guard starts; keeping and undoing begin with
    /// it as well, for their workspace. What cannot be put back is tried again the next time, until it is
    /// [given up](Tries::give_up).
    ///
    /// # Errors
    /// When the tries cannot be read. Each has an answer of its own besides.
    pub fn recover(&self, steps: Steps<'_>) -> Result<Vec<(String, Result<Recovery>)>> {
        let _door = self.door()?;
        let mut answers = Vec::new();
        for id in self.names()? {
            let answer = self.see_to(&id, &mut *steps).transpose();
            answers.extend(answer.map(|answer| (id, answer)));
        }
        Ok(answers)
    }

    /// Whoever holds the door is alone, so what looks cut short is. Nothing is begun on a workspace that is half changed.
    pub(crate) fn recover_workspace(&self, workspace: &Path, steps: Steps<'_>) -> Result<()> {
        for id in self.names()? {
            let about: Option<About> = self.read(&id, "about").ok().flatten();
            if about.is_some_and(|about| about.workspace == workspace) {
                self.see_to(&id, &mut *steps)?.into_iter().for_each(|recovery| self.hear(recovery));
            }
        }
        Ok(())
    }

    /// Sees to one try.
    pub(crate) fn recover_one(&self, id: &str) -> Result<()> {
        let _door = self.door()?;
        self.see_to(id, &mut || {})?.into_iter().for_each(|recovery| self.hear(recovery));
        Ok(())
    }

    fn see_to(&self, id: &str, steps: Steps<'_>) -> Result<Option<Recovery>> {
        let markers = Markers::new(&self.place(id)?);
        if !markers.is_cut_short() {
            return Ok(None);
        }
        let is_undo = markers.undo().exists();
        if is_undo { self.finish_undo(id, steps) } else { self.roll_back(id, steps) }.map(Some)
    }

    /// Puts the workspace back to what it was before a try was being kept.
    pub(crate) fn roll_back(&self, id: &str, steps: Steps<'_>) -> Result<Recovery> {
        let (about, plan) = (self.about(id)?, self.plan(id)?);
        let left = self.go_back(id, &about, &plan, &mut *steps)?;
        let directory = self.place(id)?;
        self.renew(id, &about, &plan, &left)?;
        steps();
        remove(&Markers::new(&directory).plan())?;
        clear_aside(&directory);
        // What was put aside and came back had two names until now.
        self.renew(id, &about, &plan, &left)?;
        Ok(Recovery { id: id.to_owned(), workspace: about.workspace, outcome: Recovered::RolledBack, left })
    }

    /// What is there now is how the workspace stood, only with other numbers.
    fn renew(&self, id: &str, about: &About, plan: &Plan, left: &[Left]) -> Result<()> {
        let root = Root::open(&about.workspace).doing("open", &about.workspace)?.opening();
        let Some(mut snapshot) = self.read::<Snapshot>(id, "lower")? else { return Ok(()) };
        let is_left = |path: &Path| left.iter().any(|left| left.path == path);
        for entry in plan.entries.iter().filter(|entry| entry.before.is_some() && !is_left(&entry.path)) {
            if let Some(stamp) = root.stamp(&entry.path).doing("look at", &entry.path)? {
                snapshot.renew(&entry.path, stamp);
            }
        }
        codec::save(&self.place(id)?.join("lower"), &snapshot)
    }

    pub(crate) fn finish_undo(&self, id: &str, steps: Steps<'_>) -> Result<Recovery> {
        let (about, mut plan) = (self.about(id)?, self.plan(id)?);
        let lively: Option<Vec<PathBuf>> = self.read(id, "undo")?;
        plan.lively = lively.into_iter().flatten().collect();
        let left = self.go_back(id, &about, &plan, &mut *steps)?;
        steps();
        self.remove(id)?;
        Ok(Recovery { id: id.to_owned(), workspace: about.workspace, outcome: Recovered::Undone, left })
    }

    fn go_back(&self, id: &str, about: &About, plan: &Plan, steps: Steps<'_>) -> Result<Vec<Left>> {
        let root = Root::open(&about.workspace).doing("open", &about.workspace)?;
        self.bring_back(id, about, plan, &root, steps)
    }

    /// Makes the workspace what it was before. What somebody else has changed is left to them, and its originals are saved:
    /// after this nobody needs the try for its bytes any more.
    pub(crate) fn bring_back(
        &self,
        id: &str,
        about: &About,
        plan: &Plan,
        root: &Root,
        steps: Steps<'_>,
    ) -> Result<Vec<Left>> {
        let store = store(&self.place(id)?, about.is_copy)?;
        let left = apply(plan, Side::Before, root, &store, &mut *steps)?;
        sync(&root.opening(), plan.paths())?;
        self.rescue(id, plan, &store, left, steps)
    }

    pub(crate) fn about(&self, id: &str) -> Result<About> {
        self.read(id, "about")?.ok_or_else(|| Error::Unknown(id.to_owned()))
    }

    pub(crate) fn plan(&self, id: &str) -> Result<Plan> {
        self.read(id, "plan")?.ok_or_else(|| Error::Unknown(id.to_owned()))
    }
}

#[expect(clippy::disallowed_methods, reason = "a journal that was carried out is removed")]
fn remove(path: &Path) -> Result<()> {
    std::fs::remove_file(path).doing("remove", path)
}
