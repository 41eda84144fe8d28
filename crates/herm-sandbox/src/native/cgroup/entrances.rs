//! The ways into a group.
//!
//! To move a process that runs, the kernel waits until every processor has been through a quiet moment, ten milliseconds and
//! more where little goes on. There is no wait for one that is born in a group, which version 2 has, nor for a single thread that
//! moves itself, which version 1 has. What crosses a boundary is a process of one thread, so that is all of it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use super::{MEMBERS, Version, files};

/// What leads into a group, in all of its trees.
#[derive(Debug, Default)]
pub(crate) struct Entrances {
    /// Lists of threads or processes, which one is in by writing oneself into them.
    lists: Vec<OwnedFd>,
    /// The group of version 2, if there is one.
    two: Option<Two>,
}

/// A group of version 2, and its list for kernels in which nobody is born in one.
#[derive(Debug)]
struct Two {
    directory: OwnedFd,
    list: OwnedFd,
}

/// Where a process was when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Birth {
    /// In the group of version 2.
    Inside,
    /// Where its parent is.
    Outside,
}

impl Entrances {
    /// Adds the part of a group at `path`.
    pub(super) fn add(&mut self, path: &Path, version: Version) -> io::Result<()> {
        match version {
            Version::One => self.lists.push(files::open_to_write(&path.join(THREADS))?),
            Version::Two => {
                let list = files::open_to_write(&path.join(MEMBERS))?;
                self.two = Some(Two { directory: files::open_directory(path)?, list });
            }
        }
        Ok(())
    }

    /// The same ones, held open by themselves.
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        let lists = self.lists.iter().map(OwnedFd::try_clone).collect::<io::Result<_>>()?;
        let two = self.two.as_ref().map(|two| {
            Ok::<_, io::Error>(Two { directory: two.directory.try_clone()?, list: two.list.try_clone()? })
        });
        Ok(Self { lists, two: two.transpose()? })
    }

    /// Where a process can be born.
    pub(crate) fn birthplace(&self) -> Option<BorrowedFd<'_>> {
        self.two.as_ref().map(|two| two.directory.as_fd())
    }

    /// Enters the group, as a process of one thread. Makes system calls only.
    ///
    /// It has to come before new user and cgroup namespaces: those who enter from within may lack the right, and the namespace
    /// begins at the group that one is in.
    pub(crate) fn join(&self, birth: Birth) -> rustix::io::Result<()> {
        let two = self.two.as_ref().filter(|_| birth == Birth::Outside).map(|two| &two.list);
        for list in self.lists.iter().chain(two) {
            // Nought stands for whoever writes it.
            rustix::io::write(list, b"0")?;
        }
        Ok(())
    }
}

/// The file of a group of version 1 that has its threads.
const THREADS: &str = "tasks";
