//! Whether commands can be confined here, known before anything is judged.
//!
//! What is judged for a boundary must never run without one. Were it noticed only when the command starts that there can be none, a person
//! would have answered for nothing, and be asked once more. So the boundary is built beforehand, with nothing behind it. That takes as long as
//! it takes to start a command, and is remembered therefore: for this kernel since it was started, this user, these namespaces, this
//! workspace. Only success is. Whoever puts a success there that never was, or changes the machine afterwards, has a run that fails.
//!
//! If it cannot be built, it is tried around an empty directory and with no settings. Where that can be done, it is the workspace that is in the way,
//! and commands in it must not be the ones that run unconfined.

use std::path::{Path, PathBuf};

use herm::environment::Surface;
use herm_sandbox::native::examine::rehearse;
use herm_sandbox::native::{Confinement, Failure, Network, Workspace};
use herm_store::Digest;

use crate::files::{self, Seen};
use crate::setup::Setup;
use crate::{environment, scratch, settings};

/// Finds out whether commands can be confined to a workspace.
pub(crate) fn find_out(setup: &Setup, workspace: &Workspace) -> Result<(), Failure> {
    let memory = Memory::of(setup, workspace);
    if memory.has_it() {
        return Ok(());
    }
    build(setup, workspace)?;
    memory.keep();
    Ok(())
}

/// Builds the boundary of a run, with nothing behind it.
pub(crate) fn build(setup: &Setup, workspace: &Workspace) -> Result<(), Failure> {
    let (cwd, home) = (Path::new(setup.cwd.as_str()), Path::new(setup.home.as_str()));
    let environment = environment::of_child(Surface::Terminal, &setup.passing.variables);
    let mut confinement = Confinement::to_workspace(workspace, cwd, home, &environment);
    settings::apply(&mut confinement, &setup.policy.sandbox);
    rehearse(&Confinement { network: Network::Guarded, ..confinement })
}

/// Whether this machine can confine commands at all: to an empty directory, with nothing set, and without the tools that variables lead to,
/// which may lie in the workspace.
pub(crate) fn is_possible_elsewhere(setup: &Setup) -> bool {
    let Ok(scratch) = environment::temporary().and_then(|parent| herm_sandbox::Scratch::new(&parent)) else {
        // Without a place to try it in nothing is known, and what is not known must not loosen anything.
        return true;
    };
    let workspace = Workspace { root: scratch.path().to_owned(), history: None };
    let home = Path::new(setup.home.as_str());
    let mut confinement = Confinement::to_workspace(&workspace, &workspace.root, home, &[]);
    confinement.view.tools.clear();
    let tried = rehearse(&Confinement { network: Network::Guarded, ..confinement });
    // What somebody has used up comes back: the machine has it.
    tried.map_or_else(|failure| failure.is_shortage(), |()| true)
}

/// Forgets that it could be done: it could not.
pub(crate) fn forget(setup: &Setup) {
    if let Some(workspace) = &setup.workspace {
        Memory::of(setup, workspace).drop();
    }
}

/// A file with a line for each boundary that could be built.
struct Memory {
    file: PathBuf,
    line: String,
}

impl Memory {
    fn of(setup: &Setup, workspace: &Workspace) -> Self {
        let boot = files::text(Path::new("/proc/sys/kernel/random/boot_id"));
        let namespaces =
            ["user", "mnt", "pid"].map(|name| files::number(&Path::new("/proc/self/ns").join(name)));
        let user = rustix::process::geteuid().as_raw();
        let place = (&workspace.root, files::number(&workspace.root));
        let version = env!("CARGO_PKG_VERSION");
        let known =
            format!("{:?}", (version, boot, namespaces, user, place, &setup.home, &setup.policy.sandbox));
        Self { file: setup.guard.join("confinable"), line: Digest::of(known.as_bytes()).to_string() }
    }

    fn lines(&self) -> Vec<String> {
        let Seen::Bytes(bytes) = files::read(&self.file) else { return Vec::new() };
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    fn has_it(&self) -> bool {
        self.lines().contains(&self.line)
    }

    /// What cannot be remembered is tried again.
    fn keep(&self) {
        let lines = self.lines();
        let newest = lines.len().saturating_sub(MOST - 1);
        let _ = self.write(lines.iter().skip(newest).chain([&self.line]));
    }

    fn drop(&self) {
        let _ = self.write(self.lines().iter().filter(|line| **line != self.line));
    }

    fn write<'a>(&self, lines: impl Iterator<Item = &'a String>) -> std::io::Result<()> {
        let lines: Vec<&str> = lines.map(String::as_str).collect();
        scratch::replace(&self.file, &lines.join("\n"))
    }
}

/// More workspaces than anybody works in at a time.
const MOST: usize = 64;
