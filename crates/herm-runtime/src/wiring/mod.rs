//! Which agents are there, and whether they ask herm: their files are found, changed, kept and given back here.
//!
//! What a file should say is `herm_adapters::wiring`'s business. Here it is read as it lies, its original is kept in herm's home
//! before anything changes, and it is replaced as a whole: whoever reads it meanwhile sees the old one or the new one.

mod ground;
mod kept;
mod places;
mod plan;
mod problem;
mod restore;
mod write;

#[cfg(test)]
mod tests;

pub use herm_adapters::Agent;
pub use herm_adapters::wiring::{Purpose, Scope, wiring};
pub use places::{Found, Places};
pub use plan::{Change, Plan, Step};
pub use problem::Problem;
pub use restore::{Restoration, tidy};

use std::path::{Path, PathBuf};

/// The files in which herm has told agents to ask it: this person's, and the machine's.
pub(crate) fn wired(guard: &Path) -> Vec<PathBuf> {
    [guard, Path::new(MACHINE)].iter().flat_map(|keeping| kept::Shelf::at(keeping).files()).collect()
}

/// Where the originals of the machine's files are kept.
const MACHINE: &str = "/var/lib/herm";
