//! Work that somebody must be left to answer for.

#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

use std::io;
use std::time::Instant;

use crate::sys::warden;

/// Does `work` in a process of its own, and hands back what it returned; `None` when that process panicked, overflowed its stack, was
/// killed, or was not done at `end`.
///
/// This is for whoever must say no in any case: an agent whose hook crashes runs the tool. To be called before there are
/// threads.
///
/// # Errors
/// When no process can be started. Nothing was done then.
pub fn guarded(end: Instant, work: impl FnOnce() -> Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    warden::guarded(end, work)
}
