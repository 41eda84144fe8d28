//! Trying a command before it counts.
//!
//! A try runs on something that stands in for the workspace. Afterwards a person sees what it changed and keeps that as a whole,
//! or nothing of it.

use std::path::Path;
use std::rc::Rc;

use herm_sandbox::changes::{Bounds, Comparison, Error, Ground, Standing, Summary, Tries, Try, Undone};
use serde_json::{Value, json};

use crate::people::People;
use crate::perform::Performance;
use crate::reply::Outcome;
use crate::setup::Setup;

/// What becomes of what a try has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// A person decides who has seen it.
    Asked,
    /// It is gone.
    Discarded,
    /// It is kept. The command was judged as if it were not a try.
    Kept,
    /// It is kept if the command succeeded. The command was judged as if it were not a try.
    KeptIfSuccessful,
}

impl Keeping {
    /// Whether changes can be kept that nobody has looked at.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Kept | Self::KeptIfSuccessful)
    }
}

/// What came of a try.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What it changed, as a program reads it.
    pub changes: Value,
    /// The same, as a person reads it.
    pub summary: Rc<Summary>,
    /// Whether a person has seen it already.
    pub is_seen: bool,
    /// Whether that was kept.
    pub is_kept: bool,
}

impl Trial {
    /// As it is recorded.
    pub(crate) fn to_json(&self) -> Value {
        json!({ "kept": self.is_kept, "counts": self.changes.get("counts") })
    }
}

/// A try that is going on.
#[derive(Debug)]
pub(crate) struct Attempt {
    attempt: Try,
    keeping: Keeping,
}

impl Attempt {
    /// Begins a try, if that is what is wanted.
    pub(crate) fn begin(setup: &Setup, receipt: &str) -> Result<Option<Self>, Error> {
        let Some((keeping, workspace)) = setup.keeping.zip(setup.workspace.as_ref()) else { return Ok(None) };
        let tries = Tries::open(&setup.guard)?;
        tries.recover(&mut || ())?;
        let attempt = tries.begin(receipt, &workspace.root, standing(), Bounds::default())?;
        Ok(Some(Self { attempt, keeping }))
    }

    /// What stands in for the workspace.
    pub(crate) fn ground(&self) -> Ground {
        self.attempt.ground()
    }

    /// Shows what was changed, and keeps it or not.
    pub(crate) fn settle(self, outcome: Outcome, people: &mut dyn People) -> Outcome {
        let Outcome::Done(mut done) = outcome else {
            drop(self.attempt.discard());
            return outcome;
        };
        done.notes
            .extend(self.attempt.lacks().iter().map(|lack| format!("while it was tried, {}", lack.as_str())));
        match self.weigh(&mut done, people) {
            Ok(()) => Outcome::Done(done),
            Err(error) => {
                done.notes.push(format!("nothing was kept: {error}"));
                done.notes.push(error.hint().to_owned());
                Outcome::Done(done)
            }
        }
    }

    fn weigh(self, done: &mut Performance, people: &mut dyn People) -> Result<(), Error> {
        let comparison = self.attempt.compare()?;
        let summary = Summary::new(&self.attempt, &comparison)?;
        let heard = (self.keeping == Keeping::Asked).then(|| people.weigh(&summary)).flatten();
        let is_wanted = !summary.items.is_empty()
            && match self.keeping {
                Keeping::Asked => heard.unwrap_or(false),
                Keeping::Discarded => false,
                Keeping::Kept => true,
                Keeping::KeptIfSuccessful => done.exit_code() == 0,
            };
        let (changes, summary) = (summary.to_json(), Rc::new(summary));
        done.trial = Some(Trial { changes, summary, is_seen: heard.is_some(), is_kept: false });
        self.finish(&comparison, is_wanted)?;
        if let Some(trial) = &mut done.trial {
            trial.is_kept = is_wanted;
        }
        Ok(())
    }

    fn finish(self, comparison: &Comparison, is_wanted: bool) -> Result<(), Error> {
        if is_wanted { self.attempt.keep(comparison, &mut || ()) } else { self.attempt.discard() }
    }
}

fn standing() -> Standing {
    if rustix::process::geteuid().is_root() { Standing::Root } else { Standing::User }
}

/// Takes a kept run back: the one that is named, or the last one of the workspace. Says which, too.
///
/// # Errors
/// When later edits would be lost, or there is nothing to take back.
pub fn undo(guard: &Path, workspace: &Path, named: Option<&str>) -> Result<Option<(String, Undone)>, Error> {
    let tries = Tries::open(guard)?;
    tries.recover(&mut || ())?;
    let id = match named {
        Some(id) => Some(id.to_owned()),
        None => tries.last_kept(workspace)?,
    };
    let Some(id) = id else { return Ok(None) };
    tries.undo(&id, &mut || ()).map(|undone| Some((id, undone)))
}
