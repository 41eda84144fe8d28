//! What the settings make of a confinement.

use std::path::{Path, PathBuf};

use herm::AbsPath;
use herm::enforcement::{Backend, Measure};
use herm::policy::sandbox::{Access, Missing, Profile as Wanted, Shown, objection};
use herm::policy::{Error, Problem as Wrong, Sandbox};
use herm_sandbox::native::{self, Bounds, Confinement, Lacking, Network, Profile, is_dispensable};
use serde_json::{Value, json};

use crate::files;
use crate::perform::Performance;
use crate::setup::{Problem, Setup};

/// How many bytes a number in the configuration stands for.
const MEBIBYTE: u64 = 1 << 20;

/// How much of a processor one is.
const PROCESSOR: u64 = 1000;

/// Has a confinement be what the settings say.
pub(crate) fn apply(confinement: &mut Confinement, sandbox: &Sandbox) {
    let usual = confinement.bounds;
    confinement.bounds = Bounds {
        file_size: sandbox.file_size.over(usual.file_size, MEBIBYTE),
        memory: sandbox.memory.over(usual.memory, MEBIBYTE),
        processes: sandbox.processes.over(usual.processes, 1),
        processor: sandbox.processors.over(usual.processor, PROCESSOR),
        ..usual
    };
    let view = &mut confinement.view;
    view.space = sandbox.disk.over(Some(view.space), MEBIBYTE).unwrap_or(view.space);
    view.readable.extend(paths(&sandbox.readable));
    view.writable.extend(paths(&sandbox.writable));
    confinement.profile = match sandbox.profile {
        Wanted::Nested => Profile::Nested,
        Wanted::Standard => Profile::Standard,
    };
}

/// The paths as they are written.
pub(crate) fn paths(shown: &[Shown]) -> impl Iterator<Item = PathBuf> {
    shown.iter().map(|one| PathBuf::from(one.path.as_str()))
}

/// What the settings demand of a backend.
pub(crate) fn measures(backend: Backend, sandbox: &Sandbox) -> Vec<Measure> {
    // Tools that mount something cannot be held by rules on files.
    let is_left_out = |measure: &Measure| *measure == Measure::FileRules && sandbox.profile == Wanted::Nested;
    let usual = backend
        .measures()
        .iter()
        .copied()
        .filter(|measure| backend == Backend::Local || !is_left_out(measure));
    let bounded = backend == Backend::Sandbox && sandbox.processors.said().is_some();
    let mut measures: Vec<_> = usual.chain(bounded.then_some(Measure::CpuLimit)).collect();
    measures.sort_unstable();
    measures
}

/// What the sandbox would lack of what is demanded. Where that is accepted, nobody needs to know before.
pub(crate) fn lacking(setup: &Setup) -> Vec<Lacking> {
    let sandbox = &setup.policy.sandbox;
    let Some(workspace) = setup.workspace.as_ref().filter(|_| sandbox.missing != Missing::Accept) else {
        return Vec::new();
    };
    let (cwd, home) = (Path::new(setup.cwd.as_str()), Path::new(setup.home.as_str()));
    let mut confinement = Confinement::to_workspace(workspace, cwd, home, &[]);
    apply(&mut confinement, sandbox);
    native::lacking(&confinement, &measures(Backend::Sandbox, sandbox))
}

/// What must hold when a command starts: all that is demanded, but for what was accepted, or asked about because it was known to be missing.
pub(crate) fn required(setup: &Setup, network: Network) -> Vec<Measure> {
    let sandbox = &setup.policy.sandbox;
    let is_excused = |measure: &Measure| match sandbox.missing {
        Missing::Accept => is_dispensable(*measure),
        Missing::Ask => setup.lacking.iter().any(|lack| lack.measure == *measure),
        Missing::Refuse => false,
    };
    let closed = |measure| match (measure, network) {
        (Measure::GuardedNetwork, Network::Closed) => Measure::NoNetwork,
        (measure, _) => measure,
    };
    let of_the_boundary = |measure: &Measure| !Backend::Local.measures().contains(measure);
    let demanded = measures(Backend::Sandbox, sandbox).into_iter().map(closed);
    demanded.filter(|measure| of_the_boundary(measure) && !is_excused(measure)).collect()
}

/// What was demanded and did not hold. What is to be said about it, is.
pub(crate) fn missed(requested: &[Measure], done: &mut Performance, sandbox: &Sandbox) -> Vec<Measure> {
    let missed: Vec<_> =
        requested.iter().copied().filter(|measure| !done.applied.contains(measure)).collect();
    done.notes.extend(told(&missed, sandbox));
    missed
}

/// What is said about what did not hold: a part of the boundary always, a bound if somebody has set it. The usual bounds are in the record: where
/// there are no control groups, each process has one of its own, and nobody reads what is said every time.
fn told(missed: &[Measure], sandbox: &Sandbox) -> Vec<String> {
    let bounds = [
        (Measure::CpuLimit, sandbox.processors, "terminal.container_cpu"),
        (Measure::MemoryLimit, sandbox.memory, "terminal.container_memory"),
        (Measure::ProcessLimit, sandbox.processes, "sandbox.processes"),
    ];
    let is_bound = |measure: &&Measure| bounds.iter().any(|(bound, ..)| bound == *measure);
    // Without the others there is no sandbox.
    let parts = missed.iter().filter(|measure| is_dispensable(**measure) && !is_bound(measure));
    let parts = parts.map(|part| format!("the sandbox lacks `{}`; `herm doctor` says why", part.word()));
    let set = bounds.iter().filter(|(measure, bound, _)| missed.contains(measure) && bound.said().is_some());
    let set = set.map(|(_, _, key)| {
        format!("`{key}` does not hold for all of its processes together; `herm doctor` says why")
    });
    parts.chain(set).collect()
}

/// What differs from the usual, as it is recorded.
pub(crate) fn recorded(sandbox: &Sandbox) -> Option<Value> {
    let written = |shown: &[Shown]| shown.iter().map(|one| one.path.as_str().to_owned()).collect::<Vec<_>>();
    let mut said = json!({
        "cpu": sandbox.processors.said(),
        "disk": sandbox.disk.said(),
        "file_size": sandbox.file_size.said(),
        "memory": sandbox.memory.said(),
        "processes": sandbox.processes.said(),
        "profile": (sandbox.profile != Wanted::default()).then_some(sandbox.profile.word()),
        "readable": Some(written(&sandbox.readable)).filter(|list| !list.is_empty()),
        "writable": Some(written(&sandbox.writable)).filter(|list| !list.is_empty()),
    });
    let fields = said.as_object_mut()?;
    fields.retain(|_, value| !value.is_null());
    (!fields.is_empty()).then_some(said)
}

/// Looks at where the paths lead that commands are to see: a link must not show what nobody may name.
///
/// # Errors
/// When one leads to the home of herm, to a home, or to credentials.
pub(crate) fn check(setup: &Setup) -> Result<(), Problem> {
    let sandbox = &setup.policy.sandbox;
    let lists = [(&sandbox.readable, Access::Read), (&sandbox.writable, Access::Write)];
    let mut all = lists.into_iter().flat_map(|(list, access)| list.iter().map(move |one| (one, access)));
    all.try_for_each(|(one, access)| match harm(setup, one, access) {
        None => Ok(()),
        Some(why) => {
            let problem = Wrong::NotShown { path: one.path.as_str().to_owned(), why };
            Err(Problem::Config(Error { file: one.file.clone(), at: one.at, problem }))
        }
    })
}

fn harm(setup: &Setup, shown: &Shown, access: Access) -> Option<String> {
    let written = Path::new(shown.path.as_str());
    let Some(real) = files::real(written) else { return Some("where it leads cannot be known".to_owned()) };
    let Some(real) = real.to_str().and_then(|text| AbsPath::new(text).ok()) else {
        return Some("its name is not UTF-8".to_owned());
    };
    let guards = [Some(setup.guard.clone()), files::real(&setup.guard)];
    let meets = |guard: PathBuf| {
        let guard = guard.to_string_lossy().into_owned();
        let around = AbsPath::new(&guard).is_ok_and(|guard| guard.holds(real.as_str()));
        around || real.holds(&guard)
    };
    if guards.into_iter().flatten().any(meets) {
        return Some("herm keeps its own files there".to_owned());
    }
    let home = files::real(Path::new(setup.home.as_str()));
    let homes = [Some(setup.home.as_str().to_owned()), home.map(|home| home.to_string_lossy().into_owned())];
    let holds_home = homes.iter().flatten().any(|home| real.holds(home));
    if holds_home {
        return Some("it holds the home directory".to_owned());
    }
    homes.iter().flatten().find_map(|home| objection(real.as_str(), home, access))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_boundary_that_is_missing_is_said() {
        let sandbox = Sandbox::default();
        let missed = [Measure::FileRules, Measure::MemoryLimit, Measure::ProcessLimit, Measure::ProcessTree];
        let said = told(&missed, &sandbox);
        assert_eq!(said, ["the sandbox lacks `file-rules`; `herm doctor` says why"]);
        assert!(told(&[], &sandbox).is_empty());
    }
}
