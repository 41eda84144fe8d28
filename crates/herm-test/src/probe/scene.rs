//! What is to be out of reach, as stand-ins: files, processes, sockets, shared memory.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use herm_sandbox::Scratch;
use rustix::fs::{Mode, OFlags};
use rustix::process::{DumpableBehavior, Gid, Uid, geteuid, set_dumpable_behavior};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use serde_json::{Map, Value, json};

/// Everything that a probe looks for.
#[derive(Debug)]
pub struct Scene {
    facts: Map<String, Value>,
    neighbour: Child,
    /// A file that was opened carelessly: whoever is started without care inherits it.
    _open: OwnedFd,
    /// Last: it is removed when all others are gone.
    place: Scratch,
}

/// The variable that a scene's secret is in.
pub(super) const SECRET: &str = "HERM_PROBE_SECRET";

const SOURCES: &[(&str, &str)] = &[
    ("bounds.py", include_str!("../../probes/bounds.py")),
    ("calls.py", include_str!("../../probes/calls.py")),
    ("devices.py", include_str!("../../probes/devices.py")),
    ("files.py", include_str!("../../probes/files.py")),
    ("messages.py", include_str!("../../probes/messages.py")),
    ("neighbour.py", include_str!("../../probes/neighbour.py")),
    ("network.py", include_str!("../../probes/network.py")),
    ("probe.py", include_str!("../../probes/probe.py")),
    ("processes.py", include_str!("../../probes/processes.py")),
    ("stage.py", include_str!("../../probes/stage.py")),
    ("traces.py", include_str!("../../probes/traces.py")),
    ("trying.py", include_str!("../../probes/trying.py")),
];

/// What goes wrong while a scene is set.
type Trouble = Box<dyn std::error::Error>;

impl Scene {
    /// How many seconds a probe has that wants to outlive its time.
    pub(super) const TIME: u64 = 2;
    /// How many bytes bombs write to private places: twice what these hold.
    pub(super) const SPACE: u64 = 16 << 20;
    /// How many bytes a huge file has: twice what one may have.
    pub(super) const FILE: u64 = 8 << 20;
    /// How many files are opened: twice as many as may be.
    pub(super) const OPEN: u64 = 256;

    /// How many bytes of memory are taken: twice as many as may be.
    pub(super) const MEMORY: u64 = 256 << 20;
    /// How many processes are started: twice as many as there may be.
    pub(super) const FORKS: u64 = 128;

    /// Sets the scene, and becomes `user` if that is somebody else than this process is.
    ///
    /// # Errors
    /// When something cannot be prepared.
    pub fn set(user: u32) -> Result<Self, Trouble> {
        let secret = std::env::var(SECRET)?;
        let place = Scratch::new(&std::env::temp_dir())?;
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755))?;
        let probes = place.path().join("home/projects/work/probes");
        write_sources(&probes)?;
        let prepared = staged(&probes, place.path(), user, &secret)?;
        if geteuid().as_raw() != user {
            drop_to(user)?;
        }
        let open = open_carelessly(&place.path().join("home/projects/other/notes"))?;
        let token = format!("{secret}-token");
        let (neighbour, found) = neighbour(&probes, &prepared, &secret, &token)?;
        let mut facts = object(prepared)?;
        facts.extend(object(found)?);
        facts.extend(object(machine(&neighbour, &secret, &token)?)?);
        Ok(Self { facts, neighbour, _open: open, place })
    }

    /// How many times slower than usual the machine says it is.
    pub(super) fn slowness() -> u64 {
        std::env::var("HERM_PROBE_SLOWNESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
    }

    /// What a probe is told.
    pub(super) fn facts(&self, guardian: u32, is_control: bool) -> String {
        let mut facts = self.facts.clone();
        facts.insert("guardian".into(), guardian.into());
        facts.insert("control".into(), is_control.into());
        Value::Object(facts).to_string()
    }

    /// Whether root could prepare everything, in namespaces of mounts and networks that are nobody else's.
    #[must_use]
    pub fn is_prepared(&self) -> bool {
        self.facts.get("alone").and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    pub(super) fn workspace(&self) -> PathBuf {
        self.place.path().join("home/projects/work")
    }

    /// What it may read.
    pub(super) fn readable(&self) -> Vec<PathBuf> {
        vec![self.fact("lent"), self.fact("shared").join("read")]
    }

    /// A pipe that it may read.
    pub(super) fn given(&self) -> PathBuf {
        self.fact("shared").join("pipe")
    }

    fn fact(&self, name: &str) -> PathBuf {
        self.facts.get(name).and_then(Value::as_str).map(PathBuf::from).unwrap_or_default()
    }

    /// What herm keeps from whatever it runs, wherever it lies.
    pub(super) fn hidden(&self) -> Vec<PathBuf> {
        vec![
            self.workspace().join(".guard"),
            self.home().join(".cargo/credentials.toml"),
            self.home().join(".herm"),
        ]
    }

    /// Whether there is a mark where none should be; it is taken away.
    pub(super) fn is_marked(&self) -> bool {
        let Some(mark) = self.facts.get("mark").and_then(Value::as_str) else { return false };
        // A closed door is the person's to open.
        for door in [".git", ".github"] {
            let _ = fs::set_permissions(self.workspace().join(door), fs::Permissions::from_mode(0o755));
        }
        MARKED.iter().map(|below| self.place.path().join(below)).fold(false, |found, path| {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if text.contains(mark) {
                let _ = fs::write(&path, text.replace(mark, ""));
            }
            found || text.contains(mark)
        })
    }
}

impl Scene {
    /// Whether what a probe has changed is still setuid; from now on it is what it was.
    pub(super) fn is_setuid_rewritten(&self) -> bool {
        let path = self.workspace().join("of-its-owner");
        let is_setuid = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o4000 != 0);
        let was_changed = fs::read(&path).is_ok_and(|text| text.starts_with(b"::"));
        let _ = fs::write(&path, "#!/bin/sh\n");
        let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o4755));
        is_setuid && was_changed
    }

    /// Puts back what a probe has moved away, and takes away what it has left.
    pub(super) fn tidy(&self) {
        let work = self.workspace();
        let is_left =
            |name: &OsStr| LEFT.iter().any(|left| name.as_encoded_bytes().starts_with(left.as_bytes()));
        for place in [&work, &work.join(".git")] {
            for entry in fs::read_dir(place).into_iter().flatten().flatten() {
                if is_left(&entry.file_name()) && fs::remove_file(entry.path()).is_err() {
                    let _ = fs::remove_dir_all(entry.path());
                }
            }
        }
        let (repository, aside) = (self.workspace().join(".git"), self.workspace().join(".git-aside"));
        if aside.exists() {
            let _ = fs::remove_dir_all(&repository);
            let _ = fs::rename(&aside, &repository);
        }
    }
}

/// What probes leave in the workspace or its repository, and what that is called when it is set aside.
const LEFT: &[&str] = &[".claude", ".github", "below", "beneath", "commondir", "settings"];

/// Every place that a probe may leave a mark at.
const MARKED: &[&str] = &[
    "home/.bashrc",
    "home/.cargo/bin/tool",
    "home/projects/other/notes",
    "home/projects/other/planted-by-link",
    "home/projects/planted",
    "home/projects/work/.claude/settings.json",
    "home/projects/work/.git/commondir",
    "home/projects/work/.git/config",
    "home/projects/work/.git/hooks/pre-commit",
    "home/projects/work/.github/hooks/pre.json",
    "home/projects/work/below/.git/config",
    "home/projects/work/beneath/.git/config",
    "home/projects/work/outlived",
    "home/projects/work/stayed",
    "lent/notes",
];

/// The system's own, which is in every view.
pub(super) const PYTHON: &str = "/usr/bin/python3";

impl Drop for Scene {
    fn drop(&mut self) {
        // It cleans up when its input ends.
        drop(self.neighbour.stdin.take());
        let _ = self.neighbour.wait();
    }
}

fn write_sources(probes: &Path) -> std::io::Result<()> {
    fs::create_dir_all(probes)?;
    SOURCES.iter().try_for_each(|(name, text)| fs::write(probes.join(name), text))
}

fn staged(probes: &Path, place: &Path, user: u32, secret: &str) -> Result<Value, Trouble> {
    let output = Command::new(PYTHON)
        .args(["-B", "-s", "-S"])
        .arg(probes.join("stage.py"))
        .arg(place)
        .args([&user.to_string(), secret])
        .stderr(Stdio::inherit())
        .output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Becomes an ordinary user, for good. This process has one thread.
fn drop_to(user: u32) -> rustix::io::Result<()> {
    set_thread_groups(&[])?;
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    set_thread_res_gid(gid, gid, gid)?;
    set_thread_res_uid(uid, uid, uid)?;
    // As it is for whoever has always been this user.
    set_dumpable_behavior(DumpableBehavior::Dumpable)
}

fn open_carelessly(path: &Path) -> rustix::io::Result<OwnedFd> {
    rustix::fs::open(path, OFlags::RDONLY, Mode::empty())
}

fn neighbour(probes: &Path, prepared: &Value, secret: &str, token: &str) -> Result<(Child, Value), Trouble> {
    let mut child = Command::new(PYTHON)
        .args(["-B", "-s", "-S"])
        .arg(probes.join("neighbour.py"))
        .args([&prepared.to_string(), token])
        .env("SECRET", secret)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    let stdout = child.stdout.take().ok_or("no output")?;
    BufReader::new(stdout).read_line(&mut line)?;
    Ok((child, serde_json::from_str(&line)?))
}

/// What the machine is like outside.
fn machine(neighbour: &Child, secret: &str, token: &str) -> Result<Value, Trouble> {
    let read = |path: &str| fs::read_to_string(path).map(|text| text.trim().to_owned());
    let uptime: f64 = read("/proc/uptime")?.split(' ').next().unwrap_or_default().parse()?;
    let stat = read("/proc/stat")?;
    let began: u64 = stat.lines().find_map(|line| line.strip_prefix("btime ")).ok_or("no btime")?.parse()?;
    Ok(json!({
        "secret": secret, "token": token, "mark": format!("{secret}-mark\n"),
        "neighbour": neighbour.id(), "herm": std::process::id(),
        "host": read("/proc/sys/kernel/hostname")?, "boottime": uptime, "btime": began,
        "time": Scene::TIME, "space": Scene::SPACE, "file": Scene::FILE, "open": Scene::OPEN,
        "memory": Scene::MEMORY, "forks": Scene::FORKS, "slowness": Scene::slowness(),
    }))
}

fn object(value: Value) -> Result<Map<String, Value>, Trouble> {
    if let Value::Object(map) = value { Ok(map) } else { Err(format!("no object: {value}").into()) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::probe::GROUPS;

    #[test]
    fn every_function_is_in_the_table_of_its_module() {
        for group in GROUPS {
            let (_, text) =
                SOURCES.iter().find(|(name, _)| name.strip_suffix(".py") == Some(group.module)).unwrap();
            let marked = text.split("@probe\ndef ").skip(1);
            let functions: BTreeSet<String> =
                marked.map(|rest| rest.split('(').next().unwrap().replace('_', "-")).collect();
            let listed = group.probes.iter().map(|probe| probe.name.to_owned()).collect();
            assert_eq!(functions, listed, "{}", group.module);
        }
    }
}
