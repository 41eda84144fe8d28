//! What is kept is what the run did; what cannot be kept leaves the workspace alone.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

use herm_sandbox::changes::{Bounds, Error, Standing, Tries};

use super::picture::assert_same;
use super::world::{On, World, keep, operate, steps};

fn tree() -> World {
    World::new(&steps(
        "mkdir|d
        write|d/a|one
        write|d/b|two
        mkdir|e
        write|e/f|four
        write|g|five
        symlink|g|link",
    ))
}

const WORK: &str = "write|d/a|ONE
    remove|d/b
    rmtree|e
    write|e|now a file
    chmod|g|755
    xattr|g|user.note|hello
    remove|link
    mkdir|link
    write|link/in|x
    symlink|../../outside|escape";

#[test]
fn keeping_does_what_the_run_did() {
    for on in On::all() {
        let (world, reference) = (tree(), tree());
        let (attempt, comparison) = world.tried("t", on, &steps(WORK));
        keep(&attempt, &comparison);
        operate(&reference.workspace, &steps(WORK));
        assert_same(&world.picture(), &reference.picture(), &format!("{on:?}"));
    }
}

#[test]
fn a_workspace_that_changed_underneath_is_left_alone() {
    for on in On::all() {
        for (edit, named) in [
            ("append|d/a|!", "d/a"),
            ("chmod|d/b|600", "d/b"),
            ("write|e/new|x", "e/new"),
            ("write|escape|mine", "escape"),
            ("rename|g|gg\nwrite|g|five", "g"),
            ("remove|d/b", "d/b"),
        ] {
            let world = tree();
            let (attempt, comparison) = world.tried("t", on, &steps(WORK));
            world.edit(&steps(edit));
            let edited = world.picture();
            match attempt.keep(&comparison, &mut || {}) {
                Err(Error::Changed(paths)) => {
                    assert!(paths.contains(&named.into()), "{on:?} {edit}: {paths:?}");
                }
                other => panic!("{on:?} {edit}: {other:?}"),
            }
            assert_same(&world.picture(), &edited, edit);
        }
    }
}

#[test]
fn edits_elsewhere_are_no_obstacle_and_survive() {
    for on in On::all() {
        let world = tree();
        let (attempt, comparison) = world.tried("t", on, &steps(WORK));
        world.edit(&steps("write|d/mine|x\nwrite|other|y"));
        keep(&attempt, &comparison);
        assert!(world.path("d/mine").exists() && world.path("other").exists(), "{on:?}");
        world.tries.undo("t", &mut || {}).unwrap();
        assert!(
            world.path("d/mine").exists() && world.path("other").exists() && world.path("d/b").exists(),
            "{on:?}"
        );
    }
}

#[test]
fn a_file_with_several_names_stays_one() {
    let make = "write|a|one\nlink|a|b\nmkdir|d\nlink|a|d/c\nwrite|x|same\nwrite|y|same";
    let work = "append|b|two\nlink|a|new\nremove|d/c\nremove|y\nlink|x|y";
    let (world, reference) = (World::new(&steps(make)), World::new(&steps(make)));
    let before = world.picture();
    let (attempt, comparison) = world.tried("t", On::Copy, &steps(work));
    keep(&attempt, &comparison);
    operate(&reference.workspace, &steps(work));
    assert_same(&world.picture(), &reference.picture(), "kept");
    let inode = |path: &str| world.path(path).metadata().unwrap().ino();
    assert!(inode("a") == inode("b") && inode("b") == inode("new") && inode("x") == inode("y"));
    world.tries.undo("t", &mut || {}).unwrap();
    assert_same(&world.picture(), &before, "undone");
}

#[test]
fn root_gets_a_copy_where_files_have_several_names() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let world = World::new(&steps("write|a|one\nlink|a|b"));
    let standing = Standing::Root;
    let attempt = world.tries.begin("t", &world.workspace, standing, Bounds::default()).unwrap();
    assert!(matches!(attempt.ground(), herm_sandbox::changes::Ground::Copy(_)));
    assert!(attempt.lacks().is_empty());
}

#[test]
fn where_links_come_apart_keeping_does_what_was_seen() {
    let world = World::new(&steps("write|a|one\nlink|a|b"));
    let before = world.picture();
    let (attempt, comparison) = world.tried("t", On::User, &steps("append|a|two"));
    assert_eq!(attempt.lacks().len(), 2);
    keep(&attempt, &comparison);
    let text = |path| String::from_utf8(read(&world, path)).unwrap();
    assert_eq!((text("a"), text("b")), ("onetwo".into(), "one".into()));
    world.tries.undo("t", &mut || {}).unwrap();
    assert_same(&world.picture(), &before, "undone");
}

#[expect(clippy::disallowed_methods, reason = "tests look for themselves")]
fn read(world: &World, path: &str) -> Vec<u8> {
    fs::read(world.path(path)).unwrap()
}

#[test]
fn a_try_is_kept_once() {
    let world = tree();
    let (attempt, comparison) = world.tried("t", On::Copy, "write\tnew\tx");
    keep(&attempt, &comparison);
    assert!(matches!(attempt.keep(&comparison, &mut || {}), Err(Error::Unknown(_))));
}

#[test]
fn a_try_can_be_kept_by_another_process_later() {
    let world = tree();
    drop(world.tried("t", On::Copy, "write\tnew\tx"));
    let attempt = world.tries.resume("t").unwrap();
    keep(&attempt, &attempt.compare().unwrap());
    assert_eq!(read(&world, "new"), b"x");
}

#[test]
fn directories_closed_to_their_owner_are_worked_in_and_closed_again() {
    let make = "mkdir|d\nwrite|d/a|x\nwrite|d/b|y";
    let (world, reference) = (World::new(&steps(make)), World::new(&steps(make)));
    let before = world.picture();
    let work = "write|d/a|X\nremove|d/b\nchmod|d|500";
    let (attempt, comparison) = world.tried("t", On::Copy, &steps(work));
    keep(&attempt, &comparison);
    operate(&reference.workspace, &steps(work));
    assert_same(&world.picture(), &reference.picture(), "kept");
    world.tries.undo("t", &mut || {}).unwrap();
    assert_same(&world.picture(), &before, "undone");
}

#[test]
fn files_closed_to_their_owner_are_kept_and_brought_back() {
    let make = "write|a|x\nwrite|b|y\nchmod|b|0\nwrite|c|z\nchmod|c|0";
    for on in On::all() {
        let (world, reference) = (World::new(&steps(make)), World::new(&steps(make)));
        let before = world.picture();
        let work = "chmod|a|0\nwrite|new|n\nchmod|new|200\nremove|b\nwrite|b|other\nremove|c";
        let attempt = world.tries.begin("t", &world.workspace, standing(on), Bounds::default()).unwrap();
        world.run(&attempt, &steps(work));
        let comparison = attempt.compare().unwrap();
        keep(&attempt, &comparison);
        operate(&reference.workspace, &steps(work));
        assert_same(&world.picture(), &reference.picture(), &format!("{on:?}, kept"));
        world.tries.undo("t", &mut || {}).unwrap();
        assert_same(&world.picture(), &before, &format!("{on:?}, undone"));
    }
}

fn standing(on: On) -> Standing {
    if on == On::Root { Standing::Root } else { Standing::User }
}

/// The guard's home is on a file system in memory, the workspace is not: nothing can be put aside by a second name.
#[test]
fn keeping_and_undoing_work_across_file_systems() {
    let (world, reference) = (tree(), tree());
    let before = world.picture();
    let Ok(home) = tempfile::tempdir_in("/dev/shm") else { return };
    let tries = Tries::open(home.path()).unwrap();
    let attempt = tries.begin_on_copy("t", &world.workspace).unwrap();
    world.run(&attempt, &steps(WORK));
    keep(&attempt, &attempt.compare().unwrap());
    operate(&reference.workspace, &steps(WORK));
    assert_same(&world.picture(), &reference.picture(), "kept");
    tries.undo("t", &mut || {}).unwrap();
    assert_same(&world.picture(), &before, "undone");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests look for themselves")]
fn of_a_copy_only_what_the_run_wrote_is_left() {
    let world = World::new(&steps("write|a|one\nwrite|b|two\nmkdir|d\nwrite|d/c|three"));
    let (attempt, comparison) = world.tried("t", On::Copy, &steps("write|a|ONE"));
    keep(&attempt, &comparison);
    let left = fs::read_dir(world.home().join("tries/t/copy")).unwrap();
    let left: Vec<_> = left.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    assert_eq!(left, ["ONE"]);
    world.tries.clear().unwrap();
    assert_eq!(fs::read_dir(world.home().join("tries")).unwrap().count(), 2, "the try, and the door");
}

#[test]
fn what_root_keeps_belongs_to_whom_the_workspace_belongs() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // A user namespace that maps one user shows files of others as nobody's.
    for on in [On::Copy, On::Root] {
        let world = tree();
        let chown = |path: &str, user, group| {
            std::os::unix::fs::lchown(world.path(path), Some(user), Some(group)).unwrap();
        };
        chown("", 12345, 54321);
        chown("d/a", 4000, 5000);
        let before = world.picture();
        let (attempt, comparison) =
            world.tried("t", on, &steps("write|new|x\nmkdir|sub\nsymlink|x|sub/l\nwrite|d/a|other"));
        keep(&attempt, &comparison);
        let owner =
            |path: &str| world.path(path).symlink_metadata().map(|found| (found.uid(), found.gid())).unwrap();
        assert_eq!([owner("new"), owner("sub"), owner("sub/l")], [(12345, 54321); 3], "{on:?}");
        assert_eq!(owner("d/a"), (4000, 5000), "{on:?}");
        world.tries.undo("t", &mut || {}).unwrap();
        assert_same(&world.picture(), &before, &format!("{on:?}"));
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn names_are_bytes() {
    let world = tree();
    let attempt = world.begin("t", On::Copy);
    let herm_sandbox::changes::Ground::Copy(copy) = attempt.ground() else { panic!("no copy") };
    let names = [&b"\xff\xfe"[..], b"line\nbreak", b" ", b"-rf", b"*", &[b'x'; 255]];
    for name in names {
        fs::write(copy.join(OsStr::from_bytes(name)), name).unwrap();
    }
    keep(&attempt, &attempt.compare().unwrap());
    for name in names {
        assert_eq!(fs::read(world.workspace.join(OsStr::from_bytes(name))).unwrap(), name);
    }
    world.tries.undo("t", &mut || {}).unwrap();
    assert_eq!(fs::read_dir(&world.workspace).unwrap().count(), 4);
}
