//! Many processes, killed processes and full disks.

#![expect(clippy::disallowed_methods, reason = "the tests start processes and kill them")]
#![expect(clippy::unwrap_used, reason = "a step that fails has failed the test")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use herm_store::{Error, Kind, Ledger};
use serde_json::json;

#[test]
fn fifty_processes_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("ledger");
    // None of them finds a ledger, so they race to make it.
    let mut children: Vec<_> = (0..50).map(|_| support::child("appends_five", &directory, &[])).collect();
    let mut said: Vec<u64> =
        children.iter_mut().flat_map(support::said).map(|seq| seq.parse().unwrap()).collect();
    said.sort_unstable();
    assert_eq!(said, (1..=250).collect::<Vec<u64>>());
    let report = Ledger::open(&directory).unwrap().verify().unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!((report.records, report.adopted, report.torn), (250, 0, 0));
    let left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["ledger"]);
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn appends_five() {
    let Some(directory) = support::directory() else { return };
    let ledger = Ledger::open(directory).unwrap();
    for _ in 0..5 {
        println!("<<{}>>", ledger.append(Kind::Note, "r", json!({})).unwrap().seq);
    }
}

/// Killed at any moment, a process leaves a sound ledger with everything that it said it had written.
#[test]
fn a_hundred_kills_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("ledger");
    let (mut said, mut torn, mut adopted) = (Vec::new(), 0, 0);
    for round in 0..2_000 {
        // A hundred, and as many more as a slow machine needs until some have written.
        if round >= 100 && said.len() > 50 {
            break;
        }
        let mut child = support::child("appends_until_killed", &directory, &[]);
        thread::sleep(Duration::from_micros(random() % (40_000 + round * 100)));
        child.kill().unwrap();
        said.extend(support::said(&mut child));
        if round % 10 == 0 && directory.exists() {
            let report = Ledger::open(&directory).unwrap().verify().unwrap();
            assert!(report.is_sound(), "{report:?}");
            torn += u64::from(report.torn > 0);
            adopted += report.adopted;
        }
    }
    let ledger = Ledger::open(&directory).unwrap();
    let last = ledger.append(Kind::Note, "last", json!({})).unwrap().seq;
    let report = ledger.verify().unwrap();
    assert!(report.is_sound(), "{report:?}");
    let written: Vec<String> = ledger.read().unwrap().map(|entry| entry.unwrap().id).collect();
    assert_eq!(u64::try_from(written.len()), Ok(last));
    for id in &said {
        assert!(written.contains(id), "{id} was said to be written");
    }
    assert!(said.len() > 50, "only {} records were written before the kills", said.len());
    let aside = fs::read(directory.join("ledger.torn")).map_or(0, |bytes| bytes.len());
    println!(
        "{} said, {last} written; of 10 looks: {torn} torn, {adopted} adopted; {aside} bytes set aside",
        said.len()
    );
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn appends_until_killed() {
    let Some(directory) = support::directory() else { return };
    let ledger = Ledger::open(directory).unwrap();
    loop {
        let id = format!("{:x}", random());
        // A long record takes more than one page, so that a kill can fall into the middle of it.
        let text = "x".repeat(if random().is_multiple_of(4) { 1 << 19 } else { 100 });
        ledger.append(Kind::Note, &id, json!({ "text": text })).unwrap();
        println!("<<{id}>>");
    }
}

fn random() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).unwrap();
    u64::from_le_bytes(bytes)
}

/// A limit on the size of files refuses in the middle of a record, as a full disk does.
#[test]
fn a_full_disk_is_said_and_leaves_the_chain_whole() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("ledger");
    let limit = ["sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""];
    let said = support::said(&mut support::child("appends_until_refused", &directory, &limit));
    let [error, hint, count] = said.as_slice() else { unreachable!("{said:?}") };
    assert!(error.starts_with("cannot write `"), "{error}");
    assert!(hint.starts_with("make room where `"), "{hint}");
    let ledger = Ledger::open(&directory).unwrap();
    let report = ledger.verify().unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.records.to_string(), *count);
    assert_eq!((report.torn, report.adopted), (0, 0));
    let next = ledger.append(Kind::Note, "r", json!({})).unwrap();
    assert_eq!(next.seq, report.records + 1);
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn appends_until_refused() {
    let Some(directory) = support::directory() else { return };
    let ledger = Ledger::open(directory).unwrap();
    let text = "x".repeat(100);
    let mut count = 0;
    let error = loop {
        match ledger.append(Kind::Note, "r", json!({ "text": text })) {
            Ok(_) => count += 1,
            Err(error) => break error,
        }
    };
    println!("<<{error}>>\n<<{}>>\n<<{count}>>", error.hint().unwrap_or_default());
}

#[test]
fn a_home_that_cannot_be_written_is_said_and_can_be_read() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("ledger");
    Ledger::open(&directory).unwrap().append(Kind::Note, "r", json!({})).unwrap();
    for (file, mode) in [("ledger.jsonl", 0o400), ("head", 0o400), ("", 0o500)] {
        fs::set_permissions(directory.join(file), fs::Permissions::from_mode(mode)).unwrap();
    }
    // Root may write anywhere, unless it gives up that power.
    let powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];
    let wrapper = if may_write(&directory) { powerless.as_slice() } else { &[] };
    let said = support::said(&mut support::child("is_refused", &directory, wrapper));
    let [error, hint, report] = said.as_slice() else { unreachable!("{said:?}") };
    assert!(error.starts_with("cannot write `") && error.contains("ermission denied"), "{error}");
    assert!(hint.contains("HERM_HOME"), "{hint}");
    assert_eq!(report, "1 sound");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
}

fn may_write(directory: &Path) -> bool {
    let probe = directory.join("probe");
    fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).is_ok()
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn is_refused() {
    let Some(directory) = support::directory() else { return };
    let ledger = Ledger::open(&directory).unwrap();
    let error = ledger.append(Kind::Note, "r", json!({})).unwrap_err();
    println!("<<{error}>>\n<<{}>>", error.hint().unwrap_or_default());
    let report = ledger.verify().unwrap();
    println!("<<{} {}>>", report.records, if report.is_sound() { "sound" } else { "damaged" });
}

#[test]
fn a_home_that_cannot_be_made_is_said() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Ledger::open(file.join("ledger")).unwrap_err();
    assert!(matches!(error, Error::File { .. }), "{error}");
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
}

/// Anything but a file in the place of the ledger would block or swallow what is written.
#[test]
fn a_pipe_in_the_place_of_the_ledger_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(home.path().join("ledger")).unwrap();
    let path = ledger.directory().join("ledger.jsonl");
    fs::remove_file(&path).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let start = SystemTime::now();
    let error = ledger.append(Kind::Note, "r", json!({})).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
    assert!(start.elapsed().unwrap() < Duration::from_secs(5));
}

/// A process that was stopped in the middle must not make all others hang.
#[test]
fn who_holds_the_ledger_for_too_long_is_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(home.path().join("ledger")).unwrap();
    let file = fs::File::open(ledger.directory().join("ledger.jsonl")).unwrap();
    file.lock().unwrap();
    let hasty = ledger.clone().with_patience(Duration::from_millis(50));
    let error = hasty.append(Kind::Note, "r", json!({})).unwrap_err();
    assert!(matches!(error, Error::Busy { .. }), "{error}");
    assert!(matches!(hasty.verify(), Err(Error::Busy { .. })));
    file.unlock().unwrap();
    ledger.append(Kind::Note, "r", json!({})).unwrap();
}
