//! What a program notices of whoever takes its words.

use std::thread;
use std::time::{Duration, Instant};

use herm_sandbox::process::{Cancel, Demand, Ending, Execution, Mode, Output, Stream, run};

use crate::test::{Test, alive, mark};

/// Takes so much of standard output and then says `then`, until `rests` is over.
#[derive(Debug)]
struct Fickle {
    heard: usize,
    enough: usize,
    then: Demand,
    rests: Duration,
    since: Option<Instant>,
}

impl Fickle {
    fn new(enough: usize, then: Demand, rests: Duration) -> Self {
        Self { heard: 0, enough, then, rests, since: None }
    }

    fn hear(&mut self, script: &str) -> Execution {
        self.hear_for(20_000, script)
    }

    fn hear_for(&mut self, milliseconds: u64, script: &str) -> Execution {
        run(Test::bash(script).time(milliseconds).spec(), Mode::Captured, &Cancel::new().unwrap(), self)
            .unwrap()
    }
}

impl Output for Fickle {
    fn stdout(&mut self, bytes: &[u8]) {
        self.heard += bytes.len();
    }

    fn stderr(&mut self, _: &[u8]) {}

    fn demand(&mut self, stream: Stream) -> Demand {
        if stream == Stream::Stderr || self.heard < self.enough {
            return Demand::More;
        }
        if self.since.get_or_insert_with(Instant::now).elapsed() > self.rests {
            return Demand::More;
        }
        thread::sleep(Duration::from_millis(10));
        self.then
    }
}

#[test]
fn who_is_never_heard_again_learns_it_from_the_pipe() {
    let mark = mark();
    let mut ear = Fickle::new(1, Demand::Never, Duration::MAX);
    let execution = ear.hear(&format!("setsid sleep {mark} & exec yes"));
    assert_eq!((execution.ending, execution.survivors), (Ending::Signalled(13), 0));
    assert_eq!(alive(&mark), 0);
    let mut ear = Fickle::new(1, Demand::Never, Duration::MAX);
    let execution = ear.hear("trap '' PIPE; while echo y 2>/dev/null; do :; done; exit 7");
    assert_eq!(execution.ending, Ending::Exited(7));
}

/// Lets a program go on once it was attended to for a while.
#[derive(Debug)]
struct Attentive {
    file: std::path::PathBuf,
    times: usize,
}

impl Output for Attentive {
    fn stdout(&mut self, _: &[u8]) {}

    fn stderr(&mut self, _: &[u8]) {}

    fn attend(&mut self) {
        self.times += 1;
        if self.times == 4 {
            std::fs::create_dir(&self.file).unwrap();
        }
    }
}

#[test]
fn who_says_nothing_any_more_is_attended_to_all_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let mut attentive = Attentive { file: directory.path().join("go"), times: 0 };
    let script =
        format!("exec >&- 2>&-; until test -e {}; do sleep 0.05; done; exit 7", attentive.file.display());
    let spec = Test::bash(&script).time(20_000).spec();
    let execution = run(spec, Mode::Captured, &Cancel::new().unwrap(), &mut attentive).unwrap();
    assert_eq!(execution.ending, Ending::Exited(7));
}

#[test]
fn who_is_heard_later_waits_and_loses_nothing() {
    let mut ear = Fickle::new(1, Demand::Later, Duration::from_millis(600));
    let execution = ear.hear("head -c 1000000 /dev/zero");
    assert_eq!((execution.ending, ear.heard), (Ending::Exited(0), 1_000_000));
    assert!(execution.duration > Duration::from_millis(400), "it waited");
}

#[test]
fn what_was_said_before_the_end_is_taken_however_late() {
    let mut ear = Fickle::new(1, Demand::Later, Duration::from_secs(4));
    let execution = ear.hear("echo one; sleep 0.3; echo two");
    assert_eq!((execution.ending, ear.heard), (Ending::Exited(0), 8));
}

#[test]
fn who_is_not_heard_has_no_more_time() {
    let mut ear = Fickle::new(1, Demand::Later, Duration::MAX);
    let execution = ear.hear_for(1000, "yes");
    assert_eq!((execution.ending, execution.survivors), (Ending::TimedOut, 0));
    assert!(execution.duration < Duration::from_secs(6));
}
