//! What is known of repositories below a workspace by those who see all that a run has changed.

use std::path::{Component, Path, PathBuf};

use herm::git::index::{Counted, Index};

use super::linked::{Found, hash, repository_in};
use super::repository::{exists, is_plain};
use super::settings::are_harmless;

pub(crate) use super::levers::{GIT_LEVERS, HOOKS};
pub(crate) use super::linked::MOST_INDEX;
pub(crate) use super::plain::MOST as MOST_SETTINGS;
pub(crate) use super::strays::is_gits_own;
pub(crate) use super::survey::REPOSITORY;

/// Whether settings make nobody run code.
pub(crate) fn are_plain(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| are_harmless(text, &|_| false))
}

/// What the index of a repository names as others; nothing when that cannot be known.
pub(crate) fn names_of(bytes: &[u8], repository: &Path) -> Option<Vec<PathBuf>> {
    let index = Index::read(bytes, hash(repository), Counted::Links)?;
    let is_below = |name: &PathBuf| name.components().all(|part| matches!(part, Component::Normal(_)));
    let is_all_told = !index.has_nameless_link && index.links.iter().all(is_below);
    is_all_told.then_some(index.links)
}

/// Whether a directory makes git run code, once it is a repository.
pub(crate) fn would_be_obeyed(directory: &Path) -> bool {
    GIT_LEVERS.iter().any(|lever| exists(&directory.join(lever))) && !is_plain(directory, &|_| false)
}

/// Whether there is a repository in a directory that makes git run code.
pub(crate) fn is_obeyed(directory: &Path) -> bool {
    match repository_in(directory) {
        Found::Nothing => false,
        Found::Repository(repository) => !is_plain(&repository, &|_| false),
        Found::Unseen => true,
    }
}
