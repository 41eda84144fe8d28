//! Names that must not come to be in a workspace while something runs there.
//!
//! What is there can be locked by a mount. What is not there cannot: nothing can be mounted on a name that does not exist, no rule of the
//! kernel knows names, and something that is put there first would be seen outside. So what appears is set aside: it is renamed,
//! in its own directory, to a name that no program looks for. Nothing of it is lost, and a person can rename it back.
//!
//! The supervisor does that, since it outlives herm: what git believes as soon as it appears, and everything else when nobody is left.
//! It makes system calls only, as all that it does. Then herm looks at what was set aside, puts back what is harmless, and says the rest.

use std::ffi::{CStr, CString};
use std::hash::{BuildHasher, RandomState};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, ResolveFlags, chmodat, inotify, openat2, renameat, renameat_with,
    statat, unlinkat,
};
use rustix::io::{self, Errno};

use super::Failure;
use super::repository::is_harmless;

/// The names that are watched over during a run.
#[derive(Debug, Default)]
pub(crate) struct Guards {
    places: Vec<Place>,
    /// Says when something has appeared that must go at once.
    watch: Option<OwnedFd>,
}

/// A directory, and what must not be in it.
#[derive(Debug)]
struct Place {
    root: Arc<OwnedFd>,
    /// Where it is below its root, for the kernel and for people.
    below: CString,
    path: PathBuf,
    names: Vec<Name>,
    moment: Moment,
}

/// What must not be there, and what it is called when it is set aside.
#[derive(Debug)]
struct Name {
    name: CString,
    asides: Vec<CString>,
}

/// When something must be set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Moment {
    /// As soon as it appears: others believe it at once.
    Once,
    /// When nobody is left who made it.
    End,
}

/// Something that a run has made, and that would have made others run code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Where it was made.
    pub path: PathBuf,
    /// Where it is now: nothing when it is still there.
    pub aside: Option<PathBuf>,
}

/// How often something may be made anew, with one more for the end.
const ASIDES: usize = 4;

/// What has been made as often as this will be made again.
pub(crate) const TOO_OFTEN: usize = ASIDES - 1;

impl Guards {
    /// Watches over names below the roots that a program can write to.
    pub(super) fn new(names: &[PathBuf], roots: &[PathBuf]) -> Result<Self, Failure> {
        let refused = |cause: Errno| Failure::kernel("watch over the workspace", cause);
        let mut guards = Self::default();
        for root in roots {
            let mut rest = names.iter().filter(|name| name.starts_with(root)).peekable();
            if rest.peek().is_some() {
                let file = Arc::new(directory(root).map_err(refused)?);
                rest.try_for_each(|name| guards.add(&file, root, name))?;
            }
        }
        guards.watch = guards.watched().ok();
        Ok(guards)
    }

    fn add(&mut self, file: &Arc<OwnedFd>, root: &Path, path: &Path) -> Result<(), Failure> {
        let unspeakable = || Failure::Unspeakable(path.to_owned());
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(|_| unspeakable());
        let (above, name) = path.parent().zip(path.file_name()).ok_or_else(unspeakable)?;
        let name = Name::new(text(Path::new(name))?);
        if let Some(known) = self.places.iter_mut().find(|place| place.path == above) {
            known.names.push(name);
            return Ok(());
        }
        let below = above.strip_prefix(root).unwrap_or(above);
        let moment = if below.as_os_str().is_empty() { Moment::End } else { Moment::Once };
        let below = if moment == Moment::End { Path::new(".") } else { below };
        let below = text(below)?;
        let path = above.to_owned();
        self.places.push(Place { root: Arc::clone(file), below, path, names: vec![name], moment });
        Ok(())
    }

    /// What tells of new names in the directories that others believe at once.
    fn watched(&self) -> io::Result<OwnedFd> {
        let watch = inotify::init(inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK)?;
        let flags =
            inotify::WatchFlags::CREATE | inotify::WatchFlags::MOVED_TO | inotify::WatchFlags::ONLYDIR;
        for place in self.places.iter().filter(|place| place.moment == Moment::Once) {
            inotify::add_watch(&watch, &place.path, flags)?;
        }
        Ok(watch)
    }

    /// What says that something has appeared. Without it, one has to look from time to time.
    pub(crate) fn watch(&self) -> Option<BorrowedFd<'_>> {
        self.watch.as_ref().map(AsFd::as_fd)
    }

    /// Whether there is anything to watch over.
    pub(crate) fn is_idle(&self) -> bool {
        self.places.iter().all(|place| place.moment == Moment::End)
    }

    /// What must stay open for it.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = RawFd> {
        let roots = self.places.iter().map(|place| place.root.as_raw_fd());
        roots.chain(self.watch.as_ref().map(AsRawFd::as_raw_fd))
    }

    /// Sets aside what is there that must go by now, and says how much that was.
    pub(crate) fn sweep(&self, moment: Moment) -> usize {
        self.places.iter().filter(|place| place.moment <= moment).map(Place::sweep).sum()
    }

    /// What was set aside, after what is harmless was put back.
    pub(super) fn settle(&self) -> Vec<SetAside> {
        self.places.iter().flat_map(Place::settle).collect()
    }

    /// What was set aside, and what is still there.
    pub(super) fn found(&self) -> Vec<SetAside> {
        self.places.iter().flat_map(Place::found).collect()
    }
}

impl Place {
    fn sweep(&self) -> usize {
        let Ok(directory) = self.open() else { return 0 };
        self.names.iter().filter(|name| name.set_aside(directory.as_fd())).count()
    }

    /// The directory as it is now. Links on the way were put there by somebody who wants others to be renamed.
    fn open(&self) -> io::Result<OwnedFd> {
        let open = |flags: OFlags| {
            let way = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            openat2(&*self.root, &self.below, flags | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty(), way)
        };
        // Whoever made something there may have closed the door behind it.
        if let Err(Errno::ACCESS) = open(OFlags::RDONLY).map(drop) {
            open(OFlags::PATH)?;
            chmodat(&*self.root, &self.below, Mode::RWXU, AtFlags::empty())?;
        }
        open(OFlags::RDONLY)
    }

    fn settle(&self) -> Vec<SetAside> {
        let Ok(directory) = self.open() else { return Vec::new() };
        for name in &self.names {
            name.put_back(directory.as_fd(), &self.path);
        }
        self.found()
    }

    fn found(&self) -> Vec<SetAside> {
        let Ok(directory) = self.open() else { return Vec::new() };
        let at = |name: &CStr| self.path.join(std::ffi::OsStr::from_bytes(name.to_bytes()));
        let there = |name: &CStr| is_there(directory.as_fd(), name);
        let mut found = Vec::new();
        for Name { name, asides } in &self.names {
            let path = at(name);
            let moved = asides.iter().filter(|aside| there(aside)).map(|aside| Some(at(aside)));
            let left = (there(name) && !is_fine(name, &path)).then_some(None);
            found.extend(moved.chain(left).map(|aside| SetAside { path: path.clone(), aside }));
        }
        found
    }
}

impl Name {
    /// The names that it may be set aside by cannot be guessed: others may not take them beforehand.
    fn new(name: CString) -> Self {
        let number = RandomState::new().hash_one(std::process::id()) >> 32;
        let aside = |turn: usize| {
            let mut bytes = name.as_bytes().to_vec();
            bytes.extend(format!(".herm-aside-{number:08x}{turn}").bytes());
            CString::new(bytes).unwrap_or_default()
        };
        let asides = (0..ASIDES).map(aside).collect();
        Self { name, asides }
    }

    fn set_aside(&self, directory: BorrowedFd<'_>) -> bool {
        is_there(directory, &self.name)
            && (self.asides.iter().any(|aside| rename(directory, &self.name, aside).is_ok())
                || unlinkat(directory, &self.name, AtFlags::empty()).is_ok())
    }

    fn put_back(&self, directory: BorrowedFd<'_>, above: &Path) {
        for aside in self.asides.iter().filter(|aside| is_there(directory, aside)) {
            let path = above.join(std::ffi::OsStr::from_bytes(aside.to_bytes()));
            if is_fine(&self.name, &path) {
                // What stands there meanwhile stays; then this one is said to be aside.
                let _ = rename(directory, aside, &self.name);
            }
        }
    }
}

/// Whether something may be there after all: only repositories are looked into.
fn is_fine(name: &CStr, path: &Path) -> bool {
    name.to_bytes() == b".git" && is_harmless(path)
}

fn is_there(directory: BorrowedFd<'_>, name: &CStr) -> bool {
    statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
}

/// Renames without taking anybody's place, where the file system can promise that.
fn rename(directory: BorrowedFd<'_>, from: &CStr, to: &CStr) -> io::Result<()> {
    match renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) if !is_there(directory, to) => {
            renameat(directory, from, directory, to)
        }
        outcome => outcome,
    }
}

fn directory(path: &Path) -> io::Result<OwnedFd> {
    rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}
