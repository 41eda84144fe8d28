//! Performs what a permit allows.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use herm::Permit;
use herm::call::{Action, Exec};
use herm::enforcement::{Backend, Measure};
use herm::permit::Order;
use herm::policy::Sandbox;
use herm_sandbox::changes::Ground;
use herm_sandbox::native::{Gate, Programs, Statistics};
use herm_sandbox::output::{Capped, Colours};
use herm_sandbox::process::{self, Execution, Output, Spec};
pub use herm_sandbox::process::{Cancel, Demand, Ending, Input, Mode, Stream as Which};
use herm_scan::Redactor;
use herm_shell::Lang;
use serde_json::Value;

use crate::confine;
use crate::environment;
use crate::gate::Porter;
use crate::interpreter;
use crate::scratch;
use crate::settings;
use crate::setup::Setup;
use crate::shell::Session;
use crate::stream::Stream;
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
    /// Standard output.
    fn stdout(&mut self, bytes: &[u8]);
    /// Standard error.
    fn stderr(&mut self, bytes: &[u8]);

    /// Whether more of a stream is wanted, as [`Output::demand`] has it.
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
    /// The programs that it started, where somebody noted them.
    pub programs: Option<Programs>,
    /// What whoever asked should know.
    pub notes: Vec<String>,
}

/// Why nothing was run.
#[derive(Debug)]
pub enum Error {
    /// The directory of the shell has another name than when it was judged.
    Moved,
    /// Nobody has said what the sandbox holds.
    NoWorkspace,
    /// The action is not something to run.
    NotExecutable,
    /// It could not be started.
    Process(process::Error),
    /// There is no place for it to work in.
    Scratch(io::Error),
    /// There is no shell that says what it is.
    Shell,
    /// The directory of the shell has a name that is not text.
    Unnameable,
    /// A shell that goes on cannot be tried.
    Untriable,
    /// There is no interpreter for its language.
    Unsupported(Lang),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved => f.write_str("the directory of the shell has changed meanwhile; nothing was run"),
            Self::NoWorkspace => f.write_str("there is no workspace to confine it to"),
            Self::NotExecutable => f.write_str("only commands and code can be run"),
            Self::Process(error) => error.fmt(f),
            Self::Scratch(error) => write!(f, "cannot make a temporary directory: {error}"),
            Self::Shell => f.write_str("there is no bash that can be used"),
            Self::Unnameable => f.write_str("the directory of the shell has a name that is not UTF-8"),
            Self::Untriable => f.write_str("it cannot be tried here: nothing stands in for the workspace"),
            Self::Unsupported(lang) => write!(f, "cannot run {} code", lang.name()),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What to do about a boundary that cannot be built.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Process(process::Error::Confinement(failure)) => Some(failure.hint()),
            Self::Moved
            | Self::NoWorkspace
            | Self::NotExecutable
            | Self::Process(_)
            | Self::Scratch(_)
            | Self::Shell
            | Self::Unnameable
            | Self::Untriable
            | Self::Unsupported(_) => None,
        }
    }
}

/// What runs a command.
#[derive(Debug)]
pub(crate) enum Hands<'a> {
    /// A process of its own.
    Fresh,
    /// A shell that goes on.
    Shell(&'a mut Session),
}

impl Hands<'_> {
    /// Whether somebody can stand at the doors of its network. That of a shell outlives its calls, and stays closed.
    pub(crate) const fn take_a_porter(&self) -> bool {
        matches!(self, Self::Fresh)
    }

    /// What is to hold on a backend.
    pub(crate) fn requested(&self, backend: Backend, sandbox: &Sandbox) -> Vec<Measure> {
        let closed = |measure: &Measure| *measure == Measure::GuardedNetwork && !self.take_a_porter();
        let measures = settings::measures(backend, sandbox).into_iter();
        measures.map(|measure| if closed(&measure) { Measure::NoNetwork } else { measure }).collect()
    }
}

/// What a run finds around it, behind a boundary.
#[derive(Debug, Default)]
pub(crate) struct Circumstances<'a> {
    /// What stands in for the workspace.
    pub(crate) ground: Option<Ground>,
    /// Who stands at the doors of its network.
    pub(crate) porter: Option<&'a mut Porter>,
    /// Whether it could do something that nobody could know.
    pub(crate) is_tight: bool,
}

/// Performs what a permit allows, and nothing without one.
pub(crate) fn perform(
    permit: Permit,
    hands: &mut Hands<'_>,
    stage: &mut Stage<'_>,
    setup: &Setup,
    circumstances: Circumstances<'_>,
    redactor: impl Fn() -> Redactor,
) -> Result<Performance, Error> {
    let order = permit.redeem();
    let Action::Exec(exec) = &order.action else { return Err(Error::NotExecutable) };
    if order.is_try && circumstances.ground.is_none() {
        return Err(Error::Untriable);
    }
    let colours = if stage.mode == Mode::Interactive { Colours::Keep } else { Colours::Drop };
    let loose = setup.policy.security.redact_secrets == Some(false);
    let stream = || Stream::new(&order.limits, colours, redactor(), loose);
    let mut capture = Capture {
        stdout: stream(),
        stderr: stream(),
        screen: (!loose).then(&redactor),
        mode: stage.mode,
        audience: stage.audience,
    };
    let execution = match hands {
        Hands::Fresh => {
            let spec = fresh(exec, &order, &stage.input, setup, &circumstances)?;
            let gate = circumstances.porter.map(|porter| porter as &mut dyn Gate);
            process::run_behind(gate, spec, stage.mode, stage.cancel, &mut capture).map_err(Error::Process)?
        }
        Hands::Shell(_) if circumstances.ground.is_some() => return Err(Error::Untriable),
        Hands::Shell(session) => {
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

/// Both streams of a run.
struct Capture<'a> {
    stdout: Stream,
    stderr: Stream,
    screen: Option<Redactor>,
    mode: Mode,
    audience: &'a mut dyn Audience,
}

impl Output for Capture<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        let safe = self.stdout.take(bytes);
        match self.mode {
            Mode::Captured => self.audience.stdout(&safe),
            // A person at a terminal must see what the program draws when it draws it: nothing is held back there.
            Mode::Interactive => {
                let shown = self.live(bytes);
                self.audience.stdout(&shown);
            }
        }
    }

    fn stderr(&mut self, bytes: &[u8]) {
        let safe = self.stderr.take(bytes);
        self.audience.stderr(&safe);
    }

    fn demand(&mut self, stream: Which) -> Demand {
        match (stream, self.mode) {
            (Which::Stdout, Mode::Captured) => self.audience.stdout(&self.stdout.lull()),
            (Which::Stderr, _) => self.audience.stderr(&self.stderr.lull()),
            (Which::Stdout, Mode::Interactive) => {}
        }
        self.audience.demand(stream)
    }
}

impl Capture<'_> {
    /// A piece without the secrets that lie within it.
    fn live(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Some(screen) = &mut self.screen else { return bytes.to_vec() };
        let mut safe = Vec::with_capacity(bytes.len());
        screen.feed(bytes, &mut safe);
        screen.finish(&mut safe);
        safe
    }

    fn finish(mut self, execution: &Execution, order: &Order) -> Performance {
        let (stdout, stderr) = (self.stdout.rest(), self.stderr.rest());
        if self.mode == Mode::Captured {
            self.audience.stdout(&stdout);
        }
        self.audience.stderr(&stderr);
        let undelivered = self.audience.finish(execution.ending);
        let mut notes = Vec::new();
        if let Some(Undelivered::Failed(why)) = &undelivered {
            notes.push(format!("its output could not be written: {why}"));
        }
        if execution.ending == Ending::TimedOut {
            notes.push(format!(
                "the time limit of {} s is over; everything it started was ended",
                order.limits.time.as_secs_f64()
            ));
        }
        if execution.survivors > 0 {
            notes.push(format!("{} of its processes could not be ended", execution.survivors));
        }
        notes.extend(execution.statistics.iter().flat_map(shortages));
        let survived = |measure: &&Measure| **measure != Measure::ProcessTree || execution.survivors == 0;
        let applied = Backend::Local.measures().iter().filter(survived).chain(&execution.held);
        Performance {
            ending: execution.ending,
            duration: execution.duration,
            stdout: self.stdout.cap.finish(),
            stderr: self.stderr.cap.finish(),
            unredacted: self
                .stdout
                .loose
                .zip(self.stderr.loose)
                .map(|(out, err)| (out.finish(), err.finish())),
            undelivered,
            applied: applied.copied().collect(),
            missed: Vec::new(),
            trial: None,
            connections: Vec::new(),
            programs: execution.programs.clone(),
            notes,
        }
    }
}

/// What a run has missed.
fn shortages(statistics: &Statistics) -> Vec<String> {
    let happened = |count: Option<u64>| count.is_some_and(|count| count > 0);
    [
        (happened(statistics.memory_kills), "a process was ended: there was no more memory for it"),
        (
            happened(statistics.refused_processes),
            "a process could not be started: it has as many as it may have",
        ),
    ]
    .into_iter()
    .filter(|(happened, _)| *happened)
    .map(|(_, words)| words.to_owned())
    .collect()
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
