//! What `herm hook` costs as a fresh process: `cargo bench -p herm-cli --bench hook`.
//!
//! It is started in turn with a program that does nothing, so that a noisy machine is noisy for both. A plain synced write of the
//! same run says what the disk would have cost.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::disallowed_methods, reason = "a benchmark starts processes and files of its own")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 300;
const AT_ONCE: usize = 20;

/// For what is decided and not recorded, since it touches nothing; and for what is.
const BUDGETS: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(4)];

const NOTHING: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"update_plan","tool_input":{}}"#;
const COMMAND: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"git status"}}"#;

fn main() -> ExitCode {
    let home = std::env::temp_dir().join(format!("herm-bench-hook-{}", std::process::id()));
    fs::create_dir_all(home.join(".herm")).unwrap_or_default();
    fs::write(home.join(".herm/config.yaml"), "approvals: {timeout: 30}\n").unwrap_or_default();
    let (plan, command) = (home.join("plan.json"), home.join("command.json"));
    fs::write(&plan, NOTHING).unwrap_or_default();
    fs::write(&command, COMMAND).unwrap_or_default();
    let (mut idle, mut light, mut full, mut synced) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        idle.push(time(|| end(start("/bin/true", &home, &plan))));
        light.push(time(|| end(start(env!("CARGO_BIN_EXE_herm"), &home, &plan))));
        full.push(time(|| end(start(env!("CARGO_BIN_EXE_herm"), &home, &command))));
        synced.push(time(|| write_synced(&home.join("synced"))));
    }
    let (idle, synced) = (median(idle), median(synced));
    println!("/bin/true             median {idle:.2?}");
    println!("a plain synced write  median {synced:.2?}");
    let mut is_kept = true;
    for ((what, times), budget) in
        [("touches nothing", light), ("judged, recorded", full)].into_iter().zip(BUDGETS)
    {
        let over = median(times).saturating_sub(idle);
        is_kept &= over <= budget;
        let word = if over <= budget { "kept" } else { "missed" };
        println!("{what:20}  {over:.2?} more than /bin/true (budget {budget:?}): {word}");
    }
    let alone = time(|| end(start(env!("CARGO_BIN_EXE_herm"), &home, &command)));
    let together = time(|| {
        let all: Vec<_> = (0..AT_ONCE).map(|_| start(env!("CARGO_BIN_EXE_herm"), &home, &command)).collect();
        all.into_iter().for_each(end);
    });
    println!("{AT_ONCE} at once            {together:.2?}, one alone {alone:.2?}");
    let _ = fs::remove_dir_all(home);
    if is_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn start(program: &str, home: &Path, event: &Path) -> Option<Child> {
    let mut command = Command::new(program);
    command.args(["hook", "codex", "--home"]).arg(home).stdin(File::open(event).ok()?);
    command.current_dir("/").stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

fn end(child: Option<Child>) {
    let ended = child.and_then(|mut child| child.wait().ok());
    assert!(ended.is_some_and(|status| status.success()), "it was refused");
}

fn write_synced(path: &Path) {
    let file = File::options().create(true).append(true).open(path);
    let done = file.and_then(|mut file| file.write_all(&[b'x'; 500]).and_then(|()| file.sync_data()));
    assert!(done.is_ok(), "cannot write");
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
