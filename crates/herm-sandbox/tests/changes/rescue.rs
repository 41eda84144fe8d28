//! Originals that cannot go back to their place are not lost.

#![expect(clippy::disallowed_methods, reason = "tests look for themselves")]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use herm_sandbox::changes::{Recovered, Recovery};

use super::crash::{WORK, killed, make, recover};
use super::world::{On, World, keep, steps};

/// What is in the files of a directory.
pub(super) fn texts(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
}

/// A try of which keeping was killed when `is_so`.
fn killed_when(is_so: impl Fn(&World) -> bool) -> World {
    let world = make(On::Copy);
    drop(world.tried("t", On::Copy, &steps(WORK)));
    assert!((0..100).any(|step| killed(&world, "keep", step) && is_so(&world)));
    world
}

fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// Where the original of a path is that was left.
fn original(recovered: &[Recovery], path: &str) -> Option<PathBuf> {
    let mut left = recovered.iter().flat_map(|recovery| &recovery.left);
    left.find(|left| left.path == Path::new(path)).unwrap().original.clone()
}

#[test]
fn the_original_of_what_was_edited_after_the_crash_is_saved() {
    let world = killed_when(|world| text(&world.path("d/a")).as_deref() == Some("ONE"));
    world.edit(&steps("append|d/a|mine"));
    let recovered = recover(&world);
    let saved = original(&recovered, "d/a").unwrap();
    assert_eq!(saved, world.home().join("rescued/t/d/a"));
    world.tries.sweep(std::time::Duration::ZERO).unwrap();
    assert_eq!(
        (text(&saved).as_deref(), text(&world.path("d/a")).as_deref()),
        (Some("one"), Some("ONEmine"))
    );
    assert_eq!(fs::metadata(&saved).unwrap().nlink(), 1);
    assert!(recover(&world).is_empty(), "it is settled");
}

#[test]
fn the_original_of_what_was_edited_while_undoing_was_cut_short_is_saved() {
    let world = make(On::Copy);
    let (attempt, comparison) = world.tried("t", On::Copy, &steps(WORK));
    keep(&attempt, &comparison);
    drop(attempt);
    assert!(killed(&world, "undo", 0));
    world.edit(&steps("append|d/a|mine"));
    // Whoever is killed while saving begins anew, and what was saved first stays.
    assert!((0..100).any(|step| killed(&world, "recover", step) && world.home().join("rescued/t").exists()));
    let recovered = recover(&world);
    assert_eq!(recovered[0].outcome, Recovered::Undone);
    let saved = original(&recovered, "d/a").unwrap();
    world.tries.clear().unwrap();
    assert_eq!(saved, world.home().join("rescued/t-2/d/a"));
    assert_eq!(
        (text(&saved).as_deref(), text(&world.path("d/a")).as_deref()),
        (Some("one"), Some("ONEmine"))
    );
}

#[test]
fn what_was_edited_before_it_was_replaced_has_no_other_original() {
    let world = killed_when(|world| world.home().join("tries/t/plan").exists());
    assert_eq!(text(&world.path("d/a")).as_deref(), Some("one"));
    world.edit(&steps("append|d/a|mine"));
    assert_eq!(original(&recover(&world), "d/a"), None);
    assert_eq!(text(&world.path("d/a")).as_deref(), Some("onemine"));
    assert_eq!(fs::metadata(world.path("d/a")).unwrap().nlink(), 1);
}

#[test]
fn the_other_name_of_a_file_comes_back_when_the_first_was_edited() {
    let world = killed_when(|world| text(&world.path("h")).as_deref() == Some("fivemore"));
    world.edit(&steps("remove|g\nwrite|g|mine"));
    let recovered = recover(&world);
    assert_eq!(text(&original(&recovered, "g").unwrap()).as_deref(), Some("five"));
    assert_eq!(["g", "h"].map(|name| text(&world.path(name)).unwrap()), ["mine", "five"]);
    assert_eq!(fs::metadata(world.path("h")).unwrap().nlink(), 1);
}

#[test]
fn what_keeping_puts_right_in_passing_is_told() {
    let world = killed_when(|world| text(&world.path("d/a")).as_deref() == Some("ONE"));
    world.edit(&steps("append|d/a|mine"));
    let (attempt, comparison) = world.tried("next", On::Copy, &steps("write|elsewhere|x"));
    // The workspace is another now, and the try has seen it half changed.
    drop(attempt.keep(&comparison, &mut || {}));
    let heard = world.tries.heard();
    assert_eq!(text(&original(&heard, "d/a").unwrap()).as_deref(), Some("one"), "{heard:?}");
    assert!(world.tries.heard().is_empty(), "once");
}
