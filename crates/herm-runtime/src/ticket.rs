//! What a hook releases so that herm itself runs it.
//!
//! An agent whose hook may hand back another command is handed one that has herm run the one that it wrote: behind the boundary, with a record of what
//! came of it. What was decided comes along as a *ticket*: a secret that stands for the command, for the yes that was given to it, and for one
//! run. Nothing else on that command line counts. The original stands behind it, where nothing runs it: the person reads it there, and the agent's own
//! rules still find it.

pub(crate) mod borrowed;
mod bound;
mod boundary;
mod handed;
mod issue;
mod reach;
mod terms;
mod text;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{error, fmt};

use herm::Preset;
use herm::call::{Action, Call, CallId, Door, Exec, SessionId};
use herm_shell::{Input, Lang};
use herm_store::sqlite::tickets::Redeemed;
use herm_store::{Digest, Store};

pub use handed::Handed;
pub use issue::{Confined, Issuer};

use crate::setup::{Problem, Setup, Trust, Wishes, located};

/// How long a ticket can be redeemed: a person may have to be asked by the agent first.
pub(crate) const LIFETIME: Duration = Duration::from_mins(10);

/// How long what a ticket is for may run. Whoever waits for it ends it when it takes them too long, and herm must not be the one that
/// is less patient.
pub const TIME: Duration = Duration::from_hours(24);

/// What a hook has released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The text, which bash reads.
    text: String,
    /// What it reads where it reads standard input.
    input: Input,
    /// Whether nobody told in which directory it runs.
    adrift: bool,
    /// The directory that it was released for.
    cwd: String,
    call: String,
    session: String,
    /// Who was given it.
    user: u32,
    home: String,
    config: Option<PathBuf>,
    preset: Option<Preset>,
    /// What was consented to.
    pub(crate) agreed: Agreed,
}

/// What was consented to when something was released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Agreed {
    /// The receipt of the release.
    pub(crate) receipt: String,
    /// The digest of what was judged.
    pub(crate) digest: Digest,
    /// What was minded then, by rule and reason, and allowed all the same.
    pub(crate) findings: Vec<(String, String)>,
}

/// Why a ticket serves nobody.
#[derive(Debug)]
pub enum Void {
    /// Its time was over.
    Expired,
    /// It was given to another user.
    Foreign,
    /// It cannot be looked up from where this runs.
    Store(herm_store::Error),
    /// There is none with this secret.
    Unknown,
    /// What is known of it cannot be read.
    Unreadable,
    /// It has served a run already.
    Used,
}

impl Void {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Expired | Self::Unknown | Self::Unreadable | Self::Used => {
                Some("a ticket is for the very call that its hook was asked about: let the agent call its tool again".to_owned())
            }
            Self::Foreign => None,
            Self::Store(_) => Some(
                "where the agent runs commands in a sandbox of its own, herm cannot be: `sandbox.agents: never` leaves them to it"
                    .to_owned(),
            ),
        }
    }
}

/// Begins what is said where herm cannot be, so that a hook knows it again.
const OUT_OF_REACH: &str = "the ticket cannot be redeemed here, so nothing was run";

impl fmt::Display for Void {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired => write!(f, "refused: the time of this ticket is over"),
            Self::Foreign => write!(f, "refused: this ticket was given to another user"),
            Self::Store(error) => write!(f, "{OUT_OF_REACH}: {error}"),
            Self::Unknown => write!(f, "refused: there is no such ticket"),
            Self::Unreadable => write!(f, "refused: what this ticket is for cannot be read"),
            Self::Used => write!(f, "refused: this ticket has been used"),
        }
    }
}

impl error::Error for Void {}

/// Takes a ticket for a run. Whatever becomes of that, it serves no other.
///
/// # Errors
/// When herm's files cannot be located.
pub fn redeem(guard: Option<&Path>, secret: &str) -> Result<Result<(Ticket, PathBuf), Void>, Problem> {
    let wishes = Wishes { guard: guard.map(Path::to_owned), trust: Trust::Machine, ..Wishes::default() };
    let (_, _, guard) = located(&wishes)?;
    Ok(taken(&guard, secret).map(|ticket| (ticket, guard)))
}

fn taken(guard: &Path, secret: &str) -> Result<Ticket, Void> {
    let store = Store::open(guard).map_err(Void::Store)?;
    // Whoever asks for one where there never was any makes no database.
    if !store.has_database().map_err(Void::Store)? {
        return Err(Void::Unknown);
    }
    let redeemed = store.tickets().and_then(|tickets| tickets.redeem(secret, SystemTime::now()));
    let ticket = match redeemed.map_err(Void::Store)? {
        Redeemed::Expired(_) => return Err(Void::Expired),
        Redeemed::Given(ticket) => Ticket::read(&ticket.terms).ok_or(Void::Unreadable)?,
        Redeemed::Unknown => return Err(Void::Unknown),
        Redeemed::Used(_) => return Err(Void::Used),
    };
    if ticket.user == rustix::process::getuid().as_raw() { Ok(ticket) } else { Err(Void::Foreign) }
}

impl Ticket {
    /// What holds for the run: what held for the hook.
    #[must_use]
    pub fn wishes(&self, guard: PathBuf) -> Wishes {
        Wishes {
            guard: Some(guard),
            trust: Trust::Machine,
            // Where nobody told, it is where it is redeemed.
            cwd: (!self.adrift).then(|| self.cwd.clone()),
            home: Some(self.home.clone()),
            config: self.config.clone(),
            preset: self.preset,
            ..Wishes::default()
        }
    }

    /// Puts the boundary around the run that every ticket is issued for. Why there can be none, where that is so.
    ///
    /// # Errors
    /// When the directory is not one to work in, or a boundary cannot be had.
    pub fn confine(&self, setup: &mut Setup) -> Result<Result<(), String>, Problem> {
        setup.locate_in(setup.cwd.clone(), None)?;
        boundary::put(setup)
    }

    /// The call that it is for, where it is made.
    #[must_use]
    pub fn call(&self, setup: &Setup) -> Call {
        let exec = Exec::new(&self.text, Lang::Shell).reading(self.input).within(Some(TIME));
        let exec = if self.adrift { exec.adrift() } else { exec };
        Call {
            id: CallId(self.call.clone()),
            door: Door::Ticket,
            session: SessionId(self.session.clone()),
            ..setup.call(Action::Exec(exec))
        }
    }
}
