//! What was demanded of the machine, and what holds.

/// What was demanded of the machine for a run, and what holds. The two are kept apart, so that nobody can take the one
/// for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enforcement {
    /// Where it runs.
    pub backend: Backend,
    /// What was demanded.
    pub requested: Vec<Measure>,
    /// What holds.
    pub applied: Vec<Measure>,
}

/// Where commands run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// On this machine, with the rights of the caller: no isolation.
    #[default]
    Local,
    /// On this machine, behind a boundary that the kernel keeps.
    Sandbox,
}

/// Something that is done to keep a command within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// How much of the processors it may use is limited.
    CpuLimit,
    /// How much it may leave in its private places is limited.
    DiskLimit,
    /// What it may do to files is limited by rules, besides what it can see of them.
    FileRules,
    /// How large a file of its may become is limited.
    FileSizeLimit,
    /// Secrets of the caller's environment do not reach it.
    FilteredEnvironment,
    /// It reaches only those whom the policy lets it reach.
    GuardedNetwork,
    /// How much memory it may use is limited.
    MemoryLimit,
    /// It leaves no memory images behind.
    NoCoreDumps,
    /// It reaches nobody over the network.
    NoNetwork,
    /// It has no rights of its own, and no program that it starts can bring it one.
    NoRights,
    /// It owns nothing but what it was given.
    OtherUser,
    /// What is kept of its output is limited, and secrets are taken out.
    OutputLimit,
    /// It sees clocks that began with it.
    PrivateClocks,
    /// It sees the system, its tools and the workspace, and no other files.
    PrivateFiles,
    /// It shares no messages or memory with others.
    PrivateMessages,
    /// It sees names that tell nothing about the machine.
    PrivateNames,
    /// It sees no processes but its own.
    PrivateProcesses,
    /// How many processes it may have is limited.
    ProcessLimit,
    /// Everything it starts ends with it.
    ProcessTree,
    /// It can make no system calls but those that programs need.
    SystemCallFilter,
    /// It ends when its time is over.
    TimeLimit,
}

impl Backend {
    /// The words for all of them.
    pub const WORDS: &'static [&'static str] = &["local", "sandbox"];

    /// The one that a word means.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Self::Local, Self::Sandbox].into_iter().find(|backend| backend.word() == word)
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Sandbox => "sandbox",
        }
    }

    /// What it can enforce.
    #[must_use]
    pub const fn measures(self) -> &'static [Measure] {
        match self {
            Self::Local => &[
                Measure::FilteredEnvironment,
                Measure::NoCoreDumps,
                Measure::OutputLimit,
                Measure::ProcessTree,
                Measure::TimeLimit,
            ],
            Self::Sandbox => &[
                Measure::DiskLimit,
                Measure::FileRules,
                Measure::FileSizeLimit,
                Measure::FilteredEnvironment,
                Measure::MemoryLimit,
                Measure::NoCoreDumps,
                Measure::NoNetwork,
                Measure::NoRights,
                Measure::OtherUser,
                Measure::OutputLimit,
                Measure::PrivateClocks,
                Measure::PrivateFiles,
                Measure::PrivateMessages,
                Measure::PrivateNames,
                Measure::PrivateProcesses,
                Measure::ProcessLimit,
                Measure::ProcessTree,
                Measure::SystemCallFilter,
                Measure::TimeLimit,
            ],
        }
    }
}

impl Measure {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::CpuLimit => "cpu-limit",
            Self::DiskLimit => "disk-limit",
            Self::FileRules => "file-rules",
            Self::FileSizeLimit => "file-size-limit",
            Self::FilteredEnvironment => "filtered-environment",
            Self::GuardedNetwork => "guarded-network",
            Self::MemoryLimit => "memory-limit",
            Self::NoCoreDumps => "no-core-dumps",
            Self::NoNetwork => "no-network",
            Self::NoRights => "no-rights",
            Self::OtherUser => "other-user",
            Self::OutputLimit => "output-limit",
            Self::PrivateClocks => "private-clocks",
            Self::PrivateFiles => "private-files",
            Self::PrivateMessages => "private-messages",
            Self::PrivateNames => "private-names",
            Self::PrivateProcesses => "private-processes",
            Self::ProcessLimit => "process-limit",
            Self::ProcessTree => "process-tree",
            Self::SystemCallFilter => "system-call-filter",
            Self::TimeLimit => "time-limit",
        }
    }
}
