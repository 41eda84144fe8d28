//! What happens when something is wrong with the machine.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::place::Place;

#[test]
fn what_cannot_be_recorded_is_not_run() {
    let place = Place::new();
    fs::create_dir_all(place.guard()).unwrap();
    fs::write(place.guard().join("ledger"), "not a directory").unwrap();
    let ran = place.run(&["run", "touch made"]);
    assert_eq!(ran.code, Some(125), "{ran:?}");
    assert!(!place.work("made").exists() && ran.stderr.contains("ledger"), "{ran:?}");
}

#[test]
fn a_broken_database_refuses_what_must_be_remembered() {
    let place = Place::new();
    fs::create_dir_all(place.guard()).unwrap();
    fs::set_permissions(place.guard(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(place.guard().join("herm.db"), "this is no database".repeat(100)).unwrap();
    let ran = place.run(&["run", "rm -rf build"]);
    assert!(ran.code == Some(126) || ran.code == Some(125), "{ran:?}");
}

#[test]
fn a_broken_configuration_runs_nothing() {
    let place = Place::new();
    place.config("approvals: {denny: []}\n");
    let ran = place.run(&["run", "touch made"]);
    assert_eq!(ran.code, Some(125), "{ran:?}");
    assert!(!place.work("made").exists());
}

#[test]
fn an_unreadable_file_of_secrets_runs_nothing() {
    let place = Place::new();
    fs::create_dir_all(place.guard().join(".env")).unwrap();
    let ran = place.run(&["run", "touch made"]);
    assert_eq!(ran.code, Some(125), "{ran:?}");
    assert!(!place.work("made").exists());
}
