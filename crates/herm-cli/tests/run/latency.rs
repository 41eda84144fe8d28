//! How long it takes from an answer to the release of whoever waits, among many who wait.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use herm::approval::Answer;
use herm_runtime::broker::{Client, Effect, socket};

use crate::place::Place;

const WAITING: usize = 1000;

/// What a machine with nothing else to do must keep; a busy one is given ten times as much.
const PROMISED: Duration = Duration::from_millis(20);

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64()
}

#[test]
fn of_a_thousand_that_wait_each_is_released_at_once() {
    let place = Place::new();
    let mut broker = place.herm(&["broker"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(broker.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on "), "{line}");
    // In a session of its own: this process is not what asks, and so can answer.
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/waiting.py");
    let mut asking = place
        .command("setsid")
        .args(["--wait", "python3", script])
        .arg(socket(&place.guard()))
        .arg(WAITING.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut released = BufReader::new(asking.stdout.take().unwrap()).lines();
    assert_eq!(released.next().unwrap().unwrap(), "all wait");
    let mut client = Client::connect(&socket(&place.guard())).unwrap();
    let questions = client.list().unwrap();
    assert_eq!(questions.len(), WAITING);
    let mut times = Vec::new();
    for question in questions {
        let said = now();
        assert_eq!(client.answer(&question.id, Answer::Once).unwrap(), Effect::Won);
        let heard = released.next().unwrap().unwrap();
        let (id, heard) = heard.split_once(' ').unwrap();
        assert_eq!(id, question.id);
        times.push(Duration::from_secs_f64((heard.parse::<f64>().unwrap() - said).max(0.0)));
    }
    assert!(asking.wait().unwrap().success());
    broker.kill().unwrap();
    broker.wait().unwrap();
    times.sort_unstable();
    let (median, p99) = (times[WAITING / 2], times[WAITING * 99 / 100]);
    println!("answer to release, {WAITING} waiting: median {median:?}, p99 {p99:?} (promised {PROMISED:?})");
    assert!(p99 <= PROMISED * 10, "{p99:?}");
}
