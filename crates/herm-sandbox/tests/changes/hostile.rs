//! What a command leaves behind cannot hurt whoever keeps it.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use herm_sandbox::changes::{Error, Shape};

use super::picture::{assert_same, picture};
use super::world::{On, World, keep, steps};

fn tree() -> World {
    World::new(&steps("mkdir|d\nwrite|d/a|one\nwrite|g|five\nwrite|h|six"))
}

#[test]
fn special_bits_and_special_files_are_not_kept() {
    for on in On::all() {
        let world = tree();
        let work = "chmod|g|4755\nwrite|h|SIX\nchmod|h|6755\nwrite|s|x\nchmod|s|6777\nmkdir|t\nchmod|t|1777\nfifo|p\nbind|sock";
        let (attempt, comparison) = world.tried("t", on, &steps(work));
        assert_eq!(
            comparison.left_out,
            [("p".into(), Shape::Fifo), ("sock".into(), Shape::Socket)],
            "{on:?}"
        );
        keep(&attempt, &comparison);
        let mode = |path: &str| world.path(path).symlink_metadata().unwrap().mode() & 0o7777;
        assert_eq!([mode("g"), mode("h"), mode("s"), mode("t")], [0o755, 0o755, 0o777, 0o1777], "{on:?}");
        assert!(!world.path("p").exists() && !world.path("sock").exists(), "{on:?}");
    }
}

#[test]
fn devices_are_not_kept() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for on in [On::Copy, On::Root] {
        let world = tree();
        let (attempt, comparison) = world.tried("t", on, &steps("device|null\nremove|g\ndevice|g"));
        let left: Vec<_> = comparison.left_out.iter().map(|(path, shape)| (path.as_path(), *shape)).collect();
        assert_eq!(left, [(Path::new("g"), Shape::Device), (Path::new("null"), Shape::Device)]);
        keep(&attempt, &comparison);
        assert!(!world.path("null").exists() && !world.path("g").exists());
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests look for themselves")]
fn links_are_kept_as_links_and_never_followed() {
    for on in On::all() {
        let world = tree();
        let outside = world.workspace.with_file_name("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("a"), "mine").unwrap();
        let before = picture(&outside);
        let work = format!(
            "rmtree|d\nsymlink|{}|d\nremove|g\nsymlink|/etc/passwd|g\nsymlink|..|up",
            outside.display()
        );
        let (attempt, comparison) = world.tried("t", on, &steps(&work));
        keep(&attempt, &comparison);
        assert_eq!(fs::read_link(world.path("d")).unwrap(), outside);
        assert_eq!(fs::read_link(world.path("up")).unwrap(), Path::new(".."));
        world.tries.undo("t", &mut || {}).unwrap();
        assert_same(&picture(&outside), &before, "outside");
        assert!(world.path("d/a").exists() && world.path("d").symlink_metadata().unwrap().is_dir());
    }
}

/// At every step of keeping, somebody puts a link to another directory in the place of one that is worked in.
#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn a_link_that_is_put_in_place_meanwhile_leads_nowhere() {
    let work = "write|d/a|two\nwrite|d/new|x\nmkdir|d/e\nwrite|d/e/f|y\nchmod|d|700";
    for moment in 0.. {
        let world = tree();
        let outside = world.workspace.with_file_name("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("a"), "mine").unwrap();
        let before = picture(&outside);
        let (attempt, comparison) = world.tried("t", On::Copy, &steps(work));
        let (from, aside) = (world.path("d"), world.path("aside"));
        let (mut step, mut is_swapped) = (0, false);
        let answer = attempt.keep(&comparison, &mut || {
            if step == moment {
                is_swapped = true;
                fs::rename(&from, &aside).unwrap();
                symlink(&outside, &from).unwrap();
            }
            step += 1;
        });
        assert_same(&picture(&outside), &before, &format!("step {moment}"));
        if !is_swapped {
            answer.unwrap();
            assert!(moment > 8, "{moment}");
            return;
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn only_what_was_shown_is_kept() {
    for on in On::all() {
        let world = tree();
        let before = world.picture();
        let (attempt, comparison) = world.tried("t", on, &steps("write|d/a|shown\nwrite|new|x"));
        let own = world.home().join("tries/t").join(if on == On::Copy { "copy" } else { "upper" });
        fs::write(own.join("d/a"), "other").unwrap();
        let answer = attempt.keep(&comparison, &mut || {});
        assert!(
            matches!(answer, Err(Error::Unshown(ref path)) if path == Path::new("d/a")),
            "{on:?} {answer:?}"
        );
        assert_same(&world.picture(), &before, &format!("{on:?}"));
        keep(&attempt, &attempt.compare().unwrap());
        assert_eq!(fs::read(world.path("d/a")).unwrap(), b"other", "looked at again, it can be kept");
    }
}

#[test]
fn trees_without_end_are_refused() {
    for on in On::all() {
        let world = tree();
        let deep: Vec<String> =
            (1..400).map(|depth| format!("mkdir\t{}", vec!["n"; depth].join("/"))).collect();
        let attempt = world.begin("t", on);
        let _ = world.run(&attempt, &deep.join("\n"));
        assert!(matches!(attempt.compare(), Err(Error::Unfit { what: "too deep", .. })), "{on:?}");
    }
}

#[test]
fn a_workspace_around_the_guards_files_is_refused() {
    let world = tree();
    let around = world.workspace.parent().unwrap();
    let standing = herm_sandbox::changes::Standing::User;
    let answer = world.tries.begin("t", around, standing, herm_sandbox::changes::Bounds::default());
    assert!(matches!(answer, Err(Error::Unfit { .. })));
    assert!(world.tries.list().unwrap().is_empty());
}
