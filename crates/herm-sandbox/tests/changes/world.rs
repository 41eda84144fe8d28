//! A workspace, a home for tries, and commands that run on what a try stands on.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use herm_sandbox::changes::{Bounds, Change, Comparison, Ground, Kind, Standing, Tries, Try};

use super::picture::picture;

pub(crate) struct World {
    _place: tempfile::TempDir,
    pub(crate) workspace: PathBuf,
    pub(crate) tries: Tries,
}

/// What a test wants the try to stand on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum On {
    /// A private copy, as users get.
    Copy,
    /// An overlay that root mounts.
    Root,
    /// An overlay in a user namespace, as users get over workspaces that are too large to copy.
    User,
}

impl On {
    /// All that this user can have.
    pub(crate) fn all() -> Vec<Self> {
        let is_root = rustix::process::geteuid().is_root();
        [Self::Copy, Self::Root, Self::User].into_iter().filter(|on| is_root || *on != Self::Root).collect()
    }
}

const SCRIPT: &str = include_str!("operate.py");

/// What is touched gets times of these years: a while ago when the workspace is made, later when something is done to it.
const LONG_AGO: &str = "1500000000";
const LATER: &str = "1550000000";

impl World {
    /// A workspace that these steps make, with times of long ago.
    pub(crate) fn new(steps: &str) -> Self {
        let (world, made) = Self::made(steps);
        assert!(made.lines().all(|line| line.starts_with("ok ")), "{made}");
        world
    }

    /// The same, where some of the steps may fail.
    pub(crate) fn loose(steps: &str) -> Self {
        Self::made(steps).0
    }

    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn made(steps: &str) -> (Self, String) {
        let place = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(place.path()).unwrap();
        for name in ["workspace", "home", "merged"] {
            fs::create_dir(path.join(name)).unwrap();
        }
        let workspace = path.join("workspace");
        let made = operate_in(LONG_AGO, &workspace, steps);
        (Self { workspace, tries: Tries::open(&path.join("home")).unwrap(), _place: place }, made)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.workspace.with_file_name("home")
    }

    pub(crate) fn begin(&self, id: &str, on: On) -> Try {
        let standing = if on == On::Root { Standing::Root } else { Standing::User };
        let bounds = if on == On::Copy { Bounds::default() } else { Bounds { nodes: 0, bytes: 0 } };
        let attempt = self.tries.begin(id, &self.workspace, standing, bounds).unwrap();
        assert_eq!(matches!(attempt.ground(), Ground::Copy(_)), on == On::Copy);
        attempt
    }

    /// Runs steps on the ground of a try, and returns how they ended.
    pub(crate) fn run(&self, attempt: &Try, steps: &str) -> String {
        match attempt.ground() {
            Ground::Copy(path) => operate(&path, steps),
            Ground::Overlay(options) => {
                let merged = self.workspace.with_file_name("merged");
                let flag = if options.standing == Standing::Root { "-m" } else { "-Urm" };
                let mut command = command("unshare");
                command.args([
                    flag,
                    "sh",
                    "-ec",
                    "mount -t overlay herm -o \"$1\" \"$2\"; cd \"$2\"; exec python3 -I -S -c \"$3\" \"$4\"",
                    "sh",
                ]);
                command.arg(options.data()).arg(merged).arg(SCRIPT).arg(LATER);
                feed(command, steps)
            }
        }
    }

    /// A try of steps that all succeed, compared.
    pub(crate) fn tried(&self, id: &str, on: On, steps: &str) -> (Try, Comparison) {
        let attempt = self.begin(id, on);
        let ended = self.run(&attempt, steps);
        assert!(ended.lines().all(|line| line.starts_with("ok ")), "{on:?}: {ended}");
        let comparison = attempt.compare().unwrap();
        (attempt, comparison)
    }

    pub(crate) fn picture(&self) -> BTreeMap<PathBuf, String> {
        picture(&self.workspace)
    }

    /// Does something to the workspace itself.
    pub(crate) fn edit(&self, steps: &str) {
        let ended = operate(&self.workspace, steps);
        assert!(ended.lines().all(|line| line.starts_with("ok ")), "{ended}");
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.workspace.join(path)
    }
}

/// Runs steps in a directory.
pub(crate) fn operate(directory: &Path, steps: &str) -> String {
    operate_in(LATER, directory, steps)
}

fn operate_in(years: &str, directory: &Path, steps: &str) -> String {
    let mut command = command("python3");
    command.args(["-I", "-S", "-c", SCRIPT, years]).current_dir(directory);
    feed(command, steps)
}

#[expect(clippy::disallowed_methods, reason = "tests start what they look at")]
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    // Programs themselves, and not what stands before them in a developer's path.
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command
}

fn feed(mut command: Command, steps: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(steps.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What changed, in short; times are left out.
pub(crate) fn kinds(comparison: &Comparison) -> Vec<(String, Kind)> {
    let is_told = |change: &&Change| change.kind != Kind::Touched;
    let told = comparison.changes.iter().filter(is_told);
    told.map(|change| (change.path.to_string_lossy().into_owned(), change.kind)).collect()
}

pub(crate) fn keep(attempt: &Try, comparison: &Comparison) {
    attempt.keep(comparison, &mut || {}).unwrap();
}

/// One step a line, words parted by `|`.
pub(crate) fn steps(text: &str) -> String {
    text.lines().map(|line| line.trim().replace('|', "\t")).collect::<Vec<_>>().join("\n")
}
