//! Work that somebody must be left to answer for.

#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

use std::io;
use std::time::Instant;

use crate::sys::warden;

/// Does `work` in a process of its own, and hands back what it says; `None` when that process panicked, overflowed its stack, was
/// killed, or was not done at `end`. Of one that was ended while it spoke, the beginning of what it said may come back: the end must be
/// told by what is said.
///
/// What `work` leaves to be done afterwards is done by that process alone, without its standard streams; nobody waits for it.
///
/// This is for whoever must say no in any case: an agent whose hook crashes runs the tool. To be called before there are
/// threads.
///
/// # Errors
/// When no process can be started, or there are threads already. Nothing was done then.
pub fn guarded<After: FnOnce()>(
    end: Instant,
    work: impl FnOnce() -> (Vec<u8>, After),
) -> io::Result<Option<Vec<u8>>> {
    warden::guarded(end, work)
}
