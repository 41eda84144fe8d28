//! Walking through a tree that somebody may have made to be hard to walk through.
//!
//! It may be deeper than any path is long and than files can be open. So each directory is opened from the one above, names are kept only as far as
//! they are still to be looked at, and the way back up is checked. No link is followed.

use std::ffi::{CStr, OsStr};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, Stat, fstat, fstatfs, openat, statat};
use rustix::io::{self, Errno};
use rustix::path::Arg;

/// Who is shown all that is in a tree.
pub(super) trait Visitor {
    /// What is noted about a directory as long as something in it is to be looked at.
    type Notes: Default;

    /// Is told of a directory before anything in it, with what was noted about the one above.
    fn enter(&mut self, here: &Here<'_>, above: Option<&Self::Notes>) -> Self::Notes {
        let (_, _) = (here, above);
        Self::Notes::default()
    }

    /// Is shown what is in a directory, one after the other. Directories are entered later.
    fn look(&mut self, here: &Here<'_>, notes: &mut Self::Notes, name: &CStr, kind: FileType);

    /// Is told when all in a directory, and below, was shown.
    fn leave(&mut self, here: &Here<'_>, notes: Self::Notes, above: Option<&mut Self::Notes>);

    /// Opens a directory that cannot be looked into as it is, if it should be.
    fn open(&mut self, here: &Here<'_>, name: &CStr) -> Option<OwnedFd>;
}

/// A directory that is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here<'a> {
    pub(super) directory: BorrowedFd<'a>,
    /// Where it is. It may be longer than the kernel takes.
    pub(super) path: &'a Path,
    pub(super) found: &'a Stat,
}

/// Shows everything below a directory. An error when not all of it could be: somebody has moved a part of it meanwhile.
pub(super) fn walk<V: Visitor>(root: OwnedFd, path: &Path, visitor: &mut V) -> io::Result<()> {
    let mut way = Way { path: path.to_owned(), frames: Vec::new(), names: Vec::new() };
    let mut space = vec![MaybeUninit::uninit(); SPACE];
    way.enter(root, visitor, &mut space)?;
    while !way.frames.is_empty() {
        match way.next(visitor) {
            Some(directory) => way.enter(directory, visitor, &mut space)?,
            None => way.leave(visitor)?,
        }
    }
    Ok(())
}

/// How many names are listed at once.
const SPACE: usize = 1 << 15;

/// How many directories are kept open on the way.
const KEPT: usize = 64;

/// From the root to where one is.
struct Way<N> {
    path: PathBuf,
    frames: Vec<Frame<N>>,
    /// The names of directories that are still to be entered, those of the innermost last, each with a nought behind it.
    names: Vec<u8>,
}

struct Frame<N> {
    /// Nothing where there are many open below it.
    directory: Option<OwnedFd>,
    found: Stat,
    notes: N,
    /// Where its names begin.
    names: usize,
}

impl<N: Default> Way<N> {
    fn enter<V: Visitor<Notes = N>>(
        &mut self,
        directory: OwnedFd,
        visitor: &mut V,
        space: &mut [MaybeUninit<u8>],
    ) -> io::Result<()> {
        let found = fstat(&directory)?;
        let is_another = self.frames.last().is_some_and(|above| above.found.st_dev != found.st_dev);
        if is_another && is_of_kernel(directory.as_fd()) {
            self.path.pop();
            return Ok(());
        }
        let here = Here { directory: directory.as_fd(), path: &self.path, found: &found };
        let mut notes = visitor.enter(&here, self.frames.last().map(|above| &above.notes));
        let names = self.names.len();
        let mut listed = RawDir::new(&directory, space);
        // What cannot be read further is no directory any more.
        while let Some(Ok(entry)) = listed.next() {
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let told = entry.file_type();
            let kind = if told == FileType::Unknown { kind(directory.as_fd(), name) } else { told };
            visitor.look(&here, &mut notes, name, kind);
            if kind == FileType::Directory {
                self.names.extend_from_slice(name.to_bytes_with_nul());
            }
        }
        if let Some(far) = self.frames.len().checked_sub(KEPT).and_then(|far| self.frames.get_mut(far)) {
            far.directory = None;
        }
        self.frames.push(Frame { directory: Some(directory), found, notes, names });
        Ok(())
    }

    /// The next directory in the innermost one.
    fn next<V: Visitor<Notes = N>>(&mut self, visitor: &mut V) -> Option<OwnedFd> {
        let frame = self.frames.last()?;
        while self.names.len() > frame.names {
            let end = self.names.len() - 1;
            let before = self.names.get(..end)?.iter().rposition(|byte| *byte == 0);
            let start = before.map_or(0, |before| before + 1);
            let directory = frame.directory.as_ref()?.as_fd();
            let name = CStr::from_bytes_with_nul(self.names.get(start..)?).ok()?;
            let here = Here { directory, path: &self.path, found: &frame.found };
            let opened = match open(directory, name) {
                Err(Errno::ACCESS) => visitor.open(&here, name),
                outcome => outcome.ok(),
            };
            let part = OsStr::from_bytes(name.to_bytes()).to_owned();
            self.names.truncate(start);
            if let Some(opened) = opened {
                self.path.push(part);
                return Some(opened);
            }
        }
        None
    }

    fn leave<V: Visitor<Notes = N>>(&mut self, visitor: &mut V) -> io::Result<()> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let Some(directory) = &frame.directory else { return Err(Errno::STALE) };
        if let Some(above) = self.frames.last_mut().filter(|above| above.directory.is_none()) {
            let opened = open(directory.as_fd(), c"..")?;
            let found = fstat(&opened)?;
            if (found.st_dev, found.st_ino) != (above.found.st_dev, above.found.st_ino) {
                return Err(Errno::STALE);
            }
            above.directory = Some(opened);
        }
        let here = Here { directory: directory.as_fd(), path: &self.path, found: &frame.found };
        visitor.leave(&here, frame.notes, self.frames.last_mut().map(|above| &mut above.notes));
        if !self.frames.is_empty() {
            self.path.pop();
        }
        Ok(())
    }
}

/// Whether a file system has nothing in it but what the kernel shows.
fn is_of_kernel(directory: BorrowedFd<'_>) -> bool {
    fstatfs(directory).is_ok_and(|found| OF_KERNEL.contains(&i128::from(found.f_type)))
}

/// bpf, cgroup and its second version, configfs, debugfs, devpts, proc, pstore, securityfs, sysfs, tracefs.
const OF_KERNEL: [i128; 11] = [
    0xcafe_4a11,
    0x0027_e0eb,
    0x6367_7270,
    0x6265_6570,
    0x6462_6720,
    0x1cd1,
    0x9fa0,
    0x6165_676c,
    0x7363_6673,
    0x6265_6572,
    0x7472_6163,
];

/// Opens a directory, to be listed.
pub(super) fn open(from: BorrowedFd<'_>, name: impl Arg) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(from, name, flags, Mode::empty())
}

fn kind(directory: BorrowedFd<'_>, name: &CStr) -> FileType {
    statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
        .map_or(FileType::Unknown, |found| FileType::from_raw_mode(found.st_mode))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use rustix::fs::{mkdirat, unlinkat};

    use super::*;
    use crate::Scratch;

    #[derive(Default)]
    struct Counting {
        seen: Vec<PathBuf>,
        longest: usize,
        left: usize,
    }

    impl Visitor for Counting {
        type Notes = usize;

        fn look(&mut self, here: &Here<'_>, notes: &mut usize, name: &CStr, _: FileType) {
            *notes += 1;
            self.longest = self.longest.max(here.path.as_os_str().len());
            self.seen.push(here.path.join(OsStr::from_bytes(name.to_bytes())));
        }

        fn leave(&mut self, _: &Here<'_>, notes: usize, above: Option<&mut usize>) {
            self.left += 1;
            if let Some(above) = above {
                *above += notes;
            }
        }

        fn open(&mut self, _: &Here<'_>, _: &CStr) -> Option<OwnedFd> {
            None
        }
    }

    fn walked(root: &Path) -> Counting {
        let mut counting = Counting::default();
        walk(fs::File::open(root).unwrap().into(), root, &mut counting).unwrap();
        counting
    }

    #[test]
    fn everything_is_shown_and_no_link_is_followed() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let root = scratch.path();
        for name in ["a/b/c", "a/d", "e"] {
            fs::create_dir_all(root.join(name)).unwrap();
            fs::write(root.join(name).join("file"), "").unwrap();
        }
        std::os::unix::fs::symlink("/", root.join("link")).unwrap();
        let mut seen = walked(root).seen;
        seen.sort();
        let names = ["a", "a/b", "a/b/c", "a/b/c/file", "a/d", "a/d/file", "e", "e/file", "link"];
        let mut expected = names.map(|name| root.join(name)).to_vec();
        expected.sort();
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_the_kernel_shows_is_nobodys() {
        for (path, expected) in [("/proc", true), ("/sys", true), ("/usr", false)] {
            let Ok(directory) = fs::File::open(path) else { continue };
            assert_eq!(is_of_kernel(directory.as_fd()), expected, "{path}");
        }
    }

    /// It is longer than a path may be, and deeper than files are open.
    #[test]
    fn depth_hides_nothing() {
        const DEPTH: usize = 1000;
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let mut way: Vec<OwnedFd> = vec![fs::File::open(scratch.path()).unwrap().into()];
        for _ in 0..DEPTH {
            let at = way.pop().unwrap();
            mkdirat(&at, "further", Mode::RWXU).unwrap();
            way.push(open(at.as_fd(), c"further").unwrap());
        }
        let counting = walked(scratch.path());
        assert_eq!((counting.seen.len(), counting.left), (DEPTH, DEPTH + 1));
        assert!(counting.longest > 5 * DEPTH);
        // What is that deep must be taken away from below.
        let mut at = way.pop().unwrap();
        for _ in 0..DEPTH {
            let above = open(at.as_fd(), c"..").unwrap();
            unlinkat(&above, "further", AtFlags::REMOVEDIR).unwrap();
            at = above;
        }
    }
}
