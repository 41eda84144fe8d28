//! Links in a repository by which git writes somewhere else.
//!
//! Git outside writes what a commit is called, what it fetched and where a branch was to plain files of a repository, and follows links there: by one
//! from `logs/HEAD` to a file that a shell reads it writes lines to that which were chosen inside. Git makes no such links itself. So those that were
//! not there before must go, wherever they lead.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::levers::GIT_LEVERS;
use super::trace::Tracer;

/// What is in names of links that were set aside. No branch can be called so, and git has no such names itself: it never writes there.
pub(super) const NEVER_WRITTEN: &str = "..herm-aside-";

/// Which repositories are looked into.
#[derive(Debug, Default)]
pub(super) struct Search {
    repositories: BTreeSet<PathBuf>,
    /// What a program inside can write to.
    roots: Vec<PathBuf>,
}

/// The links in repositories, and what could not be looked at.
#[derive(Debug, Default)]
pub(super) struct Strays {
    links: BTreeMap<PathBuf, Leads>,
    /// What could not be looked into.
    closed: BTreeSet<PathBuf>,
    /// What has more in it than is looked at.
    endless: BTreeSet<PathBuf>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leads {
    said: PathBuf,
    /// Without links on the way; nothing where there are too many of them.
    real: Option<PathBuf>,
}

/// What must go.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Planted {
    pub(super) links: BTreeSet<PathBuf>,
    /// What may hold some.
    pub(super) unseen: BTreeSet<PathBuf>,
}

impl Planted {
    pub(super) fn is_empty(&self) -> bool {
        self.links.is_empty() && self.unseen.is_empty()
    }

    /// What is there both times.
    pub(super) fn also_in(&self, other: &Self) -> Self {
        let links = self.links.intersection(&other.links).cloned().collect();
        Self { links, unseen: self.unseen.intersection(&other.unseen).cloned().collect() }
    }
}

/// Whether there is no link in a repository by which git would write somewhere else.
pub(super) fn has_none(repository: &Path) -> bool {
    in_repository(repository).is_empty()
}

/// The links in a repository by which git would write somewhere else.
pub(super) fn in_repository(repository: &Path) -> Planted {
    let search = Search { repositories: BTreeSet::from([repository.to_owned()]), roots: Vec::new() };
    search.planted(&Strays::default())
}

/// Whether git makes such a link itself: in old repositories `HEAD` leads to a branch.
pub(crate) fn is_gits_own(name: Option<&OsStr>, said: &Path) -> bool {
    let is_below = said.components().all(|part| matches!(part, Component::Normal(_)));
    name == Some(OsStr::new("HEAD")) && said.starts_with("refs") && is_below
}

impl Search {
    /// Looks into those repositories that a program inside can write to.
    pub(super) fn new(known: impl Iterator<Item = PathBuf>, roots: Vec<PathBuf>) -> Self {
        let own = roots.iter().flat_map(|root| [root.clone(), root.join(".git")]);
        let is_one = |path: &PathBuf| !path.is_symlink() && path.join("HEAD").symlink_metadata().is_ok();
        let is_inside = |path: &PathBuf| is_below_any(&roots, path);
        let repositories = own.filter(is_one).chain(known.filter(is_inside)).collect();
        Self { repositories, roots }
    }

    /// The links that are there before anything runs; where there is more than is looked at, if so.
    pub(super) fn before(&self) -> Result<Strays, PathBuf> {
        let found = self.walk(None);
        found.endless.first().cloned().map_or(Ok(found), Err)
    }

    /// What has come to be since.
    pub(super) fn planted(&self, before: &Strays) -> Planted {
        let now = self.walk(Some(before));
        let is_new = |(path, leads): &(&PathBuf, &Leads)| before.links.get(*path) != Some(*leads);
        let links: BTreeSet<_> = now.links.iter().filter(is_new).map(|(path, _)| path.clone()).collect();
        let unseen: BTreeSet<_> =
            now.closed.difference(&before.closed).chain(&now.endless).cloned().collect();
        if links.len() + unseen.len() <= MOST_PLANTED {
            return Planted { links, unseen };
        }
        Planted { links: BTreeSet::new(), unseen: self.gathered(links.iter().chain(&unseen)) }
    }

    /// The parts of repositories that hold something, or the repositories: more than a few are not moved one by one.
    fn gathered<'a>(&self, all: impl Iterator<Item = &'a PathBuf>) -> BTreeSet<PathBuf> {
        let is_part = |above: &&Path| above.parent().is_some_and(|parent| self.repositories.contains(parent));
        let part = |path: &'a PathBuf| path.ancestors().find(is_part).unwrap_or(path).to_owned();
        let parts: BTreeSet<_> = all.map(part).collect();
        if parts.len() <= MOST_PLANTED { parts } else { self.repositories.clone() }
    }

    fn walk(&self, before: Option<&Strays>) -> Strays {
        let mut walk = Walk {
            search: self,
            before,
            found: Strays::default(),
            visited: BTreeSet::new(),
            tracer: Tracer::default(),
        };
        self.repositories.iter().for_each(|repository| walk.begin(repository));
        walk.found
    }

    /// Whether a directory is one of those that hold very many files and no name that git would follow: it makes each of them anew.
    fn is_of_a_store(&self, directory: &Path) -> bool {
        let is_in = |store: &str| {
            let above = directory.parent().filter(|above| above.ends_with(store));
            let repository = above.and_then(|above| above.ancestors().nth(Path::new(store).iter().count()));
            repository.is_some_and(|repository| self.repositories.contains(repository))
        };
        let is_written = KEPT.iter().any(|kept| directory.ends_with(kept));
        !is_written && STORES.iter().any(|store| is_in(store))
    }
}

const STORES: [&str; 3] = ["annex/objects", "lfs/objects", "objects"];

/// What git writes to by name among those.
const KEPT: [&str; 2] = ["objects/info", "objects/pack"];

/// What git writes to in a repository, beside names in capital letters.
const WRITTEN: [&str; 20] = [
    "annex",
    "branches",
    "description",
    "gc.log",
    "gc.pid",
    "index",
    "info",
    "lfs",
    "logs",
    "modules",
    "objects",
    "packed-refs",
    "rebase-apply",
    "rebase-merge",
    "refs",
    "reftable",
    "rr-cache",
    "sequencer",
    "shallow",
    "worktrees",
];

/// More entries than any part of a repository has that git writes to.
const MOST: usize = 1_000_000;

/// More than anybody plants who does not want to hide one among them.
const MOST_PLANTED: usize = 64;

#[derive(Debug)]
struct Walk<'a> {
    search: &'a Search,
    /// What was there, where it is not this that is looked for.
    before: Option<&'a Strays>,
    found: Strays,
    visited: BTreeSet<PathBuf>,
    tracer: Tracer,
}

impl Walk<'_> {
    /// Each part of a repository is looked at for itself, so that too much in one hides nothing in another.
    fn begin(&mut self, repository: &Path) {
        let is_alone = is_gits_alone(repository);
        let mut parts = Vec::new();
        self.list(repository, repository, &mut MOST.clone(), |walk, entry| {
            let name = entry.file_name();
            if !GIT_LEVERS.iter().any(|lever| name == *lever) && (is_alone || is_written(&name)) {
                walk.look(entry, &mut parts);
            }
        });
        for part in parts {
            let mut left = MOST;
            let mut waiting = vec![part.clone()];
            while let Some(directory) = waiting.pop() {
                self.list(&directory, &part, &mut left, |walk, entry| walk.look(entry, &mut waiting));
            }
        }
    }

    /// Looks at all that is in a directory, which belongs to a part of a repository.
    #[expect(clippy::disallowed_methods, reason = "what is in a repository, only the file system knows")]
    fn list(
        &mut self,
        directory: &Path,
        part: &Path,
        left: &mut usize,
        mut look: impl FnMut(&mut Self, &DirEntry),
    ) {
        if !self.visited.insert(directory.to_owned()) {
            return;
        }
        let entries = match std::fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) => return self.miss(directory, error.kind()),
        };
        for entry in entries {
            let Some(rest) = left.checked_sub(1) else {
                self.found.endless.insert(part.to_owned());
                return;
            };
            *left = rest;
            match entry {
                Ok(entry) => look(self, &entry),
                Err(error) => return self.miss(directory, error.kind()),
            }
        }
    }

    /// What is not there any more need not be looked at.
    fn miss(&mut self, path: &Path, why: ErrorKind) {
        if !matches!(why, ErrorKind::NotFound | ErrorKind::NotADirectory) {
            self.found.closed.insert(path.to_owned());
        }
    }

    fn look(&mut self, entry: &DirEntry, waiting: &mut Vec<PathBuf>) {
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => return self.miss(&entry.path(), error.kind()),
        };
        // Nearly all that is there is a plain file: nothing more is done for those. To what was set aside, and below, git does not write.
        if !(kind.is_symlink() || kind.is_dir()) || is_aside(&entry.file_name()) {
            return;
        }
        let path = entry.path();
        if kind.is_symlink() {
            waiting.extend(self.follow(&path));
        } else if !self.search.is_of_a_store(&path) {
            waiting.push(path);
        }
    }

    /// Notes a link. Where one that stays leads to a directory that can be changed from inside, git writes to that as well.
    #[expect(clippy::disallowed_methods, reason = "where a link leads, only the file system knows")]
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        let said = match std::fs::read_link(path) {
            Ok(said) if is_gits_own(path.file_name(), &said) => return None,
            Ok(said) => said,
            // It is no link any more.
            Err(_) => return None,
        };
        let real = self.tracer.follow(path).map(|(found, _)| found.real);
        let leads = Leads { said, real };
        let stays = self.before.is_none_or(|before| before.links.get(path) == Some(&leads));
        let reached = leads.real.clone();
        self.found.links.insert(path.to_owned(), leads);
        reached.filter(|real| {
            stays && real.is_dir() && is_below_any(&self.search.roots, real) && !path.starts_with(real)
        })
    }
}

fn is_aside(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let digits = name.rsplit_once(NEVER_WRITTEN).map(|(_, digits)| digits);
    digits.is_some_and(|digits| digits.len() == 24 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_below_any(roots: &[PathBuf], path: &Path) -> bool {
    roots.iter().any(|root| path.starts_with(root))
}

/// Whether nothing but a repository is there. Where there is more, links are for others to make.
fn is_gits_alone(repository: &Path) -> bool {
    repository.iter().any(|part| part == ".git" || part.as_encoded_bytes().starts_with(b".git.herm-aside-"))
}

fn is_written(name: &OsStr) -> bool {
    let is_capital = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    WRITTEN.iter().any(|written| name == *written) || name.as_encoded_bytes().iter().all(is_capital)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests;
