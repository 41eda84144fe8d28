use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{CWD, fstatfs, mkdirat, renameat, unlinkat};

use super::disarm::NOTING;
use super::*;
use crate::Scratch;
use crate::native::guards::Guards;

struct World {
    root: PathBuf,
    _scratch: Scratch,
}

const PLAIN: &str = "[core]\n\tbare = false\n";
const OBEYED: &str = "[core]\n\tfsmonitor = run\n";

impl World {
    fn new() -> Self {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap().join("work");
        fs::create_dir(&root).unwrap();
        Self { root, _scratch: scratch }
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What git takes for a repository.
    fn repository(&self, name: &str, config: &str) {
        for directory in ["objects", "refs/heads"] {
            fs::create_dir_all(self.root.join(name).join(directory)).unwrap();
        }
        self.put(&format!("{name}/HEAD"), "ref: refs/heads/main\n");
        self.put(&format!("{name}/config"), config);
    }

    fn hook(&self, name: &str) {
        self.put(&format!("{name}/hooks/pre-commit"), "#!/bin/sh\n");
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.root.join(from), self.root.join(to)).unwrap();
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.root.join(name)).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.root.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// What became of what a run did.
    fn after(&self, run: impl FnOnce()) -> Vec<(String, Became)> {
        // What was done a moment ago counts as done before.
        std::thread::sleep(Duration::from_millis(30));
        let guards = Guards::new(&[], (&[], None), std::slice::from_ref(&self.root)).unwrap();
        run();
        let below = |path: &Path| path.strip_prefix(&self.root).unwrap().to_string_lossy().into_owned();
        let mut told: Vec<_> =
            guards.settle().into_iter().map(|one| (below(&one.path), one.became)).collect();
        told.sort_by(|one, other| one.0.cmp(&other.0));
        told
    }

    /// The names of what was set aside.
    fn aside(&self, run: impl FnOnce()) -> Vec<String> {
        let told = self.after(run);
        for (name, became) in &told {
            let Became::Aside(aside) = became else { panic!("{told:?}") };
            let rest = fs::symlink_metadata(self.root.join(name))
                .map(|_| fs::read_to_string(self.root.join(name)).unwrap());
            assert!(rest.as_ref().map_or(true, |rest| !rest.contains("run")), "{told:?}: {rest:?}");
            assert_eq!(rest.is_ok(), name.contains("config") && !name.starts_with("x/"), "{told:?}");
            assert!(fs::symlink_metadata(aside).is_ok(), "{told:?}");
        }
        told.into_iter().map(|(name, _)| name).collect()
    }
}

#[test]
fn what_is_setuid_stays_so_unless_it_was_changed() {
    let world = World::new();
    let is_noting = |root: &Path| {
        let found = fstatfs(fs::File::open(root).unwrap()).unwrap();
        NOTING.contains(&i128::from(found.f_type))
    };
    for name in ["old", "deep/down/changed", "both", "plain"] {
        world.put(name, "#!/bin/sh\n");
    }
    for (name, mode) in [("old", 0o4755), ("deep/down/changed", 0o4755), ("both", 0o6711), ("plain", 0o755)] {
        world.set_mode(name, mode);
    }
    let told = world.after(|| {
        for (name, mode) in [("deep/down/changed", 0o4755), ("both", 0o6711)] {
            fs::write(world.root.join(name), "::/bin/sh\n").unwrap();
            world.set_mode(name, mode);
        }
        fs::write(world.root.join("plain"), "").unwrap();
    });
    if is_noting(&world.root) {
        let expected = ["both", "deep/down/changed"].map(|name| (name.to_owned(), Became::Disarmed));
        assert_eq!(told, expected);
        assert_eq!(world.mode("old"), 0o4755);
    }
    assert_eq!((world.mode("both"), world.mode("deep/down/changed")), (0o711, 0o755));
}

/// There are others who look, then.
#[test]
fn none_hides_among_many() {
    let world = World::new();
    let all: Vec<String> = (0..40).map(|number| format!("d{number}/special")).collect();
    for (number, name) in all.iter().enumerate() {
        world.put(name, "");
        for other in 0..100 {
            world.put(&format!("d{number}/file{other}"), "");
        }
    }
    let told = world.after(|| {
        for name in &all {
            world.set_mode(name, 0o4755);
        }
    });
    assert_eq!(told.len(), all.len());
    assert!(all.iter().all(|name| world.mode(name) == 0o755));
}

#[test]
fn what_was_there_and_was_not_changed_stays() {
    let world = World::new();
    for name in ["sub/.git", "a/b/bare.git"] {
        world.repository(name, OBEYED);
        world.hook(name);
        symlink("/elsewhere", world.root.join(name).join("refs/heads/link")).unwrap();
    }
    world.put("linked/.git", "gitdir: ../sub/.git\n");
    let told = world.after(|| {
        // What git does there for whoever works there.
        for name in ["sub/.git", "a/b/bare.git"] {
            world.put(&format!("{name}/objects/ab/cdef"), "");
            world.put(&format!("{name}/index"), "");
            world.put(&format!("{name}/HEAD.lock"), "ref: refs/heads/topic\n");
            world.rename(&format!("{name}/HEAD.lock"), &format!("{name}/HEAD"));
        }
        world.put("sub/file", "");
        world.rename("a", "moved");
    });
    assert_eq!(told, []);
}

#[test]
fn what_git_makes_stays() {
    let world = World::new();
    let url = format!("[remote \"origin\"]\n\turl = {}/origin.git\n", world.root.display());
    let told = world.after(|| {
        for (name, config) in [
            ("sub/.git", PLAIN),
            ("origin.git", "[core]\n\tbare = true\n"),
            ("clone/.git", &format!("{PLAIN}{url}")),
            ("sub/.git/modules/inner", "[core]\n\tworktree = ../../../inner\n"),
        ] {
            world.repository(name, config);
            world.put(&format!("{name}/hooks/pre-commit.sample"), "");
        }
        world.put("sub/inner/.git", "gitdir: ../.git/modules/inner\n");
        world.put("sub/.git/worktrees/tree/HEAD", "ref: refs/heads/tree\n");
        world.put("sub/.git/worktrees/tree/commondir", "../..\n");
        world.put("sub/.git/worktrees/tree/gitdir", &format!("{}/tree/.git\n", world.root.display()));
        world.put("tree/.git", &format!("gitdir: {}/sub/.git/worktrees/tree\n", world.root.display()));
        // Names that others use as well.
        for name in ["src/hooks/use-it.ts", "src/config/index.ts", "src/refs/a", "src/objects/b", "docs/HEAD"]
        {
            world.put(name, "");
        }
        world.put("x/config", "Host *\n");
    });
    assert_eq!(told, []);
}

#[test]
fn what_git_would_obey_is_set_aside() {
    for name in ["sub/.git", "a/b/c/bare.git", "a/.git.herm-aside-000000000000000000000000"] {
        for new in [true, false] {
            for (lever, text) in [
                ("config", OBEYED),
                ("config", "[core]\n\thooksPath = ../hooks\n"),
                ("config", "[remote \"origin\"]\n\turl = /elsewhere\n"),
                ("config.worktree", OBEYED),
                ("commondir", "../x\n"),
                ("hooks/post-checkout", "#!/bin/sh\n"),
            ] {
                let world = World::new();
                if !new {
                    world.repository(name, PLAIN);
                }
                let aside = world.aside(|| {
                    if new {
                        world.repository(name, PLAIN);
                    }
                    world.put(&format!("{name}/{lever}"), text);
                });
                let first = lever.split('/').next().unwrap();
                assert_eq!(aside, [format!("{name}/{first}")], "{new}: {lever}: {text}");
            }
        }
    }
}

#[test]
fn what_a_repository_said_before_it_may_say_with_what_git_adds() {
    let world = World::new();
    world.repository("sub/.git", OBEYED);
    let branch = "[branch \"topic\"]\n\tremote = origin\n\tmerge = refs/heads/topic\n";
    assert_eq!(world.after(|| world.put("sub/.git/config", &format!("{OBEYED}{branch}"))), []);
    let more = format!("{OBEYED}\tsshCommand = run\n{branch}");
    let told = world.after(|| world.put("sub/.git/config", &more));
    assert!(matches!(told.as_slice(), [(name, Became::Aside(_))] if name == "sub/.git/config"), "{told:?}");
    // It is what it was.
    assert_eq!(fs::read_to_string(world.root.join("sub/.git/config")).unwrap(), format!("{OBEYED}{branch}"));
}

#[test]
fn what_may_be_written_besides_is_looked_at_as_well() {
    let (world, other) = (World::new(), World::new());
    let roots = [world.root.clone(), other.root.clone()];
    let guards = Guards::new(&[], (&[], None), &roots).unwrap();
    other.repository(".git", OBEYED);
    other.repository("sub/.git", OBEYED);
    let mut paths: Vec<_> = guards.settle().into_iter().map(|one| one.path).collect();
    paths.sort();
    assert_eq!(paths, [".git/config", "sub/.git/config"].map(|name| other.root.join(name)));
}

#[test]
fn what_leads_to_something_like_it_is_no_better() {
    for (kept, link) in [("kept", "sub/.git"), ("evil.git", "sub/.git")] {
        let world = World::new();
        // It was there before, and was nobody's to go into from here.
        world.repository(kept, OBEYED);
        let aside = world.aside(|| world.put(link, &format!("gitdir: ../{kept}\n")));
        assert_eq!(aside, [link]);
        let aside = world.aside(|| {
            fs::create_dir_all(world.root.join("other")).unwrap();
            symlink(format!("../{kept}"), world.root.join("other/.git")).unwrap();
        });
        assert_eq!(aside, ["other/.git"]);
    }
    let world = World::new();
    assert_eq!(world.aside(|| world.put("sub/.git", "gitdir: /\n")), ["sub/.git"]);
}

#[test]
fn what_the_last_run_left_is_not_completed_by_the_next() {
    // Settings alone are no repository.
    let world = World::new();
    assert_eq!(world.after(|| world.put("x/config", OBEYED)), []);
    let aside = world.aside(|| {
        fs::create_dir_all(world.root.join("sub")).unwrap();
        world.rename("x", "sub/.git");
        for name in ["objects/x", "refs/x", "HEAD"] {
            world.put(&format!("sub/.git/{name}"), "");
        }
    });
    assert_eq!(aside, ["sub/.git/config"]);
    // With any part of one they are as good as one.
    for part in ["HEAD", "objects/x", "refs/x"] {
        let world = World::new();
        let aside = world.aside(|| {
            world.put("x/config", OBEYED);
            world.hook("x");
            world.put(&format!("x/{part}"), "");
        });
        assert_eq!(aside, ["x/config", "x/hooks"], "{part}");
    }
    // Nor is what was set aside put back.
    let world = World::new();
    let aside = world.after(|| world.repository("sub/.git", OBEYED));
    let [(_, Became::Aside(aside))] = aside.as_slice() else { panic!("{aside:?}") };
    let again = world.aside(|| fs::rename(aside, world.root.join("sub/.git/config")).unwrap());
    assert_eq!(again, ["sub/.git/config"]);
    // Hooks that are moved there are new there.
    let world = World::new();
    world.repository("sub/.git", PLAIN);
    assert_eq!(world.after(|| world.hook("x")), []);
    assert_eq!(world.aside(|| world.rename("x/hooks", "sub/.git/hooks")), ["sub/.git/hooks"]);
}

#[test]
fn links_by_which_git_writes_elsewhere_go() {
    let world = World::new();
    world.repository("sub/.git", PLAIN);
    world.put("x/logs/a", "");
    symlink("/elsewhere", world.root.join("x/logs/HEAD")).unwrap();
    let aside = world.aside(|| {
        symlink("/elsewhere", world.root.join("sub/.git/refs/heads/link")).unwrap();
        symlink("/elsewhere", world.root.join("sub/.git/ORIG_HEAD")).unwrap();
        world.rename("x/logs", "sub/.git/logs");
    });
    assert_eq!(aside, ["sub/.git/ORIG_HEAD", "sub/.git/logs/HEAD", "sub/.git/refs/heads/link"]);
}

#[test]
fn closed_doors_are_opened_if_they_were_closed_meanwhile() {
    let world = World::new();
    world.repository("shut/sub/.git", OBEYED);
    world.set_mode("shut", 0);
    let aside = world.aside(|| {
        world.repository("new/sub/.git", OBEYED);
        world.set_mode("new/sub/.git", 0);
        world.set_mode("new", 0o400);
    });
    assert_eq!(aside, ["new/sub/.git/config"]);
    assert_eq!(world.mode("shut"), 0);
    world.set_mode("shut", 0o755);
}

#[test]
fn depth_hides_nothing() {
    const DEPTH: usize = 500;
    let world = World::new();
    let mut way: Vec<OwnedFd> = vec![fs::File::open(&world.root).unwrap().into()];
    let name = "deeper-and-deeper";
    let told = world.after(|| {
        for _ in 0..DEPTH {
            let at = way.pop().unwrap();
            mkdirat(&at, name, Mode::RWXU).unwrap();
            way.push(tree::open(at.as_fd(), name).unwrap());
        }
        world.repository("sub/.git", OBEYED);
        let deepest = way.last().unwrap();
        renameat(CWD, world.root.join("sub/.git"), deepest, ".git").unwrap();
    });
    // Nothing of it can be looked at, so all of it goes.
    let path = format!("{}.git", format!("{name}/").repeat(DEPTH));
    let gone: Vec<_> = told.iter().map(|(found, _)| found.strip_prefix(&path).unwrap()).collect();
    assert_eq!(gone, ["/HEAD", "/config", "/objects", "/refs"]);
    let mut at = way.pop().unwrap();
    renameat(&at, ".git", CWD, world.root.join("gone")).unwrap();
    for _ in 0..DEPTH {
        let above = tree::open(at.as_fd(), c"..").unwrap();
        unlinkat(&above, name, AtFlags::REMOVEDIR).unwrap();
        at = above;
    }
}

#[test]
fn a_crowd_is_counted() {
    let world = World::new();
    let told = world.after(|| {
        for number in 0..MOST_TOLD + 3 {
            world.put(&format!("{number}/.git/config"), OBEYED);
        }
    });
    assert_eq!(told.len(), MOST_TOLD + 1);
    assert!(told.contains(&(String::new(), Became::More(3))), "{told:?}");
}
