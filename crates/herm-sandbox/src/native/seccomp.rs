//! Which system calls a confined program may make.
//!
//! The other layers decide what a program can name: files, processes, addresses. This one decides which parts of the kernel
//! it can speak to at all, and is the only one that covers what has no name: keyrings, a terminal's input queue, rings of
//! requests that no other filter sees, and code of the kernel that few use and many have broken.
//!
//! It names what is permitted. What is refused on purpose gets `EPERM`; what is unknown gets `ENOSYS`, as from an older
//! kernel, so that libraries fall back to what they did before. A program that speaks in another ABI is killed: its
//! numbers mean other calls.

mod assemble;
mod inspect;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;

use libc::sock_filter;

pub(crate) use inspect::Modes;

/// Who is to be confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Tools that sandbox themselves: browsers, `bwrap`, rootless containers. They make namespaces of their own and mount
    /// in them, which opens parts of the kernel that are otherwise closed. What they may do there is limited by the user
    /// namespace they are in. Landlock rules on files refuse every mount, so they cannot be used along with this.
    Nested,
    /// Everybody else.
    #[default]
    Standard,
}

/// A program for the kernel, ready to be installed.
#[derive(Clone)]
pub(crate) struct Filter(Vec<sock_filter>);

impl Filter {
    /// The filter for `profile`.
    pub(crate) fn new(profile: Profile, modes: Modes) -> Self {
        Self(assemble::program(&table::verdicts(profile), modes))
    }

    /// Has every start of a program announced, and decides nothing else.
    pub(crate) fn of_programs() -> Self {
        Self(assemble::announcing(&[libc::SYS_execve, libc::SYS_execveat]))
    }

    /// What the kernel is given.
    pub(crate) fn instructions(&self) -> &[sock_filter] {
        &self.0
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter").field("instructions", &self.0.len()).finish()
    }
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is made.
    Allow,
    /// Its arguments decide.
    Inspect(inspect::Call),
    /// The process is ended.
    Kill,
    /// It fails with this error.
    Refuse(i32),
}
