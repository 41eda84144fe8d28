//! The files of a control group.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::MEMBERS;

/// What a file says, up to a bound that none of them comes near.
pub(super) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    OpenOptions::new().read(true).open(path)?.take(MOST).read_to_string(&mut text)?;
    Ok(text)
}

const MOST: u64 = 1 << 20;

/// Writes in one go, as these files want it.
pub(super) fn write(path: &Path, value: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(value.as_bytes())
}

pub(super) fn open_to_write(path: &Path) -> io::Result<OwnedFd> {
    Ok(OpenOptions::new().write(true).open(path)?.into())
}

pub(super) fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

/// The words of a file; none if it cannot be read.
pub(super) fn words(path: &Path) -> BTreeSet<String> {
    read(path).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// The number behind `key`, or the only one where there are no keys.
pub(super) fn number(path: &Path, key: Option<&str>) -> Option<u64> {
    let text = read(path).ok()?;
    match key {
        None => text.trim().parse().ok(),
        Some(key) => {
            text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
        }
    }
}

/// The groups directly below.
#[expect(clippy::disallowed_methods, reason = "this is the one place where control groups are looked at")]
pub(super) fn below(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

/// Ends whatever runs in a group, and in those below.
pub(super) fn kill(path: &Path) {
    if write(&path.join("cgroup.kill"), "1").is_ok() {
        return;
    }
    // Those that fork while they are being ended are found the next time.
    for _ in 0..ROUNDS {
        let busy = tree(path).iter().filter(|group| kill_members(group)).count();
        if busy == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

const ROUNDS: u32 = 200;

/// Whether there was anybody.
fn kill_members(path: &Path) -> bool {
    let held: Vec<(Pid, OwnedFd)> = members(path)
        .into_iter()
        .filter_map(|pid| Some((pid, pidfd_open(pid, PidfdFlags::empty()).ok()?)))
        .collect();
    // Whoever is still a member, now that a number is held, is whom it holds.
    let members = members(path);
    for (pid, process) in &held {
        if members.contains(pid) {
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
    }
    !members.is_empty()
}

fn members(path: &Path) -> Vec<Pid> {
    let text = read(&path.join(MEMBERS)).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).filter_map(Pid::from_raw).collect()
}

/// Removes a group and those below. Those who were in it may take a moment to be gone.
pub(super) fn remove(path: &Path) {
    for attempt in 0..ATTEMPTS {
        for group in tree(path).iter().rev() {
            let _ = std::fs::remove_dir(group);
        }
        if !path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(u64::from(attempt)));
    }
}

/// About two seconds, all in all.
const ATTEMPTS: u32 = 64;

/// A group and all below, each before those below it. Nobody in the sandbox can make any, so there are few.
fn tree(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![path.to_owned()];
    let mut at = 0;
    while let Some(group) = found.get(at).filter(|_| at < FEW) {
        let below = below(group);
        found.extend(below);
        at += 1;
    }
    found
}

const FEW: usize = 1000;
