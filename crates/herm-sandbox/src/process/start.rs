//! Starting a program under its supervisor.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::fs::{Mode as FileMode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{getpid, set_child_subreaper};
use rustix::stdio::stdin;

use super::supervisor::{self, Supervisor};
use super::terminal::{Pair, Raw, Screen, duplicate, name};
use super::wires::{Feeder, Finish, Reader, Wires, unblock};
use super::{Error, Input, Mode, Spec, Stream};
use crate::native::{Failure, Prepared, Words};
use crate::sys::boundary::Stage;
use crate::sys::entry::{Entry, Lines, Loan, Place, Seat, prepare};
use crate::sys::signals::notice_children;
use crate::sys::spawner::Spawner;
use crate::sys::supervisor::Word;

/// A program that runs, and what it is held by.
#[derive(Debug)]
pub(crate) struct Started {
    /// Dropped first: what runs is ended before the terminal is given back.
    pub(crate) supervisor: Supervisor,
    pub(crate) wires: Wires,
}

/// Starts a program, behind a boundary if there is one.
pub(super) fn start(spec: Spec, boundary: Option<Prepared>, mode: Mode) -> Result<Started, Error> {
    match mode {
        Mode::Captured => captured(spec, boundary),
        Mode::Interactive => interactive(spec, boundary),
    }
}

fn captured(spec: Spec, boundary: Option<Prepared>) -> Result<Started, Error> {
    let mut command = command(&spec);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(match &spec.input {
        Input::Bytes(_) => Stdio::piped(),
        Input::Empty => Stdio::null(),
        Input::Inherited => Stdio::inherit(),
        Input::Pipe(pipe) => duplicate(&pipe.0)?.into(),
    });
    let (mut child, ends) = spawn(command, &spec, boundary, Role::Program(Seat::None, None))?;
    let input = child.stdin.take().map(OwnedFd::from);
    let stdout = child.stdout.take().map(|file| Reader::new(file.into(), Stream::Stdout));
    let stderr = child.stderr.take().map(|file| Reader::new(file.into(), Stream::Stderr));
    let supervisor = ends.of(child);
    let readers = stdout.into_iter().chain(stderr).collect::<Result<_, _>>()?;
    let feeder = match (input, spec.input) {
        (Some(file), Input::Bytes(bytes)) => Some(feed(file, bytes)?),
        _ => None,
    };
    Ok(Started { supervisor, wires: Wires::new(readers, feeder, None) })
}

fn feed(file: OwnedFd, bytes: Vec<u8>) -> Result<Feeder, Error> {
    unblock(&file)?;
    Ok(Feeder::of(file, bytes, Finish::Close))
}

fn interactive(spec: Spec, mut boundary: Option<Prepared>) -> Result<Started, Error> {
    let Pair { ours, theirs } = Pair::open()?;
    if let Some((boundary, name)) = boundary.as_mut().zip(name(&ours)) {
        boundary.show_terminal(name);
    }
    let raw = if spec.input == Input::Inherited { Raw::borrow()? } else { None };
    let mut command = command(&spec);
    command.stdin(duplicate(&theirs)?).stdout(duplicate(&theirs)?).stderr(theirs);
    let role = Role::Program(Seat::Terminal, raw.as_ref().map(Raw::loan));
    let (child, ends) = spawn(command, &spec, boundary, role)?;
    let supervisor = ends.of(child);
    let feeder = match spec.input {
        Input::Bytes(bytes) => Feeder::of(duplicate(&ours)?, bytes, Finish::Key),
        Input::Empty => Feeder::of(duplicate(&ours)?, Vec::new(), Finish::Key),
        Input::Inherited => Feeder::from(duplicate(&ours)?, duplicate(stdin())?, Finish::Key),
        Input::Pipe(pipe) => Feeder::from(duplicate(&ours)?, duplicate(&pipe.0)?, Finish::Key),
    };
    let screen = Screen::new(duplicate(&ours)?, raw);
    let readers = vec![Reader::new(ours, Stream::Stdout)?];
    Ok(Started { supervisor, wires: Wires::new(readers, Some(feeder), Some(screen)) })
}

#[expect(clippy::disallowed_methods, reason = "this is the one place where processes are started")]
fn command(spec: &Spec) -> Command {
    let mut command = Command::new(&spec.program);
    command.args(&spec.arguments).env_clear();
    command.envs(spec.environment.iter().map(|(name, value)| (name, value)));
    command
}

/// What a child becomes.
#[derive(Debug)]
enum Role {
    /// A program, on a terminal of its own or not.
    Program(Seat, Option<Loan>),
    /// What starts programs.
    Spawner(Spawner),
}

/// Starts a process that starts programs, in the place where `spec` would have its own run.
pub(crate) fn spawner(
    spec: &Spec,
    boundary: Option<Prepared>,
    spawner: Spawner,
) -> Result<Supervisor, Error> {
    let mut command = command(spec);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let (child, ends) = spawn(command, spec, boundary, Role::Spawner(spawner))?;
    Ok(ends.of(child))
}

/// Our ends of the lines to a supervisor.
#[derive(Debug)]
struct Ends {
    control: OwnedFd,
    status: OwnedFd,
}

impl Ends {
    fn of(self, child: Child) -> Supervisor {
        Supervisor::new(child, self.control, self.status)
    }
}

/// Starts `command`, which is used up so that no copy of the child's ends of the pipes stays here.
fn spawn(
    mut command: Command,
    spec: &Spec,
    boundary: Option<Prepared>,
    role: Role,
) -> Result<(Child, Ends), Error> {
    notice_children()?;
    // Whatever loses its supervisor falls back to this process.
    set_child_subreaper(Some(getpid()))?;
    let (place, words, guards) = match boundary {
        Some(Prepared { boundary, words, guards, .. }) => {
            (Place::Confined(Box::new(boundary)), Some(words), Some(guards))
        }
        None => (Place::Open(open(&spec.cwd)?), None, None),
    };
    let (heard, control) = pipe_with(PipeFlags::CLOEXEC)?;
    let (status, said) = pipe_with(PipeFlags::CLOEXEC)?;
    unblock(&status)?;
    let (seat, terminal, spawner) = match role {
        Role::Program(seat, terminal) => (seat, terminal, None),
        Role::Spawner(spawner) => (Seat::None, None, Some(spawner)),
    };
    let lines = Lines { control: heard, status: said, terminal, guards };
    prepare(&mut command, Entry { place, lines, seat, spawner });
    let child = command.spawn().map_err(|cause| failure(spec, words.as_ref(), &status, cause))?;
    Ok((child, Ends { control, status }))
}

/// What failed: the boundary has said so, or it was the program.
fn failure(spec: &Spec, words: Option<&Words>, status: &OwnedFd, cause: io::Error) -> Error {
    let mut said = [0_u8; 64];
    let length = rustix::io::read(status, &mut said).unwrap_or(0);
    let stage = supervisor::said(said.get(..length).unwrap_or_default(), Word::Failed).and_then(Stage::of);
    match (words, stage) {
        (Some(words), Some(stage)) => Failure::kernel(words.doing(stage), cause).into(),
        _ => Error::Program { name: spec.program.clone(), cause },
    }
}

/// Opened before the fork, so that a directory that cannot be entered is not taken for a program that cannot be run.
fn open(path: &Path) -> Result<OwnedFd, Error> {
    rustix::fs::open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, FileMode::empty())
        .map_err(|cause| Error::Directory { path: path.to_owned(), cause: cause.into() })
}
