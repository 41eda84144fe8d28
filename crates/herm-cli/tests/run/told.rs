//! What `--json` tells when nothing was run.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::place::{Place, Ran};

const KEYS: &[&str] = &[
    "answer",
    "backend",
    "decision",
    "duration",
    "ending",
    "error",
    "exit_code",
    "findings",
    "missing",
    "notes",
    "receipt",
    "stderr",
    "stdout",
    "truncated",
];

/// One object, with every key that an answer has, the exit code of the process, and an error that says `why`.
#[track_caller]
fn fails(ran: &Ran, code: i32, why: &str) {
    let told = ran.json();
    let has = |key: &&str| told.as_object().is_some_and(|fields| fields.contains_key(*key));
    assert!(KEYS.iter().all(has), "{ran:?}");
    assert_eq!((ran.code, told["exit_code"].as_i64()), (Some(code), Some(i64::from(code))), "{ran:?}");
    assert!(told["error"].as_str().is_some_and(|error| error.contains(why)), "{why}: {ran:?}");
    assert!(ran.stderr.contains(why), "{why}: {ran:?}");
}

#[test]
fn every_answer_has_the_same_keys() {
    let place = Place::new();
    for arguments in [
        &["run", "--json", "true"][..],
        &["run", "--json", "rm -rf /"],
        &["run", "--json", "--", "no-such-program"],
    ] {
        let told = place.run(arguments).json();
        let has = |key: &&str| told.as_object().is_some_and(|fields| fields.contains_key(*key));
        assert!(KEYS.iter().all(has), "{arguments:?}: {told}");
    }
    assert!(!place.is_harmed());
}

#[test]
fn wrong_arguments_are_told_and_are_no_code_of_a_command() {
    let place = Place::new();
    for (arguments, why) in [
        (&["--json"][..], "required"),
        (&["--json", "--bogus", "true"], "unexpected argument '--bogus'"),
        (&["--language", "cobol", "--json", "true"], "invalid value 'cobol'"),
        (&["--json", "--timeout", "0", "true"], "invalid value '0'"),
        (&["--json", "--backend", "moon", "true"], "invalid value 'moon'"),
        (&["--json", "--cwd"], "a value is required"),
    ] {
        let ran = place.run(&[&["run"], arguments].concat());
        fails(&ran, 125, why);
    }
    let plain = place.run(&["run", "--bogus"]);
    assert_eq!((plain.code, plain.stdout.as_str()), (Some(125), ""), "{plain:?}");
    let commands = place.run(&["run", "--bogus", "--", "echo", "--json"]);
    assert_eq!((commands.code, commands.stdout.as_str()), (Some(125), ""), "{commands:?}");
    assert_eq!(place.run(&["run", "--help"]).code, Some(0));
}

#[test]
fn a_broken_configuration_is_told() {
    let place = Place::new();
    place.config("approvals: {tmeout: 3}\n");
    fails(&place.run(&["run", "--json", "true"]), 125, "unknown key `tmeout`");
    fails(
        &place.run(&["run", "--json", "--config", "/nowhere.yaml", "true"]),
        125,
        "cannot read `/nowhere.yaml`",
    );
    place.config("terminal: {backend: docker}\n");
    fails(&place.run(&["run", "--json", "true"]), 125, "`terminal.backend` is `docker`");
}

#[test]
fn a_directory_that_is_not_there_is_told() {
    let place = Place::new();
    fails(
        &place.run(&["run", "--json", "--cwd", "nowhere", "true"]),
        125,
        "cannot enter the working directory",
    );
    fails(&place.run(&["run", "--json", "--cwd", "..", "true"]), 125, "working directory");
}

#[test]
fn a_home_that_cannot_be_entered_is_told() {
    let place = Place::unprivileged();
    let shut = fs::Permissions::from_mode(0o000);
    fs::set_permissions(place.home(), shut).unwrap();
    let ran = place.run(&["run", "--json", "touch made"]);
    fs::set_permissions(place.home(), fs::Permissions::from_mode(0o755)).unwrap();
    fails(&ran, 125, "home/.herm");
    assert!(!place.work("made").exists());
}

#[test]
fn what_a_command_may_not_choose_is_told() {
    let place = Place::new();
    let herm = env!("CARGO_BIN_EXE_herm");
    for option in ["--yolo", "--preset permissive"] {
        // The outer one refuses what it sees; this it does not see.
        place.file("unseen", &format!("{herm} run --json {option} true; echo code=$?"));
        let ran = place.run(&["run", "--yolo", r#"eval "$(sed -n p unseen)""#]);
        let told = ran.stdout.lines().next().unwrap_or_default();
        let told: Value = serde_json::from_str(told).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        assert_eq!((&told["exit_code"], &told["ending"]), (&126.into(), &"refused".into()), "{ran:?}");
        assert!(ran.stdout.contains("code=126"), "{ran:?}");
    }
}
