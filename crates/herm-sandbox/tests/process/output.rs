//! What a program says arrives while it runs, whole, and in memory that does not grow.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use herm_sandbox::process::Ending;

use crate::test::{Test, example};

#[test]
fn the_streams_are_kept_apart() {
    let outcome = Test::bash("echo out; echo err >&2; echo out; printf end >&2").run();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("out\nout\n", "err\nend"));
}

#[test]
fn words_arrive_while_the_program_runs() {
    let outcome = Test::bash("echo early; sleep 0.6; echo late").run();
    assert_eq!(outcome.stdout, "early\nlate\n");
    assert!(outcome.first.unwrap() < Duration::from_millis(400), "{outcome:?}");
    assert!(outcome.execution.duration >= Duration::from_millis(500), "{outcome:?}");
}

#[test]
fn a_program_may_close_its_streams_and_go_on() {
    let outcome = Test::bash("echo a; echo b >&2; exec >&- 2>&-; sleep 0.2; exit 9").run();
    assert_eq!(outcome.execution.ending, Ending::Exited(9));
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("a\n", "b\n"));
}

#[test]
fn what_was_said_last_is_not_lost() {
    for _ in 0..20 {
        let outcome = Test::bash("head -c 60000 /dev/zero | tr '\\0' x; exit 3").run();
        assert_eq!((outcome.execution.ending, outcome.stdout.len()), (Ending::Exited(3), 60_000));
    }
}

#[test]
fn input_larger_than_a_pipe_goes_through() {
    let bytes = "0123456789abcde\n".repeat(512 * 1024);
    let outcome = Test::new("cat", &[]).input(bytes.as_bytes()).run();
    assert_eq!(outcome.execution.ending, Ending::Exited(0));
    assert!(outcome.stdout == bytes, "{} of {} bytes", outcome.stdout.len(), bytes.len());
}

#[test]
fn input_that_nobody_reads_holds_nobody_up() {
    let bytes = vec![b'x'; 1 << 20];
    assert_eq!(Test::bash("exit 4").input(&bytes).ending(), Ending::Exited(4));
    assert_eq!(Test::bash("exec <&-; sleep 0.2; exit 4").input(&bytes).ending(), Ending::Exited(4));
    assert_eq!(Test::bash("head -c 3; exit 4").input(&bytes).run().stdout, "xxx");
    assert_eq!(Test::bash("sleep 100").input(&bytes).time(200).ending(), Ending::TimedOut);
}

#[test]
fn without_input_there_is_an_end_at_once() {
    assert_eq!(Test::new("cat", &[]).ending(), Ending::Exited(0));
    assert_eq!(Test::new("cat", &[]).input(b"").ending(), Ending::Exited(0));
}

#[test]
fn what_we_would_read_can_be_handed_on() {
    for options in [&["inherit"][..], &["inherit", "interactive"]] {
        let words: Vec<&str> = options.iter().copied().chain(["--", "cat"]).collect();
        let mut run = example(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        run.stdin.take().unwrap().write_all(b"handed on").unwrap();
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("handed on"));
    }
}

#[test]
fn memory_does_not_grow_with_output() {
    let output = example(&["peak", "--", "head", "-c", "268435456", "/dev/zero"])
        .stdout(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let peak = said.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(said.starts_with("Exited(0)"), "{said}");
    assert!(peak < 16 * 1024, "{peak} kB");
}

#[test]
fn a_flood_does_not_outlast_the_limit() {
    let outcome =
        Test::bash("trap '' TERM; yes >/dev/null & yes | head -c 1000000; while :; do echo flood >&2; done")
            .time(300)
            .run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0));
    assert!(outcome.execution.duration < Duration::from_secs(3));
}
