//! Whoever reads the output: gone, slow, or a disk that is full.

use std::fs::{self, File};
use std::io::Read;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::full::on_a_small_disk;
use crate::place::{Place, Ran, eventually};

/// herm with a pipe for its output, which nobody reads so far.
fn piped(place: &Place, arguments: &[&str]) -> Child {
    place.herm(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// What is left after everything was read.
fn rest(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn outcome(place: &Place) -> Value {
    place.ledger().last().unwrap()["body"].clone()
}

#[test]
fn a_reader_that_goes_ends_the_command_as_it_would_without_herm() {
    let place = Place::new();
    let script = "(setsid sh -c 'while :; do date +%N > alive; sleep 0.05; done' &); yes";
    let mut child = piped(&place, &["run", script]);
    let mut first = [0; 2];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ran = rest(child);
    assert_eq!((&first, ran.code, ran.stderr.as_str()), (b"y\n", Some(141), ""), "{ran:?}");
    let told = outcome(&place);
    assert_eq!((&told["ending"], &told["exit_code"]), (&"signalled".into(), &141.into()), "{told}");
    assert_eq!(told["undelivered"], "reader-gone", "{told}");
    let last = fs::read(place.work("alive")).unwrap_or_default();
    thread::sleep(Duration::from_millis(300));
    assert_eq!(fs::read(place.work("alive")).unwrap_or_default(), last, "something still runs");
}

#[test]
fn who_minds_no_broken_pipe_goes_on_as_it_would_without_herm() {
    let place = Place::new();
    let mut child = piped(&place, &["run", "trap '' PIPE; while echo y; do :; done; touch after; exit 7"]);
    let mut first = [0; 2];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ran = rest(child);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert!(place.work("after").exists() && ran.stderr.contains("Broken pipe"), "{ran:?}");
}

#[test]
fn success_is_not_claimed_where_nobody_heard_of_it() {
    let place = Place::new();
    for (script, code) in [("echo hello", 141), ("echo hello; exit 7", 7)] {
        for arguments in [&["run", script][..], &["run", "--json", script]] {
            let mut child = piped(&place, arguments);
            drop(child.stdout.take());
            let ran = rest(child);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(code), ""), "{arguments:?}: {ran:?}");
        }
    }
    assert_eq!(outcome(&place)["stdout"], "hello\n");
}

#[test]
fn a_terminal_that_goes_hangs_up() {
    let place = Place::new();
    let script = "trap 'touch hung; exit 9' HUP; while :; do echo y; sleep 0.01; done";
    let mut child = piped(&place, &["run", "--interactive", script]);
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ran = rest(child);
    assert_eq!(ran.code, Some(9), "{ran:?}");
    assert!(place.work("hung").exists(), "{ran:?}");
}

#[test]
fn a_full_disk_is_an_error_and_the_receipt_is_complete() {
    let place = Place::new();
    for arguments in [&["run", "seq 1 200000"][..], &["run", "echo hello"], &["run", "--json", "echo hello"]]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ran = Ran::of(
            place.command("setsid").args(["--wait", env!("CARGO_BIN_EXE_herm")]).args(arguments).stdout(full),
        );
        assert!(ran.code.is_some_and(|code| code == 125 || code == 141), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("could not be written: no storage space"), "{arguments:?}: {ran:?}");
        let told = outcome(&place);
        assert!(told["exit_code"].is_i64() && told["applied"].is_array(), "{told}");
    }
    assert_eq!(outcome(&place)["stdout"], "hello\n");
    assert_eq!(place.run(&["audit", "verify"]).code, Some(0));
}

#[test]
fn a_disk_that_fills_up_is_an_error_and_the_receipt_is_complete() {
    let place = Place::new();
    let script = "export HERM_HOME=$PWD/guard\n$herm run 'seq 1 200000' > \"$HOME/out\"; echo code=$?\nhead -c 6 \"$HOME/out\"\n$herm audit verify\n";
    let Some(ran) = on_a_small_disk(&place, script) else { return };
    assert!(
        ran.stdout.starts_with("code=141\n1\n2\n3\n") && ran.stdout.contains("nothing was changed"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("herm: its output could not be written: no storage space"), "{ran:?}");
    let ledger = fs::read_to_string(place.work("guard/ledger/ledger.jsonl")).unwrap();
    let told: Value = serde_json::from_str(ledger.lines().last().unwrap()).unwrap();
    assert_eq!(told["body"]["undelivered"], "no storage space", "{told}");
}

#[test]
fn a_slow_reader_loses_nothing() {
    let place = Place::new();
    let mut child = piped(&place, &["run", "seq 1 100000"]);
    thread::sleep(Duration::from_millis(800));
    assert!(child.try_wait().unwrap().is_none(), "the output does not fit into pipes");
    let ran = rest(child);
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 100_000), "{:?}", ran.stderr);
    assert!(ran.stdout.ends_with("99999\n100000\n"));
}

#[test]
fn a_reader_that_takes_nothing_cannot_stretch_the_time() {
    let place = Place::new();
    let began = Instant::now();
    let mut child = piped(&place, &["run", "--timeout", "1", "yes"]);
    let code = child.wait().unwrap().code();
    assert!(began.elapsed() < Duration::from_secs(15));
    assert_eq!(code, Some(124));
    assert!(rest(child).stderr.contains("time limit of 1 s is over"));
}

#[test]
fn a_reader_that_takes_nothing_keeps_nobody_from_stopping_it() {
    let place = Place::new();
    let mut command = place.command(env!("CARGO_BIN_EXE_herm"));
    let child =
        command.args(["run", "touch begun; yes"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    eventually("it does not begin", || place.work("begun").exists());
    thread::sleep(Duration::from_millis(300));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let began = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(began.elapsed() < Duration::from_secs(15));
}

/// What is shown while a command sleeps.
fn shown_early(script: &str, length: usize) -> String {
    let place = Place::new();
    let mut child = piped(&place, &["run", script]);
    let mut shown = vec![0; length];
    child.stdout.as_mut().unwrap().read_exact(&mut shown).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "it was shown only at the end");
    child.kill().unwrap();
    child.wait().unwrap();
    String::from_utf8(shown).unwrap()
}

#[test]
fn a_prompt_is_shown_before_its_line_ends() {
    assert_eq!(shown_early("printf 'Password: '; sleep 30", 10), "Password: ");
    assert_eq!(shown_early("printf 'one\\n45%%'; sleep 30", 7), "one\n45%");
}

#[test]
fn a_secret_in_two_pieces_with_a_pause_is_never_shown() {
    let place = Place::new();
    let (head, tail) = ("A1b2C3d4E5f6G7h8", "I9j0K1l2M3n4O5p6Q7r8");
    let start = format!("gh{}_{head}", "p");
    place.file("a", &format!("the token: {start}"));
    place.file("b", &format!("{tail}\nnext: "));
    let ran = place.run(&["run", "cat a; sleep 1; cat b; sleep 1; echo done"]);
    assert_eq!(ran.stdout, "the token: [REDACTED]\nnext: done\n", "{ran:?}");
}
