//! What can go wrong with what is remembered, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::ledger::Flaw;

/// What went wrong, with which file, and what to do about it.
#[derive(Debug)]
pub enum Error {
    /// The file system refused.
    File {
        /// What was being attempted, such as `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// Others could read or change a file that must be private.
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// What was to be exported could not be delivered.
    Output(io::Error),
    /// The operating system has no random numbers.
    Random(getrandom::Error),
    /// The ledger is not what it was; nothing is added to it.
    Tampered {
        /// The directory of the ledger.
        path: PathBuf,
        /// What was found first.
        flaw: Flaw,
    },
    /// A record is longer than a record may be.
    TooLarge {
        /// Its length in bytes.
        length: usize,
        /// The most that is taken.
        limit: usize,
    },
    /// A record could be written but not read again, because it is nested too deeply.
    TooDeep,
}

impl Error {
    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { doing, path: path.to_owned(), source }
    }

    /// What to do about it, where there is something to say.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::File { path, source, .. } => file_hint(path, source.kind()),
            Self::Exposed { path, .. } => {
                Some(format!("`chmod go= {}` makes it private again", path.display()))
            }
            Self::Output(_) | Self::Random(_) => None,
            Self::Tampered { path, .. } => Some(format!(
                "`herm audit verify` says what is left; move `{}` away to keep it and begin a new ledger",
                path.display()
            )),
            Self::TooLarge { .. } | Self::TooDeep => Some("record less of it".to_owned()),
        }
    }
}

fn file_hint(path: &Path, kind: io::ErrorKind) -> Option<String> {
    use io::ErrorKind as Kind;
    let place = path.parent().unwrap_or(path).display();
    if matches!(kind, Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge) {
        Some(format!("make room where `{place}` is"))
    } else if matches!(kind, Kind::ReadOnlyFilesystem | Kind::PermissionDenied) {
        Some(format!("make `{place}` writable, or set HERM_HOME to a directory that is"))
    } else {
        None
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { doing, path, source } => write!(f, "cannot {doing} `{}`: {source}", path.display()),
            Self::Exposed { path, mode } => {
                write!(f, "`{}` is open to others (mode {mode:03o})", path.display())
            }
            Self::Output(source) => write!(f, "cannot write what was asked for: {source}"),
            Self::Random(source) => write!(f, "cannot make a key: {source}"),
            Self::Tampered { path, flaw } => {
                write!(f, "the ledger in `{}` is damaged: {flaw}", path.display())
            }
            Self::TooLarge { length, limit } => {
                write!(f, "the record is {length} bytes long, and {limit} are the most")
            }
            Self::TooDeep => f.write_str("the record is nested too deeply"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } | Self::Output(source) => Some(source),
            Self::Random(source) => Some(source),
            Self::Exposed { .. } | Self::Tampered { .. } | Self::TooLarge { .. } | Self::TooDeep => None,
        }
    }
}
