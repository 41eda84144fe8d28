//! Tries are found, discarded and forgotten.

use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use herm_sandbox::changes::{Error, Retention, Status, Tries};

use super::world::{On, World, keep};

fn statuses(world: &World) -> Vec<(String, Status)> {
    world.tries.list().unwrap().into_iter().map(|listed| (listed.id, listed.status)).collect()
}

#[test]
fn tries_are_private_and_listed_with_how_far_they_got() {
    let world = World::new("write\ta\tx");
    let busy = world.begin("busy", On::Copy);
    drop(world.begin("left", On::Copy));
    let (kept, comparison) = world.tried("kept", On::Copy, "write\ta\ty");
    keep(&kept, &comparison);
    drop(kept);
    let mut found = statuses(&world);
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        found,
        [("busy".into(), Status::Busy), ("kept".into(), Status::Kept), ("left".into(), Status::Waiting)]
    );
    assert_eq!(world.tries.last_kept(&world.workspace).unwrap().as_deref(), Some("kept"));
    assert_eq!(world.home().join("tries/kept").metadata().unwrap().mode() & 0o777, 0o700);
    assert!(matches!(world.tries.resume("busy"), Err(Error::Io { .. })));
    assert!(matches!(world.tries.discard("busy"), Err(Error::Unknown(_))));
    busy.discard().unwrap();
    world.tries.discard("left").unwrap();
    assert_eq!(statuses(&world), [("kept".into(), Status::Kept)]);
}

#[test]
fn what_was_left_is_swept_away_and_what_is_in_use_or_kept_is_not() {
    let world = World::new("write\ta\tx");
    let busy = world.begin("busy", On::Copy);
    for on in On::all() {
        let left = world.begin("left", on);
        world.run(&left, "write\tb\ty\nmkdir\tc\nchmod\tc\t0");
        drop(left);
        assert!(world.tries.sweep(Duration::from_hours(1)).unwrap().is_empty(), "it is too young");
        assert_eq!(world.tries.sweep(Duration::ZERO).unwrap(), ["left"], "{on:?}");
    }
    let (kept, comparison) = world.tried("kept", On::Copy, "write\ta\ty");
    keep(&kept, &comparison);
    drop(kept);
    std::fs::create_dir(world.home().join("tries/.gone-x")).unwrap();
    std::fs::create_dir(world.home().join("tries/half-made")).unwrap();
    assert_eq!(world.tries.sweep(Duration::ZERO).unwrap(), ["half-made"]);
    assert!(!world.home().join("tries/.gone-x").exists());
    let mut left = statuses(&world);
    left.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(left, [("busy".into(), Status::Busy), ("kept".into(), Status::Kept)]);
    drop(busy);
}

#[test]
fn the_oldest_kept_runs_are_forgotten_by_count_and_by_bytes() {
    let world = World::new("write\ta\tx");
    for id in ["1", "2", "3"] {
        let (attempt, comparison) = world.tried(id, On::Copy, &format!("write\ta\t{id}"));
        keep(&attempt, &comparison);
    }
    let (plenty, age) = (1 << 40, std::time::Duration::from_hours(1));
    assert!(world.tries.retain(Retention { count: 3, bytes: plenty, age }).unwrap().is_empty());
    assert_eq!(world.tries.retain(Retention { count: 2, bytes: plenty, age }).unwrap(), ["1"]);
    let last = world.tries.list().unwrap().pop().unwrap().bytes;
    assert!(last > 0);
    assert_eq!(world.tries.retain(Retention { count: 9, bytes: last, age }).unwrap(), ["2"]);
    assert_eq!(world.tries.last_kept(&world.workspace).unwrap().as_deref(), Some("3"));
    let nothing = Retention { count: 0, bytes: 0, age: std::time::Duration::ZERO };
    assert!(world.tries.retain(nothing).unwrap().is_empty(), "the last one stays");
}

#[test]
fn kept_runs_are_forgotten_when_they_are_old() {
    let world = World::new("write\ta\tx");
    for id in ["1", "2"] {
        let (attempt, comparison) = world.tried(id, On::Copy, &format!("write\ta\t{id}"));
        keep(&attempt, &comparison);
    }
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let age = std::time::Duration::ZERO;
    assert_eq!(world.tries.retain(Retention { age, ..Retention::default() }).unwrap(), ["1"]);
}

#[test]
fn names_cannot_lead_elsewhere() {
    let world = World::new("write\ta\tx");
    for id in ["", ".", "..", "a/b", "../x", ".gone-x", "door", "a\0", &"x".repeat(200)] {
        let standing = herm_sandbox::changes::Standing::User;
        let answer =
            world.tries.begin(id, &world.workspace, standing, herm_sandbox::changes::Bounds::default());
        assert!(matches!(answer, Err(Error::Unknown(_))), "{id:?}");
        assert!(matches!(world.tries.undo(id, &mut || {}), Err(Error::Unknown(_))), "{id:?}");
    }
    let _first = world.begin("x", On::Copy);
    let standing = herm_sandbox::changes::Standing::User;
    assert!(
        world.tries.begin("x", &world.workspace, standing, herm_sandbox::changes::Bounds::default()).is_err(),
        "a name is new"
    );
    assert!(world.tries.list().unwrap().iter().any(|listed| listed.id == "x"));
}

#[test]
fn a_place_that_others_may_enter_is_not_used() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("tries")).unwrap();
    std::fs::set_permissions(place.path().join("tries"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    assert!(matches!(Tries::open(place.path()), Err(Error::Unfit { .. })));
}
