//! Files that may not grow any more.

#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

use std::io;

use crate::sys::signals;

/// Makes a write past the limit for the size of files an error, where it would end this process.
///
/// Whoever keeps a record must get to say that nothing more could be recorded. What is run finds the signal as it is by default.
///
/// # Errors
/// When the kernel does not know of it.
pub fn survive_outgrown_files() -> io::Result<()> {
    signals::ignore_outgrown()
}
