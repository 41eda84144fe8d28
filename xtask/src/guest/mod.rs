//! `cargo xtask guest`: the sandbox on another kernel, with control groups of version 2.
//!
//! A machine that is emulated, without any help of the processor, boots a kernel of the distribution with a small disk: the tests, Python
//! for the probes, and a few programs. Nothing is installed but the emulator, and nothing of the host is changed. The tests are those that
//! run on the host; what differs is the kernel.

mod archive;
mod disk;
mod kernel;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use herm_test::probe::{Probe, all};
use serde_json::Value;

use crate::run::{answers, output};
use crate::{Outcome, say};

/// Where everything of it is kept.
const PLACE: &str = "target/guest";

/// When it is given up.
const LIMIT: Duration = Duration::from_mins(45);

/// The tests of the probes that are run.
const TESTS: &[&str] = &[
    "nothing_gets_out_of_the_sandbox_as_root",
    "nothing_gets_out_of_the_sandbox_as_a_user",
    "without_its_layers_everything_gets_out_as_root",
];

/// Boots a guest, and fails unless everything in it passed. Tries these probes, or those that show the most.
pub(crate) fn run(probes: &[&str]) -> Outcome {
    if let Some(unknown) = probes.iter().find(|name| !all().any(|probe| probe.name == **name)) {
        return Err(format!("there is no probe `{unknown}`"));
    }
    emulator()?;
    let place = Path::new(PLACE);
    std::fs::create_dir_all(place).map_err(|error| format!("cannot make `{PLACE}`: {error}"))?;
    let kernel = kernel::fetch(place)?;
    let programs = Programs::build()?;
    let disk = disk::make(place, &programs.all(), &programs.plan(probes))?;
    let memory = archive::make(place, &programs.first, &kernel.modules()?)?;
    boot(&kernel.image, &memory, &disk)
}

fn emulator() -> Outcome {
    if answers(QEMU, &["--version"]) {
        return Ok(());
    }
    let install = ["install", "-y", "--no-install-recommends", "qemu-system-x86"];
    let _ =
        answers("apt-get", &install) || answers("sudo", &[["-n", "apt-get"].as_slice(), &install].concat());
    if answers(QEMU, &["--version"]) {
        Ok(())
    } else {
        Err(format!("there is no `{QEMU}`, and it cannot be installed"))
    }
}

const QEMU: &str = "qemu-system-x86_64";

/// What runs in the guest.
struct Programs {
    first: PathBuf,
    herm: PathBuf,
    probe: PathBuf,
    probes: PathBuf,
    units: PathBuf,
}

impl Programs {
    fn build() -> Result<Self, String> {
        say("==> building what runs in the guest");
        let bins = built(&["build", "-p", "herm-test", "-p", "herm-cli", "--bins"])?;
        let tests = built(&["test", "--no-run", "-p", "herm-test", "--test", "sandbox"])?;
        let units = built(&["test", "--no-run", "-p", "herm-sandbox", "--lib"])?;
        let one = |list: &[(String, PathBuf)], name: &str| {
            let found = list.iter().find(|(target, _)| target == name).map(|(_, path)| path.clone());
            found.ok_or(format!("cargo has not built `{name}`"))
        };
        Ok(Self {
            first: one(&bins, "sandbox-guest")?,
            herm: one(&bins, "herm")?,
            probe: one(&bins, "sandbox-probe")?,
            probes: one(&tests, "sandbox")?,
            units: one(&units, "herm_sandbox")?,
        })
    }

    fn all(&self) -> Vec<PathBuf> {
        [&self.herm, &self.probe, &self.probes, &self.units].map(Clone::clone).to_vec()
    }

    fn plan(&self, probes: &[&str]) -> String {
        let chosen = if probes.is_empty() { chosen() } else { probes.to_vec() };
        let line = |words: &[&str]| words.join("\t") + "\n";
        let (units, tests, herm) = (self.units.display(), self.probes.display(), self.herm.display());
        let mut plan = line(&["what the machine can do", &herm.to_string(), "doctor"]);
        let of_git = GIT.iter().flat_map(|tests| ["--skip", tests]);
        let wanted = ["native::", "sys::", "--test-threads=1"].into_iter().chain(of_git).collect::<Vec<_>>();
        plan += &line(&[&["bounds", &units.to_string()], wanted.as_slice()].concat());
        let chosen = format!("HERM_PROBES={}", chosen.join(","));
        for test in TESTS {
            let variables = [chosen.as_str(), "HERM_PROBES_DEMANDED=1", "HERM_PROBE_SLOWNESS=6"];
            plan += &line(&[&[*test], variables.as_slice(), &[&tests.to_string(), "--exact", test]].concat());
        }
        plan
    }
}

/// Unit tests of what git writes, which is the same on every kernel.
const GIT: &[&str] = &["native::index", "native::linked", "native::survey"];

/// The probes that are tried: those that show what each layer is for, and all about bounds. Every instruction is emulated, so all of them
/// would take an hour.
fn chosen() -> Vec<&'static str> {
    let bounds = |probe: &&Probe| probe.module() == "bounds";
    let alone = |probe: &&Probe| probe.held.layers(true).is_some_and(|layers| layers.len() == 1);
    all().filter(|probe| bounds(probe) || alone(probe)).map(|probe| probe.name).collect()
}

/// What cargo has built, by the names of the targets.
fn built(arguments: &[&str]) -> Result<Vec<(String, PathBuf)>, String> {
    let (verb, rest) = arguments.split_first().ok_or("nothing to build")?;
    let said = output("cargo", &[&[verb, "--message-format=json"], rest].concat())?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let name = message.get("target")?.get("name")?.as_str()?.to_owned();
        Some((name, message.get("executable")?.as_str()?.into()))
    };
    Ok(said.lines().filter_map(executable).collect())
}

fn boot(kernel: &Path, memory: &Path, disk: &Path) -> Outcome {
    say("==> booting");
    let drive = format!("file={},format=raw,if=virtio,snapshot=on", disk.display());
    let guest = Command::new(QEMU)
        .args(["-machine", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "2048"])
        .args(["-nodefaults", "-nographic", "-serial", "stdio", "-no-reboot", "-drive", &drive])
        .arg("-kernel")
        .arg(kernel)
        .arg("-initrd")
        .arg(memory)
        .args(["-append", "console=ttyS0 panic=-1 quiet no_timer_check cgroup_no_v1=all"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let mut guest = guest.map_err(|error| format!("cannot run `{QEMU}`: {error}"))?;
    let last = listen(&mut guest);
    let _ = guest.kill();
    let _ = guest.wait();
    match last {
        Some(said) if said == "all passed" => Ok(()),
        Some(said) => Err(format!("in the guest: {said}")),
        None => Err("the guest did not get to its end, or not in time".to_owned()),
    }
}

/// Shows what the guest says until it says how it went.
fn listen(guest: &mut Child) -> Option<String> {
    let console = BufReader::new(guest.stdout.take()?);
    let (sender, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in console.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let limit = Instant::now() + LIMIT;
    loop {
        let line = heard.recv_timeout(limit.saturating_duration_since(Instant::now())).ok()?;
        say(&format!("    {line}"));
        let ours = line.rsplit_once("herm-guest: ").map(|(_, said)| said);
        if let Some(said) = ours.filter(|said| is_last(said)) {
            return Some(said.to_owned());
        }
    }
}

fn is_last(said: &str) -> bool {
    said == "all passed" || said.ends_with(" failed") || said.starts_with("broken: ")
}
