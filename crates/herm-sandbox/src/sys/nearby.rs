//! Starting a process where one is.

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// Has a child begin on the processor that this process is on. Makes system calls only.
///
/// The kernel likes to put a child elsewhere. If another program keeps that processor busy the child waits for its turn there,
/// while here this process is about to sleep. Where processors cannot be chosen, the kernel's choice is as good as any.
pub(super) fn nearby<T>(start: impl FnOnce() -> T) -> T {
    let usual = sched_getaffinity(None);
    if usual.is_ok() {
        let mut here = CpuSet::new();
        here.set(sched_getcpu());
        let _ = sched_setaffinity(None, &here);
    }
    let started = start();
    if let Ok(usual) = usual {
        let _ = sched_setaffinity(None, &usual);
    }
    started
}
