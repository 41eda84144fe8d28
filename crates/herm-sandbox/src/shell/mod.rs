//! A shell that goes on from one call to the next.
//!
//! What a person calls "the shell" is four things: a place (the boundary, with its private files), a directory, the definitions that were
//! made, and whatever still runs in the background. The place and the background live here as processes. The definitions and the
//! directory do not: after each call the shell writes them down, and the next call begins with them in a shell process of its own.
//!
//! One long-lived bash that is fed line after line is the usual way, and it was rejected. Whatever runs in such a process stands between
//! herm and the next call: functions in place of `read` or `printf`, traps, moved descriptors, `exec`, a loop that never ends, half a here-document.
//! And what a later text means depends on a memory that only this process can be asked about, and it may lie. Here, in contrast:
//!
//! - Every call has a process that nobody has touched, with pipes that nobody else holds. There is nothing to poison, and
//!   what an earlier call left in the background writes into pipes that are no longer listened to.
//! - What a call leaves behind is a *text*. Whoever judges the next call reads it before the text of that call, exactly as the shell
//!   will. A shell that lies about its definitions changes what will be read and run, never what was judged.
//! - A shell that does not come back, in whatever way, costs what this one call has changed. The last word of the call before holds.
//! - Where the next call will run is not what a shell says either: its process waits in the directory already, and the kernel says
//!   where that is ([`Shell::directory`]).
//!
//! Each process is started ahead, while nobody waits for it, so that a call costs neither a `fork` nor an `exec`. It has a supervisor
//! of its own: the time limit ends what the call has started and nothing else. What it left in the background goes on until
//! it ends, or the shell does. Whoever kills its supervisor ends the shell: everything in it is ended, and it begins anew.
//!
//! Open files, traps, jobs, limits and hashed commands do not outlive a call.

#![forbid(unsafe_code)]

mod driver;
mod place;
mod waiting;

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::native::{Confinement, Gate, SetAside, Statistics};
use crate::process::attending::Attending;
use crate::process::supervisor::Supervisor;
use crate::process::watch::{Limits, Remains, Rest, watch};
use crate::process::wires::Reader;
use crate::process::{Cancel, Error, Execution, Output};

pub use driver::Account;
use place::Place;
use waiting::Waiting;

/// What a shell is, for as long as it lives.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Where bash is: a path.
    pub program: PathBuf,
    /// Where it begins.
    pub cwd: PathBuf,
    /// The whole environment of each call's process: nothing is inherited.
    pub environment: Vec<(OsString, OsString)>,
    /// What it is confined to: nothing when it may do what herm may.
    pub confinement: Option<Confinement>,
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// What the shell was left with: text that defines things.
    pub definitions: &'a str,
    /// Options that hold from the first word on: text in one line.
    pub options: &'a str,
    /// What is to be run.
    pub text: &'a str,
    /// How long it may run before everything that it started is asked to end.
    pub time: Duration,
    /// How long what was asked to end has until it is ended.
    pub grace: Duration,
}

/// What became of a call.
#[derive(Debug)]
#[must_use]
pub struct Call {
    /// How it went.
    pub execution: Execution,
    /// What the shell has become: nothing when it did not get to say.
    pub account: Option<Account>,
    /// Whether everything that ran in the background had to be ended, since nobody could tell any more what belongs to whom.
    pub begins_anew: bool,
}

/// A shell that goes on from one call to the next. Dropping it ends everything in it.
#[derive(Debug)]
pub struct Shell {
    spec: Spec,
    place: Place,
    waiting: Option<Waiting>,
    background: Vec<Supervisor>,
    seen: Statistics,
    /// What was left behind by what was ended, and was not told yet.
    left: Vec<SetAside>,
}

/// The most that a shell may say about itself.
const ACCOUNT: usize = 1 << 20;

impl Shell {
    /// Opens one, with somebody to stand at the doors of its network.
    ///
    /// # Errors
    /// When there is no place for it.
    pub fn open(gate: Option<&mut dyn Gate>, spec: Spec) -> Result<Self, Error> {
        let place = Place::open(gate, &spec)?;
        let seen = place.statistics().unwrap_or_default();
        Ok(Self { spec, place, waiting: None, background: Vec::new(), seen, left: Vec::new() })
    }

    /// Has the next call run in this directory. Does not wait for it.
    ///
    /// # Errors
    /// When the place is gone, or this process has too many files open.
    pub fn enter(&mut self, directory: &Path) -> Result<(), Error> {
        self.waiting = None;
        self.waiting = Some(self.place.ask_for(directory)?);
        Ok(())
    }

    /// The directory that the next call will run in, as the kernel names it.
    ///
    /// # Errors
    /// When there is no shell that waits, it could not enter its directory, or that is gone.
    pub fn directory(&mut self) -> Result<PathBuf, Error> {
        let waiting = self.waiting.as_mut().ok_or_else(not_waiting)?;
        waiting.directory(&self.place)
    }

    /// Runs a call in the process that waits for it.
    ///
    /// # Errors
    /// When none waits, or it was ended by somebody: nothing was run.
    pub fn run(&mut self, text: Text<'_>, cancel: &Cancel, output: &mut dyn Output) -> Result<Call, Error> {
        let mut waiting = self.waiting.take().ok_or_else(not_waiting)?;
        waiting.settle(&self.place)?;
        let begun = Instant::now();
        let (started, account) = waiting.go(&driver::script(text))?;
        let limits = Limits { time: text.time, grace: text.grace, rest: Rest::Stay };
        let mut output = Attending { output, held: self.place.held() };
        let (execution, remains) = watch(started, limits, cancel, &mut output);
        // It may have begun, and even ended, before it was watched.
        let duration = begun.elapsed();
        let begins_anew = self.keep(remains);
        let statistics =
            self.place.statistics().map(|now| now.since(&std::mem::replace(&mut self.seen, now)));
        let (planted, unkept) = (self.place.planted(), self.place.unkept().told());
        let set_aside = self.left.drain(..).chain(planted).collect();
        let execution =
            Execution { duration, statistics, set_aside, unkept, ..execution.within(self.place.held()) };
        let account = read(&account).ok().flatten().and_then(|bytes| Account::read(&bytes));
        Ok(Call { execution, account, begins_anew })
    }

    /// Begins anew: everything in it is ended, and its private files are gone.
    ///
    /// # Errors
    /// When there is no place for it any more.
    pub fn begin_anew(&mut self, gate: Option<&mut dyn Gate>) -> Result<(), Error> {
        self.left.extend(self.place.end());
        self.waiting = None;
        self.background.clear();
        self.place = Place::open(gate, &self.spec)?;
        self.seen = self.place.statistics().unwrap_or_default();
        Ok(())
    }

    /// Ends everything in it, and says what it has left that would make others run code, as far as no call has told it.
    #[must_use]
    pub fn close(mut self) -> Vec<SetAside> {
        self.left.extend(self.place.end());
        self.left
    }

    /// Whether everything in it has ended.
    pub fn is_over(&mut self) -> bool {
        self.place.is_over()
    }

    /// Keeps what may stay. True when a supervisor was killed: what it watched over cannot be told from the rest.
    fn keep(&mut self, remains: Remains) -> bool {
        let Remains { mut supervisor, readers } = remains;
        supervisor.listen();
        self.background.iter_mut().for_each(Supervisor::listen);
        self.background.push(supervisor);
        let killed = |supervisor: &Supervisor| supervisor.is_gone() && !supervisor.left_in_order();
        let spoiled = self.background.iter().any(killed);
        if spoiled {
            self.left.extend(self.place.end());
        }
        self.background.retain(|supervisor| !supervisor.is_gone());
        readers.into_iter().for_each(swallow);
        spoiled
    }
}

/// Lets what stays in the background speak to nobody: with its pipe closed it would be ended, with its pipe full it would wait.
fn swallow(reader: Reader) {
    let listen = move || {
        let _ = rustix::io::ioctl_fionbio(&reader.file, false);
        io::copy(&mut std::fs::File::from(reader.file), &mut io::sink())
    };
    // Without a thread the pipe is closed.
    drop(std::thread::Builder::new().name("herm-background".to_owned()).spawn(listen));
}

/// What the shell has written down, unless it is too much.
fn read(account: &std::fs::File) -> io::Result<Option<Vec<u8>>> {
    let length = usize::try_from(account.metadata()?.len()).unwrap_or(usize::MAX);
    if length > ACCOUNT {
        return Ok(None);
    }
    let mut bytes = vec![0; length];
    account.read_exact_at(&mut bytes, 0)?;
    Ok(Some(bytes))
}

fn not_waiting() -> Error {
    Error::Connection(io::ErrorKind::NotConnected.into())
}
