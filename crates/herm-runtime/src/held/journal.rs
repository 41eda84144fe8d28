//! What is about to be replaced, so that the next start can put it back where this one is killed in between.
//!
//! A journal lies in herm's own directory, locked by whoever works on it. Its first line says which names will be used, before any is; its second
//! one which files are new, before anything changes places; its third one that all of it is done. What is cut short after the first line is cleared
//! away, after the second one it is put back, after the third one what was there before is cleared away.

use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;
use serde_json::{Value, json};

use super::{Unheld, number, steady};
use crate::files;

/// What is about to be replaced.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    pub(super) file: File,
}

/// A file, and the names beside it that are used for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) beside: String,
    /// Where a file system cannot let two files change places.
    pub(super) aside: String,
    /// Whether there is a file already.
    pub(super) was_there: bool,
}

/// How the names begin that are used beside a file.
pub(super) const BESIDE: &str = ".herm-";

/// Which file is new: its device, and its number there.
pub(super) type New = Option<(u64, u64)>;

impl Journal {
    /// Says which names will be used, and which directories will be made.
    pub(super) fn begin(guard: &Path, entries: &[Entry], made: &[String]) -> io::Result<Self> {
        let shelf = shelf(guard);
        DirBuilder::new().recursive(true).mode(0o700).create(&shelf)?;
        let path = shelf.join(crate::identity::fresh());
        // Nobody sees to it before it is locked.
        let unlocked = path.with_extension(UNLOCKED);
        let file = File::options().create_new(true).append(true).mode(0o600).open(&unlocked)?;
        let mut journal = Self { path: unlocked.clone(), file };
        journal.file.lock()?;
        let entries: Vec<_> = entries.iter().map(Entry::to_json).collect();
        journal.add(&json!({ "files": entries, "made": made }))?;
        rustix::fs::rename(&unlocked, &path)?;
        sync(&shelf)?;
        journal.path = path;
        Ok(journal)
    }

    /// Says which files are new.
    pub(super) fn ready(&mut self, new: &[New]) -> io::Result<()> {
        self.add(&json!(new))
    }

    /// Says that everything is in its place.
    pub(super) fn done(&mut self) -> io::Result<()> {
        self.add(&json!("done"))
    }

    fn add(&mut self, line: &Value) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.sync_all()
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // One that stays is looked at by the next start, which finds nothing to do.
        let _ = rustix::fs::unlink(&self.path);
    }
}

/// How the name of a journal ends while it is made.
const UNLOCKED: &str = "new";

fn sync(directory: &Path) -> io::Result<()> {
    File::options().read(true).open(directory)?.sync_all()
}

fn shelf(guard: &Path) -> PathBuf {
    guard.join("edits")
}

/// Sees to what was cut short. What cannot be seen to now is left for the next time.
pub(crate) fn recover(guard: &Path) {
    let us = rustix::process::geteuid().as_raw();
    let is_ours = |path: &PathBuf| {
        path.extension().is_none() && files::owner(path).is_some_and(|(owner, _)| owner == us)
    };
    for path in files::list(&shelf(guard)).into_iter().filter(is_ours) {
        let Ok(file) = File::options().append(true).open(&path) else { continue };
        // Whoever works on it keeps it locked.
        if file.try_lock().is_ok() && text(&path).is_some_and(|text| settle(&text).is_ok()) {
            let _ = rustix::fs::unlink(&path);
        }
    }
}

/// The most that is read of a journal.
const LONGEST: u64 = 64 << 20;

fn text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    files::pieces(path, LONGEST, |piece| bytes.extend_from_slice(piece))?;
    String::from_utf8(bytes).ok()
}

/// A line without an end was not written before anything was done.
fn settle(text: &str) -> Result<(), Unheld> {
    let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let mut line = || lines.next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let Some(plan) = line() else { return Ok(()) };
    let (new, done) = (line(), line());
    let list = |key: &str| plan.get(key).and_then(Value::as_array).into_iter().flatten();
    let files = list("files").filter_map(Entry::from_json);
    for (at, entry) in files.enumerate() {
        let Some(directory) = directory(&entry)? else { continue };
        match (&new, &done) {
            (_, Some(_)) => clear(&directory, &entry)?,
            (Some(new), None) => put_back(&directory, &entry, new_of(new.get(at)))?,
            (None, None) => remove(&directory, &entry.beside)?,
        }
    }
    if done.is_none() {
        for made in list("made").rev().filter_map(Value::as_str) {
            // One that somebody has put something in stays.
            let _ = rustix::fs::rmdir(made);
        }
    }
    Ok(())
}

/// The directory that a file is in, unless it is gone or somewhere else by now.
fn directory(entry: &Entry) -> Result<Option<OwnedFd>, Unheld> {
    match Path::new(&entry.path).parent().map(steady) {
        Some(Ok(directory)) => Ok(Some(directory)),
        Some(Err(Unheld::Unsteady)) | None => Ok(None),
        Some(Err(why)) => Err(why),
    }
}

/// Removes what was there before.
fn clear(directory: &OwnedFd, entry: &Entry) -> Result<(), Unheld> {
    remove(directory, &entry.beside)?;
    remove(directory, &entry.aside)
}

/// Puts back what was there before. What others have put there since is theirs.
fn put_back(directory: &OwnedFd, entry: &Entry, new: New) -> Result<(), Unheld> {
    let name = entry.path.rsplit('/').next().unwrap_or_default();
    let beside = [&entry.beside, &entry.aside];
    let place = at(directory, name)?;
    let mut old = None;
    for name in beside {
        if at(directory, name)?.is_some_and(|found| Some(found) != new) {
            old = Some(name);
        }
    }
    let is_taken = place == new;
    match old {
        Some(old) if is_taken => {
            let flags = if place.is_none() { RenameFlags::NOREPLACE } else { RenameFlags::empty() };
            rustix::fs::renameat_with(directory, old, directory, name, flags)?;
        }
        None if is_taken && place.is_some() && !entry.was_there => remove(directory, name)?,
        Some(_) | None => {}
    }
    for name in beside {
        let found = at(directory, name)?;
        // The second name of what is in its place is none that is needed.
        if found.is_some() && (found == new || found == at(directory, name)?) {
            remove(directory, name)?;
        }
    }
    Ok(())
}

fn at(directory: &OwnedFd, name: &str) -> Result<New, Errno> {
    match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(Some(number(&found))),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

fn remove(directory: &OwnedFd, name: &str) -> Result<(), Unheld> {
    match rustix::fs::unlinkat(directory, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

fn new_of(value: Option<&Value>) -> New {
    let pair = value?.as_array()?;
    Some((pair.first()?.as_u64()?, pair.get(1)?.as_u64()?))
}

impl Entry {
    fn to_json(&self) -> Value {
        json!({ "path": self.path, "beside": self.beside, "aside": self.aside, "was_there": self.was_there })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        // Nothing but names that herm makes up is removed, whoever wrote this.
        let name = |key: &str| text(key).filter(|name| name.starts_with(BESIDE) && !name.contains('/'));
        let (path, beside, aside) = (text("path")?, name("beside")?, name("aside")?);
        Some(Self { path, beside, aside, was_there: value.get("was_there")?.as_bool()? })
    }
}
