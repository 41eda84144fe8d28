//! The process between herm and what it runs.
//!
//! It is the parent that everything started below falls back to, however often it forks or leaves its session, so the
//! processes of one run are exactly its descendants, even when several runs go on at once. It says how the main
//! process ended, notices whatever else ends, and goes when nobody is left. When herm itself dies, even of a signal that
//! nobody can catch, it ends them all and gives the terminal back.
//!
//! It is forked from a program with threads and never becomes another, so it must not allocate, lock or unwind: it makes
//! system calls only. The one exception comes last of all, when herm is gone and nobody is left whom it could fail.

use std::fmt;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait as wait_for_any};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use super::processes;
use super::signals;
use crate::native::guards::{Guards, Moment, TOO_OFTEN};

/// What the supervisor keeps open.
#[derive(Debug)]
pub(crate) struct Lines {
    /// Closed when everybody is to be ended: by herm, or by its death.
    pub(crate) control: OwnedFd,
    /// Takes words and numbers, four bytes each.
    pub(crate) status: OwnedFd,
    /// The terminal to give back.
    pub(crate) terminal: Option<Loan>,
    /// What must not come to be, for who watches from outside.
    pub(crate) guards: Option<Arc<Guards>>,
}

/// What a number means that goes up the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Word {
    /// The child that the supervisor watches over.
    Started = 1,
    /// How the main process ended.
    Ended = 2,
    /// The boundary could not be built: at which stage. Or a program could not be started: why.
    Failed = 3,
    /// Nobody is left, and the supervisor goes.
    Left = 4,
}

/// A terminal that was borrowed: what it was, and what it was made.
#[derive(Clone)]
pub(crate) struct Loan {
    /// The terminal.
    pub(crate) file: Arc<OwnedFd>,
    /// Its settings before.
    pub(crate) before: Termios,
    /// Its settings now.
    pub(crate) now: Termios,
}

impl Loan {
    /// Gives it back, unless somebody else has changed it since: then it is theirs.
    pub(crate) fn give_back(&self) {
        let Ok(found) = tcgetattr(&self.file) else { return };
        if found.local_modes == self.now.local_modes && found.input_modes == self.now.input_modes {
            let _ = tcsetattr(&self.file, OptionalActions::Now, &self.before);
        }
    }
}

impl fmt::Debug for Loan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loan").field("file", &self.file).finish_non_exhaustive()
    }
}

/// Watches over `main` until nobody is left.
pub(super) fn supervise(main: Pid, lines: &Lines) -> ! {
    let _ = rustix::thread::set_name(c"herm-supervisor");
    let _ = rustix::process::chdir(c"/");
    close_all_but(lines, lines.guards.as_deref());
    report(&lines.status, Word::Started, main.as_raw_nonzero().get());
    let Ok(children) = signals::children() else { forsaken(lines) };
    loop {
        let patience = reap(Some(main), lines);
        if wait(&children, lines, lines.guards.as_deref(), patience).is_err() {
            forsaken(lines);
        }
        let planted = lines.guards.as_ref().map_or(0, |guards| guards.sweep(Moment::Once));
        if planted >= TOO_OFTEN {
            forsaken(lines);
        }
    }
}

/// Stays as the first process of a namespace until nobody else is left in it, and says how `main` ended. The kernel ends
/// everybody in it when this process goes, so that is all there is to do when herm is gone.
pub(super) fn stay(main: Pid, lines: &Lines) -> ! {
    let _ = rustix::thread::set_name(c"herm-first");
    // It is inside, and so must not hold anything of the outside.
    close_all_but(lines, None);
    let _ = super::boundary::give_up_rights();
    let Ok(children) = signals::children() else { leave() };
    loop {
        let patience = reap_inside(main, lines);
        if wait(&children, lines, None, patience).is_err() {
            leave();
        }
    }
}

/// Ends everybody: herm has closed the line, or is gone, or this process cannot do its work.
///
/// Only direct children are signalled. Their numbers cannot have been given to others, since nobody else notices their
/// end, and their own children become direct ones when they go. It is done in haste: a process that forks and ends over
/// and over, in a new session each time, is alive for a tenth of a millisecond under any one number.
fn forsaken(lines: &Lines) -> ! {
    if let Some(terminal) = &lines.terminal {
        terminal.give_back();
    }
    let own = getpid();
    loop {
        let mut reached = 0;
        for _ in 0..HASTE {
            reached += end_children(own);
            reap(None, lines);
        }
        // Those of another user stay, and must not keep a processor busy.
        pause(if reached > 0 { SOON } else { LATER });
    }
}

/// How often children are looked for in a row.
const HASTE: u32 = 256;

/// Ends those who can be ended, and says how many were.
fn end_children(own: Pid) -> u32 {
    let mut reached = 0;
    let mut end = |pid: i32| {
        let is_ended = Pid::from_raw(pid).is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok());
        reached += u32::from(is_ended);
    };
    if processes::children(&mut end).is_err() {
        let own = own.as_raw_nonzero().get();
        let _ = processes::each(|process| {
            if process.parent == own && !process.is_over {
                end(process.pid);
            }
        });
    }
    reached
}

/// Notices who has ended, says how `main` did, and leaves with the last. Says how long one may wait for the next.
fn reap(main: Option<Pid>, lines: &Lines) -> Patience {
    let company = notice(main, lines);
    if company == Company::Nobody {
        if let Some(guards) = &lines.guards {
            guards.sweep(Moment::End);
        }
        if tell(&lines.status, Word::Left, 0).is_err()
            && let Some(guards) = &lines.guards
        {
            // Nobody hears it: herm is gone.
            guards.inherit();
        }
        leave();
    }
    company.patience()
}

/// The same in the first process of a namespace.
fn reap_inside(main: Pid, lines: &Lines) -> Patience {
    let company = notice(Some(main), lines);
    if company == Company::Nobody {
        report(&lines.status, Word::Left, 0);
        leave();
    }
    company.patience()
}

/// How long one may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    None,
    Any,
}

/// Whether anybody is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Company {
    /// So many have ended that there may be more who have.
    Crowd,
    Nobody,
    Somebody,
}

impl Company {
    const fn patience(self) -> Patience {
        match self {
            Self::Crowd => Patience::None,
            Self::Nobody | Self::Somebody => Patience::Any,
        }
    }
}

/// How many are noticed in a row: those who end as fast as that must not keep this process from what else it has to do.
const NOTICED: u32 = 64;

fn notice(main: Option<Pid>, lines: &Lines) -> Company {
    for _ in 0..NOTICED {
        match next() {
            Waited::For(pid, status) if Some(pid) == main => report(&lines.status, Word::Ended, status),
            Waited::For(..) => {}
            Waited::ForNobody => return Company::Nobody,
            Waited::InVain => return Company::Somebody,
        }
    }
    Company::Crowd
}

/// What waiting for a child brings.
enum Waited {
    /// This one has ended, so.
    For(Pid, i32),
    /// There is nobody who could.
    ForNobody,
    /// Nobody has, so far.
    InVain,
}

fn next() -> Waited {
    match wait_for_any(WaitOptions::NOHANG) {
        Ok(Some((pid, status))) => Waited::For(pid, status.as_raw()),
        Err(io::Errno::CHILD) => Waited::ForNobody,
        Ok(None) | Err(_) => Waited::InVain,
    }
}

/// Sleeps until somebody ends, or something appears that must not; an error when herm has ended.
fn wait(children: &OwnedFd, lines: &Lines, guards: Option<&Guards>, patience: Patience) -> Result<(), ()> {
    let guards = guards.filter(|guards| !guards.is_idle());
    let watch = guards.and_then(Guards::watch);
    let blind = guards.is_some() && watch.is_none();
    let third: BorrowedFd<'_> = watch.unwrap_or_else(|| children.as_fd());
    let [one, two, three] = [children.as_fd(), lines.control.as_fd(), third];
    let mut wanted = [one, two, three].map(|file| PollFd::from_borrowed_fd(file, PollFlags::IN));
    let limit = match patience {
        Patience::None => Some(&NOW),
        Patience::Any => blind.then_some(&LOOK),
    };
    match poll(&mut wanted, limit) {
        Ok(_) | Err(io::Errno::INTR) => {}
        Err(_) => return Err(()),
    }
    let [ended, gone, appeared] = wanted.map(|one| one.revents());
    if !gone.is_empty() {
        return Err(());
    }
    // What they say does not matter: everybody who has ended is noticed afterwards, and every name is looked for.
    if !ended.is_empty() {
        let _ = io::read(children, &mut [0_u8; 128]);
    }
    if let Some(watch) = watch.filter(|_| !appeared.is_empty()) {
        let _ = io::read(watch, &mut [0_u8; 4096]);
    }
    Ok(())
}

/// How often one looks who is not told.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
const SOON: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
const LATER: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

fn pause(time: Timespec) {
    let _ = poll(&mut [], Some(&time));
}

/// Sends a word up the line, if anybody hears it.
pub(super) fn report(status: &OwnedFd, word: Word, value: i32) {
    let _ = tell(status, word, value);
}

/// Sends a word up the line, whole.
fn tell(status: &OwnedFd, word: Word, value: i32) -> io::Result<()> {
    let mut bytes = [0_u8; 8];
    let (first, second) = bytes.split_at_mut(4);
    first.copy_from_slice(&(word as i32).to_le_bytes());
    second.copy_from_slice(&value.to_le_bytes());
    io::write(status, &bytes).map(drop)
}

/// Pipes that this process kept open would never seem closed to their readers.
fn close_all_but(lines: &Lines, guards: Option<&Guards>) {
    let terminal = lines.terminal.as_ref().map(|loan| loan.file.as_raw_fd());
    let own = [lines.control.as_raw_fd(), lines.status.as_raw_fd()];
    let kept = || own.into_iter().chain(terminal).chain(guards.into_iter().flat_map(Guards::descriptors));
    let mut from = 0;
    while let Some(next) = kept().filter(|kept| *kept >= from).min() {
        if from < next {
            close(from, next - 1);
        }
        from = next + 1;
    }
    close(from, RawFd::MAX);
}

/// Closes everything from a number on, but one.
pub(super) fn close_all_from(first: RawFd, kept: RawFd) {
    if first < kept {
        close(first, kept - 1);
    }
    close(kept + 1, RawFd::MAX);
}

fn close(first: RawFd, last: RawFd) {
    // SAFETY: `close_range` takes three numbers. This process owns no descriptor but the kept ones: those that its
    // memory still speaks of belong to the process it was forked from, and it never runs the code that would use them.
    let _ = unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
}

pub(super) fn leave() -> ! {
    // SAFETY: `_exit` takes a number and does not return; it runs no handlers of the program this was forked from.
    unsafe { libc::_exit(0) }
}

/// Takes over a descriptor that a system call has just returned.
pub(super) fn owned(descriptor: RawFd) -> io::Result<OwnedFd> {
    if descriptor < 0 {
        return Err(io::Errno::BADF);
    }
    // SAFETY: the caller has just got it from the kernel, it is open, and nobody else knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}
