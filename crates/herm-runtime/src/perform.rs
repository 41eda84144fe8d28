//! Performs what a permit allows.

mod capture;
mod error;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use herm::Permit;
use herm::call::{Action, Exec};
use herm::enforcement::{Backend, Measure};
use herm::git::Sets;
use herm::permit::Order;
use herm_sandbox::changes::Ground;
use herm_sandbox::native::{Gate, Programs, SetAside, Unkept};
use herm_sandbox::output::{Capped, Colours};
use herm_sandbox::process::{self, Spec};
pub use herm_sandbox::process::{Cancel, Demand, Ending, Input, Mode, Stream as Which};
use herm_shell::Lang;
use serde_json::Value;

use capture::Capture;
pub(crate) use capture::planted;
pub(crate) use error::DEPART;
pub use error::Error;

use crate::confine;
use crate::environment;
use crate::gate::{Doorkeeper, Porter};
use crate::held::Held;
use crate::interpreter;
use crate::scratch;
use crate::setup::Setup;
use crate::shell::Session;
use crate::stream::{Secrets, Stream};
use crate::trial::Trial;
use herm::environment::Surface;

/// Where a command runs, as whoever asks sees it.
#[derive(Debug)]
pub struct Stage<'a> {
    /// What it reads.
    pub input: Input,
    /// How it is connected.
    pub mode: Mode,
    /// What calls it off.
    pub cancel: &'a Cancel,
    /// Who sees its output as it comes.
    pub audience: &'a mut dyn Audience,
}

/// Who sees output as it comes, after secrets were taken out.
pub trait Audience: fmt::Debug {
    /// It is allowed and recorded, and about to begin.
    fn begin(&mut self) {}

    /// Standard output.
    fn stdout(&mut self, bytes: &[u8]);
    /// Standard error.
    fn stderr(&mut self, bytes: &[u8]);

    /// Whether more of a stream is wanted, as [`Output::demand`](process::Output::demand) has it.
    fn demand(&mut self, stream: Which) -> Demand {
        let _ = stream;
        Demand::More
    }

    /// Nothing more comes. What is not delivered by now never is.
    fn finish(&mut self, ending: Ending) -> Option<Undelivered> {
        let _ = ending;
        None
    }
}

/// Why output did not reach whoever it was for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undelivered {
    /// It could not be written, and why.
    Failed(String),
    /// Its reader has gone.
    Gone,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Performance {
    /// How it ended.
    pub ending: Ending,
    /// How long it took.
    pub duration: Duration,
    /// What is kept of standard output.
    pub stdout: Capped,
    /// What is kept of standard error.
    pub stderr: Capped,
    /// Both streams with the secrets in them, where the person wants to see those. They are for whoever asked, and are not
    /// recorded.
    pub unredacted: Option<(Capped, Capped)>,
    /// Why not all of it was delivered.
    pub undelivered: Option<Undelivered>,
    /// What held.
    pub applied: Vec<Measure>,
    /// What was to hold, and did not.
    pub missed: Vec<Measure>,
    /// What came of a try.
    pub trial: Option<Trial>,
    /// The connections that it made, or tried to.
    pub connections: Vec<Value>,
    /// What it made that would have made others run code.
    pub set_aside: Vec<SetAside>,
    /// What it wrote outside of the workspace, where nothing stays.
    pub unkept: Option<Box<Unkept>>,
    /// The programs that it started, where somebody noted them.
    pub programs: Option<Programs>,
    /// Whether a person pressed a key at its terminal that interrupts it.
    pub interrupted: bool,
    /// Why nothing of a try is kept that should have been.
    pub keep_failed: Option<String>,
    /// What whoever asked should know.
    pub notes: Vec<String>,
}

/// What runs a command.
#[derive(Debug)]
pub(crate) enum Hands<'a> {
    /// herm itself, with these files in them.
    Files(&'a [Held]),
    /// A process of its own.
    Fresh,
    /// Whoever asked, or nobody: herm runs nothing.
    Others,
    /// A shell that goes on.
    Shell(&'a mut Session),
}

impl Hands<'_> {
    /// Whether it can be lent credentials. A shell was told what it finds around it when it was opened, and one of its calls may
    /// do something that nobody could know.
    pub(crate) const fn can_be_lent(&self) -> bool {
        matches!(self, Self::Fresh)
    }
}

/// What a run finds around it, behind a boundary.
#[derive(Debug, Default)]
pub(crate) struct Circumstances<'a> {
    /// What stands in for the workspace.
    pub(crate) ground: Option<Ground>,
    /// What has to be shown on top of that, and may only be read.
    pub(crate) mounts: Vec<PathBuf>,
    /// Who stands at the doors of its network.
    pub(crate) porter: Option<&'a mut Porter>,
    /// Who answers at its terminal.
    pub(crate) keeper: Option<Doorkeeper<'a>>,
    /// Whether its network has doors that others will stand at.
    pub(crate) is_lasting: bool,
    /// Whether it could do something that nobody could know.
    pub(crate) is_tight: bool,
    /// What it does to the settings of git.
    pub(crate) sets_git: Sets,
}

/// Performs what a permit allows, and nothing without one.
pub(crate) fn perform(
    permit: Permit,
    hands: &mut Hands<'_>,
    stage: &mut Stage<'_>,
    setup: &Setup,
    mut circumstances: Circumstances<'_>,
    secrets: &Secrets<'_>,
) -> Result<Performance, Error> {
    let order = permit.redeem();
    let Action::Exec(exec) = &order.action else { return Err(Error::NotExecutable) };
    if order.is_try && circumstances.ground.is_none() {
        return Err(Error::Untriable);
    }
    let colours = if stage.mode == Mode::Interactive { Colours::Keep } else { Colours::Drop };
    let loose = || secrets.loose(setup);
    let stream = || Stream::new(&order.limits, colours, secrets.redactor(), loose());
    let mut capture = Capture {
        stdout: stream(),
        stderr: stream(),
        screen: loose().unwrap_or_else(|| secrets.redactor()),
        mode: stage.mode,
        audience: stage.audience,
        keeper: circumstances.keeper.take(),
        held_up: Duration::ZERO,
    };
    capture.audience.begin();
    let execution = match hands {
        Hands::Fresh => {
            let spec = fresh(exec, &order, &stage.input, setup, &circumstances)?;
            let gate = circumstances.porter.map(|porter| porter as &mut dyn Gate);
            process::run_behind(gate, spec, stage.mode, stage.cancel, &mut capture).map_err(Error::Process)?
        }
        Hands::Files(_) | Hands::Others => return Err(Error::NotExecutable),
        Hands::Shell(_) if circumstances.ground.is_some() => return Err(Error::Untriable),
        Hands::Shell(session) => {
            if let Some(porter) = circumstances.porter {
                session.welcome(porter)?;
            }
            session.run(&exec.text, &order.cwd, &order.limits, stage.cancel, &mut capture)?
        }
    };
    Ok(capture.finish(&execution, &order))
}

/// What to start, confined where that is asked for.
fn fresh(
    exec: &Exec,
    order: &Order,
    input: &Input,
    setup: &Setup,
    circumstances: &Circumstances<'_>,
) -> Result<Spec, Error> {
    let mut spec = spec(exec, order, input, setup)?;
    if order.backend == Backend::Sandbox {
        let workspace = setup.workspace.as_ref().ok_or(Error::NoWorkspace)?;
        confine::confine(&mut spec, workspace, circumstances, setup);
    }
    Ok(spec)
}

/// What to start. Code works in the fresh directory that it was judged in.
fn spec(exec: &Exec, order: &Order, input: &Input, setup: &Setup) -> Result<Spec, Error> {
    let cwd = PathBuf::from(order.cwd.as_str());
    let spec = |words: Vec<OsString>, cwd: PathBuf, surface| {
        let mut words = words.into_iter();
        Spec {
            program: words.next().unwrap_or_default(),
            arguments: words.collect(),
            cwd,
            environment: environment::of_child(surface, &setup.passing.variables),
            time: order.limits.time,
            grace: order.limits.grace,
            input: input.clone(),
            confinement: None,
        }
    };
    if let Some(words) = exec.words() {
        return Ok(spec(words.iter().map(OsString::from).collect(), cwd, Surface::Terminal));
    }
    match exec.lang {
        Lang::Shell => {
            let words = [interpreter::shell(), "--noprofile", "--norc", "-c", &exec.text]
                .map(OsString::from)
                .to_vec();
            Ok(spec(words, cwd, Surface::Terminal))
        }
        Lang::Python => {
            let script = cwd.join("script.py");
            scratch::write(&script, &exec.text).map_err(Error::Scratch)?;
            let words = interpreter::python(setup.policy.python.as_ref()).map(OsString::from);
            let words = words.into_iter().chain([script.into()]).collect();
            Ok(spec(words, cwd, Surface::ExecuteCode))
        }
        Lang::Awk
        | Lang::Cmd
        | Lang::Debugger
        | Lang::Ex
        | Lang::JavaScript
        | Lang::Lua
        | Lang::Make
        | Lang::Other(_)
        | Lang::Perl
        | Lang::Php
        | Lang::PowerShell
        | Lang::R
        | Lang::Ruby
        | Lang::Sed
        | Lang::Sql
        | Lang::Tcl => Err(Error::Unsupported(exec.lang)),
    }
}

impl Performance {
    /// The code that a shell would give: that of the command, 128 and the signal, 124 when the time was over.
    #[must_use]
    pub fn exit_code(&self) -> i32 {
        match self.ending {
            Ending::Cancelled => 130,
            Ending::Exited(code) => code,
            Ending::Signalled(signal) => 128 + signal,
            Ending::TimedOut => 124,
        }
    }

    /// Both streams, for whoever asked.
    #[must_use]
    pub fn told(&self) -> (&Capped, &Capped) {
        self.unredacted.as_ref().map_or((&self.stdout, &self.stderr), |(out, err)| (out, err))
    }

    /// The word for how it ended.
    #[must_use]
    pub const fn ending_word(&self) -> &'static str {
        match self.ending {
            Ending::Cancelled => "cancelled",
            Ending::Exited(_) => "exited",
            Ending::Signalled(_) => "signalled",
            Ending::TimedOut => "timed-out",
        }
    }

    /// The word for why not all of it was delivered.
    #[must_use]
    pub fn undelivered_word(&self) -> Option<&str> {
        self.undelivered.as_ref().map(|undelivered| match undelivered {
            Undelivered::Failed(why) => why.as_str(),
            Undelivered::Gone => "reader-gone",
        })
    }

    /// Whether something is missing from what was kept.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.stdout.truncated || self.stderr.truncated
    }
}
