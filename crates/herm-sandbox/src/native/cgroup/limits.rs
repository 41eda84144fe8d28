//! Limits of single processes: for what groups know nothing of, and for want of a group.
//!
//! Memory is limited by what a process may write to (`RLIMIT_DATA`), not by its addresses (`RLIMIT_AS`): Java, Go and Node
//! reserve far more addresses than they ever use and would not even start.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{Bound, Bounds, Holding, Report};

/// A limit of a process and of all that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    resource: Resource,
    value: u64,
}

/// The limits that hold what no group does. `report` says what groups hold, and is told what these do.
pub(crate) fn limits(bounds: &Bounds, report: &mut Report) -> Vec<Limit> {
    let mut limits = Vec::new();
    for bound in Bound::ALL {
        let held = matches!(report.get(&bound), Some(Holding::Together(_)));
        let Some(value) = bounds.asked(bound).filter(|_| !held) else { continue };
        if let Some((resource, holding)) = resource(bound) {
            limits.push(Limit { resource, value: attainable(resource, value) });
            report.insert(bound, holding);
        } else {
            let reason = "a share of the processor is held by control groups only";
            report.entry(bound).or_insert_with(|| Holding::Missing(reason.to_owned()));
        }
    }
    limits
}

fn resource(bound: Bound) -> Option<(Resource, Holding)> {
    match bound {
        Bound::FileSize => Some((Resource::Fsize, Holding::EachProcess)),
        Bound::Memory => Some((Resource::Data, Holding::EachProcess)),
        Bound::OpenFiles => Some((Resource::Nofile, Holding::EachProcess)),
        Bound::Processes => Some((Resource::Nproc, Holding::EachUser)),
        Bound::Processor => None,
        Bound::ProcessorTime => Some((Resource::Cpu, Holding::EachProcess)),
    }
}

/// Nobody can go above the limit that stands already; without a right that containers lack, not even root.
fn attainable(resource: Resource, value: u64) -> u64 {
    getrlimit(resource).maximum.map_or(value, |most| value.min(most))
}

/// Holds this process and all that it starts to `limits`. Makes system calls only.
///
/// The number of processes is counted in the user namespace that one is in, so it has to come after a new one.
pub(crate) fn apply(limits: &[Limit]) -> io::Result<()> {
    for limit in limits {
        setrlimit(limit.resource, Rlimit { current: Some(limit.value), maximum: Some(limit.value) })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Version;
    use super::*;

    #[test]
    fn what_a_group_holds_is_not_limited_twice() {
        let bounds = Bounds { memory: Some(1), processes: Some(2), processor: Some(3), ..Bounds::default() };
        let mut report = Report::from([(Bound::Memory, Holding::Together(Version::One))]);
        let limits = limits(&bounds, &mut report);
        assert_eq!(limits, [Limit { resource: Resource::Nproc, value: 2 }]);
        assert_eq!(report[&Bound::Memory], Holding::Together(Version::One));
        assert_eq!(report[&Bound::Processes], Holding::EachUser);
        assert!(matches!(report[&Bound::Processor], Holding::Missing(_)));
    }

    #[test]
    fn a_limit_is_never_raised() {
        let most = getrlimit(Resource::Nofile).maximum.unwrap();
        let bounds = Bounds { open_files: Some(u64::MAX - 1), ..Bounds::default() };
        let limits = limits(&bounds, &mut Report::new());
        assert_eq!(limits, [Limit { resource: Resource::Nofile, value: most }]);
    }
}
