//! The trees of control groups, and where this process is in them.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Bound, files};

/// Where this process is in each tree that it can see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hierarchies {
    one: Vec<(Vec<String>, PathBuf)>,
    two: Option<Unified>,
}

/// Where it is in the tree of version 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unified {
    /// Its own group.
    pub(super) own: PathBuf,
    /// The topmost group that can be seen.
    pub(super) top: PathBuf,
}

impl Hierarchies {
    /// Looks at this machine.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub(crate) fn find() -> io::Result<Self> {
        let membership = files::read(Path::new("/proc/self/cgroup"))?;
        let mounts = files::read(Path::new("/proc/self/mountinfo"))?;
        Ok(Self::parse(&membership, &mounts))
    }

    pub(super) fn parse(membership: &str, mounts: &str) -> Self {
        let mounts: Vec<Mount> = mounts.lines().filter_map(Mount::parse).collect();
        let mut found = Self::default();
        for (controllers, path) in membership.lines().filter_map(member) {
            let place = |mount: &Mount| Some((mount.locate(path)?, mount.point.clone()));
            if controllers.is_empty() {
                let two = mounts.iter().filter(|mount| mount.kind == "cgroup2").find_map(place);
                found.two = two.map(|(own, top)| Unified { own, top });
            } else {
                let of_these = |mount: &&Mount| mount.kind == "cgroup" && mount.has_all(&controllers);
                let one = mounts.iter().filter(of_these).find_map(place);
                found.one.extend(one.map(|(own, _)| (controllers, own)));
            }
        }
        found
    }

    /// The group of version 1 that governs this for us.
    pub(super) fn one(&self, bound: Bound) -> Option<&Path> {
        let controller = bound.controller()?;
        let governs = |controllers: &[String]| controllers.iter().any(|name| name == controller);
        self.one.iter().find(|(controllers, _)| governs(controllers)).map(|(_, path)| path.as_path())
    }

    pub(super) fn two(&self) -> Option<&Unified> {
        self.two.as_ref()
    }
}

/// A line of `/proc/self/cgroup`: a number, the governors, and the path within their tree.
fn member(line: &str) -> Option<(Vec<String>, &Path)> {
    let (_, rest) = line.split_once(':')?;
    let (controllers, path) = rest.split_once(':')?;
    let controllers = controllers.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    Some((controllers, Path::new(path)))
}

/// A line of `/proc/self/mountinfo`, as far as it matters.
#[derive(Debug)]
struct Mount {
    /// Which part of the tree is mounted.
    root: PathBuf,
    /// Where.
    point: PathBuf,
    kind: String,
    options: Vec<String>,
}

impl Mount {
    fn parse(line: &str) -> Option<Self> {
        let (place, source) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, point) = (place.next()?, place.next()?);
        let mut source = source.split(' ');
        let (kind, options) = (source.next()?, source.nth(1)?);
        let options = options.split(',').map(str::to_owned).collect();
        Some(Self { root: unescape(root), point: unescape(point), kind: kind.to_owned(), options })
    }

    fn has_all(&self, controllers: &[String]) -> bool {
        controllers.iter().all(|name| self.options.contains(name))
    }

    /// Where a path within the tree is to be found. Not at all if it lies outside of what is mounted.
    fn locate(&self, path: &Path) -> Option<PathBuf> {
        if path.components().any(|part| part == Component::ParentDir) {
            return None;
        }
        let rest = path.strip_prefix(&self.root).ok()?;
        if rest.as_os_str().is_empty() { Some(self.point.clone()) } else { Some(self.point.join(rest)) }
    }
}

/// Spaces and the like are written as a backslash and three octal digits.
fn unescape(text: &str) -> PathBuf {
    let plain = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    plain.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: &str = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n\
        40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd\n\
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

    #[test]
    fn both_versions_at_once_are_told_apart() {
        let membership = "9:name=systemd:/\n4:memory:/a/b\n1:cpu,cpuacct:/\n0::/user\n";
        let found = Hierarchies::parse(membership, HYBRID);
        assert_eq!(found.one(Bound::Memory), Some(Path::new("/sys/fs/cgroup/memory/a/b")));
        assert_eq!(found.one(Bound::Processor), Some(Path::new("/sys/fs/cgroup/cpu,cpuacct")));
        assert_eq!(found.one(Bound::Processes), None);
        let top = PathBuf::from("/sys/fs/cgroup/unified");
        assert_eq!(found.two(), Some(&Unified { own: top.join("user"), top }));
    }

    #[test]
    fn a_group_outside_of_what_is_mounted_is_not_found() {
        let container = "40 31 0:37 /docker/1 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
        let at = |membership: &str| {
            Hierarchies::parse(membership, container).one(Bound::Memory).map(Path::to_owned)
        };
        assert_eq!(at("4:memory:/docker/1"), Some(PathBuf::from("/sys/fs/cgroup/memory")));
        assert_eq!(at("4:memory:/docker/1/x"), Some(PathBuf::from("/sys/fs/cgroup/memory/x")));
        assert_eq!(at("4:memory:/docker/12"), None);
        assert_eq!(at("4:memory:/docker/1/../2"), None);
    }

    #[test]
    fn places_with_spaces_are_read() {
        let mount = Mount::parse("1 2 0:3 / /a\\040b\\134040 rw - cgroup2 c rw").unwrap();
        assert_eq!(mount.point, Path::new("/a b\\040"));
    }

    #[test]
    fn this_machine_can_be_looked_at() {
        let found = Hierarchies::find().unwrap();
        assert!(found.one.iter().map(|(_, path)| path).all(|path| path.is_dir()));
        assert!(found.two().is_none_or(|tree| tree.own.is_dir()));
    }
}
