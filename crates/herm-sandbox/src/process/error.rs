//! Why a program could not be started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::{fmt, io};

use crate::native::Failure;

/// Why a program could not be started.
#[derive(Debug)]
pub enum Error {
    /// The working directory cannot be entered.
    Directory {
        /// Which.
        path: PathBuf,
        /// What the kernel said.
        cause: io::Error,
    },
    /// It cannot be confined.
    Confinement(Failure),
    /// No pipe or terminal could be made.
    Connection(io::Error),
    /// The program cannot be executed.
    Program {
        /// Which.
        name: OsString,
        /// What the kernel said.
        cause: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory { path, cause } => write!(f, "cannot work in `{}`: {cause}", path.display()),
            Self::Confinement(failure) => failure.fmt(f),
            Self::Connection(cause) => write!(f, "cannot connect the program: {cause}"),
            Self::Program { name, cause } => write!(f, "cannot run `{}`: {cause}", name.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Directory { cause, .. } | Self::Connection(cause) | Self::Program { cause, .. } => {
                Some(cause)
            }
            Self::Confinement(failure) => Some(failure),
        }
    }
}

impl From<rustix::io::Errno> for Error {
    fn from(errno: rustix::io::Errno) -> Self {
        Self::Connection(errno.into())
    }
}

impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Self {
        Self::Connection(cause)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Confinement(failure)
    }
}
