//! Why a boundary could not be built.

use std::path::PathBuf;
use std::{fmt, io};

use herm::enforcement::Measure;
use rustix::io::Errno;

use super::examine::forbids_namespaces;

/// Why a boundary could not be built. Nothing was run.
#[derive(Debug)]
pub enum Failure {
    /// The workspace belongs to the whole machine, or is somebody's home.
    Everybodys(PathBuf),
    /// Something that must hold does not.
    Lacking(Measure),
    /// The workspace is the home directory, or holds it: nothing would be kept out.
    TooWide(PathBuf),
    /// Nobody can look at all of this that makes others run code.
    Unknowable(PathBuf),
    /// A path cannot be told to the kernel.
    Unspeakable(PathBuf),
    /// The kernel refused.
    Kernel {
        /// What was being done.
        doing: String,
        /// What it said.
        cause: io::Error,
    },
}

impl Failure {
    /// The kernel refused to do something.
    pub(crate) fn kernel(doing: impl Into<String>, cause: impl Into<io::Error>) -> Self {
        Self::Kernel { doing: doing.into(), cause: cause.into() }
    }

    /// Whether it is where the workspace lies that keeps too little out, whatever there is in it.
    #[must_use]
    pub fn is_too_wide(&self) -> bool {
        matches!(self, Self::Everybodys(_) | Self::TooWide(_))
    }

    /// Whether something was used up that the machine has: another program may have done that, and gives it back when it likes.
    #[must_use]
    pub fn is_shortage(&self) -> bool {
        let Self::Kernel { cause, .. } = self else { return false };
        let number = cause.raw_os_error().map(Errno::from_raw_os_error);
        match number {
            Some(Errno::AGAIN | Errno::INTR | Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::USERS) => {
                true
            }
            // So the kernel says that there are too many namespaces, and that there may be none.
            Some(Errno::NOSPC) => !forbids_namespaces(),
            Some(_) | None => false,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Everybodys(_) | Self::TooWide(_) => "start herm in the directory of a project",
            Self::Unknowable(_) => "take away what is too much, or a link that leads in a circle",
            Self::Unspeakable(_) => "rename the directory",
            Self::Kernel { .. } | Self::Lacking(_) => "`herm doctor` says what this machine can enforce",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everybodys(path) => {
                write!(
                    f,
                    "`{}` is no project: too much is shared there to confine anything to it",
                    path.display()
                )
            }
            Self::Lacking(measure) => {
                write!(f, "the sandbox lacks `{}`, which was demanded", measure.word())
            }
            Self::TooWide(path) => {
                write!(
                    f,
                    "`{}` holds the home directory: confined to it, a program could reach all of it",
                    path.display()
                )
            }
            Self::Unknowable(path) => {
                write!(
                    f,
                    "`{}` makes programs outside run code, and cannot be locked by itself",
                    path.display()
                )
            }
            Self::Unspeakable(path) => write!(f, "the name of `{}` cannot be used", path.display()),
            Self::Kernel { doing, cause } => write!(f, "the sandbox cannot {doing}: {cause}"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Kernel { cause, .. } => Some(cause),
            Self::Everybodys(_)
            | Self::Lacking(_)
            | Self::TooWide(_)
            | Self::Unknowable(_)
            | Self::Unspeakable(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_up_is_told_from_what_there_is_not() {
        let kernel = |number: Errno| Failure::kernel("start", number);
        for used_up in [Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOMEM] {
            assert!(kernel(used_up).is_shortage(), "{used_up:?}");
        }
        for absent in [Errno::PERM, Errno::NOSYS, Errno::INVAL] {
            assert!(!kernel(absent).is_shortage(), "{absent:?}");
        }
        assert_eq!(kernel(Errno::NOSPC).is_shortage(), !forbids_namespaces());
        assert!(!Failure::TooWide("/".into()).is_shortage());
    }
}
