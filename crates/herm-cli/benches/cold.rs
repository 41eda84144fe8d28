//! What `herm check` costs as a fresh process: `cargo bench -p herm-cli --bench cold`.
//!
//! It is started in turn with a program that does nothing, so that a noisy machine is noisy for both.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::disallowed_methods, reason = "a benchmark starts processes and reads what they used")]

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 300;
const BUDGET: Duration = Duration::from_millis(2);
const MEMORY: u64 = 20 * 1024;

fn main() {
    let herm = env!("CARGO_BIN_EXE_herm");
    let (mut nothing, mut check) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        nothing.push(time("/bin/true", &[]));
        check.push(time(herm, &["check", "git status"]));
    }
    let (quickest, quickest_check) = (nothing.iter().min().copied(), check.iter().min().copied());
    let (nothing, check) = (median(nothing), median(check));
    let over = check.saturating_sub(nothing);
    let memory = resident(herm);
    println!("/bin/true   median {nothing:.2?}");
    println!("herm check  median {check:.2?}, {over:.2?} more (budget {BUDGET:?})");
    println!(
        "quickest    {:.2?} and {:.2?}",
        quickest.unwrap_or_default(),
        quickest_check.unwrap_or_default()
    );
    println!("resident    {memory} KiB (budget {MEMORY} KiB)");
    println!("{}", if over <= BUDGET && memory <= MEMORY { "kept" } else { "missed" });
}

fn time(program: &str, arguments: &[&str]) -> Duration {
    let start = Instant::now();
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok(), "cannot run `{program}`");
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The most memory that a batch of decisions had in use, in KiB: it waits for its next line while it is looked at.
fn resident(herm: &str) -> u64 {
    let child =
        Command::new(herm).args(["check", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else { return u64::MAX };
    let memory = answered(&mut child).and_then(|()| high_water(child.id()));
    drop(child.stdin.take());
    let _ = child.wait();
    memory.unwrap_or(u64::MAX)
}

fn answered(child: &mut std::process::Child) -> Option<()> {
    use std::io::{BufRead, BufReader, Write};
    child.stdin.as_mut()?.write_all(b"{\"input\": \"git status\"}\n").ok()?;
    let mut answer = String::new();
    BufReader::new(child.stdout.as_mut()?).read_line(&mut answer).ok()?;
    Some(())
}

fn high_water(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
