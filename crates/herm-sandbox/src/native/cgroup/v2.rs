//! Bounds of a group of version 2.
//!
//! A group that has processes of its own cannot hand governors down, so below our own group there is room only if that is
//! the very top. Otherwise the new group stands beside it, below the same parent, if that is ours to change, as it is for
//! root and in a part of the tree that was handed to the user. Beside a group that is itself bounded nothing is put: what
//! runs there would escape the bounds that were meant for us.

use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::hierarchies::Unified;
use super::v1::{PERIOD, quota};
use super::{Bound, Bounds, Holding, MEMBERS, Version, files, name};

/// A group that was made, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) path: PathBuf,
    held: Vec<Bound>,
    /// Why it does not hold more.
    reason: String,
}

impl Placed {
    pub(super) fn holding(&self, bound: Bound) -> Holding {
        if self.held.contains(&bound) {
            Holding::Together(Version::Two)
        } else {
            Holding::Missing(self.reason.clone())
        }
    }
}

/// Makes a group that holds what it can of `wanted`.
pub(super) fn place(tree: &Unified, bounds: &Bounds, wanted: &[Bound]) -> Result<Placed, String> {
    let mut reason = reason(tree).to_owned();
    for (parent, held) in candidates(tree, wanted) {
        match place_below(&parent, bounds, &held) {
            Ok(path) => return Ok(Placed { path, held, reason }),
            Err(error) => reason = format!("cannot make a group below `{}`: {error}", parent.display()),
        }
    }
    Err(reason)
}

/// Why nothing more can be had, if no attempt says more.
fn reason(tree: &Unified) -> &'static str {
    if is_bounded(&tree.own) {
        "the group that we are in is bounded, and has processes, so that no bounded group can be put below it"
    } else {
        "the part of the tree that is ours does not govern it"
    }
}

/// Where a group might stand and what it would hold there, the most first. If nothing holds, a place below our own will do.
fn candidates(tree: &Unified, wanted: &[Bound]) -> Vec<(PathBuf, Vec<Bound>)> {
    let below = (tree.own.clone(), if is_root(&tree.own) { governed(&tree.own, wanted) } else { Vec::new() });
    let beside = tree.own.parent().filter(|_| tree.own != tree.top && !is_bounded(&tree.own));
    let beside = beside.map(|parent| (parent.to_owned(), governed(parent, wanted)));
    let mut candidates: Vec<_> = [Some(below), beside].into_iter().flatten().collect();
    candidates.sort_by_key(|(_, held)| std::cmp::Reverse(held.len()));
    candidates.push((tree.own.clone(), Vec::new()));
    candidates
}

fn governed(parent: &Path, wanted: &[Bound]) -> Vec<Bound> {
    let governors = files::words(&parent.join("cgroup.controllers"));
    let is_governed = |bound: &Bound| bound.controller().is_some_and(|name| governors.contains(name));
    wanted.iter().copied().filter(is_governed).collect()
}

/// Whether this is the top of the whole tree, of which alone the kernel does not say what it is.
///
/// Any other group that has processes is no parent for a bounded one. The kernel would even hand down the governors of
/// processes and processors, and turn the group into one for threads, which nobody can be moved below.
fn is_root(own: &Path) -> bool {
    !own.join(TYPE).exists()
}

const TYPE: &str = "cgroup.type";

/// Whether anybody has bounded this group.
fn is_bounded(own: &Path) -> bool {
    ["memory.max", "memory.high", "pids.max", "cpu.max"]
        .into_iter()
        .filter_map(|file| files::read(&own.join(file)).ok())
        .any(|value| !value.starts_with("max"))
}

fn place_below(parent: &Path, bounds: &Bounds, held: &[Bound]) -> io::Result<PathBuf> {
    // Whoever moves must be able to write to the nearest group that has both ends beneath it.
    access(parent.join(MEMBERS), Access::WRITE_OK)?;
    hand_down(parent, held)?;
    let path = name::create(parent)?;
    let set = || held.iter().try_for_each(|bound| hold(&path, *bound, bounds.asked(*bound)));
    match is_for_processes(&path).and_then(|()| set()) {
        Ok(()) => Ok(path),
        Err(error) => {
            files::remove(&path);
            Err(error)
        }
    }
}

/// Below a group for threads there are none for processes.
fn is_for_processes(path: &Path) -> io::Result<()> {
    match files::read(&path.join(TYPE)) {
        Ok(kind) if kind.trim() != "domain" => Err(io::ErrorKind::Unsupported.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Has the groups below be governed as well.
fn hand_down(parent: &Path, held: &[Bound]) -> io::Result<()> {
    let path = parent.join("cgroup.subtree_control");
    let present = files::words(&path);
    let missing = held.iter().filter_map(|bound| bound.controller()).filter(|name| !present.contains(*name));
    let wanted: Vec<String> = missing.map(|name| format!("+{name}")).collect();
    if wanted.is_empty() { Ok(()) } else { files::write(&path, &wanted.join(" ")) }
}

fn hold(path: &Path, bound: Bound, value: Option<u64>) -> io::Result<()> {
    let Some(value) = value else { return Ok(()) };
    match bound {
        Bound::Memory => {
            files::write(&path.join("memory.max"), &value.to_string())?;
            // Where there is no such file, swap is not counted, or there is none.
            let _ = files::write(&path.join("memory.swap.max"), "0");
            Ok(())
        }
        Bound::Processes => files::write(&path.join("pids.max"), &value.to_string()),
        Bound::Processor => files::write(&path.join("cpu.max"), &format!("{} {PERIOD}", quota(value))),
        Bound::FileSize | Bound::OpenFiles | Bound::ProcessorTime => Err(io::ErrorKind::Unsupported.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;

    const ALL: [Bound; 3] = Bound::OF_GROUPS;

    /// A group as the kernel shows it, at `own` below `top`.
    fn tree(scratch: &Scratch, parents_governors: &str, own_governors: &str) -> Unified {
        let (top, own) = (scratch.path().to_owned(), scratch.path().join("own"));
        group(&top, parents_governors);
        std::fs::DirBuilder::new().create(&own).unwrap();
        group(&own, own_governors);
        Unified { own, top }
    }

    fn group(path: &Path, governors: &str) {
        for (file, value) in
            [("cgroup.controllers", governors), ("cgroup.subtree_control", "pids\n"), (MEMBERS, "1\n")]
        {
            put(path, file, value);
        }
        put(path, TYPE, "domain\n");
        for file in ["memory.max", "memory.swap.max", "memory.high", "pids.max", "cpu.max"] {
            put(path, file, "max\n");
        }
    }

    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn put(path: &Path, file: &str, value: &str) {
        std::fs::write(path.join(file), value).unwrap();
    }

    fn scratch() -> Scratch {
        Scratch::new(&std::env::temp_dir()).unwrap()
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn the_place_that_holds_more_comes_first() {
        let scratch = scratch();
        let tree = tree(&scratch, "cpu io memory pids\n", "memory pids\n");
        let own = tree.own.clone();
        let beside = (tree.top.clone(), ALL.to_vec());
        assert_eq!(candidates(&tree, &ALL), [beside.clone(), (own.clone(), vec![]), (own.clone(), vec![])]);
        // As at the top of the whole tree.
        std::fs::remove_file(own.join(TYPE)).unwrap();
        let below = (own.clone(), vec![Bound::Memory, Bound::Processes]);
        assert_eq!(candidates(&tree, &ALL), [beside, below, (own, vec![])]);
    }

    #[test]
    fn nothing_is_put_beside_a_bounded_group_or_above_the_top() {
        let scratch = scratch();
        let mut tree = tree(&scratch, "cpu memory pids\n", "cpu memory pids\n");
        let is_beside = |tree: &Unified| candidates(tree, &ALL).iter().any(|(parent, _)| *parent != tree.own);
        assert!(is_beside(&tree));
        for (file, value) in [("memory.max", "1000\n"), ("cpu.max", "5000 100000\n"), ("pids.max", "9\n")] {
            put(&tree.own, file, value);
            assert!(!is_beside(&tree), "{file}");
            assert!(reason(&tree).contains("is bounded"));
            put(&tree.own, file, "max 100000\n");
        }
        tree.top.clone_from(&tree.own);
        assert!(!is_beside(&tree));
    }

    #[test]
    fn only_what_is_missing_is_handed_down() {
        let scratch = scratch();
        let tree = tree(&scratch, "", "");
        hand_down(&tree.own, &ALL).unwrap();
        assert_eq!(files::read(&tree.own.join("cgroup.subtree_control")).unwrap(), "+memory +cpu");
        hand_down(&tree.top, &[Bound::Processes]).unwrap();
        assert_eq!(files::read(&tree.top.join("cgroup.subtree_control")).unwrap(), "pids\n");
    }

    #[test]
    fn bounds_are_written_as_the_kernel_reads_them() {
        let scratch = scratch();
        let own = tree(&scratch, "", "").own;
        for (bound, value, file, expected) in [
            (Bound::Memory, 33_554_432, "memory.max", "33554432"),
            (Bound::Memory, 33_554_432, "memory.swap.max", "0"),
            (Bound::Processes, 64, "pids.max", "64"),
            (Bound::Processor, 1500, "cpu.max", "150000 100000"),
            (Bound::Processor, 1, "cpu.max", "1000 100000"),
        ] {
            put(&own, file, "");
            hold(&own, bound, Some(value)).unwrap();
            let found = files::read(&own.join(file)).unwrap();
            assert_eq!(found, expected, "{file}");
        }
    }

    #[test]
    fn a_group_whose_bounds_cannot_be_set_is_not_left_behind() {
        let scratch = scratch();
        let tree = tree(&scratch, "cpu memory pids\n", "cpu memory pids\n");
        let bounds = Bounds { memory: Some(1), ..Bounds::default() };
        // The directory that is made has no files, as if the governor had not been handed down.
        let error = place_below(&tree.own, &bounds, &[Bound::Memory]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(files::below(&tree.own), Vec::<PathBuf>::new());
    }
}
