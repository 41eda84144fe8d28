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
}

/// Something that is done to keep a command within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Secrets of the caller's environment do not reach it.
    FilteredEnvironment,
    /// It leaves no memory images behind.
    NoCoreDumps,
    /// What is kept of its output is limited, and secrets are taken out.
    OutputLimit,
    /// Everything it starts ends with it.
    ProcessTree,
    /// It ends when its time is over.
    TimeLimit,
}

impl Backend {
    /// The words for all of them.
    pub const WORDS: &'static [&'static str] = &["local"];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
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
        }
    }
}

impl Measure {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::FilteredEnvironment => "filtered-environment",
            Self::NoCoreDumps => "no-core-dumps",
            Self::OutputLimit => "output-limit",
            Self::ProcessTree => "process-tree",
            Self::TimeLimit => "time-limit",
        }
    }
}
