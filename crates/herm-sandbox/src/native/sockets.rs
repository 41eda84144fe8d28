//! Sockets in what a program may change, behind which somebody listens.
//!
//! Who speaks to one has something done by a program that nothing confines: a `tmux` runs what it is told, and so does an engine of containers. No
//! mount keeps anybody from that, and Landlock does only since Linux 7.1. So those that are there are covered when a view is built.
//!
//! Found are those whose whole path the kernel lists, however deep they lie, and others in the upper part of a directory. What is not found: a
//! socket further down that was bound by a relative path or in another network, and one that somebody outside makes later.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs::FileType;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

use super::plain::{self, Contents, Links};

/// The sockets below directories without links on the way behind which somebody listens.
pub(super) fn live_in(roots: &[PathBuf]) -> BTreeSet<PathBuf> {
    let is_inside = |path: &PathBuf| roots.iter().any(|root| path.starts_with(root));
    let mut found: BTreeSet<PathBuf> = listed(Path::new(LIST)).into_iter().filter(is_inside).collect();
    found.extend(roots.iter().flat_map(|root| seen_in(root)));
    found.retain(|path| is_live(path));
    found
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
    // An address is shorter than paths may be.
    let short = Path::new("/proc/self/fd").join(directory.as_raw_fd().to_string()).join(name);
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let line = socket_with(AddressFamily::UNIX, SocketType::DGRAM, flags, None)?;
    connect(&line, &SocketAddrUnix::new(&short)?)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files and sockets")]
mod tests {
    use std::fs;
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
        let found: Vec<_> = live_in(std::slice::from_ref(&root)).into_iter().collect();
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
        assert!(live_in(std::slice::from_ref(&root)).contains(&deep.join("s")));
        assert!(live_in(&[root.join("other")]).is_empty());
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
