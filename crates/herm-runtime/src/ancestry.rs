//! Who descends from whom.
//!
//! A process that asks must not answer itself, nor may anything it started. The kernel says who a peer is; the rest
//! is read from `/proc`. What starts a new session *and* leaves its parent is lost to sight, unless a `herm run`
//! stands above it: that one adopts orphans, and is known by a name that nobody else can give it.

use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::time::{ClockId, clock_gettime};

use crate::files;

/// The name that a process takes when it runs commands for others.
pub const RUNNER: &str = "herm-run";

/// The name that a process takes behind which a whole agent runs, with hooks of its own that ask herm.
pub const DOOR: &str = "herm-door";

/// How far up a family is followed.
const GENERATIONS: usize = 128;

/// A process, told apart from a later one with the same number by when it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it started, in ticks since the machine did.
    pub started: u64,
}

/// What `/proc` says about a process.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Status {
    process: Process,
    name: String,
    parent: u32,
    session: u32,
}

/// A process and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Family {
    line: Vec<Status>,
}

impl Family {
    /// The family of a process that is alive; empty when it is not.
    #[must_use]
    pub fn of(pid: u32) -> Self {
        let mut line: Vec<Status> = Vec::new();
        let mut next = pid;
        while let Some(status) = status(next).filter(|_| next > 0 && line.len() < GENERATIONS) {
            next = status.parent;
            line.push(status);
        }
        Self { line }
    }

    /// The process and its ancestors within its own session: the terminal or the daemon it belongs to.
    #[must_use]
    pub fn household(&self) -> Vec<Process> {
        let session = self.line.first().map_or(0, |own| own.session);
        let mut household: Vec<_> = self
            .line
            .iter()
            .take_while(|status| status.session == session)
            .map(|status| status.process)
            .collect();
        if let Some(leader) = status(session).filter(|leader| !household.contains(&leader.process)) {
            household.push(leader.process);
        }
        household
    }

    /// Whether a `herm run` stands above it, or a door behind which an agent runs.
    #[must_use]
    pub fn is_guarded(&self) -> bool {
        self.line.iter().skip(1).any(Status::is_ours)
    }

    /// Whether a `herm run` stands above it.
    #[must_use]
    pub fn is_run(&self) -> bool {
        self.line.iter().skip(1).any(|status| status.name == RUNNER)
    }

    /// Why this process may not answer what `household` asks; nothing when it may.
    #[must_use]
    pub fn objection(&self, household: &[Process]) -> Option<&'static str> {
        let Some(own) = self.line.first() else { return Some("it is gone") };
        if self.line.iter().any(Status::is_ours) {
            return Some("it was started by `herm run`");
        }
        if self.line.iter().any(|status| household.contains(&status.process)) {
            return Some("it was started by what asks");
        }
        let same_session = household.iter().any(|process| process.pid == own.session);
        same_session.then_some("it belongs to the terminal that asks; answer there, or from another one")
    }
}

impl Status {
    fn is_ours(&self) -> bool {
        [RUNNER, DOOR].contains(&self.name.as_str())
    }
}

/// Whether this process was started by a `herm run`, or behind a door.
#[must_use]
pub fn is_guarded() -> bool {
    Family::of(std::process::id()).is_guarded()
}

/// Whether this process was started by a `herm run`. The hooks of an agent behind a door are as its user has them.
#[must_use]
pub fn is_run() -> bool {
    Family::of(std::process::id()).is_run()
}

/// Makes this process known as one behind which an agent runs.
pub(crate) fn become_door() {
    // As below.
    let _ = rustix::thread::set_name(c"herm-door");
}

/// Makes this process known as one that runs commands for others.
pub(crate) fn become_runner() {
    // Without the name, what it runs could answer questions only if it also left its session and its family.
    let _ = rustix::thread::set_name(c"herm-run");
}

/// The name of the session that this process belongs to: that of its terminal or daemon.
#[must_use]
pub fn session() -> String {
    let household = Family::of(std::process::id()).household();
    household.last().map_or_else(String::new, |leader| format!("terminal-{}-{}", leader.pid, leader.started))
}

/// When the agent began whose hook this process is: the first above it that is neither herm nor a shell that only starts it.
#[must_use]
pub(crate) fn agent_started() -> Option<SystemTime> {
    let family = Family::of(std::process::id());
    let is_between = |name: &str| name.starts_with("herm") || SHELLS.contains(&name);
    let agent = family.line.iter().skip(1).find(|status| !is_between(&status.name))?;
    let now = clock_gettime(ClockId::Boottime);
    let up = Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?);
    let age = up.checked_sub(Duration::from_millis(agent.process.started.checked_mul(TICK)?))?;
    SystemTime::now().checked_sub(age)
}

/// What agents start hooks by.
const SHELLS: [&str; 6] = ["bash", "dash", "env", "ksh", "sh", "zsh"];

/// In milliseconds; Linux tells programs of no other.
const TICK: u64 = 10;

fn status(pid: u32) -> Option<Status> {
    let text = files::text(Path::new(&format!("/proc/{pid}/stat")))?;
    // The name stands in parentheses and may hold anything, parentheses too.
    let (front, rest) = text.rsplit_once(") ")?;
    let name = front.split_once('(')?.1.to_owned();
    let mut fields = rest.split(' ').skip(1);
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    let started = fields.nth(15)?.parse().ok()?;
    Some(Status { process: Process { pid, started }, name, parent, session })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_a_family_that_ends_at_the_first() {
        let family = Family::of(std::process::id());
        assert_eq!(family.line.first().map(|own| own.process.pid), Some(std::process::id()));
        assert!(family.line.len() > 1);
        assert!(family.line.windows(2).all(|pair| pair[0].parent == pair[1].process.pid));
    }

    #[test]
    fn nobody_answers_for_itself() {
        let own = Family::of(std::process::id());
        assert!(own.objection(&own.household()).is_some());
    }

    #[test]
    fn a_stranger_may_answer() {
        let own = Family::of(std::process::id());
        let elsewhere = [Process { pid: u32::MAX, started: 1 }];
        assert_eq!(own.objection(&elsewhere), None);
    }

    #[test]
    fn who_is_gone_may_not() {
        assert!(Family::of(u32::MAX).objection(&[]).is_some());
    }
}
