//! The repository around a workspace.
//!
//! A program that works in a part of a repository needs all of it, or git does not find itself. A linked worktree keeps its
//! history elsewhere. What the workspace says about that is not believed: the other side must say so, too.

use std::path::{Path, PathBuf};

use super::Failure;
use super::width::is_everybodys;

/// What must be writable for work in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The repository around it, or just itself.
    pub root: PathBuf,
    /// Where a linked worktree keeps its history.
    pub history: Option<PathBuf>,
}

impl Workspace {
    /// The workspace around a directory. Nothing at or above `home` is taken for a repository.
    ///
    /// # Errors
    /// When the directory itself holds the home directory, or is everybody's: confined to that, a program could reach all of it.
    pub fn around(directory: &Path, home: &Path) -> Result<Self, Failure> {
        let holds_home = |candidate: &Path| home.starts_with(candidate) || candidate.parent().is_none();
        if holds_home(directory) {
            return Err(Failure::TooWide(directory.to_owned()));
        }
        let mut inside = directory.ancestors().take_while(|candidate| !holds_home(candidate));
        let root = inside.find(|candidate| candidate.join(".git").exists()).unwrap_or(directory);
        if is_everybodys(root) {
            return Err(Failure::Everybodys(root.to_owned()));
        }
        Ok(Self { root: root.to_owned(), history: common(root) })
    }

    /// What a program in it could make others run code by, as far as it is there.
    #[must_use]
    pub fn levers(&self) -> Vec<PathBuf> {
        let git = self.root.join(".git");
        let link = git.is_file().then(|| git.clone());
        let repositories = [Some(git), self.history.clone()].into_iter().flatten().flat_map(within);
        let of_git = repositories.flat_map(|one| GIT_LEVERS.map(|name| one.join(name)));
        let own = LEVERS.iter().map(|name| self.root.join(name));
        own.chain(link).chain(of_git).filter(|path| path.exists()).collect()
    }

    /// All that must be writable.
    pub fn writable(&self) -> impl Iterator<Item = &Path> {
        [&self.root].into_iter().chain(&self.history).map(PathBuf::as_path)
    }
}

/// What makes editors and agents outside run code.
const LEVERS: &[&str] = &[".claude", ".codex", ".cursor", ".gemini", ".mcp.json", ".opencode", ".vscode"];

/// What makes git run code: hooks and settings, and what says where else those are.
const GIT_LEVERS: [&str; 4] = ["commondir", "config", "config.worktree", "hooks"];

/// A repository, with those of its worktrees and submodules.
#[expect(clippy::disallowed_methods, reason = "which worktrees there are, only the file system knows")]
fn within(repository: PathBuf) -> Vec<PathBuf> {
    let listed = ["worktrees", "modules"].map(|name| std::fs::read_dir(repository.join(name)));
    let entries = listed.into_iter().flatten().flat_map(|entries| entries.flatten().take(MOST_WITHIN));
    let inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    [repository].into_iter().chain(inner).collect()
}

/// More worktrees or submodules than anybody has.
const MOST_WITHIN: usize = 256;

/// Where the history of a linked worktree is, if both sides say so.
fn common(root: &Path) -> Option<PathBuf> {
    let link = root.join(".git");
    let own = line(&link)?;
    let own = real(&root.join(own.strip_prefix("gitdir: ")?))?;
    let back = line(&own.join("gitdir"))?;
    let shared = real(&own.join(line(&own.join("commondir"))?))?;
    let agrees = real(&own.join(back)) == real(&link);
    let is_history = ["HEAD", "objects", "refs"].iter().all(|name| shared.join(name).exists());
    (agrees && is_history && own.starts_with(&shared)).then_some(shared)
}

#[expect(clippy::disallowed_methods, reason = "what git wrote down is in files")]
fn line(path: &Path) -> Option<String> {
    let size = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    let text = (size <= MOST).then(|| std::fs::read_to_string(path).ok())??;
    Some(text.trim_end_matches('\n').to_owned())
}

#[expect(clippy::disallowed_methods, reason = "where a path leads, only the file system knows")]
fn real(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

/// More than any path has.
const MOST: u64 = 8192;

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use super::*;
    use crate::Scratch;

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn the_whole_repository_is_found_but_never_the_home() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let home = scratch.path();
        put(&home.join(".git/HEAD"), "");
        put(&home.join("project/.git/HEAD"), "");
        fs::create_dir_all(home.join("project/src")).unwrap();
        fs::create_dir_all(home.join("notes")).unwrap();
        let root = |name: &str| Workspace::around(&home.join(name), home).map(|found| found.root);
        assert_eq!(root("project/src").unwrap(), home.join("project"));
        assert_eq!(root("notes").unwrap(), home.join("notes"));
        assert!(matches!(root(""), Err(Failure::TooWide(_))));
        assert!(matches!(root("/"), Err(Failure::TooWide(_))));
    }

    #[test]
    fn a_worktree_is_believed_when_its_history_knows_it() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let home = scratch.path();
        let history = home.join("main/.git");
        for name in ["HEAD", "objects/x", "refs/x"] {
            put(&history.join(name), "");
        }
        put(&history.join("worktrees/w/commondir"), "../..\n");
        put(&history.join("worktrees/w/gitdir"), &format!("{}\n", home.join("w/.git").display()));
        let link = format!("gitdir: {}\n", history.join("worktrees/w").display());
        put(&home.join("w/.git"), &link);
        put(&home.join("thief/.git"), &link);
        let real = fs::canonicalize(&history).unwrap();
        let history = |name: &str| Workspace::around(&home.join(name), home).unwrap().history;
        assert_eq!(history("w"), Some(real));
        assert_eq!(history("thief"), None);
    }

    #[test]
    fn what_makes_git_run_code_is_known_wherever_it_is() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let home = scratch.path();
        for name in
            ["HEAD", "config", "hooks/x", "modules/m/config", "modules/m/hooks/x", "worktrees/w/commondir"]
        {
            put(&home.join("project/.git").join(name), "");
        }
        put(&home.join("project/.vscode/tasks.json"), "");
        put(&home.join("linked/.git"), "gitdir: elsewhere\n");
        let levers = |name: &str| {
            let root = home.join(name);
            let found = Workspace::around(&root, home).unwrap().levers();
            found.iter().map(|path| path.strip_prefix(&root).unwrap().to_owned()).collect::<Vec<_>>()
        };
        let own = [".vscode", ".git/config", ".git/hooks", ".git/worktrees/w/commondir"];
        let inner = [".git/modules/m/config", ".git/modules/m/hooks"];
        assert_eq!(levers("project"), own.into_iter().chain(inner).map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(levers("linked"), [PathBuf::from(".git")]);
    }
}
