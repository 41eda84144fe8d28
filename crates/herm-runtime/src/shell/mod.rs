//! A shell that goes on from one call to the next.
//!
//! Each call goes the whole way, like any other. What is different is what it means: the text comes after what earlier ones have left in the
//! shell, and runs where the shell is. Both are known before it is judged, and neither is taken from the shell's word: the directory is
//! what the kernel says of the process that waits for this very call, and the definitions are the text that this process will
//! run first (see `state`). `ls src` after `ls() { rm -rf "$@"; }` is judged as what it is.
//!
//! The directory is asked for again when everything was judged, answered and written down. If it has another name by then, nothing is run,
//! and the call is judged anew.

mod definition;
mod state;

use std::path::{Path, PathBuf};

use herm::AbsPath;
use herm::enforcement::Backend;
use herm::environment::Surface;
use herm::limits::Limits;
use herm_sandbox::process::{self, Cancel, Ending, Execution, Input, Output};
use herm_sandbox::shell::{Account, Call, Shell, Spec, Text};

use crate::gate::{Hallway, Porter};
use crate::perform::Circumstances;
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
    root: PathBuf,
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
        let root = PathBuf::from(setup.cwd.as_str());
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
            directory: root.clone(),
            root,
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

    /// The directory that the next call runs in, as the kernel names it. A shell that was ended, or whose directory is gone, begins
    /// again where it can.
    pub(crate) fn locate(&mut self) -> Result<AbsPath, perform::Error> {
        for attempt in 0..ATTEMPTS {
            match self.shell.directory() {
                Ok(path) => {
                    let text = path.to_str().and_then(|path| AbsPath::new(path).ok());
                    return text.ok_or(perform::Error::Unnameable);
                }
                Err(error) => self.recover(attempt, error)?,
            }
        }
        Err(perform::Error::Shell)
    }

    /// First the same again, then without what may be the cause.
    fn recover(&mut self, attempt: usize, error: process::Error) -> Result<(), perform::Error> {
        let is_lost = matches!(error, process::Error::Directory { .. }) && self.directory != self.root;
        if self.shell.is_over() {
            self.begin_anew()?;
        } else if is_lost {
            self.directory.clone_from(&self.root);
            self.notes.push(format!(
                "the directory of the shell is gone; it is in `{}` again",
                self.root.display()
            ));
        } else if attempt == ATTEMPTS - 2 {
            self.begin_anew()?;
        } else if attempt == ATTEMPTS - 1 {
            return Err(perform::Error::Process(error));
        }
        // Where it cannot be entered, that is noticed when it is looked for.
        let _ = self.shell.enter(&self.directory);
        Ok(())
    }

    fn begin_anew(&mut self) -> Result<(), perform::Error> {
        self.notes.push(
            "everything in the shell was ended, and it begins anew: its definitions are as they were, what ran in the background is gone"
                .to_owned(),
        );
        self.shell.begin_anew(Some(&mut self.hallway)).map_err(perform::Error::Process)
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
        let execution = self.follow(call);
        // It was run, whatever becomes of the next one.
        let _ = self.shell.enter(&self.directory);
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

    /// Where the next call will run, as far as it is known.
    #[must_use]
    pub fn directory(&mut self) -> Option<PathBuf> {
        self.locate().ok().map(|path| PathBuf::from(path.as_str()))
    }

    /// What whoever asks should know.
    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Forgets what became of the call before.
    pub(crate) fn begin_call(&mut self) {
        self.fate = Fate::Kept;
        self.has_moved = false;
        self.notes.clear();
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
