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
        })
    }
}
