//! One try.

use std::fs::{DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::apply::Store;
use super::beneath::{Hashing, Root};
use super::codec::{self, Record};
use super::compare::{Change, Comparison, compare};
use super::copy::{Reach, copy_tree, dress};
use super::error::{Doing, Error, Result};
use super::overlay::{Bounds, Choice, Ground, Lack, Options, Standing, choose, lacks};
use super::plan::Side;
use super::snapshot::{Snapshot, Tree};
use super::tries::{Tries, now};
use super::view::{Source, of_copy, of_overlay};

/// A try that this process works with: from the moment before the command runs until it is kept or discarded.
///
/// Dropping it leaves it where it is, for [`Tries::resume`] or [`Tries::sweep`].
#[derive(Debug)]
pub struct Try {
    pub(crate) tries: Tries,
    pub(crate) id: String,
    pub(crate) directory: PathBuf,
    pub(crate) about: About,
    mounts: Vec<PathBuf>,
    /// Locked as long as this lives.
    _claim: File,
}

/// What the caller wants the try to stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wish {
    Copy,
    Suited(Standing, Bounds),
}

/// What a try is about.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) workspace: PathBuf,
    pub(crate) begun: u64,
    pub(crate) standing: Standing,
    pub(crate) is_copy: bool,
    pub(crate) lacks_renames: bool,
    pub(crate) lacks_links: bool,
}

/// No file system tells times apart by longer ticks. What is written after a pause of one has another time.
const TICK: Duration = Duration::from_millis(20);

impl Try {
    pub(crate) fn prepare(
        tries: Tries,
        id: &str,
        directory: PathBuf,
        workspace: &Path,
        wish: Wish,
        claim: File,
    ) -> Result<Self> {
        if directory.starts_with(workspace) {
            return Err(Error::Unfit { path: workspace.to_owned(), what: "around the guard's own files" });
        }
        let lower = Root::open(workspace).doing("open", workspace)?;
        let snapshot = Snapshot::take(&lower)?;
        let (standing, is_copied) = match wish {
            Wish::Copy => (Standing::User, copy(&lower, &snapshot, &directory)?),
            Wish::Suited(standing, bounds) => match choose(&snapshot, standing, bounds) {
                Choice::Copy => (standing, copy(&lower, &snapshot, &directory)?),
                Choice::Overlay(_) => (standing, false),
            },
        };
        if wish == Wish::Copy && !is_copied {
            return Err(Error::Unfit { path: workspace.to_owned(), what: "impossible to copy" });
        }
        let lacks = if is_copied { Vec::new() } else { lacks(&snapshot, standing) };
        if !is_copied {
            lay_over(&lower, &snapshot, &directory)?;
        }
        let about = About {
            workspace: workspace.to_owned(),
            begun: now(),
            standing,
            is_copy: is_copied,
            lacks_renames: lacks.contains(&Lack::DirectoryRenames),
            lacks_links: lacks.contains(&Lack::HardLinks),
        };
        codec::save(&directory.join("lower"), &snapshot)?;
        codec::save(&directory.join("about"), &about)?;
        let mounts = snapshot.tree.mounts();
        Ok(Self { tries, id: id.to_owned(), directory, about, mounts, _claim: claim })
    }

    pub(crate) fn resume(tries: Tries, id: &str, directory: PathBuf, about: About, claim: File) -> Self {
        Self { tries, id: id.to_owned(), directory, about, mounts: Vec::new(), _claim: claim }
    }

    /// The name that it was given.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What has to stand in the place of the workspace while the command runs.
    #[must_use]
    pub fn ground(&self) -> Ground {
        if self.about.is_copy {
            return Ground::Copy(self.directory.join("copy"));
        }
        Ground::Overlay(Options {
            lower: self.about.workspace.clone(),
            upper: self.directory.join("upper"),
            work: self.directory.join("work"),
            standing: self.about.standing,
        })
    }

    /// Where something is mounted in the workspace, which the ground does not show: it has to be shown there besides, and may only be
    /// read. Paths are relative to the workspace, and known to whoever began the try.
    #[must_use]
    pub fn mounts(&self) -> &[PathBuf] {
        &self.mounts
    }

    /// What the ground does otherwise than the workspace would.
    #[must_use]
    pub fn lacks(&self) -> Vec<Lack> {
        let renames = self.about.lacks_renames.then_some(Lack::DirectoryRenames);
        let links = self.about.lacks_links.then_some(Lack::HardLinks);
        renames.into_iter().chain(links).collect()
    }

    /// What the command changed. Nothing of the command may run any more, and the overlay should be unmounted.
    ///
    /// # Errors
    /// When something cannot be read, or is not what overlayfs writes.
    pub fn compare(&self) -> Result<Comparison> {
        let (lower, upper) = (self.lower()?, self.upper()?);
        let snapshot = self.snapshot()?;
        let view = if self.about.is_copy {
            let made: Tree = self.tries.read(&self.id, "made")?.ok_or_else(|| self.damaged("made"))?;
            of_copy(&made, &Tree::scan(&upper)?)
        } else {
            of_overlay(&upper, &snapshot.tree, self.about.standing)?
        };
        compare(&snapshot, &view, &lower, &upper)
    }

    /// The bytes of a changed file before or after, if they are not more than `most`.
    pub(crate) fn bytes(&self, change: &Change, side: Side, most: u64) -> Result<Option<Vec<u8>>> {
        let path = &change.path;
        let file = match (side, &change.source) {
            (Side::Before, _) => self.lower()?.file(path),
            (Side::After, Some((Source::Lower(origin), _))) => self.lower()?.file(origin),
            (Side::After, Some((Source::Upper(origin), _))) => self.upper()?.file(origin),
            (Side::After, None) => return Ok(None),
        };
        read_at_most(&file.doing("read", path)?, most).doing("read", path)
    }

    /// Removes it, and leaves the workspace as it is.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn discard(self) -> Result<()> {
        let _door = self.tries.door()?;
        self.tries.remove(&self.id)
    }

    pub(crate) fn lower(&self) -> Result<Root> {
        Root::open(&self.about.workspace).doing("open", &self.about.workspace)
    }

    pub(crate) fn upper(&self) -> Result<Root> {
        open_upper(&self.directory, self.about.is_copy)
    }

    pub(crate) fn snapshot(&self) -> Result<Snapshot> {
        self.tries.read(&self.id, "lower")?.ok_or_else(|| self.damaged("lower"))
    }

    fn damaged(&self, name: &str) -> Error {
        Error::Damaged(self.directory.join(name))
    }
}

/// Where the bytes of both sides are.
pub(crate) fn store(directory: &Path, is_copy: bool) -> Result<Store> {
    let open = |name: &str| {
        let path = directory.join(name);
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                Err(error).doing("make", &path)
            }
            Ok(()) | Err(_) => Root::open(&path).doing("open", &path),
        }
    };
    open(upper_name(is_copy))?;
    Ok(Store { before: open("before")?, after: open("after")?, upper: open_upper(directory, is_copy)? })
}

fn open_upper(directory: &Path, is_copy: bool) -> Result<Root> {
    let path = directory.join(upper_name(is_copy));
    Root::open_own(&path).doing("open", &path)
}

pub(crate) fn upper_name(is_copy: bool) -> &'static str {
    if is_copy { "copy" } else { "upper" }
}

pub(crate) fn read_at_most(file: &File, most: u64) -> std::io::Result<Option<Vec<u8>>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

fn make_directory(path: &Path) -> Result<()> {
    DirBuilder::new().mode(0o700).create(path).doing("make", path)
}

/// Makes a private copy, or says that this workspace cannot be copied: then an overlay has to do.
fn copy(lower: &Root, snapshot: &Snapshot, directory: &Path) -> Result<bool> {
    let path = directory.join("copy");
    make_directory(&path)?;
    let root = Root::open(&path).doing("open", &path)?;
    match copy_tree(lower, snapshot, &root) {
        Ok(()) => {}
        Err(error) if is_uncopyable(&error) => {
            drop(crate::Scratch::adopt(path));
            return Ok(false);
        }
        Err(error) => return Err(error),
    }
    codec::save(&directory.join("made"), &Tree::scan(&root)?)?;
    // What the command writes must have another time than what was copied last.
    std::thread::sleep(TICK);
    Ok(true)
}

/// Devices and what this user may not read or own: an overlay shows them all the same.
fn is_uncopyable(error: &Error) -> bool {
    match error {
        Error::Unfit { .. } => true,
        Error::Io { cause, .. } => cause.kind() == std::io::ErrorKind::PermissionDenied,
        Error::Changed(_)
        | Error::Damaged(_)
        | Error::Edited(_)
        | Error::Unkept(_)
        | Error::Unshown(_)
        | Error::Unknown(_) => false,
    }
}

/// Makes the directories of an overlay. The top of the upper one shows as the workspace itself, so it looks like it.
fn lay_over(lower: &Root, snapshot: &Snapshot, directory: &Path) -> Result<()> {
    let upper = directory.join("upper");
    make_directory(&upper)?;
    make_directory(&directory.join("work"))?;
    let top = Path::new("");
    let node = lower.node(top, &snapshot.tree.stamp, Hashing::Skip).doing("read", top)?;
    dress(&Root::open(&upper).doing("open", &upper)?, top, &node, Reach::Ourselves).doing("make", &upper)
}

impl Record for About {
    fn write(&self, out: &mut Vec<u8>) {
        self.workspace.write(out);
        self.begun.write(out);
        self.standing.write(out);
        self.is_copy.write(out);
        self.lacks_renames.write(out);
        self.lacks_links.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(Self {
            workspace: PathBuf::read(input)?,
            begun: u64::read(input)?,
            standing: Standing::read(input)?,
            is_copy: bool::read(input)?,
            lacks_renames: bool::read(input)?,
            lacks_links: bool::read(input)?,
        })
    }
}
