//! What a run would lack of what can be done without.
//!
//! Most of a boundary is there or nothing runs. What is here has something weaker in its place: limits of each process where there are no
//! control groups, the view alone where there is no Landlock. Whether that is enough is for whoever demanded it to say.

use herm::enforcement::Measure;
use rustix::process::geteuid;

use super::cgroup::{Bound, Holding, Report};
use super::examine::{Part, advice};
use super::landlock::{Files, Rules};
use super::{Confinement, Layer};
use crate::sys::landlock;

/// Something that a run would lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// What.
    pub measure: Measure,
    /// Why.
    pub why: String,
    /// What to install or enable.
    pub advice: String,
}

/// What can be done without, what bounds it, and what it is made of.
const DISPENSABLE: [(Measure, Option<Bound>, Part); 4] = [
    (Measure::CpuLimit, Some(Bound::Processor), Part::ProcessCount),
    (Measure::FileRules, None, Part::FileRules),
    (Measure::MemoryLimit, Some(Bound::Memory), Part::Memory),
    (Measure::ProcessLimit, Some(Bound::Processes), Part::ProcessCount),
];

/// Whether something can be done without: then something weaker takes its place.
#[must_use]
pub fn is_dispensable(measure: Measure) -> bool {
    DISPENSABLE.iter().any(|(dispensable, _, _)| *dispensable == measure)
}

/// Which of these measures a run would lack here. Its group is made to see it, and gone afterwards.
#[must_use]
pub fn lacking(wanted: &Confinement, demanded: &[Measure]) -> Vec<Lacking> {
    let rules =
        wanted.has(Layer::Files).then(|| Rules::new(&Files::Only(Vec::new()), landlock::abi().unwrap_or(0)));
    let (_group, report) = wanted.group();
    let held = wanted.measures(rules.as_ref(), &report);
    let is_missing = |measure| demanded.contains(&measure) && !held.contains(&measure);
    let missing = DISPENSABLE.into_iter().filter(|(measure, _, _)| is_missing(*measure));
    missing
        .map(|(measure, bound, part)| Lacking {
            measure,
            why: why(bound, &report),
            advice: advice(part, geteuid().is_root()),
        })
        .collect()
}

fn why(bound: Option<Bound>, report: &Report) -> String {
    match bound.map(|bound| report.get(&bound)) {
        Some(Some(Holding::Missing(why))) => why.clone(),
        Some(_) => "there are no control groups".to_owned(),
        None => "this kernel has no Landlock".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Instant;

    use super::*;
    use crate::Scratch;
    use crate::native::{Failure, Network, Prepared, Workspace};

    fn wanted(scratch: &Scratch) -> Confinement {
        let workspace = Workspace { root: scratch.path().to_owned(), history: None };
        Confinement::to_workspace(&workspace, scratch.path(), Path::new("/root"), &[])
    }

    #[test]
    fn what_must_hold_and_does_not_lets_nothing_start() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        for (network, required) in [(Network::Open, Measure::NoNetwork), (Network::Closed, Measure::CpuLimit)]
        {
            let mut wanted = Confinement { network, ..wanted(&scratch) };
            assert!(Prepared::new(&wanted).is_ok());
            wanted.required = vec![Measure::PrivateFiles, required];
            let refused = Prepared::new(&wanted).unwrap_err();
            assert!(matches!(refused, Failure::Lacking(measure) if measure == required), "{refused}");
        }
    }

    #[test]
    fn what_a_run_would_lack_is_what_it_does_lack() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let wanted = wanted(&scratch);
        let demanded =
            [Measure::FileRules, Measure::MemoryLimit, Measure::PrivateFiles, Measure::ProcessLimit];
        let begun = Instant::now();
        let told = lacking(&wanted, &demanded);
        println!("what a run would lack is known after {:?}", begun.elapsed());
        let (_prepared, held) = Prepared::new(&wanted).unwrap();
        let missing: Vec<_> =
            demanded.into_iter().filter(|measure| !held.measures.contains(measure)).collect();
        assert_eq!(told.iter().map(|lack| lack.measure).collect::<Vec<_>>(), missing);
        assert!(told.iter().all(|lack| !lack.why.is_empty() && !lack.advice.is_empty()), "{told:?}");
    }
}
