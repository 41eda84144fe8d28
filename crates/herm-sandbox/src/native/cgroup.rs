//! How much of the machine a run may use, all of its processes together.
//!
//! Namespaces and filters say what can be reached; only a control group says how much of it. There are two kinds: version 1
//! has a tree of groups for each resource, version 2 one tree for all, and many machines have both. Each bound is put
//! where its resource is governed. What no group can hold is left to the limits of single processes ([`limits`]), which are
//! weaker, and that is said.
//!
//! A group is named for the process that made it, so that another can clear it away should that one be killed.

mod entrances;
mod files;
mod hierarchies;
pub(crate) mod limits;
mod name;
mod statistics;
#[cfg(test)]
mod tests;
mod v1;
mod v2;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) use entrances::{Birth, Entrances};
pub(crate) use hierarchies::Hierarchies;
pub use statistics::Statistics;

/// What a run may use. What is left out is not bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The largest file that a process writes, in bytes.
    pub file_size: Option<u64>,
    /// Memory, in bytes, swap included where the kernel counts it.
    pub memory: Option<u64>,
    /// Files that a process has open.
    pub open_files: Option<u64>,
    /// Processes and threads.
    pub processes: Option<u64>,
    /// Processor time per time, in thousandths of one processor: 1500 is one and a half.
    pub processor: Option<u64>,
    /// Processor time of a process, in seconds.
    pub processor_time: Option<u64>,
}

/// One kind of bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bound {
    FileSize,
    Memory,
    OpenFiles,
    Processes,
    Processor,
    ProcessorTime,
}

impl Bound {
    pub(crate) const ALL: [Self; 6] = [
        Self::FileSize,
        Self::Memory,
        Self::OpenFiles,
        Self::Processes,
        Self::Processor,
        Self::ProcessorTime,
    ];

    /// Those that groups can hold.
    const OF_GROUPS: [Self; 3] = [Self::Memory, Self::Processes, Self::Processor];

    /// What the kernel calls the governor of it.
    fn controller(self) -> Option<&'static str> {
        match self {
            Self::Memory => Some("memory"),
            Self::Processes => Some("pids"),
            Self::Processor => Some("cpu"),
            Self::FileSize | Self::OpenFiles | Self::ProcessorTime => None,
        }
    }
}

impl Bounds {
    /// What was asked for of this kind.
    pub(crate) fn asked(&self, bound: Bound) -> Option<u64> {
        match bound {
            Bound::FileSize => self.file_size,
            Bound::Memory => self.memory,
            Bound::OpenFiles => self.open_files,
            Bound::Processes => self.processes,
            Bound::Processor => self.processor,
            Bound::ProcessorTime => self.processor_time,
        }
    }
}

/// Which kind of control group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
}

/// Whether a bound that was asked for holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holding {
    /// For each process by itself: several together can use more.
    EachProcess,
    /// For all processes of the same user in the same user namespace, or of the same user at all before Linux 5.14. Not
    /// for whoever is root outside.
    EachUser,
    /// Not at all, for this reason.
    Missing(String),
    /// For all processes together.
    Together(Version),
}

/// What was asked for, and whether it holds.
pub(crate) type Report = BTreeMap<Bound, Holding>;

/// A control group, in as many trees as it takes. Whatever runs in it is ended when this is dropped, and it is removed.
#[derive(Debug)]
pub(crate) struct Group {
    places: Vec<Place>,
    entrances: Entrances,
    report: Report,
}

/// The part of a group that is in one tree.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    path: PathBuf,
    version: Version,
}

/// Why there is no group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotAvailable {
    pub(crate) report: Report,
}

impl Group {
    /// Makes a group that holds as many of `bounds` as can be. Those that only processes can be held to by themselves are
    /// not looked at.
    ///
    /// # Errors
    /// When none of them can be held, with the reason for each.
    pub(crate) fn create(hierarchies: &Hierarchies, bounds: &Bounds) -> Result<Self, NotAvailable> {
        let mut group = Self { places: Vec::new(), entrances: Entrances::default(), report: Report::new() };
        let asked = Bound::OF_GROUPS.into_iter().filter(|bound| bounds.asked(*bound).is_some());
        let (one, two): (Vec<Bound>, Vec<Bound>) = asked.partition(|bound| hierarchies.one(*bound).is_some());
        for bound in one {
            group.add_one(hierarchies, bounds, bound);
        }
        group.add_two(hierarchies, bounds, &two);
        let holds = group.report.values().any(|holding| matches!(holding, Holding::Together(_)));
        if holds || group.report.is_empty() && !group.places.is_empty() {
            Ok(group)
        } else {
            Err(NotAvailable { report: std::mem::take(&mut group.report) })
        }
    }

    fn add_one(&mut self, hierarchies: &Hierarchies, bounds: &Bounds, bound: Bound) {
        let Some((own, value)) = hierarchies.one(bound).zip(bounds.asked(bound)) else { return };
        let done = self.below(own).and_then(|path| v1::hold(&path, bound, value));
        let holding = match done {
            Ok(()) => Holding::Together(Version::One),
            Err(error) => {
                Holding::Missing(format!("cannot bound a group below `{}`: {error}", own.display()))
            }
        };
        self.report.insert(bound, holding);
    }

    /// The part below `own`, which several bounds share where their governors share a tree.
    fn below(&mut self, own: &Path) -> io::Result<PathBuf> {
        if let Some(place) = self.places.iter().find(|place| place.path.parent() == Some(own)) {
            return Ok(place.path.clone());
        }
        let path = name::create(own)?;
        self.enter(path.clone(), Version::One)?;
        Ok(path)
    }

    /// Even with nothing to hold there, a group of version 2 is the one that can be ended at a stroke.
    fn add_two(&mut self, hierarchies: &Hierarchies, bounds: &Bounds, wanted: &[Bound]) {
        let outcome = match hierarchies.two() {
            Some(tree) => v2::place(tree, bounds, wanted),
            None => Err("no tree of control groups has it".to_owned()),
        };
        let outcome = outcome.and_then(|placed| {
            let path = placed.path.clone();
            self.enter(path, Version::Two).map_err(|error| error.to_string())?;
            Ok(placed)
        });
        for bound in wanted {
            let holding = match &outcome {
                Ok(placed) => placed.holding(*bound),
                Err(reason) => Holding::Missing(reason.clone()),
            };
            self.report.insert(*bound, holding);
        }
    }

    /// What cannot be entered is no part of it: another bound would be put where nobody is.
    fn enter(&mut self, path: PathBuf, version: Version) -> io::Result<()> {
        if let Err(error) = self.entrances.add(&path, version) {
            files::remove(&path);
            return Err(error);
        }
        self.places.push(Place { path, version });
        Ok(())
    }

    /// What a child comes in by.
    pub(crate) fn entrances(&self) -> &Entrances {
        &self.entrances
    }

    /// What holds of what was asked for.
    pub(crate) fn report(&self) -> &Report {
        &self.report
    }

    /// What happened in it so far.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics::read(&self.places)
    }

    /// Ends whatever runs in it.
    pub(crate) fn kill(&self) {
        for place in &self.places {
            files::kill(&place.path);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.entrances = Entrances::default();
        self.kill();
        for place in &self.places {
            files::remove(&place.path);
        }
    }
}

/// The file of a group that has its processes.
const MEMBERS: &str = "cgroup.procs";

impl fmt::Display for NotAvailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reasons: Vec<&str> = Vec::new();
        for holding in self.report.values() {
            if let Holding::Missing(reason) = holding
                && !reasons.contains(&reason.as_str())
            {
                reasons.push(reason);
            }
        }
        write!(f, "there is no control group: {}", reasons.join("; "))
    }
}

impl std::error::Error for NotAvailable {}
