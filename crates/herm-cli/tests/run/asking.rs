//! Asking the person at the terminal.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::place::Place;

fn with_build() -> Place {
    let place = Place::new();
    place.file("build/x", "");
    place
}

#[test]
fn without_anybody_a_question_is_refused_and_says_so() {
    let place = with_build();
    let ran = place.run(&["run", "rm -rf build"]);
    assert_eq!(ran.code, Some(126));
    assert!(ran.stderr.contains("no terminal, and nobody watches `herm approvals`"), "{ran:?}");
    assert!(place.work("build").exists());
}

#[test]
fn a_yes_at_the_terminal_runs_it_once() {
    let place = with_build();
    let ran = place.at_terminal(80, &[("Choice", r"o\r")], &["run", "rm -rf build"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!place.work("build").exists());
    assert!(
        ran.stdout.contains("DANGEROUS COMMAND: recursive delete") && ran.stdout.contains("Allowed once")
    );
    place.file("build/x", "");
    assert_eq!(place.run(&["run", "rm -rf build"]).code, Some(126));
}

#[test]
fn arrows_choose_too() {
    let place = with_build();
    let ran =
        place.at_terminal(80, &[("Choice", r"\x1b[C\x1b[C\r")], &["run", "--session", "s", "rm -rf build"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("Allowed for this session"), "{ran:?}");
    place.file("build/x", "");
    assert_eq!(place.run(&["run", "--session", "s", "rm -r ./build"]).code, Some(0));
    place.file("build/x", "");
    assert_eq!(place.run(&["run", "--session", "another", "rm -rf build"]).code, Some(126));
}

#[test]
fn enter_escape_and_control_c_refuse() {
    for keys in [r"\r", r"\x1b", r"\x03", r"d\r", r"x\r"] {
        let place = with_build();
        let ran = place.at_terminal(80, &[("Choice", keys)], &["run", "rm -rf build"]);
        assert_eq!(ran.code, Some(126), "{keys}: {ran:?}");
        assert!(place.work("build").exists());
    }
}

#[test]
fn silence_refuses() {
    let place = with_build();
    place.config("approvals: {timeout: 1}\n");
    let ran = place.at_terminal(80, &[], &["run", "rm -rf build"]);
    assert_eq!(ran.code, Some(126), "{ran:?}");
    assert!(ran.stdout.contains("silence is not consent"), "{ran:?}");
}

#[test]
fn what_was_typed_before_the_question_does_not_count() {
    let place = with_build();
    place.config("approvals: {timeout: 2}\n");
    let ran = place.at_terminal(80, &[("", r"o\r")], &["run", "rm -rf build"]);
    assert_eq!(ran.code, Some(126), "{ran:?}");
}

#[test]
fn always_is_written_into_the_configuration_with_everything_else_kept() {
    let place = with_build();
    let config = "# mine\napprovals:\n  timeout: 60 # quick\ncommand_allowlist:\n  - ls # look\n";
    place.config(config);
    let ran = place.at_terminal(400, &[("Choice", r"a\r")], &["run", "rm -rf build"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let file = place.guard().join("config.yaml");
    let written = fs::read_to_string(&file).unwrap();
    let added = written.strip_prefix(config).unwrap_or_else(|| panic!("{written}"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // It is what was shown before, word for word.
    let entry = added.trim().trim_start_matches("- ").trim_matches('\'');
    assert!(entry.starts_with("rule:recursive-delete ") && entry.ends_with(" program:rm"), "{added}");
    let (before, _) = ran.stdout.split_once("Choice [o/s/a/t/D]: ").unwrap();
    assert!(before.lines().any(|line| line.trim() == entry), "{entry}: {before}");
    place.file("build/x", "");
    assert_eq!(place.run(&["run", "rm -rf build"]).code, Some(0));
    place.file("dist/x", "");
    assert_eq!(place.run(&["run", "rm -rf dist"]).code, Some(126), "another directory");
    assert_eq!(place.run(&["grants", "revoke", entry]).code, Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), config);
    place.file("build/x", "");
    assert_eq!(place.run(&["run", "rm -rf build"]).code, Some(126), "taken back");
}

#[test]
fn what_always_would_write_is_shown_wherever_it_can_be_chosen() {
    let place = with_build();
    place.run(&["run", "rm -rf build"]);
    let listed = place.run(&["approvals", "list"]).stdout;
    let entry = format!("path:{} flag:recursive program:rm", place.work("build").display());
    assert!(listed.contains("    always: what this entry allows") && listed.contains(&entry), "{listed}");
    assert!(listed.contains("    session: the same finding again"), "{listed}");
    let told = place.run(&["approvals", "list", "--json"]).json();
    let written = told["questions"][0]["follows"]["always"][0].as_str().unwrap().to_owned();
    assert!(listed.contains(&format!("      {written}\n")), "{written}: {listed}");
    let watched = place.at_terminal(400, &[("Choice", r"\x03")], &["approvals"]);
    assert!(watched.stdout.lines().any(|line| line.trim_end() == format!("    {written}")), "{watched:?}");
    assert!(watched.stdout.contains("Choice [o/s/a/t/D]: "), "{watched:?}");
}

#[test]
fn what_always_cannot_describe_is_not_offered() {
    let place = with_build();
    let ran = place.at_terminal(80, &[("Choice", r"d\r")], &["run", "git push --force"]);
    assert!(ran.stdout.contains("session: exactly this again") && !ran.stdout.contains("always"), "{ran:?}");
    assert!(ran.stdout.contains("Choice [o/s/D]: "), "{ran:?}");
}

#[test]
fn every_part_is_asked_in_one_question() {
    let place = with_build();
    place.file("dist/x", "");
    let ran =
        place.at_terminal(80, &[("Choice", r"o\r")], &["run", "rm -rf build; rm -rf dist; git push --force"]);
    assert_eq!(ran.stdout.matches("DANGEROUS COMMAND").count(), 1, "{ran:?}");
    for part in ["`build`", "`dist`", "force-push"] {
        assert!(ran.stdout.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn a_yes_does_not_cover_what_rides_along_later() {
    let place = with_build();
    let yes = place.at_terminal(80, &[("Choice", r"s\r")], &["run", "--session", "s", "rm -rf build"]);
    assert_eq!(yes.code, Some(0));
    place.file("build/x", "");
    place.file("dist/x", "");
    assert_eq!(place.run(&["run", "--session", "s", "rm -rf build; rm -rf dist"]).code, Some(126));
    assert!(place.work("build").exists() && place.work("dist").exists());
}

#[test]
fn a_narrow_terminal_shows_all_of_it() {
    let place = with_build();
    let command = format!("rm -rf build; echo {}", "ß".repeat(90));
    let ran = place.at_terminal(40, &[("Choice", r"o\r")], &["run", &command]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let question = ran.stdout.split("Choice").next().unwrap();
    assert_eq!(question.matches('ß').count(), 90, "{question}");
    assert!(
        question
            .lines()
            .all(|line| line.replace("\x1b[1;33m", "").replace("\x1b[0m", "").chars().count() <= 40),
        "{question}"
    );
}

#[test]
fn nothing_is_asked_under_yolo_and_refusals_hold() {
    let place = with_build();
    assert_eq!(place.run(&["run", "--yolo", "rm -rf build"]).code, Some(0));
    assert_eq!(place.run(&["run", "--yolo", "rm -rf /"]).code, Some(126));
    place.file("build/x", "");
    let ran = crate::place::Ran::of(place.herm(&["run", "rm -rf build"]).env("HERMES_YOLO_MODE", "1"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_command_cannot_switch_yolo_on() {
    let place = with_build();
    let herm = env!("CARGO_BIN_EXE_herm");
    for script in [
        format!("{herm} run --yolo 'rm -rf build'"),
        format!("HERMES_YOLO_MODE=1 {herm} run 'rm -rf build'"),
        format!("sh -c 'setsid {herm} run --yolo true & wait'"),
    ] {
        let ran = place.run(&["run", "--yolo", &script]);
        assert!(ran.code == Some(126) && ran.stderr.contains("[yolo]"), "{script}: {ran:?}");
        // Where it was not seen, the one inside refuses.
        place.file("unseen", &script);
        let ran = place.run(&["run", "--yolo", r#"eval "$(sed -n p unseen)""#]);
        assert!(place.work("build").exists(), "{script}: {ran:?}");
    }
    for script in ["export HERMES_YOLO_MODE=1; rm -rf build", "env HERMES_YOLO_MODE=1 rm -rf build"] {
        let ran = place.run(&["run", script]);
        assert!(ran.code == Some(126) && ran.stderr.contains("[yolo]"), "{script}: {ran:?}");
    }
    assert!(place.work("build").exists());
}
