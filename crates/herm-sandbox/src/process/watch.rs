//! Watching over a run until nothing of it is left.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::start::Started;
use super::supervisor::Supervisor;
use super::tree::{Anchor, Tree};
use super::wires::{Reader, Ready, Wires};
use super::{Cancel, Ending, Execution, Output};

/// How long a run may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    pub(crate) grace: Duration,
    pub(crate) rest: Rest,
}

/// What becomes of those that a program which has ended leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// They are ended.
    End,
    /// They may stay.
    Stay,
}

/// What is left of a run whose processes may stay.
#[derive(Debug)]
pub(crate) struct Remains {
    pub(crate) supervisor: Supervisor,
    /// Where somebody may still speak.
    pub(crate) readers: Vec<Reader>,
}

/// Carries bytes and keeps the limits until nothing is left.
pub(crate) fn watch(
    started: Started,
    limits: Limits,
    cancel: &Cancel,
    output: &mut dyn Output,
) -> (Execution, Remains) {
    let mut watch = Watch::new(started, limits);
    while !watch.is_done() {
        watch.step(cancel, output);
    }
    watch.finish(cancel, output)
}

#[derive(Debug)]
struct Watch {
    supervisor: Supervisor,
    wires: Wires,
    tree: Tree,
    grace: Duration,
    rest: Rest,
    begun: Instant,
    /// `None` is further away than the clock reaches.
    deadline: Option<Instant>,
    phase: Phase,
    /// Why it was ended before it ended itself.
    ended_by: Option<Ending>,
    main: Option<Ending>,
    survivors: usize,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The main process runs.
    Running,
    /// What is left was asked to end, and is looked for again at `next`.
    Asking { until: Instant, next: Instant },
    /// What is left is ended.
    Forcing { until: Instant, next: Instant },
    /// Nothing is left, or nothing more can be done.
    Done,
}

/// How long what was killed may take to be gone.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often the processes of a run are looked for while it is being ended.
const LOOK: Duration = Duration::from_millis(10);
/// How long the main process's end may be followed by that of its supervisor before somebody must be left.
const FAREWELL: Duration = Duration::from_millis(2);
/// How long a wait lasts at most: the window may have changed.
const TICK: Duration = Duration::from_millis(200);

impl Watch {
    fn new(started: Started, limits: Limits) -> Self {
        let Started { supervisor, wires } = started;
        let begun = Instant::now();
        Self {
            tree: Tree::below(supervisor.pid()),
            supervisor,
            wires,
            grace: limits.grace,
            rest: limits.rest,
            begun,
            deadline: begun.checked_add(limits.time),
            phase: Phase::Running,
            ended_by: None,
            main: None,
            survivors: 0,
        }
    }

    fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    fn step(&mut self, cancel: &Cancel, output: &mut dyn Output) {
        let heeds = matches!(self.phase, Phase::Running);
        let guests = [self.supervisor.status(), heeds.then(|| cancel.as_fd())];
        let ready = self.wires.wait(&guests, self.time_to_wait());
        if ready.contains(&Ready::Guest(SUPERVISOR)) {
            self.supervisor.listen();
        }
        self.wires.carry(&ready, output);
        if heeds {
            output.attend();
        }
        let held_up = output.held_up();
        self.deadline = self.deadline.and_then(|deadline| deadline.checked_add(held_up));
        self.main = self.main.or_else(|| self.supervisor.main());
        self.advance(Instant::now(), ready.contains(&Ready::Guest(CANCEL)));
    }

    fn time_to_wait(&self) -> Duration {
        if self.wires.rests() {
            return Duration::ZERO;
        }
        let next = match self.phase {
            Phase::Running => self.deadline,
            Phase::Asking { next, .. } | Phase::Forcing { next, .. } => Some(next),
            Phase::Done => Some(self.begun),
        };
        next.map_or(TICK, |next| next.saturating_duration_since(Instant::now()).min(TICK))
    }

    fn advance(&mut self, now: Instant, is_cancelled: bool) {
        if self.supervisor.left_in_order() {
            self.phase = Phase::Done;
            return;
        }
        match self.phase {
            Phase::Running => self.check(now, is_cancelled),
            Phase::Asking { until, .. } if now >= until => self.force(now),
            Phase::Asking { until, next } if now >= next => self.ask(now, until),
            Phase::Forcing { until, next } if now >= next => self.end(now, until),
            Phase::Asking { .. } | Phase::Forcing { .. } | Phase::Done => {}
        }
    }

    /// The main process's own end comes first: what happens at the same moment did not cause it.
    fn check(&mut self, now: Instant, is_cancelled: bool) {
        let until = now.checked_add(self.grace).unwrap_or(now);
        if self.main.is_some() && self.rest == Rest::Stay {
            self.phase = Phase::Done;
        } else if self.main.is_some() || self.supervisor.is_gone() {
            self.phase = Phase::Asking { until, next: now + FAREWELL };
        } else if is_cancelled {
            self.ended_by = Some(Ending::Cancelled);
            self.ask(now, until);
        } else if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.ended_by = Some(Ending::TimedOut);
            self.ask(now, until);
        }
    }

    fn ask(&mut self, now: Instant, until: Instant) {
        let living = self.tree.living(self.anchor());
        self.tree.ask(&living);
        self.phase = Phase::Asking { until, next: now + LOOK };
        self.settle();
    }

    fn force(&mut self, now: Instant) {
        self.end(now, now + PATIENCE);
    }

    fn end(&mut self, now: Instant, until: Instant) {
        let living = self.tree.living(self.anchor());
        Tree::end(&living);
        self.supervisor.force();
        self.phase = Phase::Forcing { until, next: now + LOOK };
        if self.supervisor.is_gone() {
            self.main = self.main.or_else(|| self.supervisor.forlorn_main());
            self.tree.hunt(Instant::now() + LOOK);
        }
        self.settle();
        if now >= until && !self.is_done() {
            // Who is not gone has somebody left, seen or not.
            self.survivors = living.len().max(1);
            self.phase = Phase::Done;
        }
    }

    /// The supervisor knows when nobody is left, and goes. Without it, this process is whom they fall back to.
    fn settle(&mut self) {
        if self.supervisor.is_gone() {
            self.main = self.main.or_else(|| self.supervisor.forlorn_main());
            if self.tree.is_deserted() {
                self.phase = Phase::Done;
            }
        }
    }

    fn anchor(&self) -> Anchor {
        if self.supervisor.is_gone() { Anchor::Ourselves } else { Anchor::Supervisor }
    }

    fn finish(mut self, cancel: &Cancel, output: &mut dyn Output) -> (Execution, Remains) {
        let in_time = self.ended_by.is_none();
        self.wires.drain(PATIENCE, output, || in_time && !cancel.is_cancelled());
        if self.rest == Rest::End || self.ended_by.is_some() {
            self.supervisor.leave();
        }
        let execution = Execution {
            ending: self.ended_by.or(self.main).unwrap_or(Ending::Signalled(KILLED)),
            duration: self.begun.elapsed(),
            survivors: u32::try_from(self.survivors).unwrap_or(u32::MAX),
            held: Vec::new(),
            statistics: None,
            set_aside: Vec::new(),
            unkept: None,
            foreign: None,
            programs: None,
            interrupted: self.wires.interrupted,
        };
        (execution, Remains { supervisor: self.supervisor, readers: self.wires.readers })
    }
}

const SUPERVISOR: usize = 0;
const CANCEL: usize = 1;
/// What a main process dies of that loses its supervisor.
const KILLED: i32 = 9;
