//! A private copy of a workspace, and the copying of bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, SeekFrom, Timespec, Timestamps, UTIME_OMIT};
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};

use super::beneath::{HASHED, Hashing, Root, itself};
use super::error::{Doing, Error, Result};
use super::node::{Content, Digest, Node, Shape, Stamp, Time};
use super::snapshot::{Inside, Snapshot, Tree};

/// Copies a workspace into an empty directory: contents, modes, times, symbolic links, attributes, and which names are one
/// file. Devices are refused, and so is what cannot be read.
pub(crate) fn copy_tree(from: &Root, snapshot: &Snapshot, to: &Root) -> Result<()> {
    let linked = snapshot.tree.linked();
    let mut copier = Copier { from, to, linked: &linked, done: BTreeMap::new() };
    copier.fill(Path::new(""), &snapshot.tree)
}

struct Copier<'a> {
    from: &'a Root,
    to: &'a Root,
    linked: &'a BTreeMap<u64, Vec<PathBuf>>,
    /// Where a file with several names has been put.
    done: BTreeMap<u64, PathBuf>,
}

impl Copier<'_> {
    /// Fills a directory that exists, and dresses it last: filling changes its time.
    fn fill(&mut self, path: &Path, tree: &Tree) -> Result<()> {
        for (name, child) in &tree.children {
            let path = path.join(name);
            if child.inside == Inside::Mounted {
                self.leave_room(&path, child)?;
            } else if child.stamp.is_directory() {
                let (parent, name) = self.to.parent(&path).doing("copy", &path)?;
                rustix::fs::mkdirat(&*parent, name, Mode::from_raw_mode(0o700)).doing("copy", &path)?;
                self.fill(&path, child)?;
            } else {
                self.put(&path, child)?;
            }
        }
        let node = self.from.node(path, &tree.stamp, Hashing::Skip).doing("read", path)?;
        dress(self.to, path, &node, Reach::Ourselves).doing("copy", path)
    }

    /// Makes something empty where something else is to be mounted.
    fn leave_room(&self, path: &Path, tree: &Tree) -> Result<()> {
        let (parent, name) = self.to.parent(path).doing("copy", path)?;
        if tree.stamp.is_directory() {
            return rustix::fs::mkdirat(&*parent, name, Mode::from_raw_mode(0o755)).doing("copy", path);
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        rustix::fs::openat(&*parent, name, flags, Mode::from_raw_mode(0o644)).map(drop).doing("copy", path)
    }

    fn put(&mut self, path: &Path, tree: &Tree) -> Result<()> {
        if tree.stamp.shape == Shape::Device {
            return Err(Error::Unfit { path: path.to_owned(), what: "a device" });
        }
        let (parent, name) = self.to.parent(path).doing("copy", path)?;
        if let Some(first) = self.done.get(&tree.stamp.inode) {
            let (other, first) = self.to.parent(first).doing("copy", path)?;
            return rustix::fs::linkat(&*other, first, &*parent, name, AtFlags::empty()).doing("copy", path);
        }
        let node = self.from.node(path, &tree.stamp, Hashing::Skip).doing("read", path)?;
        let source = match tree.stamp.shape {
            Shape::File => Some(self.from.file(path).doing("read", path)?),
            Shape::Device | Shape::Directory | Shape::Fifo | Shape::Socket | Shape::Symlink => None,
        };
        make(&parent, Path::new(name), &node, source.as_ref(), Reach::Ourselves).doing("copy", path)?;
        if self.linked.contains_key(&tree.stamp.inode) {
            self.done.insert(tree.stamp.inode, path.to_owned());
        }
        Ok(())
    }
}

/// Who can reach something that is made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Reach {
    /// Whoever can reach the workspace: what cannot be given to its group is closed to the one that it has instead.
    Others,
    /// Nobody but us. It stands for something else, and has its mode whatever group it has.
    Ourselves,
}

/// Makes a file, a symbolic link, a pipe or a socket under a name that is free, dressed as `node`. What was read is hashed
/// on the way where the node has a hash.
pub(crate) fn make(
    directory: &Rc<OwnedFd>,
    name: &Path,
    node: &Node,
    source: Option<&File>,
    reach: Reach,
) -> io::Result<Option<Digest>> {
    match (&node.content, source) {
        (Content::File { size, digest }, Some(source)) => {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = rustix::fs::openat(&**directory, name, flags, Mode::from_raw_mode(0o600))?;
            let file = File::from(file);
            let hashed = match digest {
                Some(_) => copy_hashed(source, &file).map(Some)?,
                None => copy_bytes(source, &file, *size).map(|()| None)?,
            };
            dress_at(&itself(&file), node, reach)?;
            Ok(hashed)
        }
        (Content::Symlink(target), _) => {
            rustix::fs::symlinkat(target, &**directory, name)?;
            own_link(directory, name, node)?;
            rustix::fs::utimensat(&**directory, name, &times(node.modified), AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(None)
        }
        (Content::Special(shape @ (Shape::Fifo | Shape::Socket)), _) => {
            let kind = if *shape == Shape::Fifo { FileType::Fifo } else { FileType::Socket };
            rustix::fs::mknodat(&**directory, name, kind, Mode::from_raw_mode(0o600), 0)?;
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let made = rustix::fs::openat(&**directory, name, flags, Mode::empty())?;
            dress_at(&itself(&made), node, reach)?;
            Ok(None)
        }
        (Content::Directory | Content::File { .. } | Content::Special(_), _) => Err(Errno::INVAL.into()),
    }
}

fn own_link(directory: impl AsFd, name: &Path, node: &Node) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let (user, group) = owner(node);
    Ok(rustix::fs::chownat(directory, name, user, group, AtFlags::SYMLINK_NOFOLLOW)?)
}

/// Gives what stands at a path the attributes, owner, mode and time of a node.
pub(crate) fn dress(root: &Root, path: &Path, node: &Node, reach: Reach) -> io::Result<()> {
    if let Content::Symlink(_) = node.content {
        let (parent, name) = root.parent(path)?;
        return Ok(rustix::fs::utimensat(&*parent, name, &times(node.modified), AtFlags::SYMLINK_NOFOLLOW)?);
    }
    let kind = if node.content == Content::Directory { OFlags::DIRECTORY } else { OFlags::empty() };
    let opened = root.open_at(path, OFlags::PATH | kind)?;
    dress_at(&itself(&opened), node, reach)
}

/// Gives an open file what it lacks of a node: nothing, where it is the very file that was put aside.
pub(crate) fn dress_open(opened: &OwnedFd, node: &Node, found: &Stamp) -> io::Result<()> {
    let is_dressed = found.mode == node.mode && found.modified == node.modified && found.owner == node.owner;
    let itself = itself(opened);
    let has_attributes = match super::beneath::attributes(&itself) {
        // Nobody could change what may not be read.
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
        Ok(found) => found == node.attributes,
    };
    if is_dressed && has_attributes { Ok(()) } else { dress_at(&itself, node, Reach::Others) }
}

/// The owner goes before the mode, because a new owner takes the special bits away, and the time goes last.
pub(crate) fn dress_at(itself: &Path, node: &Node, reach: Reach) -> io::Result<()> {
    use rustix::fs::CWD;
    let mut node = Cow::Borrowed(node);
    if !own(itself, &node)? && reach == Reach::Others {
        node.to_mut().close_to_group();
    }
    if matches!(node.content, Content::Directory | Content::File { .. }) {
        attach(itself, &node)?;
    }
    // Whoever is not in the group of a directory takes its setgid bit away with whatever mode they set.
    if rustix::fs::statat(CWD, itself, AtFlags::empty())?.st_mode & 0o7777 != node.mode {
        rustix::fs::chmodat(CWD, itself, Mode::from_raw_mode(node.mode), AtFlags::empty())?;
    }
    Ok(rustix::fs::utimensat(CWD, itself, &times(node.modified), AtFlags::empty())?)
}

/// Gives something to its owner, and says whether its group has it now. A user can give it to groups of theirs.
fn own(itself: &Path, node: &Node) -> io::Result<bool> {
    use rustix::fs::CWD;
    let (user, group) = owner(node);
    if rustix::process::geteuid().is_root() {
        rustix::fs::chownat(CWD, itself, user, group, AtFlags::empty())?;
        return Ok(true);
    }
    if rustix::fs::statat(CWD, itself, AtFlags::empty())?.st_gid == node.owner.group {
        return Ok(true);
    }
    match rustix::fs::chownat(CWD, itself, None, group, AtFlags::empty()) {
        Err(Errno::PERM | Errno::INVAL) => Ok(false),
        answer => Ok(answer.map(|()| true)?),
    }
}

fn owner(node: &Node) -> (Option<rustix::fs::Uid>, Option<rustix::fs::Gid>) {
    (Some(rustix::fs::Uid::from_raw(node.owner.user)), Some(rustix::fs::Gid::from_raw(node.owner.group)))
}

/// Makes the attributes those of the node.
fn attach(itself: &Path, node: &Node) -> io::Result<()> {
    let present = match super::beneath::attributes(itself) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && node.attributes.is_empty() => {
            return Ok(());
        }
        answer => answer?,
    };
    for name in present.keys().filter(|name| !node.attributes.contains_key(*name)) {
        rustix::fs::removexattr(itself, name.as_os_str())?;
    }
    for (name, value) in node.attributes.iter().filter(|(name, value)| present.get(*name) != Some(value)) {
        rustix::fs::setxattr(itself, name.as_os_str(), value, rustix::fs::XattrFlags::empty())?;
    }
    Ok(())
}

fn times(modified: Time) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: modified.seconds, tv_nsec: modified.nanoseconds.into() },
    }
}

/// Copies bytes as cheaply as the file system can: sharing them, copying them in the kernel, or by hand. Holes stay holes.
pub(crate) fn copy_bytes(from: &File, to: &File, size: u64) -> io::Result<()> {
    if size == 0 || rustix::fs::ioctl_ficlone(to, from).is_ok() {
        return Ok(());
    }
    rustix::fs::ftruncate(to, size)?;
    each_extent(from, size, |start, end| {
        let (mut here, mut there) = (start, start);
        while here < end {
            let length = usize::try_from(end - here).unwrap_or(usize::MAX);
            match rustix::fs::copy_file_range(from, Some(&mut here), to, Some(&mut there), length) {
                Ok(0) => break,
                Ok(_) | Err(Errno::INTR) => {}
                Err(Errno::XDEV | Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::IO) => {
                    return by_hand(from, to, here, end, |_| {});
                }
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(())
    })
}

/// Copies bytes and hashes what is really copied.
fn copy_hashed(from: &File, to: &File) -> io::Result<Digest> {
    let size = from.metadata()?.len();
    if size > HASHED {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    rustix::fs::ftruncate(to, size)?;
    let mut hasher = Sha256::new();
    let mut reached = 0;
    each_extent(from, size, |start, end| {
        zeros(&mut hasher, start - reached);
        reached = end;
        by_hand(from, to, start, end, |bytes| hasher.update(bytes))
    })?;
    zeros(&mut hasher, size - reached);
    Ok(Digest(hasher.finalize().into()))
}

fn zeros(hasher: &mut Sha256, mut count: u64) {
    let block = [0; 1 << 12];
    while count > 0 {
        let length = usize::try_from(count).unwrap_or(usize::MAX).min(block.len());
        hasher.update(block.get(..length).unwrap_or_default());
        count -= length as u64;
    }
}

fn each_extent(from: &File, size: u64, mut visit: impl FnMut(u64, u64) -> io::Result<()>) -> io::Result<()> {
    let mut reached = 0;
    while reached < size {
        let start = match rustix::fs::seek(from, SeekFrom::Data(reached)) {
            Ok(start) => start,
            Err(Errno::NXIO) => return Ok(()),
            // A file system that knows no holes has one extent.
            Err(_) => return visit(reached, size),
        };
        let end = rustix::fs::seek(from, SeekFrom::Hole(start))?.min(size);
        if end <= start {
            return Ok(());
        }
        visit(start, end)?;
        reached = end;
    }
    Ok(())
}

fn by_hand(from: &File, to: &File, mut at: u64, end: u64, mut seen: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 17];
    while at < end {
        let wanted = usize::try_from(end - at).unwrap_or(usize::MAX).min(buffer.len());
        let count = match from.read_at(buffer.get_mut(..wanted).unwrap_or_default(), at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let bytes = buffer.get(..count).unwrap_or_default();
        to.write_all_at(bytes, at)?;
        seen(bytes);
        at += count as u64;
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_copy_is_the_same_in_every_respect() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        fs::create_dir_all(from.join("d/closed")).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(from.join("d/f"), "text").unwrap();
        fs::set_permissions(from.join("d/f"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::hard_link(from.join("d/f"), from.join("g")).unwrap();
        symlink("../out", from.join("d/link")).unwrap();
        rustix::fs::setxattr(from.join("g"), "user.k", b"v", rustix::fs::XattrFlags::empty()).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            from.join("pipe"),
            FileType::Fifo,
            Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        fs::set_permissions(from.join("d/closed"), fs::Permissions::from_mode(0o500)).unwrap();
        let (source, target) = (Root::open(&from).unwrap(), Root::open(&to).unwrap());
        let snapshot = Snapshot::take(&source).unwrap();
        copy_tree(&source, &snapshot, &target).unwrap();
        let copied = Snapshot::take(&target).unwrap();
        let mut compared = 0;
        snapshot.tree.each(Path::new(""), &mut |path, node| {
            let stamp = copied.stamp(path).unwrap();
            let before = source.node(path, &node.stamp, Hashing::Bytes).unwrap();
            assert_eq!(target.node(path, stamp, Hashing::Bytes).unwrap(), before, "{path:?}");
            compared += 1;
        });
        assert_eq!(compared, 7);
        assert_eq!(fs::metadata(to.join("g")).unwrap().ino(), fs::metadata(to.join("d/f")).unwrap().ino());
    }

    #[test]
    fn holes_stay_holes_and_hashes_are_those_of_the_whole() {
        let place = tempfile::tempdir().unwrap();
        let from = File::options()
            .create(true)
            .read(true)
            .write(true)
            .truncate(true)
            .open(place.path().join("a"))
            .unwrap();
        from.write_all_at(b"begin", 0).unwrap();
        from.write_all_at(b"end", 64 << 20).unwrap();
        let expected = Digest::of(fs::File::open(place.path().join("a")).unwrap()).unwrap();
        for name in ["b", "c"] {
            let path = place.path().join(name);
            let to = File::options().create(true).read(true).write(true).truncate(true).open(&path).unwrap();
            match name {
                "b" => assert_eq!(copy_hashed(&from, &to).unwrap(), expected.1),
                _ => copy_bytes(&from, &to, expected.0).unwrap(),
            }
            assert_eq!(Digest::of(fs::File::open(&path).unwrap()).unwrap(), expected);
            assert!(fs::metadata(&path).unwrap().blocks() < 2048, "{name}");
        }
    }
}
