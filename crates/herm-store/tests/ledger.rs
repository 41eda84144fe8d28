//! What a ledger tells of what was done to it.

#![expect(clippy::disallowed_methods, reason = "the tests do to the files what must be found out")]
#![expect(clippy::unwrap_used, reason = "a step that fails has failed the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, UNIX_EPOCH};

use herm_store::ledger::{Flaw, Format, Record, Report};
use herm_store::{Digest, Error, Kind, Ledger, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A ledger in a directory of its own, and its files.
struct Bench {
    home: TempDir,
    ledger: Ledger,
}

impl Bench {
    fn new(records: u64) -> Self {
        let home = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(home.path().join("ledger")).unwrap();
        let bench = Self { home, ledger };
        bench.fill(records);
        bench
    }

    fn fill(&self, records: u64) {
        for number in 0..records {
            let body = json!({"text": "echo hello", "number": number});
            self.ledger.append(Kind::Note, "r", body).unwrap();
        }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.home.path().join("ledger").join(file)
    }

    fn lines(&self) -> Vec<String> {
        fs::read_to_string(self.path("ledger.jsonl")).unwrap().lines().map(str::to_owned).collect()
    }

    fn put(&self, lines: &[String]) {
        let text = lines.join("\n") + if lines.is_empty() { "" } else { "\n" };
        fs::write(self.path("ledger.jsonl"), text).unwrap();
    }

    fn verify(&self) -> Report {
        self.ledger.verify().unwrap()
    }

    fn flaws(&self) -> Vec<Flaw> {
        self.verify().flaws
    }

    /// Nothing is added to what is damaged.
    fn refuses(&self) -> Flaw {
        let before = fs::read(self.path("ledger.jsonl")).ok();
        let error = self.ledger.append(Kind::Note, "r", json!({})).unwrap_err();
        assert_eq!(fs::read(self.path("ledger.jsonl")).ok(), before);
        assert!(error.hint().unwrap().contains("herm audit verify"));
        let Error::Tampered { flaw, .. } = error else { unreachable!("{error}") };
        flaw
    }
}

fn altered(seq: u64) -> Flaw {
    Flaw::Altered { first: seq, last: seq }
}

#[test]
fn latest_records_are_found_by_a_text_however_the_place_cuts_a_line() {
    let bench = Bench::new(0);
    for (number, text) in ["wanted", "other", "wanted", "wanted"].into_iter().enumerate() {
        bench.ledger.append(Kind::Note, &format!("r{number}"), json!({ text: number })).unwrap();
    }
    let file = bench.ledger.directory().join("ledger.jsonl");
    let length = std::fs::metadata(&file).unwrap().len();
    let last = std::fs::read_to_string(&file).unwrap().lines().last().map_or(0, str::len);
    let found = |bytes| {
        let entries = bench.ledger.latest(bytes, &["\"wanted\":"]).unwrap();
        entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>()
    };
    assert_eq!(found(u64::MAX), ["r0", "r2", "r3"]);
    assert_eq!(
        (found(length - 1), found(u64::try_from(last).unwrap() + 5)),
        (vec!["r2".to_owned(), "r3".to_owned()], vec!["r3".to_owned()])
    );
    assert_eq!(found(u64::try_from(last).unwrap()), Vec::<String>::new());
}

#[test]
fn records_chain_from_the_first() {
    let bench = Bench::new(3);
    let entries: Vec<_> = bench.ledger.read().unwrap().map(Result::unwrap).collect();
    assert_eq!(entries.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [1, 2, 3]);
    let lines = bench.lines();
    let hashes: Vec<_> = lines.iter().map(|line| Digest::of(line.as_bytes())).collect();
    assert_eq!(entries[0].previous, Digest::ZERO);
    assert_eq!(entries[1].previous, hashes[0]);
    assert_eq!(entries[2].previous, hashes[1]);
    assert_eq!(entries[2].hash, hashes[2]);
    assert_eq!(bench.verify(), Report { records: 3, ..Report::default() });
}

#[test]
fn a_line_holds_what_was_given() {
    let bench = Bench::new(0);
    let ledger = bench.ledger.clone().with_clock(|| UNIX_EPOCH + Duration::from_millis(1_700_000_000_123));
    let entry = ledger.append(Kind::Intent, "r1", json!({"b": 1, "a": [true]})).unwrap();
    assert_eq!(entry.at, Timestamp::from_millis(1_700_000_000_123));
    let zeros = "0".repeat(64);
    assert_eq!(
        bench.lines(),
        [format!(
            r#"{{"seq":1,"previous":"{zeros}","at":"2023-11-14T22:13:20.123Z","kind":"intent","id":"r1","body":{{"a":[true],"b":1}}}}"#
        )]
    );
}

#[test]
fn everything_is_private() {
    let bench = Bench::new(1);
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(bench.path("")), 0o700);
    for file in ["ledger.jsonl", "head", "key"] {
        assert_eq!(mode(bench.path(file)), 0o600, "{file}");
    }
    fs::set_permissions(bench.path("key"), fs::Permissions::from_mode(0o644)).unwrap();
    let error = bench.ledger.append(Kind::Note, "r", json!({})).unwrap_err();
    assert!(matches!(error, Error::Exposed { mode: 0o644, .. }), "{error}");
}

#[test]
fn several_records_are_all_there_or_none() {
    let bench = Bench::new(1);
    let record = |id: &str, body| Record { kind: Kind::Note, id: id.to_owned(), body };
    let entries = bench.ledger.append_all(&[record("a", json!(1)), record("b", json!(2))]).unwrap();
    assert_eq!(entries.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [2, 3]);
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    assert!(bench.ledger.append_all(&[record("c", json!(3)), record("d", deep)]).is_err());
    assert_eq!(bench.verify(), Report { records: 3, ..Report::default() });
}

/// Every byte of a record in the middle, and of the first and the last: the record is named, and no other accused.
#[test]
fn a_changed_byte_names_its_record() {
    let bench = Bench::new(5);
    let whole = fs::read(bench.path("ledger.jsonl")).unwrap();
    let length = whole.len() / 5;
    for seq in [1, 3, 5] {
        for offset in 0..length - 1 {
            let at = (seq - 1) * length + offset;
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(bench.path("ledger.jsonl"), &bytes).unwrap();
            let seq = u64::try_from(seq).unwrap();
            let flaws = bench.flaws();
            assert!(flaws.contains(&altered(seq)), "byte {offset} of record {seq}: {flaws:?}");
            let others = flaws.iter().filter(|flaw| **flaw != altered(seq));
            let unvouched = Flaw::Unvouched { first: seq - 1, last: seq - 1 };
            assert!(
                others.clone().all(|flaw| *flaw == unvouched),
                "byte {offset} of record {seq}: {flaws:?}"
            );
        }
    }
}

#[test]
fn a_changed_line_break_is_found() {
    let bench = Bench::new(5);
    let whole = fs::read(bench.path("ledger.jsonl")).unwrap();
    let length = whole.len() / 5;
    let mut joined = whole.clone();
    joined[2 * length - 1] = b' ';
    fs::write(bench.path("ledger.jsonl"), &joined).unwrap();
    assert_eq!(bench.flaws(), [Flaw::Altered { first: 2, last: 3 }]);
    let mut split = whole.clone();
    split[2 * length + 9] = b'\n';
    fs::write(bench.path("ledger.jsonl"), &split).unwrap();
    assert_eq!(bench.flaws(), [altered(3)]);
    let mut last = whole;
    *last.last_mut().unwrap() = b' ';
    fs::write(bench.path("ledger.jsonl"), &last).unwrap();
    assert_eq!(bench.flaws(), [altered(5)]);
    assert_eq!(bench.refuses(), altered(5));
}

#[test]
fn removed_records_are_counted() {
    let bench = Bench::new(9);
    let lines = bench.lines();
    for (gone, flaws) in [
        (vec![1], vec![Flaw::Removed { first: 1, last: 1 }]),
        (vec![4, 5], vec![Flaw::Removed { first: 4, last: 5 }]),
        (vec![2, 7], vec![Flaw::Removed { first: 2, last: 2 }, Flaw::Removed { first: 7, last: 7 }]),
        (vec![9], vec![Flaw::Truncated { first: 9, last: 9 }]),
        (vec![7, 8, 9], vec![Flaw::Truncated { first: 7, last: 9 }]),
        ((1..=9).collect(), vec![Flaw::Truncated { first: 1, last: 9 }]),
    ] {
        let left = lines.iter().zip(1..).filter(|(_, seq)| !gone.contains(seq));
        bench.put(&left.map(|(line, _)| line.clone()).collect::<Vec<_>>());
        assert_eq!(bench.flaws(), flaws, "{gone:?}");
        assert_eq!(bench.refuses(), flaws[0]);
    }
}

#[test]
fn a_record_cut_in_half_is_cut_off() {
    let bench = Bench::new(4);
    let whole = fs::read(bench.path("ledger.jsonl")).unwrap();
    fs::write(bench.path("ledger.jsonl"), &whole[..whole.len() - 20]).unwrap();
    assert_eq!(bench.flaws(), [Flaw::Truncated { first: 4, last: 4 }]);
    assert_eq!(bench.refuses(), Flaw::Truncated { first: 4, last: 4 });
}

#[test]
fn moved_and_repeated_records_are_named() {
    let bench = Bench::new(6);
    let lines = bench.lines();
    let mut swapped = lines.clone();
    swapped.swap(1, 2);
    bench.put(&swapped);
    assert_eq!(bench.flaws(), [Flaw::Reordered { seq: 2, line: 3 }]);
    let mut moved = lines.clone();
    let record = moved.remove(1);
    moved.push(record);
    bench.put(&moved);
    assert_eq!(bench.flaws(), [Flaw::Reordered { seq: 2, line: 6 }]);
    let mut repeated = lines.clone();
    repeated.insert(4, lines[1].clone());
    bench.put(&repeated);
    assert_eq!(bench.flaws(), [Flaw::Repeated { seq: 2, line: 5 }]);
    let mut foreign = lines;
    foreign.insert(3, "hello".to_owned());
    bench.put(&foreign);
    assert_eq!(bench.flaws(), [Flaw::Foreign { line: 4 }]);
}

#[test]
fn two_changed_neighbours_are_both_suspect() {
    let bench = Bench::new(6);
    let change = |line: &String| line.replace("hello", "jello");
    let mut lines = bench.lines();
    lines[2] = change(&lines[2]);
    lines[3] = change(&lines[3]);
    bench.put(&lines);
    assert_eq!(bench.flaws(), [Flaw::Unvouched { first: 3, last: 3 }, altered(4)]);
}

/// Whoever writes the whole chain anew lacks the key for the head.
#[test]
fn a_chain_written_anew_is_found_at_the_head() {
    let (bench, forged) = (Bench::new(4), Bench::new(4));
    fs::copy(forged.path("ledger.jsonl"), bench.path("ledger.jsonl")).unwrap();
    assert_eq!(bench.flaws(), [altered(4)]);
    fs::copy(forged.path("head"), bench.path("head")).unwrap();
    assert_eq!(bench.flaws(), [Flaw::HeadForged]);
    assert_eq!(bench.refuses(), Flaw::HeadForged);
}

#[test]
fn a_missing_part_is_named_and_never_made_anew() {
    for (part, flaw) in
        [("key", Flaw::KeyMissing), ("head", Flaw::HeadMissing), ("ledger.jsonl", Flaw::LedgerMissing)]
    {
        let bench = Bench::new(2);
        fs::remove_file(bench.path(part)).unwrap();
        let again = Ledger::open(bench.path("")).unwrap();
        assert_eq!(again.verify().unwrap().flaws.first(), Some(&flaw));
        assert_eq!(bench.refuses(), flaw);
        assert!(!bench.path(part).exists());
    }
}

#[test]
fn a_damaged_head_or_key_is_named() {
    let bench = Bench::new(2);
    let head = fs::read_to_string(bench.path("head")).unwrap();
    fs::write(bench.path("head"), head.replace("\"seq\":2", "\"seq\":1")).unwrap();
    assert_eq!(bench.flaws(), [Flaw::HeadForged]);
    fs::write(bench.path("head"), "").unwrap();
    assert_eq!(bench.flaws(), [Flaw::HeadUnreadable]);
    fs::write(bench.path("head"), head).unwrap();
    fs::write(bench.path("key"), "short").unwrap();
    assert_eq!(bench.flaws(), [Flaw::KeyUnreadable]);
}

/// As after a crash between writing the record and moving the head.
#[test]
fn a_record_behind_the_head_is_adopted() {
    let bench = Bench::new(3);
    let head = fs::read(bench.path("head")).unwrap();
    bench.fill(2);
    fs::write(bench.path("head"), head).unwrap();
    assert_eq!(bench.verify(), Report { records: 5, adopted: 2, ..Report::default() });
    bench.fill(1);
    assert_eq!(bench.verify(), Report { records: 6, ..Report::default() });
}

/// As after a crash while writing the record.
#[test]
fn what_is_added_without_waiting_is_there_and_caught_up_with() {
    let bench = Bench::new(2);
    let head = || fs::read(bench.path("head")).unwrap();
    let before = head();
    for number in 0..3 {
        bench.ledger.append_soon(Kind::Note, "soon", json!({ "number": number })).unwrap();
    }
    assert_eq!((head(), bench.lines().len()), (before.clone(), 5));
    assert!(bench.verify().is_sound());
    bench.ledger.catch_up().unwrap();
    assert_ne!(head(), before);
    bench.put(&bench.lines()[..4]);
    assert_eq!(bench.flaws(), [Flaw::Truncated { first: 5, last: 5 }]);
}

#[test]
fn what_was_not_caught_up_with_is_by_the_next_record() {
    let bench = Bench::new(1);
    bench.ledger.append_soon(Kind::Note, "soon", json!({})).unwrap();
    bench.fill(1);
    assert!(bench.verify().is_sound());
    bench.put(&bench.lines()[..1]);
    assert_eq!(bench.flaws(), [Flaw::Truncated { first: 2, last: 3 }]);
    assert!(bench.ledger.append_soon(Kind::Note, "soon", json!({})).is_err());
    assert!(Bench::new(0).ledger.catch_up().is_ok());
}

#[test]
fn a_torn_record_is_set_aside() {
    let bench = Bench::new(3);
    let mut bytes = fs::read(bench.path("ledger.jsonl")).unwrap();
    bytes.extend_from_slice(b"{\"seq\":4,\"prev");
    fs::write(bench.path("ledger.jsonl"), bytes).unwrap();
    assert_eq!(bench.verify(), Report { records: 3, torn: 14, ..Report::default() });
    assert_eq!(bench.ledger.read().unwrap().count(), 3);
    bench.fill(1);
    assert_eq!(bench.verify(), Report { records: 4, ..Report::default() });
    assert_eq!(fs::read_to_string(bench.path("ledger.torn")).unwrap(), "{\"seq\":4,\"prev\n");
}

#[test]
fn what_does_not_chain_behind_the_head_is_not_adopted() {
    let bench = Bench::new(3);
    let mut lines = bench.lines();
    let forged = lines[2].replace("\"seq\":3", "\"seq\":4");
    lines.push(forged);
    bench.put(&lines);
    assert_eq!(bench.flaws(), [altered(4)]);
    assert_eq!(bench.refuses(), altered(4));
    lines[3] = "hello".to_owned();
    bench.put(&lines);
    assert_eq!(bench.flaws(), [Flaw::Foreign { line: 4 }]);
    assert_eq!(bench.refuses(), Flaw::Foreign { line: 4 });
    lines[3] = lines[2].replace("\"seq\":3", &format!("\"seq\":{}", i64::MAX));
    bench.put(&lines);
    assert!(!bench.verify().is_sound());
}

#[test]
fn what_was_begun_and_not_ended_is_listed() {
    let bench = Bench::new(0);
    for (kind, id) in [
        (Kind::Intent, "a"),
        (Kind::Intent, "b"),
        (Kind::Answer, "b"),
        (Kind::Outcome, "a"),
        (Kind::Intent, "c"),
        (Kind::Note, "c"),
    ] {
        bench.ledger.append(kind, id, json!({})).unwrap();
    }
    let report = bench.verify();
    assert!(report.is_sound());
    let unfinished: Vec<_> = report.unfinished.iter().map(|begun| (begun.seq, begun.id.as_str())).collect();
    assert_eq!(unfinished, [(2, "b"), (5, "c")]);
}

#[test]
fn reading_goes_on_where_it_stopped() {
    let bench = Bench::new(3);
    let mut entries = bench.ledger.read().unwrap();
    assert_eq!(entries.by_ref().count(), 3);
    let offset = entries.offset();
    bench.fill(2);
    let later: Vec<_> = bench.ledger.read_from(offset).unwrap().map(|entry| entry.unwrap().seq).collect();
    assert_eq!(later, [4, 5]);
}

/// The end is found from the head, so a long ledger is not slower to add to.
#[test]
fn adding_to_a_long_ledger_is_as_cheap_as_to_a_short_one() {
    let bench = Bench::new(0);
    // The fastest of many: whatever else the machine does only ever makes one slower.
    let fastest = |bench: &Bench| {
        let times = (0..31).map(|_| {
            let start = Instant::now();
            bench.fill(1);
            start.elapsed()
        });
        times.min().unwrap()
    };
    let short = fastest(&bench);
    let record = Record { kind: Kind::Note, id: "r".to_owned(), body: json!("x".repeat(1000)) };
    bench.ledger.append_all(&vec![record; 8_000]).unwrap();
    let long = fastest(&bench);
    println!("one record: {short:?} when short, {long:?} after 9 MB");
    assert!(long < short * 4 + Duration::from_millis(5), "{short:?} {long:?}");
}

#[test]
fn exported_lines_are_those_of_the_ledger() {
    let bench = Bench::new(3);
    let mut exported = Vec::new();
    assert_eq!(bench.ledger.export(Format::JsonLines, &mut exported).unwrap(), 3);
    assert_eq!(exported, fs::read(bench.path("ledger.jsonl")).unwrap());
}

/// Names in camel case, a type around each value, and numbers of 64 bits as strings.
#[test]
fn exported_logs_are_those_of_the_protocol() {
    let bench = Bench::new(0);
    let ledger = bench.ledger.clone().with_clock(|| UNIX_EPOCH + Duration::from_millis(1_700_000_000_123));
    let body = json!({
        "decision": "deny", "session": "s", "list": [1, 1.5, true, null], "large": u64::MAX, "text": "a\"b",
    });
    let entry = ledger.append(Kind::Outcome, "r1", body).unwrap();
    ledger.append(Kind::Note, "r2", json!({})).unwrap();
    let mut exported = Vec::new();
    ledger.export(Format::OpenTelemetry, &mut exported).unwrap();
    let document: Value = serde_json::from_slice(&exported).unwrap();
    let logs = &document["resourceLogs"][0];
    assert_eq!(
        logs["resource"]["attributes"],
        json!([{"key": "service.name", "value": {"stringValue": "herm"}}])
    );
    assert_eq!(logs["scopeLogs"][0]["scope"]["name"], "herm.ledger");
    let records = logs["scopeLogs"][0]["logRecords"].as_array().unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!(records[1]["severityText"], "INFO");
    let text = |key: &str, text: &str| json!({"key": key, "value": {"stringValue": text}});
    let list = json!({"arrayValue": {"values": [
        {"intValue": "1"}, {"doubleValue": 1.5}, {"boolValue": true}, {},
    ]}});
    assert_eq!(
        records[0],
        json!({
            "timeUnixNano": "1700000000123000000",
            "observedTimeUnixNano": "1700000000123000000",
            "severityNumber": 13,
            "severityText": "WARN",
            "eventName": "herm.outcome",
            "body": {"kvlistValue": {"values": [
                text("decision", "deny"),
                {"key": "large", "value": {"doubleValue": 18_446_744_073_709_551_615_f64}},
                {"key": "list", "value": list},
                text("session", "s"),
                text("text", "a\"b"),
            ]}},
            "attributes": [
                {"key": "herm.seq", "value": {"intValue": "1"}},
                text("herm.kind", "outcome"),
                text("herm.receipt", "r1"),
                text("herm.previous", &"0".repeat(64)),
                text("herm.hash", &entry.hash.to_string()),
                text("session.id", "s"),
                text("herm.decision", "deny"),
            ],
        })
    );
}

#[test]
fn an_exported_ledger_does_not_hide_what_cannot_be_read() {
    let bench = Bench::new(3);
    let mut lines = bench.lines();
    lines[1] = "hello".to_owned();
    bench.put(&lines);
    let mut exported = Vec::new();
    bench.ledger.export(Format::OpenTelemetry, &mut exported).unwrap();
    let document: Value = serde_json::from_slice(&exported).unwrap();
    let records = &document["resourceLogs"][0]["scopeLogs"][0]["logRecords"];
    assert_eq!(records[1]["eventName"], "herm.unreadable");
    assert_eq!(records[2]["eventName"], "herm.note");
}

#[test]
fn an_empty_ledger_is_an_empty_document() {
    let bench = Bench::new(0);
    let mut exported = Vec::new();
    assert_eq!(bench.ledger.export(Format::OpenTelemetry, &mut exported).unwrap(), 0);
    let document: Value = serde_json::from_slice(&exported).unwrap();
    assert_eq!(document["resourceLogs"][0]["scopeLogs"][0]["logRecords"], json!([]));
}
