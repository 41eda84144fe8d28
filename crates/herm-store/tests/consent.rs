//! Questions that outlive who asked, and doors that answer at once.

#![expect(clippy::disallowed_methods, reason = "the tests start processes and kill them")]
#![expect(clippy::unwrap_used, reason = "a step that fails has failed the test")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_store::sqlite::grants::{Terms, Use};
use herm_store::sqlite::questions::{Answered, Asker, Draft, Settlement, Wanted};
use herm_store::{Digest, Store, Timestamp};
use serde_json::json;

fn draft() -> Draft {
    Draft {
        session: "s".to_owned(),
        asked: Timestamp::from_millis(1_000),
        expires: Timestamp::from_millis(61_000),
        asker: Asker { pid: std::process::id(), started: 1, uid: 1000 },
        binding: Digest::of(b"make"),
        shown: json!({"text": "make"}),
    }
}

fn now() -> Timestamp {
    Timestamp::from_millis(2_000)
}

/// Looks until the other process has done its part.
fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "the other process did nothing");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_question_outlives_who_asked_and_its_answer_serves_who_asks_again() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let mut asker = support::child("asks_and_waits", home.path(), &[]);
    let question = wait_for(|| store.questions().unwrap().pending(Some("s")).unwrap().pop());
    assert_eq!(question.draft.asker.pid, asker.id());
    asker.kill().unwrap();
    support::said(&mut asker);
    // As after a restart: nothing that was open is open any more.
    drop(store);
    let said = support::said(&mut support::child("answers_yes", home.path(), &[]));
    assert_eq!(said, ["won"]);
    let again = || support::said(&mut support::child("asks_again", home.path(), &[]));
    assert_eq!(again(), [format!("yes to {}", question.id)]);
    assert_eq!(again(), ["nothing"]);
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn asks_and_waits() {
    let Some(home) = support::directory() else { return };
    let store = Store::open(&home).unwrap();
    store.questions().unwrap().ask(&draft()).unwrap();
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn answers_yes() {
    let Some(home) = support::directory() else { return };
    let store = Store::open(&home).unwrap();
    let question = store.questions().unwrap().pending(None).unwrap().pop().unwrap();
    answer(&store, &question.id);
}

/// Prints what came of it.
#[expect(clippy::print_stdout, reason = "what it says is read by the test that started it")]
fn answer(store: &Store, id: &str) {
    let by = std::process::id().to_string();
    match store.questions().unwrap().answer(id, Answer::Once, &by, now()).unwrap() {
        Answered::Won => println!("<<won>>"),
        Answered::Lost(given) => println!("<<{}>>", given.by),
        Answered::Gone | Answered::Late => println!("<<neither>>"),
    }
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn asks_again() {
    let Some(home) = support::directory() else { return };
    let store = Store::open(&home).unwrap();
    match store.questions().unwrap().late_yes(draft().binding, "s", now()).unwrap() {
        Some(yes) => println!("<<yes to {}>>", yes.question),
        None => println!("<<nothing>>"),
    }
}

#[test]
fn of_many_processes_that_answer_one_wins() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let mut children: Vec<_> =
        (0..20).map(|_| support::child("answers_when_told", home.path(), &[])).collect();
    let id = store.questions().unwrap().ask(&draft()).unwrap().id;
    fs::write(home.path().join("draft"), &id).unwrap();
    fs::rename(home.path().join("draft"), home.path().join("question")).unwrap();
    let pids: Vec<String> = children.iter().map(|child| child.id().to_string()).collect();
    let said: Vec<String> = children.iter_mut().flat_map(support::said).collect();
    let winner = said.iter().position(|said| said == "won").unwrap();
    let others = said.iter().enumerate().filter(|(number, _)| *number != winner);
    assert!(others.clone().all(|(_, said)| *said == pids[winner]), "{said:?}");
    assert_eq!(others.count(), 19);
    let settled = store.questions().unwrap().settle(&id, now()).unwrap();
    assert!(matches!(settled, Settlement::Answered(given) if given.by == pids[winner]));
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn answers_when_told() {
    let Some(home) = support::directory() else { return };
    let store = Store::open(&home).unwrap();
    store.database().unwrap();
    let id = wait_for(|| fs::read_to_string(home.join("question")).ok());
    answer(&store, &id);
}

#[test]
fn of_many_processes_that_use_a_grant_as_many_may_as_it_says() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let terms = Terms {
        session: None,
        rule: "force-push".to_owned(),
        scope: json!({}),
        created: now(),
        expires: None,
        uses_left: Some(17),
        note: String::new(),
    };
    store.grants().unwrap().add(&terms).unwrap();
    let mut children: Vec<_> = (0..10).map(|_| support::child("uses_five", home.path(), &[])).collect();
    assert_eq!(children.iter_mut().flat_map(support::said).count(), 17);
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn uses_five() {
    let Some(home) = support::directory() else { return };
    let store = Store::open(&home).unwrap();
    let grants = store.grants().unwrap();
    let id = grants.list().unwrap().pop().unwrap().id;
    for _ in 0..5 {
        if grants.use_once(&id, now()).unwrap() == Use::Granted {
            println!("<<used>>");
        }
    }
}

/// Killed at any moment while asking and answering, processes leave a database that holds what they said.
#[test]
fn killed_processes_leave_the_database_whole() {
    let home = tempfile::tempdir().unwrap();
    let mut asked = BTreeSet::new();
    // Killed while it opens the database, while it makes it, while it asks: each later than the one before, for as long
    // as a slow machine needs until some have asked.
    for round in 0..2_000 {
        if round >= 30 && !asked.is_empty() {
            break;
        }
        let mut child = support::child("asks_until_killed", home.path(), &[]);
        thread::sleep(Duration::from_millis(5 + round));
        child.kill().unwrap();
        asked.extend(support::said(&mut child));
    }
    let store = Store::open(home.path()).unwrap();
    store.database().unwrap().check().unwrap();
    let kept: BTreeSet<String> =
        store.questions().unwrap().pending(None).unwrap().into_iter().map(|question| question.id).collect();
    assert!(!asked.is_empty());
    assert!(kept.is_superset(&asked));
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn asks_until_killed() {
    let Some(home) = support::directory() else { return };
    let store = Store::open(&home).unwrap();
    loop {
        println!("<<{}>>", store.questions().unwrap().ask(&draft()).unwrap().id);
    }
}

#[test]
fn what_is_wanted_of_many_questions_is_found() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let questions = store.questions().unwrap();
    let ask = |uid: u32| {
        let asker = Asker { uid, ..draft().asker };
        questions.ask(&Draft { asker, ..draft() }).unwrap().id
    };
    let ids: Vec<_> = (0..6).map(|number| ask(1000 + number % 2)).collect();
    let found = |wanted: Wanted<'_>| -> Vec<String> {
        questions.wanted(wanted).unwrap().into_iter().map(|question| question.id).collect()
    };
    assert_eq!(found(Wanted::default()), ids);
    assert_eq!(found(Wanted { most: Some(2), ..Wanted::default() }), ids.get(..2).unwrap());
    for id in &ids {
        assert_eq!(found(Wanted { beginning: id, ..Wanted::default() }), [id.as_str()]);
    }
    let own: Vec<_> = ids.iter().step_by(2).cloned().collect();
    assert_eq!(found(Wanted { uid: Some(1000), ..Wanted::default() }), own);
    assert!(found(Wanted { beginning: "no such", ..Wanted::default() }).is_empty());
    let first = ids.first().unwrap();
    let _ = questions.answer(first, Answer::Once, "ann", now()).unwrap();
    assert!(found(Wanted { beginning: first, ..Wanted::default() }).is_empty());
}

#[test]
fn an_answer_is_seen_by_others_before_it_is_on_the_disk_and_goes_unheard_until_it_is_taken() {
    let home = tempfile::tempdir().unwrap();
    let (store, other) = (Store::open(home.path()).unwrap(), Store::open(home.path()).unwrap());
    let id = store.questions().unwrap().ask(&draft()).unwrap().id;
    let before = other.database().unwrap().edition().unwrap();
    assert_eq!(
        store.questions().unwrap().answer_soon(&id, Answer::Once, "ann", now()).unwrap(),
        Answered::Won
    );
    assert_ne!(other.database().unwrap().edition().unwrap(), before, "somebody else has written");
    assert_eq!(other.questions().unwrap().unheard().unwrap(), [id.as_str()]);
    store.database().unwrap().flush().unwrap();
    store.database().unwrap().leave_log().unwrap();
    other.database().unwrap().empty_log().unwrap();
    assert!(matches!(other.questions().unwrap().settle(&id, now()).unwrap(), Settlement::Answered(_)));
    assert!(store.questions().unwrap().unheard().unwrap().is_empty());
}

#[test]
fn an_answer_that_cannot_be_brought_to_the_disk_says_so() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let id = store.questions().unwrap().ask(&draft()).unwrap().id;
    fs::rename(home.path().join("herm.db-wal"), home.path().join("gone")).unwrap();
    assert!(store.questions().unwrap().answer(&id, Answer::Once, "ann", now()).is_err());
}
