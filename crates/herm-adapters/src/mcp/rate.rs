//! How often something may happen.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How often something may happen in a minute.
#[derive(Debug)]
pub(super) struct Rate {
    most: usize,
    last: VecDeque<Instant>,
}

const MINUTE: Duration = Duration::from_mins(1);

impl Rate {
    pub(super) fn new(most: u32) -> Self {
        Self { most: usize::try_from(most).unwrap_or(usize::MAX), last: VecDeque::new() }
    }

    /// Whether it may happen once more now; if so, it counts.
    pub(super) fn allows(&mut self, now: Instant) -> bool {
        while self.last.front().is_some_and(|first| now.duration_since(*first) >= MINUTE) {
            self.last.pop_front();
        }
        let is_free = self.last.len() < self.most;
        if is_free {
            self.last.push_back(now);
        }
        is_free
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_minute_old_no_longer_counts() {
        let (mut rate, start) = (Rate::new(2), Instant::now());
        let mut at = |seconds| rate.allows(start + Duration::from_secs(seconds));
        assert_eq!([0, 10, 20, 59, 60, 65, 70].map(&mut at), [true, true, false, false, true, false, true]);
    }
}
