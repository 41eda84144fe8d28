//! Where tries live: `tries/ID/` under the guard's home, each for its owner alone.
//!
//! | file | what it says |
//! |---|---|
//! | `about` | which workspace, and on what ground |
//! | `claim` | locked by the process that works with the try |
//! | `lower` | how the workspace stood when the try began |
//! | `upper/` `work/` | what an overlay writes to |
//! | `copy/` `made` | a private copy, and how it stood when it was made |
//! | `before/` `after/` | bytes that were put aside for the way back, and for the way there |
//! | `plan` | keeping has begun |
//! | `kept` | keeping is complete, and this is what it left |
//! | `undo` | taking it back has begun |
//!
//! Each of the last three is written in one step and reaches the disk before anything is done that it announces. So whoever
//! comes after a crash knows what to do: a `plan` without `kept` is rolled back, an `undo` is finished.
//! What could not go back to its place lies in `rescued/ID/` beside `tries/`.
//! `door`, beside them, is locked by whoever changes a workspace, one at a time.

use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::attempt::{About, Try, Wish};
use super::codec;
use super::error::{Doing, Error, Result};
use super::journal::{Markers, Recovery};
use super::overlay::{Bounds, Standing};

/// All tries under one home.
#[derive(Clone, Debug)]
pub struct Tries {
    shelf: PathBuf,
    /// What was put right in passing.
    heard: Arc<Mutex<Vec<Recovery>>>,
}

/// One of them, as a list shows it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Listed {
    /// The name that it was given.
    pub id: String,
    /// Where it was tried.
    pub workspace: PathBuf,
    /// When it began, in seconds since 1970.
    pub begun: u64,
    /// How far it got.
    pub status: Status,
    /// How much room it takes, in bytes.
    pub bytes: u64,
}

/// How far a try got.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    /// A process works with it.
    Busy,
    /// It was cut short while it was being kept or taken back: [`Tries::recover`] sees to it.
    Interrupted,
    /// It was kept, and can be taken back.
    Kept,
    /// It was neither kept nor discarded, and nobody works with it.
    Waiting,
}

impl Status {
    /// One word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Interrupted => "interrupted",
            Self::Kept => "kept",
            Self::Waiting => "waiting",
        }
    }
}

/// How many kept runs can be taken back.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// At most so many.
    pub count: usize,
    /// And not more bytes for all of them together.
    pub bytes: u64,
    /// And for so long.
    pub age: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self { count: 50, bytes: 2 << 30, age: Duration::from_hours(30 * 24) }
    }
}

pub(crate) const PRIVATE: u32 = 0o700;

/// A try that is being removed has this before its name.
const GONE: &str = ".gone-";

/// How long somebody who wants to change a workspace waits for another, and how often they look.
const PATIENCE: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(10);

/// How long a look at a claim may take.
const GLANCE: Duration = Duration::from_millis(200);

/// The longest name of a try.
const LONGEST: usize = 128;

impl Tries {
    /// Opens the place for tries under the guard's home, and makes it if it is not there.
    ///
    /// # Errors
    /// When it cannot be made, or belongs to somebody else.
    #[expect(clippy::disallowed_methods, reason = "the one place where tries are kept")]
    pub fn open(home: &Path) -> Result<Self> {
        let shelf = home.join("tries");
        match DirBuilder::new().mode(PRIVATE).create(&shelf) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(error).doing("make", &shelf);
            }
            Ok(()) | Err(_) => {}
        }
        let found = fs::symlink_metadata(&shelf).doing("look at", &shelf)?;
        if is_ours(&found) {
            Ok(Self { shelf, heard: Arc::default() })
        } else {
            Err(Error::Unfit { path: shelf, what: "open to others" })
        }
    }

    /// The same, if it is there already: for whoever only looks.
    ///
    /// # Errors
    /// When it belongs to somebody else.
    pub fn find(home: &Path) -> Result<Option<Self>> {
        if home.join("tries").exists() { Self::open(home).map(Some) } else { Ok(None) }
    }

    /// Where originals lie that could not go back to their place.
    pub(crate) fn rescued(&self) -> PathBuf {
        self.shelf.with_file_name("rescued")
    }

    /// What keeping and undoing have put right in passing since this was asked last.
    #[must_use]
    pub fn heard(&self) -> Vec<Recovery> {
        std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn hear(&self, recovery: Recovery) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(recovery);
    }

    /// Begins a try of something in `workspace`, an absolute path without links in it. The name is the caller's, and new.
    ///
    /// # Errors
    /// When the workspace cannot be read, or there is no room.
    pub fn begin(&self, id: &str, workspace: &Path, standing: Standing, bounds: Bounds) -> Result<Try> {
        self.begin_on(id, workspace, Wish::Suited(standing, bounds))
    }

    /// The same, on a copy however large: for those who cannot mount an overlay.
    ///
    /// # Errors
    /// When the workspace cannot be read or copied.
    pub fn begin_on_copy(&self, id: &str, workspace: &Path) -> Result<Try> {
        self.begin_on(id, workspace, Wish::Copy)
    }

    fn begin_on(&self, id: &str, workspace: &Path, wish: Wish) -> Result<Try> {
        let directory = self.place(id)?;
        let claim = {
            let _door = self.door()?;
            DirBuilder::new().mode(PRIVATE).create(&directory).doing("make", &directory)?;
            self.claim(id)?
        };
        let attempt = Try::prepare(self.clone(), id, directory, workspace, wish, claim);
        if attempt.is_err() {
            self.remove(id)?;
        }
        attempt
    }

    /// Takes up a try that another process began and left.
    ///
    /// # Errors
    /// When there is none of that name, another process still works with it, or what was cut short cannot be recovered.
    pub fn resume(&self, id: &str) -> Result<Try> {
        let directory = self.place(id)?;
        self.recover_one(id)?;
        let about: About = self.read(id, "about")?.ok_or_else(|| Error::Unknown(id.to_owned()))?;
        // Whoever lists tries looks at the claim, and holds it for a moment.
        let limit = Instant::now() + GLANCE;
        let claim = loop {
            match self.claim(id) {
                Err(error) if is_taken(&error) && Instant::now() < limit => std::thread::sleep(PAUSE),
                answer => break answer?,
            }
        };
        Ok(Try::resume(self.clone(), id, directory, about, claim))
    }

    /// Removes a try, kept or not: what was kept cannot be taken back afterwards.
    ///
    /// # Errors
    /// When a process works with it, or keeping it was cut short.
    pub fn discard(&self, id: &str) -> Result<()> {
        let _door = self.door()?;
        match self.status(id)? {
            Status::Kept | Status::Waiting => self.remove(id),
            Status::Busy | Status::Interrupted => Err(Error::Unknown(id.to_owned())),
        }
    }

    /// Removes a try in whatever state, and leaves the workspace as it is: for one whose workspace is gone, or whose journal
    /// cannot be read. If it was cut short, what it put aside and nobody else has is saved first; says where.
    ///
    /// # Errors
    /// When there is no such try, or a process works with it.
    pub fn give_up(&self, id: &str) -> Result<Option<PathBuf>> {
        let _door = self.door()?;
        if !self.place(id)?.is_dir() {
            return Err(Error::Unknown(id.to_owned()));
        }
        self.claim(id)?;
        let saved = self.rescue_unnamed(id)?;
        self.remove(id)?;
        Ok(saved)
    }

    /// All tries, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn list(&self) -> Result<Vec<Listed>> {
        let mut listed = Vec::new();
        for id in self.names()? {
            // What is just being made has no description yet, and what is damaged can only be swept away.
            let Ok(Some(about)) = self.read::<About>(&id, "about") else { continue };
            let status = self.status(&id)?;
            let bytes = size(&self.shelf.join(&id));
            listed.push(Listed { id, workspace: about.workspace, begun: about.begun, status, bytes });
        }
        listed.sort_by(|a, b| (a.begun, &a.id).cmp(&(b.begun, &b.id)));
        Ok(listed)
    }

    /// Frees the room that discarded, undone and forgotten tries took. With many files that takes a while, so whoever told a
    /// person that it is done may do this afterwards.
    ///
    /// # Errors
    /// When something cannot be removed.
    #[expect(clippy::disallowed_methods, reason = "the one place where tries are kept")]
    pub fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.shelf).doing("read", &self.shelf)? {
            let path = entry.doing("read", &self.shelf)?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(GONE)) {
                drop(crate::Scratch::adopt(path));
            }
        }
        Ok(())
    }

    /// Clears away what nobody will come back to: tries that were left `age` ago, half-made ones, removed ones.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn sweep(&self, age: Duration) -> Result<Vec<String>> {
        let _door = self.door()?;
        let oldest = now().saturating_sub(age.as_secs());
        let mut swept = Vec::new();
        for id in self.names()? {
            let begun = self.read::<About>(&id, "about").ok().flatten().map_or(0, |about| about.begun);
            if self.status(&id)? == Status::Waiting && begun <= oldest {
                self.remove(&id)?;
                swept.push(id);
            }
        }
        self.clear()?;
        Ok(swept)
    }

    /// Forgets the oldest of the kept runs until the rest is within bounds. Whatever they are, the last one stays.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn retain(&self, retention: Retention) -> Result<Vec<String>> {
        let _door = self.door()?;
        let mut forgotten = Vec::new();
        let oldest = now().saturating_sub(retention.age.as_secs());
        let (mut count, mut bytes) = (0, 0_u64);
        for kept in self.list()?.into_iter().rev().filter(|listed| listed.status == Status::Kept) {
            count += 1;
            bytes = bytes.saturating_add(kept.bytes);
            let is_beyond = count > retention.count || bytes > retention.bytes || kept.begun < oldest;
            if count > 1 && is_beyond {
                self.remove(&kept.id)?;
                forgotten.push(kept.id);
            }
        }
        Ok(forgotten)
    }

    /// One at a time changes workspaces. Whoever waits too long is refused.
    pub(crate) fn door(&self) -> Result<File> {
        let path = self.shelf.join("door");
        let door = File::options().create(true).append(true).mode(0o600).open(&path).doing("open", &path)?;
        let limit = Instant::now() + PATIENCE;
        loop {
            match door.try_lock().map_err(io::Error::from) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < limit => {
                    std::thread::sleep(PAUSE);
                }
                answer => return answer.map(|()| door).doing("lock", &path),
            }
        }
    }

    pub(crate) fn status(&self, id: &str) -> Result<Status> {
        let markers = Markers::new(&self.shelf.join(id));
        if markers.is_cut_short() {
            return Ok(Status::Interrupted);
        }
        if markers.kept().exists() {
            return Ok(Status::Kept);
        }
        match self.claim(id) {
            Ok(_) => Ok(Status::Waiting),
            Err(error) if is_taken(&error) => Ok(Status::Busy),
            Err(error) => Err(error),
        }
    }

    /// Why a try that was not kept cannot be taken back.
    pub(crate) fn unkept(&self, id: &str) -> Error {
        match self.status(id) {
            Ok(Status::Waiting) => Error::Unkept(id.to_owned()),
            Ok(Status::Busy | Status::Interrupted | Status::Kept) | Err(_) => Error::Unknown(id.to_owned()),
        }
    }

    pub(crate) fn read<R: codec::Record>(&self, id: &str, name: &str) -> Result<Option<R>> {
        codec::load(&self.place(id)?.join(name))
    }

    pub(crate) fn place(&self, id: &str) -> Result<PathBuf> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_name = !id.is_empty() && id.len() <= LONGEST && id.bytes().all(is_plain) && id != "door";
        if is_name { Ok(self.shelf.join(id)) } else { Err(Error::Unknown(id.to_owned())) }
    }

    /// The names of all tries.
    #[expect(clippy::disallowed_methods, reason = "the one place where tries are kept")]
    pub(crate) fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.shelf).doing("read", &self.shelf)? {
            let entry = entry.doing("read", &self.shelf)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && self.place(&name).is_ok() {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Removes a try in one step. What was in it goes with [`Tries::clear`]: that takes time with many files.
    pub(crate) fn remove(&self, id: &str) -> Result<()> {
        self.bin(&self.place(id)?, id)
    }

    /// Puts a directory where [`Tries::clear`] finds it.
    #[expect(clippy::disallowed_methods, reason = "the one place where tries are kept")]
    pub(crate) fn bin(&self, directory: &Path, id: &str) -> Result<()> {
        let mark = RandomState::new().hash_one(std::process::id());
        let gone = self.shelf.join(format!("{GONE}{id}-{mark:016x}"));
        fs::rename(directory, &gone).doing("remove", directory)
    }

    /// Says that this process works with a try.
    fn claim(&self, id: &str) -> Result<File> {
        let path = self.place(id)?.join("claim");
        let claim = || {
            let file = File::options().create(true).append(true).mode(0o600).open(&path)?;
            file.try_lock().map_err(io::Error::from)?;
            Ok::<_, io::Error>(file)
        };
        claim().doing("claim", &path)
    }
}

/// Whether a directory is for us alone.
pub(crate) fn is_ours(found: &fs::Metadata) -> bool {
    found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o777 == PRIVATE
}

fn is_taken(error: &Error) -> bool {
    matches!(error, Error::Io { cause, .. } if cause.kind() == io::ErrorKind::WouldBlock)
}

pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// How much room a directory takes, as far as it can be seen.
#[expect(clippy::disallowed_methods, reason = "the one place where tries are kept")]
fn size(directory: &Path) -> u64 {
    let mut bytes = 0;
    let mut left = vec![directory.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            bytes += found.blocks() * 512;
            if found.is_dir() {
                left.push(entry.path());
            }
        }
    }
    bytes
}
