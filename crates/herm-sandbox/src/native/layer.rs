//! What a boundary is made of.

/// One layer of a boundary. Each keeps something out that no other one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// A namespace of control groups: where it stands among those of the machine is not told.
    ControlGroups,
    /// Control groups: how much of the machine it may use, all of it together.
    Groups,
    /// Rules for what may be done to files, besides what can be seen of them.
    Files,
    /// A namespace for messages and shared memory.
    Messages,
    /// A namespace of host names.
    Names,
    /// A namespace of networks, with nothing in it but a loopback of its own.
    Network,
    /// A namespace of processes: others are not seen, and all end with the first.
    Processes,
    /// Rights are given up for good.
    Rights,
    /// Limits that the kernel keeps for each process.
    Limits,
    /// A namespace of clocks: how long the machine has been running is not told.
    Clocks,
    /// A filter of system calls.
    SystemCalls,
    /// A namespace of users; for root, becoming somebody else.
    Users,
    /// A file system of its own.
    View,
}

impl Layer {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Clocks,
        Self::ControlGroups,
        Self::Files,
        Self::Groups,
        Self::Limits,
        Self::Messages,
        Self::Names,
        Self::Network,
        Self::Processes,
        Self::Rights,
        Self::SystemCalls,
        Self::Users,
        Self::View,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clocks => "clocks",
            Self::ControlGroups => "control-groups",
            Self::Files => "files",
            Self::Groups => "groups",
            Self::Limits => "limits",
            Self::Messages => "messages",
            Self::Names => "names",
            Self::Network => "network",
            Self::Processes => "processes",
            Self::Rights => "rights",
            Self::SystemCalls => "system-calls",
            Self::Users => "users",
            Self::View => "view",
        }
    }
}
