//! A shell that calls are made in.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use herm_sandbox::Scratch;
use herm_sandbox::native::{Confinement, Workspace};
use herm_sandbox::process::{Cancel, Ending, Error, Output};
use herm_sandbox::shell::{Account, Call, Shell, Spec, Text};

/// A shell, and what it was left with.
#[derive(Debug)]
pub(crate) struct Test {
    pub(crate) shell: Shell,
    scratch: Scratch,
    definitions: String,
}

/// Where calls run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Confined,
    Local,
}

/// Both of them.
pub(crate) const BOTH: [Where; 2] = [Where::Confined, Where::Local];

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) ending: Ending,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) account: Option<Account>,
    pub(crate) begins_anew: bool,
}

impl Test {
    pub(crate) fn new(at: Where) -> Self {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let work = real(scratch.path());
        let home = work.join("home");
        let work = work.join("work");
        directory(&home);
        directory(&work.join(".git"));
        let environment = vec![
            ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()),
            ("HOME".into(), home.clone().into()),
        ];
        let confinement = (at == Where::Confined).then(|| {
            let workspace = Workspace::around(&work, &home).unwrap();
            Confinement::to_workspace(&workspace, &work, &home, &environment)
        });
        let spec = Spec { program: "/bin/bash".into(), cwd: work.clone(), environment, confinement };
        let mut shell = Shell::open(None, spec).unwrap();
        shell.enter(&work).unwrap();
        Self { shell, scratch, definitions: String::new() }
    }

    pub(crate) fn work(&self) -> PathBuf {
        real(self.scratch.path()).join("work")
    }

    /// The same with definitions that every call begins with.
    pub(crate) fn defining(mut self, definitions: &str) -> Self {
        definitions.clone_into(&mut self.definitions);
        self
    }

    pub(crate) fn call(&mut self, text: &str) -> Outcome {
        self.call_within(text, Duration::from_secs(30))
    }

    /// Makes a call that may not be run.
    pub(crate) fn try_call(&mut self, text: &str) -> Option<Outcome> {
        self.make(text, Duration::from_secs(30)).ok()
    }

    pub(crate) fn call_within(&mut self, text: &str, time: Duration) -> Outcome {
        self.make(text, time).unwrap()
    }

    /// Makes a call, and gets the next one ready where the shell says that it is.
    fn make(&mut self, text: &str, time: Duration) -> Result<Outcome, Error> {
        let mut heard = Heard::default();
        let definitions = self.definitions.clone();
        let grace = Duration::from_millis(300);
        let text = Text { definitions: &definitions, options: "", text, time, grace };
        let called = self.shell.run(text, &Cancel::new().unwrap(), &mut heard);
        if called.is_err() {
            self.shell.enter(&self.work()).unwrap();
        }
        let Call { execution, account, begins_anew } = called?;
        if begins_anew {
            self.shell.begin_anew(None).unwrap();
        }
        let next = account.as_ref().map_or_else(|| self.work(), |account| account.directory.clone().into());
        self.shell.enter(&next).unwrap();
        Ok(Outcome {
            ending: execution.ending,
            stdout: String::from_utf8(heard.stdout).unwrap(),
            stderr: String::from_utf8(heard.stderr).unwrap(),
            account,
            begins_anew,
        })
    }
}

#[derive(Debug, Default)]
struct Heard {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Output for Heard {
    fn stdout(&mut self, bytes: &[u8]) {
        self.stdout.extend(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.stderr.extend(bytes);
    }
}

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn directory(path: &Path) {
    std::fs::create_dir_all(path).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap()
}

/// An argument that no other process on this machine has.
pub(crate) fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("1000.{}{:04}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// How many processes run that have `mark` among their arguments.
#[expect(clippy::disallowed_methods, reason = "tests look for themselves")]
pub(crate) fn alive(mark: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|command| String::from_utf8_lossy(command).starts_with(&format!("sleep\0{mark}"))).count()
}

/// Waits until something is so, but not for ever.
pub(crate) fn eventually(mut is_so: impl FnMut() -> bool) -> bool {
    let limit = Instant::now() + Duration::from_secs(10);
    while Instant::now() < limit {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}
