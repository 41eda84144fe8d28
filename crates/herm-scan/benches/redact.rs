//! What redaction costs: `cargo bench -p herm-scan --bench redact`.
//!
//! Copying the same bytes is measured in the same run, so that a noisy machine is noisy for both. What is measured is the time that
//! the processor was used.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the texts of the repository")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use herm_scan::Redactor;
use rustix::time::{ClockId, clock_gettime};

/// Small enough that a round ends before another program gets its turn.
const SIZE: usize = 1 << 20;
const PIECE: usize = 64 * 1024;
const ROUNDS: usize = 40;
const BUDGET: f64 = 200.0;

fn main() {
    start();
    let mut kept = true;
    for (name, budget, text) in [
        ("source and documents", true, repeated(&repository())),
        ("log", true, repeated(&log())),
        ("one line of letters", true, vec![b'a'; SIZE]),
        ("hashes and numbers", true, repeated(&hashes())),
        ("only signs", false, repeated("a=b:c,\"d\"=")),
        ("only names of secrets", false, repeated("token=a key: b password ")),
        ("only secrets", false, repeated(&secrets())),
    ] {
        if !chosen(name) {
            continue;
        }
        let speed = megabytes(&text, || redact(&text, Redactor::new()));
        let copy = megabytes(&text, || copied(&text));
        println!("{name:22} {speed:6.0} MB/s, {:.4} of copying ({copy:.0} MB/s)", speed / copy);
        kept &= !budget || speed >= BUDGET;
    }
    let text = repeated(&repository());
    let values = ["zK9x-vQ2m-Rt7L-w4pB", "correct horse battery", "tr0ub4dor&3", "q8w7e6r5t4y3u2i1"];
    let speed = megabytes(&text, || redact(&text, Redactor::with_values(values)));
    println!("{:22} {speed:6.0} MB/s", "with four known values");
    for (name, text) in [("with our own, source", text), ("with our own, log", repeated(&log()))] {
        let speed = megabytes(&text, || redact(&text, Redactor::holding(OURS)));
        println!("{name:22} {speed:6.0} MB/s");
        kept &= speed >= BUDGET;
    }
    println!("{}", if kept { "kept" } else { "missed" });
}

/// Whether a text is to be measured: all of them, or those that an argument names.
fn chosen(name: &str) -> bool {
    let mut wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    wanted.peek().is_none() || wanted.any(|wanted| name.contains(&wanted))
}

/// What the first use costs, tables included.
fn start() {
    let start = Instant::now();
    black_box(Redactor::new().redact("nothing"));
    println!("{:22} {:?}", "first use", start.elapsed());
}

/// A file of variables: keys, a short password, and settings that go beside their names alone.
const OURS: &str = "OPENROUTER_API_KEY=zK9x-vQ2m-Rt7L-w4pB\nFOO=supersecretvalue\nBAR=hunter2\nPIN=48392017\nPHRASE='mad hatter tea'\n\
                    DB_PASSWORD=xk12\nDEBUG=true\nPORT=3000\nDEFAULT_MODEL=claude-opus\nLOG_LEVEL=info\nDATA_DIR=/srv/data\n";

fn redact(text: &[u8], mut redactor: Redactor) -> usize {
    let mut output = Vec::with_capacity(2 * PIECE);
    let mut total = 0;
    for piece in text.chunks(PIECE) {
        output.clear();
        redactor.feed(piece, &mut output);
        total += output.len();
    }
    redactor.finish(&mut output);
    total
}

fn copied(text: &[u8]) -> usize {
    let mut output = Vec::with_capacity(2 * PIECE);
    let mut total = 0;
    for piece in text.chunks(PIECE) {
        output.clear();
        output.extend_from_slice(black_box(piece));
        total += black_box(&output).len();
    }
    total
}

fn megabytes(text: &[u8], run: impl Fn() -> usize) -> f64 {
    let time = |_| {
        let start = used();
        black_box(run());
        used().saturating_sub(start)
    };
    let best = (0..ROUNDS).map(time).min().unwrap_or(Duration::MAX);
    f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX)) / best.as_secs_f64() / 1e6
}

/// How long this thread has had a processor. Beside other work, a clock on the wall measures that work as well.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

fn repeated(text: &str) -> Vec<u8> {
    text.bytes().cycle().take(SIZE).collect()
}

/// The documents and the source of this repository.
fn repository() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    collect(&root.join("docs"), &mut text);
    collect(&root.join("crates/herm-shell/src"), &mut text);
    text
}

fn collect(directory: &Path, text: &mut String) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, text);
        } else {
            text.push_str(&std::fs::read_to_string(path).unwrap_or_default());
        }
    }
}

fn log() -> String {
    let mut text = String::new();
    for number in 0..2000_u32 {
        let _ = writeln!(
            text,
            "2026-01-02T03:04:05.{:03}Z INFO server::http request id={number} method=GET path=/api/v1/items/{} status=200 \
             duration_ms={} bytes={}",
            number % 1000,
            number * 7,
            number % 97,
            number * 31
        );
    }
    text
}

fn hashes() -> String {
    let mut text = String::new();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for number in 0..2000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let _ = writeln!(text, "{state:016x}{:016x}  target/release/deps/part-{number}.o", !state);
    }
    text
}

fn secrets() -> String {
    let mut text = String::new();
    for number in 0..500 {
        let _ = writeln!(text, "export SERVICE_{number}_TOKEN=zK9xvQ2mRt7Lw4pB{number}");
    }
    text
}
