//! How the process ends.

use std::process::ExitCode;

use herm::Decision;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The call is allowed, or all went well: 0.
    Allow,
    /// The call is refused, or a check failed: 1.
    Deny,
    /// A person must be asked: 2.
    Ask,
    /// The arguments or the configuration are wrong: 3.
    Usage,
    /// A command was run, and this is its own code.
    Command(u8),
    /// A command was to be run, and herm itself failed: 125.
    Failed,
    /// A command was to be run, and was refused: 126.
    Refused,
}

impl From<&Decision> for Exit {
    fn from(decision: &Decision) -> Self {
        match decision {
            Decision::Allow(_) => Self::Allow,
            Decision::Ask(_) => Self::Ask,
            Decision::Deny(_) => Self::Deny,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Allow => 0,
            Exit::Deny => 1,
            Exit::Ask => 2,
            Exit::Usage => 3,
            Exit::Command(code) => code,
            Exit::Failed => 125,
            Exit::Refused => 126,
        })
    }
}
