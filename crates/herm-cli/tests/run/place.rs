//! A home and a workspace of one's own, for as many runs as a test needs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A home and a workspace of one's own.
pub(crate) struct Place {
    root: PathBuf,
    herm: PathBuf,
    /// What comes before herm on the command line.
    prefix: &'static [&'static str],
    backend: Usual,
}

/// Where commands run, unless a test says it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Usual {
    /// Wherever herm has them run.
    AsItIs,
    /// On this machine. What is tested there holds behind a boundary, too; the other way around it would not be seen.
    Local,
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::below(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// A place of somebody whom permissions hold, with a herm that they can reach. Root is nobody there.
    pub(crate) fn unprivileged() -> Self {
        let mut place = Self::below(&std::env::temp_dir());
        place.herm = place.root.join("herm");
        fs::copy(env!("CARGO_BIN_EXE_herm"), &place.herm).unwrap();
        if rustix::process::geteuid().is_root() {
            place.prefix = &["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"];
            for name in ["home", "tmp", "work"] {
                std::os::unix::fs::chown(place.root.join(name), Some(65534), Some(65534)).unwrap();
            }
        }
        place
    }

    /// The same place, where commands run wherever herm has them run if nobody says.
    pub(crate) fn unsaid(mut self) -> Self {
        self.backend = Usual::AsItIs;
        self
    }

    /// Arguments that say where to run, too.
    fn placed<'a>(&self, arguments: &[&'a str]) -> Vec<&'a str> {
        let mut words = arguments.to_vec();
        let runs = words.first().is_some_and(|verb| ["run", "shell"].contains(verb));
        let config = fs::read_to_string(self.guard().join("config.yaml")).unwrap_or_default();
        let is_said = config.contains("backend:")
            || words.iter().take_while(|word| **word != "--").any(|word| *word == "--backend");
        if self.backend == Usual::Local && runs && !is_said {
            words.splice(1..1, ["--backend", "local"]);
        }
        words
    }

    /// Whether somebody else than whoever runs this works there.
    pub(crate) fn is_unprivileged(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// Gives all that was put there since to whoever works there.
    pub(crate) fn give(&self) {
        if self.is_unprivileged() {
            let owned = ["home", "work"].map(|name| self.root.join(name));
            let given = Command::new("chown").args(["-R", "65534:65534"]).args(owned).status();
            assert!(given.is_ok_and(|status| status.success()));
        }
    }

    /// Gives something that lies elsewhere to whoever works there.
    pub(crate) fn give_also(&self, path: &Path) {
        if self.is_unprivileged() {
            let given = Command::new("chown").args(["-R", "65534:65534"]).arg(path).status();
            assert!(given.is_ok_and(|status| status.success()));
        }
    }

    fn below(parent: &Path) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("run-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = parent.join(name);
        fs::create_dir_all(root.join("home")).unwrap();
        fs::create_dir_all(root.join("tmp")).unwrap();
        fs::create_dir_all(root.join("work/.git")).unwrap();
        let herm = PathBuf::from(env!("CARGO_BIN_EXE_herm"));
        let place = Self { root: fs::canonicalize(root).unwrap(), herm, prefix: &[], backend: Usual::Local };
        for (name, script) in STAND_INS {
            executable(&place.root.join("bin").join(name), script);
        }
        place
    }

    /// Whether something ran that must never run.
    pub(crate) fn is_harmed(&self) -> bool {
        self.root.join("home/harm").exists()
    }

    /// The home directory.
    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Where herm keeps its files.
    pub(crate) fn guard(&self) -> PathBuf {
        self.root.join("home/.herm")
    }

    /// Where code gets its directories.
    pub(crate) fn shelf(&self) -> PathBuf {
        let own = fs::read_dir(self.root.join("tmp")).unwrap().flatten().map(|entry| entry.path());
        own.into_iter().next().unwrap_or_else(|| self.root.join("tmp/none"))
    }

    /// A path in the workspace.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.root.join("work").join(name)
    }

    /// A file in the workspace, and the directories above it.
    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let file = self.work(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        file
    }

    /// The user's configuration.
    pub(crate) fn config(&self, content: &str) {
        fs::create_dir_all(self.guard()).unwrap();
        fs::write(self.guard().join("config.yaml"), content).unwrap();
    }

    /// A program of the operator's, beside the configuration.
    pub(crate) fn program(&self, name: &str, script: &str) -> String {
        let file = self.guard().join(name);
        executable(&file, script);
        file.to_str().unwrap().to_owned()
    }

    /// A command with the environment of this place and nothing else.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env_clear()
            .env("PATH", format!("{}:{path}", self.root.join("bin").display()))
            .env("HOME", self.root.join("home"))
            .env("TERM", "xterm")
            .env("TMPDIR", self.root.join("tmp"))
            .current_dir(self.root.join("work"))
            .stdin(Stdio::null());
        command
    }

    /// herm, in a session of its own: a test is not what asks.
    pub(crate) fn herm(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("setsid");
        command.arg("--wait").args(self.prefix).arg(&self.herm).args(self.placed(arguments));
        command
    }

    /// The herm of this place.
    pub(crate) fn binary(&self) -> &Path {
        &self.herm
    }

    /// What makes whoever works here who they are.
    pub(crate) fn prefix(&self) -> &'static [&'static str] {
        self.prefix
    }

    /// A command that is given herm as its last word, run by whoever works here.
    pub(crate) fn herm_by(&self, words: &[&str]) -> Command {
        let mut command = self.command("setsid");
        command.arg("--wait").args(self.prefix).args(words).arg(&self.herm);
        command
    }

    /// Runs herm.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.herm(arguments))
    }

    /// Runs herm at a terminal of so many columns. Each step waits for a text and types an answer.
    pub(crate) fn at_terminal(&self, columns: u16, steps: &[(&str, &str)], arguments: &[&str]) -> Ran {
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/terminal.py");
        let mut command = self.command("python3");
        command.arg(driver).args(["24", &columns.to_string()]);
        for (text, keys) in steps {
            command.args([text, keys]);
        }
        command.arg("--").arg(env!("CARGO_BIN_EXE_herm")).args(self.placed(arguments));
        let ran = Ran::of(&mut command);
        let (code, shown) = ran.stdout.split_once('\n').unwrap_or_else(|| panic!("{ran:?}"));
        Ran { code: code.parse().ok(), stdout: shown.replace("\r\n", "\n"), stderr: ran.stderr }
    }

    /// Starts herm and lets it be.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.herm(arguments)
            .env("HERMES_EXEC_ASK", "1")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The question that waits, once there is one.
    pub(crate) fn question(&self) -> String {
        let end = Instant::now() + Duration::from_secs(20);
        while Instant::now() < end {
            let list = self.run(&["approvals", "list", "--json"]);
            let list: serde_json::Value = serde_json::from_str(&list.stdout).unwrap_or_default();
            if let Some(id) = list["questions"][0]["id"].as_str() {
                return id.to_owned();
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("nothing was asked");
    }

    /// The records of the ledger.
    pub(crate) fn ledger(&self) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.guard().join("ledger/ledger.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// What stands in for programs that could do harm here, should a refusal that is tested ever fail. They are found first.
const STAND_INS: &[(&str, &str)] = &[
    (
        "rm",
        "#!/bin/sh\nfor word; do\n  case \"$word\" in\n    / | /\\* | \"$HOME\" | \"$HOME/\") : > \"$HOME/harm\"; exit 99 ;;\n  esac\ndone\nexec \
         /bin/rm \"$@\"\n",
    ),
    ("mkfs.ext4", "#!/bin/sh\n: > \"$HOME/harm\"\n"),
    ("shutdown", "#!/bin/sh\n: > \"$HOME/harm\"\n"),
];

fn executable(file: &Path, script: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, script).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Waits until something is so.
pub(crate) fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // A place that cannot be cleared away is cleared with the target directory.
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// What `--json` printed.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
