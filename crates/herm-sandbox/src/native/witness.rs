//! Which programs a run has started.
//!
//! The kernel announces each before it starts, and somebody outside notes what it was asked for. That is a record and no
//! wall: what is read from a process can be changed by another thread of it before the kernel reads it, so nothing is decided
//! by it. Whoever asks goes on in any case. If the witness is gone, programs can no longer be started.

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::seccomp::Filter;
use crate::sys::doors;
use crate::sys::witness::{Announcement, let_go, next, still_waits};

mod glance;

use glance::{Glance, Kin};

/// The programs that a run has started, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// The first of them.
    pub first: Vec<Program>,
    /// How many there were in all.
    pub total: u64,
}

/// A program that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its path, as it was asked for; nothing where that could not be seen.
    pub path: Option<String>,
    /// The first of its arguments, without its own name.
    pub arguments: Vec<String>,
    /// Whether there were more, or longer ones.
    pub is_cut: bool,
    /// Which of the programs started it.
    pub by: Option<usize>,
}

impl Program {
    /// One whose arguments are known, and may be long.
    pub(crate) fn new(path: String, arguments: impl Iterator<Item = String>) -> Self {
        let (mut kept, mut room, mut is_cut) = (Vec::new(), ROOM, false);
        for argument in arguments {
            let shown: String = argument.chars().take(room).collect();
            room = room.saturating_sub(shown.len());
            is_cut |= shown.len() < argument.len();
            kept.extend((!shown.is_empty() || argument.is_empty()).then_some(shown));
        }
        Self { path: Some(path), arguments: kept, is_cut, by: None }
    }
}

/// How much is kept of all arguments of a program.
const ROOM: usize = 512;

/// The most programs that are remembered of a run.
const MOST: usize = 1000;

/// What a child has its programs announced by: the line to whoever notes them, and what to announce.
#[derive(Debug)]
pub(crate) struct Announcer {
    pub(crate) line: OwnedFd,
    pub(crate) filter: Filter,
}

/// Whoever will note the programs of a run.
#[derive(Debug)]
pub(crate) struct Witness {
    line: OwnedFd,
}

/// Whoever notes them now.
#[derive(Debug)]
pub(crate) struct Watching {
    stop: Arc<AtomicBool>,
    notes: JoinHandle<Option<Programs>>,
}

impl Witness {
    /// A witness, and what a child has its programs announced by.
    pub(super) fn new() -> io::Result<(Self, Announcer)> {
        // Closed on the other side, it says so: there may be nothing to announce.
        let (line, other) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        Ok((Self { line }, Announcer { line: other, filter: Filter::of_programs() }))
    }

    /// Begins. It has to before the child does: the first program that is announced is what the child becomes, and whoever
    /// starts the child waits for that. `main` is what it becomes; before, nobody may look into it.
    pub(crate) fn start(self, main: Program) -> io::Result<Watching> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let note = move || {
            let listener = doors::receive(&self.line, 1).ok()?.pop()?;
            Some(
                Notes { listener, main: Some(main), found: Programs::default(), last: HashMap::new() }
                    .take(&stopped),
            )
        };
        let notes = thread::Builder::new().name("herm-witness".to_owned()).spawn(note)?;
        Ok(Watching { stop, notes })
    }
}

impl Watching {
    /// What was seen; nothing where nothing could be.
    pub(crate) fn finish(self) -> Option<Programs> {
        self.stop.store(true, Ordering::Relaxed);
        self.notes.join().ok().flatten()
    }
}

/// How often it is looked whether the run is over.
const PULSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// What is being noted.
#[derive(Debug)]
struct Notes {
    listener: OwnedFd,
    main: Option<Program>,
    found: Programs,
    /// What each process became last, with when it began: numbers are given again.
    last: HashMap<u32, (u64, usize)>,
}

impl Notes {
    /// Goes on until nobody is left who could start anything, or it is told to stop.
    fn take(mut self, stop: &AtomicBool) -> Programs {
        loop {
            let mut wanted = [PollFd::new(&self.listener, PollFlags::IN)];
            let ready = poll(&mut wanted, Some(&PULSE));
            let [flags] = wanted.map(|one| one.revents());
            let is_over = flags.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL);
            match ready {
                Ok(_) if flags.contains(PollFlags::IN) && self.hear().is_err() => return self.found,
                Ok(_) if flags.contains(PollFlags::IN) => {}
                Ok(_) | Err(rustix::io::Errno::INTR) if !is_over && !stop.load(Ordering::Relaxed) => {}
                Ok(_) | Err(_) => return self.found,
            }
        }
    }

    /// An error when nothing will be announced any more.
    fn hear(&mut self) -> rustix::io::Result<()> {
        let Some(announced) = next(&self.listener)? else { return Ok(()) };
        let glance = Glance::at(&announced);
        // What was seen is that process only if it is still there.
        if still_waits(self.listener.as_fd(), &announced) {
            self.note(&announced, glance);
        }
        let_go(&self.listener, &announced);
        Ok(())
    }

    fn note(&mut self, announced: &Announcement, glance: Glance) {
        let program = match glance {
            Glance::Absent => return,
            Glance::Hidden if self.is_main(announced) => match self.main.take() {
                Some(main) => main,
                // The same is looked for in several places.
                None => return,
            },
            Glance::Hidden => Program { path: None, arguments: Vec::new(), is_cut: true, by: None },
            Glance::Seen(program) => program,
        };
        self.main = None;
        self.found.total += 1;
        if self.found.first.len() < MOST {
            let by = self.origin(announced.pid);
            if let Some(Kin { began, .. }) = glance::kin(announced.pid) {
                self.last.insert(announced.pid, (began, self.found.first.len()));
            }
            self.found.first.push(Program { by, ..program });
        }
    }

    /// Whether nobody but the first process can have been announced.
    fn is_main(&self, announced: &Announcement) -> bool {
        self.last.keys().all(|known| *known == announced.pid)
    }

    /// What a process was before, or what the nearest of its ancestors is.
    fn origin(&self, pid: u32) -> Option<usize> {
        let mut ancestor = pid;
        for _ in 0..GENERATIONS {
            let Kin { parent, began } = glance::kin(ancestor)?;
            match self.last.get(&ancestor) {
                Some((known, program)) if *known == began => return Some(*program),
                Some(_) | None => ancestor = parent,
            }
        }
        None
    }
}

/// How far back it is looked for who started something.
const GENERATIONS: usize = 8;
