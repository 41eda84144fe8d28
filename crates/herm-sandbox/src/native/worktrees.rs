//! Worktrees of a repository that nobody knew before.
//!
//! A worktree has a directory in its repository that says where its files are, and a file among those that says where that directory is. Git
//! believes both: what it finds where they lead can have it run something. So each must lead to the other and nowhere else, and have nothing of its own
//! that git obeys.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::plain::{self, Links};
use super::repository::exists;
use super::survey::flat;

/// Whether all worktrees of a repository are as git makes them, with their files below `around`. It is called `named` when it is where it
/// belongs.
#[expect(clippy::disallowed_methods, reason = "which worktrees there are, only the file system knows")]
pub(super) fn are_plain(repository: &Path, named: &Path, around: &Path) -> bool {
    let place = repository.join("worktrees");
    if !exists(&place) {
        return true;
    }
    let Some(mut entries) = std::fs::read_dir(&place).ok().filter(|_| !place.is_symlink()) else {
        return false;
    };
    let is_plain = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| {
            let named = named.join("worktrees").join(entry.file_name());
            is_plain(&entry.path(), &named, around)
        })
    };
    entries.by_ref().take(MOST).all(is_plain) && entries.next().is_none()
}

/// More worktrees than anybody makes at once.
const MOST: usize = 256;

/// What git obeys in a worktree's own directory, but for what says where its repository is.
const OBEYED: [&str; 5] = ["config", "config.worktree", "hooks", "modules", "worktrees"];

/// Whether one worktree is.
pub(super) fn is_plain(own: &Path, named: &Path, around: &Path) -> bool {
    own.is_dir()
        && !own.is_symlink()
        && !OBEYED.iter().any(|name| exists(&own.join(name)))
        && plain::line(&own.join("commondir"), Links::Refused).as_deref() == Some(b"../..")
        && plain::line(&own.join("gitdir"), Links::Refused)
            .is_some_and(|line| leads_back(&line, named, around))
}

/// Whether a path names the link of a directory below `around` that leads to the worktree again, or where nothing is.
fn leads_back(said: &[u8], named: &Path, around: &Path) -> bool {
    let Some(link) = flat(&named.join(path(said))).filter(|link| link.ends_with(".git")) else {
        return false;
    };
    let Some(files) = link.parent().filter(|files| files.starts_with(around) && *files != around) else {
        return false;
    };
    if !exists(files) {
        return true;
    }
    let is_there = real(files).is_some_and(|real| real == files);
    let leads_here = |line: Vec<u8>| {
        let own = line.strip_prefix(b"gitdir: ").and_then(|own| flat(&files.join(path(own))));
        own.as_deref() == Some(named)
    };
    is_there && (!exists(&link) || plain::line(&link, Links::Refused).is_some_and(leads_here))
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[expect(clippy::disallowed_methods, reason = "where a path leads, only the file system knows")]
fn real(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::Scratch;

    /// A repository that was set aside, with a worktree as git makes one.
    struct World {
        around: PathBuf,
        aside: PathBuf,
        _scratch: Scratch,
    }

    impl World {
        fn new() -> Self {
            let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
            let around = fs::canonicalize(scratch.path()).unwrap().join("work");
            let aside = around.join(".git.aside");
            let world = Self { around, aside, _scratch: scratch };
            world.own("HEAD", "ref: refs/heads/inner\n");
            world.own("commondir", "../..\n");
            world.own("gitdir", &format!("{}/inner/.git\n", world.around.display()));
            world.put("inner/.git", &format!("gitdir: {}/.git/worktrees/inner\n", world.around.display()));
            world
        }

        fn put(&self, name: &str, text: &str) {
            let path = self.around.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn own(&self, name: &str, text: &str) {
            self.put(&format!(".git.aside/worktrees/inner/{name}"), text);
        }

        fn is_plain(&self) -> bool {
            are_plain(&self.aside, &self.around.join(".git"), &self.around)
        }
    }

    #[test]
    fn what_git_makes_is_plain() {
        let world = World::new();
        assert!(world.is_plain());
        world.own("gitdir", "../../../inner/.git\n");
        world.put("inner/.git", "gitdir: ../.git/worktrees/inner\n");
        assert!(world.is_plain(), "told by relative paths");
        fs::remove_file(world.around.join("inner/.git")).unwrap();
        assert!(world.is_plain(), "with nothing that git would go into");
        fs::remove_dir(world.around.join("inner")).unwrap();
        assert!(world.is_plain(), "with its files gone");
        fs::remove_dir_all(world.aside.join("worktrees")).unwrap();
        assert!(world.is_plain(), "without any");
    }

    #[test]
    fn what_git_obeys_in_a_worktree_is_not() {
        for name in
            ["config", "config.worktree", "hooks/pre-commit", "modules/m/config", "worktrees/x/gitdir"]
        {
            let world = World::new();
            world.own(name, "");
            assert!(!world.is_plain(), "{name}");
        }
        let world = World::new();
        symlink("nowhere", world.aside.join("worktrees/inner/config.worktree")).unwrap();
        assert!(!world.is_plain(), "a link that leads nowhere yet");
    }

    #[test]
    fn what_leads_elsewhere_is_not() {
        let outside = |world: &World| world.around.with_file_name("other");
        for text in ["..\n", "/\n", "../../.\n", "../../../other\n", ""] {
            let world = World::new();
            world.own("commondir", text);
            assert!(!world.is_plain(), "commondir {text}");
        }
        for text in ["../../../../other/.git\n", "../../../.git\n", "../../../inner/git\n", "", "/.git\n"] {
            let world = World::new();
            world.own("gitdir", text);
            assert!(!world.is_plain(), "gitdir {text}");
        }
        let world = World::new();
        world.own("gitdir", &format!("{}/.git\n", outside(&world).display()));
        assert!(!world.is_plain(), "files that lie outside");
        let world = World::new();
        world.own("gitdir", "");
        fs::remove_file(world.aside.join("worktrees/inner/gitdir")).unwrap();
        assert!(!world.is_plain(), "nothing said");
    }

    #[test]
    fn files_that_do_not_lead_back_are_not() {
        for text in ["gitdir: ../evil\n", "gitdir: ../.git\n", "gitdir: ../.git/worktrees/other\n", "x\n", ""]
        {
            let world = World::new();
            world.put("inner/.git", text);
            assert!(!world.is_plain(), "{text}");
        }
        let world = World::new();
        fs::remove_file(world.around.join("inner/.git")).unwrap();
        world.put("inner/.git/config", "[core]\n\tfsmonitor = run\n");
        assert!(!world.is_plain(), "a repository in its place");
        let world = World::new();
        fs::rename(world.around.join("inner"), world.around.join("moved")).unwrap();
        symlink("moved", world.around.join("inner")).unwrap();
        assert!(!world.is_plain(), "a link on the way");
        let world = World::new();
        fs::rename(world.around.join("inner/.git"), world.around.join("link")).unwrap();
        symlink("../link", world.around.join("inner/.git")).unwrap();
        assert!(!world.is_plain(), "a link in its place");
    }

    #[test]
    fn links_and_crowds_are_not() {
        let world = World::new();
        fs::rename(world.aside.join("worktrees"), world.around.join("elsewhere")).unwrap();
        symlink("../elsewhere", world.aside.join("worktrees")).unwrap();
        assert!(!world.is_plain(), "a link in the place of all");
        let world = World::new();
        fs::rename(world.aside.join("worktrees/inner"), world.around.join("elsewhere")).unwrap();
        symlink("../../elsewhere", world.aside.join("worktrees/inner")).unwrap();
        assert!(!world.is_plain(), "a link in the place of one");
        let world = World::new();
        world.put(".git.aside/worktrees/file", "");
        assert!(!world.is_plain(), "no directory");
        let world = World::new();
        for number in 0..=MOST {
            let name = format!(".git.aside/worktrees/w{number}");
            world.put(&format!("{name}/commondir"), "../..\n");
            world.put(&format!("{name}/gitdir"), &format!("../../../w{number}/.git\n"));
        }
        assert!(!world.is_plain(), "more than can be looked at");
    }
}
