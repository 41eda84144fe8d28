//! What a run has left further down in a workspace, where nobody can know before what will come to be.
//!
//! When nobody is left, all of it is looked at once. What has changed meanwhile is told by what nobody can set ([`Since`]).
//!
//! - A file that is setuid or setgid and was changed no longer is: the kernel takes that from what is written to, and not from what is mapped.
//! - What git would obey in a repository is set aside if it is new and not as git makes it. That goes for whatever has a part of one, so that nothing lies ready that
//!   only has to be completed or renamed by the next run: settings that are old in what has come to be a repository since are as good as new.

mod before;
mod crew;
mod disarm;
mod repositories;

use std::ffi::{CStr, OsStr};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, openat, statat};
use rustix::io;
use rustix::process::geteuid;

use super::aside::Tag;
use super::place::{open_up, set_mode};
use super::{Became, Root, SetAside};
use crate::native::Known;
use crate::native::since::Since;
use crate::native::tree::{self, Here, Visitor};
pub(super) use before::Settings;
use crew::Crew;
use disarm::Disarming;
use repositories::Parts;

/// What is looked at, and what became of it.
#[derive(Debug)]
pub(super) struct Remains<'a> {
    since: Since,
    tag: Tag,
    known: &'a [Known],
    settings: &'a Settings,
    roots: &'a [Root],
    paths: Vec<PathBuf>,
    /// What was set aside in this run by others, and told.
    asides: Vec<PathBuf>,
    crew: Crew,
    told: Vec<SetAside>,
    more: usize,
}

/// Whether others may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Company {
    Helpers,
    Nobody,
}

/// What is noted about a directory.
#[derive(Debug, Default)]
pub(super) struct Notes {
    parts: Parts,
    /// In a repository: whether a directory on the way to it is new.
    is_new_way: Option<bool>,
    /// Whether there are links in it.
    has_links: bool,
    /// Whether there are new ones further down.
    has_new_links: bool,
}

/// The most that is told one by one.
const MOST_TOLD: usize = 64;

/// How often it is begun anew, if somebody outside moves things meanwhile.
const TRIES: usize = 3;

impl<'a> Remains<'a> {
    pub(super) fn new(
        since: Since,
        tag: Tag,
        (known, settings): (&'a [Known], &'a Settings),
        roots: &'a [Root],
        (asides, company): (Vec<PathBuf>, Company),
    ) -> Self {
        let paths = roots.iter().map(|root| root.path.clone()).collect();
        let crew = Crew::new(Disarming::new(since), company);
        Self { since, tag, known, settings, roots, paths, asides, crew, told: Vec::new(), more: 0 }
    }

    /// Looks at everything, and says what had to be done.
    pub(super) fn settle(mut self) -> Vec<SetAside> {
        let roots = self.roots;
        let is_below_another = |root: &Root| {
            roots.iter().any(|other| root.path != other.path && root.path.starts_with(&other.path))
        };
        for root in roots.iter().filter(|root| !is_below_another(root)) {
            let mut walk = || tree::walk(tree::open(root.file.as_fd(), c".")?, &root.path, &mut self);
            if !(0..TRIES).any(|_| walk().is_ok()) {
                self.tell(root.path.clone(), Became::Unseen);
            }
        }
        for one in self.crew.finish() {
            self.tell(one.path, one.became);
        }
        if self.more > 0 {
            let path = self.paths.into_iter().next().unwrap_or_default();
            self.told.push(SetAside { path, became: Became::More(self.more) });
        }
        self.told
    }

    fn tell(&mut self, path: PathBuf, became: Became) {
        let one = SetAside { path, became };
        if self.asides.iter().any(|aside| one.path.starts_with(aside)) || self.told.contains(&one) {
            return;
        }
        if self.told.len() < MOST_TOLD {
            self.told.push(one);
        } else {
            self.more += 1;
        }
    }

    fn is_new(&self, here: &Here<'_>, name: &CStr) -> bool {
        found(here.directory, name).is_ok_and(|found| self.since.has_changed(&found))
    }
}

impl Visitor for Remains<'_> {
    type Notes = Notes;

    fn enter(&mut self, here: &Here<'_>, above: Option<&Notes>) -> Notes {
        // What was listed before belongs to another directory.
        self.crew.hand_over();
        let is_new = self.since.has_changed(here.found);
        let is_shut = here.found.st_mode & 0o700 != 0o700 && is_own(here.found) && !geteuid().is_root();
        if is_new && is_shut {
            // Who cannot look at what is in it says so of that.
            let _ = open_up(here.directory);
        }
        let is_new_way = above.and_then(|above| match above.is_new_way {
            _ if above.parts.is_whole() => Some(is_new),
            way => way.map(|is_new_way| is_new_way || is_new),
        });
        Notes { parts: Parts::of(here.path), is_new_way, ..Notes::default() }
    }

    fn look(&mut self, here: &Here<'_>, notes: &mut Notes, name: &CStr, kind: FileType) {
        notes.parts.add(name, kind);
        if kind == FileType::RegularFile {
            self.crew.add(here, name);
        } else if kind == FileType::Symlink {
            notes.has_links = true;
            let is_new = notes.is_new_way.is_some_and(|is_new_way| is_new_way || self.is_new(here, name));
            notes.has_new_links |= is_new;
        }
    }

    fn leave(&mut self, here: &Here<'_>, notes: Notes, above: Option<&mut Notes>) {
        self.repository(here, &notes);
        if let Some(above) = above {
            above.has_new_links |= notes.has_new_links && !notes.parts.is_whole();
        }
    }

    /// What was closed, nobody inside has looked into either, unless they closed it. Where names are known it need not be listed.
    fn open(&mut self, here: &Here<'_>, name: &CStr) -> Option<OwnedFd> {
        let shut =
            openat(here.directory, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
                .ok()?;
        let found = fstat(&shut).ok()?;
        let is_new = self.since.has_changed(&found);
        if !is_own(&found) || !is_new && found.st_mode & 0o100 == 0 {
            return None;
        }
        let opened = open_up(shut.as_fd()).and_then(|()| tree::open(here.directory, name));
        if !is_new {
            let _ = set_mode(shut.as_fd(), Mode::from_raw_mode(found.st_mode & 0o7777));
        }
        if opened.is_err() {
            self.tell(here.path.join(OsStr::from_bytes(name.to_bytes())), Became::Unseen);
        }
        opened.ok()
    }
}

fn found(directory: BorrowedFd<'_>, name: &CStr) -> io::Result<Stat> {
    statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
}

/// Whether who runs herm may give it other rights.
fn is_own(found: &Stat) -> bool {
    let own = geteuid();
    own.is_root() || found.st_uid == own.as_raw()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests;
