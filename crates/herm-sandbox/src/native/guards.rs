//! Names that must not come to be in a workspace while something runs there.
//!
//! What is there can be locked by a mount. What is not there cannot: nothing can be mounted on a name that does not exist, no rule of the
//! kernel knows names, and something that is put there first would be seen outside. So what appears is set aside: it is renamed,
//! in its own directory, to a name that no program looks for. Nothing of it is lost, and a person can rename it back.
//!
//! The supervisor does that, since it outlives herm: what git believes as soon as it appears, and everything else when nobody is left.
//! It makes system calls only, as all that it does. Then herm looks at what was set aside, puts back what is harmless, and says the rest.
//!
//! Where a repository may come to be that git goes into from another one, nobody can know before: an index says it. That is for herm to read, which
//! does so every now and then, and when nobody is left.

mod aside;
mod links;
mod opened;
mod place;
mod remains;

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustix::fs::{Mode, OFlags, inotify};
use rustix::io::{self, Errno};

use super::since::Start;
use super::{Failure, Known};
use aside::Tag;
pub(super) use aside::is_called_aside;
use links::Links;
use opened::Opened;
use place::Place;
use remains::Company;

/// The names that are watched over during a run.
#[derive(Debug, Default)]
pub(crate) struct Guards {
    places: Vec<Place>,
    /// What git goes into from what was there before.
    links: Links,
    /// Settings that it may write to.
    opened: Option<Opened>,
    /// Says when something has appeared that must go at once.
    watch: Option<OwnedFd>,
    /// When it began; nothing where there is nothing to watch over.
    start: Option<Start>,
    /// What was found further down when nobody was left.
    remains: OnceLock<Vec<SetAside>>,
}

/// A name in a workspace, and what may be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded {
    /// Where it is, without links on the way.
    pub path: PathBuf,
    /// What may be there.
    pub may_be: MayBe,
}

/// What may be under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MayBe {
    /// Anything but a link, which would lead to something that is guarded only where it should be.
    AnythingButALink,
    /// Anything, unless the directory has become a repository by it.
    NoRepository,
    /// Nothing.
    Nothing,
    /// A link to this, or nothing.
    OnlyLink(PathBuf),
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
    /// What became of it.
    pub became: Became,
}

/// What became of something that makes others run code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Became {
    /// It is here now.
    Aside(PathBuf),
    /// It could not be moved, and is still there.
    Stays,
    /// The directory cannot be looked into, so nobody knows whether it is there.
    Unseen,
    /// It is there until nobody is left who made it.
    Waits,
    /// It was changed, and is setuid or setgid no more.
    Disarmed,
    /// It was changed, and is setuid or setgid: that could not be taken from it.
    Armed,
    /// There is so much more of that below.
    More(usize),
}

/// What has been made as often as this will be made again.
pub(crate) const TOO_OFTEN: usize = 3;

impl Guards {
    /// Watches over names below the roots that a program can write to, and over what git goes into from repositories there. The first of
    /// those roots is the workspace.
    pub(super) fn new(
        names: &[Guarded],
        (known, opened): (&[Known], Option<&Path>),
        roots: &[PathBuf],
    ) -> Result<Self, Failure> {
        let refused = |cause: Errno| Failure::kernel("watch over the workspace", cause);
        let tag = Tag::new();
        let mut guards = Self { links: Links::new(names, known.to_vec(), tag), ..Self::default() };
        for (index, root) in roots.iter().enumerate() {
            let path = super::trace::trace(root).map_or_else(|| root.clone(), |found| found.real);
            let rest: Vec<_> = names.iter().filter(|name| name.path.starts_with(&path)).collect();
            if rest.is_empty() && path.exists() && !path.is_dir() {
                continue;
            }
            let file = Arc::new(directory(&path).map_err(refused)?);
            let root = Root { file, path, is_workspace: index == 0 };
            rest.into_iter().try_for_each(|name| guards.add(&root, name, tag))?;
            if let Some(path) = &opened.filter(|path| path.starts_with(&root.path)) {
                let unknowable = || Failure::Unknowable(path.to_path_buf());
                guards.opened = Some(Opened::new(&root, path.to_path_buf(), tag).ok_or_else(unknowable)?);
            }
            guards.links.add(root);
        }
        guards.links.remember().map_err(Failure::Unknowable)?;
        guards.watch = guards.watched().ok();
        guards.start = Some(Start::now());
        Ok(guards)
    }

    fn add(&mut self, root: &Root, guarded: &Guarded, tag: Tag) -> Result<(), Failure> {
        let unspeakable = || Failure::Unspeakable(guarded.path.clone());
        let above = guarded.path.parent().ok_or_else(unspeakable)?;
        let is_known = |place: &Place| place.path == above && place.has_root(&root.file);
        if !self.places.iter().any(is_known) {
            self.places.push(Place::new(root, above, tag).ok_or_else(unspeakable)?);
        }
        let place = self.places.iter_mut().find(|place| is_known(place)).ok_or_else(unspeakable)?;
        let moment = root.moment(guarded, place);
        place.add(guarded, moment).ok_or_else(unspeakable)
    }

    /// What tells of new names in the directories that others believe at once.
    fn watched(&self) -> io::Result<OwnedFd> {
        let watch = inotify::init(inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK)?;
        let flags =
            inotify::WatchFlags::CREATE | inotify::WatchFlags::MOVED_TO | inotify::WatchFlags::ONLYDIR;
        for place in self.places.iter().filter(|place| place.is_urgent()) {
            inotify::add_watch(&watch, &place.path, flags)?;
        }
        Ok(watch)
    }

    /// What says that something has appeared. Without it, one has to look from time to time.
    pub(crate) fn watch(&self) -> Option<BorrowedFd<'_>> {
        self.watch.as_ref().map(AsFd::as_fd)
    }

    /// Whether there is nothing to watch over before the end.
    pub(crate) fn is_idle(&self) -> bool {
        !self.places.iter().any(Place::is_urgent)
    }

    /// What must stay open for it.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = RawFd> {
        // What is open lies below one of those.
        let roots = self.places.iter().map(Place::root).chain(self.links.descriptors());
        roots.chain(self.watch.as_ref().map(AsRawFd::as_raw_fd))
    }

    /// Sets aside what is there that must go by now, and says how often the one was made that was made most often. What cannot be
    /// moved counts as made too often.
    pub(crate) fn sweep(&self, moment: Moment) -> usize {
        self.places.iter().map(|place| place.sweep(moment)).max().unwrap_or(0)
    }

    /// Does the rest of what herm would have done, where it is gone. Unlike all else that a supervisor does this needs memory, which a fork has as well;
    /// and nobody waits for it any more.
    pub(crate) fn inherit(&self) {
        self.opened.iter().for_each(Opened::check);
        self.links.check();
        self.links.tidy();
        // No thread can be started in a fork.
        self.remains(&[], Company::Nobody);
    }

    /// Looks whether git would be led elsewhere by now, if that may have changed since it was last looked at.
    pub(super) fn glance(&self) {
        self.links.glance();
    }

    /// What was set aside, after what is harmless was put back.
    pub(super) fn settle(&self) -> Vec<SetAside> {
        self.places.iter().for_each(Place::put_back);
        let mut told = self.told(Moment::End);
        let remains = self.remains(&told, Company::Helpers);
        told.extend(remains);
        told
    }

    /// What is left further down, once nobody is left. It is looked at once.
    fn remains(&self, told: &[SetAside], company: Company) -> Vec<SetAside> {
        let Some(start) = self.start else { return Vec::new() };
        let aside =
            |one: &SetAside| if let Became::Aside(aside) = &one.became { Some(aside.clone()) } else { None };
        let look = || self.links.remains(start.since(), told.iter().filter_map(aside).collect(), company);
        self.remains.get_or_init(look).clone()
    }

    /// What was set aside, and what is still there.
    pub(super) fn found(&self) -> Vec<SetAside> {
        self.told(Moment::Once)
    }

    fn told(&self, moment: Moment) -> Vec<SetAside> {
        self.opened.iter().for_each(Opened::check);
        self.links.check();
        self.links.tidy();
        let found = self.places.iter().flat_map(|place| place.found(moment));
        found.chain(self.links.found()).chain(self.opened.iter().flat_map(Opened::found)).collect()
    }
}

/// Something that a program can write to.
#[derive(Debug)]
struct Root {
    file: Arc<OwnedFd>,
    path: PathBuf,
    is_workspace: bool,
}

impl Root {
    /// What is git's must go at once. At the top of a workspace everything else waits: new repositories are looked at in the end.
    fn moment(&self, guarded: &Guarded, above: &Place) -> Moment {
        let is_top = self.is_workspace && above.path == self.path;
        let is_link_of_git =
            matches!(guarded.may_be, MayBe::OnlyLink(_)) && guarded.path.file_name() == Some(".git".as_ref());
        if above.was_there && (!is_top || is_link_of_git) { Moment::Once } else { Moment::End }
    }
}

fn directory(path: &Path) -> io::Result<OwnedFd> {
    rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}
