//! What can go wrong with what is remembered, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::ledger::Flaw;

/// What went wrong, with which file, and what to do about it.
#[derive(Debug)]
pub enum Error {
    /// Another process holds a file for too long.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A database is damaged. It is never replaced: what was refused must not be forgotten like that.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// A database refused.
    Database {
        /// What was being attempted, such as `open`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: rusqlite::Error,
    },
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
    /// A database was made by a newer version.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: usize,
        /// The latest version that is known here.
        known: usize,
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

    pub(crate) fn database(doing: &'static str, path: &Path) -> impl FnOnce(rusqlite::Error) -> Self {
        move |source| match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Corrupt { path: path.to_owned(), detail: source.to_string() }
            }
            _ => Self::Database { doing, path: path.to_owned(), source },
        }
    }

    /// What to do about it, where there is something to say.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Busy { path } => Some(format!("`fuser {}` shows who holds it", path.display())),
            Self::Corrupt { path, .. } => Some(format!(
                "move `{0}` and the files that begin like it away, to begin without grants and questions; \
                 `sqlite3 {0} .recover` may save some",
                path.display()
            )),
            Self::Database { path, source, .. } => database_hint(path, source),
            Self::File { path, source, .. } => file_hint(path, source.kind()),
            Self::Exposed { path, .. } => {
                Some(format!("`chmod go= {}` makes it private again", path.display()))
            }
            Self::Newer { .. } => Some("use a newer herm, or another HERM_HOME".to_owned()),
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

fn database_hint(path: &Path, source: &rusqlite::Error) -> Option<String> {
    use ErrorCode as Code;
    let code = source.sqlite_error_code()?;
    if matches!(code, Code::DatabaseBusy | Code::DatabaseLocked) {
        Some("another program holds the database; try again when it is done".to_owned())
    } else if code == Code::DiskFull {
        file_hint(path, io::ErrorKind::StorageFull)
    } else if matches!(code, Code::ReadOnly | Code::CannotOpen | Code::PermissionDenied) {
        file_hint(path, io::ErrorKind::PermissionDenied)
    } else {
        None
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { path } => write!(f, "another process holds `{}`", path.display()),
            Self::Corrupt { path, detail } => {
                write!(f, "the database `{}` is damaged: {detail}", path.display())
            }
            Self::Database { doing, path, source } => {
                write!(f, "cannot {doing} the database `{}`: {source}", path.display())
            }
            Self::File { doing, path, source } => write!(f, "cannot {doing} `{}`: {source}", path.display()),
            Self::Exposed { path, mode } => {
                write!(f, "`{}` is open to others (mode {mode:03o})", path.display())
            }
            Self::Newer { path, found, known } => write!(
                f,
                "the database `{}` has version {found}, and {known} is the latest that is known here",
                path.display()
            ),
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
            Self::Database { source, .. } => Some(source),
            Self::File { source, .. } | Self::Output(source) => Some(source),
            Self::Random(source) => Some(source),
            Self::Busy { .. }
            | Self::Corrupt { .. }
            | Self::Exposed { .. }
            | Self::Newer { .. }
            | Self::Tampered { .. }
            | Self::TooLarge { .. }
            | Self::TooDeep => None,
        }
    }
}
