//! Runs a program and keeps what it said.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use herm_sandbox::process::{Cancel, Ending, Execution, Input, Mode, Output, Spec, run};

/// A run of a program.
#[derive(Debug)]
pub(crate) struct Test {
    spec: Spec,
    mode: Mode,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) execution: Execution,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// When standard output was first heard, and how often.
    pub(crate) first: Option<Duration>,
}

impl Test {
    pub(crate) fn new(program: &str, arguments: &[&str]) -> Self {
        let spec = Spec {
            program: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            cwd: "/".into(),
            environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            time: Duration::from_secs(20),
            grace: Duration::from_millis(300),
            input: Input::Empty,
            confinement: None,
        };
        Self { spec, mode: Mode::Captured }
    }

    pub(crate) fn bash(script: &str) -> Self {
        Self::new("bash", &["-c", script])
    }

    pub(crate) fn python(script: &str) -> Self {
        Self::new("/usr/bin/env", &["python3", "-c", script])
    }

    pub(crate) fn time(mut self, milliseconds: u64) -> Self {
        self.spec.time = Duration::from_millis(milliseconds);
        self
    }

    pub(crate) fn input(mut self, bytes: &[u8]) -> Self {
        self.spec.input = Input::Bytes(bytes.to_vec());
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.spec.environment.push((name.into(), value.into()));
        self
    }

    pub(crate) fn interactive(mut self) -> Self {
        self.mode = Mode::Interactive;
        self
    }

    /// What is to be run, for those who run it themselves.
    pub(crate) fn spec(self) -> Spec {
        self.spec
    }

    pub(crate) fn run(self) -> Outcome {
        self.run_until(&Cancel::new().unwrap())
    }

    pub(crate) fn run_until(self, cancel: &Cancel) -> Outcome {
        let mut heard = Heard { begun: Instant::now(), first: None, stdout: Vec::new(), stderr: Vec::new() };
        let execution = run(self.spec, self.mode, cancel, &mut heard).unwrap();
        Outcome {
            execution,
            stdout: String::from_utf8(heard.stdout).unwrap(),
            stderr: String::from_utf8(heard.stderr).unwrap(),
            first: heard.first,
        }
    }

    /// How it ended, for those of which nothing else matters.
    pub(crate) fn ending(self) -> Ending {
        self.run().execution.ending
    }
}

#[derive(Debug)]
struct Heard {
    begun: Instant,
    first: Option<Duration>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Output for Heard {
    fn stdout(&mut self, bytes: &[u8]) {
        self.first = self.first.or_else(|| Some(self.begun.elapsed()));
        self.stdout.extend(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.stderr.extend(bytes);
    }
}

/// An argument that no other process on this machine has.
pub(crate) fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("1000.{}{:04}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// How many processes run that have `mark` among their arguments, this one not counted.
#[expect(clippy::disallowed_methods, reason = "tests look for themselves")]
pub(crate) fn alive(mark: &str) -> usize {
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let others = processes.filter(|entry| entry.file_name().to_string_lossy() != own);
    let commands = others.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|command| String::from_utf8_lossy(command).contains(mark)).count()
}

/// The example that runs a program, for what only another process can show.
#[expect(clippy::disallowed_methods, reason = "tests start what they look at")]
pub(crate) fn example(arguments: &[&str]) -> Command {
    let tests = std::env::current_exe().unwrap();
    let built: PathBuf = tests.parent().unwrap().parent().unwrap().join("examples/run");
    let mut command = Command::new(built);
    command.args(arguments);
    command
}

/// Waits until something is so, but not for ever.
pub(crate) fn eventually(mut is_so: impl FnMut() -> bool) -> bool {
    let limit = Instant::now() + Duration::from_secs(5);
    while Instant::now() < limit {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}
