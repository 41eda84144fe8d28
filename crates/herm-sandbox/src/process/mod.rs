//! Running a program, and ending it with everything that it started.
//!
//! Between herm and the program stands a supervisor: a small process that whatever loses its parent falls back to. So the
//! processes of a run are its descendants, neither fewer when one daemonises nor more when several runs go on at once, and
//! when herm dies the supervisor ends them. Process groups and sessions, the usual means, are left by anyone who calls
//! `setsid`; making herm itself the one that orphans fall back to could not tell the runs apart.
//!
//! What this does not reach, since nothing here is a wall: processes that another program starts on request (`systemd-run`, `at`,
//! a container engine), those of another user, which are counted as survivors, and what a program leaves behind that
//! kills the supervisor and herm at the same moment. A backend that isolates ends those, too.

#![forbid(unsafe_code)]

pub(crate) mod attending;
mod cancel;
mod error;
pub(crate) mod start;
pub(crate) mod supervisor;
mod terminal;
mod tree;
pub(crate) mod watch;
pub(crate) mod wires;

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use herm::enforcement::Measure;

use crate::native::{
    Confinement, Foreign, Gate, Held, Prepared, Program, Programs, SetAside, Statistics, Unkept, Watching,
};

use attending::Attending;
pub use cancel::Cancel;
pub use error::Error;

/// What to run.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The program: a path, or a name that is looked up in the `PATH` of `environment`.
    pub program: OsString,
    /// Its arguments, without its own name.
    pub arguments: Vec<OsString>,
    /// Where it works.
    pub cwd: PathBuf,
    /// The whole environment of the child: nothing is inherited.
    pub environment: Vec<(OsString, OsString)>,
    /// How long it may run before everything it started is asked to end.
    pub time: Duration,
    /// How long what was asked to end has until it is ended.
    pub grace: Duration,
    /// What it reads.
    pub input: Input,
    /// What it is confined to: nothing when it may do what herm may.
    pub confinement: Option<Confinement>,
}

/// What a program reads from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// These bytes.
    Bytes(Vec<u8>),
    /// Nothing.
    Empty,
    /// What this process would read.
    Inherited,
    /// What somebody puts into a pipe while it runs.
    Pipe(Pipe),
}

/// The end of a pipe that a program reads from.
#[derive(Clone, Debug)]
pub struct Pipe(Arc<OwnedFd>);

impl Pipe {
    /// A pipe, and the end that is written to. The program learns that nothing more comes when that end is closed.
    ///
    /// # Errors
    /// When there are too many open files.
    pub fn new() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = io::pipe()?;
        Ok((Self(Arc::new(ours.into())), theirs.into()))
    }
}

impl PartialEq for Pipe {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Pipe {}

/// How a program is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Two pipes, kept apart.
    Captured,
    /// A terminal of its own, as large as ours, with our keys going to it. All it says comes as standard output.
    Interactive,
}

/// Takes what a program says while it runs, a bounded piece at a time, on the thread that called [`run`].
pub trait Output {
    /// Bytes of standard output.
    fn stdout(&mut self, bytes: &[u8]);
    /// Bytes of standard error.
    fn stderr(&mut self, bytes: &[u8]);

    /// Whether more of a stream is wanted. Asked after each piece, and several times a second while nothing comes.
    fn demand(&mut self, stream: Stream) -> Demand {
        let _ = stream;
        Demand::More
    }

    /// Does what else must be done while the program runs. Called after each piece, and several times a second while nothing comes or
    /// can come any more.
    fn attend(&mut self) {}

    /// For how long the program was kept waiting since this was asked last. That time does not count against its limit.
    fn held_up(&mut self) -> Duration {
        Duration::ZERO
    }
}

/// Which of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard error.
    Stderr,
    /// Standard output.
    Stdout,
}

/// Whether more of a stream is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Demand {
    /// Not now: the program waits, as it would for anybody who reads slowly. Said after having waited for a moment, since it
    /// is asked again at once.
    Later,
    /// It is.
    More,
    /// Never again: the program learns it as from a pipe that nobody reads, or from a terminal that was closed.
    Never,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Execution {
    /// How it ended.
    pub ending: Ending,
    /// How long it took, until nothing of it was left.
    pub duration: Duration,
    /// Processes that could not be ended, such as those of another user.
    pub survivors: u32,
    /// What its boundary held.
    pub held: Vec<Measure>,
    /// How it fared within its bounds, where the kernel counted.
    pub statistics: Option<Statistics>,
    /// What it made that would have made others run code.
    pub set_aside: Vec<SetAside>,
    /// What it wrote outside of the workspace, where nothing stays.
    pub unkept: Option<Box<Unkept>>,
    /// What in the workspace it could not change, if it failed and root runs herm.
    pub foreign: Option<Foreign>,
    /// The programs that it started, where somebody noted them: for what is tried.
    pub programs: Option<Programs>,
    /// Whether somebody pressed a key at its terminal that interrupts it.
    pub interrupted: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody called it off.
    Cancelled,
    /// The program ended with this code.
    Exited(i32),
    /// The program was ended by this signal.
    Signalled(i32),
    /// It ran longer than it may.
    TimedOut,
}

/// Runs a program until it and everything it started has ended.
///
/// What the program leaves behind is ended too: first asked, then, after `grace`, forced.
///
/// # Errors
/// When it cannot be started. Whatever happens afterwards is an [`Execution`].
pub fn run(spec: Spec, mode: Mode, cancel: &Cancel, output: &mut dyn Output) -> Result<Execution, Error> {
    run_behind(None, spec, mode, cancel, output)
}

/// The same, with somebody to stand at the doors of its network.
///
/// # Errors
/// When it cannot be started, or nobody can stand at the doors.
pub fn run_behind(
    gate: Option<&mut dyn Gate>,
    spec: Spec,
    mode: Mode,
    cancel: &Cancel,
    output: &mut dyn Output,
) -> Result<Execution, Error> {
    let limits = watch::Limits { time: spec.time, grace: spec.grace, rest: watch::Rest::End };
    let (boundary, held) = spec.confinement.as_ref().map(Prepared::new).transpose()?.unzip();
    let (mut boundary, hall) = boundary.map(Prepared::with_hall).unzip();
    let witness = boundary.as_mut().and_then(Prepared::witness);
    let watching = witness.map(|witness| witness.start(main_of(&spec))).transpose()?;
    let started = start::start(spec, boundary, mode)?;
    if let Some((gate, hall)) = gate.zip(hall.flatten()) {
        gate.open(hall.doors()?)?;
    }
    let held = held.unwrap_or_default();
    let (execution, _) = watch::watch(started, limits, cancel, &mut Attending { output, held: &held });
    let (set_aside, programs) = (held.set_aside(), watching.and_then(Watching::finish));
    Ok(Execution { set_aside, unkept: held.unkept().told(), programs, ..execution.within(&held) })
}

impl Execution {
    /// The same, with what is known about its boundary.
    pub(crate) fn within(self, held: &Held) -> Self {
        let foreign = if self.ending == Ending::Exited(0) { None } else { held.foreign() };
        Self { statistics: held.statistics(), held: held.measures.clone(), foreign, ..self }
    }
}

/// What a run begins with.
fn main_of(spec: &Spec) -> Program {
    let text = |text: &OsString| text.to_string_lossy().into_owned();
    Program::new(text(&spec.program), spec.arguments.iter().map(text))
}
