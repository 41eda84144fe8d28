//! An agent with a home, a workspace, a model and a herm of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use toml::Table;

use crate::client::Client;
use crate::model::{Call, Model, prompt};
use crate::place::{Place, Ran, eventually};

/// An agent with all that it needs.
pub(crate) struct Stage {
    pub(crate) place: Place,
    pub(crate) model: Model,
    client: &'static Client,
}

/// What came of a run of the agent.
pub(crate) struct Run {
    /// What the model was told of each of its calls.
    pub(crate) results: Vec<String>,
    /// All that could say why something else came of it.
    pub(crate) story: String,
}

impl Run {
    /// What the model was told of the call of this number; nothing if the agent did not get there.
    pub(crate) fn told(&self, number: usize) -> &str {
        self.results.get(number).map_or("", String::as_str)
    }
}

/// A copy of herm that only these tests know. A further name for herm itself would change what others took note of meanwhile.
fn copied() -> PathBuf {
    let herm = Path::new(env!("CARGO_BIN_EXE_herm"));
    let built = fs::metadata(herm).unwrap().modified().unwrap();
    let built = built.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("herm-{built}"));
    if !copy.exists() {
        let whole = copy.with_extension(std::process::id().to_string());
        fs::copy(herm, &whole).unwrap();
        fs::rename(whole, &copy).unwrap();
    }
    copy
}

impl Stage {
    /// The agent is there and knows its model; herm is there and unknown to it.
    pub(crate) fn new(client: &'static Client) -> Self {
        let stage = Self { place: Place::new(), model: Model::new(), client };
        for program in programs(client.name) {
            std::os::unix::fs::symlink(&program, stage.bin().join(program.file_name().unwrap())).unwrap();
        }
        // A name of its own, so that something else can take its place.
        let herm = copied();
        fs::hard_link(&herm, stage.herm()).or_else(|_| fs::copy(herm, stage.herm()).map(drop)).unwrap();
        (client.settle)(&stage);
        stage
    }

    /// Has the agent ask herm, as a person would.
    pub(crate) fn wire(&self) {
        self.init("--trust");
    }

    /// Has the agents of everybody on the machine ask herm.
    pub(crate) fn wire_machine(&self) {
        self.init("--system");
    }

    fn init(&self, how: &str) {
        let mut init = self.place.command("setsid");
        init.arg("--wait").arg(self.herm()).args(["init", self.client.word, "--yes", how]);
        let ran = Ran::of(&mut init);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }

    /// Runs the agent with a model that wants these calls, one after the other.
    pub(crate) fn run(&self, calls: &[Call]) -> Run {
        // In a session of its own: a test is not what asks.
        let mut command = self.place.command("setsid");
        let most = 120 + calls.len();
        command.args(["--wait", "timeout", "--kill-after", "5", &most.to_string()]);
        (self.client.ask)(self, &mut command, &prompt(calls));
        let ran = Ran::of(&mut command);
        let story = format!("{ran:?}\n{}", self.model.told());
        Run { results: self.model.results(), story }
    }

    /// What `herm doctor` says of the agent.
    pub(crate) fn doctor(&self) -> Vec<Value> {
        let mut doctor = self.place.command("setsid");
        doctor.arg("--wait").arg(self.herm()).args(["doctor", "--json"]);
        let said = Ran::of(&mut doctor).json();
        let rows = said["rows"].as_array().unwrap().iter();
        let own = rows.filter(|row| row["group"] == "agents" && row["name"] == self.client.word);
        own.cloned().collect()
    }

    /// Gives a command the environment in which the agent finds its model.
    pub(crate) fn lead(&self, command: &mut Command) {
        let mut run = Command::new("true");
        (self.client.ask)(self, &mut run, "");
        command.envs(run.get_envs().filter_map(|(name, value)| Some((name, value?))));
    }

    /// The question that waits, once there is one; none if it is over before.
    pub(crate) fn asked(&self, is_over: impl Fn() -> bool) -> Option<String> {
        while !is_over() {
            let list = self.place.run(&["approvals", "list", "--json"]);
            let list: Value = serde_json::from_str(&list.stdout).unwrap_or_default();
            if let Some(id) = list["questions"][0]["id"].as_str() {
                return Some(id.to_owned());
            }
            thread::sleep(Duration::from_millis(20));
        }
        None
    }

    /// A file in the home.
    pub(crate) fn settings(&self, name: &str, content: &str) {
        let file = self.place.home().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// Changes a file in the home, which must have what is changed.
    pub(crate) fn change(&self, name: &str, from: &str, to: &str) {
        let file = self.place.home().join(name);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(file, text.replace(from, to)).unwrap();
    }

    /// The herm that the agent asks.
    pub(crate) fn herm(&self) -> PathBuf {
        self.bin().join("herm")
    }

    /// Puts a script in its place.
    pub(crate) fn replace(&self, script: &str) {
        fs::remove_file(self.herm()).unwrap();
        fs::write(self.herm(), script).unwrap();
        fs::set_permissions(self.herm(), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Where programs are found first.
    fn bin(&self) -> PathBuf {
        self.place.home().with_file_name("bin")
    }

    /// Nothing of this place runs any more.
    pub(crate) fn is_left(&self) {
        let home = format!("HOME={}\0", self.place.home().display());
        let is_here = |pid: &str| {
            let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            variables.windows(home.len()).any(|window| window == home.as_bytes())
        };
        let here = || -> Vec<String> {
            let all = fs::read_dir("/proc").unwrap().flatten();
            let pids = all.filter_map(|entry| entry.file_name().into_string().ok());
            let pids = pids.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
            let own = std::process::id().to_string();
            pids.filter(|pid| *pid != own && is_here(pid))
                .map(|pid| fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default())
                .collect()
        };
        eventually("the agent has left something that runs", || here().is_empty());
    }
}

/// The programs of an agent, which `cargo xtask setup` has installed.
fn programs(name: &str) -> Vec<PathBuf> {
    let list: Table = include_str!("../../../../xtask/agents.toml").parse().unwrap();
    let agents = list["agent"].as_array().unwrap();
    let agent = agents.iter().find(|agent| agent["name"].as_str() == Some(name)).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let bin = target.join(format!("agents/{name}-{}/bin", agent["version"].as_str().unwrap()));
    let found: Vec<_> =
        fs::read_dir(&bin).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    assert!(!found.is_empty(), "`{}` is not there: `cargo xtask setup --agents` installs it", bin.display());
    found
}
