//! Tickets: each serves one run, however many want it.

#![expect(clippy::disallowed_methods, reason = "a test looks at what was kept")]

use std::thread;

use herm_store::sqlite::tickets::{Redeemed, Ticket};
use herm_store::{Store, Timestamp};
use serde_json::json;

fn ticket(issued: u64) -> Ticket {
    Ticket {
        session: "s".to_owned(),
        issued: Timestamp::from_millis(issued),
        expires: Timestamp::from_millis(issued + 60_000),
        terms: json!({"text": "make"}),
    }
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

#[test]
fn a_ticket_is_given_once_and_in_its_time() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let tickets = store.tickets().unwrap();
    let secret = tickets.issue(&ticket(1_000)).unwrap();
    assert!(secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()), "{secret}");
    assert_ne!(tickets.issue(&ticket(1_000)).unwrap(), secret);
    assert_eq!(tickets.find(&secret).unwrap(), Some(ticket(1_000)));
    assert_eq!(tickets.standing(&secret, at(2_000)).unwrap(), Some(ticket(1_000)));
    assert_eq!(tickets.standing(&secret, at(61_000)).unwrap(), None);
    assert_eq!(tickets.redeem(&secret, at(2_000)).unwrap(), Redeemed::Given(ticket(1_000)));
    assert_eq!(tickets.standing(&secret, at(2_000)).unwrap(), None);
    assert_eq!(tickets.find(&secret).unwrap(), Some(ticket(1_000)));
    assert_eq!(tickets.redeem(&secret, at(3_000)).unwrap(), Redeemed::Used(ticket(1_000)));
    let late = tickets.issue(&ticket(1_000)).unwrap();
    assert_eq!(tickets.redeem(&late, at(61_000)).unwrap(), Redeemed::Expired(ticket(1_000)));
    assert_eq!(tickets.redeem("nobody's", at(2_000)).unwrap(), Redeemed::Unknown);
}

#[test]
fn the_secret_is_not_kept() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let secret = store.tickets().unwrap().issue(&ticket(1_000)).unwrap();
    store.database().unwrap().flush().unwrap();
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(32).any(|part| part == secret.as_bytes()), "{}", path.display());
        }
    }
}

#[test]
fn of_many_stores_that_redeem_it_at_once_one_is_given_it() {
    let home = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        let secret = Store::open(home.path()).unwrap().tickets().unwrap().issue(&ticket(1_000)).unwrap();
        let redeem =
            || Store::open(home.path()).unwrap().tickets().unwrap().redeem(&secret, at(2_000)).unwrap();
        let given = thread::scope(|scope| {
            let racers: Vec<_> = (0..8).map(|_| scope.spawn(redeem)).collect();
            let results = racers.into_iter().map(|racer| racer.join().unwrap());
            results.filter(|result| matches!(result, Redeemed::Given(_))).count()
        });
        assert_eq!(given, 1);
    }
}

#[test]
fn one_that_nobody_came_for_is_missed_and_one_that_was_used_is_not() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let tickets = store.tickets().unwrap();
    let used = tickets.issue(&ticket(1_000)).unwrap();
    assert!(matches!(tickets.redeem(&used, at(2_000)).unwrap(), Redeemed::Given(_)));
    let over = tickets.issue(&ticket(1_000)).unwrap();
    assert!(!tickets.is_missed(&used, at(3_000)).unwrap());
    assert!(!tickets.is_missed(&over, at(99_000)).unwrap(), "it could not have been used any more");
    assert!(!tickets.has_missed("s").unwrap());
    let missed = tickets.issue(&ticket(1_000)).unwrap();
    assert!(tickets.is_missed(&missed, at(3_000)).unwrap());
    assert!(!tickets.is_missed(&missed, at(3_000)).unwrap(), "that is said once");
    assert!(tickets.has_missed("s").unwrap() && !tickets.has_missed("other").unwrap());
}

#[test]
fn those_that_nobody_can_ask_about_any_more_are_forgotten() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let tickets = store.tickets().unwrap();
    let old = tickets.issue(&ticket(1_000)).unwrap();
    tickets.issue(&ticket(2_000_000)).unwrap();
    assert!(tickets.find(&old).unwrap().is_some());
    tickets.issue(&ticket(4_000_000)).unwrap();
    assert_eq!(tickets.find(&old).unwrap(), None);
}
