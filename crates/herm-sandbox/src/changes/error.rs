//! What can go wrong with a try.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why nothing could be compared, kept or taken back. Whatever the reason, the workspace is as it was, or a journal
/// says how to get there: see [`Tries::recover`](super::Tries::recover).
#[derive(Debug)]
pub enum Error {
    /// The workspace is not what the run saw: these paths were changed by somebody else in the meantime.
    Changed(Vec<PathBuf>),
    /// A file that describes the try cannot be read back.
    Damaged(PathBuf),
    /// These paths were edited after the run was kept, and taking it back would lose that.
    Edited(Vec<PathBuf>),
    /// The machine refused.
    Io {
        /// What was being done.
        doing: &'static str,
        /// What it was done to.
        path: PathBuf,
        /// What the machine said.
        cause: io::Error,
    },
    /// The tree has something that cannot be copied or brought back.
    Unfit {
        /// Where it stands.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// This try was not kept, so there is nothing to take back.
    Unkept(String),
    /// What is to be kept is not what was shown.
    Unshown(PathBuf),
    /// There is no such try, or it is not in the state that this asks for.
    Unknown(String),
}

/// What operations on changes answer.
pub type Result<T> = std::result::Result<T, Error>;

/// Says what was being done, and to what.
pub(crate) trait Doing<T> {
    fn doing(self, doing: &'static str, path: &Path) -> Result<T>;
}

impl<T, E: Into<io::Error>> Doing<T> for std::result::Result<T, E> {
    fn doing(self, doing: &'static str, path: &Path) -> Result<T> {
        self.map_err(|cause| Error::Io { doing, path: path.to_owned(), cause: cause.into() })
    }
}

impl Error {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Changed(_) => "run it again, on the workspace as it is now",
            Self::Damaged(_) => {
                "`herm undo --give-up` and its receipt give the try up; the workspace stays as it is"
            }
            Self::Edited(_) => {
                "move what was edited elsewhere and undo again: then what stood there before the run comes back"
            }
            Self::Io { .. } => "see what the machine said, and try again",
            Self::Unfit { .. } => "move it out of the workspace, and run the try again",
            Self::Unkept(_) => {
                "nobody will ask about it any more; it is forgotten by a try of a later day, or at once by `herm undo --give-up` \
                 and its receipt"
            }
            Self::Unshown(_) => "look at the changes again before keeping them",
            Self::Unknown(_) => "`herm undo --list` shows which tries there are",
        }
    }

    /// The paths that stand in the way.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        match self {
            Self::Changed(paths) | Self::Edited(paths) => paths,
            Self::Damaged(path) | Self::Io { path, .. } | Self::Unfit { path, .. } | Self::Unshown(path) => {
                std::slice::from_ref(path)
            }
            Self::Unkept(_) | Self::Unknown(_) => &[],
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed(paths) => {
                write!(f, "the workspace changed while the command ran: {}", Listed(paths))
            }
            Self::Damaged(path) => write!(f, "the try's own file {} cannot be read back", shown(path)),
            Self::Edited(paths) => write!(f, "edited after the run was kept: {}", Listed(paths)),
            Self::Io { doing, path, cause } => write!(f, "cannot {doing} {}: {cause}", shown(path)),
            Self::Unfit { path, what } => write!(f, "{} is {what}", shown(path)),
            Self::Unkept(id) => {
                write!(
                    f,
                    "the try `{}` was neither kept nor discarded: there is nothing to take back",
                    id.escape_debug()
                )
            }
            Self::Unshown(path) => write!(f, "{} is not what was shown", shown(path)),
            Self::Unknown(id) => write!(f, "no such try: `{}`", id.escape_debug()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { cause, .. } => Some(cause),
            Self::Changed(_)
            | Self::Damaged(_)
            | Self::Edited(_)
            | Self::Unfit { .. }
            | Self::Unkept(_)
            | Self::Unshown(_)
            | Self::Unknown(_) => None,
        }
    }
}

/// A path for a person: in backticks, with nothing in it that a terminal obeys or an eye is fooled by.
pub(crate) fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return "the workspace itself".to_owned();
    }
    let whole = super::name::safe(path);
    match whole.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", whole.get(..end).unwrap_or_default()),
        None => format!("`{whole}`"),
    }
}

/// How much of a path a message names.
const SHOWN: usize = 200;

/// A few of many paths.
struct Listed<'a>(&'a [PathBuf]);

/// How many paths a message names.
const NAMED: usize = 5;

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self.0.iter().take(NAMED).map(|path| shown(path)).collect();
        f.write_str(&named.join(", "))?;
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_a_few_paths_and_counts_the_rest() {
        let paths: Vec<PathBuf> = (0..7).map(|n| format!("a{n}").into()).collect();
        let text = Error::Edited(paths).to_string();
        assert_eq!(text, "edited after the run was kept: `a0`, `a1`, `a2`, `a3`, `a4` and 2 more");
    }

    #[test]
    fn a_message_does_not_grow_with_a_path() {
        let deep: PathBuf = std::iter::repeat_n("dé", 2000).collect();
        let text = Error::Unfit { path: deep, what: "too deep" }.to_string();
        assert!(text.chars().count() < 230 && text.ends_with("…` is too deep"), "{text}");
    }

    #[test]
    fn names_are_shown_without_what_a_terminal_obeys() {
        let text = Error::Unshown("a\x1b[2J\nb".into()).to_string();
        assert_eq!(text, "`a\\u{1b}[2J\\nb` is not what was shown");
    }
}
