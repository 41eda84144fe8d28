//! What git would obey in repositories that no index names.

use std::ffi::{CStr, OsStr};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Gid, Mode, RawDir, Uid, statat};
use rustix::io::Errno;

use super::{Notes, Remains, found};
use crate::native::guards::opened::Before;
use crate::native::guards::place::Place;
use crate::native::guards::{Became, Guarded, MayBe, Moment, Root};
use crate::native::levers::HOOKS;
use crate::native::linked::Walk;
use crate::native::repository::{has_no_hooks, real, text};
use crate::native::settings::{adds_only_harmless, are_harmless_among, harmless_part};
use crate::native::strays::{self, Planted};
use crate::native::tree::{self, Here};
use crate::native::worktrees;

/// Which parts of a repository a directory has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts(u16);

/// By what git takes a directory for a repository.
const BASIS: [&CStr; 3] = [c"HEAD", c"objects", c"refs"];

/// What it obeys there.
const LEVERS: [&CStr; 4] = [c"commondir", c"config", c"config.worktree", c"hooks"];

/// The name of a repository is what it is taken for.
const NAMED: u16 = 1 << 14;

/// There is something else than a directory that leads to one.
const LEADS: u16 = 1 << 15;

/// A path that is longer cannot be looked at by it.
const LONGEST: usize = 3800;

impl Parts {
    pub(super) fn of(path: &Path) -> Self {
        let is_named = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(".git"));
        Self(if is_named { NAMED } else { 0 })
    }

    pub(super) fn add(&mut self, name: &CStr, kind: FileType) {
        let is_directory = kind == FileType::Directory;
        let may_be = match name.to_bytes() {
            b"HEAD" | b"commondir" | b"config" | b"config.worktree" => !is_directory,
            b"hooks" | b"objects" | b"refs" => is_directory || kind == FileType::Symlink,
            b".git" if !is_directory => return self.0 |= LEADS,
            _ => false,
        };
        if may_be {
            self.0 |= bit(name);
        }
    }

    fn has(self, name: &CStr) -> bool {
        self.0 & bit(name) != 0
    }

    /// Whether git takes it for one, or would with what is said to be in it.
    pub(super) fn is_whole(self) -> bool {
        self.0 & NAMED != 0 || BASIS.iter().all(|name| self.has(name))
    }

    /// Whether it has some of one.
    fn is_begun(self) -> bool {
        self.is_whole() || BASIS.iter().any(|name| self.has(name))
    }
}

fn bit(name: &CStr) -> u16 {
    let all = BASIS.iter().chain(&LEVERS);
    all.zip(0_u32..).find(|(known, _)| **known == name).map_or(0, |(_, place)| 1 << place)
}

impl Remains<'_> {
    /// Sets aside what git would obey in a directory, if it is new there and not as git makes it.
    pub(super) fn repository(&mut self, here: &Here<'_>, notes: &Notes) {
        let parts = notes.parts;
        if parts.0 & LEADS != 0 {
            self.leading(here);
        }
        if !parts.is_begun() || self.is_handled(here.path) {
            return;
        }
        let is_fresh = BASIS.iter().filter(|name| parts.has(name)).all(|name| self.is_new(here, name));
        if here.path.as_os_str().len() > LONGEST {
            return self.unseen(here, notes);
        }
        for name in LEVERS.into_iter().filter(|name| parts.has(name)) {
            let is_new = is_fresh || self.is_new_lever(here, name);
            if is_new && !self.is_plain(here.path, name, parts.is_whole()) {
                let rest = parts.is_whole().then(|| self.harmless_part(here, name)).flatten();
                self.set_aside(here, name);
                // Where this fails git goes without.
                let _ = rest.map(|rest| rest.put(here.directory, name));
            }
        }
        if parts.is_whole() && (notes.has_links || notes.has_new_links) {
            self.links(here.path, is_fresh);
        }
    }

    /// Whether others look after it: they know what was there before.
    fn is_handled(&self, path: &Path) -> bool {
        let is_top = |root: &Root| path == root.path || root.is_workspace && path == root.path.join(".git");
        self.roots.iter().any(is_top)
            || self
                .known
                .iter()
                .any(|known| path == known.repository || path.starts_with(known.repository.join("worktrees")))
    }

    /// What is too far down to be looked at by its path must be made anew to be believed, and then it is.
    fn unseen(&mut self, here: &Here<'_>, notes: &Notes) {
        let present: Vec<&CStr> =
            BASIS.into_iter().chain(LEVERS).filter(|name| notes.parts.has(name)).collect();
        let is_new = self.since.has_changed(here.found)
            || notes.has_new_links
            || present.iter().any(|name| self.is_new_lever(here, name));
        if is_new {
            for name in present {
                self.set_aside(here, name);
            }
        }
    }

    /// What is no directory and leads to a repository elsewhere.
    fn leading(&mut self, here: &Here<'_>) {
        let is_top = self.roots.iter().any(|root| root.is_workspace && here.path == root.path);
        if is_top || !self.is_new(here, c".git") {
            return;
        }
        let is_long = here.path.as_os_str().len() > LONGEST;
        if is_long || Walk::leads_to_harm(self.known, &self.paths, here.path) {
            self.set_aside(here, c".git");
        }
    }

    /// Whether something that git obeys was changed. Hooks are, each by itself.
    fn is_new_lever(&self, here: &Here<'_>, name: &CStr) -> bool {
        if self.is_new(here, name) {
            return true;
        }
        let Ok(opened) = tree::open(here.directory, name) else { return false };
        let mut space = [MaybeUninit::uninit(); 4096];
        let mut listed = RawDir::new(&opened, &mut space);
        while let Some(entry) = listed.next() {
            let is_new = entry.is_ok_and(|entry| {
                let name = entry.file_name();
                let is_listed =
                    !matches!(name.to_bytes(), b"." | b"..") && !name.to_bytes().ends_with(b".sample");
                is_listed && found(opened.as_fd(), name).is_ok_and(|found| self.since.has_changed(&found))
            });
            if is_new {
                return true;
            }
        }
        false
    }

    /// Whether something that git obeys has it run nothing.
    fn is_plain(&self, repository: &Path, name: &CStr, is_whole: bool) -> bool {
        let path = repository.join(OsStr::from_bytes(name.to_bytes()));
        match name.to_bytes() {
            b"commondir" => {
                self.around(repository).is_some_and(|root| worktrees::is_plain(repository, repository, root))
            }
            b"hooks" if is_whole => has_no_hooks(repository),
            b"hooks" => {
                path.is_dir()
                    && !path.is_symlink()
                    && !HOOKS.iter().any(|hook| path.join(hook).symlink_metadata().is_ok())
            }
            _ => text(&path).is_some_and(|text| {
                let (is_of, is_from) = self.inside(repository);
                let before = self.settings.before(&path);
                are_harmless_among(&text, &is_of, &is_from)
                    || before.is_some_and(|before| adds_only_harmless(before, text.as_bytes()))
            }),
        }
    }

    /// Settings as they were, or else as they are without what is not harmless, so that the repository can be worked in.
    fn harmless_part(&self, here: &Here<'_>, name: &CStr) -> Option<Before> {
        let is_settings = matches!(name.to_bytes(), b"config" | b"config.worktree");
        let path = here.path.join(OsStr::from_bytes(name.to_bytes()));
        let text = text(&path).filter(|_| is_settings)?;
        let found = found(here.directory, name).ok()?;
        let (is_of, is_from) = self.inside(here.path);
        let bytes = match self.settings.before(&path) {
            Some(before) => before.to_owned(),
            None => harmless_part(&text, &is_of, &is_from).into_bytes(),
        };
        let owner = (Uid::from_raw(found.st_uid), Gid::from_raw(found.st_gid));
        Some(Before { bytes, mode: Mode::from_raw_mode(found.st_mode & 0o777), owner })
    }

    /// Whether what settings say leads to something inside: where the files of a repository are, and where it is from.
    fn inside(&self, repository: &Path) -> (impl Fn(&str) -> bool, impl Fn(&str) -> bool) {
        let is_real = |path: &Path| real(path).is_some_and(|real| self.around(&real).is_some());
        let is_from = move |said: &str| {
            let said = Path::new(said);
            self.around(said).is_some() && (!said.exists() || is_real(said))
        };
        (move |said: &str| is_real(&repository.join(said)), is_from)
    }

    fn around(&self, path: &Path) -> Option<&Path> {
        let is_plain = path.components().all(|part| part.as_os_str() != "..");
        self.paths.iter().find(|root| is_plain && path.starts_with(root)).map(std::path::PathBuf::as_path)
    }

    fn set_aside(&mut self, here: &Here<'_>, name: &CStr) {
        let mut space = [0; 256];
        let became = match self.tag.set_aside_as(here.directory, name, &mut space) {
            Ok(aside) => Became::Aside(here.path.join(OsStr::from_bytes(aside.to_bytes()))),
            Err(Errno::NOENT) => return,
            Err(_) => Became::Stays,
        };
        self.tell(here.path.join(OsStr::from_bytes(name.to_bytes())), became);
    }

    /// Sets aside links by which git would write somewhere else, if they are new, or the way to them is.
    fn links(&mut self, repository: &Path, is_fresh: bool) {
        let Planted { links, unseen } = strays::in_repository(repository);
        for (paths, may_be) in [(links, MayBe::AnythingButALink), (unseen, MayBe::Nothing)] {
            for path in paths {
                if is_fresh || self.is_new_below(repository, &path) {
                    self.remove(Guarded { path, may_be: may_be.clone() });
                }
            }
        }
    }

    fn is_new_below(&self, repository: &Path, path: &Path) -> bool {
        let way = path.ancestors().take_while(|above| *above != repository);
        way.into_iter().any(|part| {
            statat(rustix::fs::CWD, part, AtFlags::SYMLINK_NOFOLLOW)
                .is_ok_and(|found| self.since.has_changed(&found))
        })
    }

    fn remove(&mut self, guarded: Guarded) {
        let root = self.roots.iter().find(|root| guarded.path.starts_with(&root.path));
        let made = root.zip(guarded.path.parent()).and_then(|(root, above)| {
            let mut place = Place::new(root, above, self.tag.never_written())?;
            place.add(&guarded, Moment::End)?;
            Some(place)
        });
        let moved = made.map(|place| {
            place.sweep(Moment::End);
            place.moved()
        });
        match moved.filter(|moved| !moved.is_empty()) {
            Some(moved) => moved.into_iter().for_each(|one| self.tell(one.path, one.became)),
            None => self.tell(guarded.path, Became::Stays),
        }
    }
}
