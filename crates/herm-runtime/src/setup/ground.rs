//! What calls run on: nothing between them and the machine, the sandbox, or a try.

use std::path::{Path, PathBuf};

use herm::AbsPath;
use herm::enforcement::Backend;
use herm::policy::Isolation;
use herm::policy::sandbox::{Missing, Profile};
use herm_sandbox::native::{Failure, Workspace};

use super::{Problem, Setup};
use crate::files;
use crate::rehearsal;
use crate::settings;
use crate::trial::Keeping;

impl Setup {
    /// Has commands run there. Behind a boundary, what they cannot reach is not asked about.
    ///
    /// # Errors
    /// When the working directory is not one to confine anything to.
    pub fn run_on(&mut self, backend: Backend) -> Result<(), Problem> {
        self.policy.backend = backend;
        if backend == Backend::Sandbox {
            let workspace = self.workspace_around()?;
            settings::check(self)?;
            let shared = self.shared(&workspace).map_err(Problem::Confinement)?;
            let can_mount = self.policy.sandbox.profile == Profile::Nested;
            self.policy.isolation = Some(Isolation { shared, is_lasting: false, can_mount });
            self.workspace = Some(workspace);
            self.lacking = settings::lacking(self);
        }
        Ok(())
    }

    /// What commands may change that others see, under every name that is known of it. What has no name in text could not be told
    /// from what is theirs alone.
    fn shared(&self, workspace: &Workspace) -> Result<Vec<AbsPath>, Failure> {
        let written = settings::paths(&self.policy.sandbox.writable);
        let besides = written.flat_map(|path| [files::real(&path), Some(path)]).flatten();
        let named = |path: PathBuf| {
            let text = path.to_str().and_then(|text| AbsPath::new(text).ok());
            text.ok_or(Failure::Unspeakable(path))
        };
        workspace.writable().map(Path::to_owned).chain(besides).map(named).collect()
    }

    /// Says that commands find what earlier ones left.
    pub fn goes_on(&mut self) {
        if let Some(isolation) = &mut self.policy.isolation {
            isolation.is_lasting = true;
        }
    }

    /// Has commands run behind a boundary if there can be one here, and otherwise with the rights of the caller. Which of the two it is must
    /// be known before anything is judged: with those rights, everything is asked about.
    ///
    /// # Errors
    /// When the settings would show commands what nobody may see, or it is only this workspace or these settings that cannot be had: what lies in
    /// a workspace must not decide whether it is confined.
    pub fn confine_if_possible(&mut self) -> Result<(), Problem> {
        settings::check(self)?;
        let found = self.around().and_then(|workspace| rehearsal::find_out(self, &workspace));
        let why = match found {
            Ok(()) => return self.run_on(Backend::Sandbox),
            // Where it lies is the person's choice, and nothing that lies there changes it.
            Err(failure) if failure.is_too_wide() => failure,
            Err(failure) if rehearsal::is_possible_elsewhere(self) => {
                return Err(Problem::Confinement(failure));
            }
            Err(failure) => failure,
        };
        self.unconfined = Some(why.to_string());
        self.run_on(Backend::Local)
    }

    /// The workspace around the working directory.
    ///
    /// # Errors
    /// When that is not one to confine anything to.
    pub fn workspace_around(&self) -> Result<Workspace, Problem> {
        self.around().map_err(Problem::Confinement)
    }

    fn around(&self) -> Result<Workspace, Failure> {
        Workspace::around(Path::new(self.cwd.as_str()), Path::new(self.home.as_str()))
    }

    /// Has commands tried. What a person decides about afterwards shares nothing with the machine before.
    ///
    /// # Errors
    /// When the working directory is not one to confine anything to.
    pub fn try_out(&mut self, keeping: Keeping) -> Result<(), Problem> {
        self.run_on(Backend::Sandbox)?;
        if !keeping.is_settled() {
            self.policy.isolation = Some(Isolation::default());
        }
        self.keeping = Some(keeping);
        Ok(())
    }

    /// The same for a call that a person wants to have tried.
    ///
    /// # Errors
    /// When the working directory is not one to confine anything to.
    pub(crate) fn tried(&self) -> Result<Self, Problem> {
        let mut tried = self.clone();
        tried.try_out(Keeping::Asked)?;
        Ok(tried)
    }

    /// Whether this machine lets a try be confined here, with all that the policy insists on. Nothing is concluded from version numbers.
    pub(crate) fn can_try(&self) -> bool {
        let is_whole =
            |tried: &Self| tried.lacking.is_empty() || tried.policy.sandbox.missing == Missing::Accept;
        self.workspace_around().is_ok_and(|workspace| rehearsal::find_out(self, &workspace).is_ok())
            && self.tried().as_ref().is_ok_and(is_whole)
    }
}
