//! What there is in a workspace that makes others run code, what could come to be, and by which links it is reached.

mod again;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use super::entries::entries;
use super::guards::{Guarded, MayBe, is_called_aside};
use super::levers::{GIT_LEVERS, HOOKS, LEVERS};
use super::linked::{Found, Known, repository_in};
use super::plain::{self, Contents, Links};
use super::trace::{End, Tracer, trace};

/// What was found. It is about paths without links on the way.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// What is there.
    pub(super) locked: Vec<PathBuf>,
    /// What is not, and links.
    pub(super) guarded: Vec<Guarded>,
    /// The repositories, each with where its files are.
    pub(super) known: Vec<Known>,
    /// Where there is more than can be looked at. What is there may be anything.
    pub(super) unknowable: Option<PathBuf>,
    /// The directory for others' repositories that this was found in, if it was in one.
    shelf: Option<PathBuf>,
    /// The one that is looked through.
    searched: Option<PathBuf>,
    roots: Vec<PathBuf>,
    visited: usize,
    tracer: Tracer,
}

impl Survey {
    /// Looks at a workspace, at where it keeps its history, and at what its owner tells git everywhere.
    pub(super) fn of(root: &Path, history: Option<&Path>, home: Option<&Path>) -> Self {
        let real = |path: &Path| trace(path).map_or_else(|| path.to_owned(), |found| found.real);
        let root = real(root);
        let history = history.map(real);
        let roots = [Some(root.clone()), history.clone()].into_iter().flatten().collect();
        let mut survey = Self { roots, ..Self::default() };
        for name in LEVERS {
            survey.add(&root.join(name));
        }
        let own = survey.own_repositories(&root);
        let mut all = BTreeSet::new();
        for repository in own.iter().cloned().chain(history) {
            survey.descend(repository, &mut all, 0);
        }
        let around = |repository: &PathBuf| own.contains(repository).then(|| root.clone());
        let mut waiting: Vec<_> = all.iter().map(|one| (one.clone(), around(one))).collect();
        let mut examined = BTreeSet::new();
        while let Some((repository, around)) = waiting.pop() {
            let is_new = examined.insert(repository.clone());
            let worktrees = if is_new { survey.examine(&repository, &root, home) } else { BTreeSet::new() };
            for (inner, place) in survey.named_in(&repository, worktrees.into_iter().chain(around)) {
                let before = all.clone();
                survey.descend(inner.clone(), &mut all, 0);
                let kept = all.difference(&before).filter(|kept| **kept != inner);
                waiting.extend(kept.map(|kept| (kept.clone(), None)));
                waiting.push((inner, Some(place)));
            }
        }
        if let Some(home) = home {
            survey.named_everywhere(&root, home);
        }
        survey.locked.sort();
        survey.locked.dedup();
        if let Some(place) = &survey.unknowable {
            // Nothing in it can be changed, then.
            survey.locked =
                vec![survey.roots.iter().find(|root| place.starts_with(root)).unwrap_or(&root).clone()];
        }
        survey
    }

    /// The repositories of the workspace itself.
    fn own_repositories(&mut self, root: &Path) -> Vec<PathBuf> {
        let git = root.join(".git");
        let Some((found, _)) = self.tracer.follow(&git) else {
            self.give_up(&git);
            return Vec::new();
        };
        let mut own = Vec::new();
        if found.real.is_dir() {
            self.add_links(&found.links);
            own.push(found.real);
        } else {
            self.add(&git);
            let elsewhere = plain::line(&git, Links::Followed)
                .and_then(|line| Some(path(line.strip_prefix(b"gitdir: ")?)));
            own.extend(
                elsewhere.and_then(|path| self.tracer.trace(&root.join(path))).map(|found| found.real),
            );
        }
        // Without a `.git`, git takes a directory for a repository that looks like one.
        if is_repository(root) {
            own.push(root.to_owned());
        } else if own.is_empty() || git.is_symlink() {
            let lacking = REPOSITORY.map(|name| root.join(name)).into_iter().filter(|path| !path.exists());
            self.guarded.extend(lacking.map(|path| Guarded { path, may_be: MayBe::NoRepository }));
        }
        own
    }

    /// Adds something that makes others run code, whether it is there or not.
    fn add(&mut self, path: &Path) {
        let Some((found, end)) = self.tracer.follow(path) else { return self.give_up(path) };
        self.add_links(&found.links);
        let real = found.real;
        if self.roots.iter().any(|root| root.starts_with(&real)) {
            // All of the workspace would be locked by it.
            self.give_up(path);
        } else if !self.is_inside(&real) {
            // It cannot be changed from inside.
        } else if end == End::Something {
            self.locked.push(real);
        } else {
            self.add_unmade(real);
        }
    }

    fn add_unmade(&mut self, path: PathBuf) {
        let lacking = path.ancestors().skip(1).take_while(|above| !self.tracer.is_there(above));
        let guarded = |path: PathBuf, may_be: MayBe| Guarded { path, may_be };
        let links: Vec<_> = lacking.map(|above| guarded(above.to_owned(), MayBe::AnythingButALink)).collect();
        self.guarded.extend(links.into_iter().chain([guarded(path, MayBe::Nothing)]));
    }

    fn add_links(&mut self, links: &[(PathBuf, PathBuf)]) {
        let inside = links.iter().filter(|(link, _)| self.is_inside(link));
        let guarded = |(path, to): &(PathBuf, PathBuf)| Guarded {
            path: path.clone(),
            may_be: MayBe::OnlyLink(to.clone()),
        };
        let links: Vec<_> = inside.map(guarded).collect();
        self.guarded.extend(links);
    }

    fn is_inside(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| path.starts_with(root) && path != root)
    }

    fn give_up(&mut self, path: &Path) {
        if self.unknowable.is_none() {
            self.unknowable = Some(path.to_owned());
            self.shelf = self.searched.clone();
        }
    }

    /// A repository, with those of its worktrees and submodules. The names of those may have slashes in them.
    fn descend(&mut self, directory: PathBuf, all: &mut BTreeSet<PathBuf>, depth: usize) {
        self.visited += 1;
        if self.visited > MOST_DIRECTORIES || all.len() >= MOST_REPOSITORIES || depth > DEEPEST {
            return self.give_up(&directory);
        }
        let holds = |name: &str| directory.join(name).exists();
        let is_one = depth <= 1 || holds("HEAD") || GIT_LEVERS.into_iter().any(holds);
        // What looks like a repository may still be a part of the names of others.
        let searched = match depth {
            0 => ["worktrees", "modules"].map(|name| directory.join(name)).to_vec(),
            _ => vec![directory.clone()],
        };
        if is_one && !all.insert(directory) {
            return;
        }
        for place in searched {
            if depth == 0 {
                self.searched = Some(place.clone());
            }
            self.inner(&place).into_iter().for_each(|inner| self.descend(inner, all, depth + 1));
        }
        if depth == 0 {
            self.searched = None;
        }
    }

    /// The directories in one that are not where every repository has its own.
    #[expect(clippy::disallowed_methods, reason = "which worktrees there are, only the file system knows")]
    fn inner(&mut self, place: &Path) -> Vec<PathBuf> {
        let mut entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        let listed = entries.by_ref().take(MOST_REPOSITORIES);
        let is_known = |entry: &DirEntry| KNOWN.iter().any(|known| entry.file_name() == *known);
        let is_directory = |entry: &DirEntry| match entry.file_type() {
            Ok(kind) if kind.is_symlink() => entry.path().is_dir(),
            kind => kind.is_ok_and(|kind| kind.is_dir()),
        };
        // What was set aside there is a part of no name that git looks for; what leads to it all the same is found by where that is.
        let is_aside = |entry: &DirEntry| is_called_aside(&entry.file_name());
        let inner = listed.filter(|entry| !is_known(entry) && !is_aside(entry) && is_directory(entry));
        let inner = inner.map(|entry| entry.path()).collect();
        if entries.next().is_some() {
            self.give_up(place);
        }
        inner
    }

    /// Adds what makes git run code in a repository, and finds where its files are.
    fn examine(&mut self, repository: &Path, root: &Path, home: Option<&Path>) -> BTreeSet<PathBuf> {
        for name in GIT_LEVERS {
            self.add(&repository.join(name));
        }
        let mut said = Said::default();
        for name in ["config", "config.worktree"] {
            said.read(&repository.join(name), home, 0);
        }
        // Hooks of submodules and of worktrees are looked for where those are.
        let linked = line(&repository.join("gitdir")).map(|path| repository.join(path));
        let linked = linked.and_then(|path| path.parent().map(Path::to_owned));
        let elsewhere = said.worktrees.iter().map(|path| repository.join(path)).chain(linked);
        let bases: Vec<PathBuf> = [root.to_owned()].into_iter().chain(elsewhere).collect();
        self.add_said(&said, &bases, root);
        let usual = repository.parent().filter(|_| repository.ends_with(".git"));
        let worktrees = bases.iter().skip(1).map(PathBuf::as_path).chain(usual);
        worktrees.filter_map(|path| Some(self.tracer.trace(path)?.real)).collect()
    }

    /// The repositories that the index of another one names, each with the directory that it was found in.
    fn named_in(
        &mut self,
        repository: &Path,
        worktrees: impl Iterator<Item = PathBuf>,
    ) -> Vec<(PathBuf, PathBuf)> {
        let mut found = Vec::new();
        for worktree in worktrees {
            let is_near = |root: &PathBuf| root.starts_with(&worktree) || worktree.starts_with(root);
            let is_known = |known: &Known| known.repository == repository && known.worktree == worktree;
            if !self.roots.iter().any(is_near) || self.known.iter().any(is_known) {
                continue;
            }
            let (known, named) = Known::look(repository.to_owned(), worktree);
            self.known.push(known);
            let Some(named) = named else {
                self.give_up(&repository.join("index"));
                continue;
            };
            for path in &named {
                if let Some(place) = self.tracer.trace(path)
                    && let Found::Repository(inner) = repository_in(&place.real)
                    && self.is_inside(&inner)
                {
                    found.push((inner, place.real));
                }
            }
        }
        found
    }

    /// Where the person's own settings, or the machine's, say so.
    fn named_everywhere(&mut self, root: &Path, home: &Path) {
        let mut said = Said::default();
        for file in [home.join(".gitconfig"), home.join(".config/git/config"), "/etc/gitconfig".into()] {
            said.read(&file, Some(home), 0);
        }
        self.add_said(&said, &[root.to_owned()], root);
    }

    fn add_said(&mut self, said: &Said, bases: &[PathBuf], root: &Path) {
        said.unknowable.iter().for_each(|path| self.give_up(path));
        let hooks = bases.iter().flat_map(|base| said.hooks.iter().map(|path| base.join(path)));
        let hooks = hooks.filter_map(|path| flat(&path)).map(without_husky);
        let files = said.files.iter().filter_map(|path| flat(path));
        for path in hooks.chain(files) {
            let real = self.tracer.follow(&path).map(|(found, _)| found.real);
            if real.as_deref() == Some(root) {
                // The hooks lie among everything else.
                for name in HOOKS {
                    self.add(&root.join(name));
                }
            } else if !real.is_some_and(|real| root.starts_with(real)) {
                self.add(&path);
            }
        }
    }
}

/// There husky keeps what calls the hooks, which lie beside it.
fn without_husky(path: PathBuf) -> PathBuf {
    match path.file_name() {
        Some(name) if name == "_" => path.parent().map(Path::to_owned).unwrap_or(path),
        Some(_) | None => path,
    }
}

/// What files of settings say about where else something is. This takes more than git does: it includes files under whatever condition, and what is
/// said twice counts twice.
#[derive(Debug, Default)]
struct Said {
    hooks: Vec<PathBuf>,
    worktrees: Vec<PathBuf>,
    /// Files of settings that are included.
    files: BTreeSet<PathBuf>,
    unknowable: Option<PathBuf>,
}

impl Said {
    fn read(&mut self, file: &Path, home: Option<&Path>, depth: usize) {
        let text = match contents(file) {
            Contents::Nothing => return,
            Contents::TooMuch => {
                self.unknowable = Some(file.to_owned());
                return;
            }
            Contents::Bytes(bytes) => bytes,
        };
        for entry in entries(&text).into_iter().filter(|entry| !entry.value.is_empty()) {
            let path = at_home(PathBuf::from(OsString::from_vec(entry.value)), home);
            match (entry.section.as_str(), entry.key.as_str()) {
                ("core", "hookspath") => self.hooks.push(path),
                ("core", "worktree") => self.worktrees.push(path),
                ("include" | "includeif", "path") => {
                    self.include(file.parent().unwrap_or(file).join(path), home, depth);
                }
                _ => {}
            }
        }
    }

    /// Git goes no deeper either.
    fn include(&mut self, file: PathBuf, home: Option<&Path>, depth: usize) {
        if self.files.len() >= MOST_FILES {
            self.unknowable = Some(file);
        } else if depth < DEEPEST && self.files.insert(file.clone()) {
            self.read(&file, home, depth + 1);
        }
    }
}

/// What is written with `~/` is in the home directory.
fn at_home(path: PathBuf, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(below), Some(home)) => home.join(below),
        (Ok(_) | Err(_), _) => path,
    }
}

/// More repositories than anybody has in one, or entries beside them.
const MOST_REPOSITORIES: usize = 512;

/// More directories than those have.
const MOST_DIRECTORIES: usize = 4096;

/// What every repository has, with no other in it.
const KNOWN: &[&str] = &["branches", "hooks", "info", "lfs", "logs", "objects", "refs", "reftable"];

/// More files of settings than anybody includes.
const MOST_FILES: usize = 64;

/// Deeper than names of submodules have slashes, and than git follows files.
const DEEPEST: usize = 10;

/// By what git takes a directory for a repository.
pub(crate) const REPOSITORY: [&str; 3] = ["HEAD", "objects", "refs"];

pub(super) fn is_repository(directory: &Path) -> bool {
    REPOSITORY.iter().all(|name| directory.join(name).exists())
}

/// A path without `..`, as it is written: nothing needs to be there.
pub(super) fn flat(path: &Path) -> Option<PathBuf> {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => flat.pop().then_some(())?,
            Component::CurDir => {}
            Component::Normal(_) | Component::Prefix(_) | Component::RootDir => flat.push(part),
        }
    }
    Some(flat)
}

fn contents(path: &Path) -> Contents {
    plain::read(path, Links::Followed, plain::MOST)
}

/// The path that a file consists of.
fn line(file: &Path) -> Option<PathBuf> {
    Some(path(&plain::line(file, Links::Followed)?))
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes.to_owned()))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests;
