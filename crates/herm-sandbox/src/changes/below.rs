//! Repositories below a workspace that a run has left there, and that git would obey.
//!
//! Git goes into those that an index names, and whoever goes there has it obey the others. In a try all that was changed is known, so both are found.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::attempt::Try;
use super::compare::{Change, Comparison, Kind};
use super::error::Result;
use super::name::safe;
use super::node::Content;
use super::plan::Side;
use super::snapshot::Snapshot;
use crate::native::below::{
    GIT_LEVERS, HOOKS, MOST_INDEX, MOST_SETTINGS, REPOSITORY, are_plain, is_gits_own, is_obeyed, names_of,
    would_be_obeyed,
};

impl Try {
    /// What was changed in repositories below, and what is named by an index now, that makes git run code; safe to show.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn below(&self, comparison: &Comparison) -> Result<Vec<String>> {
        let mut found = BTreeSet::new();
        let mut bare = None;
        for change in comparison.changes.iter().filter(|change| change.kind != Kind::Touched) {
            let Some(after) = &change.after else { continue };
            let Some((above, below)) = split(&change.path) else {
                if is_of_bare(&change.path) {
                    let standing = match bare.take() {
                        Some(standing) => standing,
                        None => Standing { changes: &comparison.changes, snapshot: self.snapshot()? },
                    };
                    found.extend(
                        self.is_bare_lever(change, &after.content, &standing)?.then(|| change.path.clone()),
                    );
                    bare = Some(standing);
                }
                continue;
            };
            if is_stray(&after.content, &below) {
                found.insert(change.path.clone());
            } else if below == Path::new("index")
                || change.path.ends_with("index") && above.as_os_str().is_empty()
            {
                found.extend(self.named(change, &above, &below)?);
            } else if !above.as_os_str().is_empty() && self.is_lever(change, &after.content, &below)? {
                found.insert(change.path.clone());
            }
        }
        Ok(found.iter().map(|path| safe(path)).collect())
    }

    /// Whether something in a repository makes git run code.
    fn is_lever(&self, change: &Change, content: &Content, below: &Path) -> Result<bool> {
        let is_directory = *content == Content::Directory;
        let is_sample = change.path.extension() == Some(OsStr::new("sample"));
        let mut parts = below.iter().map(OsStr::as_encoded_bytes);
        Ok(match (parts.next(), parts.next()) {
            // What is no directory leads to one.
            (None, _) | (Some(b"hooks"), None) => !is_directory,
            (Some(b"config"), None) if !matches!(content, Content::File { .. }) => true,
            (Some(b"config"), None) => {
                let text = self.bytes(change, Side::After, MOST_SETTINGS)?;
                !text.is_some_and(|text| are_plain(&text))
            }
            (Some(b"hooks"), Some(_)) => !is_sample,
            (Some(b"commondir" | b"config.worktree"), _) => true,
            (Some(b"modules" | b"worktrees"), _) => {
                below.iter().skip(1).any(|part| GIT_LEVERS.iter().any(|lever| part == *lever)) && !is_sample
            }
            (Some(_), _) => false,
        })
    }

    /// Whether something makes git run code in a repository that lies there without a `.git`, or will once that has come to be one.
    fn is_bare_lever(&self, change: &Change, content: &Content, standing: &Standing<'_>) -> Result<bool> {
        let parts: Vec<&OsStr> = change.path.iter().collect();
        for (at, part) in parts.iter().enumerate() {
            let (above, below) = parts.split_at(at);
            let above: PathBuf = above.iter().collect();
            let below: PathBuf = below.iter().collect();
            let has = |name: &&str| standing.has(&above.join(name));
            let is_hook = || HOOKS.iter().any(|hook| below.ends_with(hook));
            let is_one = GIT_LEVERS.iter().any(|lever| part == lever)
                && (REPOSITORY.iter().all(has)
                    || REPOSITORY.iter().any(has) && (*part != "hooks" || is_hook()));
            if is_one && self.is_lever(change, content, &below)? {
                return Ok(true);
            }
            let is_begun = REPOSITORY.iter().any(|name| part == name) && below.iter().count() == 1;
            if is_begun && change.before.is_none() && would_be_obeyed(&self.about.workspace.join(&above)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What an index names that it did not name before, and that git would obey.
    fn named(&self, change: &Change, above: &Path, below: &Path) -> Result<Vec<PathBuf>> {
        let repository = self.about.workspace.join(above).join(".git");
        let names = |side: Side| {
            let bytes = self.bytes(change, side, MOST_INDEX)?;
            Ok(bytes.and_then(|bytes| names_of(&bytes, &repository)))
        };
        let before = if change.before.is_some() { names(Side::Before)? } else { Some(Vec::new()) };
        let (Some(after), Some(before)) = (names(Side::After)?, before) else {
            return Ok(vec![change.path.clone()]);
        };
        let fresh = after.into_iter().filter(|name| !before.contains(name));
        if below != Path::new("index") {
            // It is that of a repository whose files are elsewhere.
            return Ok(fresh.take(1).map(|_| change.path.clone()).collect());
        }
        let obeyed = fresh.filter(|name| is_obeyed(&self.about.workspace.join(above).join(name)));
        Ok(obeyed.map(|name| above.join(name).join(".git")).collect())
    }
}

/// What stands in a workspace after a run.
struct Standing<'a> {
    changes: &'a [Change],
    snapshot: Snapshot,
}

impl Standing<'_> {
    fn has(&self, path: &Path) -> bool {
        match self.changes.binary_search_by(|change| change.path.as_path().cmp(path)) {
            Ok(place) => self.changes.get(place).is_some_and(|change| change.after.is_some()),
            Err(_) => self.snapshot.stamp(path).is_some(),
        }
    }
}

/// Whether a name may be that of a part of a repository that lies there without a `.git`.
fn is_of_bare(path: &Path) -> bool {
    path.iter().any(|part| GIT_LEVERS.iter().chain(&REPOSITORY).any(|name| part == *name))
}

/// Whether git would write somewhere else by it. What was there before is no change.
fn is_stray(content: &Content, below: &Path) -> bool {
    matches!(content, Content::Symlink(said) if !is_gits_own(below.file_name(), said))
}

/// The directory that a repository is in, and where in the repository something is.
fn split(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let parts: Vec<Component<'_>> = path.components().collect();
    let at = parts.iter().position(|part| part.as_os_str() == ".git")?;
    let (above, below) = parts.split_at(at);
    Some((above.iter().collect(), below.iter().skip(1).collect()))
}
