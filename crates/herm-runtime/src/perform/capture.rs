//! What a run prints, on its way to whoever asked.

use std::time::Duration;

use herm::enforcement::{Backend, Measure};
use herm::permit::Order;
use herm_sandbox::changes::safe;
use herm_sandbox::native::{Became, Foreign, SetAside, Statistics, Unkept};
use herm_sandbox::process::{Execution, Output};
use herm_scan::Redactor;

use super::{Audience, Demand, Ending, Mode, Performance, Undelivered, Which};
use crate::gate::Doorkeeper;
use crate::stream::Stream;

/// Both streams of a run.
pub(super) struct Capture<'a, 'k> {
    pub(super) stdout: Stream,
    pub(super) stderr: Stream,
    pub(super) screen: Redactor,
    pub(super) mode: Mode,
    pub(super) audience: &'a mut dyn Audience,
    pub(super) keeper: Option<Doorkeeper<'k>>,
    pub(super) held_up: Duration,
}

impl Output for Capture<'_, '_> {
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

    fn attend(&mut self) {
        self.held_up += self.keeper.as_mut().map_or(Duration::ZERO, Doorkeeper::attend);
    }

    fn held_up(&mut self) -> Duration {
        std::mem::take(&mut self.held_up)
    }
}

impl Capture<'_, '_> {
    /// A piece without the secrets that lie within it.
    fn live(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut safe = Vec::with_capacity(bytes.len());
        self.screen.feed(bytes, &mut safe);
        self.screen.finish(&mut safe);
        safe
    }

    /// What came of it, as whoever asked is told.
    pub(super) fn finish(mut self, execution: &Execution, order: &Order) -> Performance {
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
        notes.extend(self.keeper.as_ref().and_then(Doorkeeper::note));
        notes.extend(execution.statistics.iter().flat_map(shortages));
        notes.extend(execution.set_aside.iter().map(planted));
        notes.extend(execution.foreign.iter().map(foreign));
        notes.extend(execution.unkept.as_deref().map(unkept));
        let survived = |measure: &&Measure| **measure != Measure::ProcessTree || execution.survivors == 0;
        let applied = Backend::Local.measures().iter().filter(survived).chain(&execution.held);
        let ((stdout, loose_out), (stderr, loose_err)) = (self.stdout.finish(), self.stderr.finish());
        Performance {
            ending: execution.ending,
            duration: execution.duration,
            stdout,
            stderr,
            unredacted: loose_out.zip(loose_err),
            undelivered,
            applied: applied.copied().collect(),
            missed: Vec::new(),
            trial: None,
            connections: Vec::new(),
            set_aside: execution.set_aside.clone(),
            unkept: execution.unkept.clone(),
            programs: execution.programs.clone(),
            interrupted: execution.interrupted,
            keep_failed: None,
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

/// Why something could not be changed that seems to lie in the workspace as everything else.
fn foreign(found: &Foreign) -> String {
    let Foreign { path, owner, workspace } = found;
    format!(
        "`{}` belongs to user {owner}, and the workspace to user {workspace}: inside, it can only be used as that one could",
        path.display()
    )
}

/// What whoever wrote it would look for in vain.
fn unkept(unkept: &Unkept) -> String {
    let named = unkept.paths.iter().map(|path| format!("`{}`", safe(path)));
    let more = (unkept.more > 0).then(|| format!("{} more", unkept.more));
    let told: Vec<_> = named.chain(more).collect();
    format!(
        "written outside of the workspace and not kept: {}; what `sandbox.writable` names in herm's configuration is kept",
        told.join(", ")
    )
}

/// What became of something that makes others run code.
pub(crate) fn planted(found: &SetAside) -> String {
    let path = found.path.display();
    let made = format!("it made `{path}`, which makes programs outside run code");
    match &found.became {
        Became::Aside(aside) => format!("{made}; that is now `{}`", aside.display()),
        Became::Stays => format!("{made}; that could not be set aside, and is still there"),
        Became::Unseen => {
            format!("nobody can look into `{path}`: it may hold what makes programs outside run code")
        }
        Became::Waits => format!("{made}; that is still there, and will be set aside when the shell ends"),
        Became::Disarmed => {
            format!("`{path}` was setuid or setgid and may have been changed; it no longer is")
        }
        Became::Armed => {
            format!("`{path}` is setuid or setgid and may have been changed; that could not be taken from it")
        }
        Became::More(number) => {
            format!("{number} more of what makes programs outside run code is in `{path}`")
        }
    }
}
