//! What kind of place a path is.
//!
//! [`resolve`] makes a path out of a word; what is known about well-known places is data, in `table`.

mod behind;
mod beneath;
mod classify;
mod component;
mod index;
mod physical;
mod resolve;
mod table;
#[cfg(test)]
mod tests;
mod twins;

pub use behind::{behind_pattern, through_pattern};
pub(crate) use beneath::beneath;
pub use beneath::{kept_beneath, takes_hidden};
pub(crate) use component::{EVERY_FILE, LISTED, WALK};
pub use physical::{climbing, physical, within};
pub use resolve::resolve;
pub(crate) use twins::twins;
pub use twins::well_known;

use crate::bits::bits;

bits! {
    /// What a path is, as a fact about machines: no opinion whether touching it is good.
    Places: u32 {
        /// The root directory itself, or everything in it.
        ROOT = 0, "the root directory";
        /// A directory the system cannot live without, itself or everything in it: `/etc`, `/usr`, `/var/lib`.
        SYSTEM_DIR = 1, "a system directory";
        /// Somewhere below a system directory.
        SYSTEM = 2, "a system path";
        /// Below `/etc` or another place of system configuration.
        SYSTEM_CONFIG = 3, "system configuration";
        /// A person's home directory itself, everything in it, or all of `/home`.
        HOME = 4, "a home directory";
        /// Below a home directory.
        IN_HOME = 5, "in a home directory";
        /// Keys, tokens, password files, wallets, browser profiles.
        CREDENTIAL = 6, "credentials";
        /// Below `~/.ssh` or `/etc/ssh`.
        SSH = 7, "SSH configuration";
        /// Read by shells when they start.
        SHELL_STARTUP = 8, "a shell startup file";
        /// Makes code run later: cron, systemd, autostart, login items, git hooks.
        PERSISTENCE = 9, "a place that starts programs";
        /// This guard's, Hermes' or another agent's own configuration and state.
        GUARD = 10, "the guard's own files";
        /// A disk or partition.
        BLOCK_DEVICE = 11, "a disk";
        /// Kernel controls: `/proc/sys`, `/sys`, `sysrq-trigger`.
        KERNEL = 12, "kernel controls";
        /// Another process's memory or environment, or the machine's memory.
        MEMORY = 13, "memory of processes";
        /// `/tmp`, `/var/tmp`, `$TMPDIR`, `/dev/shm`.
        TEMPORARY = 14, "a temporary directory";
        /// The working directory or below it.
        WORKSPACE = 15, "the workspace";
        /// The working directory itself, or everything in it.
        WORKSPACE_ROOT = 16, "the whole workspace";
        /// A repository's `.git` directory or what is in it.
        GIT_DIR = 17, "a git directory";
        /// `/dev/null`, the terminal, standard streams.
        SINK = 18, "a sink";
        /// A project's environment or configuration file: `.env`, `config.yaml`.
        PROJECT_ENV = 19, "a project's secrets or configuration";
        /// A container engine's control socket.
        CONTAINER_SOCKET = 20, "a container engine's socket";
        /// A parent of the working directory.
        ABOVE_WORKSPACE = 21, "a directory above the workspace";
        /// A directory on the search path for programs.
        PROGRAM_DIR = 22, "a directory of programs";
        /// Sudoers, passwd, shadow, PAM, linker preload: who may do what.
        AUTHORITY = 23, "a file that decides who may do what";
        /// A shell's or a tool's history, which often holds secrets.
        HISTORY = 24, "a history of commands";
        /// An endless source: `/dev/zero`, `/dev/urandom`.
        ENDLESS = 25, "an endless device";
        /// Unknown, and nothing about it is known.
        UNKNOWN = 26, "an unknown path";
        /// Logs, whose loss hides what happened.
        LOG = 27, "a log";
        /// Where herm itself keeps its files, which only whoever started it knows.
        OWN = 28, "herm's own files";
        /// A directory that is read with all that is below it, where credentials are kept.
        ABOVE_CREDENTIALS = 29, "credentials among what is below";
        /// The socket of somebody who does for others what they say: a bus, a multiplexer, an agent of keys, a display.
        CONTROL_SOCKET = 30, "a socket that takes commands";
        /// The terminal of somebody else: what is written there is seen, and taken for what it is not.
        TERMINAL = 31, "another's terminal";
    }
}

/// What the program is that judges, wherever it lies.
pub const GUARDS_PROGRAM: Places = Places::GUARD.and(Places::OWN).and(Places::PROGRAM_DIR);

/// A path that something is done to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathTarget {
    /// How it reads in the source, after expansion: `build/*`, `$dir/x`.
    pub shown: String,
    /// Absolute and normal (no `.`, `..`, `//`, trailing slash) as far as it is known: for [`Extent::Exact`] the whole
    /// path, for [`Extent::Children`] the directory, for the others the known beginning.
    pub path: String,
    /// How much of it is known, and what it covers.
    pub extent: Extent,
    /// What kinds of place it may be. For a path with an unknown part: the worst that its known beginning permits.
    pub places: Places,
}

/// What a path covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// Everything directly inside the directory (`dir/*`).
    Children,
    /// Just this path.
    Exact,
    /// What matches a pattern below the known beginning (`dir/*.o`).
    Pattern,
    /// Something that begins like this; the rest is unknown (`dir/$x`).
    Prefix,
    /// Nothing is known.
    Unknown,
}

impl PathTarget {
    /// Whether losing it, or everything in it, for certain takes the machine or a person's files along: the root, a
    /// system directory, a home.
    #[must_use]
    pub fn is_catastrophic_to_lose(&self) -> bool {
        self.may_be_catastrophic_to_lose() && !matches!(self.extent, Extent::Prefix | Extent::Unknown)
    }

    /// The same, if the unknown part of the path turns out badly: `$dir/*` with `dir` unset.
    #[must_use]
    pub fn may_be_catastrophic_to_lose(&self) -> bool {
        self.places.any(Places::ROOT | Places::SYSTEM_DIR | Places::HOME)
    }
}
