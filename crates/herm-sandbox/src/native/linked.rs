//! Repositories that git goes into from another one.
//!
//! An index names some directories as repositories of their own. Whoever asks git about the one around them has it look into each,
//! and there it obeys what is written: settings and hooks. Those that were there before are locked like all of the workspace's. One that has come to be since,
//! or that was named since, must be as git makes it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use herm::git::index::{Counted, Hash, Index};

use super::entries::entries;
use super::plain::{self, Contents, Links, line};
use super::repository::is_plain;
use super::survey::is_repository;
use super::worktrees;

/// A repository that was there before anything ran, and where its files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where it keeps itself.
    pub repository: PathBuf,
    /// Where its files are.
    pub worktree: PathBuf,
    index: Stamp,
    /// Whether its index names others, or leaves it to other files to do so, or is too young to be known by its stamp.
    names_others: bool,
}

/// What tells whether a file is still the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp(Option<[i128; 5]>);

impl Stamp {
    #[expect(clippy::disallowed_methods, reason = "whether a file has changed, only the file system knows")]
    pub(super) fn of(repository: &Path) -> Self {
        let found = std::fs::metadata(repository.join("index")).ok();
        Self(found.map(|found| {
            let moment = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
            [
                i128::from(found.dev()),
                i128::from(found.ino()),
                i128::from(found.size()),
                moment(found.mtime(), found.mtime_nsec()),
                moment(found.ctime(), found.ctime_nsec()),
            ]
        }))
    }

    /// Whether it says nothing about what was changed a moment later: clocks of file systems are coarse.
    fn is_young(self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let is_young =
            |changed: i128| i128::try_from(now.as_nanos()).is_ok_and(|now| changed > now - 2_000_000_000);
        self.0.is_some_and(|[.., changed]| is_young(changed))
    }
}

impl Known {
    /// A repository, and those that it names; nothing in their place where that cannot be known.
    pub(super) fn look(repository: PathBuf, worktree: PathBuf) -> (Self, Option<Vec<PathBuf>>) {
        let stamp = Stamp::of(&repository);
        let named = named(&repository, &worktree);
        let names_others = stamp.is_young() || named.as_ref().is_none_or(|named| !named.is_settled);
        let directories = named.map(|named| named.directories);
        (Self { repository, worktree, index: stamp, names_others }, directories)
    }

    pub(super) fn index(&self) -> Stamp {
        self.index
    }

    pub(super) fn names_others(&self) -> bool {
        self.names_others
    }

    /// Whether nothing can have come to be in it that git would go into.
    fn is_untouched(&self) -> bool {
        !self.names_others && self.index == Stamp::of(&self.repository)
    }
}

/// What a repository names as others.
#[derive(Debug)]
struct Named {
    directories: Vec<PathBuf>,
    /// There are none, and there will be none as long as the index stays the same.
    is_settled: bool,
}

/// The directories that a repository names as others; nothing when that cannot be known.
fn named(repository: &Path, worktree: &Path) -> Option<Named> {
    let bytes = match plain::read(&repository.join("index"), Links::Followed, MOST_INDEX) {
        Contents::Nothing => return Some(Named { directories: Vec::new(), is_settled: true }),
        Contents::TooMuch => return None,
        Contents::Bytes(bytes) => bytes,
    };
    let hash = hash(repository);
    let mut index = Index::read(&bytes, hash, Counted::Links)?;
    if let Some(name) = &index.shared {
        let file = repository.join(format!("sharedindex.{name}"));
        let Contents::Bytes(bytes) = plain::read(&file, Links::Followed, MOST_INDEX) else { return None };
        let counted = if index.has_nameless_link { Counted::All } else { Counted::Links };
        let shared = Index::read(&bytes, hash, counted)?;
        index.links.extend(shared.links);
        index.folded.extend(shared.folded);
    }
    let is_settled = index.links.is_empty() && index.folded.is_empty() && index.shared.is_none();
    let mut directories = Vec::new();
    for link in &index.links {
        directories.push(below(worktree, link)?);
    }
    let mut left = MOST_FOLDED;
    for folded in &index.folded {
        unfold(&below(worktree, folded)?, &mut directories, &mut left)?;
    }
    (directories.len() <= MOST_NAMED).then_some(Named { directories, is_settled })
}

/// More than any index has.
pub(crate) const MOST_INDEX: u64 = 128 << 20;

/// More others than any repository names.
const MOST_NAMED: usize = 100_000;

/// What an index names is below the files of its repository.
fn below(worktree: &Path, name: &Path) -> Option<PathBuf> {
    let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| worktree.join(name))
}

/// The repositories in a directory of which the index does not say what is in it. As a rule it is not there.
#[expect(clippy::disallowed_methods, reason = "what is in a directory, only the file system knows")]
fn unfold(directory: &Path, named: &mut Vec<PathBuf>, left: &mut usize) -> Option<()> {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        *left = left.checked_sub(1)?;
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            if entry.file_name() == ".git" {
                named.push(directory.clone());
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
    Some(())
}

/// More directories than are left of what nobody wants.
const MOST_FOLDED: usize = 4096;

/// How long a repository's names of objects are.
pub(super) fn hash(repository: &Path) -> Hash {
    let common = line(&repository.join("commondir"), Links::Followed);
    let common =
        common.map_or_else(|| repository.to_owned(), |path| repository.join(OsStr::from_bytes(&path)));
    let Contents::Bytes(text) = plain::read(&common.join("config"), Links::Followed, plain::MOST) else {
        return Hash::Sha1;
    };
    let said =
        entries(&text).into_iter().rfind(|one| one.section == "extensions" && one.key == "objectformat");
    if said.is_some_and(|one| one.value.eq_ignore_ascii_case(b"sha256")) { Hash::Sha256 } else { Hash::Sha1 }
}

/// What git finds in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    Repository(PathBuf),
    /// Something that cannot be looked at.
    Unseen,
}

/// The repository that git finds in a directory, wherever it keeps itself.
pub(super) fn repository_in(directory: &Path) -> Found {
    let git = directory.join(".git");
    match real(&git) {
        Ok(real) if real.is_dir() => Found::Repository(real),
        Ok(file) => elsewhere(directory, &file),
        Err(found) => found,
    }
}

fn elsewhere(directory: &Path, file: &Path) -> Found {
    let Some(line) = line(file, Links::Followed) else { return Found::Unseen };
    let Some(path) = line.strip_prefix(b"gitdir: ") else { return Found::Nothing };
    match real(&directory.join(OsStr::from_bytes(path))) {
        Ok(real) => Found::Repository(real),
        Err(found) => found,
    }
}

#[expect(clippy::disallowed_methods, reason = "where a path leads, only the file system knows")]
fn real(path: &Path) -> Result<PathBuf, Found> {
    // Nobody finds what has a name that is too long.
    let is_absent =
        |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename);
    std::fs::canonicalize(path)
        .map_err(|error| if is_absent(error.kind()) { Found::Nothing } else { Found::Unseen })
}

/// What was found that makes git run code.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    known: &'a [Known],
    roots: &'a [PathBuf],
    /// What must go.
    pub(super) planted: BTreeSet<PathBuf>,
    /// How many there are that are not locked.
    pub(super) loose: usize,
}

impl<'a> Walk<'a> {
    /// Looks into everything that git goes into from what was there before.
    pub(super) fn through(known: &'a [Known], roots: &'a [PathBuf]) -> Self {
        let mut walk = Self { known, roots, planted: BTreeSet::new(), loose: 0 };
        for one in known.iter().filter(|one| !one.is_untouched()) {
            walk.enter(&one.repository, &one.worktree, 0);
        }
        for root in roots {
            walk.begin(root);
        }
        for tree in known.iter().flat_map(|one| worktrees(&one.repository)) {
            walk.look(&tree, 0);
        }
        walk
    }

    /// A repository may have come to be where there was none. Whether it stays is decided elsewhere.
    fn begin(&mut self, root: &Path) {
        if let Found::Repository(repository) = repository_in(root)
            && !self.is_known(&repository, root)
        {
            self.enter(&repository, root, 0);
        }
    }

    fn enter(&mut self, repository: &Path, worktree: &Path, depth: usize) {
        match named(repository, worktree) {
            Some(named) => named.directories.iter().for_each(|directory| self.look(directory, depth)),
            None => drop(self.planted.insert(repository.join("index"))),
        }
    }

    fn look(&mut self, directory: &Path, depth: usize) {
        let directory = match real(directory) {
            Ok(real) => real,
            Err(Found::Unseen) => directory.to_owned(),
            Err(Found::Nothing | Found::Repository(_)) => return,
        };
        if !self.is_inside(&directory) {
            // Nobody inside has made what is there.
            return;
        }
        let planted = directory.join(".git");
        match repository_in(&directory) {
            Found::Nothing => {}
            Found::Unseen => drop(self.planted.insert(planted)),
            Found::Repository(repository) if self.is_known(&repository, &directory) => {}
            Found::Repository(repository) => {
                self.loose += 1;
                let is_harmless = depth < DEEPEST
                    && self.loose <= MOST_LOOSE
                    && (self.is_harmless(&repository, &directory) || self.is_linked(&repository, &directory));
                if is_harmless {
                    self.enter(&repository, &directory, depth + 1);
                } else {
                    self.planted.insert(planted);
                }
            }
        }
    }

    /// Whether what leads from a directory to a repository elsewhere has git obey nothing that it would not without it.
    pub(super) fn leads_to_harm(known: &'a [Known], roots: &'a [PathBuf], directory: &Path) -> bool {
        let walk = Self { known, roots, planted: BTreeSet::new(), loose: 0 };
        match repository_in(directory) {
            Found::Nothing => false,
            Found::Unseen => true,
            Found::Repository(repository) => {
                !(walk.is_known(&repository, directory)
                    || walk.is_harmless(&repository, directory)
                    || walk.is_linked(&repository, directory)
                    || walk.is_linked_below(&repository, directory))
            }
        }
    }

    /// It is a worktree of one that lies below, and has no settings of its own.
    fn is_linked_below(&self, repository: &Path, worktree: &Path) -> bool {
        let shared = repository.parent().filter(|above| above.ends_with("worktrees")).and_then(Path::parent);
        let leads_here = || {
            let line = line(&repository.join("gitdir"), Links::Refused)?;
            real(&repository.join(OsStr::from_bytes(&line))).ok()
        };
        let around = self.roots.iter().find(|root| worktree.starts_with(root));
        let is_plain = |around: &PathBuf| worktrees::is_plain(repository, repository, around);
        shared.is_some_and(|shared| self.is_inside(shared) && is_repository(shared))
            && around.is_some_and(is_plain)
            && leads_here().is_some_and(|link| link == worktree.join(".git"))
    }

    fn is_inside(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(root))
    }

    fn is_known(&self, repository: &Path, worktree: &Path) -> bool {
        self.known.iter().any(|known| known.repository == repository && known.worktree == worktree)
    }

    /// It is as git makes one, and its files are where it was found.
    fn is_harmless(&self, repository: &Path, worktree: &Path) -> bool {
        let leads_here = |path: &str| real(&repository.join(path)).is_ok_and(|real| real == worktree);
        self.is_inside(repository) && is_plain(repository, &leads_here) && modules_are_plain(repository)
    }

    /// It is a worktree of one that was there before, and has no settings of its own.
    fn is_linked(&self, repository: &Path, worktree: &Path) -> bool {
        let leads = |name: &str, to: &Path| {
            let path = line(&repository.join(name), Links::Refused);
            path.and_then(|path| real(&repository.join(OsStr::from_bytes(&path))).ok())
                .is_some_and(|real| real == to)
        };
        let is_of = |known: &Known| {
            repository.parent() == Some(&known.repository.join("worktrees"))
                && leads("commondir", &known.repository)
        };
        !exists(&repository.join("config.worktree"))
            && leads("gitdir", &worktree.join(".git"))
            && self.known.iter().any(is_of)
    }
}

/// Where the files of a repository are, beside those that it is known by.
#[expect(clippy::disallowed_methods, reason = "which worktrees there are, only the file system knows")]
fn worktrees(repository: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(repository.join("worktrees")).into_iter().flatten().flatten();
    let place = |entry: std::fs::DirEntry| {
        let link = line(&entry.path().join("gitdir"), Links::Followed)?;
        Some(entry.path().join(OsStr::from_bytes(&link)).parent()?.to_owned())
    };
    listed.take(MOST_LOOSE).filter_map(place).collect()
}

/// More than anybody has made since.
const MOST_LOOSE: usize = 256;

/// Deeper than repositories lie in one another.
const DEEPEST: usize = 10;

fn exists(path: &Path) -> bool {
    path.exists() || path.is_symlink()
}

/// Whether all repositories that one keeps for others are as git makes them.
#[expect(clippy::disallowed_methods, reason = "which there are, only the file system knows")]
fn modules_are_plain(repository: &Path) -> bool {
    let mut waiting = vec![(repository.join("modules"), 0)];
    let mut left = MOST_LOOSE;
    while let Some((directory, depth)) = waiting.pop() {
        if left == 0 || directory.is_symlink() || depth > DEEPEST {
            return false;
        }
        left -= 1;
        if directory.join("HEAD").exists() || exists(&directory.join("config")) {
            // Where its files are is looked at when git goes there.
            if !is_plain(&directory, &|_| true) {
                return false;
            }
            waiting.push((directory.join("modules"), depth + 1));
            continue;
        }
        for entry in std::fs::read_dir(&directory).into_iter().flatten() {
            match entry.map(|entry| entry.path()) {
                Ok(path) if path.is_dir() => waiting.push((path, depth + 1)),
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }
    true
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests have git make files")]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::Scratch;

    fn git(directory: &Path, words: &[&str]) {
        let mut git = Command::new("git");
        git.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", directory).current_dir(directory);
        let ran = git.args(words).output().unwrap();
        assert!(ran.status.success(), "{words:?}: {ran:?}");
    }

    #[test]
    fn an_index_that_leaves_a_part_to_other_files_is_not_known_by_its_stamp() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let (work, repository) = (scratch.path(), scratch.path().join(".git"));
        git(work, &["init", "-q", "."]);
        std::fs::write(work.join("file"), "").unwrap();
        git(work, &["add", "file"]);
        let whole = named(&repository, work).unwrap();
        assert!(whole.is_settled && whole.directories.is_empty());
        git(work, &["update-index", "--split-index"]);
        let split = named(&repository, work).unwrap();
        assert!(!split.is_settled && split.directories.is_empty());
    }
}
