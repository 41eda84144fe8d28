//! Where a path leads, and by which links.

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
    follow(path).filter(|found| found.real.exists())
}

/// The same, though there may be nothing at its end; nothing when there are too many links.
#[expect(clippy::disallowed_methods, reason = "where a link leads, only the file system knows")]
pub(crate) fn follow(path: &Path) -> Option<Trace> {
    let mut found = Trace { real: PathBuf::from("/"), links: Vec::new() };
    let mut rest: Vec<PathBuf> = parts(path);
    while let Some(part) = rest.pop() {
        if part == Path::new("..") {
            found.real.pop();
            continue;
        }
        let next = found.real.join(&part);
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
            Err(_) => found.real = next,
        }
    }
    Some(found)
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
