//! What is written down.

use std::thread;

use crate::place::Place;

#[test]
fn every_call_leaves_a_record_of_intent_and_outcome() {
    let place = Place::new();
    let told = place.run(&["run", "--json", "--session", "s", "echo out; exit 4"]).json();
    let ledger = place.ledger();
    assert_eq!(ledger.len(), 2);
    assert!(ledger.iter().all(|record| record["id"] == told["receipt"]), "{ledger:?}");
    let (intent, outcome) = (&ledger[0], &ledger[1]);
    assert_eq!((intent["kind"].as_str(), outcome["kind"].as_str()), (Some("intent"), Some("outcome")));
    assert_eq!(intent["body"]["action"]["exec"], "echo out; exit 4");
    assert_eq!(
        (intent["body"]["backend"].as_str(), intent["body"]["session"].as_str()),
        (Some("local"), Some("s"))
    );
    assert_eq!(outcome["body"]["exit_code"], 4);
    assert_eq!(outcome["body"]["stdout"], "out\n");
    assert_eq!(outcome["body"]["applied"], intent["body"]["requested"]);
}

#[test]
fn a_refusal_is_recorded_too() {
    let place = Place::new();
    place.run(&["run", "rm -rf /"]);
    let ledger = place.ledger();
    assert_eq!(ledger.len(), 1);
    assert_eq!(ledger[0]["body"]["decision"], "deny");
    assert_eq!(ledger[0]["body"]["findings"][0]["rule"], "delete-root");
}

#[test]
fn many_runs_at_once_lose_nothing() {
    let place = Place::new();
    thread::scope(|scope| {
        for number in 0..50 {
            let place = &place;
            scope.spawn(move || {
                assert_eq!(place.run(&["run", &format!("echo {number}")]).stdout, format!("{number}\n"));
            });
        }
    });
    assert_eq!(place.ledger().len(), 100);
    let verified = place.run(&["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[test]
fn tampering_is_named() {
    let tamper = |change: &dyn Fn(&str) -> String, expected: &str| {
        let place = Place::new();
        for number in 0..4 {
            place.run(&["run", &format!("echo {number}")]);
        }
        let file = place.guard().join("ledger/ledger.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, change(&text)).unwrap();
        let ran = place.run(&["audit", "verify"]);
        assert!(ran.code == Some(1) && ran.stdout.contains(expected), "{expected}: {ran:?}");
        let told = place.run(&["audit", "verify", "--json"]).json();
        assert_eq!(told["sound"], false);
        place
    };
    let without = |from: usize, to: usize| {
        move |text: &str| {
            let kept = text.lines().enumerate().filter(|(at, _)| *at < from || *at >= to);
            kept.map(|(_, line)| line.to_owned() + "\n").collect::<String>()
        }
    };
    tamper(&|text| text.replacen("echo 1", "echo 9", 1), "record 3 was changed");
    tamper(&without(2, 3), "record 3 was removed");
    let place = tamper(&without(6, 8), "2 records (7 to 8) were cut off the end");
    // What ends otherwise than it should is not added to.
    assert_eq!(place.run(&["run", "touch made"]).code, Some(125));
    assert!(!place.work("made").exists());
}

#[test]
fn receipts_are_listed_shown_followed_and_exported() {
    let place = Place::new();
    let receipt = place.run(&["run", "--json", "--session", "s", "echo hello"]).json()["receipt"]
        .as_str()
        .unwrap()
        .to_owned();
    place.run(&["run", "rm -rf /"]);
    assert!(place.run(&["audit", "show"]).stdout.lines().count() == 2);
    let refused = place.run(&["audit", "show", "--decision", "deny", "--json"]).json();
    assert_eq!(refused["receipts"][0]["rules"][0], "delete-root");
    let one = place.run(&["audit", "show", "--json", &receipt]).json();
    assert_eq!(one["records"].as_array().unwrap().len(), 2);
    assert_eq!(place.run(&["audit", "show", "nothing"]).code, Some(1));
    assert!(place.run(&["audit", "tail"]).stdout.contains("echo hello"));
    let lines = place.run(&["audit", "export"]).stdout;
    assert_eq!(lines, std::fs::read_to_string(place.guard().join("ledger/ledger.jsonl")).unwrap());
    let logs: serde_json::Value =
        serde_json::from_str(&place.run(&["audit", "export", "--format", "otlp"]).stdout).unwrap();
    assert_eq!(logs["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().unwrap().len(), 3);
}
