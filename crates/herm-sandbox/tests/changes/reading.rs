//! What a run changed is read from real overlays as it was.

use herm_sandbox::changes::{Kind, Standing, Summary};

use super::world::{On, World, kinds, steps};

fn tree() -> World {
    World::new(&steps(
        "mkdir|d
        mkdir|d/deep
        mkdir|e
        write|d/a|one
        write|d/b|two
        write|d/deep/c|three
        write|e/f|four
        write|g|five
        symlink|g|link",
    ))
}

fn changes(on: On, text: &str) -> Vec<(String, Kind)> {
    kinds(&tree().tried("t", on, &steps(text)).1)
}

fn told(wanted: &[(&str, Kind)]) -> Vec<(String, Kind)> {
    wanted.iter().map(|(path, kind)| ((*path).to_owned(), *kind)).collect()
}

#[test]
fn every_kind_of_change_is_told() {
    for on in On::all() {
        let found = changes(
            on,
            "write|new|x
            mkdir|newdir
            write|d/a|ONE
            remove|d/b
            chmod|e/f|600
            remove|g
            mkdir|g
            remove|link
            symlink|elsewhere|link
            xattr|e|user.note|x",
        );
        let wanted = [
            ("d/a", Kind::Changed),
            ("d/b", Kind::Deleted),
            ("e", Kind::AttributesChanged),
            ("e/f", Kind::ModeChanged),
            ("g", Kind::Retyped),
            ("link", Kind::Changed),
            ("new", Kind::Created),
            ("newdir", Kind::Created),
        ];
        assert_eq!(found, told(&wanted), "{on:?}");
    }
}

#[test]
fn what_was_only_copied_up_is_no_change() {
    for on in On::all() {
        let found = changes(
            on,
            "open|d/a\nchmod|d/b|644\nwrite|e/f|four\ntouch|e/f|1500000000\nrename|g|h\nrename|h|g",
        );
        assert_eq!(found, [], "{on:?}");
    }
}

#[test]
fn a_time_alone_is_told_as_such() {
    for on in On::all() {
        let world = tree();
        let (_, comparison) = world.tried("t", on, &steps("touch|d/a|1400000000\ntouch|d|1400000000"));
        let all: Vec<_> =
            comparison.changes.iter().map(|change| (change.path.to_str().unwrap(), change.kind)).collect();
        assert_eq!(all, [("d", Kind::Touched), ("d/a", Kind::Touched)], "{on:?}");
    }
}

#[test]
fn a_directory_that_was_made_anew_hides_what_was_in_it() {
    for on in On::all() {
        let found = changes(on, "rmtree|d\nmkdir|d\nwrite|d/a|one\nwrite|d/new|x");
        let wanted = [
            ("d/b", Kind::Deleted),
            ("d/deep", Kind::Deleted),
            ("d/deep/c", Kind::Deleted),
            ("d/new", Kind::Created),
        ];
        assert_eq!(found, told(&wanted), "{on:?}");
    }
}

#[test]
fn directories_can_be_renamed_by_root_and_by_users() {
    for on in On::all().into_iter().filter(|on| *on != On::User) {
        let world = tree();
        let text = "rename|d|moved\nwrite|moved/b|TWO\nremove|moved/a\nrename|moved/deep|e/deeper\nwrite|e/deeper/x|y";
        let (attempt, comparison) = world.tried("t", on, &steps(text));
        let wanted = [
            ("d", Kind::Deleted),
            ("d/a", Kind::Deleted),
            ("d/b", Kind::Deleted),
            ("d/deep", Kind::Deleted),
            ("d/deep/c", Kind::Deleted),
            ("e/deeper", Kind::Created),
            ("e/deeper/c", Kind::Created),
            ("e/deeper/x", Kind::Created),
            ("moved", Kind::Created),
            ("moved/b", Kind::Created),
        ];
        assert_eq!(kinds(&comparison), told(&wanted), "{on:?}");
        let summary = Summary::new(&attempt, &comparison).unwrap();
        let items: Vec<_> = summary
            .items
            .iter()
            .map(|item| (item.path.as_str(), item.from.as_deref(), item.within))
            .collect();
        assert!(items.contains(&("moved", Some("d"), 0)), "{on:?} {items:?}");
        assert!(items.contains(&("e/deeper", Some("d/deep"), 1)), "{on:?} {items:?}");
        assert!(items.contains(&("d/a", None, 0)), "{on:?} {items:?}");
    }
}

#[test]
fn an_overlay_of_a_user_says_that_it_lacks_renames() {
    let world = tree();
    let attempt = world.begin("t", On::User);
    assert_eq!(world.run(&attempt, &steps("rename|d|moved")), "EXDEV rename\td\tmoved\n");
    let words: Vec<_> = attempt.lacks().into_iter().map(herm_sandbox::changes::Lack::as_str).collect();
    assert_eq!(words, ["directories of the workspace cannot be renamed in one step"]);
}

#[test]
fn files_that_were_renamed_are_recognised() {
    for on in On::all() {
        let world = tree();
        let (attempt, comparison) = world.tried("t", on, &steps("rename|d/a|e/z"));
        let summary = Summary::new(&attempt, &comparison).unwrap();
        assert_eq!(summary.counts.renamed, 1, "{on:?}");
        assert_eq!((summary.counts.created, summary.counts.deleted), (0, 0), "{on:?}");
        let item = &summary.items[0];
        assert_eq!((item.path.as_str(), item.from.as_deref()), ("e/z", Some("d/a")), "{on:?}");
    }
}

/// A person who sees that something has another name believes that it is the same as before.
#[test]
fn what_was_written_to_is_shown_though_it_was_renamed_and_has_its_size_and_time_again() {
    for on in On::all().into_iter().filter(|on| *on != On::User) {
        let world = tree();
        let text = "rename|d|moved\nwrite|moved/a|bad\ntouch|moved/a|1500000000\nwrite|g|evil\ntouch|g|1500000000\nrename|g|h";
        let (attempt, comparison) = world.tried("t", on, &steps(text));
        let summary = Summary::new(&attempt, &comparison).unwrap();
        let find = |path: &str| summary.items.iter().find(|item| item.path == path);
        for (old, new) in [("d/a", "moved/a"), ("g", "h")] {
            let item = find(new).unwrap_or_else(|| panic!("{on:?} {new}: {:?}", summary.items));
            assert!(item.from.is_none() && item.diff.is_some(), "{on:?} {item:?}");
            assert_eq!(find(old).map(|item| item.kind), Some(Kind::Deleted), "{on:?} {old}");
        }
        let moved = find("moved").unwrap();
        assert_eq!((moved.from.as_deref(), moved.besides), (Some("d"), None), "{on:?}");
    }
}

#[test]
fn what_else_happened_to_what_was_renamed_is_told() {
    for on in On::all().into_iter().filter(|on| *on != On::User) {
        let world = tree();
        let text = "rename|d|moved\nchmod|moved|777\nchmod|moved/deep/c|666\nchmod|g|755\nrename|g|h";
        let (attempt, comparison) = world.tried("t", on, &steps(text));
        let json = Summary::new(&attempt, &comparison).unwrap().to_json();
        for (path, from, before, after) in [
            ("moved", "d", "0755", "0777"),
            ("moved/deep/c", "d/deep/c", "0644", "0666"),
            ("h", "g", "0644", "0755"),
        ] {
            let items = json["changes"].as_array().unwrap();
            let item = items.iter().find(|item| item["path"] == path);
            let item = item.unwrap_or_else(|| panic!("{on:?} {path}: {items:?}"));
            let modes = (item["before"]["mode"].as_str(), item["after"]["mode"].as_str());
            assert_eq!((item["from"].as_str(), modes), (Some(from), (Some(before), Some(after))), "{on:?}");
            assert_eq!(item["besides"], "mode-changed", "{on:?} {path}");
        }
    }
}

#[test]
fn the_other_way_to_write_that_a_name_is_gone_is_understood() {
    let world = tree();
    let attempt = world.begin("t", On::User);
    assert_eq!(world.run(&attempt, &steps("chmod|d|711")), "ok chmod\td\t711\n");
    let upper = world.home().join("tries/t/upper/d");
    let flags = rustix::fs::XattrFlags::empty();
    std::fs::File::options().create_new(true).write(true).open(upper.join("a")).unwrap();
    rustix::fs::setxattr(upper.join("a"), "user.overlay.whiteout", b"", flags).unwrap();
    assert!(
        kinds(&attempt.compare().unwrap()).contains(&("d/a".into(), Kind::Changed)),
        "only where it is announced"
    );
    rustix::fs::setxattr(&upper, "user.overlay.opaque", b"x", flags).unwrap();
    assert!(kinds(&attempt.compare().unwrap()).contains(&("d/a".into(), Kind::Deleted)));
    let shown = world.run(&attempt, &steps("open|d/a\nopen|d/b"));
    assert_eq!(shown, "ENOENT open\td/a\nok open\td/b\n", "and the kernel reads it so");
}

#[test]
fn marks_that_the_command_wrote_itself_are_not_believed() {
    for on in On::all() {
        let marks = "xattr|d|user.overlay.opaque|y\nxattr|d/a|user.overlay.whiteout|y\nxattr|e|user.overlay.redirect|/d";
        let world = tree();
        let attempt = world.begin("t", on);
        let _ = world.run(&attempt, &steps(marks));
        assert_eq!(kinds(&attempt.compare().unwrap()), [], "{on:?}");
    }
}

#[test]
fn a_summary_shows_diffs_and_is_json() {
    for on in On::all() {
        let world = tree();
        let (attempt, comparison) = world.tried(
            "t",
            on,
            &steps("write|d/a|two\nwrite|bin|\0\nremove|g\nwrite|bad\u{1b}name|x\nchmod|e/f|755"),
        );
        let json = Summary::new(&attempt, &comparison).unwrap().to_json();
        assert_eq!(json["counts"]["created"], 2, "{on:?}");
        assert_eq!(json["counts"]["mode_changed"], 1, "{on:?}");
        let find = |path: &str| {
            json["changes"].as_array().unwrap().iter().find(|item| item["path"] == path).unwrap()
        };
        assert_eq!(find("d/a")["diff"]["hunks"][0]["lines"][0], "-one (no newline at the end)");
        assert_eq!(find("d/a")["diff"]["hunks"][0]["lines"][1], "+two (no newline at the end)");
        assert_eq!(find("bin")["diff"]["binary"], true);
        assert_eq!(
            find("bin")["after"]["sha256"],
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
        );
        assert_eq!(find("g")["diff"]["hunks"][0]["lines"][0], "-five (no newline at the end)");
        assert_eq!(find("bad\\u{1b}name")["kind"], "created");
        assert_eq!(find("e/f")["before"]["mode"], "0644");
        assert_eq!(find("e/f")["after"]["mode"], "0755");
    }
}

#[test]
fn an_overlay_is_mounted_with_what_its_standing_needs() {
    let world = tree();
    let attempt = world.begin("t", On::User);
    let herm_sandbox::changes::Ground::Overlay(options) = attempt.ground() else { panic!("no overlay") };
    assert_eq!(options.standing, Standing::User);
    assert!(options.settings().contains(&("userxattr", None)));
}

/// On an overlay a file with several names comes apart when it is written to, and nobody can tell whether the command would
/// have done that.
#[test]
fn names_that_an_overlay_takes_apart_are_told() {
    for on in On::all() {
        let world = World::new(&steps("write|g|five\nlink|g|h\nlink|g|i\nwrite|j|six\nlink|j|k"));
        for (id, work, wanted) in [
            ("written", "append|h|more", &["g", "h", "i"][..]),
            ("removed", "remove|k", &[]),
            ("elsewhere", "write|l|x", &[]),
        ] {
            let (attempt, comparison) = world.tried(id, on, &steps(work));
            let wanted = if on == On::Copy { &[] } else { wanted };
            assert_eq!(Summary::new(&attempt, &comparison).unwrap().apart, wanted, "{on:?} {work}");
            attempt.discard().unwrap();
        }
        let parted = "write|fresh|other\nrename|fresh|g";
        let (attempt, comparison) = world.tried("parted", on, &steps(parted));
        let is_told = !Summary::new(&attempt, &comparison).unwrap().apart.is_empty();
        assert_eq!(
            is_told,
            on != On::Copy,
            "what the command itself parts on a copy is a change as any other"
        );
    }
}
