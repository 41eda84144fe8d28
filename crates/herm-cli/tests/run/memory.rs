//! Memory does not grow with what a command prints.

use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::place::Place;

/// The most memory that a process has had so far, in KiB.
fn peak(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Prints so many MiB through herm; how many bytes arrive, and the most memory that it took, in KiB.
fn prints(mebibytes: u32, arguments: &[&str]) -> (usize, u64) {
    let place = Place::new();
    let script = format!(
        "yes 'a line of output, as long as many lines of output are in a build' | head -c {mebibytes}M"
    );
    let arguments = [&["run"], arguments, &[&script]].concat();
    let mut herm = place.herm(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdout, pid) = (herm.stdout.take().unwrap(), herm.id());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let highest = scope.spawn(|| {
            let mut highest = 0;
            while !done.load(Ordering::Relaxed) {
                highest = highest.max(peak(pid).unwrap_or(0));
                thread::sleep(Duration::from_millis(5));
            }
            highest
        });
        let (mut arrived, mut piece) = (0, vec![0; 64 * 1024]);
        loop {
            match stdout.read(&mut piece).unwrap() {
                0 => break,
                length => arrived += length,
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(herm.wait().unwrap().success());
        (arrived, highest.join().unwrap())
    })
}

/// More memory than that is a leak, in KiB.
const MOST: u64 = 40 * 1024;

#[test]
fn memory_does_not_grow_with_output() {
    // Without optimisation a lot takes minutes.
    let mebibytes = if cfg!(debug_assertions) { 12 } else { 256 };
    let (_, little) = prints(1, &[]);
    for (arguments, expected) in [(&[][..], Some(mebibytes << 20)), (&["--json"][..], None)] {
        let (arrived, highest) = prints(mebibytes, arguments);
        assert!(expected.is_none_or(|bytes| usize::try_from(bytes) == Ok(arrived)), "{arrived}");
        assert!(highest > 0 && highest < MOST, "{highest} KiB");
        assert!(highest < little + 4 * 1024, "{little} KiB for a little, {highest} KiB for a lot");
    }
}
