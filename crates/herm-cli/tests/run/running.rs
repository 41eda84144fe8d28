//! Running: exit codes, streams, limits.

use std::fs;
use std::time::{Duration, Instant};

use crate::place::{Place, Ran};

#[test]
fn exit_codes_are_the_commands_own() {
    let place = Place::new();
    for code in [0, 1, 3, 42, 255] {
        assert_eq!(place.run(&["run", &format!("exit {code}")]).code, Some(code));
    }
    assert_eq!(place.run(&["run", "kill -TERM $$"]).code, Some(128 + 15));
}

#[test]
fn streams_stay_apart_and_escapes_are_stripped() {
    let place = Place::new();
    let ran = place.run(&["run", r"printf '\033[31mred\033[0m\n'; printf 'bad\033]0;title\007\n' >&2"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("red\n", "bad\n"));
}

#[test]
fn a_program_is_run_without_a_shell() {
    let place = Place::new();
    let ran = place.run(&["run", "--", "printf", "%s|", "a b", "$HOME", "*", "it's"]);
    assert_eq!(ran.stdout, "a b|$HOME|*|it's|");
}

#[test]
fn a_run_is_told_in_json() {
    let ran = Place::new().run(&["run", "--json", "echo out; echo err >&2; exit 7"]);
    let told = ran.json();
    assert_eq!((ran.code, told["exit_code"].as_i64()), (Some(7), Some(7)));
    assert_eq!((told["stdout"].as_str(), told["stderr"].as_str()), (Some("out\n"), Some("err\n")));
    assert_eq!((told["truncated"].as_bool(), told["decision"].as_str()), (Some(false), Some("allow")));
    assert!(told["duration"].as_f64().is_some() && told["receipt"].as_str().is_some_and(|id| !id.is_empty()));
}

#[test]
fn nothing_outlives_the_time_limit() {
    let place = Place::new();
    let began = Instant::now();
    let script = "(setsid sh -c 'while :; do date +%N > alive; sleep 0.05; done' &) ; trap '' TERM; sleep 60";
    let ran = place.run(&["run", "--timeout", "1", script]);
    assert_eq!(ran.code, Some(124), "{ran:?}");
    assert!(ran.stderr.contains("time limit of 1 s is over"), "{ran:?}");
    assert!(began.elapsed() < Duration::from_secs(10));
    let last = fs::read(place.work("alive")).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(fs::read(place.work("alive")).unwrap(), last, "something still runs");
}

#[test]
fn what_is_printed_comes_at_once() {
    let place = Place::new();
    let mut child =
        place.herm(&["run", "echo first; sleep 20"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = [0; 6];
    let began = Instant::now();
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
    assert_eq!(&line, b"first\n");
    assert!(began.elapsed() < Duration::from_secs(10));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn standard_input_is_passed_on_request_only() {
    let place = Place::new();
    place.file("in", "typed\n");
    let read = |arguments: &[&str]| {
        let mut command = place.herm(arguments);
        Ran::of(command.stdin(fs::File::open(place.work("in")).unwrap()))
    };
    assert_eq!(read(&["run", "--stdin", "cat"]).stdout, "typed\n");
    assert_eq!(read(&["run", "cat"]).stdout, "");
}

#[test]
fn the_strict_preset_has_its_own_numbers() {
    let place = Place::new();
    place.config("approvals: {preset: strict}\ncommand_allowlist: ['seq *']\n");
    let told = place.run(&["run", "--json", "--", "seq", "1", "100000"]).json();
    assert_eq!(told["truncated"], true, "{told}");
    let kept = told["stdout"].as_str().unwrap();
    assert!(kept.len() <= 8 * 1024 && kept.starts_with("1\n2\n3\n"), "{}", kept.len());
    assert_eq!(place.ledger()[0]["body"]["limits"]["seconds"], 30.0);
    place.run(&["run", "--timeout", "3600", "--", "seq", "1"]);
    assert_eq!(place.ledger()[2]["body"]["limits"]["seconds"], 120.0);
}

#[test]
fn the_head_and_the_tail_of_long_output_are_kept() {
    let told = Place::new().run(&["run", "--json", "seq 1 100000"]).json();
    let kept = told["stdout"].as_str().unwrap();
    assert!(told["truncated"] == true && kept.chars().count() <= 50_000);
    assert!(kept.starts_with("1\n2\n") && kept.ends_with("99999\n100000\n"));
}

#[test]
fn secrets_are_taken_out_of_what_is_printed_and_recorded() {
    let place = Place::new();
    let token = format!("gh{}_{}", "p", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    fs::create_dir_all(place.guard()).unwrap();
    fs::write(place.guard().join(".env"), "MY_SERVICE_TOKEN=plain-looking-value\n").unwrap();
    place.file("leak", &format!("{token}\nplain-looking-value\n"));
    let ran = place.run(&["run", "cat leak"]);
    assert!(!ran.stdout.contains(&token) && !ran.stdout.contains("plain-looking-value"), "{ran:?}");
    let ledger = fs::read_to_string(place.guard().join("ledger/ledger.jsonl")).unwrap();
    assert!(!ledger.contains(&token) && !ledger.contains("plain-looking-value"));
}

#[test]
fn a_directory_that_leads_out_is_refused() {
    let place = Place::new();
    fs::create_dir_all(place.work("inner")).unwrap();
    std::os::unix::fs::symlink("/tmp", place.work("out")).unwrap();
    assert_eq!(
        place.run(&["run", "--cwd", "inner", "pwd"]).stdout.trim_end(),
        place.work("inner").to_str().unwrap()
    );
    for outside in ["..", "inner/../..", "/", "out", "inner;x"] {
        let ran = place.run(&["run", "--cwd", outside, "pwd"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(125), ""), "{outside}: {ran:?}");
    }
}

#[test]
fn at_a_terminal_a_command_has_a_terminal() {
    let place = Place::new();
    let ran = place.at_terminal(77, &[], &["run", "test -t 0 && test -t 1 && echo yes; stty size"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("yes\n24 77\n"), "{ran:?}");
}

#[test]
fn control_c_reaches_the_command() {
    let place = Place::new();
    let script = "trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.05; done";
    let ran = place.at_terminal(80, &[("ready", r"\x03")], &["run", script]);
    assert_eq!(ran.code, Some(9), "{ran:?}");
    assert!(ran.stdout.contains("caught"), "{ran:?}");
}

#[test]
fn a_repository_inside_the_workspace_tightens_and_never_loosens() {
    let place = Place::new();
    place.file(".herm.yaml", "approvals: {deny: ['touch *']}\n");
    place.file("inner/.git/HEAD", "");
    place.file("inner/.herm.yaml", "approvals: {deny: ['mkdir *']}\n");
    place.file("plain/.git/HEAD", "");
    for (directory, command) in [("inner", "mkdir x"), ("inner", "touch x"), ("plain", "touch x")] {
        assert_eq!(
            place.run(&["run", "--cwd", directory, command]).code,
            Some(126),
            "{directory}: {command}"
        );
    }
    assert_eq!(place.run(&["run", "--cwd", "plain", "mkdir x"]).code, Some(0));
}

#[test]
fn what_is_handed_in_may_be_code() {
    let place = Place::new();
    place.file("dist/x", "");
    place.file("in", "rm -rf dist\n");
    for arguments in
        [&["run", "--stdin", "bash"][..], &["run", "--stdin", "--", "sh"], &["run", "--interactive", "bash"]]
    {
        let mut command = place.herm(arguments);
        let ran = Ran::of(command.stdin(fs::File::open(place.work("in")).unwrap()));
        assert_eq!(ran.code, Some(126), "{arguments:?}: {ran:?}");
        assert!(place.work("dist").exists());
    }
    assert_eq!(place.run(&["run", "bash"]).code, Some(0), "nothing is handed in");
}
