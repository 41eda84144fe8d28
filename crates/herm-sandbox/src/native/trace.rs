//! Where a path leads, and by which links.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// A path followed to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// Where it really is.
    pub(crate) real: PathBuf,
    /// The links on the way, each with what is written in it.
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
}

/// As many as the kernel follows.
const MOST_LINKS: usize = 40;

/// Follows an absolute path; nothing when it leads nowhere.
pub(crate) fn trace(path: &Path) -> Option<Trace> {
    Tracer::default().trace(path)
}

/// Follows many paths that begin alike: what was seen to be no link is not looked at again.
#[derive(Debug, Default)]
pub(super) struct Tracer {
    plain: HashSet<PathBuf>,
}

/// Whether there is something at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Nothing,
    Something,
}

impl Tracer {
    /// Follows an absolute path; nothing when it leads nowhere.
    pub(super) fn trace(&mut self, path: &Path) -> Option<Trace> {
        self.follow(path).filter(|(_, end)| *end == End::Something).map(|(found, _)| found)
    }

    /// The same, though there may be nothing at its end; nothing when there are too many links.
    #[expect(clippy::disallowed_methods, reason = "where a link leads, only the file system knows")]
    pub(super) fn follow(&mut self, path: &Path) -> Option<(Trace, End)> {
        let mut found = Trace { real: PathBuf::from("/"), links: Vec::new() };
        let mut rest: Vec<PathBuf> = parts(path);
        // Below what is not there, nothing is.
        let mut is_lost = false;
        while let Some(part) = rest.pop() {
            if part == Path::new("..") {
                found.real.pop();
                is_lost = false;
                continue;
            }
            let next = found.real.join(&part);
            if is_lost || self.plain.contains(&next) {
                found.real = next;
                continue;
            }
            match std::fs::read_link(&next) {
                Ok(to) => {
                    if found.links.len() >= MOST_LINKS {
                        return None;
                    }
                    rest.extend(parts(&to));
                    if to.is_absolute() {
                        found.real = PathBuf::from("/");
                    }
                    found.links.push((next, to));
                }
                Err(error) => {
                    // It is there, and is no link.
                    if error.kind() == ErrorKind::InvalidInput {
                        self.plain.insert(next.clone());
                    }
                    is_lost = error.kind() == ErrorKind::NotFound;
                    found.real = next;
                }
            }
        }
        let is_there = !is_lost && self.is_there(&found.real);
        Some((found, if is_there { End::Something } else { End::Nothing }))
    }

    /// Whether something is there, at a path without links.
    pub(super) fn is_there(&self, real: &Path) -> bool {
        self.plain.contains(real) || real.exists()
    }
}

/// The parts of a path, the last one first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let named = |part| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("..")),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    let mut parts: Vec<_> = path.components().filter_map(named).collect();
    parts.reverse();
    parts
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::Scratch;

    #[test]
    fn what_was_seen_before_is_followed_as_what_is_seen_first() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/file"), "").unwrap();
        symlink("a", root.join("link")).unwrap();
        symlink("nowhere", root.join("a/dangling")).unwrap();
        let mut tracer = Tracer::default();
        for name in [
            "a/b/file",
            "link/b/file",
            "a/../link/b",
            "a/none/deeper",
            "a/none/../b",
            "link/dangling",
            "a/b/file/x",
            "a/b/..",
        ] {
            let path = root.join(name);
            for _ in 0..2 {
                let (found, end) = tracer.follow(&path).unwrap();
                assert_eq!(Some((found.clone(), end)), Tracer::default().follow(&path), "{name}");
                assert_eq!(end == End::Something, found.real.exists(), "{name}");
                assert_eq!(tracer.trace(&path), trace(&path), "{name}");
            }
        }
    }
}
