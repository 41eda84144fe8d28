//! Why nothing was run.

use std::fmt;
use std::io;
use std::path::PathBuf;

use herm_sandbox::process;
use herm_shell::Lang;

/// Why nothing was run.
#[derive(Debug)]
pub enum Error {
    /// The directory of the shell is gone.
    Gone {
        /// Where it was.
        path: PathBuf,
        /// What the kernel says.
        cause: io::Error,
    },
    /// The directory of the shell has another name than when it was judged.
    Moved,
    /// Nobody has said what the sandbox holds.
    NoWorkspace,
    /// The action is not something to run.
    NotExecutable,
    /// It could not be started.
    Process(process::Error),
    /// There is no place for it to work in.
    Scratch(io::Error),
    /// There is no shell that says what it is.
    Shell,
    /// The directory of the shell has a name that is not text.
    Unnameable,
    /// A shell that goes on cannot be tried.
    Untriable,
    /// There is no interpreter for its language.
    Unsupported(Lang),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone { path, cause } => {
                write!(f, "the shell cannot go on in `{}`: {cause}; nothing was run", path.display())
            }
            Self::Moved => f.write_str("the directory of the shell has changed meanwhile; nothing was run"),
            Self::NoWorkspace => f.write_str("there is no workspace to confine it to"),
            Self::NotExecutable => f.write_str("only commands and code can be run"),
            Self::Process(error) => error.fmt(f),
            Self::Scratch(error) => write!(f, "cannot make a temporary directory: {error}"),
            Self::Shell => f.write_str("there is no bash that can be used"),
            Self::Unnameable => f.write_str("the directory of the shell has a name that is not UTF-8"),
            Self::Untriable => f.write_str("it cannot be tried here: nothing stands in for the workspace"),
            Self::Unsupported(lang) => write!(f, "cannot run {} code", lang.name()),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What to do about a boundary that cannot be built, or a directory that is gone.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Process(process::Error::Confinement(failure)) => Some(failure.hint()),
            Self::Gone { .. } => Some(DEPART),
            Self::Moved
            | Self::NoWorkspace
            | Self::NotExecutable
            | Self::Process(_)
            | Self::Scratch(_)
            | Self::Shell
            | Self::Unnameable
            | Self::Untriable
            | Self::Unsupported(_) => None,
        }
    }
}

/// How a shell gets out of a directory that is gone.
pub(crate) const DEPART: &str = "begin with `cd` and an absolute path, written out";
