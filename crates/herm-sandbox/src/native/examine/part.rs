//! The parts of a boundary, as people speak of them.

/// Something that a boundary is made of, and that a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A namespace of users.
    Users,
    /// A namespace of mounts, built by the newer calls, and a change of root.
    Mounts,
    /// A namespace of processes.
    Processes,
    /// `/proc` for that namespace.
    ProcessFiles,
    /// A namespace of messages.
    Messages,
    /// A namespace of host names.
    Names,
    /// A namespace of networks.
    Network,
    /// A namespace of control groups.
    ControlGroups,
    /// A namespace of clocks.
    Clocks,
    /// Files of somebody else shown as one's own. Root needs it.
    Owners,
    /// Giving up rights for good.
    Rights,
    /// A filter of system calls.
    SystemCalls,
    /// Rules on files.
    FileRules,
    /// Limits of single processes.
    Limits,
    /// A bound on memory, for all processes together.
    Memory,
    /// A bound on the number of processes.
    ProcessCount,
    /// Handles of processes.
    Handles,
    /// An overlay in memory: toolchains can be changed for one run alone.
    Tools,
    /// An overlay on the disk: large workspaces can be tried.
    Overlay,
    /// A redirect within the namespace of networks.
    Redirect,
}

/// What it means that something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Nothing runs in the sandbox.
    Vital,
    /// Commands run, and the record says what did not hold.
    Expected,
    /// One feature is missing.
    Useful,
}

impl Part {
    /// All of them, in the order in which they are told.
    pub const ALL: &'static [Self] = &[
        Self::Users,
        Self::Mounts,
        Self::Processes,
        Self::ProcessFiles,
        Self::Messages,
        Self::Names,
        Self::Network,
        Self::ControlGroups,
        Self::Clocks,
        Self::Owners,
        Self::Rights,
        Self::SystemCalls,
        Self::FileRules,
        Self::Limits,
        Self::Memory,
        Self::ProcessCount,
        Self::Handles,
        Self::Tools,
        Self::Overlay,
        Self::Redirect,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clocks => "time namespace",
            Self::ControlGroups => "cgroup namespace",
            Self::FileRules => "Landlock",
            Self::Handles => "pidfd",
            Self::Limits => "limits of each process",
            Self::Memory => "memory limit",
            Self::Messages => "ipc namespace",
            Self::Mounts => "mount namespace",
            Self::Names => "uts namespace",
            Self::Network => "network namespace",
            Self::Overlay => "overlay on disk",
            Self::Owners => "idmapped mounts",
            Self::ProcessCount => "process limit",
            Self::ProcessFiles => "/proc of its own",
            Self::Processes => "pid namespace",
            Self::Redirect => "nftables redirect",
            Self::Rights => "no new privileges",
            Self::SystemCalls => "seccomp",
            Self::Tools => "overlay in memory",
            Self::Users => "user namespace",
        }
    }

    /// What it is for.
    #[must_use]
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::Clocks => "clocks begin with the run",
            Self::ControlGroups => "its place among groups is hidden",
            Self::FileRules => "rules on files, under the view",
            Self::Handles => "a process is ended, and never its namesake",
            Self::Limits => "file size, open files",
            Self::Memory => "one bound for all its processes",
            Self::Messages => "no shared memory with others",
            Self::Mounts => "a root of its own, by the mount API of 5.12",
            Self::Names => "a host name of its own",
            Self::Network => "nobody is reached",
            Self::Overlay => "`herm try` on large workspaces",
            Self::Owners => "root runs as somebody who owns nothing",
            Self::ProcessCount => "no fork bombs",
            Self::ProcessFiles => "only its own processes are there",
            Self::Processes => "others are not seen; all end together",
            Self::Redirect => "a guarded way out to the network",
            Self::Rights => "setuid programs give none back",
            Self::SystemCalls => "calls that programs do not need are refused",
            Self::Tools => "toolchains are changed for the run alone",
            Self::Users => "a boundary without special rights",
        }
    }

    /// Whether it is built on another one, so that it cannot be had without.
    pub(super) fn needs(self, other: Self) -> bool {
        match self {
            Self::Users | Self::Handles | Self::Memory | Self::ProcessCount | Self::Owners => false,
            Self::ProcessFiles | Self::FileRules | Self::Tools | Self::Overlay => {
                [Self::Users, Self::Mounts, Self::Processes].contains(&other)
                    || other == Self::ProcessFiles && self != other
            }
            Self::Redirect => [Self::Users, Self::Network].contains(&other),
            Self::Clocks
            | Self::ControlGroups
            | Self::Limits
            | Self::Messages
            | Self::Mounts
            | Self::Names
            | Self::Network
            | Self::Processes
            | Self::Rights
            | Self::SystemCalls => other == Self::Users,
        }
    }

    /// What it means that it is missing.
    #[must_use]
    pub const fn weight(self) -> Weight {
        match self {
            Self::FileRules | Self::Handles | Self::Memory | Self::ProcessCount | Self::Tools => {
                Weight::Expected
            }
            Self::Overlay | Self::Redirect => Weight::Useful,
            Self::Clocks
            | Self::ControlGroups
            | Self::Limits
            | Self::Messages
            | Self::Mounts
            | Self::Names
            | Self::Network
            | Self::Owners
            | Self::ProcessFiles
            | Self::Processes
            | Self::Rights
            | Self::SystemCalls
            | Self::Users => Weight::Vital,
        }
    }
}
