//! Everything that a run has started and that still runs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal, waitpid,
};

use crate::sys::processes::{self, Process};

/// What a run's processes descend from.
#[derive(Debug)]
pub(super) struct Tree {
    supervisor: i32,
    since: u64,
    asked: BTreeSet<(i32, u64)>,
}

/// Whom the processes of a run have above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// Its supervisor.
    Supervisor,
    /// This process: the supervisor was killed.
    Ourselves,
}

impl Tree {
    pub(super) fn below(supervisor: Pid) -> Self {
        let since = Process::find(supervisor).map_or(0, |process| process.start);
        Self { supervisor: number(supervisor), since, asked: BTreeSet::new() }
    }

    /// Those that still run.
    pub(super) fn living(&self, anchor: Anchor) -> Vec<Process> {
        let mut descendants = self.descendants(anchor);
        descendants.retain(|process| !process.is_over);
        descendants
    }

    /// Asks each to end, once. One that was stopped is woken to hear it.
    pub(super) fn ask(&mut self, living: &[Process]) {
        for process in living {
            if self.asked.insert((process.pid, process.start)) {
                send(process, Signal::TERM);
                send(process, Signal::CONT);
            }
        }
    }

    /// Ends each.
    pub(super) fn end(living: &[Process]) {
        for process in living {
            send(process, Signal::KILL);
        }
    }

    /// Ends those that lost their supervisor and fell back to this process, faster than they can make others, until nobody is left or
    /// the time is over. Whether nobody is.
    ///
    /// Only children are looked at: their numbers cannot have been given to others, and their own children are children of ours when they
    /// go. Where there is none, ended or not, nobody is left; that none was seen to live means nothing.
    pub(super) fn hunt(&self, until: Instant) -> bool {
        loop {
            let end = |pid| {
                let _ = kill_process(pid, Signal::KILL);
            };
            if !self.each_orphan(end) {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
        }
    }

    /// Whether nobody is left of those that lost their supervisor. Who has ended is taken note of.
    pub(super) fn is_deserted(&self) -> bool {
        !self.each_orphan(|_| ())
    }

    /// Takes note of orphans that have ended, and does something to the others. Whether there were any.
    fn each_orphan(&self, mut work: impl FnMut(Pid)) -> bool {
        let session = Process::find(getpid()).map(|own| own.session);
        let mut any = false;
        let mut look = |process: Process| {
            let Some(pid) = Pid::from_raw(process.pid).filter(|_| self.is_orphan(&process, session)) else {
                return;
            };
            any = true;
            if process.is_over {
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            } else {
                work(pid);
            }
        };
        let found = |pid| {
            if let Some(process) = Pid::from_raw(pid).and_then(Process::find) {
                look(process);
            }
        };
        if processes::own_children(found).is_err() {
            let own = number(getpid());
            let _ = processes::each(|process| {
                if process.parent == own {
                    look(process);
                }
            });
        }
        any
    }

    fn descendants(&self, anchor: Anchor) -> Vec<Process> {
        let mut children: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
        // Without `/proc` nobody is found, and the supervisor that does not go is ended in the end.
        let _ = processes::each(|process| children.entry(process.parent).or_default().push(process));
        let mut found = self.roots(anchor, &mut children);
        let mut at = 0;
        while let Some(process) = found.get(at) {
            let below = children.remove(&process.pid).unwrap_or_default();
            found.extend(below);
            at += 1;
        }
        found
    }

    fn roots(&self, anchor: Anchor, children: &mut BTreeMap<i32, Vec<Process>>) -> Vec<Process> {
        match anchor {
            Anchor::Supervisor => children.remove(&self.supervisor).unwrap_or_default(),
            Anchor::Ourselves => {
                let mut adopted = children.remove(&number(getpid())).unwrap_or_default();
                let session = Process::find(getpid()).map(|own| own.session);
                adopted.retain(|process| self.is_orphan(process, session));
                adopted
            }
        }
    }

    /// A child of ours that began in this run and is not in our session must be one that lost its supervisor: what we
    /// start directly, other supervisors among it, stays in our session, and no program can come back to it.
    fn is_orphan(&self, process: &Process, session: Option<i32>) -> bool {
        process.pid != self.supervisor
            && process.start >= self.since
            && session.is_some_and(|session| session != process.session)
    }
}

/// Signals the very process that was seen, not one that has got its number since.
fn send(process: &Process, signal: Signal) {
    let Some(pid) = Pid::from_raw(process.pid) else { return };
    let handle = pidfd_open(pid, PidfdFlags::empty());
    // Whoever has the number now, now that it is held, is whom it holds.
    if Process::find(pid).is_none_or(|found| found.start != process.start) {
        return;
    }
    let _ = match handle {
        Ok(handle) => pidfd_send_signal(&handle, signal),
        Err(Errno::NOSYS) => kill_process(pid, signal),
        Err(error) => Err(error),
    };
}

fn number(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}
