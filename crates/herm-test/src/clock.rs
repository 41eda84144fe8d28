//! How long a thread has worked.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time that the processor has given to this thread. However much else the machine does, it is not counted.
#[must_use]
pub fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let part = |part: i64| u64::try_from(part).unwrap_or_default();
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_and_waiting_does_not() {
        let start = worked();
        std::thread::sleep(Duration::from_millis(100));
        let waited = worked().saturating_sub(start);
        assert!(waited < Duration::from_millis(50), "{waited:?}");
        while worked().saturating_sub(start) < Duration::from_millis(5) {
            std::hint::spin_loop();
        }
    }
}
