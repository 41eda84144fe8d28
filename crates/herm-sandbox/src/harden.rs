//! Keeping this process's own secrets from what it runs.

#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

use std::io;

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// Makes this process's memory and environment unreadable to others of the same user.
///
/// A child gets a filtered environment, but the one that this process was started with stands in `/proc/<pid>/environ`, and
/// its memory in `/proc/<pid>/mem`: without this, a child reads the keys there that it was not given. Afterwards the
/// kernel counts both as root's, and refuses tracing.
///
/// How far that holds:
///
/// - Root, or anybody with `CAP_SYS_PTRACE`, still reads everything. A child that runs as root does.
/// - The parent of this process is out of reach: a shell that exported the keys has them in its own memory.
/// - It lasts until the next `exec`. A fork keeps it, so a child that must be read by its own user, such as one that writes
///   its `uid_map`, has to lift it for itself.
///
/// # Errors
/// When the kernel does not know of it.
pub fn harden() -> io::Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}
