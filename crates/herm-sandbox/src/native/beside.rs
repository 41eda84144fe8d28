//! What a program wrote beside its workspace, where nothing stays.
//!
//! The home directory is private, and so are the directories in private places that lead to a workspace. Whoever writes there sees no
//! error, and finds nothing afterwards; so it is told. The first process behind the boundary hands those directories out when the view
//! is built, and herm lists them in the end: they are there for as long as somebody holds them.

use std::collections::BTreeSet;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::Dir;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use crate::sys::doors;

/// What was written outside of the workspace, and is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unkept {
    /// The first of it.
    pub paths: Vec<PathBuf>,
    /// How much more there is.
    pub more: usize,
}

/// A private directory beside a workspace.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Private {
    pub(super) path: PathBuf,
    /// What was put there for the program.
    pub(super) known: BTreeSet<OsString>,
    pub(super) is_home: bool,
}

/// The private directories, as herm holds them.
#[derive(Debug)]
pub(super) struct Beside {
    line: OwnedFd,
    places: Vec<Private>,
    opened: OnceLock<Vec<OwnedFd>>,
}

/// What the other side hands them out by, and which.
#[derive(Debug)]
pub(crate) struct Handing {
    pub(crate) line: OwnedFd,
    /// Below the new root.
    pub(crate) directories: Vec<CString>,
}

/// More directories lead to no workspace.
const MOST_PLACES: usize = 16;

/// How many paths are told.
const MOST_TOLD: usize = 10;

/// More names than these are not counted, in one directory.
const MOST_NAMES: usize = 10_000;

/// What tools keep in a home directory without a dot.
const CACHES: &[&str] = &["go"];

impl Beside {
    /// Herm's side and the other one, where there are such directories.
    pub(super) fn new(mut places: Vec<Private>) -> io::Result<Option<(Self, Handing)>> {
        places.truncate(MOST_PLACES);
        let below =
            |place: &Private| CString::new(place.path.strip_prefix("/").ok()?.as_os_str().as_bytes()).ok();
        let directories: Option<Vec<CString>> = places.iter().map(below).collect();
        let Some(directories) = directories.filter(|directories| !directories.is_empty()) else {
            return Ok(None);
        };
        // Neither side ever waits for the other.
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let (line, other) = socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
        let beside = Self { line, places, opened: OnceLock::new() };
        Ok(Some((beside, Handing { line: other, directories })))
    }

    /// What is there by now that was not put there for the program. What cannot be listed is not told.
    pub(super) fn found(&self) -> Unkept {
        let opened = self.opened.get_or_init(|| self.take_over());
        let mut unkept = Unkept::default();
        for (place, directory) in self.places.iter().zip(opened) {
            let names = names(directory).unwrap_or_default();
            names
                .iter()
                .filter(|name| place.is_news(name))
                .for_each(|name| unkept.add(place.path.join(name)));
        }
        unkept
    }

    fn take_over(&self) -> Vec<OwnedFd> {
        let next = |_: &Private| doors::receive(&self.line, 1).ok()?.pop();
        self.places.iter().map_while(next).collect()
    }
}

impl Private {
    /// Whether somebody may miss it: what begins with a dot in a home directory is what tools keep for themselves.
    fn is_news(&self, name: &OsStr) -> bool {
        let is_kept_by_tools =
            self.is_home && (name.as_bytes().starts_with(b".") || CACHES.iter().any(|cache| name == *cache));
        !is_kept_by_tools && !self.known.contains(name)
    }
}

impl Unkept {
    /// The same, where there is something to tell.
    pub(crate) fn told(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }

    fn add(&mut self, path: PathBuf) {
        if self.paths.len() < MOST_TOLD {
            self.paths.push(path);
        } else {
            self.more += 1;
        }
    }

    /// What was not told before.
    pub(crate) fn since(&self, told: &Self) -> Self {
        let paths = self.paths.iter().filter(|path| !told.paths.contains(path)).cloned();
        Self { paths: paths.collect(), more: self.more.saturating_sub(told.more) }
    }
}

/// The names in a directory, in order. It is not opened anew: whoever made something there may have closed the door behind it.
fn names(directory: &OwnedFd) -> io::Result<Vec<OsString>> {
    let mut listed = Dir::new(directory.try_clone()?)?;
    listed.rewind();
    let mut names = Vec::new();
    for entry in listed.take(MOST_NAMES) {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(OsString::from_vec(name));
        }
    }
    names.sort();
    Ok(names)
}

/// The directories of a view in which something may be written that does not stay, given which directories in it are private.
pub(super) fn private_places<'a>(
    home: &Path,
    writable: impl Iterator<Item = &'a Path>,
    is_private: impl Fn(&Path) -> bool,
) -> Vec<(PathBuf, bool)> {
    let mut places: Vec<PathBuf> = vec![home.to_owned()];
    for above in writable.flat_map(|path| path.ancestors().skip(1)).filter(|above| is_private(above)) {
        if !places.iter().any(|place| place == above) {
            places.push(above.to_owned());
        }
    }
    places.into_iter().map(|place| (place.clone(), place == home)).collect()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::os::fd::AsFd;

    use super::*;
    use crate::Scratch;

    fn private(path: &Path, known: &[&str], is_home: bool) -> Private {
        Private { path: path.to_owned(), known: known.iter().map(OsString::from).collect(), is_home }
    }

    /// Plays the other side: hands out a directory that is named otherwise there.
    fn hand_out(handing: &Handing, directory: &Path) {
        let opened = fs::File::open(directory).unwrap();
        doors::send(&handing.line, &[opened.as_fd()]).unwrap();
    }

    #[test]
    fn what_is_new_is_told_in_order_and_the_rest_is_counted() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        for name in [".npm", "go", "known", "b", "a"] {
            fs::create_dir(scratch.path().join(name)).unwrap();
        }
        let home = Path::new("/home/me");
        let (beside, handing) = Beside::new(vec![private(home, &["known"], true)]).unwrap().unwrap();
        assert_eq!(handing.directories, [c"home/me".to_owned()]);
        hand_out(&handing, scratch.path());
        let told = beside.found();
        assert_eq!(told, Unkept { paths: vec![home.join("a"), home.join("b")], more: 0 });
        for number in 0..MOST_TOLD {
            fs::write(scratch.path().join(format!("n{number}")), "").unwrap();
        }
        let now = beside.found();
        assert_eq!((now.paths.len(), now.more), (MOST_TOLD, 2));
        let since = now.since(&told);
        assert_eq!((since.paths.len(), since.more), (MOST_TOLD - 2, 2));
        assert_eq!(now.since(&now).told(), None);
    }

    #[test]
    fn what_was_not_handed_out_is_not_waited_for() {
        let (beside, handing) =
            Beside::new(vec![private(Path::new("/home/me"), &[], true)]).unwrap().unwrap();
        assert_eq!(beside.found().told(), None);
        drop(handing);
        assert!(Beside::new(Vec::new()).unwrap().is_none());
    }

    #[test]
    fn a_dot_means_nothing_beside_a_workspace() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        fs::write(scratch.path().join(".env"), "").unwrap();
        let place = Path::new("/home/me/code");
        let (beside, handing) = Beside::new(vec![private(place, &["project"], false)]).unwrap().unwrap();
        hand_out(&handing, scratch.path());
        assert_eq!(beside.found().paths, [place.join(".env")]);
    }

    #[test]
    fn the_way_to_a_workspace_is_looked_at_as_far_as_it_is_private() {
        let home = Path::new("/home/me");
        let writable = ["/home/me/a/b/work", "/srv/x/work"].map(Path::new);
        let places = private_places(home, writable.into_iter(), |path| path.starts_with(home));
        let expected = [("/home/me", true), ("/home/me/a/b", false), ("/home/me/a", false)];
        assert_eq!(places, expected.map(|(path, is_home)| (PathBuf::from(path), is_home)));
    }
}
