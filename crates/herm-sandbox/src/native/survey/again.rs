//! Whether all can still be looked at, once something has run.
//!
//! What is too much to look at keeps anything else from running in a workspace. Whoever made it must not be the one to decide that.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Survey;
use crate::native::levers::LEVERS;
use crate::native::linked::Known;

impl Survey {
    /// Looks once more at how much there is in a workspace, and in the repositories that were there before. What their indexes name is not
    /// looked at: that is done where they are read.
    pub(in crate::native) fn again(root: &Path, history: Option<&Path>, known: &[Known]) -> Self {
        let roots = [Some(root), history].into_iter().flatten().map(Path::to_owned).collect();
        let mut survey = Self { roots, ..Self::default() };
        for name in LEVERS {
            survey.add(&root.join(name));
        }
        let known = known.iter().map(|known| known.repository.clone());
        let first: BTreeSet<_> = survey.own_repositories(root).into_iter().chain(known).collect();
        let mut all = BTreeSet::new();
        for repository in first {
            survey.descend(repository, &mut all, 0);
        }
        for repository in &all {
            survey.examine(repository, root, None);
        }
        survey
    }

    /// What would have to go for all of it to be looked at: the first on the way that `is_new`, among others' repositories or a link; or
    /// the whole directory of those. Nothing where that would take away what was there before.
    pub(in crate::native) fn in_the_way(&self, is_new: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
        let place = self.unknowable.as_ref()?;
        let Some(searched) = &self.shelf else {
            let way: Vec<_> = place.ancestors().filter(|path| self.is_inside(path)).collect();
            let mut links = way.into_iter().rev().filter(|path| path.is_symlink());
            return links.find(|path| is_new(path)).map(Path::to_owned);
        };
        let way: Vec<_> = place.ancestors().take_while(|path| path.starts_with(searched)).collect();
        let new = way.into_iter().rev().find(|path| is_new(path));
        Some(new.unwrap_or(searched).to_path_buf())
    }

    /// The directory of others' repositories that there is too much in.
    pub(in crate::native) fn shelf(&self) -> Option<&Path> {
        self.shelf.as_deref()
    }
}
