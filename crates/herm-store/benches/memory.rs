//! What remembering costs: `cargo bench -p herm-store --bench memory`.
//!
//! Most of it is the disk. Beside each record as many bytes are written and synced without a ledger: that shows how
//! fast the disk is at that moment.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run has failed")]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_store::ledger::Record;
use herm_store::sqlite::Database;
use herm_store::sqlite::questions::{Answered, Asker, Draft, Settlement};
use herm_store::{Digest, Kind, Store, Timestamp};
use serde_json::{Value, json};

const RECORDS: usize = 500;
const QUESTIONS: usize = 10_000;
const ANSWERS: usize = 1_000;

/// The promise: among all those questions, from an answer to the release of who waits.
const P99: Duration = Duration::from_millis(20);

fn main() {
    let home = tempfile::tempdir().unwrap();
    records(home.path());
    questions(home.path());
}

fn records(home: &Path) {
    let store = Store::open(home).unwrap();
    let ledger = store.ledger().unwrap();
    let mut plain = OpenOptions::new().create(true).append(true).open(home.join("plain")).unwrap();
    let bytes = vec![b'x'; 900];
    let (mut appends, mut pairs, mut writes) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..RECORDS {
        appends.push(time(|| {
            ledger.append(Kind::Intent, "r", body(number)).unwrap();
        }));
        writes.push(time(|| {
            plain.write_all(&bytes).unwrap();
            plain.sync_data().unwrap();
        }));
        let record = |kind| Record { kind, id: format!("r{number}"), body: body(number) };
        let pair = [record(Kind::Intent), record(Kind::Outcome)];
        pairs.push(time(|| {
            ledger.append_all(&pair).unwrap();
        }));
    }
    report("a plain write of as many bytes, synced", &mut writes);
    report("one record", &mut appends);
    report("an intent and its outcome at once", &mut pairs);
    let start = Instant::now();
    assert!(ledger.verify().unwrap().is_sound());
    println!("verifying {} records: {:?}", 3 * RECORDS, start.elapsed());
}

fn body(number: usize) -> Value {
    json!({"session": "s", "decision": "allow", "number": number, "text": "x".repeat(600)})
}

fn questions(home: &Path) {
    let path = home.join("herm.db");
    let mut opens: Vec<_> = (0..50).map(|_| time(|| drop(Database::open(&path).unwrap()))).collect();
    report("opening the database, which is empty", &mut opens);
    let ids = ask(&path);
    let mut opens: Vec<_> = (0..50).map(|_| time(|| drop(Database::open(&path).unwrap()))).collect();
    report("opening the database, with all questions in it", &mut opens);
    let database = Database::open(&path).unwrap();
    let questions = database.questions();
    let now = Timestamp::from_millis(2_000);
    let mut plain = OpenOptions::new().append(true).open(home.join("plain")).unwrap();
    let (mut answers, mut writes) = (Vec::new(), Vec::new());
    for id in ids.iter().step_by(QUESTIONS / ANSWERS) {
        writes.push(time(|| {
            plain.write_all(&[b'x'; 900]).unwrap();
            plain.sync_data().unwrap();
        }));
        answers.push(time(|| {
            assert_eq!(questions.answer(id, Answer::Once, "ann", now).unwrap(), Answered::Won);
            assert!(matches!(questions.settle(id, now).unwrap(), Settlement::Answered(_)));
        }));
    }
    report("a plain write, synced, beside that", &mut writes);
    let p99 = report("answering one of them, and handing the answer out", &mut answers);
    println!("{}", if p99 <= P99 { "kept: 20 ms" } else { "broken: 20 ms" });
    let mut lists: Vec<_> = (0..20).map(|_| time(|| drop(questions.pending(Some("s7")).unwrap()))).collect();
    report("listing those of one session", &mut lists);
}

fn ask(path: &Path) -> Vec<String> {
    let some = |share: usize| {
        let database = Database::open(path).unwrap();
        let numbers = (share..QUESTIONS).step_by(4);
        numbers.map(|number| database.questions().ask(&draft(number)).unwrap().id).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let asking: Vec<_> = (0..4).map(|share| scope.spawn(move || some(share))).collect();
        asking.into_iter().flat_map(|asking| asking.join().unwrap()).collect()
    })
}

fn draft(number: usize) -> Draft {
    Draft {
        session: format!("s{}", number % 50),
        asked: Timestamp::from_millis(1_000),
        expires: Timestamp::from_millis(61_000),
        asker: Asker { pid: 7, started: 1, uid: 1000 },
        binding: Digest::of(&number.to_le_bytes()),
        shown: json!({"text": "x".repeat(300), "number": number}),
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Prints the median and the 99th of a hundred, and hands out the latter.
fn report(title: &str, times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    println!("{title}: median {:?}, p99 {:?}", at(50), at(99));
    at(99)
}
