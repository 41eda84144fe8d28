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
use crate::native::below::{
    GIT_LEVERS, MOST_INDEX, MOST_SETTINGS, are_plain, is_gits_own, is_obeyed, names_of,
};

impl Try {
    /// What was changed in repositories below, and what is named by an index now, that makes git run code; safe to show.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn below(&self, comparison: &Comparison) -> Result<Vec<String>> {
        let mut found = BTreeSet::new();
        for change in comparison.changes.iter().filter(|change| change.kind != Kind::Touched) {
            let (Some(after), Some((above, below))) = (&change.after, split(&change.path)) else { continue };
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
