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

/// Runs what is harmless and what is not; both are refused, and the record says so.
fn forgets(place: &Place) {
    for command in ["touch made", "rm -rf build"] {
        let ran = place.run(&["run", command]);
        assert_eq!(ran.code, Some(126), "{ran:?}");
        assert!(ran.stderr.contains("what was answered earlier cannot be looked up"), "{ran:?}");
        assert!(ran.stderr.contains("herm.db") && ran.stderr.contains("to begin without grants"), "{ran:?}");
        assert_eq!(place.ledger().pop().unwrap()["body"]["refused"], "no-memory");
    }
    assert!(!place.work("made").exists() && place.work("build").exists());
    let verified = place.run(&["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[test]
fn a_broken_database_refuses_everything() {
    let place = Place::new();
    place.file("build/x", "");
    fs::create_dir_all(place.guard()).unwrap();
    fs::set_permissions(place.guard(), fs::Permissions::from_mode(0o700)).unwrap();
    let database = place.guard().join("herm.db");
    fs::write(&database, "this is no database".repeat(100)).unwrap();
    fs::set_permissions(&database, fs::Permissions::from_mode(0o600)).unwrap();
    forgets(&place);
}

#[test]
fn a_damaged_database_refuses_everything() {
    let place = Place::new();
    place.file("build/x", "");
    assert_eq!(place.run(&["grants", "add", "recursive-delete"]).code, Some(0));
    let database = place.guard().join("herm.db");
    let length = fs::metadata(&database).unwrap().len();
    fs::write(&database, vec![b'x'; usize::try_from(length).unwrap()]).unwrap();
    for name in ["herm.db-wal", "herm.db-shm"] {
        // They are not there when the last one has closed it.
        let _ = fs::remove_file(place.guard().join(name));
    }
    forgets(&place);
}

#[test]
fn where_nothing_can_be_written_nothing_runs() {
    let place = Place::unprivileged();
    fs::set_permissions(place.home(), fs::Permissions::from_mode(0o555)).unwrap();
    let ran = place.run(&["run", "touch made"]);
    assert_eq!(ran.code, Some(125), "{ran:?}");
    assert!(!place.work("made").exists() && ran.stderr.contains("ermission denied"), "{ran:?}");
    assert!(ran.stderr.contains("hint: make `"), "{ran:?}");
}

#[test]
fn where_nothing_more_can_be_recorded_nothing_runs() {
    let place = Place::unprivileged();
    assert_eq!(place.run(&["run", "true"]).code, Some(0));
    let ledger = place.guard().join("ledger");
    let modes = |directory: u32, file: u32| {
        for entry in fs::read_dir(&ledger).unwrap() {
            fs::set_permissions(entry.unwrap().path(), fs::Permissions::from_mode(file)).unwrap();
        }
        fs::set_permissions(&ledger, fs::Permissions::from_mode(directory)).unwrap();
    };
    modes(0o500, 0o400);
    let ran = place.run(&["run", "touch made"]);
    assert_eq!(ran.code, Some(125), "{ran:?}");
    assert!(!place.work("made").exists() && ran.stderr.contains("ermission denied"), "{ran:?}");
    modes(0o700, 0o600);
    let verified = place.run(&["audit", "verify"]);
    assert_eq!(verified.stdout, "2 records; nothing was changed\n", "{verified:?}");
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
