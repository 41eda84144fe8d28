//! Whether something has changed since a moment, by what nobody can set.
//!
//! The kernel notes when the contents, the name or the rights of a file were last changed, by its own clock, and lets nobody write to that note.

use rustix::fs::Stat;
use rustix::thread::ClockId;
use rustix::time::{Timespec, clock_gettime};

/// A moment, by each of the clocks that matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// That which changes are noted by. It is a little late, but never later than the next note.
    noted: i128,
    real: i128,
    /// That which nobody sets.
    steady: i128,
}

/// What is noted as late as this has changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Since(i128);

impl Start {
    pub(super) fn now() -> Self {
        Self {
            noted: at(ClockId::RealtimeCoarse),
            real: at(ClockId::Realtime),
            steady: at(ClockId::Boottime),
        }
    }

    /// Seen from now: somebody may have set the clock back meanwhile.
    pub(super) fn since(self) -> Since {
        let now = Self::now();
        let set_back = (now.steady - self.steady) - (now.real - self.real);
        Since(self.noted - set_back.max(0))
    }
}

impl Since {
    /// Whether it has changed since, or may have.
    pub(super) fn has_changed(self, found: &Stat) -> bool {
        let rest = i128::from(found.st_ctime_nsec);
        let changed = i128::from(found.st_ctime) * SECOND + rest;
        // Some file systems note no more than seconds, and some every other one.
        let coarse = if rest == 0 { 2 * SECOND } else { 0 };
        changed + coarse >= self.0
    }
}

const SECOND: i128 = 1_000_000_000;

fn at(clock: ClockId) -> i128 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(clock);
    i128::from(tv_sec) * SECOND + i128::from(tv_nsec)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::time::Duration;

    use rustix::fs::stat;

    use super::*;
    use crate::Scratch;

    #[test]
    fn what_is_changed_at_once_has_changed_and_what_was_there_has_not() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let file = scratch.path().join("file");
        std::fs::write(&file, "").unwrap();
        std::thread::sleep(Duration::from_millis(30));
        let start = Start::now();
        assert!(!start.since().has_changed(&stat(&file).unwrap()));
        std::fs::write(&file, "text").unwrap();
        assert!(start.since().has_changed(&stat(&file).unwrap()));
    }

    #[test]
    fn a_clock_that_is_set_back_hides_nothing() {
        let now = Start::now();
        let ahead = Start { noted: now.noted + 60 * SECOND, real: now.real + 60 * SECOND, ..now };
        assert!(ahead.since().0 < now.noted + SECOND, "{ahead:?}");
    }

    #[test]
    fn seconds_are_taken_for_what_they_may_be() {
        let since = Since(100 * SECOND + 5);
        let at = |seconds, rest| {
            let mut found = stat("/").unwrap();
            (found.st_ctime, found.st_ctime_nsec) = (seconds, rest);
            since.has_changed(&found)
        };
        assert_eq!(
            [at(98, 0), at(99, 0), at(99, 999), at(100, 4), at(100, 5)],
            [false, true, false, false, true]
        );
    }
}
