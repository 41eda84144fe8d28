//! What `herm init` would change for an agent, and changing it.

use std::path::{Path, PathBuf};

use herm_adapters::Agent;
use herm_adapters::wiring::command::{Added, Call};
use herm_adapters::wiring::{self, Piece, Purpose, Scope};
use herm_store::Digest;

use super::ground::Ground;
use super::kept::{Record, Shelf};
use super::places::Places;
use super::problem::Problem;
use super::write;
use crate::files;

/// What would be changed for an agent.
#[derive(Debug)]
pub struct Plan {
    /// The agent.
    pub agent: Agent,
    /// For whom.
    pub scope: Scope,
    /// What happens to each of its files.
    pub steps: Vec<Step>,
    directory: PathBuf,
}

/// What would happen to a file.
#[derive(Debug)]
pub struct Step {
    /// The file, as the agent knows it.
    pub file: PathBuf,
    /// What for.
    pub purpose: Purpose,
    /// What to add by hand where herm cannot.
    pub by_hand: String,
    /// The change, or why there can be none.
    pub change: Result<Change, Problem>,
    piece: Piece,
    ground: Option<Ground>,
}

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it holds; nothing when it is not there.
    pub before: Option<String>,
    /// What it will hold; nothing when it goes away.
    pub after: Option<String>,
}

impl Change {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.before == self.after
    }
}

impl Plan {
    /// What would be changed. An agent that cannot be wired there has no steps.
    #[must_use]
    pub fn new(places: &Places, agent: Agent, scope: Scope) -> Self {
        let directory = places.directory(agent, scope);
        let look = |call: &Call| -> Vec<Step> {
            let pieces = wiring::pieces(call, scope, &directory).into_iter();
            pieces.map(|piece| Step::new(places, scope, &directory, piece)).collect()
        };
        let mut call = places.call(agent, scope);
        let mut steps = look(&call);
        let lines: Vec<String> = steps.iter().flat_map(Step::commands).collect();
        let added = Added::to(agent, &lines);
        if added != call.added {
            call.added = added;
            steps = look(&call);
        }
        let hooks = steps.first().and_then(Step::after).unwrap_or_default();
        let trust = wiring::trust(&call, scope, &directory, hooks);
        steps.extend(trust.map(|piece| Step::new(places, scope, &directory, piece)));
        Self { agent, scope, steps, directory }
    }

    /// Whether there is nothing left to do, but for trust.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let hooks = self.steps.iter().filter(|step| step.purpose == Purpose::Hook);
        hooks.into_iter().all(Step::is_done)
    }

    /// Whether what stands there differs from what should at most in where herm lies and how long it may take.
    #[must_use]
    pub fn is_alike(&self) -> bool {
        let hooks = self.steps.iter().filter(|step| step.purpose == Purpose::Hook);
        hooks.into_iter().all(|step| step.is_done() || step.is_alike())
    }

    /// Makes the changes of this purpose.
    ///
    /// # Errors
    /// With the first that cannot be made. What was changed before it stays, and `herm uninit` takes it back.
    pub fn carry_out(&self, places: &Places, purpose: Purpose) -> Result<(), Problem> {
        let kept = Shelf::locked(&places.keeping(self.scope))?;
        let wanted = self.steps.iter().filter(|step| step.purpose == purpose && !step.is_done());
        wanted.into_iter().try_for_each(|step| self.write(step, &kept))
    }

    /// Keeps the original, then replaces the file.
    fn write(&self, step: &Step, kept: &Shelf) -> Result<(), Problem> {
        let (Some(ground), Some(after)) = (&step.ground, step.after()) else { return Ok(()) };
        let known = kept.record(&step.file)?;
        let mut record = Record {
            agent: self.agent,
            scope: self.scope,
            directory: self.directory.clone(),
            file: step.file.clone(),
            original: step.original(known.as_ref())?,
            written: Digest::of(after.as_bytes()),
            directories: known.map(|record| record.directories).unwrap_or_default(),
        };
        kept.keep(&record)?;
        let made = write::replace(ground, after, step.piece.mode)?;
        if made.is_empty() {
            return Ok(());
        }
        record.directories.extend(made);
        kept.keep(&record)
    }
}

impl Step {
    fn new(places: &Places, scope: Scope, directory: &Path, piece: Piece) -> Self {
        let (ground, change) = match Ground::look(places, scope, directory, &piece.file) {
            Err(problem) => (None, Err(problem)),
            Ok(ground) => {
                let after = piece.install(ground.text.as_deref());
                let change = after
                    .map(|after| Change { before: ground.text.clone(), after: Some(after) })
                    .map_err(|refused| Problem::Refused(piece.file.clone(), refused));
                (Some(ground), change)
            }
        };
        Self {
            file: piece.file.clone(),
            purpose: piece.purpose,
            by_hand: piece.by_hand(),
            change,
            piece,
            ground,
        }
    }

    /// Whether the file says already what it should, and can be run where it has to be.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let runs = self.piece.mode & 0o100;
        let mode = self.ground.as_ref().and_then(|ground| files::mode(&ground.real)).unwrap_or(0o777);
        self.change.as_ref().is_ok_and(Change::is_none) && mode & runs == runs
    }

    /// Whether it differs from what it should say at most in where herm lies and how long it may take.
    fn is_alike(&self) -> bool {
        self.before().is_some_and(|text| self.piece.is_alike(text))
    }

    /// Whether something of herm's stands in the file, however old.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.before().is_some_and(|text| self.piece.is_present(text))
    }

    /// Whether `true` stands at a place in the file.
    #[must_use]
    pub fn says_yes(&self, at: &[&str]) -> bool {
        self.before().is_some_and(|text| self.piece.says_yes(text, at))
    }

    /// The command lines of herm's in the file, as the agent runs them.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        self.before().map(|text| self.piece.commands(text)).unwrap_or_default()
    }

    fn before(&self) -> Option<&str> {
        self.ground.as_ref()?.text.as_deref()
    }

    fn after(&self) -> Option<&str> {
        self.change.as_ref().ok()?.after.as_deref()
    }

    /// What the file would hold if herm had never come: what it held, or what others have made of that since.
    fn original(&self, known: Option<&Record>) -> Result<Option<String>, Problem> {
        let Some(now) = self.before() else { return Ok(None) };
        let original = known.and_then(|record| record.original.clone());
        match known {
            Some(record) if record.written == Digest::of(now.as_bytes()) => Ok(original),
            None if !self.piece.is_present(now) => Ok(Some(now.to_owned())),
            Some(_) | None => {
                let was = known.map(|_| original.as_deref().unwrap_or_default());
                let removed = self.piece.remove(now, was);
                removed.map_err(|refused| Problem::Refused(self.file.clone(), refused))
            }
        }
    }
}
