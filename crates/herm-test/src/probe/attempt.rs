//! One try, in a sandbox or without one.

use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use herm::enforcement::Measure;
use herm_sandbox::native::{Bounds, Confinement, Layer, Network, Profile, Workspace};
use herm_sandbox::process::{Cancel, Ending, Input, Mode, Output, Spec, run};

use super::scene::PYTHON;
use super::{Probe, Scene};

/// What a probe is tried in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// No sandbox.
    Control,
    /// The sandbox, without these layers.
    Confined {
        /// What is left out.
        without: Vec<Layer>,
    },
    /// The sandbox with doors to the network that nobody stands at.
    Guarded,
    /// The sandbox for programs that sandbox themselves.
    Nested,
}

impl Surroundings {
    /// The layers that are left out.
    pub(super) fn left_out(&self) -> &[Layer] {
        match self {
            Self::Confined { without } => without,
            Self::Control | Self::Guarded | Self::Nested => &[],
        }
    }
}

/// What came of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It got out.
    Out(String),
    /// It was kept in.
    Kept(String),
    /// The machine has nothing to try it on.
    Lacking(String),
    /// The probe did not work.
    Broken(String),
}

impl Outcome {
    /// Its word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Out(_) => "out",
            Self::Kept(_) => "kept",
            Self::Lacking(_) => "lacking",
            Self::Broken(_) => "broken",
        }
    }

    pub(super) const fn is_out(&self) -> bool {
        matches!(self, Self::Out(_))
    }

    /// What was said about it.
    #[must_use]
    pub fn said(&self) -> &str {
        match self {
            Self::Out(said) | Self::Kept(said) | Self::Lacking(said) | Self::Broken(said) => said,
        }
    }
}

/// Tries `probe` once.
pub(super) fn attempt(scene: &Scene, probe: &Probe, surroundings: &Surroundings) -> Outcome {
    let outcome = tried(scene, probe, surroundings);
    scene.tidy();
    outcome
}

fn tried(scene: &Scene, probe: &Probe, surroundings: &Surroundings) -> Outcome {
    let begun = Instant::now();
    let outcome = match surroundings {
        Surroundings::Control => control(scene, probe),
        Surroundings::Confined { .. } | Surroundings::Guarded | Surroundings::Nested => {
            confined(scene, probe, surroundings)
        }
    };
    if OUTLIVING.contains(&probe.name) {
        let late = if *surroundings == Surroundings::Control { VERY_LATE } else { LATE };
        return outlived(scene, &outcome, begun + late);
    }
    let is_left = match probe.name {
        "setuid-rewritten" => scene.is_setuid_rewritten(),
        name => !MARKING.contains(&name) || scene.is_marked(),
    };
    if outcome.is_out() && !is_left {
        return Outcome::Kept(format!("{}, but not outside", outcome.said()));
    }
    outcome
}

/// Those whose success is a mark on the machine.
const MARKING: &[&str] = &[
    "agent-settings",
    "agent-settings-behind-a-door",
    "agent-settings-elsewhere",
    "git-below",
    "git-below-unnamed",
    "git-config",
    "git-hook",
    "git-hook-elsewhere",
    "git-history-behind-a-door",
    "git-other-history",
    "hard-link-write",
    "nested-unlock",
    "symlink-write",
    "write-home",
    "write-other-project",
    "write-parent",
    "write-readable",
    "write-tools",
];

/// Those whose success is a mark after they should have ended.
const OUTLIVING: &[&str] = &["outlive", "outlive-herm"];

/// When a mark of those would be there at the latest.
const LATE: Duration = Duration::from_millis(3500);

/// The same on a machine that is busy, where there is one for certain.
const VERY_LATE: Duration = Duration::from_secs(20);

fn outlived(scene: &Scene, outcome: &Outcome, late: Instant) -> Outcome {
    if let Outcome::Broken(said) = outcome {
        return Outcome::Broken(said.clone());
    }
    while Instant::now() < late {
        if scene.is_marked() {
            return Outcome::Out("left a mark".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Outcome::Kept("left no mark".into())
}

/// How long a probe may take: several times as long on a machine that says it is slow.
fn time(probe: &Probe) -> Duration {
    if probe.name == "outlive" {
        Duration::from_secs(Scene::TIME)
    } else {
        Duration::from_secs(10 * Scene::slowness())
    }
}

/// Runs it as anybody would.
fn control(scene: &Scene, probe: &Probe) -> Outcome {
    let guardian = match GUARDED.contains(&probe.name).then(Guardian::new).transpose() {
        Ok(guardian) => guardian,
        Err(error) => return Outcome::Broken(format!("no guardian: {error}")),
    };
    let facts = scene.facts(guardian.as_ref().map_or(0, |guardian| guardian.0.id()), true);
    let started = Command::new(PYTHON)
        .args(arguments(scene, probe, &facts))
        .current_dir(scene.workspace())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Outcome::Broken(error.to_string()),
    };
    let limit = Instant::now() + time(probe);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) if Instant::now() < limit => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Outcome::Kept("was ended when its time was over".into());
            }
        }
    };
    let mut said = String::new();
    let _ = child.stdout.take().map(|mut stdout| stdout.read_to_string(&mut said));
    judged(status, &said)
}

/// Those that go for the process that watches over a sandbox from within.
const GUARDED: &[&str] = &[
    "command-line-of-guardian",
    "environment-of-guardian",
    "kill-guardian",
    "memory-of-guardian",
    "signal-everybody",
    "trace-guardian",
];

/// Stands for the process that watches over a sandbox from within.
struct Guardian(std::process::Child);

impl Guardian {
    fn new() -> std::io::Result<Self> {
        // It has a secret, and does not mind being signalled.
        let script = "import signal, sys; signal.signal(signal.SIGUSR1, signal.SIG_IGN); print(flush=True); signal.pause()";
        let mut child = Command::new(PYTHON)
            .args(["-I", "-S", "-c", script])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        if let Some(stdout) = &mut child.stdout {
            stdout.read_exact(&mut [0])?;
        }
        Ok(Self(child))
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs it in the sandbox.
fn confined(scene: &Scene, probe: &Probe, surroundings: &Surroundings) -> Outcome {
    let environment = environment(scene);
    let workspace = scene.workspace();
    let confinement = match Workspace::around(&workspace, &scene.home()) {
        Ok(around) => Confinement::to_workspace(&around, &workspace, &scene.home(), &environment),
        Err(failure) => return Outcome::Broken(failure.to_string()),
    };
    let spec = Spec {
        program: PYTHON.into(),
        arguments: arguments(scene, probe, &scene.facts(0, false)),
        cwd: workspace,
        environment,
        time: time(probe),
        grace: Duration::from_millis(100),
        input: Input::Empty,
        confinement: Some(bounded(confinement, scene, surroundings)),
    };
    let mut heard = Heard::default();
    let finished = Cancel::new()
        .map_err(|error| error.to_string())
        .and_then(|cancel| run(spec, Mode::Captured, &cancel, &mut heard).map_err(|error| error.to_string()));
    let execution = match finished {
        Ok(execution) => execution,
        Err(error) => return Outcome::Broken(error),
    };
    let outcome = ended(execution.ending, &heard.text());
    let missing = |measure: &Measure| surroundings.left_out().is_empty() && !execution.held.contains(measure);
    match probe.needs.filter(missing) {
        Some(measure) => Outcome::Lacking(format!("not held here: {}", measure.word())),
        None => outcome,
    }
}

fn ended(ending: Ending, said: &str) -> Outcome {
    match ending {
        // Nobody can tell from inside whether the kernel has it not, or the sandbox hides it.
        Ending::Exited(LACKING) => Outcome::Kept(said.trim().to_owned()),
        Ending::Exited(code) => judged(Some(code), said),
        Ending::TimedOut => Outcome::Kept("was ended when its time was over".into()),
        Ending::Signalled(signal) => Outcome::Broken(format!("ended by signal {signal}: {said}")),
        Ending::Cancelled => Outcome::Broken("was called off".into()),
    }
}

fn environment(scene: &Scene) -> Vec<(OsString, OsString)> {
    let own = [scene.workspace().join("tools"), scene.home().join(".cargo/bin")];
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let path = std::env::join_paths(own.into_iter().chain(system)).unwrap_or_default();
    vec![("PATH".into(), path), ("HOME".into(), scene.home().into())]
}

/// Small enough that a bomb need not be a large one.
fn bounded(mut confinement: Confinement, scene: &Scene, surroundings: &Surroundings) -> Confinement {
    confinement.view.space = Scene::SPACE / 2;
    confinement.view.readable.extend(scene.readable());
    confinement.view.given.push((scene.given(), scene.given()));
    confinement.view.hidden.extend(scene.hidden());
    confinement.bounds = Bounds {
        file_size: Some(Scene::FILE / 2),
        memory: Some(Scene::MEMORY / 2),
        open_files: Some(Scene::OPEN / 2),
        processes: Some(Scene::FORKS / 2),
        ..Bounds::default()
    };
    confinement.without = surroundings.left_out().to_vec();
    confinement.profile =
        if *surroundings == Surroundings::Nested { Profile::Nested } else { Profile::Standard };
    confinement.network =
        if *surroundings == Surroundings::Guarded { Network::Guarded } else { Network::Closed };
    confinement
}

fn arguments(scene: &Scene, probe: &Probe, facts: &str) -> Vec<OsString> {
    let script: PathBuf = scene.workspace().join("probes/probe.py");
    let mut arguments: Vec<OsString> = ["-B", "-s", "-S"].map(Into::into).to_vec();
    arguments.extend([script.into(), probe.module().into(), probe.name.into(), facts.into()]);
    arguments
}

/// What the exit codes of probes mean.
fn judged(code: Option<i32>, said: &str) -> Outcome {
    let said = said.trim().to_owned();
    match code {
        Some(0) => Outcome::Out(said),
        Some(1) => Outcome::Kept(said),
        Some(LACKING) => Outcome::Lacking(said),
        code => Outcome::Broken(format!("{code:?}: {said}")),
    }
}

const LACKING: i32 = 2;

#[derive(Debug, Default)]
struct Heard(Vec<u8>);

impl Heard {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl Output for Heard {
    fn stdout(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }
}
