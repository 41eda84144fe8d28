//! What a command costs in a shell that goes on: `cargo bench -p herm-cli --bench shell`.
//!
//! The performance is what `duration` says: from the word to go until everything was heard. The whole way is from the line that asks to the line
//! that answers: judged twice, recorded twice, each record on the disk. A program that does nothing is started in turn, so that a
//! noisy machine is seen to be one.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::disallowed_methods, reason = "a benchmark makes its own place and processes")]

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 300;
const BUDGET: Duration = Duration::from_millis(2);

fn main() -> io::Result<()> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shell-{}", std::process::id()));
    std::fs::create_dir_all(place.join("home"))?;
    std::fs::create_dir_all(place.join("work/.git"))?;
    for backend in ["local", "sandbox"] {
        let Times { nothing, performed, whole } = measure(&place, backend)?;
        println!("{backend}");
        println!("  /bin/true    median {:.2?}", middle(&nothing));
        println!(
            "  performance  median {:.2?}, quickest tenth {:.2?} (budget {BUDGET:?})",
            middle(&performed),
            tenth(&performed)
        );
        println!("  whole way    median {:.2?}, quickest tenth {:.2?}", middle(&whole), tenth(&whole));
        println!("  {}", if middle(&performed) <= BUDGET { "kept" } else { "missed" });
    }
    std::fs::remove_dir_all(place)
}

#[derive(Default)]
struct Times {
    nothing: Vec<Duration>,
    performed: Vec<Duration>,
    whole: Vec<Duration>,
}

fn measure(place: &Path, backend: &str) -> io::Result<Times> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_herm"))
        .args(["shell", "--json", "--backend", backend])
        .current_dir(place.join("work"))
        .env("HOME", place.join("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let mut output = BufReader::new(output);
    let mut times = Times::default();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        input.write_all(b"{\"command\": \":\"}\n")?;
        let mut answer = String::new();
        output.read_line(&mut answer)?;
        times.whole.push(begun.elapsed());
        times.performed.push(duration(&answer).ok_or(io::ErrorKind::InvalidData)?);
        let begun = Instant::now();
        Command::new("/bin/true").status()?;
        times.nothing.push(begun.elapsed());
    }
    drop(input);
    child.wait()?;
    Ok(times)
}

fn duration(answer: &str) -> Option<Duration> {
    let answer: serde_json::Value = serde_json::from_str(answer).ok()?;
    answer.get("duration")?.as_f64().map(Duration::from_secs_f64)
}

fn middle(times: &[Duration]) -> Duration {
    at(times, times.len() / 2)
}

fn tenth(times: &[Duration]) -> Duration {
    at(times, times.len() / 10)
}

fn at(times: &[Duration], place: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(place).copied().unwrap_or_default()
}
