//! Asking nothing: what still holds.

use crate::place::{Place, Ran};

/// Runs a command in both ways of asking for no questions.
fn without_questions(place: &Place, command: &str) -> [Ran; 2] {
    [
        place.run(&["run", "--yolo", command]),
        Ran::of(place.herm(&["run", command]).env("HERMES_YOLO_MODE", "1")),
    ]
}

fn holds(place: &Place, command: &str, why: &str) {
    for ran in without_questions(place, command) {
        assert_eq!(ran.code, Some(126), "{command}: {ran:?}");
        assert!(ran.stderr.contains("herm: refused: ") && ran.stderr.contains(why), "{command}: {ran:?}");
    }
}

#[test]
fn the_floor_holds() {
    let place = Place::new();
    // What would run in place of these programs is harmless, and says so.
    let found = place.run(&["run", "command -v rm mkfs.ext4 shutdown"]).stdout;
    assert_eq!(
        found.lines().filter(|path| path.contains("/run-") && path.contains("/bin/")).count(),
        3,
        "{found}"
    );
    holds(&place, "rm -rf /", "[delete-root]");
    holds(&place, "mkfs.ext4 /dev/sda", "[format-device]");
    holds(&place, "shutdown -h now", "[");
    assert!(!place.is_harmed());
}

#[test]
fn objections_of_hooks_hold() {
    let place = Place::new();
    let path = place
        .program("hook.sh", "#!/bin/sh\necho '{\"action\":\"block\",\"message\":\"not on a Friday\"}'\n");
    place.config(&format!("hooks: {{pre_tool_call: [{path}]}}\n"));
    holds(&place, "touch made", "nobody has consented");
    place.run(&["hooks", "allow", "1"]);
    holds(&place, "touch made", "not on a Friday");
    place.program("hook.sh", "#!/bin/sh\nexit 9\n");
    place.run(&["hooks", "allow", "1"]);
    holds(&place, "touch made", "it ended with code 9");
    assert!(!place.work("made").exists());
}

#[test]
fn blocks_of_tirith_hold() {
    let place = Place::new();
    let path = place.program("tirith", "#!/bin/sh\nexit 1\n");
    place.config(&format!("security: {{tirith_enabled: true, tirith_path: {path}}}\n"));
    holds(&place, "touch made", "tirith blocks it");
    assert!(!place.work("made").exists());
}

#[test]
fn refusals_of_the_configuration_hold() {
    let place = Place::new();
    place.config("approvals: {deny: ['git push*']}\n");
    holds(&place, "git push", "[denied-by-user]");
}

#[test]
fn what_would_be_asked_runs_and_is_recorded() {
    let place = Place::new();
    for command in ["--yolo", "variable"] {
        place.file("build/x", "");
        let mut herm = if command == "--yolo" {
            place.herm(&["run", "--yolo", "rm -rf build"])
        } else {
            place.herm(&["run", "rm -rf build"])
        };
        let ran = Ran::of(herm.env("HERMES_YOLO_MODE", if command == "--yolo" { "0" } else { "true" }));
        assert!(ran.code == Some(0) && !place.work("build").exists(), "{ran:?}");
    }
    assert_eq!(place.ledger().len(), 4);
}
