//! A file of an agent as it lies there.

use std::path::{Path, PathBuf};

use herm_adapters::wiring::Scope;

use super::places::Places;
use super::problem::Problem;
use crate::files::{self, Seen};

/// A file of an agent as it lies there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ground {
    /// Where it really is, behind every link.
    pub(crate) real: PathBuf,
    /// What it holds; nothing when it is not there.
    pub(crate) text: Option<String>,
}

impl Ground {
    /// Looks at a file below `directory`, where the agent keeps its own. A link that stays at home is followed: many keep their
    /// settings elsewhere and link to them.
    pub(crate) fn look(
        places: &Places,
        scope: Scope,
        directory: &Path,
        file: &Path,
    ) -> Result<Self, Problem> {
        let real = files::real(file).ok_or_else(|| Problem::NotRegular(file.to_owned()))?;
        let within = |place: &Path| files::real(place).is_some_and(|place| real.starts_with(place));
        let is_inside = match scope {
            Scope::System => within(directory),
            // Where a variable names the directory, that is where it is.
            Scope::User => within(&places.home) || !directory.starts_with(&places.home) && within(directory),
        };
        if !is_inside {
            return Err(Problem::Outside(file.to_owned(), real));
        }
        let text = match files::read(&real) {
            Seen::Absent => None,
            Seen::Hidden => return Err(Problem::NotRegular(file.to_owned())),
            Seen::Bytes(bytes) => {
                Some(String::from_utf8(bytes).map_err(|_| Problem::NotText(file.to_owned()))?)
            }
        };
        let own = rustix::process::geteuid().as_raw();
        if text.is_some() && files::owner(&real).is_none_or(|(owner, _)| owner != own) {
            return Err(Problem::NotYours(file.to_owned()));
        }
        Ok(Self { real, text })
    }
}
