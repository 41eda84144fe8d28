//! How long it takes from an answer to the release of whoever waits: `cargo bench -p herm-cli --bench release`.
//!
//! A broker runs as it does for users, ten thousand questions wait at its socket, and another process answers them one
//! after the other; then once more, while all of them are listed over and over. The disk and the machine are shown beside it: for
//! each answer a plain synced write, and a request that changes nothing.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run has failed")]
#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark starts processes, asks as they do and measures the disk"
)]

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use herm::approval::Answer;
use herm_runtime::broker::{Client, Effect, socket};
use rustix::event::epoll;
use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::{Value, json};

const WAITING: usize = 10_000;
const ANSWERS: usize = 2_000;

/// The promise, for the 99th of a hundred.
const PROMISED: Duration = Duration::from_millis(20);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().position(|word| word == "--wait").and_then(|at| arguments.get(at + 1)) {
        Some(socket) => wait(Path::new(socket)),
        None => measure(),
    }
}

fn measure() {
    let home = tempfile::tempdir().unwrap();
    let guard = home.path().join(".herm");
    let (mut broker, _) =
        start(Command::new(env!("CARGO_BIN_EXE_herm")).arg("broker").env_clear().env("HOME", home.path()));
    // In a session of its own: this process is not what asks, and so can answer.
    let own = std::env::current_exe().unwrap();
    let (mut asking, mut released) =
        start(Command::new("setsid").arg("--wait").arg(own).arg("--wait").arg(socket(&guard)));
    let mut client = Client::connect(&socket(&guard)).unwrap();
    let ids: Vec<_> = client.list().unwrap().into_iter().map(|question| question.id).collect();
    assert_eq!(ids.len(), WAITING);
    let answer = |released: &mut BufReader<ChildStdout>, client: &mut Client, id: &String| {
        let said = now();
        assert_eq!(client.answer(id, Answer::Once).unwrap(), Effect::Won);
        let told = now().saturating_sub(said);
        let mut line = String::new();
        released.read_line(&mut line).unwrap();
        let (heard, moment) = line.trim_end().split_once(' ').unwrap();
        assert_eq!(heard, id);
        (Duration::from_nanos(moment.parse().unwrap()).saturating_sub(said), told)
    };
    let mut plain = File::create(home.path().join("plain")).unwrap();
    let (mut alone, mut told, mut writes, mut nothing) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for id in ids.iter().take(ANSWERS) {
        let (heard, done) = answer(&mut released, &mut client, id);
        alone.push(heard);
        told.push(done);
        let start = Instant::now();
        plain.write_all(&[b'x'; 900]).unwrap();
        plain.sync_data().unwrap();
        writes.push(start.elapsed());
        let start = Instant::now();
        assert!(client.list_some("no such question", Some(1)).unwrap().is_empty());
        nothing.push(start.elapsed());
    }
    let done = AtomicBool::new(false);
    let mut watched = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut client = Client::connect(&socket(&guard)).unwrap();
            while !done.load(Ordering::Relaxed) {
                let _ = client.list().unwrap();
                thread::sleep(Duration::from_millis(200));
            }
        });
        for id in ids.iter().skip(ANSWERS).take(ANSWERS) {
            watched.push(answer(&mut released, &mut client, id).0);
        }
        done.store(true, Ordering::Relaxed);
    });
    report("a plain write, synced, beside that", &mut writes);
    report("the broker asked for what is not there, beside that", &mut nothing);
    let quiet = report("answer to release", &mut alone);
    report("answer until whoever answered knows that it is on the disk", &mut told);
    let busy = report("answer to release, while all of them are listed five times a second", &mut watched);
    println!("{}", if quiet.max(busy) <= PROMISED { "kept: 20 ms" } else { "broken: 20 ms" });
    for child in [&mut asking, &mut broker] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Starts a process that says a line when it is ready.
fn start(command: &mut Command) -> (Child, BufReader<ChildStdout>) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    (child, lines)
}

/// Asks all questions, and says of each when it was answered.
fn wait(socket: &Path) {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).unwrap();
    let all = epoll::create(epoll::CreateFlags::CLOEXEC).unwrap();
    let mut lines = HashMap::new();
    for number in 0..WAITING {
        let mut stream = UnixStream::connect(socket).unwrap();
        stream.write_all(format!("{}\n", question(number)).as_bytes()).unwrap();
        let mut line = BufReader::new(stream);
        let said = hear(&mut line);
        let token = u64::try_from(number).unwrap();
        epoll::add(&all, line.get_ref(), epoll::EventData::new_u64(token), epoll::EventFlags::IN).unwrap();
        let id = said.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        lines.insert(token, (id, line));
    }
    println!("all wait");
    let mut events = Vec::with_capacity(16);
    while !lines.is_empty() {
        epoll::wait(&all, rustix::buffer::spare_capacity(&mut events), None).unwrap();
        for event in events.drain(..) {
            let moment = now();
            let (id, mut line) = lines.remove(&event.data.u64()).unwrap();
            assert_eq!(hear(&mut line).get("is"), Some(&json!("answered")));
            println!("{id} {}", moment.as_nanos());
        }
    }
}

fn question(number: usize) -> Value {
    json!({ "do": "ask", "seconds": 3600, "question": {
        "id": "", "session": format!("s{}", number % 50), "command": format!("rm -rf {number}"), "cwd": "/srv/app",
        "digest": format!("{number:064x}"), "always": false, "findings": [{
            "rule": "recursive-delete", "title": "recursive delete", "reason": "deletes everything below it", "span": null,
        }],
    }})
}

fn hear(line: &mut BufReader<UnixStream>) -> Value {
    let mut said = String::new();
    line.read_line(&mut said).unwrap();
    serde_json::from_str(&said).unwrap()
}

/// The same clock for all processes.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}

/// Prints the median and the 99th of a hundred, and hands out the latter.
fn report(title: &str, times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    println!("{title}: median {:.2?}, p99 {:.2?}", at(50), at(99));
    at(99)
}
