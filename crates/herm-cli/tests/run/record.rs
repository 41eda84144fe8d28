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
                assert_eq!(place.run(&["run", &format!("echo {number}")]).stdout, format!("{number}\n"))
            });
        }
    });
    assert_eq!(place.ledger().len(), 100);
    let verified = place.run(&["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}
