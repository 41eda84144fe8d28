//! A shell that goes on from one call to the next.
//!
//! Each call goes the whole way, like any other. What is different is what it means: the text comes after what earlier ones have left in the
//! shell, and runs where the shell is. Both are known before it is judged, and neither is taken from the shell's word: the directory is
//! what the kernel says of the process that waits for this very call, and the definitions are the text that this process will
//! run first (see `state`). `ls src` after `ls() { rm -rf "$@"; }` is judged as what it is.
//!
//! The directory is asked for again when everything was judged, answered and written down. If it has another name by then, nothing is run,
//! and the call is judged anew.
//!
//! A directory can be gone by the time of the next call. What is meant for it must not happen anywhere else, so such a call is not run, unless it leaves first
//! (see `departure`): then it is judged and run where it goes.

mod definition;
mod departure;
mod state;

use std::io;
use std::path::{Path, PathBuf};

use herm::AbsPath;
use herm::enforcement::Backend;
use herm::environment::Surface;
use herm::limits::Limits;
use herm_sandbox::process::{self, Cancel, Ending, Execution, Input, Output};
use herm_sandbox::shell::{Account, Call, Shell, Spec, Text};

use crate::gate::{Hallway, Porter};
use crate::perform::{Circumstances, DEPART};
use crate::setup::Setup;
use crate::{confine, environment, interpreter, perform, rehearsal};
use state::{State, Told};

/// A shell that goes on from one call to the next.
#[derive(Debug)]
pub struct Session {
    shell: Shell,
    hallway: Hallway,
    usual: Told,
    state: State,
    directory: PathBuf,
    /// Where the call at hand goes first, because the directory is gone.
    departed: Option<PathBuf>,
    /// Whether the call at hand was told that the directory is gone.
    knows_loss: bool,
    fate: Fate,
    has_moved: bool,
    notes: Vec<String>,
}

/// What became of what a call has changed in its shell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// It holds for the next call.
    #[default]
    Kept,
    /// It is lost: the shell did not get to say what it had become. The next call begins where this one did.
    Lost,
}

impl Fate {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Lost => "lost",
        }
    }
}

impl Session {
    /// Opens a shell where `setup` says.
    ///
    /// # Errors
    /// When there is no place for it, or no shell.
    pub fn open(setup: &Setup) -> Result<Self, perform::Error> {
        let mut hallway = Hallway::default();
        let shell = Shell::open(Some(&mut hallway), spec(setup)?).map_err(|error| {
            rehearsal::forget(setup);
            perform::Error::Process(error)
        })?;
        let mut session = Self {
            shell,
            hallway,
            usual: Told::default(),
            state: State::default(),
            directory: PathBuf::from(setup.cwd.as_str()),
            departed: None,
            knows_loss: false,
            fate: Fate::Kept,
            has_moved: false,
            notes: Vec::new(),
        };
        session.usual = session.look()?;
        session.enter()?;
        Ok(session)
    }

    /// What a shell is that nobody has used.
    fn look(&mut self) -> Result<Told, perform::Error> {
        self.shell.enter(&self.directory).map_err(perform::Error::Process)?;
        let cancel = Cancel::new().map_err(|error| perform::Error::Process(error.into()))?;
        let limits = Limits::default();
        let nothing = Text { definitions: "", options: "", text: "", time: limits.time, grace: limits.grace };
        let call = self.shell.run(nothing, &cancel, &mut Nobody).map_err(perform::Error::Process)?;
        call.account.as_ref().and_then(Told::read).ok_or(perform::Error::Shell)
    }

    fn enter(&mut self) -> Result<(), perform::Error> {
        self.shell.enter(&self.directory).map_err(perform::Error::Process)
    }

    /// The directory that a call runs in, as the kernel names it. A shell that was ended begins again; one whose directory is gone goes where
    /// the call goes first, and nowhere else.
    pub(crate) fn locate(&mut self, call: &str) -> Result<AbsPath, perform::Error> {
        for attempt in 0..ATTEMPTS {
            match self.shell.directory() {
                Ok(path) => {
                    let text = path.to_str().and_then(|path| AbsPath::new(path).ok());
                    return text.ok_or(perform::Error::Unnameable);
                }
                // It may be there again.
                Err(process::Error::Directory { cause, .. }) if attempt > 0 => self.depart(call, cause)?,
                Err(error) => self.recover(attempt, error)?,
            }
        }
        Err(perform::Error::Shell)
    }

    /// Has a call wait where it goes first.
    fn depart(&mut self, call: &str, cause: io::Error) -> Result<(), perform::Error> {
        self.knows_loss = true;
        let gone = |path| perform::Error::Gone { path, cause };
        if let Some(destination) = self.departed.take() {
            return Err(gone(destination));
        }
        self.departed = Some(departure::destination(call).ok_or_else(|| gone(self.directory.clone()))?);
        self.wait();
        Ok(())
    }

    /// First the same again, then without what may be the cause.
    fn recover(&mut self, attempt: usize, error: process::Error) -> Result<(), perform::Error> {
        if self.shell.is_over() || attempt == ATTEMPTS - 2 {
            self.begin_anew()?;
        } else if attempt == ATTEMPTS - 1 {
            return Err(perform::Error::Process(error));
        }
        self.wait();
        Ok(())
    }

    /// Has the next call wait where it is to run. Where that cannot be entered, it is noticed when it is looked for.
    fn wait(&mut self) {
        let _ = self.shell.enter(self.departed.as_ref().unwrap_or(&self.directory));
    }

    fn begin_anew(&mut self) -> Result<(), perform::Error> {
        self.notes.push(
            "everything in the shell was ended, and it begins anew: its definitions are as they were, what ran in the background is gone"
                .to_owned(),
        );
        self.shell.begin_anew(Some(&mut self.hallway)).map_err(perform::Error::Process)
    }

    /// Ends everything in the shell, and says what it has left that would make others run code, as far as no call has told it.
    #[must_use]
    pub fn close(self) -> Vec<String> {
        self.shell.close().iter().map(perform::planted).collect()
    }

    /// Has a porter stand at the doors of the network for the next call.
    pub(crate) fn welcome(&mut self, porter: &mut Porter) -> Result<(), perform::Error> {
        self.hallway.welcome(porter).map_err(|error| perform::Error::Process(error.into()))
    }

    /// What the shell runs before the next call's text, as far as it matters to that.
    pub(crate) fn before(&self, call: &str) -> String {
        self.state.text(call)
    }

    /// Runs a call that was judged in `cwd`.
    pub(crate) fn run(
        &mut self,
        text: &str,
        cwd: &AbsPath,
        limits: &Limits,
        cancel: &Cancel,
        output: &mut dyn Output,
    ) -> Result<Execution, perform::Error> {
        let found = self.shell.directory().map_err(perform::Error::Process)?;
        if found != Path::new(cwd.as_str()) {
            self.has_moved = true;
            return Err(perform::Error::Moved);
        }
        let State { definitions, options } = &self.state;
        let text = Text { definitions, options, text, time: limits.time, grace: limits.grace };
        let called = self.shell.run(text, cancel, output);
        // Nothing was run, and may be tried again.
        self.has_moved = called.is_err();
        let call = called.map_err(perform::Error::Process)?;
        // It was run, whatever becomes of the next one.
        if let Some(destination) = self.departed.take() {
            self.directory = destination;
            self.knows_loss = false;
        }
        let execution = self.follow(call);
        self.wait();
        Ok(execution)
    }

    /// Takes note of what the shell has become.
    fn follow(&mut self, call: Call) -> Execution {
        let Call { execution, account, begins_anew } = call;
        match account.ok_or(lost(execution.ending)).and_then(|account| self.become_like(&account)) {
            Ok(()) => self.fate = Fate::Kept,
            Err(why) => {
                self.fate = Fate::Lost;
                self.notes.push(format!(
                    "the shell {why}: what this call has changed in it is lost, and the next one begins where this one did"
                ));
            }
        }
        if begins_anew && let Err(error) = self.begin_anew() {
            self.notes.push(error.to_string());
        }
        execution
    }

    fn become_like(&mut self, account: &Account) -> Result<(), &'static str> {
        let told = Told::read(account).ok_or("told more than what it has become")?;
        let state = told.since(&self.usual);
        if state.is_too_much() {
            return Err("has become too much to be told again");
        }
        let in_the_way: Vec<_> = told.in_the_way().map(|name| format!("`{name}`")).collect();
        if !in_the_way.is_empty() {
            self.notes.push(format!("the function {} is not kept", in_the_way.join(" and ")));
        }
        self.state = state;
        // A name that is none is noticed when the directory is entered.
        self.directory = PathBuf::from("/").join(&account.directory);
        Ok(())
    }

    /// What became of what the last call has changed.
    #[must_use]
    pub fn fate(&self) -> Fate {
        self.fate
    }

    /// Where the next call will run, as far as it is known. Nothing where that is gone.
    #[must_use]
    pub fn directory(&mut self) -> Option<PathBuf> {
        self.return_to_loss();
        self.locate("").ok().map(|path| PathBuf::from(path.as_str()))
    }

    /// What has left for a call that was not run has not left.
    fn return_to_loss(&mut self) {
        if self.departed.take().is_some() {
            self.wait();
        }
    }

    /// Notes it where the directory is gone by now, and nobody was told.
    pub(crate) fn look_around(&mut self) {
        self.return_to_loss();
        if !self.knows_loss
            && let Err(perform::Error::Gone { path, .. }) = self.locate("")
        {
            self.notes.push(format!("the directory of the shell, `{}`, is gone: {}", path.display(), DEPART));
        }
    }

    /// What whoever asks should know.
    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Forgets what became of the call before.
    pub(crate) fn begin_call(&mut self) {
        self.fate = Fate::Kept;
        self.has_moved = false;
        self.knows_loss = false;
        self.notes.clear();
        self.return_to_loss();
    }

    /// Whether a call was not run because the shell is somewhere else by now, or gone. Asked once.
    pub(crate) fn has_moved(&mut self) -> bool {
        std::mem::take(&mut self.has_moved)
    }
}

/// How often a shell is looked for that can be used.
const ATTEMPTS: usize = 4;

fn lost(ending: Ending) -> &'static str {
    match ending {
        Ending::Cancelled | Ending::TimedOut => "was ended",
        Ending::Exited(_) | Ending::Signalled(_) => "did not say what it has become",
    }
}

/// What a shell finds around it behind a boundary, whatever its calls turn out to be. Who may be reached is said for each call (see
/// [`Hallway`]). It gets no credentials: one of its calls may do something that nobody could know.
fn lasting() -> Circumstances<'static> {
    Circumstances { is_tight: true, is_lasting: true, ..Circumstances::default() }
}

/// What the shell is.
fn spec(setup: &Setup) -> Result<Spec, perform::Error> {
    let mut spec = process::Spec {
        program: interpreter::shell().into(),
        arguments: Vec::new(),
        cwd: PathBuf::from(setup.cwd.as_str()),
        environment: environment::of_child(Surface::Terminal, &setup.passing.variables),
        time: std::time::Duration::MAX,
        grace: std::time::Duration::ZERO,
        input: Input::Empty,
        confinement: None,
    };
    if setup.policy.backend == Backend::Sandbox {
        let workspace = setup.workspace.as_ref().ok_or(perform::Error::NoWorkspace)?;
        confine::confine(&mut spec, workspace, &lasting(), setup);
    }
    let program = environment::program(&spec.program, &spec.environment).ok_or(perform::Error::Shell)?;
    Ok(Spec { program, cwd: spec.cwd, environment: spec.environment, confinement: spec.confinement })
}

/// Hears nothing.
#[derive(Debug)]
struct Nobody;

impl Output for Nobody {
    fn stdout(&mut self, _: &[u8]) {}
    fn stderr(&mut self, _: &[u8]) {}
}
