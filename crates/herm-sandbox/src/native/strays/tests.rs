use std::fs;
use std::os::unix::fs::symlink;
use std::time::Instant;

use super::*;
use crate::Scratch;

/// A workspace with a repository.
struct World {
    root: PathBuf,
    _scratch: Scratch,
}

impl World {
    fn new() -> Self {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap().join("work");
        let world = Self { root, _scratch: scratch };
        for name in ["HEAD", "logs/HEAD", "logs/refs/heads/main", "refs/heads/main", "objects/ab/x"] {
            world.put(&format!(".git/{name}"));
        }
        for name in ["objects/info", "objects/pack", "info", "worktrees/w", "modules/m/logs"] {
            fs::create_dir_all(world.git(name)).unwrap();
        }
        world
    }

    fn put(&self, name: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    fn git(&self, name: &str) -> PathBuf {
        self.root.join(".git").join(name)
    }

    fn search(&self) -> Search {
        Search::new(std::iter::empty(), vec![self.root.clone()])
    }

    /// What must go after something was done.
    fn after(&self, work: impl FnOnce()) -> Planted {
        let search = self.search();
        let before = search.before().unwrap();
        work();
        search.planted(&before)
    }
}

fn relink(to: &str, path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_dir_all(path);
    symlink(to, path).unwrap();
}

#[test]
fn a_new_link_must_go_wherever_git_would_write() {
    for name in [
        "COMMIT_EDITMSG",
        "FETCH_HEAD",
        "index",
        "info",
        "info/sparse-checkout",
        "logs",
        "logs/HEAD",
        "logs/refs/heads/main",
        "logs/refs/heads/x",
        "modules/m/logs/HEAD",
        "modules/n",
        "objects",
        "objects/ab",
        "objects/info/commit-graph",
        "objects/pack/multi-pack-index",
        "packed-refs",
        "refs/heads",
        "worktrees/w/HEAD",
    ] {
        let world = World::new();
        let planted = world.after(|| relink("/elsewhere", &world.git(name)));
        assert_eq!(planted.links, BTreeSet::from([world.git(name)]), "{name}");
        assert!(planted.unseen.is_empty() && !has_none(&world.git("")), "{name}");
    }
}

#[test]
fn what_was_there_stays_unless_it_leads_elsewhere_now() {
    let world = World::new();
    relink("../kept", &world.git("logs"));
    world.put("kept/HEAD");
    assert!(world.after(|| world.put("kept/refs/heads/x")).is_empty());
    let deeper = world.after(|| relink("/elsewhere", &world.root.join("kept/HEAD")));
    assert_eq!(deeper.links, BTreeSet::from([world.root.join("kept/HEAD")]));
    let told = BTreeSet::from([world.git("logs")]);
    assert_eq!(world.after(|| relink("/elsewhere", &world.git("logs"))).links, told);
    relink("../kept", &world.git("logs"));
    let behind = world.after(|| relink("/elsewhere", &world.root.join("kept")));
    assert_eq!(behind.links, told, "it leads to another one");
}

#[test]
fn what_git_itself_makes_stays() {
    let world = World::new();
    assert!(has_none(&world.git("")));
    assert!(world.after(|| relink("refs/heads/main", &world.git("HEAD"))).is_empty());
    assert!(!world.after(|| relink("refs/../../../x", &world.git("HEAD"))).is_empty());
    assert!(!world.after(|| relink("hooks/pre-push", &world.git("ORIG_HEAD"))).is_empty());
}

#[test]
fn links_among_the_files_of_a_workspace_are_nobodys_business() {
    let world = World::new();
    for name in ["HEAD", "refs/x", "objects/x"] {
        world.put(name);
    }
    let planted = world.after(|| {
        relink("/elsewhere", &world.root.join("current"));
        relink("/elsewhere", &world.root.join("FETCH_HEAD"));
    });
    assert_eq!(planted.links, BTreeSet::from([world.root.join("FETCH_HEAD")]));
}

#[test]
fn what_was_set_aside_is_left_alone() {
    let world = World::new();
    let number = "0123456789abcdef01234567";
    let aside = world.git("logs").join(format!("HEAD{NEVER_WRITTEN}{number}"));
    assert!(world.after(|| relink("/elsewhere", &aside)).is_empty());
    let speakable = world.git("logs/refs/heads").join(format!("x.herm-aside-{number}"));
    assert_eq!(world.after(|| relink("/elsewhere", &speakable)).links.len(), 1);
}

#[test]
fn objects_are_not_walked() {
    let world = World::new();
    for directory in 0..=255 {
        world.put(&format!(".git/objects/{directory:02x}/x"));
    }
    let search = world.search();
    let begun = Instant::now();
    let before = search.before().unwrap();
    println!("a repository is looked at in {:?}", begun.elapsed());
    relink("/elsewhere", &world.git("objects/ab/x"));
    assert!(search.planted(&before).is_empty());
}

#[test]
fn very_many_go_with_the_part_that_they_are_in() {
    let world = World::new();
    let crowd = |below: &str| {
        let name = |number| world.git(below).join(format!("X{number}"));
        (0..=MOST_PLANTED).for_each(|number| symlink("/elsewhere", name(number)).unwrap());
    };
    let part = world.after(|| crowd("logs/refs"));
    assert_eq!(part, Planted { links: BTreeSet::new(), unseen: BTreeSet::from([world.git("logs")]) });
    let whole = world.after(|| crowd(""));
    assert_eq!(whole.unseen, BTreeSet::from([world.root.join(".git")]));
}
