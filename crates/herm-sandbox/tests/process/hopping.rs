//! Processes that are never under one number for long: each ends as soon as it has made the next, which leaves its session, its group, its parent and
//! its environment behind.
//!
//! Each gives up by itself after a few seconds and a number of steps, for the sake of the machine that a failing test would run on.

use std::path::PathBuf;
use std::time::Duration;

use herm_sandbox::Scratch;
use herm_sandbox::process::Ending;

use crate::test::{Outcome, Test, eventually, example};

const HOPPER: &str = "\
import os, signal, sys, time
trace, end, count, how = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if count == 0:
    end += time.time()
    if 'stay' in how and os.fork():
        time.sleep(60)
    if 'kill' in how:
        os.kill(os.getppid(), signal.SIGKILL)
    if 'crowd' in how:
        for _ in range(4):
            os.fork()
while time.time() < end and count < 20000:
    count += 1
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    file = os.open(trace, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, b'.')
    os.close(file)
    if 'exec' in how:
        os.execve(sys.executable, [sys.executable, sys.argv[0], trace, str(end), str(count), how], {})
";

/// Somewhere for a hopper to live, and to leave a trace.
struct Place(Scratch);

impl Place {
    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn new() -> Self {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        std::fs::write(scratch.path().join("hopper.py"), HOPPER).unwrap();
        Self(scratch)
    }

    fn words(&self, how: &str) -> Vec<String> {
        let at = |name: &str| self.0.path().join(name).to_str().unwrap().to_owned();
        vec!["python3".into(), at("hopper.py"), at("trace"), "4".into(), "0".into(), how.into()]
    }

    fn trace(&self) -> PathBuf {
        self.0.path().join("trace")
    }

    #[expect(clippy::disallowed_methods, reason = "tests look at what they made")]
    fn steps(&self) -> u64 {
        std::fs::metadata(self.trace()).map_or(0, |found| found.len())
    }

    /// Whether it has come to rest.
    fn is_still(&self) -> bool {
        let before = self.steps();
        std::thread::sleep(Duration::from_millis(250));
        before == self.steps()
    }

    fn run(&self, how: &str, milliseconds: u64) -> Outcome {
        let words = self.words(how);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Test::new("/usr/bin/env", &words).time(milliseconds).run()
    }
}

#[test]
fn who_hops_is_ended_when_its_program_has() {
    for how in ["fork", "exec", "crowd", "crowd exec"] {
        let place = Place::new();
        let outcome = place.run(how, 20_000);
        assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::Exited(0), 0), "{how}");
        assert!(outcome.execution.duration < Duration::from_millis(3500), "{how}: {outcome:?}");
        assert!(place.is_still(), "{how}: {outcome:?}");
    }
}

#[test]
fn who_hops_is_ended_by_the_time_limit() {
    for how in ["stay fork", "stay exec", "stay crowd"] {
        let place = Place::new();
        let outcome = place.run(how, 500);
        assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0), "{how}");
        assert!(place.steps() > 0 && place.is_still(), "{how}: {outcome:?}");
    }
}

#[test]
fn who_kills_the_supervisor_and_hops_is_ended() {
    for how in ["kill fork", "kill exec", "kill crowd", "kill crowd exec"] {
        let place = Place::new();
        let outcome = place.run(how, 20_000);
        assert_eq!(outcome.execution.survivors, 0, "{how}: {outcome:?}");
        assert!(outcome.execution.duration < Duration::from_millis(3500), "{how}: {outcome:?}");
        assert!(place.is_still(), "{how}: {outcome:?}");
    }
}

#[test]
fn who_hops_is_ended_when_herm_is_killed() {
    for how in ["stay fork", "stay exec"] {
        let place = Place::new();
        let words = place.words(how);
        let mut herm = example(&["--", "/usr/bin/env"]).args(&words).spawn().unwrap();
        assert!(eventually(|| place.steps() > 2), "{how}");
        herm.kill().unwrap();
        herm.wait().unwrap();
        assert!(eventually(|| place.is_still()), "{how}");
    }
}
