//! A tree that is never left.
//!
//! Every path is resolved by the kernel from an open directory, and not through links, magic links of `/proc` or
//! mounts. A link that somebody puts in place of a directory, at whatever moment, makes an error and no escape.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, ResolveFlags, StatxAttributes, StatxFlags};
use rustix::io::Errno;

use super::node::{Attributes, Content, Digest, Node, Shape, Stamp};

/// An open directory, and everything beneath it by relative path. The empty path is the directory itself.
#[derive(Debug)]
pub(crate) struct Root {
    directory: Rc<OwnedFd>,
    path: PathBuf,
    /// What is closed to its owner may be opened for a moment: it belongs to us alone, or is being changed anyway.
    may_open: bool,
    /// The directories that were opened, with the modes that closed them. They are closed again in the end.
    opened: RefCell<BTreeMap<PathBuf, u32>>,
    /// The directory that was asked for last: what is asked for next mostly stands beside it.
    last: RefCell<Option<(PathBuf, Rc<OwnedFd>)>>,
}

/// Whether the bytes of a file are to be read for their hash.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Hashing {
    Bytes,
    Skip,
}

/// Files that are longer are told apart by their stamps only: hashing a sparse one would take for ever.
pub(crate) const HASHED: u64 = 256 << 20;

/// How often a path is looked up again when the kernel says that directories moved meanwhile.
const ATTEMPTS: usize = 16;

impl Root {
    /// Opens a directory that the caller trusts.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::openat(CWD, path, flags, Mode::empty())?;
        let (directory, path) = (Rc::new(directory), path.to_owned());
        Ok(Self { directory, path, may_open: false, opened: RefCell::default(), last: RefCell::new(None) })
    }

    /// Opens a directory that nobody else uses.
    pub(crate) fn open_own(path: &Path) -> io::Result<Self> {
        let mut root = Self::open(path)?;
        root.may_open = true;
        Ok(root)
    }

    /// The same, for whoever changes it anyway: what is closed to its owner may be opened for a moment.
    pub(crate) fn opening(&self) -> Self {
        let mut root = self.again();
        root.may_open = true;
        root
    }

    /// The same again, with everything closed that was opened.
    pub(crate) fn closing(self) -> Self {
        self.again()
    }

    fn again(&self) -> Self {
        Self {
            directory: Rc::clone(&self.directory),
            path: self.path.clone(),
            may_open: false,
            opened: RefCell::default(),
            last: RefCell::new(None),
        }
    }

    /// Where it was when it was opened: for messages only.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens what stands at a path. Links are not followed, not even the last.
    pub(crate) fn open_at(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        match self.resolve(path, flags) {
            Err(error) if self.may_open && error.kind() == io::ErrorKind::PermissionDenied => {
                for directory in path.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
                    self.open_closed(directory)?;
                }
                self.resolve(path, flags)
            }
            answer => answer,
        }
    }

    /// Opens a directory of our own that its mode closes to its owner, who we are. What stands in it can be seen then; that
    /// it was closed is remembered.
    fn open_closed(&self, path: &Path) -> io::Result<()> {
        let directory = self.resolve(path, OFlags::PATH | OFlags::DIRECTORY)?;
        let mode = rustix::fs::fstat(&directory)?.st_mode & 0o7777;
        if mode & 0o500 != 0o500 {
            let open = Mode::from_raw_mode(mode | 0o700);
            rustix::fs::chmodat(CWD, itself(&directory), open, AtFlags::empty())?;
            self.opened.borrow_mut().insert(path.to_owned(), mode);
        }
        Ok(())
    }

    fn resolve(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let resolve = ResolveFlags::BENEATH
            | ResolveFlags::NO_SYMLINKS
            | ResolveFlags::NO_MAGICLINKS
            | ResolveFlags::NO_XDEV;
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        for _ in 0..ATTEMPTS {
            match rustix::fs::openat2(&self.directory, path, flags, Mode::empty(), resolve) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                answer => return Ok(answer?),
            }
        }
        Err(Errno::AGAIN.into())
    }

    /// The directory at a path, to do something in it.
    pub(crate) fn directory(&self, path: &Path) -> io::Result<Rc<OwnedFd>> {
        if path.as_os_str().is_empty() {
            return Ok(Rc::clone(&self.directory));
        }
        if let Some((last, directory)) = &*self.last.borrow()
            && last == path
        {
            return Ok(Rc::clone(directory));
        }
        let directory = Rc::new(self.open_at(path, OFlags::PATH | OFlags::DIRECTORY)?);
        *self.last.borrow_mut() = Some((path.to_owned(), Rc::clone(&directory)));
        Ok(directory)
    }

    /// The directory that a path stands in, and its name there.
    pub(crate) fn parent<'p>(&self, path: &'p Path) -> io::Result<(Rc<OwnedFd>, &'p OsStr)> {
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok((self.directory(parent)?, name)),
            _ => Ok((Rc::clone(&self.directory), OsStr::new("."))),
        }
    }

    /// Directories may have been made anew: what was open is not used again.
    pub(crate) fn forget(&self) {
        *self.last.borrow_mut() = None;
    }

    /// What stands at a path, or that nothing does.
    pub(crate) fn stamp(&self, path: &Path) -> io::Result<Option<Stamp>> {
        let look = || self.parent(path).and_then(|(parent, name)| stamp_in(&*parent, name));
        let found = match look() {
            Err(error) if self.may_open && error.kind() == io::ErrorKind::PermissionDenied => {
                self.open_closed(path.parent().unwrap_or(path)).and_then(|()| look())
            }
            found => found,
        };
        match found {
            Ok(stamp) => Ok(Some(self.as_it_was(path, stamp))),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What was opened here is told as it was found.
    fn as_it_was(&self, path: &Path, stamp: Stamp) -> Stamp {
        let mode = self.opened.borrow().get(path).copied();
        Stamp { mode: mode.unwrap_or(stamp.mode), ..stamp }
    }

    /// Opens a regular file to read it.
    pub(crate) fn file(&self, path: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = self.unlocking(path, || self.open_at(path, flags))?;
        let file = File::from(file);
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    /// Does something with a file, and if its mode closes it to its owner, who we are, opens it for that.
    fn unlocking<T>(&self, path: &Path, work: impl Fn() -> io::Result<T>) -> io::Result<T> {
        match work() {
            Err(error) if self.may_open && error.kind() == io::ErrorKind::PermissionDenied => {}
            answer => return answer,
        }
        let node = self.open_at(path, OFlags::PATH)?;
        let found = rustix::fs::fstat(&node)?.st_mode;
        let chmod =
            |mode| rustix::fs::chmodat(CWD, itself(&node), Mode::from_raw_mode(mode), AtFlags::empty());
        chmod(found & 0o7777 | 0o400)?;
        let answer = work();
        chmod(found & 0o7777)?;
        answer
    }

    /// The names in a directory, sorted.
    pub(crate) fn names(&self, path: &Path) -> io::Result<Vec<OsString>> {
        if self.may_open {
            self.open_closed(path)?;
        }
        let directory = self.open_at(path, OFlags::RDONLY | OFlags::DIRECTORY)?;
        let mut names = Vec::new();
        for entry in Dir::new(directory)? {
            let name = OsString::from_vec(entry?.file_name().to_bytes().to_vec());
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Where a symbolic link leads.
    pub(crate) fn target(&self, path: &Path) -> io::Result<PathBuf> {
        let (parent, name) = self.parent(path)?;
        let target = rustix::fs::readlinkat(&*parent, name, Vec::new())?;
        Ok(OsString::from_vec(target.into_bytes()).into())
    }

    /// One extended attribute, or that there is none.
    pub(crate) fn attribute(&self, path: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
        let node = self.open_at(path, OFlags::PATH)?;
        self.unlocking(path, || attribute(&itself(&node), OsStr::new(name)))
    }

    /// The extended attributes that belong to a node and not to the file system. Those of a file that may not be read
    /// cannot be seen, and stay with it.
    pub(crate) fn attributes(&self, path: &Path) -> io::Result<Attributes> {
        let node = self.open_at(path, OFlags::PATH)?;
        match self.unlocking(path, || attributes(&itself(&node))) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(Attributes::new()),
            answer => answer,
        }
    }

    /// What stands at a path in full; its stamp must be known.
    pub(crate) fn node(&self, path: &Path, stamp: &Stamp, hashing: Hashing) -> io::Result<Node> {
        let content = match stamp.shape {
            Shape::Directory => Content::Directory,
            Shape::File if hashing == Hashing::Bytes && stamp.size <= HASHED => {
                let (size, digest) = Digest::of(self.file(path)?)?;
                Content::File { size, digest: Some(digest) }
            }
            Shape::File => Content::File { size: stamp.size, digest: None },
            Shape::Symlink => Content::Symlink(self.target(path)?),
            Shape::Device | Shape::Fifo | Shape::Socket => Content::Special(stamp.shape),
        };
        let attributes = match stamp.shape {
            Shape::Directory | Shape::File => self.attributes(path)?,
            Shape::Device | Shape::Fifo | Shape::Socket | Shape::Symlink => Attributes::new(),
        };
        Ok(Node {
            content,
            mode: stamp.mode,
            modified: stamp.modified,
            owner: stamp.owner,
            attributes,
            links: None,
        })
    }
}

impl Drop for Root {
    /// Closes what was opened, what is deepest first. Where that fails, a tree of our own is open to us, and to nobody else.
    fn drop(&mut self) {
        for (path, mode) in self.opened.take().into_iter().rev() {
            if let Ok(directory) = self.resolve(&path, OFlags::PATH | OFlags::DIRECTORY) {
                let mode = Mode::from_raw_mode(mode);
                let _ = rustix::fs::chmodat(CWD, itself(&directory), mode, AtFlags::empty());
            }
        }
    }
}

/// What stands under a name in an open directory.
pub(crate) fn stamp_in(directory: impl AsFd, name: &OsStr) -> io::Result<Stamp> {
    look_in(directory, name).map(|(stamp, _)| stamp)
}

/// The same, and whether something is mounted there.
pub(crate) fn look_in(directory: impl AsFd, name: &OsStr) -> io::Result<(Stamp, bool)> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    let found = rustix::fs::statx(directory, name, flags, StatxFlags::BASIC_STATS | StatxFlags::BTIME)?;
    Ok((Stamp::new(&found), found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)))
}

/// What is open.
pub(crate) fn stamp_of(opened: impl AsFd) -> io::Result<Stamp> {
    let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    Ok(Stamp::new(&rustix::fs::statx(opened, "", AtFlags::EMPTY_PATH, mask)?))
}

/// Whether an error says that nothing is there. A link or a file on the way to a path means that as well.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    [Errno::NOENT, Errno::NOTDIR, Errno::LOOP]
        .iter()
        .any(|errno| Some(errno.raw_os_error()) == error.raw_os_error())
}

/// A path that leads to an open node itself, for calls that know paths only.
pub(crate) fn itself(node: &impl AsRawFd) -> PathBuf {
    format!("/proc/self/fd/{}", node.as_raw_fd()).into()
}

fn attribute(path: &Path, name: &OsStr) -> io::Result<Option<Vec<u8>>> {
    let mut value = vec![0; 1 << 16];
    match rustix::fs::getxattr(path, name, &mut value) {
        Ok(size) => {
            value.truncate(size);
            Ok(Some(value))
        }
        Err(Errno::NODATA | Errno::NOTSUP) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

pub(crate) fn attributes(path: &Path) -> io::Result<Attributes> {
    let mut names = vec![0; 1 << 16];
    let size = match rustix::fs::listxattr(path, &mut names) {
        Ok(size) => size,
        Err(Errno::NOTSUP) => 0,
        Err(errno) => return Err(errno.into()),
    };
    let mut found = Attributes::new();
    let names = names.get(..size).unwrap_or_default().split(|byte| *byte == 0).map(OsStr::from_bytes);
    for name in names.filter(|name| is_of_the_node(name)) {
        if let Some(value) = attribute(path, name)? {
            found.insert(name.to_owned(), value);
        }
    }
    Ok(found)
}

/// What people and programs attach. Labels of security modules are the machine's, and what overlayfs writes is its own.
fn is_of_the_node(name: &OsStr) -> bool {
    let name = name.as_bytes();
    let is_of_a_user = name.starts_with(b"user.") && !name.starts_with(b"user.overlay.");
    is_of_a_user || name.starts_with(b"system.posix_acl_") || name == b"security.capability"
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_path_leads_out() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("root/dir")).unwrap();
        fs::write(place.path().join("secret"), "s").unwrap();
        symlink("..", place.path().join("root/up")).unwrap();
        symlink("/", place.path().join("root/all")).unwrap();
        symlink("dir", place.path().join("root/in")).unwrap();
        let root = Root::open(&place.path().join("root")).unwrap();
        for path in ["../secret", "up/secret", "all/etc/passwd", "in/x", "/etc/passwd", "dir/../../secret"] {
            assert!(root.file(Path::new(path)).is_err(), "{path}");
            assert!(
                root.parent(Path::new(path)).is_err() || root.stamp(Path::new(path)).unwrap().is_none(),
                "{path}"
            );
        }
        assert_eq!(root.target(Path::new("up")).unwrap(), Path::new(".."));
        assert_eq!(root.stamp(Path::new("up")).unwrap().unwrap().shape, Shape::Symlink);
    }

    #[test]
    fn names_and_attributes_are_read() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("b"), "").unwrap();
        fs::write(place.path().join("a"), "").unwrap();
        let flags = rustix::fs::XattrFlags::empty();
        rustix::fs::setxattr(place.path().join("a"), "user.note", b"x", flags).unwrap();
        rustix::fs::setxattr(place.path().join("a"), "user.overlay.opaque", b"y", flags).unwrap();
        let root = Root::open(place.path()).unwrap();
        assert_eq!(root.names(Path::new("")).unwrap(), ["a", "b"]);
        let attributes = root.attributes(Path::new("a")).unwrap();
        assert_eq!(attributes.into_iter().collect::<Vec<_>>(), [("user.note".into(), b"x".to_vec())]);
        assert_eq!(root.attribute(Path::new("a"), "user.overlay.opaque").unwrap().unwrap(), b"y");
        assert_eq!(root.attribute(Path::new("b"), "user.overlay.opaque").unwrap(), None);
    }
}
