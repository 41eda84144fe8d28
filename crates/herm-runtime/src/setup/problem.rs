//! Why there is nothing to decide with.

use std::fmt;
use std::path::PathBuf;

use herm::path::NotAbsolute;
use herm::policy::Error;
use herm_sandbox::native::Failure;
use herm_sandbox::workspace;

/// Why there is no engine.
#[derive(Debug)]
pub enum Problem {
    /// A configuration is wrong.
    Config(Error),
    /// Commands cannot be confined here.
    Confinement(Failure),
    /// A configuration is not text, from this line on.
    NotText(PathBuf, usize),
    /// A path on the command line or in the environment is not absolute.
    Path(String, NotAbsolute),
    /// The directory is not one to work in.
    Place(workspace::Refused),
    /// What herm remembers cannot be opened.
    Store(herm_store::Error),
    /// A configuration cannot be read.
    Unreadable(PathBuf),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Confinement(failure) => failure.fmt(f),
            Self::NotText(path, line) => write!(f, "{}:{line}:1: not valid UTF-8", path.display()),
            Self::Path(what, error) => write!(f, "cannot use {what}: {error}"),
            Self::Place(refused) => refused.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Unreadable(path) => write!(f, "cannot read `{}`", path.display()),
        }
    }
}

impl std::error::Error for Problem {}

impl Problem {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Config(error) => error.hint(),
            Self::Confinement(failure) => Some(failure.hint().to_owned()),
            Self::NotText(..) => Some("save the file as UTF-8".to_owned()),
            Self::Path(..) => Some("begin it with `/`".to_owned()),
            Self::Place(refused) => Some(refused.hint().to_owned()),
            Self::Store(error) => error.hint(),
            Self::Unreadable(_) => None,
        }
    }
}
