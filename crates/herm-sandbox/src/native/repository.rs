//! The repository around a workspace.
//!
//! A program that works in a part of a repository needs all of it, or git does not find itself. A linked worktree keeps its
//! history elsewhere. What the workspace says about that is not believed: the other side must say so, too.

use std::path::{Path, PathBuf};

use super::Failure;
use super::entries::entries;
use super::guards::{Guarded, MayBe};
use super::levers::GIT_LEVERS;
use super::plain::{self, Contents, Links};
use super::settings::are_harmless;
use super::strays;
use super::survey::{Survey, is_repository};
use super::width::is_everybodys;
use super::worktrees;

/// What must be writable for work in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The repository around it, or just itself.
    pub root: PathBuf,
    /// Where a linked worktree keeps its history.
    pub history: Option<PathBuf>,
}

impl Workspace {
    /// The workspace around a directory. Nothing at or above `home` is taken for a repository, and nothing that is everybody's: whoever
    /// puts a `.git` there must not decide for those who work below.
    ///
    /// # Errors
    /// When the directory itself holds the home directory, or is everybody's: confined to that, a program could reach all of it.
    /// When there is more in it than can be looked at that makes others run code.
    pub fn around(directory: &Path, home: &Path) -> Result<Self, Failure> {
        let homes = [Some(home.to_owned()), real(home)];
        let is_above_home = |candidate: &Path| homes.iter().flatten().any(|home| home.starts_with(candidate));
        let holds_home = |candidate: &Path| is_above_home(candidate) || candidate.parent().is_none();
        if holds_home(directory) {
            return Err(Failure::TooWide(directory.to_owned()));
        }
        if is_everybodys(directory) {
            return Err(Failure::Everybodys(directory.to_owned()));
        }
        let root = top(directory, &holds_home, &|candidate| candidate.join(".git").exists());
        let found = Self { root: root.to_owned(), history: common(root) };
        match found.survey(Some(home)).unknowable {
            Some(place) => Err(Failure::Unknowable(place)),
            None => Ok(found),
        }
    }

    /// What a program in it could make others run code by, as far as it is there. All of it, where that cannot be known.
    #[must_use]
    pub fn levers(&self) -> Vec<PathBuf> {
        self.survey(None).locked
    }

    /// Whether a program in it could make others run code by what is at a path without links on the way, or would be.
    #[must_use]
    pub fn is_lever(&self, path: &Path, home: &Path) -> bool {
        let survey = self.survey(Some(home));
        let may_not_be = |guarded: &&Guarded| matches!(guarded.may_be, MayBe::Nothing | MayBe::NoRepository);
        let unmade = survey.guarded.iter().filter(may_not_be).map(|guarded| &guarded.path);
        survey.unknowable.is_some()
            || survey.locked.iter().chain(unmade).any(|lever| path.starts_with(lever))
            || is_of_a_repository(path)
    }

    /// The same, with what could be made, and with what the person tells git everywhere.
    pub(super) fn survey(&self, home: Option<&Path>) -> Survey {
        Survey::of(&self.root, self.history.as_deref(), home)
    }

    /// Where git keeps the settings of the repository.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.history.clone().unwrap_or_else(|| self.root.join(".git")).join("config")
    }

    /// Whether git runs nothing but itself here, where it speaks to these remotes: it knows them, there are no hooks, and all settings are
    /// harmless.
    #[must_use]
    pub fn has_git_run_nothing(&self, remotes: &[String]) -> bool {
        let survey = self.survey(None);
        let common = self.history.clone().unwrap_or_else(|| self.root.join(".git"));
        let known = survey.known.iter().map(|known| known.repository.as_path());
        survey.unknowable.is_none()
            && common.is_dir()
            && !common.is_symlink()
            && known.chain([&*common]).all(runs_nothing)
            && knows(&common, remotes)
            && has_no_hooks_everywhere()
    }

    /// All that must be writable.
    pub fn writable(&self) -> impl Iterator<Item = &Path> {
        [&self.root].into_iter().chain(&self.history).map(PathBuf::as_path)
    }
}

/// The nearest repository around a directory that is narrow enough, or itself.
fn top<'a>(
    directory: &'a Path,
    holds_home: &dyn Fn(&Path) -> bool,
    is_repository: &dyn Fn(&Path) -> bool,
) -> &'a Path {
    let is_narrow = |candidate: &&Path| !holds_home(candidate) && !is_everybodys(candidate);
    let mut inside = directory.ancestors().take_while(is_narrow);
    inside.find(|candidate| is_repository(candidate)).unwrap_or(directory)
}

/// Whether a repository that nobody knew before makes git run nothing: it is as git makes one, and says nothing but where
/// it is from and which worktrees it has below `around`. It is called `named` when it is where it belongs.
pub(super) fn is_harmless(repository: &Path, named: &Path, around: &Path) -> bool {
    !exists(&repository.join("modules"))
        && worktrees::are_plain(repository, named, around)
        && has_plain_settings(repository, &|_| false)
}

/// The same, whatever it keeps for others; its files may be somewhere else, and in one place only.
pub(super) fn is_plain(repository: &Path, may_be_of: &dyn Fn(&str) -> bool) -> bool {
    !exists(&repository.join("worktrees")) && has_plain_settings(repository, may_be_of)
}

fn has_plain_settings(repository: &Path, may_be_of: &dyn Fn(&str) -> bool) -> bool {
    let lacks = |name: &str| !exists(&repository.join(name));
    let settings = text(&repository.join("config"));
    repository.is_dir()
        && !repository.is_symlink()
        && ["commondir", "config.worktree"].into_iter().all(lacks)
        && has_no_hooks(repository)
        && strays::has_none(repository)
        && settings.is_some_and(|settings| are_harmless(&settings, may_be_of))
}

/// Whether the settings of a repository say where remotes are.
fn knows(repository: &Path, remotes: &[String]) -> bool {
    let settings = text(&repository.join("config")).unwrap_or_default();
    let is_set = |remote: &String| settings.contains(&format!("[remote \"{remote}\"]\n\turl = "));
    remotes.iter().all(is_set)
}

/// Whether neither hooks nor settings of a repository have git run something.
fn runs_nothing(repository: &Path) -> bool {
    let config = repository.join("config");
    let is_harmless = |text: String| are_harmless(&text, &|_| true);
    !exists(&repository.join("config.worktree"))
        && has_no_hooks(repository)
        // A worktree has those of its repository.
        && (!exists(&config) || text(&config).is_some_and(is_harmless))
}

/// Whether the machine's own settings have no hooks taken from the workspace.
fn has_no_hooks_everywhere() -> bool {
    match plain::read(Path::new("/etc/gitconfig"), Links::Followed, plain::MOST) {
        Contents::Nothing => true,
        Contents::TooMuch => false,
        Contents::Bytes(text) => {
            let runs = |key: &str| matches!(key, "fsmonitor" | "hookspath" | "path");
            !entries(&text).iter().any(|entry| runs(&entry.key))
        }
    }
}

/// Whether there is nothing among a repository's hooks but what git puts there to be looked at.
#[expect(clippy::disallowed_methods, reason = "what is in a repository, only the file system knows")]
pub(super) fn has_no_hooks(repository: &Path) -> bool {
    let is_sample = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().as_encoded_bytes().ends_with(b".sample"))
    };
    let hooks = repository.join("hooks");
    let are_samples = |mut entries: std::fs::ReadDir| {
        entries.by_ref().take(MOST_SAMPLES).all(is_sample) && entries.next().is_none()
    };
    !exists(&hooks) || !hooks.is_symlink() && std::fs::read_dir(&hooks).is_ok_and(are_samples)
}

pub(super) fn exists(path: &Path) -> bool {
    path.exists() || path.is_symlink()
}

/// More samples of hooks than git makes.
const MOST_SAMPLES: usize = 256;

/// Where the history of a linked worktree is, if both sides say so.
fn common(root: &Path) -> Option<PathBuf> {
    let link = root.join(".git");
    let own = line(&link)?;
    let own = real(&root.join(own.strip_prefix("gitdir: ")?))?;
    let back = line(&own.join("gitdir"))?;
    let shared = real(&own.join(line(&own.join("commondir"))?))?;
    let agrees = real(&own.join(back)) == real(&link);
    let is_history = is_repository(&shared);
    (agrees && is_history && own.starts_with(&shared)).then_some(shared)
}

fn line(path: &Path) -> Option<String> {
    Some(text(path)?.trim_end_matches('\n').to_owned())
}

pub(super) fn text(path: &Path) -> Option<String> {
    let Contents::Bytes(bytes) = plain::read(path, Links::Refused, plain::MOST) else { return None };
    String::from_utf8(bytes).ok()
}

#[expect(clippy::disallowed_methods, reason = "where a path leads, only the file system knows")]
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

/// Whether it makes git run code in a repository that lies there without a `.git`.
fn is_of_a_repository(path: &Path) -> bool {
    let is_lever = |below: &Path| {
        below
            .iter()
            .next()
            .is_some_and(|first| GIT_LEVERS.iter().any(|lever| first.eq_ignore_ascii_case(lever)))
    };
    let holds = |above: &Path| {
        path.strip_prefix(above).is_ok_and(is_lever) && above.join("HEAD").symlink_metadata().is_ok()
    };
    path.ancestors().skip(1).any(holds)
}

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

    /// What must not be made, and was not.
    fn unmade(workspace: &Workspace) -> Vec<PathBuf> {
        let guarded = workspace.survey(None).guarded.into_iter();
        guarded.filter(|name| name.may_be == MayBe::Nothing).map(|name| name.path).collect()
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
    fn a_home_is_one_by_whatever_name_it_is_called() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let real = fs::canonicalize(scratch.path()).unwrap().join("real");
        let link = scratch.path().join("link");
        fs::create_dir_all(real.join("project")).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(matches!(Workspace::around(&real, &link), Err(Failure::TooWide(_))));
        assert_eq!(Workspace::around(&real.join("project"), &link).unwrap().root, real.join("project"));
    }

    /// Whoever may write there could otherwise have everybody below run without a boundary.
    #[test]
    fn a_repository_that_would_be_everybodys_decides_nothing_below() {
        let at = |directory: &'static str, repository: &'static str| {
            top(Path::new(directory), &|_| false, &|candidate| candidate == Path::new(repository))
        };
        for (directory, above) in [("/tmp/x", "/tmp"), ("/etc/nginx", "/etc"), ("/srv/a/b", "/srv")] {
            assert_eq!(at(directory, above), Path::new(directory));
        }
        assert_eq!(at("/srv/a/b", "/srv/a"), Path::new("/srv/a"));
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
        let mut expected: Vec<PathBuf> = own.into_iter().chain(inner).map(PathBuf::from).collect();
        expected.sort();
        assert_eq!(levers("project"), expected);
        assert_eq!(levers("linked"), [PathBuf::from(".git")]);
    }

    #[test]
    fn what_is_not_there_yet_is_known_where_it_could_be_made() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let home = scratch.path();
        for name in ["HEAD", "config", "modules/m/config"] {
            put(&home.join("project/.git").join(name), "");
        }
        fs::create_dir_all(home.join("bare")).unwrap();
        fs::create_dir_all(home.join("project/.claude")).unwrap();
        let unmade = |name: &str| unmade(&Workspace { root: home.join(name), history: None });
        let found = unmade("project");
        for name in [".vscode", ".git/commondir", ".git/hooks", ".git/modules/m/commondir"] {
            assert!(found.contains(&home.join("project").join(name)), "{name}: {found:?}");
        }
        for name in [".claude", ".git", ".git/config", ".git/modules/m/config"] {
            assert!(!found.contains(&home.join("project").join(name)), "{name}: {found:?}");
        }
        let found = unmade("bare");
        assert!(found.contains(&home.join("bare/.git")), "{found:?}");
        assert!(!found.contains(&home.join("bare/.git/hooks")), "{found:?}");
    }

    #[test]
    fn hooks_and_settings_are_locked_where_the_repository_says_they_are() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let root = scratch.path().join("project");
        put(&root.join(".git/HEAD"), "");
        put(
            &root.join(".git/config"),
            "[core]\n\thooksPath = .husky/_\n[include]\n\tpath = ../tools/settings\n",
        );
        put(&root.join(".husky/pre-commit"), "");
        put(&root.join("tools/settings"), "");
        let workspace = Workspace { root: root.clone(), history: None };
        for name in [".husky", "tools/settings"] {
            assert!(workspace.levers().contains(&root.join(name)), "{:?}", workspace.levers());
        }
        fs::remove_dir_all(root.join(".husky")).unwrap();
        assert!(unmade(&workspace).contains(&root.join(".husky")), "{:?}", unmade(&workspace));
        put(&root.join(".git/config"), "[core]\n\thooksPath = ../../elsewhere\n\thooksPath = .\n");
        assert_eq!(workspace.levers(), [root.join(".git/config")]);
        assert!(unmade(&workspace).contains(&root.join("pre-commit")), "{:?}", unmade(&workspace));
    }

    #[test]
    fn a_change_of_what_is_locked_or_could_be_made_is_one_of_a_lever() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let home = fs::canonicalize(scratch.path()).unwrap();
        let root = home.join("project");
        put(&root.join(".git/HEAD"), "");
        put(&root.join(".git/config"), "[core]\n\thooksPath = tools\n");
        put(&root.join("mirror/HEAD"), "");
        put(&root.join("src/config"), "");
        let workspace = Workspace { root: root.clone(), history: None };
        for name in [".git/config", ".git/hooks/x", "tools/pre-push", "mirror/config", "mirror/hooks/x"] {
            assert!(workspace.is_lever(&root.join(name), &home), "{name}");
        }
        for name in ["src/config", "src/main.rs", "mirror/HEADS"] {
            assert!(!workspace.is_lever(&root.join(name), &home), "{name}");
        }
    }

    #[test]
    fn a_new_repository_is_harmless_only_as_git_makes_it() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let new = |name: &str, files: &[(&str, &str)]| {
            let place = scratch.path().join(name);
            for (name, text) in [("HEAD", ""), ("config", "[core]\n\tbare = false\n")].iter().chain(files) {
                put(&place.join(name), text);
            }
            is_harmless(&place, &place, scratch.path())
        };
        assert!(new("plain", &[("hooks/pre-push.sample", "")]));
        assert!(!new("hook", &[("hooks/pre-push", "")]));
        let samples: Vec<String> = (0..3000).map(|number| format!("hooks/s{number}.sample")).collect();
        let crowd: Vec<(&str, &str)> = samples.iter().map(|name| (name.as_str(), "")).collect();
        assert!(!new("crowd", &crowd));
        assert!(!new("settings", &[("config", "[core]\n\tfsmonitor = run\n")]));
        assert!(!new("history", &[("commondir", "..\n")]));
        assert!(!new("submodule", &[("modules/m/config", "")]));
        assert!(!new(
            "worktree",
            &[("worktrees/w/commondir", "../..\n"), ("worktrees/w/gitdir", "/elsewhere/.git\n")]
        ));
        assert!(!new("of its own", &[("config.worktree", "[core]\n\tbare = false\n")]));
        assert!(new(
            "told",
            &[("config", "[extensions]\n\tworktreeConfig = true\n[branch \"a\"]\n\tremote = .\n")]
        ));
        let nothing = scratch.path().join("nothing");
        assert!(!is_harmless(&nothing, &nothing, scratch.path()));
    }
}
