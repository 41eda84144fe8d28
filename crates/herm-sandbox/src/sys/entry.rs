//! From the fork to the program: what a child becomes before it is one.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, getpid, getppid, ioctl_tiocsctty, set_child_subreaper,
    set_dumpable_behavior, set_parent_process_death_signal, setrlimit, setsid,
};

use super::boundary::{Boundary, Outcome, Stage};
use super::namespaces::Forked;
use super::nearby::nearby;
use super::signals;
use super::spawner::Spawner;
use super::supervisor::{Word, report, stay, supervise};

pub(crate) use super::supervisor::{Lines, Loan};

/// How the main process enters.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Where it works, and what it can reach from there.
    pub(crate) place: Place,
    /// What its supervisor keeps.
    pub(crate) lines: Lines,
    /// Whether standard input is a terminal of its own.
    pub(crate) seat: Seat,
    /// What it becomes in place of a program.
    pub(crate) spawner: Option<Spawner>,
}

/// Where a program works.
#[derive(Debug)]
pub(crate) enum Place {
    /// In this directory of the machine.
    Open(OwnedFd),
    /// Behind a boundary.
    Confined(Box<Boundary>),
}

/// Whether a process governs a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seat {
    /// It has no terminal of its own.
    None,
    /// Standard input becomes its controlling terminal.
    Terminal,
}

/// Makes `command` start as `entry` says, with a supervisor between this process and the program.
///
/// What is spawned is the supervisor: it is the child that the caller waits for.
pub(crate) fn prepare(command: &mut Command, entry: Entry) {
    let enter = move || entry.enter();
    // SAFETY: the closure runs in a fork of a program that may have many threads. It and all it calls, in this module and
    // in `supervisor`, make system calls only: they take no locks and allocate nothing.
    unsafe { command.pre_exec(enter) };
}

impl Entry {
    fn enter(&self) -> io::Result<()> {
        signals::reset();
        // The supervisor is never reached by a signal that can be blocked.
        signals::block_all()?;
        let supervisor = getpid();
        set_child_subreaper(Some(supervisor))?;
        // It holds a copy of this program's memory, secrets included. `exec` lifts this for the program.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        match &self.place {
            Place::Open(directory) => match fork()? {
                Some(main) => supervise(main, &self.lines),
                None => self.become_main(supervisor, directory).map(|()| self.serve()),
            },
            Place::Confined(boundary) => self.cross(boundary).map_err(|(stage, error)| {
                report(&self.lines.status, Word::Failed, stage.number());
                error
            }),
        }
    }

    /// Only the program comes back from here.
    fn cross(&self, boundary: &Boundary) -> Outcome<()> {
        let birth = match boundary.fork()? {
            Forked::Parent(first) => supervise(first, &self.lines),
            Forked::Child(birth) => birth,
        };
        boundary.build(birth)?;
        if let Some(main) = nearby(fork).map_err(|error| (Stage::Split, error))? {
            stay(main, &self.lines);
        }
        self.sit_down().map_err(|error| (Stage::Split, error))?;
        boundary.settle()?;
        Self::let_go().map_err(|error| (Stage::Rights, error))?;
        boundary.seal()?;
        self.serve();
        Ok(())
    }

    /// Comes back only where there is a program to become.
    fn serve(&self) {
        if let Some(spawner) = &self.spawner {
            spawner.serve()
        }
    }

    fn become_main(&self, supervisor: Pid, directory: &OwnedFd) -> io::Result<()> {
        self.sit_down()?;
        if getppid() != Some(supervisor) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        rustix::process::fchdir(directory)?;
        Self::let_go()
    }

    /// Leaves the session of whoever started herm, and governs the terminal if there is one.
    fn sit_down(&self) -> io::Result<()> {
        setsid()?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if self.seat == Seat::Terminal {
            ioctl_tiocsctty(rustix::stdio::stdin())?;
        }
        Ok(())
    }

    fn let_go() -> io::Result<()> {
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
        signals::unblock_all()?;
        close_on_exec()
    }
}

/// Splits in two: the parent is told who the child is.
pub(super) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: `fork` has no arguments. Both sides go on with system calls only, as `prepare` promises.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// Leaves the three standard streams to the program, and nothing else that was open here.
pub(super) fn close_on_exec() -> io::Result<()> {
    // SAFETY: `close_range` takes three numbers, and marking descriptors does not close them.
    let outcome =
        unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
