//! Runs the binary and compares everything it says.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A run of the binary, in a directory and an environment of its own.
pub(crate) struct Test {
    directory: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(&'static str, String)>,
    input: Vec<u8>,
}

impl Test {
    pub(crate) fn new(arguments: &[&str]) -> Self {
        let directory = fresh_directory();
        let variables = vec![("HOME", "/home/dev".to_owned()), ("HERM_HOME", text(&directory))];
        let arguments = arguments.iter().map(OsString::from).collect();
        Self { directory, arguments, variables, input: Vec::new() }
    }

    /// The user's configuration.
    pub(crate) fn config(self, content: &str) -> Self {
        self.file("config.yaml", content)
    }

    /// A file in the run's directory.
    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        let file = self.directory.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
        self
    }

    /// A symbolic link in the run's directory, to a path in it.
    pub(crate) fn link(self, name: &str, to: &str) -> Self {
        std::os::unix::fs::symlink(self.directory.join(to), self.directory.join(name)).unwrap();
        self
    }

    /// Another name for a file in the run's directory.
    pub(crate) fn hard_link(self, name: &str, to: &str) -> Self {
        std::fs::hard_link(self.directory.join(to), self.directory.join(name)).unwrap();
        self
    }

    /// A path in the run's directory.
    pub(crate) fn path(&self, name: &str) -> String {
        text(&self.directory.join(name))
    }

    /// The home directory is the run's own, and herm's files are where they usually are in it.
    pub(crate) fn at_home(self) -> Self {
        let (home, guard) = (text(&self.directory), self.path(".herm"));
        self.variable("HOME", &home).variable("HERM_HOME", &guard)
    }

    pub(crate) fn input(self, input: &str) -> Self {
        self.bytes(input.as_bytes())
    }

    /// Standard input, which need not be text.
    pub(crate) fn bytes(mut self, input: &[u8]) -> Self {
        input.clone_into(&mut self.input);
        self
    }

    /// One more argument, which need not be text.
    pub(crate) fn raw(mut self, argument: &[u8]) -> Self {
        self.arguments.push(OsStr::from_bytes(argument).to_owned());
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// The exit status and standard output are these; standard error is empty. `DIR` stands for the run's directory.
    #[track_caller]
    pub(crate) fn answers(self, code: i32, stdout: &str) {
        let (output, directory) = self.run();
        assert_eq!(whole(&output.stderr), "", "standard error");
        assert_eq!(whole(&output.stdout).replace(&directory, "DIR"), stdout, "standard output");
        assert_eq!(output.status.code(), Some(code), "exit status");
    }

    /// The exit status is 3 and this stands on standard error; `DIR` stands for the run's directory.
    #[track_caller]
    pub(crate) fn fails(self, stderr: &str) {
        self.fails_after("", stderr);
    }

    /// The same, after this was said on standard output.
    #[track_caller]
    pub(crate) fn fails_after(self, stdout: &str, stderr: &str) {
        let (output, directory) = self.run();
        assert_eq!(whole(&output.stderr).replace(&directory, "DIR"), stderr, "standard error");
        assert_eq!(whole(&output.stdout).replace(&directory, "DIR"), stdout, "standard output");
        assert_eq!(output.status.code(), Some(3), "exit status");
    }

    /// The exit status; none after a signal.
    pub(crate) fn code(self) -> Option<i32> {
        self.run().0.status.code()
    }

    /// What stands on standard output.
    pub(crate) fn stdout(self) -> String {
        whole(&self.run().0.stdout)
    }

    /// The same, which need not be text.
    pub(crate) fn stdout_bytes(self) -> Vec<u8> {
        self.run().0.stdout
    }

    #[expect(clippy::disallowed_methods, reason = "tests run the binary")]
    fn run(self) -> (Output, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_herm"))
            .args(&self.arguments)
            .env_clear()
            .envs(self.variables)
            .current_dir(&self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A run that does not read its input may be gone already.
        let _ = child.stdin.take().unwrap().write_all(&self.input);
        let output = child.wait_with_output().unwrap();
        std::fs::remove_dir_all(&self.directory).unwrap();
        (output, text(&self.directory))
    }
}

#[expect(clippy::disallowed_methods, reason = "tests make their own directories")]
fn fresh_directory() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // The mark of a repository keeps the search for one inside the directory.
    std::fs::create_dir_all(directory.join(".git")).unwrap();
    directory
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn whole(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
