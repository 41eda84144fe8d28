//! What git goes into from a repository that was there before, and links in it by which it would write somewhere else.

use std::collections::BTreeSet;
use std::os::fd::{AsRawFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::aside::Tag;
use super::place::Place;
use super::remains::{Company, Remains, Settings};
use super::{Became, Guarded, MayBe, Moment, Root, SetAside};
use crate::native::Known;
use crate::native::linked::{Stamp, Walk};
use crate::native::since::Since;
use crate::native::strays::{Planted, Search, Strays};
use crate::native::survey::Survey;

/// What git goes into from repositories that were there before, and what of it had to go.
#[derive(Debug, Default)]
pub(super) struct Links {
    known: Vec<Known>,
    roots: Vec<Root>,
    tag: Option<Tag>,
    /// Where something was before that makes others run code, or could have been.
    before: Vec<PathBuf>,
    /// What other repositories said before.
    settings: Settings,
    /// Where links are looked for, and which were there before.
    strays: Option<(Search, Strays)>,
    seen: Mutex<Seen>,
}

/// What was seen the last time.
#[derive(Debug, Default)]
struct Seen {
    looked: Option<Instant>,
    /// How long it took.
    took: Duration,
    indexes: Vec<Stamp>,
    /// Whether there are repositories whose settings can be changed without any index being.
    has_loose: bool,
    /// What would have git write somewhere else.
    stray: Planted,
    /// What had to go, each in its directory.
    gone: Vec<(PathBuf, Place)>,
    /// What is still there.
    stays: BTreeSet<PathBuf>,
    /// What is still in the way of looking at all of it.
    in_the_way: Option<PathBuf>,
}

/// How often something is set aside until all can be looked at.
const ROUNDS: usize = 16;

/// How often git may be led astray: an editor asks it whenever an index changes.
const PAUSE: Duration = Duration::from_millis(200);

impl Links {
    pub(super) fn new(names: &[Guarded], known: Vec<Known>, tag: Tag) -> Self {
        let has_loose = known.iter().any(Known::names_others);
        let seen = Mutex::new(Seen {
            indexes: known.iter().map(Known::index).collect(),
            has_loose,
            ..Seen::default()
        });
        let before = names.iter().map(|name| name.path.clone()).collect();
        Self {
            known,
            tag: Some(tag),
            before,
            seen,
            strays: None,
            roots: Vec::new(),
            settings: Settings::default(),
        }
    }

    pub(super) fn add(&mut self, root: Root) {
        self.roots.push(root);
    }

    /// Remembers the links that are there before anything runs; where that cannot be known, if so.
    pub(super) fn remember(&mut self) -> Result<(), PathBuf> {
        let known = self.known.iter().map(|known| known.repository.clone());
        let search = Search::new(known, self.paths());
        let before = search.before()?;
        let workspace = self.roots.iter().find(|root| root.is_workspace);
        self.settings = workspace.map(|root| Settings::of(&root.path)).unwrap_or_default();
        self.strays = Some((search, before));
        Ok(())
    }

    /// What is left further down, by a run that began so long ago, beside what was set aside already.
    pub(super) fn remains(&self, since: Since, asides: Vec<PathBuf>, company: Company) -> Vec<SetAside> {
        self.tag
            .map(|tag| {
                Remains::new(since, tag, (&self.known, &self.settings), &self.roots, (asides, company))
                    .settle()
            })
            .unwrap_or_default()
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.roots.iter().map(|root| root.path.clone()).collect()
    }

    fn stray(&self) -> Planted {
        self.strays.as_ref().map(|(search, before)| search.planted(before)).unwrap_or_default()
    }

    pub(super) fn descriptors(&self) -> impl Iterator<Item = RawFd> {
        self.roots.iter().map(|root| root.file.as_raw_fd())
    }

    /// Looks if something may have changed, and not too often.
    pub(super) fn glance(&self) {
        // Whoever changes a long index over and over must not keep herm busy with it.
        let is_due =
            |seen: &Seen| seen.looked.is_none_or(|looked| looked.elapsed() >= PAUSE.max(seen.took * 20));
        let mut seen = self.seen();
        if is_due(&seen) {
            let begun = Instant::now();
            // Git makes a link for a moment to see whether it can, and so do others before they rename it.
            let stray = self.stray();
            let stayed = stray.also_in(&seen.stray);
            seen.stray = stray;
            let has_changed = seen.has_loose || seen.indexes != self.indexes() || !stayed.is_empty();
            (seen.looked, seen.took) = (Some(begun), begun.elapsed());
            drop(seen);
            if has_changed {
                self.remove_all(stayed);
            }
        }
    }

    /// Sets aside what makes git run code, or write somewhere else.
    pub(super) fn check(&self) {
        self.remove_all(self.stray());
    }

    fn remove_all(&self, stray: Planted) {
        let roots = self.paths();
        let begun = Instant::now();
        let indexes = self.indexes();
        let walk = Walk::through(&self.known, &roots);
        let Planted { links, unseen } = stray;
        let mut seen = self.seen();
        (seen.looked, seen.took) = (Some(begun), begun.elapsed());
        seen.indexes = indexes;
        seen.has_loose = walk.loose > 0 || self.known.iter().any(Known::names_others);
        let kinds = [
            (links, MayBe::AnythingButALink, self.tag.map(Tag::never_written)),
            (unseen, MayBe::Nothing, self.tag.map(Tag::never_written)),
            (walk.planted, MayBe::Nothing, self.tag),
        ];
        seen.stays.clear();
        for (paths, may_be, tag) in kinds {
            for path in paths {
                let guarded = Guarded { path, may_be: may_be.clone() };
                if !self.remove(&guarded, tag, &mut seen.gone) {
                    seen.stays.insert(guarded.path);
                }
            }
        }
    }

    /// Sets aside what nobody could look at, which would keep anything else from running here.
    pub(super) fn tidy(&self) {
        let Some(root) = self.roots.first().filter(|root| root.is_workspace) else { return };
        let is_history = |root: &&Root| self.is_known(&root.path);
        let history = self.roots.iter().skip(1).find(is_history).map(|root| root.path.as_path());
        let is_new = |path: &Path| !self.before.iter().any(|before| before.starts_with(path));
        for round in 0..ROUNDS {
            let survey = Survey::again(&root.path, history, &self.known);
            let one = survey.in_the_way(&is_new);
            // Where there is one after the other, all of them go.
            let all = survey.shelf().filter(|_| round >= ROUNDS / 2).map(Path::to_owned);
            let mut seen = self.seen();
            seen.in_the_way = all.or(one).filter(|path| {
                let guarded = Guarded { path: path.clone(), may_be: MayBe::Nothing };
                !self.remove(&guarded, self.tag, &mut seen.gone)
            });
            if survey.unknowable.is_none() || seen.in_the_way.is_some() {
                return;
            }
        }
    }

    fn indexes(&self) -> Vec<Stamp> {
        let made = self.roots.iter().map(|root| root.path.join(".git")).filter(|made| !self.is_known(made));
        let known = self.known.iter().map(|known| Stamp::of(&known.repository));
        known.chain(made.map(|made| Stamp::of(&made)).filter(|stamp| *stamp != Stamp::default())).collect()
    }

    fn is_known(&self, repository: &Path) -> bool {
        self.known.iter().any(|known| known.repository == repository)
    }

    /// Whether something is gone now.
    fn remove(&self, guarded: &Guarded, tag: Option<Tag>, gone: &mut Vec<(PathBuf, Place)>) -> bool {
        let path = &guarded.path;
        match gone.iter_mut().find(|(known, _)| known == path) {
            // It may have been something else then.
            Some((_, place)) => drop(place.add(guarded, Moment::End)),
            None => gone.extend(self.place(guarded, tag).map(|place| (path.clone(), place))),
        }
        for (_, place) in gone.iter().filter(|(known, _)| known == path) {
            place.sweep(Moment::End);
        }
        let may_be_there = guarded.may_be == MayBe::AnythingButALink;
        !path.is_symlink() && (may_be_there || !path.exists())
    }

    fn place(&self, guarded: &Guarded, tag: Option<Tag>) -> Option<Place> {
        let above = guarded.path.parent()?;
        let root = self.roots.iter().find(|root| above.starts_with(&root.path))?;
        let mut place = Place::new(root, above, tag?)?;
        place.add(guarded, Moment::End)?;
        Some(place)
    }

    /// What was set aside, and what could not be.
    pub(super) fn found(&self) -> Vec<SetAside> {
        let seen = self.seen();
        let stays = seen
            .stays
            .iter()
            .chain(&seen.in_the_way)
            .map(|path| SetAside { path: path.clone(), became: Became::Stays });
        seen.gone.iter().flat_map(|(_, place)| place.moved()).chain(stays).collect()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
