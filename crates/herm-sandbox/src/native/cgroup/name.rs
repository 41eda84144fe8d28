//! The names of groups, which say who made them, and groups whose makers are gone.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, getpid};

use super::files;
use crate::sys::processes::Process;

/// Makes a group below `parent`, and clears away those that a killed process has left there.
pub(super) fn create(parent: &Path) -> io::Result<PathBuf> {
    clear(parent);
    let maker = Maker::ourselves()?;
    loop {
        let path = parent.join(maker.name(SERIAL.fetch_add(1, Ordering::Relaxed)));
        match DirBuilder::new().create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
}

static SERIAL: AtomicU64 = AtomicU64::new(0);

/// Ends and removes the groups below `parent` whose makers are gone.
fn clear(parent: &Path) {
    let Ok(ourselves) = Maker::ourselves() else { return };
    for path in files::below(parent) {
        let maker = path.file_name().and_then(|name| name.to_str()).and_then(Maker::of);
        if maker.is_some_and(|maker| maker.is_gone(&ourselves)) {
            files::kill(&path);
            files::remove(&path);
        }
    }
}

/// Who made a group: one process of all that there have been since the machine started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Maker {
    /// The process namespace, without which a number means nothing: a neighbour in another container is not gone because
    /// it cannot be seen.
    namespace: u64,
    pid: i32,
    start: u64,
}

impl Maker {
    fn ourselves() -> io::Result<Self> {
        let namespace = rustix::fs::stat(c"/proc/self/ns/pid")?.st_ino;
        let own = Process::find(getpid()).ok_or(io::ErrorKind::NotFound)?;
        Ok(Self { namespace, pid: own.pid, start: own.start })
    }

    fn name(&self, serial: u64) -> String {
        format!("{PREFIX}{}-{}-{}-{serial}", self.namespace, self.pid, self.start)
    }

    fn of(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.split('-');
        let maker = Self {
            namespace: parts.next()?.parse().ok()?,
            pid: parts.next()?.parse().ok()?,
            start: parts.next()?.parse().ok()?,
        };
        let _serial: u64 = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some(maker)
    }

    fn is_gone(&self, ourselves: &Self) -> bool {
        let found = Pid::from_raw(self.pid).and_then(Process::find);
        self.namespace == ourselves.namespace
            && found.is_none_or(|found| found.start != self.start || found.is_over)
    }
}

const PREFIX: &str = "herm-";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;

    #[test]
    fn a_name_says_who_made_it() {
        let ourselves = Maker::ourselves().unwrap();
        assert_eq!(Maker::of(&ourselves.name(7)), Some(ourselves));
        for name in ["herm-", "herm-1-2-3", "herm-1-2-3-x", "herm-1-2-3-4-5", "else-1-2-3-4", "herm-1-2--4"] {
            assert_eq!(Maker::of(name), None, "{name}");
        }
    }

    #[test]
    fn what_the_dead_left_is_cleared_and_nothing_else() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let ourselves = Maker::ourselves().unwrap();
        let ours = create(scratch.path()).unwrap();
        let make = |maker: Maker| {
            let path = scratch.path().join(maker.name(0));
            DirBuilder::new().create(&path).unwrap();
            path
        };
        // The number has been given to another since; and the process of a neighbour that cannot be seen.
        let dead = make(Maker { start: ourselves.start + 1, ..ourselves });
        let neighbour = make(Maker { namespace: ourselves.namespace + 1, pid: i32::MAX, start: 1 });
        let other = scratch.path().join("herm-not-ours");
        DirBuilder::new().create(&other).unwrap();
        create(scratch.path()).unwrap();
        assert!(ours.exists() && neighbour.exists() && other.exists());
        assert!(!dead.exists());
    }
}
