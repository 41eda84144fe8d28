//! What a repository says of the files in it: which it leaves out, and which it has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use herm_shell::world::{Script, Standing, World};

use crate::git::ignore::{Ignore, Kind, Said};
use crate::git::index::{Counted, Hash, Index};

/// The repositories that were looked at.
pub(super) struct Repositories<'a> {
    world: &'a dyn World,
    known: BTreeMap<String, Option<Rc<Repository>>>,
    /// By the path of the file. Nothing where it is not understood.
    ignores: BTreeMap<String, Option<Rc<Ignore>>>,
}

/// A repository.
struct Repository {
    /// What is left out here, but not in every copy of the repository.
    exclude: Rc<Ignore>,
    /// The files that it has.
    names: Rc<[PathBuf]>,
}

impl<'a> Repositories<'a> {
    pub(super) fn new(world: &'a dyn World) -> Self {
        Self { world, known: BTreeMap::new(), ignores: BTreeMap::new() }
    }

    /// The directory of the repository that holds a path; nothing where there is none, or where it is not understood.
    pub(super) fn top_of(&mut self, path: &str) -> Option<String> {
        if path.split('/').any(|name| name.eq_ignore_ascii_case(".git")) {
            return None;
        }
        let mut directory = path;
        while let Some((above, _)) = directory.rsplit_once('/') {
            directory = above;
            match self.world.standing(&format!("{directory}/.git"))? {
                Standing::Absent => {}
                Standing::Directory | Standing::File => {
                    let top = directory.to_owned();
                    return self.repository(&top).map(|_| top);
                }
                Standing::Link | Standing::Other => return None,
            }
        }
        None
    }

    /// Whether it is certain that no repository holds a path.
    pub(super) fn are_none(&self, path: &str) -> bool {
        let mut ends = path.match_indices('/').map(|(end, _)| path.get(..end).unwrap_or_default());
        !path.split('/').any(|name| name.eq_ignore_ascii_case(".git"))
            && ends.all(|above| self.world.standing(&format!("{above}/.git")) == Some(Standing::Absent))
    }

    /// Whether a path below the top of a repository is left out by its rules.
    pub(super) fn leaves_out(&mut self, top: &str, inside: &str, kind: Kind) -> bool {
        self.is_left_out(top, inside, kind).unwrap_or(false) || self.leaves_itself_out(top, inside)
    }

    /// A directory that is left out takes along what is in it; of anything else the rules nearest to it have the first word.
    pub(super) fn is_left_out(&mut self, top: &str, inside: &str, kind: Kind) -> Option<bool> {
        let repository = self.repository(top)?;
        let parts: Vec<&str> = inside.split('/').collect();
        for end in 1..=parts.len() {
            let kind = if end < parts.len() { Kind::Directory } else { kind };
            let mut said = None;
            for start in (0..end).rev() {
                let directory = [&[top], parts.get(..start)?].concat().join("/");
                let ignore = self.ignore(&format!("{directory}/.gitignore"))?;
                said = ignore.says(&parts.get(start..end)?.join("/"), kind);
                if said.is_some() {
                    break;
                }
            }
            let said = said.or_else(|| repository.exclude.says(&parts.get(..end)?.join("/"), kind));
            if said == Some(Said::LeftOut) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether a directory has a file of rules by which all of it is left out, as tools put it there.
    fn leaves_itself_out(&mut self, top: &str, inside: &str) -> bool {
        self.ignore(&format!("{top}/{inside}/.gitignore")).is_some_and(|own| own.leaves_out_everything())
    }

    /// Whether no repository around a path has anything that `is_kept` says of it, given the path from its top and what it has.
    ///
    /// One that was made within another says nothing of what that has.
    pub(super) fn have_none(&mut self, path: &str, is_kept: impl Fn(&str, &Path) -> bool) -> bool {
        let mut rest = path.to_owned();
        let mut is_known = false;
        while self.is_within_a_repository(&rest) != Some(false) {
            let Some(top) = self.top_of(&rest) else { return false };
            let inside = path.strip_prefix(&top).unwrap_or_default().trim_start_matches('/');
            let tracked = self.names(&top);
            if tracked.is_none_or(|names| names.iter().any(|name| is_kept(inside, name))) {
                return false;
            }
            (rest, is_known) = (top, true);
        }
        is_known
    }

    /// Whether a directory above a path looks like a repository, understood or not.
    fn is_within_a_repository(&self, path: &str) -> Option<bool> {
        let mut directory = path;
        while let Some((above, _)) = directory.rsplit_once('/') {
            directory = above;
            if self.world.standing(&format!("{directory}/.git"))? != Standing::Absent {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The names that a repository has, each from its top.
    pub(super) fn names(&mut self, top: &str) -> Option<Rc<[PathBuf]>> {
        self.repository(top).map(|repository| repository.names.clone())
    }

    /// The rules that hold for a repository as a whole, besides those in its directories.
    pub(super) fn exclude(&mut self, top: &str) -> Option<Rc<Ignore>> {
        self.repository(top).map(|repository| repository.exclude.clone())
    }

    /// The rules in a file; none where it is not there.
    pub(super) fn ignore(&mut self, path: &str) -> Option<Rc<Ignore>> {
        if let Some(known) = self.ignores.get(path) {
            return known.clone();
        }
        let read = match self.text(path) {
            Some(Script::Absent) => Some(Ignore::default()),
            Some(Script::Text(text)) => Ignore::read(&text),
            Some(Script::Binary | Script::Hidden) | None => None,
        };
        let read = read.map(Rc::new);
        self.ignores.insert(path.to_owned(), read.clone());
        read
    }

    fn repository(&mut self, top: &str) -> Option<Rc<Repository>> {
        if let Some(known) = self.known.get(top) {
            return known.clone();
        }
        let read = self.read(top).map(Rc::new);
        self.known.insert(top.to_owned(), read.clone());
        read
    }

    fn read(&mut self, top: &str) -> Option<Repository> {
        let (own, common) = self.git_directories(&format!("{top}/.git"))?;
        let Some(Script::Text(settings)) = self.text(&format!("{common}/config")) else { return None };
        let is_there = self.world.standing(&format!("{own}/HEAD")) == Some(Standing::File);
        if !is_there || !are_usual(&settings) {
            return None;
        }
        let exclude = self.ignore(&format!("{common}/info/exclude"))?;
        let index = self.world.bytes(&format!("{own}/index"))?;
        let index = Index::read(&index, Hash::Sha1, Counted::All)?;
        // A repository that has nothing yet does not say what is worth keeping; one whose index is told elsewhere, or in part, says too little.
        let is_whole = index.shared.is_none() && index.folded.is_empty() && !index.has_nameless_link;
        (is_whole && !index.links.is_empty()).then_some(Repository { exclude, names: index.links.into() })
    }

    /// Where a repository keeps what is its own, and what it shares with others that were made of it.
    fn git_directories(&self, git: &str) -> Option<(String, String)> {
        if self.world.standing(git)? == Standing::Directory {
            return Some((git.to_owned(), git.to_owned()));
        }
        // A submodule has no such file beside its settings.
        let Some(Script::Text(text)) = self.text(git) else { return None };
        let own = text.strip_prefix("gitdir: ")?.trim_end().to_owned();
        let Some(Script::Text(common)) = self.text(&format!("{own}/commondir")) else { return None };
        let is_usual = own.starts_with('/') && common.trim_end() == "../..";
        let (above, _) = own.rsplit_once('/').filter(|_| is_usual)?;
        let (common, worktrees) = above.rsplit_once('/')?;
        (worktrees == "worktrees").then(|| (own.clone(), common.to_owned()))
    }

    /// The text of a file that is one itself: what a link leads to, git does not read.
    fn text(&self, path: &str) -> Option<Script> {
        match self.world.standing(path)? {
            Standing::Absent => Some(Script::Absent),
            Standing::File => Some(self.world.script(path)),
            Standing::Directory | Standing::Link | Standing::Other => None,
        }
    }
}

/// Whether a name is that of a path, of something in it, or of something that it is in: another repository, or a file that is not there.
pub(super) fn meets(path: &str, name: &Path) -> bool {
    let (path, name) = (path.as_bytes(), name.as_os_str().as_encoded_bytes());
    let (short, long) = if path.len() <= name.len() { (path, name) } else { (name, path) };
    long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Whether nothing in a repository's settings makes git look elsewhere, or compare names in another way.
fn are_usual(settings: &str) -> bool {
    settings.lines().all(|line| {
        let line = line.trim().to_ascii_lowercase();
        let (section, entry) = match line.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
            Some((section, entry)) => (section, entry),
            None => ("", line.as_str()),
        };
        let (key, value) = entry.split_once('=').unwrap_or((entry, ""));
        !section.trim_start().starts_with("include")
            && match key.trim() {
                "worktree" | "worktreeconfig" | "partialclone" => false,
                "objectformat" => value.trim() == "sha1",
                "ignorecase" | "bare" => value.trim() == "false",
                _ => true,
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_meet_by_whole_parts() {
        let is_met = |path, name| meets(path, Path::new(name));
        assert!(is_met("build", "build") && is_met("build", "build/x") && is_met("sub/build", "sub"));
        assert!(!is_met("build", "build2/x") && !is_met("a/build", "build") && !is_met("build2", "build"));
    }

    #[test]
    fn settings_that_make_git_look_elsewhere() {
        assert!(are_usual(
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[branch \"worktree\"]\n\tmerge = x\n"
        ));
        for settings in [
            "[core]\n\tworktree = /elsewhere\n",
            "[core] worktree=/elsewhere\n",
            "[include]\n\tpath = other\n",
            "[includeIf \"gitdir:~/\"] path = x\n",
            "[core]\n\tignoreCase = true\n",
            "[core]\n\tignorecase\n",
            "[core]\n\tbare = true\n",
            "[extensions]\n\tobjectformat = sha256\n",
            "[extensions]\n\tworktreeConfig = true\n",
        ] {
            assert!(!are_usual(settings), "{settings}");
        }
    }
}
