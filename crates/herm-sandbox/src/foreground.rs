//! Who may read from the terminal.

use rustix::process::getpid;

use crate::sys::processes::Process;

/// Whether this process belongs to the group in the foreground of its terminal.
///
/// Said to be false where it cannot be known: a group that began outside of this container has no number in it.
#[must_use]
pub fn is_in_foreground() -> bool {
    Process::find(getpid()).is_some_and(|own| own.group > 0 && own.group == own.foreground)
}
