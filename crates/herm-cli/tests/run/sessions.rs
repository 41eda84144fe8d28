//! Sessions side by side: what one leaves behind, another does not find.

use std::fs;

use crate::place::{Place, Ran, eventually};

/// Leaves files wherever it may, and stays until it is told to go.
const STAYS: &str = "echo mine > /tmp/left; echo mine > /var/tmp/left; echo mine > ~/left; echo mine > \
                     /dev/shm/left; : > ready; until test -e over; do sleep 0.05; done";

/// Looks for what the other left, and for the other.
const LOOKS: &str = "cat /tmp/left /var/tmp/left ~/left /dev/shm/left; ps -e -o args; true";

#[test]
fn a_session_finds_nothing_of_another() {
    for place in [Place::new(), Place::unprivileged()] {
        let beside = place.work("../beside");
        fs::create_dir_all(beside.join(".git")).unwrap();
        let mut stays =
            place.herm(&["run", "--backend", "sandbox", "--session", "first", STAYS]).spawn().unwrap();
        eventually("the first session runs", || place.work("ready").exists());

        let theirs = format!("{LOOKS}; ls {}", place.work("ready").display());
        let second = ["run", "--backend", "sandbox", "--session", "second"];
        let same = Ran::of(place.herm(&second).arg(LOOKS));
        let other = Ran::of(place.herm(&second).arg(&theirs).current_dir(&beside));
        fs::write(place.work("over"), "").unwrap();

        assert!(stays.wait().unwrap().success());
        for ran in [&same, &other] {
            assert!(ran.code.is_some(), "{ran:?}");
            assert!(!ran.stdout.contains("mine") && !ran.stdout.contains("until test"), "{ran:?}");
            assert_eq!(ran.stderr.matches("/left: No such file").count(), 4, "{ran:?}");
        }
        assert!(other.stderr.contains("ready"), "another workspace is not there: {other:?}");
    }
}
