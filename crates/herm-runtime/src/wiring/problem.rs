//! Why a file of an agent is not changed.

use std::fmt;
use std::io;
use std::path::PathBuf;

use herm_adapters::wiring::Refused;

/// Why a file of an agent is not changed.
#[derive(Debug)]
pub enum Problem {
    /// Somebody has changed it while it was looked at.
    Changed(PathBuf),
    /// It was changed since herm wrote it, and what is herm's in it cannot be told any more.
    Edited(PathBuf),
    /// It cannot be read, written or kept.
    Io(&'static str, PathBuf, io::Error),
    /// It is not text.
    NotText(PathBuf),
    /// It is no regular file of a sensible size, or cannot be looked at.
    NotRegular(PathBuf),
    /// It belongs to somebody else.
    NotYours(PathBuf),
    /// A link leads out of where the agent's files are.
    Outside(PathBuf, PathBuf),
    /// What is written in it cannot be changed safely.
    Refused(PathBuf, Refused),
    /// What herm kept of it is damaged.
    Record(PathBuf),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed(file) => write!(f, "`{}` was changed by somebody else just now", file.display()),
            Self::Edited(file) => {
                write!(f, "`{}` was changed so that herm's part cannot be told from the rest", file.display())
            }
            Self::Io(doing, file, error) => write!(f, "cannot {doing} `{}`: {error}", file.display()),
            Self::NotText(file) => write!(f, "`{}` is not UTF-8", file.display()),
            Self::NotRegular(file) => {
                write!(f, "`{}` is not a file that can be read, or is too large", file.display())
            }
            Self::NotYours(file) => write!(f, "`{}` belongs to somebody else", file.display()),
            Self::Outside(file, to) => {
                write!(
                    f,
                    "`{}` leads to `{}`, which is not where the agent's files are",
                    file.display(),
                    to.display()
                )
            }
            Self::Refused(file, refused) => write!(f, "`{}` is left alone: {refused}", file.display()),
            Self::Record(file) => write!(f, "what herm kept in `{}` is damaged", file.display()),
        }
    }
}

impl std::error::Error for Problem {}

impl Problem {
    /// Whether what stands in the file cannot be understood.
    #[must_use]
    pub const fn is_unreadable(&self) -> bool {
        matches!(
            self,
            Self::NotText(_)
                | Self::NotRegular(_)
                | Self::Refused(
                    _,
                    Refused::Duplicate(_) | Refused::NotPlain | Refused::NotTaken | Refused::Syntax(_)
                )
        )
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Changed(_) => Some("try again"),
            Self::Edited(_) | Self::Record(_) => Some("take herm's part out by hand"),
            Self::Io(_, _, error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Some("this needs the rights of its owner; for the whole machine, those of root")
            }
            Self::NotYours(_) => Some("run herm as its owner"),
            Self::NotText(_) => Some("save the file as UTF-8"),
            Self::Io(..) | Self::NotRegular(_) | Self::Outside(..) | Self::Refused(..) => None,
        }
    }
}
