//! A directory, and what must not be in it.
//!
//! What a supervisor does here makes system calls only.

use std::ffi::{CStr, CString, OsStr};
use std::io::Write;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, fstat, openat, readlinkat_raw, statat};
use rustix::io::{self, Errno};

use super::aside::{Tag, rename};
use super::opened::Before;
use super::{Became, Guarded, MayBe, Moment, Root, SetAside, TOO_OFTEN};
use crate::native::repository::is_harmless;

/// A directory, and what must not be in it.
#[derive(Debug)]
pub(super) struct Place {
    root: Arc<OwnedFd>,
    /// Where it is below its root, name by name.
    below: Vec<CString>,
    pub(super) path: PathBuf,
    names: Vec<Name>,
    tag: Tag,
    /// Whether it could be looked into before anything ran.
    was_open: bool,
    /// Whether it was there then.
    pub(super) was_there: bool,
}

/// What must not be there.
#[derive(Debug)]
struct Name {
    text: CString,
    may_be: MayBe,
    moment: Moment,
    /// How often it was made.
    made: AtomicUsize,
}

/// The most that is told of one name.
const MOST_TOLD: usize = 16;

impl Place {
    /// A directory below a root; nothing where it cannot be told to the kernel.
    pub(super) fn new(root: &Root, path: &Path, tag: Tag) -> Option<Self> {
        let name = |part: Component<'_>| CString::new(part.as_os_str().as_bytes()).ok();
        let below = path.strip_prefix(&root.path).ok()?.components().map(name).collect::<Option<_>>()?;
        let root = Arc::clone(&root.file);
        let mut place = Self {
            root,
            below,
            path: path.to_owned(),
            names: Vec::new(),
            tag,
            was_open: true,
            was_there: path.is_dir(),
        };
        let look = |directory: OwnedFd| kind(directory.as_fd(), c".");
        place.was_open = place.enter().and_then(|reached| reached.map(look).transpose()).is_ok();
        Some(place)
    }

    pub(super) fn add(&mut self, guarded: &Guarded, moment: Moment) -> Option<()> {
        let name = CString::new(guarded.path.file_name()?.as_bytes()).ok()?;
        let is_same = |known: &Name| known.text == name && known.may_be == guarded.may_be;
        if !self.names.iter().any(is_same) {
            let may_be = guarded.may_be.clone();
            self.names.push(Name { text: name, may_be, moment, made: AtomicUsize::new(0) });
        }
        Some(())
    }

    pub(super) fn root(&self) -> RawFd {
        self.root.as_raw_fd()
    }

    pub(super) fn has_root(&self, root: &Arc<OwnedFd>) -> bool {
        Arc::ptr_eq(&self.root, root)
    }

    /// Whether something in it must go at once.
    pub(super) fn is_urgent(&self) -> bool {
        self.names.iter().any(|name| name.moment == Moment::Once)
    }

    /// Sets aside what must go by now, and says how often the one was made that was made most often.
    pub(super) fn sweep(&self, moment: Moment) -> usize {
        let due = || self.names.iter().filter(|name| name.moment <= moment);
        if !self.was_open || due().next().is_none() {
            return 0;
        }
        let Ok(Some(directory)) = self.enter() else { return 0 };
        due().map(|name| name.sweep(directory.as_fd(), self.tag)).max().unwrap_or(0)
    }

    /// The directory as it is now; nothing where there is none. Links on the way were put there by somebody who wants others to
    /// be renamed, so they are not followed.
    fn enter(&self) -> io::Result<Option<OwnedFd>> {
        let mut reached = step(self.root.as_fd(), c".")?;
        for name in &self.below {
            reached = match step(reached.as_fd(), name) {
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
                answer => answer?,
            };
        }
        Ok(Some(reached))
    }

    /// Puts back what was set aside, and is harmless.
    pub(super) fn put_back(&self) {
        let Ok(Some(directory)) = self.enter() else { return };
        let asides = listed(directory.as_fd()).unwrap_or_default();
        for name in &self.names {
            for aside in asides.iter().filter(|aside| self.tag.is_aside(aside, &name.text)) {
                if name.is_fine(&self.path, aside) {
                    // What stands there meanwhile stays; then this one is said to be aside.
                    let _ = rename(directory.as_fd(), aside, &name.text);
                }
            }
        }
    }

    /// What was set aside, and what is still there at this moment.
    pub(super) fn found(&self, moment: Moment) -> Vec<SetAside> {
        let looked = self.enter().and_then(|directory| {
            directory.map(|directory| Ok((listed(directory.as_fd())?, directory))).transpose()
        });
        match looked {
            Ok(Some((listed, directory))) => self
                .names
                .iter()
                .flat_map(|name| self.told(name, directory.as_fd(), &listed, moment))
                .collect(),
            Err(_) if self.was_open => vec![SetAside { path: self.path.clone(), became: Became::Unseen }],
            // What could not be looked into before, nobody inside could look into either.
            Ok(None) | Err(_) => Vec::new(),
        }
    }

    fn told(
        &self,
        name: &Name,
        directory: BorrowedFd<'_>,
        listed: &[CString],
        moment: Moment,
    ) -> Vec<SetAside> {
        let moved = self.asides(name, listed);
        let left = match name.is_broken(directory) {
            Ok(false) => None,
            Ok(true) if name.is_fine(&self.path, &name.text) => None,
            Ok(true) if moment < name.moment => Some(Became::Waits),
            Ok(true) => Some(Became::Stays),
            Err(_) => Some(Became::Unseen),
        };
        let path = self.at(&name.text);
        moved.chain(left).map(|became| SetAside { path: path.clone(), became }).collect()
    }

    /// Puts a file where there is none.
    pub(super) fn put(&self, path: &Path, before: &Before) -> io::Result<()> {
        let name = path.file_name().ok_or(Errno::INVAL)?;
        before.put(self.enter()?.ok_or(Errno::NOENT)?.as_fd(), name)
    }

    /// What was set aside, whatever is there now.
    pub(super) fn moved(&self) -> Vec<SetAside> {
        let Ok(Some(directory)) = self.enter() else { return Vec::new() };
        let listed = listed(directory.as_fd()).unwrap_or_default();
        let moved = |name: &Name| {
            let path = self.at(&name.text);
            let told = self.asides(name, &listed).map(|became| SetAside { path: path.clone(), became });
            told.collect::<Vec<_>>()
        };
        self.names.iter().flat_map(moved).collect()
    }

    fn asides(&self, name: &Name, listed: &[CString]) -> impl Iterator<Item = Became> {
        let asides = listed.iter().filter(|found| self.tag.is_aside(found, &name.text)).take(MOST_TOLD);
        asides.map(|aside| Became::Aside(self.at(aside)))
    }

    fn at(&self, name: &CStr) -> PathBuf {
        self.path.join(OsStr::from_bytes(name.to_bytes()))
    }
}

impl Name {
    fn sweep(&self, directory: BorrowedFd<'_>, tag: Tag) -> usize {
        if self.is_broken(directory) == Ok(false) {
            return 0;
        }
        let more = match opening(directory, || tag.set_aside(directory, &self.text)) {
            // It may have been taken away meanwhile.
            Ok(()) | Err(Errno::NOENT) => 1,
            Err(_) => TOO_OFTEN,
        };
        self.made.fetch_add(more, Ordering::Relaxed).saturating_add(more)
    }

    /// Whether something is there that must not be.
    fn is_broken(&self, directory: BorrowedFd<'_>) -> io::Result<bool> {
        let Some(kind) = kind(directory, &self.text)? else { return Ok(false) };
        let is_link = kind == FileType::Symlink;
        match &self.may_be {
            MayBe::AnythingButALink => Ok(is_link),
            MayBe::NoRepository => {
                let mut others = REPOSITORY.iter().map(|name| kind_of(directory, name));
                Ok(others.all(|kind| kind.is_some()))
            }
            MayBe::Nothing => Ok(true),
            MayBe::OnlyLink(_) if !is_link => Ok(true),
            MayBe::OnlyLink(target) => {
                let mut space = [0_u8; 4096];
                let length = readlinkat_raw(directory, &*self.text, &mut space)?;
                Ok(space.get(..length) != Some(target.as_os_str().as_bytes()))
            }
        }
    }

    /// Whether something may be there after all: only repositories are looked into.
    fn is_fine(&self, above: &Path, found: &CStr) -> bool {
        match self.may_be {
            MayBe::NoRepository => is_harmless(above, above, above),
            MayBe::Nothing if self.text.to_bytes() == b".git" => {
                let found = above.join(OsStr::from_bytes(found.to_bytes()));
                is_harmless(&found, &above.join(".git"), above)
            }
            MayBe::AnythingButALink | MayBe::Nothing | MayBe::OnlyLink(_) => false,
        }
    }
}

/// What git takes a directory for a repository by.
const REPOSITORY: [&CStr; 3] = [c"HEAD", c"objects", c"refs"];

fn kind_of(directory: BorrowedFd<'_>, name: &CStr) -> Option<FileType> {
    kind(directory, name).ok().flatten()
}

fn kind(directory: BorrowedFd<'_>, name: &CStr) -> io::Result<Option<FileType>> {
    match opening(directory, || statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)) {
        Ok(found) => Ok(Some(FileType::from_raw_mode(found.st_mode))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The names in a directory.
fn listed(directory: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = opening(directory, || openat(directory, c".", flags, Mode::empty()))?;
    Dir::new(opened)?.map(|entry| Ok(entry?.file_name().to_owned())).collect()
}

/// One directory further down.
fn step(from: BorrowedFd<'_>, name: &CStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    opening(from, || openat(from, name, flags, Mode::empty()))
}

/// Does something in a directory. Whoever made something there may have closed the door behind it: then it is opened.
fn opening<T>(directory: BorrowedFd<'_>, work: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match work() {
        Err(Errno::ACCESS) => {
            open_up(directory)?;
            work()
        }
        answer => answer,
    }
}

/// Lets its owner do everything in a directory.
pub(super) fn open_up(directory: BorrowedFd<'_>) -> io::Result<()> {
    set_mode(directory, Mode::from_raw_mode(fstat(directory)?.st_mode & 0o7777) | Mode::RWXU)
}

/// Gives something a mode that is named by what is open: nothing can be put in its place.
pub(super) fn set_mode(itself: BorrowedFd<'_>, mode: Mode) -> io::Result<()> {
    let mut space = [0_u8; 32];
    write!(space.as_mut_slice(), "/proc/self/fd/{}\0", itself.as_raw_fd()).map_err(|_| Errno::INVAL)?;
    let path = CStr::from_bytes_until_nul(&space).map_err(|_| Errno::INVAL)?;
    chmodat(CWD, path, mode, AtFlags::empty())
}
