//! Bounds of a group of version 1.

use std::io;
use std::path::Path;

use super::{Bound, files};

/// Holds the group at `path` to a bound.
pub(super) fn hold(path: &Path, bound: Bound, value: u64) -> io::Result<()> {
    let set = |file: &str, value: u64| files::write(&path.join(file), &value.to_string());
    match bound {
        Bound::Memory => {
            set("memory.limit_in_bytes", value)?;
            // Where swap is not counted, it is not used either, if that can be helped.
            let swap = set("memory.memsw.limit_in_bytes", value);
            let _ = swap.or_else(|_| set("memory.swappiness", 0));
            Ok(())
        }
        Bound::Processes => set("pids.max", value),
        Bound::Processor => {
            set("cpu.cfs_period_us", PERIOD)?;
            set("cpu.cfs_quota_us", quota(value))
        }
        Bound::FileSize | Bound::OpenFiles | Bound::ProcessorTime => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// How long a share is counted over, in microseconds.
pub(super) const PERIOD: u64 = 100_000;

/// The share of a period, for thousandths of a processor. The kernel takes no less than a millisecond.
pub(super) fn quota(thousandths: u64) -> u64 {
    thousandths.saturating_mul(PERIOD / 1000).max(1000)
}
