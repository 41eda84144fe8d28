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
        let_go(&usual);
    }
    started
}

/// Gives back the choice that there was. The kernel remembers what somebody has chosen, and holds to it even when the machine or a container gets
/// more processors; so where there was all that there is, all that there may ever be is chosen.
fn let_go(usual: &CpuSet) {
    let is_usual = sched_setaffinity(None, &every()).and_then(|()| sched_getaffinity(None));
    if is_usual.as_ref() != Ok(usual) {
        let _ = sched_setaffinity(None, usual);
    }
}

fn every() -> CpuSet {
    let mut every = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|cpu| every.set(cpu));
    every
}

#[cfg(test)]
mod tests {
    use super::super::trial::{Outcome, in_child};
    use super::*;

    #[test]
    fn a_child_begins_here_and_the_choice_is_given_back() {
        let outcome = in_child(|| {
            let before = sched_getaffinity(None).unwrap();
            let during = nearby(|| sched_getaffinity(None).unwrap());
            assert_eq!(during.count(), 1, "it begins where this is");
            i32::from(sched_getaffinity(None).unwrap() != before)
        });
        assert_eq!(outcome, Outcome::Returned(0));
    }

    #[test]
    fn whoever_was_given_one_processor_stays_on_it() {
        let outcome = in_child(|| {
            let mut one = CpuSet::new();
            one.set(sched_getcpu());
            sched_setaffinity(None, &one).unwrap();
            nearby(|| ());
            i32::from(sched_getaffinity(None).unwrap() != one)
        });
        assert_eq!(outcome, Outcome::Returned(0));
    }
}
