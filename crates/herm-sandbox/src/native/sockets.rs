//! Sockets in what a program may change, behind which somebody listens.
//!
//! Who speaks to one has something done by a program that nothing confines: a `tmux` runs what it is told, and so does an engine of containers. No
//! mount keeps anybody from that, and Landlock does only since Linux 7.1. So those that are there are covered when a view is built.
//!
//! The kernel says which files sockets are bound to. Those whose names lead there are found by them, however deep they lie. Where one is bound to a file that its
//! name does not lead to, as one that was bound by a relative path or moved since, and that may lie in such a directory, all of that is searched. Others in the upper part of
//! a directory are found without that. What is not found: a socket further down in another network, and one that somebody outside makes later.

mod bound;

use std::collections::{BTreeSet, VecDeque};
use std::ffi::{CStr, CString, OsStr};
use std::fs::FileType;
use std::io::ErrorKind;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType as Kind, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};
use rustix::process::geteuid;

use super::plain::{self, Contents, Links};
use super::tree::{self, Here, Visitor};
use bound::{Bound, Device, devices_of};

/// What must not be reached.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// Sockets behind which somebody listens.
    pub(super) sockets: BTreeSet<PathBuf>,
    /// Directories that may hold one, and that only who is inside would open.
    pub(super) shut: BTreeSet<PathBuf>,
}

/// The sockets below directories without links on the way behind which somebody listens.
pub(super) fn live_in(roots: &[PathBuf]) -> Reached {
    let is_inside = |path: &PathBuf| roots.iter().any(|root| path.starts_with(root));
    // A kernel that does not say which files they are bound to still lists their names.
    let (named, lost) =
        bound::all().map_or_else(|| (listed(Path::new(LIST)), BTreeSet::new()), |bound| told(&bound));
    let mut reached = Reached::default();
    if is_near(&lost, roots) {
        for root in roots {
            reached.search(root);
        }
    }
    let seen = roots.iter().flat_map(|root| seen_in(root));
    let found = named.into_iter().filter(is_inside).chain(seen).filter(|path| is_live(path));
    reached.sockets.extend(found);
    reached
}

/// Where the names of sockets lead, and the file systems on which there are some that no name leads to.
#[expect(clippy::disallowed_methods, reason = "where a path leads, only the file system knows")]
fn told(all: &[Bound]) -> (BTreeSet<PathBuf>, BTreeSet<Device>) {
    let (mut named, mut lost) = (BTreeSet::new(), BTreeSet::new());
    for bound in BTreeSet::from_iter(all) {
        let place = if bound.name.is_absolute() {
            std::fs::canonicalize(&bound.name)
        } else {
            Err(ErrorKind::NotFound.into())
        };
        let number =
            |path: &PathBuf| std::fs::symlink_metadata(path).map(|found| found.ino() & u64::from(u32::MAX));
        match place {
            Ok(place) => {
                if number(&place).is_ok_and(|number| number != u64::from(bound.file)) {
                    lost.insert(bound.device);
                }
                if is_socket(&place) {
                    named.insert(place);
                }
            }
            // Nobody who runs herm, and nothing that it runs, could have moved it from there.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {}
            Err(_) => drop(lost.insert(bound.device)),
        }
    }
    (named, lost)
}

/// Whether something on one of those file systems may lie in a directory.
fn is_near(lost: &BTreeSet<Device>, roots: &[PathBuf]) -> bool {
    let is_one = |devices: Vec<Device>| devices.iter().any(|device| lost.contains(device));
    !lost.is_empty() && devices_of(roots).is_none_or(is_one)
}

impl Reached {
    /// Looks at everything below a directory.
    fn search(&mut self, root: &Path) {
        let opened = tree::open(CWD, root);
        // Whoever moves a part of it meanwhile is outside.
        let _ = opened.and_then(|opened| tree::walk(opened, root, self));
    }
}

impl Visitor for Reached {
    type Notes = ();

    fn look(&mut self, here: &Here<'_>, (): &mut (), name: &CStr, kind: Kind) {
        if kind == Kind::Socket && !matches!(knock_in(here.directory, name), Err(Errno::CONNREFUSED)) {
            self.sockets.insert(here.path.join(OsStr::from_bytes(name.to_bytes())));
        }
    }

    fn leave(&mut self, _: &Here<'_>, (): (), _: Option<&mut ()>) {}

    fn open(&mut self, here: &Here<'_>, name: &CStr) -> Option<OwnedFd> {
        let found = statat(here.directory, name, AtFlags::SYMLINK_NOFOLLOW);
        if found.is_ok_and(|found| found.st_uid == geteuid().as_raw()) {
            self.shut.insert(here.path.join(OsStr::from_bytes(name.to_bytes())));
        }
        None
    }
}

/// The sockets that have a whole path, as the kernel lists them, and where those lead.
#[expect(clippy::disallowed_methods, reason = "where a path leads, only the file system knows")]
fn listed(list: &Path) -> BTreeSet<PathBuf> {
    let Contents::Bytes(bytes) = plain::read(list, Links::Refused, MOST_LISTED) else {
        return BTreeSet::new();
    };
    // Nothing before a path has a slash in it. What is made of a relative one is nothing that is there.
    let path = |line: &[u8]| {
        line.iter().position(|byte| *byte == b'/').and_then(|start| line.get(start..).map(path_of))
    };
    let paths: BTreeSet<PathBuf> = bytes.split(|byte| *byte == b'\n').filter_map(path).collect();
    paths.iter().filter_map(|path| std::fs::canonicalize(path).ok()).filter(|path| is_socket(path)).collect()
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

const LIST: &str = "/proc/self/net/unix";

/// More than any machine lists.
const MOST_LISTED: u64 = 64 << 20;

/// Sockets in the upper part of a directory: all that lie in itself, and as many further down as can be looked at at once.
#[expect(clippy::disallowed_methods, reason = "what is in a directory, only the file system knows")]
fn seen_in(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), MOST_ENTRIES);
    let mut waiting = VecDeque::from([(root.to_owned(), 0)]);
    while let Some((directory, depth)) = waiting.pop_front() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            if left == 0 && depth > 0 {
                return found;
            }
            left = left.saturating_sub(1);
            match entry.file_type() {
                Ok(kind) if kind.is_socket() => found.push(entry.path()),
                Ok(kind) if kind.is_dir() && depth < DEEPEST => waiting.push_back((entry.path(), depth + 1)),
                Ok(_) | Err(_) => {}
            }
        }
    }
    found
}

/// How many names are looked at below the first directory.
const MOST_ENTRIES: usize = 128;

/// How deep.
const DEEPEST: usize = 4;

#[expect(clippy::disallowed_methods, reason = "what a file is, only the file system knows")]
fn is_socket(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| FileType::is_socket(&found.file_type()))
}

/// Whether somebody listens there, without their noticing: what is asked for is another kind of socket than theirs. One that nobody holds any more
/// is a file like any other, and nobody will ever listen there again.
fn is_live(path: &Path) -> bool {
    match knock(path) {
        Err(Errno::CONNREFUSED) => false,
        Err(Errno::NOENT) => is_socket(path),
        Ok(()) | Err(_) => true,
    }
}

fn knock(path: &Path) -> rustix::io::Result<()> {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return Err(Errno::INVAL) };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(CWD, above, flags, Mode::empty())?;
    knock_in(directory.as_fd(), &CString::new(name.as_bytes()).map_err(|_| Errno::INVAL)?)
}

fn knock_in(directory: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<()> {
    // An address is shorter than paths may be.
    let short = Path::new("/proc/self/fd").join(directory.as_raw_fd().to_string());
    let short = short.join(OsStr::from_bytes(name.to_bytes()));
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let line = socket_with(AddressFamily::UNIX, SocketType::DGRAM, flags, None)?;
    connect(&line, &SocketAddrUnix::new(&short)?)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files and sockets")]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::{UnixDatagram, UnixListener};

    use super::*;
    use crate::Scratch;

    fn place() -> (Scratch, PathBuf) {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        (scratch, root)
    }

    #[test]
    fn sockets_are_found_where_somebody_listens_and_nobody_notices() {
        let (_scratch, root) = place();
        fs::create_dir_all(root.join("tmp/sockets")).unwrap();
        let listener = UnixListener::bind(root.join("tmp/sockets/s")).unwrap();
        let _datagrams = UnixDatagram::bind(root.join("d")).unwrap();
        drop(UnixListener::bind(root.join("dead")).unwrap());
        fs::write(root.join("file"), "").unwrap();
        let found: Vec<_> = live_in(std::slice::from_ref(&root)).sockets.into_iter().collect();
        assert_eq!(found, [root.join("d"), root.join("tmp/sockets/s")]);
        listener.set_nonblocking(true).unwrap();
        assert!(listener.accept().is_err(), "nobody has connected");
    }

    #[test]
    fn those_that_the_kernel_lists_are_found_however_deep_they_lie() {
        let (_scratch, root) = place();
        let deep = root.join("a/b/c/d/e/f/g/h");
        fs::create_dir_all(&deep).unwrap();
        let _listener = UnixListener::bind(deep.join("s")).unwrap();
        assert!(live_in(std::slice::from_ref(&root)).sockets.contains(&deep.join("s")));
        assert!(live_in(&[root.join("other")]).sockets.is_empty());
        assert!(listed(Path::new(LIST)).contains(&deep.join("s")), "a kernel that says no more");
    }

    #[test]
    fn those_that_no_name_leads_to_are_searched_for() {
        let (_scratch, root) = place();
        let deep = root.join("a/b/c/d/e/f/g/h");
        fs::create_dir_all(deep.join("i")).unwrap();
        let _moved = UnixListener::bind(deep.join("s")).unwrap();
        fs::rename(deep.join("s"), deep.join("i/moved")).unwrap();
        let above = fs::File::open(&deep).unwrap();
        let _relative = UnixListener::bind(format!("/proc/self/fd/{}/relative", above.as_raw_fd())).unwrap();
        drop(above);
        drop(UnixListener::bind(deep.join("dead")).unwrap());
        if bound::all().is_none() {
            return;
        }
        let found = live_in(std::slice::from_ref(&root));
        assert_eq!(found.sockets, BTreeSet::from([deep.join("i/moved"), deep.join("relative")]));
        // Whoever can be kept out cannot be root.
        fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o000)).unwrap();
        let found = live_in(std::slice::from_ref(&root));
        fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o700)).unwrap();
        let hidden = if geteuid().is_root() { BTreeSet::new() } else { BTreeSet::from([root.join("a")]) };
        assert_eq!(found.shut, hidden);
    }

    #[test]
    fn a_crowd_hides_none_in_the_first_directory() {
        let (_scratch, root) = place();
        for number in 0..MOST_ENTRIES + 10 {
            fs::write(root.join(format!("f{number}")), "").unwrap();
        }
        let _listener = UnixListener::bind(root.join("zz")).unwrap();
        assert_eq!(seen_in(&root), [root.join("zz")]);
    }
}
