//! Numbers that nobody can guess, from the kernel, for a process that may make system calls only.

use rustix::io::{Errno, Result};

use super::mounts::last_error;

/// A number that nobody can guess.
pub(crate) fn number() -> Result<u64> {
    let mut bytes = [0_u8; 8];
    // SAFETY: the kernel writes at most eight bytes to `bytes`, which is as long and lives until the call returns.
    let written = unsafe { libc::syscall(libc::SYS_getrandom, bytes.as_mut_ptr(), bytes.len(), 0) };
    match written {
        8 => Ok(u64::from_ne_bytes(bytes)),
        -1 => Err(last_error()),
        _ => Err(Errno::IO),
    }
}
