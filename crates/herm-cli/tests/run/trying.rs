//! `herm try` and `herm undo`, with real processes.

use std::fs;

use crate::place::Place;

fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

/// Sets the workspace up as its owner would.
fn prepare(place: &Place) {
    let ran =
        place.run(&["run", "mkdir -p src/deep; echo one > src/a; echo two > src/deep/b; echo text > f"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn read(place: &Place, name: &str) -> Option<String> {
    fs::read_to_string(place.work(name)).ok()
}

const CHANGE: &str = "rm -r src/deep; mv src/a src/c; echo new > n; echo more >> f; chmod +x f";

#[test]
fn what_is_discarded_never_happened() {
    for place in places() {
        prepare(&place);
        let tried = place.run(&["try", "--discard", CHANGE]);
        assert!(tried.code == Some(0) && tried.stderr.contains("+ n (4 bytes)"), "{tried:?}");
        assert!(
            tried.stderr.contains("    +more\n")
                && tried.stderr.contains("nothing of what it changed is kept")
        );
        assert_eq!((read(&place, "f").as_deref(), read(&place, "n")), (Some("text\n"), None));
        assert_eq!(read(&place, "src/deep/b").as_deref(), Some("two\n"));
    }
}

#[test]
fn without_a_person_nothing_is_kept() {
    let place = Place::new();
    prepare(&place);
    let tried = place.run(&["try", "rm -rf src"]);
    assert!(tried.code == Some(0) && tried.stderr.contains("- src"), "{tried:?}");
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
}

#[test]
fn a_person_sees_it_and_keeps_it_and_takes_it_back() {
    let place = Place::new();
    prepare(&place);
    let kept = place.at_terminal(80, &[("Choice [k/D]:", "k\r")], &["try", CHANGE]);
    assert!(kept.code == Some(0) && kept.stdout.contains(" n (4 bytes)"), "{kept:?}");
    assert_eq!(
        (read(&place, "f").as_deref(), read(&place, "n").as_deref()),
        (Some("text\nmore\n"), Some("new\n"))
    );
    assert_eq!((read(&place, "src/c").as_deref(), read(&place, "src/deep/b")), (Some("one\n"), None));
    let undone = place.run(&["undo"]);
    assert!(undone.code == Some(0) && undone.stdout.contains("is taken back"), "{undone:?}");
    assert_eq!((read(&place, "f").as_deref(), read(&place, "n")), (Some("text\n"), None));
    assert_eq!(
        (read(&place, "src/a").as_deref(), read(&place, "src/deep/b").as_deref()),
        (Some("one\n"), Some("two\n"))
    );
    assert_eq!(place.run(&["undo"]).code, Some(1), "there is nothing more");
}

#[test]
fn a_person_who_says_no_keeps_nothing() {
    let place = Place::new();
    prepare(&place);
    let kept = place.at_terminal(80, &[("Choice [k/D]:", "\r")], &["try", "rm -rf src"]);
    assert!(kept.stdout.contains("nothing of what it changed is kept"), "{kept:?}");
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
}

#[test]
fn keeping_unseen_is_asked_about_as_ever() {
    for place in places() {
        prepare(&place);
        let refused = place.run(&["try", "--keep", "rm -rf src"]);
        assert!(refused.code == Some(126) && read(&place, "src/a").is_some(), "{refused:?}");
        let free = place.run(&["try", "--keep-if", "EXIT0", "echo new > n"]);
        assert!(free.code == Some(0) && read(&place, "n").as_deref() == Some("new\n"), "{free:?}");
        let failed = place.run(&["try", "--keep-if", "EXIT0", "echo new > m; false"]);
        assert!(failed.code == Some(1) && read(&place, "m").is_none(), "{failed:?}");
    }
}

#[test]
fn later_edits_are_not_lost() {
    for place in places() {
        prepare(&place);
        let kept = place.run(&["try", "--keep", "--json", "echo new > f"]);
        let reply: serde_json::Value = serde_json::from_str(&kept.stdout).unwrap();
        assert_eq!(reply["trial"]["kept"], true, "{kept:?}");
        assert_eq!(place.run(&["run", "echo mine >> f"]).code, Some(0));
        let refused = place.run(&["undo", reply["receipt"].as_str().unwrap()]);
        assert!(refused.code == Some(3) && refused.stderr.contains("  f\n"), "{refused:?}");
        assert_eq!(read(&place, "f").as_deref(), Some("new\nmine\n"));
    }
}

#[test]
fn the_record_says_whether_it_was_kept() {
    let place = Place::new();
    prepare(&place);
    let kept = place.run(&["try", "--keep", "--json", "echo new > n"]);
    let reply: serde_json::Value = serde_json::from_str(&kept.stdout).unwrap();
    let shown = place.run(&["audit", "show", reply["receipt"].as_str().unwrap()]);
    assert!(shown.stdout.contains("\"kept\": true") && shown.stdout.contains("\"created\": 1"), "{shown:?}");
}

#[test]
fn a_command_cannot_take_back_what_was_kept() {
    let place = Place::new();
    prepare(&place);
    assert_eq!(place.run(&["try", "--keep", "echo new > n"]).code, Some(0));
    let herm = env!("CARGO_BIN_EXE_herm");
    let undone = place.run(&["run", "--yolo", &format!("{herm} undo")]);
    assert!(undone.code != Some(0) && read(&place, "n").is_some(), "{undone:?}");
}

#[test]
fn wrong_arguments_are_herms_own_failure() {
    let ran = Place::new().run(&["try", "--no-such-switch", "true"]);
    assert_eq!(ran.code, Some(125), "{ran:?}");
}
