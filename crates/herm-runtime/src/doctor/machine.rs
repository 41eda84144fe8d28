//! The machine, and the sandbox that it lets us build.

use std::path::Path;

use herm_sandbox::native::examine::{self, Finding};
use herm_sandbox::native::{Failure, Workspace};

use super::{Group, Row, State, without};
use crate::rehearsal;
use crate::setup::Setup;

pub(super) fn rows() -> Vec<Row> {
    let kernel = rustix::system::uname();
    let version = format!("{} {}", kernel.sysname().to_string_lossy(), kernel.release().to_string_lossy());
    vec![Row::new(Group::Machine, "kernel", State::Holds, version), user()]
}

fn user() -> Row {
    let uid = rustix::process::geteuid();
    if uid.is_root() {
        let detail = "root: outside the sandbox, commands have every right there is";
        return Row::new(Group::Machine, "user", State::Weaker, detail)
            .advised("run agents as an ordinary user");
    }
    Row::new(Group::Machine, "user", State::Holds, format!("number {}, who is not root", uid.as_raw()))
}

/// The parts of a boundary, one by one.
pub(super) fn parts(home: &Path, place: &Path) -> Vec<Row> {
    examine::examine(home, place).iter().map(part).collect()
}

fn part(finding: &Finding) -> Row {
    let (name, purpose) = (finding.part.name(), finding.part.purpose());
    match &finding.outcome {
        Ok(said) if said.is_empty() => Row::new(Group::Sandbox, name, State::Holds, purpose),
        Ok(said) => Row::new(Group::Sandbox, name, State::Holds, format!("{purpose} ({said})")),
        Err(lack) => {
            let state = without(finding.part.weight());
            Row::new(Group::Sandbox, name, state, format!("{purpose}: {}", lack.why)).advised(&lack.advice)
        }
    }
}

/// All of it together, around the directory that herm was started in.
pub(super) fn workspace(setup: &Setup) -> Row {
    let name = "this workspace";
    match rehearse(setup) {
        Ok(workspace) => Row::new(
            Group::Sandbox,
            name,
            State::Holds,
            format!("`{}` can be confined", workspace.root.display()),
        ),
        Err(failure) => {
            // Where it is only too wide, commands run without; in anything else that is wrong with it, none do.
            let state = if failure.is_too_wide() { State::Weaker } else { State::Missing };
            let advice = match failure {
                Failure::Kernel { .. } | Failure::Lacking(_) => "see what is missing above",
                Failure::Everybodys(_)
                | Failure::TooWide(_)
                | Failure::Unknowable(_)
                | Failure::Unspeakable(_) => failure.hint(),
            };
            Row::new(Group::Sandbox, name, state, failure.to_string()).advised(advice)
        }
    }
}

fn rehearse(setup: &Setup) -> Result<Workspace, Failure> {
    let (cwd, home) = (Path::new(setup.cwd.as_str()), Path::new(setup.home.as_str()));
    let workspace = Workspace::around(cwd, home)?;
    rehearsal::build(setup, &workspace)?;
    Ok(workspace)
}
