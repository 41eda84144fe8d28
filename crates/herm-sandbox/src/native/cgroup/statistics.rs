//! What happened in a group.

use std::path::Path;
use std::time::Duration;

use super::files::number;
use super::{Place, Version};

/// What happened in a group, as far as the kernel counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The most memory that was used at once, in bytes.
    pub peak_memory: Option<u64>,
    /// How often a process was ended for lack of memory.
    pub memory_kills: Option<u64>,
    /// How often no process could be made.
    pub refused_processes: Option<u64>,
    /// How long processes waited because their share of the processor was used up.
    pub throttled: Option<Duration>,
}

impl Statistics {
    pub(super) fn read(places: &[Place]) -> Self {
        places.iter().map(Self::of).fold(Self::default(), Self::or)
    }

    fn of(place: &Place) -> Self {
        match place.version {
            Version::One => Self::one(&place.path),
            Version::Two => Self::two(&place.path),
        }
    }

    fn one(path: &Path) -> Self {
        Self {
            peak_memory: number(&path.join("memory.max_usage_in_bytes"), None),
            memory_kills: number(&path.join("memory.oom_control"), Some("oom_kill")),
            refused_processes: number(&path.join("pids.events"), Some("max")),
            throttled: number(&path.join("cpu.stat"), Some("throttled_time")).map(Duration::from_nanos),
        }
    }

    fn two(path: &Path) -> Self {
        Self {
            peak_memory: number(&path.join("memory.peak"), None),
            memory_kills: number(&path.join("memory.events"), Some("oom_kill")),
            refused_processes: number(&path.join("pids.events"), Some("max")),
            throttled: number(&path.join("cpu.stat"), Some("throttled_usec")).map(Duration::from_micros),
        }
    }

    /// What happened since then. The most memory is that of the whole time.
    pub(crate) fn since(&self, then: &Self) -> Self {
        let more = |now: Option<u64>, then: Option<u64>| now.map(|now| now.saturating_sub(then.unwrap_or(0)));
        let throttled = self.throttled.map(|now| now.saturating_sub(then.throttled.unwrap_or_default()));
        Self {
            peak_memory: self.peak_memory,
            memory_kills: more(self.memory_kills, then.memory_kills),
            refused_processes: more(self.refused_processes, then.refused_processes),
            throttled,
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            peak_memory: self.peak_memory.or(other.peak_memory),
            memory_kills: self.memory_kills.or(other.memory_kills),
            refused_processes: self.refused_processes.or(other.refused_processes),
            throttled: self.throttled.or(other.throttled),
        }
    }
}
