//! Trying a command before it counts.
//!
//! A try runs on something that stands in for the workspace. Afterwards a person sees what it changed and keeps that as a whole,
//! or nothing of it.

mod back;
mod programs;
pub mod recovered;
mod told;

use std::path::{Path, PathBuf};
use std::time::Duration;

use herm::approval::Answer;
use herm::call::Call;
use herm::policy::Undo;
use herm_sandbox::changes::{
    Bounds, Comparison, Error, Ground, Item, Retention, Standing, Summary, Tries, Try, safe,
};
use herm_sandbox::native::is_lever;
use herm_store::Digest;
use serde_json::{Value, json};

pub use self::back::{Loss, Taken, Undoing, give_up, list, undo};
pub use self::programs::Started;
use crate::asked::{Asked, Trying};
use crate::books::Follows;
use crate::identity;
use crate::people::{Heard, People};
use crate::perform::{Cancel, Ending, Performance};
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
    /// The same, as a person reads it. Secrets are taken out.
    pub told: String,
    /// Who has seen it and decided.
    pub by: Option<String>,
    /// Whether that was kept.
    pub is_kept: bool,
    /// The programs that it started; nothing where nobody could see them.
    pub programs: Option<Started>,
    /// What somebody else changed in the workspace meanwhile, if that is why nothing was kept.
    pub underneath: Vec<String>,
}

impl Trial {
    /// The programs that it started, as a program reads it.
    #[must_use]
    pub fn programs(&self) -> Option<Value> {
        self.programs.as_ref().map(Started::to_json)
    }

    /// As it is recorded.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "kept": self.is_kept, "by": self.by, "counts": self.changes.get("counts"), "programs": self.programs(),
            "underneath": self.underneath,
        })
    }
}

/// A try that is going on.
#[derive(Debug)]
pub(crate) struct Attempt {
    ground: Try,
    keeping: Keeping,
    receipt: String,
    workspace: PathBuf,
    tries: Tries,
    retention: Retention,
}

/// Whoever decides what becomes of a try, and what they are told.
pub(crate) struct Bench<'a> {
    pub(crate) people: &'a mut dyn People,
    pub(crate) call: &'a Call,
    /// How long they have.
    pub(crate) seconds: u32,
    pub(crate) redact: &'a dyn Fn(&str) -> String,
    /// What calls it off.
    pub(crate) cancel: &'a Cancel,
}

impl Attempt {
    /// Puts right what was cut short before, and says what became of it.
    pub(crate) fn put_right(setup: &Setup) -> Vec<String> {
        let answers = Tries::open(&setup.guard).and_then(|tries| recovered::put_right(&tries));
        match answers {
            Ok(answers) => recovered::told(&answers),
            Err(error) => vec![format!("what was cut short before could not be put right: {error}")],
        }
    }

    /// Begins a try, if that is what is wanted.
    pub(crate) fn begin(setup: &Setup, receipt: &str) -> Result<Option<Self>, Error> {
        let Some((keeping, workspace)) = setup.keeping.zip(setup.workspace.as_ref()) else { return Ok(None) };
        let tries = Tries::open(&setup.guard)?;
        let ground = tries.begin(receipt, &workspace.root, standing(), Bounds::default())?;
        let retention = retention(setup.policy.undo);
        let (receipt, workspace) = (receipt.to_owned(), workspace.root.clone());
        Ok(Some(Self { ground, keeping, receipt, workspace, tries, retention }))
    }

    /// What stands in for the workspace.
    pub(crate) fn ground(&self) -> Ground {
        self.ground.ground()
    }

    /// What is mounted in the workspace. It has to be shown on what stands in for that, and may only be read.
    pub(crate) fn mounts(&self) -> Vec<PathBuf> {
        self.ground.mounts().iter().map(|mount| self.workspace.join(mount)).collect()
    }

    /// Forgets what never began.
    pub(crate) fn abandon(self) {
        // What cannot be removed now is swept up by a later try.
        drop(self.ground.discard());
    }

    /// Shows what was changed, and keeps it or not.
    pub(crate) fn settle(self, mut done: Performance, mut bench: Bench<'_>) -> Performance {
        done.notes
            .extend(self.ground.lacks().iter().map(|lack| format!("while it was tried, {}", lack.as_str())));
        let mounts: Vec<_> = self.ground.mounts().iter().map(|mount| safe(mount)).collect();
        if !mounts.is_empty() {
            let mounts = told::some(&mounts);
            done.notes.push(format!(
                "while it was tried, what is mounted in the workspace could only be read: {mounts}"
            ));
        }
        let (tries, retention, keeping) = (self.tries.clone(), self.retention, self.keeping);
        let weighed = self.weigh(&mut done, &mut bench);
        done.notes.extend(recovered::told(&recovered::heard(&tries)));
        tidy(&tries, retention);
        if let Err(error) = weighed {
            done.notes.push(format!("nothing was kept: {error}"));
            done.notes.push(error.hint().to_owned());
            if keeping != Keeping::Discarded {
                done.keep_failed = Some(format!("nothing was kept: {error}"));
            }
            if let (Some(trial), Error::Changed(paths)) = (&mut done.trial, &error) {
                trial.underneath = paths.iter().take(UNDERNEATH).map(|path| safe(path)).collect();
            }
        }
        done
    }

    fn weigh(self, done: &mut Performance, bench: &mut Bench<'_>) -> Result<(), Error> {
        let comparison = self.ground.compare()?;
        let summary = Summary::new(&self.ground, &comparison)?;
        let programs = done.programs.as_ref().map(|programs| Started::new(programs, bench.redact));
        let told = (bench.redact)(&told::all(&summary, programs.as_ref(), &done.connections));
        let has_changes = !summary.items.is_empty();
        let below = self.ground.below(&comparison)?;
        let levers: Vec<&str> =
            levers(&summary).into_iter().chain(below.iter().map(String::as_str)).collect();
        done.notes.extend(levers.iter().map(|path| format!("`{path}` can make programs outside run code")));
        let reasons = unseen(&summary, &levers, done);
        let keeping = self.reconsidered(&reasons, done, bench);
        let heard = (keeping == Keeping::Asked && has_changes).then(|| bench.hear(&self.receipt, &told));
        let is_unheard = matches!(heard, Some(Heard::Nobody(_) | Heard::Silence));
        let (said, by) = match heard {
            Some(Heard::Answer { answer, by }) => (answer, Some(by)),
            Some(Heard::Nobody(_) | Heard::Silence) | None => (Answer::Deny, None),
        };
        let is_wanted = has_changes
            && match keeping {
                // Nothing but a plain yes to what was shown.
                Keeping::Asked => said == Answer::Once && !bench.cancel.is_cancelled(),
                Keeping::Discarded => false,
                Keeping::Kept => true,
                Keeping::KeptIfSuccessful => done.exit_code() == 0,
            };
        if is_unheard && self.is_demanded(done) {
            let reasons = reasons.join(", and ");
            done.keep_failed =
                Some(format!("nothing was kept: {reasons} is not kept unseen, and nobody has looked at it"));
        }
        done.trial = Some(Trial {
            changes: summary.to_json(),
            told,
            by,
            is_kept: false,
            programs,
            underneath: Vec::new(),
        });
        self.finish(&comparison, is_wanted)?;
        if let Some(trial) = &mut done.trial {
            trial.is_kept = is_wanted;
        }
        Ok(())
    }

    /// What becomes of it, now that it is known what it did and how it ended.
    fn reconsidered(&self, reasons: &[&str], done: &mut Performance, bench: &Bench<'_>) -> Keeping {
        if self.keeping != Keeping::Discarded && bench.is_called_off(done) {
            done.notes.push("it was called off, and nothing of that is kept".to_owned());
            if self.is_demanded(done) && done.exit_code() == 0 {
                done.keep_failed = Some("nothing was kept: it was called off when it had ended".to_owned());
            }
            return Keeping::Discarded;
        }
        if self.keeping.is_settled() && !reasons.is_empty() {
            done.notes.extend(reasons.iter().map(|reason| format!("{reason} is not kept unseen")));
            return Keeping::Asked;
        }
        self.keeping
    }

    /// Whether what a run did was to be kept without a question.
    fn is_demanded(&self, done: &Performance) -> bool {
        match self.keeping {
            Keeping::Asked | Keeping::Discarded => false,
            Keeping::Kept => true,
            Keeping::KeptIfSuccessful => done.exit_code() == 0,
        }
    }

    fn finish(self, comparison: &Comparison, is_wanted: bool) -> Result<(), Error> {
        if !is_wanted {
            return self.ground.discard();
        }
        let kept = self.ground.keep(comparison, &mut || ());
        drop(self.ground);
        if kept.is_err() {
            // Nobody can keep it any more. What was cut short stays, since its journal says how to get back.
            let _ = self.tries.discard(&self.receipt);
        }
        kept
    }
}

/// What is not kept unseen, whatever was said before.
fn unseen(summary: &Summary, levers: &[&str], done: &Performance) -> Vec<&'static str> {
    let reasons = [
        (!summary.apart.is_empty(), "what came apart because of what it was tried on"),
        (!levers.is_empty(), "what others would run"),
        (done.interrupted, "what a command did that was interrupted"),
    ];
    reasons.into_iter().filter(|(is_so, _)| *is_so).map(|(_, reason)| reason).collect()
}

/// How many paths are told that changed meanwhile.
const UNDERNEATH: usize = 100;

impl Bench<'_> {
    /// Whether a person did not want it to come to its end.
    fn is_called_off(&self, done: &Performance) -> bool {
        let is_ended = match done.ending {
            Ending::Cancelled => true,
            Ending::Signalled(_) => done.interrupted,
            Ending::Exited(_) | Ending::TimedOut => false,
        };
        is_ended || self.cancel.is_cancelled()
    }

    fn hear(&mut self, receipt: &str, told: &str) -> Heard {
        let asked = self.asked(receipt, told);
        self.people.weigh(&asked, self.seconds)
    }

    /// The question whether what was tried is kept. It is about this one try, so that no answer serves another.
    fn asked(&self, receipt: &str, told: &str) -> Asked {
        Asked {
            id: identity::fresh(),
            session: self.call.session.0.clone(),
            command: (self.redact)(self.call.action.text()),
            cwd: self.call.cwd.as_str().to_owned(),
            digest: Digest::of(format!("keep {receipt}").as_bytes()).to_string(),
            mentions: Vec::new(),
            always: false,
            follows: Follows::default(),
            trying: Trying::Over(told.to_owned()),
        }
    }
}

/// The changes by which programs outside could be made to run code, also as part of a directory that is new.
fn levers(summary: &Summary) -> Vec<&str> {
    let is_new = |item: &Item| item.before.is_none() || item.from.is_some();
    let holds =
        |item: &Item| [".git", ".github"].contains(&item.path.as_str()) && is_new(item) && item.within > 0;
    let moved = summary.items.iter().filter(|item| item.after.is_some());
    moved
        .filter(|item| is_lever(Path::new(&item.path)) || holds(item))
        .map(|item| item.path.as_str())
        .collect()
}

/// How much can be taken back.
fn retention(undo: Undo) -> Retention {
    Retention {
        count: usize::try_from(undo.runs()).unwrap_or(usize::MAX),
        age: Duration::from_hours(24 * u64::from(undo.days())),
        ..Retention::default()
    }
}

/// How long what a herm that was killed has left may be of use to somebody who looks for it.
const LEFT: Duration = Duration::from_hours(24);

/// Forgets what is too old or too much, and frees the room of what was discarded. What cannot be freed now is the next time.
fn tidy(tries: &Tries, retention: Retention) {
    let _ = tries.retain(retention);
    let _ = tries.sweep(LEFT);
}

fn standing() -> Standing {
    if rustix::process::geteuid().is_root() { Standing::Root } else { Standing::User }
}
