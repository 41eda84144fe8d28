//! Files put in the place of others: all of them, or none.
//!
//! What is new is beside what is old before anything changes. Each pair then changes places, so that what was there is beside it afterwards, and is
//! compared with what was shown when it was asked about. If it is something else, or anything fails, everything goes back; if herm is killed
//! meanwhile, the next start sees to that.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;

use herm::edit::Change;
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::journal::{BESIDE, Entry, Journal, New};
use super::staged::{Staged, directory, sync};
use super::{Held, Unheld};

/// Why nothing was replaced.
#[derive(Debug)]
pub(crate) struct Unreplaced {
    path: String,
    why: Unheld,
    /// What could not be put back, and under which name it lies beside its place.
    stuck: Vec<String>,
}

impl fmt::Display for Unreplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be replaced: {}; nothing was changed", self.path, self.why)?;
        if !self.stuck.is_empty() {
            write!(f, ", but for what could not be put back: {}", self.stuck.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Unreplaced {}

/// Puts what the changes say in the place of what is held, one for one. What stays as it is is not touched. What is about to happen is written
/// down in herm's own directory first.
pub(crate) fn replace(files: &[Held], changes: &[Change], guard: &Path) -> Result<(), Unreplaced> {
    let Some((first, _)) = pairs(files, changes).next() else { return Ok(()) };
    let unrecorded = |error| Unreplaced::at(first, Unheld::Unrecorded(error));
    let entries: Vec<_> = pairs(files, changes).map(|(held, change)| entry(held, change)).collect();
    let lacking: Vec<_> = pairs(files, changes).flat_map(|(held, _)| lacking(held)).collect();
    let mut journal = Journal::begin(guard, &entries, &lacking).map_err(unrecorded)?;
    let mut made = Made::default();
    let mut directories = Vec::new();
    for (held, _) in pairs(files, changes) {
        directories.push(made.directory(held).map_err(|why| Unreplaced::at(held, why))?);
    }
    let mut steps = Vec::new();
    for (((held, change), directory), entry) in pairs(files, changes).zip(&directories).zip(&entries) {
        steps.push(Step::new(held, change, directory, entry).map_err(|why| Unreplaced::at(held, why))?);
    }
    journal.ready(&steps.iter().map(|step| step.new).collect::<Vec<_>>()).map_err(unrecorded)?;
    take(&mut steps)?;
    // Otherwise the next start would put it back: it is better done now.
    if let Err(error) = journal.done() {
        let stuck = steps.iter_mut().rev().filter_map(Step::take_back).collect();
        return Err(Unreplaced { stuck, ..unrecorded(error) });
    }
    drop(steps);
    made.keep();
    // What is in its place is there whether or not the disk knows it yet.
    for directory in &directories {
        let _ = sync(directory);
    }
    Ok(())
}

fn pairs<'a>(files: &'a [Held], changes: &'a [Change]) -> impl Iterator<Item = (&'a Held, &'a Change)> {
    files.iter().zip(changes).filter(|(_, change)| change.is_one())
}

/// The names that a change will use.
fn entry(held: &Held, change: &Change) -> Entry {
    let name = || format!("{BESIDE}{}", crate::identity::fresh());
    Entry { path: held.path.clone(), beside: name(), aside: name(), was_there: change.before.is_some() }
}

/// The directories that would have to be made for a file.
fn lacking(held: &Held) -> Vec<String> {
    let mut path = held.directory_path.clone();
    let below = held.missing.iter().map(|part| {
        path.push(part);
        path.display().to_string()
    });
    below.collect()
}

/// Takes every step, or none.
fn take(steps: &mut [Step<'_>]) -> Result<(), Unreplaced> {
    let failed = steps.iter_mut().find_map(|step| Some((step.take().err()?, step.held)));
    let failed = failed.or_else(|| steps.iter().find_map(|step| Some((step.compare().err()?, step.held))));
    let Some((why, held)) = failed else { return Ok(()) };
    let stuck = steps.iter_mut().rev().filter_map(Step::take_back).collect();
    Err(Unreplaced { stuck, ..Unreplaced::at(held, why) })
}

impl Unreplaced {
    fn at(held: &Held, why: Unheld) -> Self {
        Self { path: held.path.clone(), why, stuck: Vec::new() }
    }
}

/// One file, and what becomes of it.
#[derive(Debug)]
struct Step<'a> {
    held: &'a Held,
    change: &'a Change,
    directory: &'a OwnedFd,
    /// What is new before the step is taken, and what was old afterwards.
    beside: Staged<'a>,
    /// What the old one is called where the two cannot change places.
    aside: &'a str,
    /// Which file is new.
    new: New,
    is_taken: bool,
}

impl<'a> Step<'a> {
    fn new(
        held: &'a Held,
        change: &'a Change,
        directory: &'a OwnedFd,
        entry: &'a Entry,
    ) -> Result<Self, Unheld> {
        let mut beside = Staged::named(directory, &entry.beside);
        let new = change.after.as_ref().map(|content| beside.write(held, content)).transpose()?;
        Ok(Self { held, change, directory, beside, aside: &entry.aside, new, is_taken: false })
    }

    fn take(&mut self) -> Result<(), Unheld> {
        match (&self.change.before, &self.change.after) {
            (Some(_), Some(_)) => self.exchange()?,
            (Some(_), None) => self.rename(Side::Place, RenameFlags::NOREPLACE)?,
            (None, Some(_)) => self.rename(Side::Beside, RenameFlags::NOREPLACE)?,
            (None, None) => return Err(Unheld::Unsteady),
        }
        self.beside.set(self.change.before.is_some());
        self.is_taken = true;
        Ok(())
    }

    /// Where a file system cannot let two files change places, the old one gets a second name before the first is taken from it.
    fn exchange(&mut self) -> Result<(), Unheld> {
        match self.rename(Side::Beside, RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            answer => return Ok(answer?),
        }
        let mut aside = Staged::named(self.directory, self.aside);
        let (place, name) = (&self.held.name, aside.name.as_str());
        rustix::fs::linkat(self.directory, place, self.directory, name, AtFlags::empty())?;
        aside.set(true);
        self.rename(Side::Beside, RenameFlags::empty())?;
        self.beside.set(false);
        self.beside = aside;
        Ok(())
    }

    fn rename(&self, from: Side, flags: RenameFlags) -> Result<(), Errno> {
        let (beside, place) = (OsString::from(&self.beside.name), self.held.name.clone());
        let (old, new) = match from {
            Side::Beside => (beside, place),
            Side::Place => (place, beside),
        };
        rustix::fs::renameat_with(self.directory, old, self.directory, new, flags)
    }

    /// Whether what was there is what was shown.
    fn compare(&self) -> Result<(), Unheld> {
        let Some(before) = &self.change.before else { return Ok(()) };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let found = rustix::fs::openat(self.directory, self.beside.name.as_str(), flags, Mode::empty());
        let found = File::from(found.map_err(|_| Unheld::Unsteady)?);
        let most = u64::try_from(before.len()).unwrap_or(u64::MAX).saturating_add(1);
        let mut bytes = Vec::new();
        found.take(most).read_to_end(&mut bytes).map_err(Unheld::Closed)?;
        if bytes == *before { Ok(()) } else { Err(Unheld::Unsteady) }
    }

    /// Undoes the step if it was taken; says what it could not put back.
    fn take_back(&mut self) -> Option<String> {
        if !std::mem::take(&mut self.is_taken) {
            return None;
        }
        let undone = match (&self.change.before, &self.change.after) {
            (None, _) => rustix::fs::unlinkat(self.directory, &self.held.name, AtFlags::empty()),
            (Some(_), Some(_)) => self.rename(Side::Beside, RenameFlags::empty()),
            (Some(_), None) => self.rename(Side::Beside, RenameFlags::NOREPLACE),
        };
        // What could not go back to its place must not be removed.
        self.beside.set(false);
        undone.err().map(|_| format!("`{}` in `{}`", self.beside.name, self.held.directory_path.display()))
    }
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Beside,
    Place,
}

/// Directories that were made, and go away again unless they are kept.
#[derive(Debug, Default)]
struct Made(Vec<(OwnedFd, OsString)>);

impl Made {
    fn directory(&mut self, held: &Held) -> Result<OwnedFd, Unheld> {
        let (directory, made) = directory(held)?;
        self.0.extend(made);
        Ok(directory)
    }

    fn keep(&mut self) {
        self.0.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for (above, name) in self.0.iter().rev() {
            // One that somebody has put something in stays.
            let _ = rustix::fs::unlinkat(above, name, AtFlags::REMOVEDIR);
        }
    }
}

/// Does as much as a process that is killed after so many steps, and leaves everything as that would.
#[cfg(test)]
pub(super) fn cut_short(files: &[Held], changes: &[Change], guard: &Path, most: usize) {
    let entries: Vec<_> = pairs(files, changes).map(|(held, change)| entry(held, change)).collect();
    let lacking: Vec<_> = pairs(files, changes).flat_map(|(held, _)| lacking(held)).collect();
    let mut journal = Journal::begin(guard, &entries, &lacking).unwrap();
    let mut made = Made::default();
    let directories: Vec<_> = pairs(files, changes).map(|(held, _)| made.directory(held).unwrap()).collect();
    let prepared = pairs(files, changes).zip(&directories).zip(&entries);
    let mut steps: Vec<_> = prepared
        .map(|(((held, change), directory), entry)| Step::new(held, change, directory, entry).unwrap())
        .collect();
    if most > 0 {
        journal.ready(&steps.iter().map(|step| step.new).collect::<Vec<_>>()).unwrap();
    }
    for step in steps.iter_mut().take(most.saturating_sub(1)) {
        step.take().unwrap();
    }
    if most > 5 {
        journal.done().unwrap();
    }
    // Who is killed clears nothing away, and keeps nothing locked.
    journal.file.unlock().unwrap();
    std::mem::forget((journal, steps, made));
}
