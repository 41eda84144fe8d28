//! What is allowed beforehand.

use crate::place::Place;

fn deletes(place: &Place, session: &str) -> Option<i32> {
    place.file("build/x", "");
    place.run(&["run", "--session", session, "rm -rf build"]).code
}

#[test]
fn a_grant_holds_as_often_as_it_says_and_can_be_taken_back() {
    let place = Place::new();
    let entry = format!("rule:recursive-delete path:{}/**", place.work("").display());
    let entry = entry.replace("//", "/");
    let id =
        place.run(&["grants", "add", &entry, "--uses", "2", "--expires", "1h"]).stdout.trim_end().to_owned();
    assert_eq!(deletes(&place, "s"), Some(0));
    assert_eq!(place.run(&["grants", "list", "--json"]).json()["grants"][0]["uses_left"], 1);
    assert_eq!(deletes(&place, "s"), Some(0));
    assert_eq!(deletes(&place, "s"), Some(126), "used up");
    let next = place.run(&["grants", "add", &entry]).stdout.trim_end().to_owned();
    assert_ne!(next, id);
    assert_eq!(deletes(&place, "s"), Some(0));
    assert_eq!(place.run(&["grants", "revoke", &next]).code, Some(0));
    assert_eq!(deletes(&place, "s"), Some(126), "taken back");
}

#[test]
fn a_grant_ends() {
    let place = Place::new();
    place.run(&["grants", "add", "recursive-delete", "--expires", "1s"]);
    assert_eq!(deletes(&place, "s"), Some(0));
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(deletes(&place, "s"), Some(126));
    assert_eq!(place.run(&["grants", "list"]).stdout, "nothing is allowed beforehand\n");
}

#[test]
fn a_grant_of_one_session_is_not_anothers() {
    let place = Place::new();
    place.run(&["grants", "add", "recursive-delete", "--session", "mine"]);
    assert_eq!(deletes(&place, "other"), Some(126));
    assert_eq!(deletes(&place, "mine"), Some(0));
}

#[test]
fn entries_of_the_configuration_are_listed_and_revoked_too() {
    let place = Place::new();
    place.config("# mine\ncommand_allowlist:\n  - recursive-delete # risky\n  - ls\n");
    assert!(place.run(&["grants", "list"]).stdout.contains("always   recursive-delete\n"));
    assert_eq!(place.run(&["grants", "revoke", "recursive-delete"]).code, Some(0));
    assert_eq!(deletes(&place, "s"), Some(126));
    assert_eq!(place.run(&["grants", "revoke", "recursive-delete"]).code, Some(1));
}

#[test]
fn a_grant_never_answers_a_refusal() {
    let place = Place::new();
    place.run(&["grants", "add", "delete-root"]);
    assert_eq!(place.run(&["run", "rm -rf /"]).code, Some(126));
}

#[test]
fn a_command_cannot_grant_itself_anything() {
    let place = Place::new();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_herm"), place.work("tool")).unwrap();
    let ran = place.run(&["run", "--yolo", "./tool grants add recursive-delete"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("cannot change what is allowed"), "{ran:?}");
}

#[test]
fn a_grant_that_covers_a_part_is_used_all_the_same() {
    let place = Place::new();
    let entry = format!("rule:recursive-delete flag:recursive path:{}", place.work("build").display());
    place.run(&["grants", "add", &entry, "--uses", "1"]);
    for name in ["build/x", "dist/x"] {
        place.file(name, "");
    }
    let ran = place.at_terminal(80, &[("Choice", r"o\r")], &["run", "rm -rf build dist"]);
    assert!(ran.code == Some(0) && !ran.stdout.contains("deletes `build`"), "{ran:?}");
    assert_eq!(place.run(&["grants", "list"]).stdout, "nothing is allowed beforehand\n");
    assert_eq!(deletes(&place, "s"), Some(126), "used up");
}

#[test]
fn a_grant_that_would_never_hold_is_refused() {
    let place = Place::new();
    for (time, problem) in [
        ("0d", "`0d` is over before it begins"),
        ("0s", "`0s` is over before it begins"),
        ("7dd", "`7dd` is no time"),
        ("-1d", "`-1d` is no time"),
        ("7", "`7` is no time"),
    ] {
        let ran = place.run(&["grants", "add", "recursive-delete", &format!("--expires={time}")]);
        assert!(ran.code == Some(3) && ran.stderr.contains(problem), "{time}: {ran:?}");
    }
    assert_eq!(place.run(&["grants", "list"]).stdout, "nothing is allowed beforehand\n");
}

#[test]
fn what_a_grant_is_for_is_listed() {
    let place = Place::new();
    place.run(&["grants", "add", "recursive-delete", "--note", "the nightly \u{1b}[2Jjob"]);
    place.run(&["grants", "add", "ls"]);
    let listed = place.run(&["grants", "list"]).stdout;
    assert!(listed.contains("  recursive-delete  # the nightly "), "{listed}");
    assert!(!listed.contains('\u{1b}') && listed.contains("  ls\n"), "{listed}");
    let listed = place.run(&["grants", "list", "--json"]).json();
    assert_eq!(listed["grants"][0]["note"], "the nightly \u{1b}[2Jjob");
    assert!(listed["grants"][1]["note"].is_null(), "{listed}");
}
