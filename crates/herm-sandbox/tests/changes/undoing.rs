//! A kept run is taken back exactly, or not at all.

use herm_sandbox::changes::{Diff, Error, Item, ItemSide, Kind, Line};

use super::picture::assert_same;
use super::world::{On, World, keep, steps};

fn tree() -> World {
    World::new(&steps(
        "mkdir|d
        mkdir|d/deep
        write|d/a|one
        write|d/b|two
        write|d/deep/c|three
        chmod|d/deep/c|400
        xattr|d/b|user.note|x
        symlink|a|d/link
        fifo|d/pipe
        write|g|five
        chmod|d/deep|555",
    ))
}

const WORK: &str = "chmod|d/deep|755\nrmtree|d\nwrite|d|a file\nchmod|g|600\nwrite|new|x\nsymlink|g|l";

#[test]
fn undoing_restores_everything() {
    for on in On::all() {
        let world = tree();
        let before = world.picture();
        let (attempt, comparison) = world.tried("t", on, &steps(WORK));
        keep(&attempt, &comparison);
        assert!(world.path("d").is_file());
        let undone = world.tries.undo("t", &mut || {}).unwrap();
        assert_eq!(undone.workspace, world.workspace);
        assert_same(&world.picture(), &before, &format!("{on:?}"));
        assert!(matches!(world.tries.undo("t", &mut || {}), Err(Error::Unknown(_))), "once");
    }
}

#[test]
fn later_edits_are_not_lost() {
    for (edit, named) in [
        ("append|new|later", "new"),
        ("chmod|g|644", "g"),
        ("remove|l\nsymlink|other|l", "l"),
        ("remove|d\nmkdir|d\nwrite|d/mine|x", "d"),
    ] {
        let world = tree();
        let (attempt, comparison) = world.tried("t", On::Copy, &steps(WORK));
        keep(&attempt, &comparison);
        world.edit(&steps(edit));
        let edited = world.picture();
        match world.tries.undo("t", &mut || {}) {
            Err(Error::Edited(paths)) => assert_eq!(paths, [std::path::PathBuf::from(named)], "{edit}"),
            other => panic!("{edit}: {other:?}"),
        }
        assert_same(&world.picture(), &edited, edit);
    }
}

/// What is gone holds nothing that would be lost, so that whoever saves an edit elsewhere can go on.
#[test]
fn what_is_gone_is_no_edit() {
    for edit in [
        "remove|new",
        "remove|d",
        "remove|l\nremove|new",
        "append|new|mine\nrename|new|saved\nremove|saved",
        "append|d|mine\nrename|d|saved\nremove|saved",
    ] {
        let world = tree();
        let mut before = world.picture();
        let (attempt, comparison) = world.tried("t", On::Copy, &steps(WORK));
        keep(&attempt, &comparison);
        world.edit(&steps(edit));
        let undone = world.tries.undo("t", &mut || {}).unwrap();
        assert!(undone.left.is_empty(), "{edit}: {undone:?}");
        let mut now = world.picture();
        // Somebody else has worked in it since, so its time is theirs.
        for picture in [&mut before, &mut now] {
            picture.remove(std::path::Path::new(""));
        }
        assert_same(&now, &before, edit);
    }
}

#[test]
fn a_further_name_that_is_gone_is_no_edit() {
    let world = tree();
    let (attempt, comparison) = world.tried("t", On::Copy, &steps("link|g|second\nwrite|d/a|x"));
    keep(&attempt, &comparison);
    world.edit(&steps("remove|second"));
    let undone = world.tries.undo("t", &mut || {}).unwrap();
    assert!(undone.left.is_empty(), "{undone:?}");
    assert!(!world.path("second").exists());
}

#[test]
fn where_nothing_can_be_made_again_nothing_is_begun() {
    for (edit, back) in
        [("rename|d|away\nsymlink|away|d", "remove|d\nrename|away|d"), ("rename|d|away", "rename|away|d")]
    {
        let world = World::new(&steps("mkdir|d\nmkdir|d/deep\nmkdir|d/deep/er\nwrite|d/deep/er/c|three"));
        let work = steps("write|d/deep/er/n|x\nremove|d/deep/er/c");
        let (attempt, comparison) = world.tried("t", On::Copy, &work);
        keep(&attempt, &comparison);
        world.edit(&steps(edit));
        let edited = world.picture();
        assert!(matches!(world.tries.undo("t", &mut || {}), Err(Error::Edited(_))), "{edit}");
        assert_same(&world.picture(), &edited, edit);
        world.edit(&steps(back));
        world.tries.undo("t", &mut || {}).unwrap();
        assert!(world.path("d/deep/er/c").exists() && !world.path("d/deep/er/n").exists());
    }
}

#[test]
fn what_would_be_lost_is_shown() {
    for on in On::all() {
        let world = tree();
        let (attempt, comparison) = world.tried("t", on, &steps(WORK));
        keep(&attempt, &comparison);
        world.edit(&steps("append|new|\u{1b}later"));
        let edits = world.tries.edits("t").unwrap();
        let [item] = &edits.items[..] else { panic!("{on:?} {edits:?}") };
        let Some(Diff::Text(hunks)) = &item.diff else { panic!("{on:?} {edits:?}") };
        assert_eq!((item.path.as_str(), item.kind, edits.more), ("new", Kind::Changed, 0), "{on:?}");
        let came = Line::Came("x\\u{1b}later (no newline at the end)".into());
        assert_eq!(hunks[0].lines, [Line::Went("x (no newline at the end)".into()), came], "{on:?}");
    }
}

/// Whatever was done to a path is told as what it is: its kind, and for what is no text or is too long, its size and hash.
#[test]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn every_kind_of_later_edit_is_shown() {
    for on in On::all() {
        let world = tree();
        let work =
            "mkdir|made\nwrite|made/a|x\nwrite|long|x\nwrite|bin|x\nwrite|link|x\nwrite|mode|x\nwrite|same|x";
        let (attempt, comparison) = world.tried("t", on, &steps(work));
        keep(&attempt, &comparison);
        std::fs::write(world.path("bin"), b"\0\xff").unwrap();
        std::fs::write(world.path("long"), vec![b'a'; (1 << 20) + 1]).unwrap();
        std::fs::write(world.path("made/mi\u{1b}ne"), "y\n").unwrap();
        world.edit(&steps("remove|link\nsymlink|elsewhere|link\nchmod|mode|600\ntouch|same|1500000000"));
        let edits = world.tries.edits("t").unwrap();
        let found: Vec<_> = edits.items.iter().map(|item| (item.path.as_str(), item.kind)).collect();
        let expected = [
            ("bin", Kind::Changed),
            ("link", Kind::Retyped),
            ("long", Kind::Changed),
            ("made/mi\\u{1b}ne", Kind::Created),
            ("mode", Kind::ModeChanged),
            ("same", Kind::Touched),
        ];
        assert_eq!(found, expected, "{on:?}");
        let [bin, link, long, mine, mode, same] = &edits.items[..] else { panic!("{on:?}") };
        let hash = |side: &Option<ItemSide>| side.as_ref().unwrap().digest.as_ref().map(String::len);
        let hashes = |item: &Item| (hash(&item.before), hash(&item.after));
        assert_eq!((&bin.diff, &long.diff), (&Some(Diff::Binary), &Some(Diff::Long)), "{on:?}");
        assert_eq!((hashes(bin), hashes(long).1), ((Some(64), Some(64)), Some(64)), "{on:?} {edits:?}");
        assert_eq!(link.after.as_ref().unwrap().target.as_deref(), Some("elsewhere"));
        assert!(matches!(&mine.diff, Some(Diff::Text(hunks)) if hunks[0].lines == [Line::Came("y".into())]));
        assert_eq!((&mode.diff, &same.diff), (&None, &None), "{on:?}");
    }
}

/// Where the run changed a mode, nobody has the bytes from before any more; what became of them is told all the same.
#[test]
fn an_edit_of_what_the_run_only_looked_after_is_told_as_what_it_is() {
    for (edit, kind) in [("chmod|g|640", Kind::ModeChanged), ("append|g|mine", Kind::Changed)] {
        for on in On::all() {
            let world = tree();
            let (attempt, comparison) = world.tried("t", on, &steps("chmod|g|600"));
            keep(&attempt, &comparison);
            world.edit(&steps(edit));
            let edits = world.tries.edits("t").unwrap();
            let found: Vec<_> = edits.items.iter().map(|item| (item.path.as_str(), item.kind)).collect();
            assert_eq!(found, [("g", kind)], "{on:?} {edit}");
        }
    }
}

#[test]
fn a_file_in_a_directory_that_the_run_made_is_not_lost() {
    let world = tree();
    let (attempt, comparison) = world.tried("t", On::Copy, &steps("mkdir|made\nwrite|made/a|x"));
    keep(&attempt, &comparison);
    world.edit(&steps("write|made/mine|y"));
    let Err(Error::Edited(paths)) = world.tries.undo("t", &mut || {}) else { panic!("it was lost") };
    assert_eq!(paths, [std::path::PathBuf::from("made/mine")]);
    assert!(world.path("made/a").exists());
}

#[test]
fn a_second_name_for_a_kept_file_is_no_edit() {
    let world = tree();
    let before = world.picture();
    let (attempt, comparison) = world.tried("t", On::Copy, &steps("write|new|x"));
    keep(&attempt, &comparison);
    world.edit(&steps("link|new|second\nremove|second\ntouch|.|1500000000"));
    world.tries.undo("t", &mut || {}).unwrap();
    assert_eq!(world.picture().len(), before.len());
}

#[test]
fn runs_are_taken_back_one_after_the_other_from_the_last() {
    let world = tree();
    let mut pictures = vec![world.picture()];
    for (id, work) in [("one", "write|g|1"), ("two", "write|g|22"), ("three", "remove|g\nmkdir|g")] {
        let (attempt, comparison) = world.tried(id, On::Copy, &steps(work));
        keep(&attempt, &comparison);
        pictures.push(world.picture());
    }
    assert!(matches!(world.tries.undo("one", &mut || {}), Err(Error::Edited(_))));
    for id in ["three", "two", "one"] {
        assert_same(&world.picture(), &pictures.pop().unwrap(), id);
        assert!(world.tries.undo(id, &mut || {}).is_ok());
    }
    assert_same(&world.picture(), &pictures.pop().unwrap(), "all");
    assert_eq!(world.tries.last_kept(&world.workspace).unwrap(), None);
}
