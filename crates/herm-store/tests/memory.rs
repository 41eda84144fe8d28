//! Grants, denials, questions, sessions, consents and the index.

#![expect(clippy::disallowed_methods, reason = "the tests do to the files what must be found out")]
#![expect(clippy::unwrap_used, reason = "a step that fails has failed the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use herm::approval::Answer;
use herm_store::sqlite::Database;
use herm_store::sqlite::consents::Consent;
use herm_store::sqlite::denials::Denial;
use herm_store::sqlite::grants::{Terms, Use};
use herm_store::sqlite::index::{Filter, Receipt, Synced};
use herm_store::sqlite::questions::{Answered, Asker, Draft, Given, LateYes, Settlement};
use herm_store::sqlite::sessions::{Session, Yolo};
use herm_store::{Digest, Error, Kind, Ledger, Store, Timestamp};
use serde_json::json;
use tempfile::TempDir;

fn store() -> (TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(&home.path().join("home")).unwrap();
    (home, store)
}

fn at(second: u64) -> Timestamp {
    Timestamp::from_millis(second * 1000)
}

fn terms(session: Option<&str>) -> Terms {
    Terms {
        session: session.map(str::to_owned),
        rule: "recursive-delete".to_owned(),
        scope: json!({"program": "rm", "path": "/srv/build"}),
        created: at(100),
        expires: None,
        uses_left: None,
        note: "builds".to_owned(),
    }
}

fn draft(session: &str, action: &str) -> Draft {
    Draft {
        session: session.to_owned(),
        asked: at(100),
        expires: at(160),
        asker: Asker { pid: 7, started: 12345, uid: 1000 },
        binding: Digest::of(action.as_bytes()),
        shown: json!({"text": action}),
    }
}

fn given(answer: Answer, by: &str, when: u64) -> Given {
    Given { answer, by: by.to_owned(), at: at(when) }
}

#[test]
fn nothing_is_opened_before_it_is_needed() {
    let (_home, store) = store();
    assert_eq!(fs::read_dir(store.home()).unwrap().count(), 0);
    store.ledger().unwrap();
    assert!(!store.home().join("herm.db").exists());
    store.grants().unwrap();
    let mode = |path: &str| fs::metadata(store.home().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(""), mode("herm.db"), mode("herm.db-wal")), (0o700, 0o600, 0o600));
}

#[test]
fn a_grant_comes_back_as_it_was_given() {
    let (_home, store) = store();
    let grants = store.grants().unwrap();
    let given = Terms { expires: Some(at(500)), uses_left: Some(3), ..terms(Some("s")) };
    let id = grants.add(&given).unwrap();
    let [grant] = grants.list().unwrap().try_into().unwrap();
    assert_eq!((grant.id, grant.terms, grant.revoked), (id, given, None));
}

#[test]
fn a_grant_holds_in_its_session_until_it_expires_or_is_revoked() {
    let (_home, store) = store();
    let grants = store.grants().unwrap();
    let everywhere = grants.add(&terms(None)).unwrap();
    let here = grants.add(&Terms { created: at(101), ..terms(Some("s")) }).unwrap();
    grants.add(&terms(Some("other"))).unwrap();
    let brief = grants.add(&Terms { created: at(102), expires: Some(at(200)), ..terms(Some("s")) }).unwrap();
    let holding = |now: u64| -> Vec<String> {
        grants.for_session("s", at(now)).unwrap().into_iter().map(|grant| grant.id).collect()
    };
    assert_eq!(holding(199), [everywhere.as_str(), &here, &brief]);
    assert_eq!(holding(200), [everywhere.as_str(), &here]);
    assert_eq!(grants.use_once(&brief, at(199)).unwrap(), Use::Granted);
    assert_eq!(grants.use_once(&brief, at(200)).unwrap(), Use::Refused);
    assert!(grants.revoke(&here, at(300)).unwrap());
    assert!(!grants.revoke(&here, at(300)).unwrap());
    assert_eq!(holding(300), [everywhere.as_str()]);
    assert_eq!(grants.use_once(&here, at(300)).unwrap(), Use::Refused);
    assert_eq!(grants.use_once("unknown", at(300)).unwrap(), Use::Refused);
    assert_eq!(grants.use_once(&everywhere, at(300).system_time()).unwrap(), Use::Granted);
    assert_eq!(grants.list().unwrap().len(), 4);
}

/// Each thread has a connection of its own, as a process would.
fn at_once<T: Send>(store: &Store, threads: usize, run: impl Fn(&Store, usize) -> T + Sync) -> Vec<T> {
    let start = Barrier::new(threads);
    thread::scope(|scope| {
        let (start, run) = (&start, &run);
        let work = |number| {
            scope.spawn(move || {
                let store = Store::open(store.home()).unwrap();
                store.database().unwrap();
                start.wait();
                run(&store, number)
            })
        };
        let running: Vec<_> = (0..threads).map(work).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn a_grant_is_used_exactly_as_often_as_given() {
    let (_home, store) = store();
    let id = store.grants().unwrap().add(&Terms { uses_left: Some(5), ..terms(None) }).unwrap();
    let uses = at_once(&store, 16, |store, _| store.grants().unwrap().use_once(&id, at(1)).unwrap());
    assert_eq!(uses.iter().filter(|use_| **use_ == Use::Granted).count(), 5);
    assert_eq!(store.grants().unwrap().list().unwrap()[0].terms.uses_left, Some(0));
    assert!(store.grants().unwrap().for_session("s", at(1)).unwrap().is_empty());
}

#[test]
fn denials_are_those_of_their_session() {
    let (_home, store) = store();
    let denial = |session: &str, path: &str| Denial {
        session: session.to_owned(),
        rule: "recursive-delete".to_owned(),
        subject: json!({"verb": "delete", "path": path}),
        shown: format!("rm -r {path}"),
        at: at(1),
    };
    let denials = store.denials().unwrap();
    for (session, path) in [("s", "/b"), ("other", "/c"), ("s", "/a")] {
        denials.add(&denial(session, path)).unwrap();
    }
    assert_eq!(denials.for_session("s").unwrap(), [denial("s", "/b"), denial("s", "/a")]);
}

#[test]
fn a_question_comes_back_as_it_was_asked() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let question = questions.ask(&draft("s", "make")).unwrap();
    assert_eq!(question.draft, draft("s", "make"));
    assert_eq!(questions.find(&question.id).unwrap(), Some(question));
    assert_eq!(questions.find("unknown").unwrap(), None);
}

#[test]
fn questions_wait_in_the_order_in_which_they_were_asked() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    for (session, action) in [("s", "1"), ("t", "2"), ("s", "3"), ("t", "4")] {
        questions.ask(&draft(session, action)).unwrap();
    }
    let shown = |session| -> Vec<String> {
        let pending = questions.pending(session).unwrap();
        pending.iter().map(|question| question.draft.shown["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(shown(None), ["1", "2", "3", "4"]);
    assert_eq!(shown(Some("s")), ["1", "3"]);
    assert_eq!(shown(Some("t")), ["2", "4"]);
    assert_eq!(shown(Some("u")), [""; 0]);
}

#[test]
fn an_answer_in_time_is_handed_out_once() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let id = questions.ask(&draft("s", "make")).unwrap().id;
    assert_eq!(questions.settle(&id, at(120)).unwrap(), Settlement::Waiting);
    assert_eq!(questions.answer(&id, Answer::Once, "ann", at(130)).unwrap(), Answered::Won);
    let ann = given(Answer::Once, "ann", 130);
    assert_eq!(questions.answer(&id, Answer::Deny, "bob", at(131)).unwrap(), Answered::Lost(ann.clone()));
    assert!(questions.pending(None).unwrap().is_empty());
    assert_eq!(questions.settle(&id, at(999)).unwrap(), Settlement::Answered(ann));
    assert_eq!(questions.settle(&id, at(999)).unwrap(), Settlement::Spent);
    assert_eq!(questions.late_yes(Digest::of(b"make"), "s", at(999)).unwrap(), None);
}

#[test]
fn silence_refuses_and_a_late_yes_serves_only_the_same_call_once() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let id = questions.ask(&draft("s", "make")).unwrap().id;
    assert_eq!(questions.settle(&id, at(160)).unwrap(), Settlement::Silence);
    assert!(questions.pending(None).unwrap().is_empty());
    assert_eq!(questions.listed(Some("s")).unwrap().len(), 1);
    assert_eq!(questions.answer(&id, Answer::Session, "ann", at(200)).unwrap(), Answered::Late);
    assert!(questions.listed(Some("s")).unwrap().is_empty());
    assert_eq!(questions.settle(&id, at(201)).unwrap(), Settlement::Silence);
    assert_eq!(questions.late_yes(Digest::of(b"make all"), "s", at(210)).unwrap(), None);
    assert_eq!(questions.late_yes(Digest::of(b"make"), "other", at(210)).unwrap(), None);
    let yes = LateYes { question: id, given: given(Answer::Session, "ann", 200) };
    assert_eq!(questions.late_yes(Digest::of(b"make"), "s", at(210)).unwrap(), Some(yes));
    assert_eq!(questions.late_yes(Digest::of(b"make"), "s", at(210)).unwrap(), None);
}

/// Whoever asked has not noticed yet that the time is over: the answer is late all the same.
#[test]
fn an_answer_after_the_time_is_late_before_anybody_notices() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let id = questions.ask(&draft("s", "make")).unwrap().id;
    assert_eq!(questions.answer(&id, Answer::Once, "ann", at(160)).unwrap(), Answered::Late);
    assert_eq!(questions.settle(&id, at(160)).unwrap(), Settlement::Silence);
}

#[test]
fn a_late_no_serves_nobody_and_takes_back_a_yes() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let yes = questions.ask(&draft("s", "make")).unwrap().id;
    let no = questions.ask(&draft("s", "make")).unwrap().id;
    assert_eq!(questions.answer(&yes, Answer::Once, "ann", at(200)).unwrap(), Answered::Late);
    assert_eq!(questions.answer(&no, Answer::Deny, "ann", at(201)).unwrap(), Answered::Late);
    assert_eq!(questions.late_yes(Digest::of(b"make"), "s", at(210)).unwrap(), None);
}

#[test]
fn asking_again_replaces_the_expired_question() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let first = questions.ask(&draft("s", "make")).unwrap().id;
    let other = questions.ask(&draft("s", "make all")).unwrap().id;
    assert_eq!(questions.expire(at(159)).unwrap(), 0);
    assert_eq!(questions.expire(at(160)).unwrap(), 2);
    let second = questions.ask(&Draft { expires: at(300), ..draft("s", "make") }).unwrap().id;
    let listed: Vec<_> = questions.listed(None).unwrap().into_iter().map(|question| question.id).collect();
    assert_eq!(listed, [other, second]);
    assert_eq!(questions.answer(&first, Answer::Once, "ann", at(200)).unwrap(), Answered::Gone);
}

#[test]
fn a_withdrawn_question_cannot_be_answered() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let id = questions.ask(&draft("s", "make")).unwrap().id;
    assert!(questions.withdraw(&id).unwrap());
    assert!(!questions.withdraw(&id).unwrap());
    assert_eq!(questions.answer(&id, Answer::Once, "ann", at(101)).unwrap(), Answered::Gone);
    assert_eq!(questions.settle(&id, at(101)).unwrap(), Settlement::Gone);
    assert_eq!(questions.answer("unknown", Answer::Once, "ann", at(101)).unwrap(), Answered::Gone);
}

#[test]
fn what_nobody_waits_for_can_be_forgotten() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let [answered, expired, waiting] = [100, 100, 200]
        .map(|second| Draft { expires: at(second + 60), ..draft("s", "make") })
        .map(|draft| questions.ask(&draft).unwrap().id);
    assert_eq!(questions.answer(&answered, Answer::Deny, "ann", at(101)).unwrap(), Answered::Won);
    questions.expire(at(170)).unwrap();
    assert_eq!(questions.forget(at(100)).unwrap(), 0);
    assert_eq!(questions.forget(at(101)).unwrap(), 2);
    assert_eq!(questions.find(&answered).unwrap(), None);
    assert_eq!(questions.find(&expired).unwrap(), None);
    assert!(questions.find(&waiting).unwrap().is_some());
}

#[test]
fn of_many_answers_at_once_one_wins_and_the_others_know_whose() {
    let (_home, store) = store();
    for _ in 0..10 {
        let id = store.questions().unwrap().ask(&draft("s", "make")).unwrap().id;
        let answers = at_once(&store, 16, |store, number| {
            let by = format!("door {number}");
            let answer = if number % 2 == 0 { Answer::Once } else { Answer::Deny };
            (by.clone(), store.questions().unwrap().answer(&id, answer, &by, at(101)).unwrap())
        });
        let mut winners = answers.iter().filter(|(_, answered)| *answered == Answered::Won);
        let (winner, _) = winners.next().unwrap();
        assert_eq!(winners.next(), None);
        let lost = answers
            .iter()
            .filter(|(_, answered)| matches!(answered, Answered::Lost(given) if given.by == *winner));
        assert_eq!(lost.count(), 15);
    }
}

/// A yes serves one call, even if who asked and many who ask the same again reach for it.
#[test]
fn of_many_who_reach_for_a_yes_one_gets_it() {
    let (_home, store) = store();
    let id = store.questions().unwrap().ask(&draft("s", "make")).unwrap().id;
    let answered = store.questions().unwrap().answer(&id, Answer::Once, "ann", at(101)).unwrap();
    assert_eq!(answered, Answered::Won);
    let got = at_once(&store, 16, |store, number| {
        let questions = store.questions().unwrap();
        if number == 0 {
            matches!(questions.settle(&id, at(102)).unwrap(), Settlement::Answered(_))
        } else {
            questions.late_yes(Digest::of(b"make"), "s", at(102)).unwrap().is_some()
        }
    });
    assert_eq!(got.into_iter().filter(|got| *got).count(), 1);
}

/// The benchmark has ten times as many.
#[test]
fn an_answer_among_many_questions_is_quick() {
    let (_home, store) = store();
    let questions = store.questions().unwrap();
    let ask = |store: &Store, number: usize| {
        let draft = |count: usize| draft(&format!("s{number}"), &format!("make {count}"));
        (0..250).map(|count| store.questions().unwrap().ask(&draft(count)).unwrap().id).collect::<Vec<_>>()
    };
    let ids = at_once(&store, 4, ask).concat();
    let mut times: Vec<Duration> = Vec::new();
    for id in ids.iter().step_by(20) {
        let start = Instant::now();
        assert_eq!(questions.answer(id, Answer::Once, "ann", at(101)).unwrap(), Answered::Won);
        assert!(matches!(questions.settle(id, at(101)).unwrap(), Settlement::Answered(_)));
        times.push(start.elapsed());
    }
    times.sort();
    let median = times[times.len() / 2];
    println!("among 1000 questions, one is answered and the answer handed out in {median:?}");
    assert!(median < Duration::from_millis(50), "{median:?}");
}

#[test]
fn a_session_is_remembered_and_changed_a_part_at_a_time() {
    let (_home, store) = store();
    let sessions = store.sessions().unwrap();
    let session = Session {
        id: "s".to_owned(),
        profile: "default".to_owned(),
        yolo: Yolo::Off,
        started: at(5),
        summary: json!(null),
    };
    sessions.start(&session).unwrap();
    assert!(sessions.set_yolo("s", Yolo::On).unwrap());
    assert!(sessions.set_summary("s", &json!({"calls": 2})).unwrap());
    sessions.start(&session).unwrap();
    let changed = Session { yolo: Yolo::On, summary: json!({"calls": 2}), ..session };
    assert_eq!(sessions.find("s").unwrap(), Some(changed.clone()));
    assert_eq!(sessions.list().unwrap(), [changed]);
    assert!(!sessions.set_yolo("unknown", Yolo::On).unwrap());
    assert!(!sessions.set_summary("unknown", &json!(1)).unwrap());
    assert_eq!(sessions.find("unknown").unwrap(), None);
}

#[test]
fn a_hook_with_a_changed_file_was_never_decided_about() {
    let (_home, store) = store();
    let consents = store.consents().unwrap();
    let consent = |allowed, decided| Consent {
        command: "hooks/check".to_owned(),
        sha256: Digest::of(b"exit 0"),
        decided: at(decided),
        allowed,
    };
    consents.decide(&consent(true, 1)).unwrap();
    assert_eq!(consents.find("hooks/check", Digest::of(b"exit 0")).unwrap(), Some(consent(true, 1)));
    assert_eq!(consents.find("hooks/check", Digest::of(b"exit 1")).unwrap(), None);
    assert_eq!(consents.find("hooks/other", Digest::of(b"exit 0")).unwrap(), None);
    consents.decide(&consent(false, 2)).unwrap();
    assert_eq!(consents.find("hooks/check", Digest::of(b"exit 0")).unwrap(), Some(consent(false, 2)));
}

fn record(ledger: &Ledger, id: &str, decision: &str, rule: &str) {
    let findings = json!([{"rule": rule, "stance": "ask"}, {"rule": "unknown-program"}]);
    let body = json!({"session": "s", "decision": decision, "findings": findings});
    ledger.append(Kind::Intent, id, body).unwrap();
    ledger.append(Kind::Note, id, json!({"decision": "nonsense"})).unwrap();
    ledger.append(Kind::Outcome, id, json!({"exit_code": 3})).unwrap();
}

#[test]
fn the_index_follows_the_ledger() {
    let (_home, store) = store();
    let ledger = store.ledger().unwrap().clone().with_clock(|| UNIX_EPOCH + Duration::from_secs(77));
    let index = store.index().unwrap();
    assert_eq!(index.sync(&ledger).unwrap(), Synced::default());
    record(&ledger, "r1", "ask", "recursive-delete");
    assert_eq!(index.sync(&ledger).unwrap(), Synced { records: 3, ..Synced::default() });
    let receipt = Receipt {
        id: "r1".to_owned(),
        seq: 1,
        at: at(77),
        session: Some("s".to_owned()),
        decision: Some("ask".to_owned()),
        rules: vec!["recursive-delete".to_owned(), "unknown-program".to_owned()],
        exit_code: Some(3),
    };
    assert_eq!(index.find("r1").unwrap(), Some(receipt));
    record(&ledger, "r2", "deny", "delete-root");
    assert_eq!(index.sync(&ledger).unwrap(), Synced { records: 3, ..Synced::default() });
    assert_eq!(index.sync(&ledger).unwrap(), Synced::default());
    let found = |filter: Filter| -> Vec<String> {
        index.search(&filter, 10).unwrap().into_iter().map(|receipt| receipt.id).collect()
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(found(Filter::default()), ["r2", "r1"]);
    assert_eq!(found(Filter { rule: text("recursive-delete"), ..Filter::default() }), ["r1"]);
    assert_eq!(found(Filter { decision: text("deny"), ..Filter::default() }), ["r2"]);
    assert_eq!(found(Filter { session: text("other"), ..Filter::default() }), [""; 0]);
    assert_eq!(found(Filter { since: Some(at(78)), ..Filter::default() }), [""; 0]);
}

#[test]
fn the_index_is_made_again_from_the_ledger() {
    let (home, store) = store();
    let ledger = store.ledger().unwrap();
    for number in 0..5 {
        record(ledger, &format!("r{number}"), "allow", "force-push");
    }
    let index = store.index().unwrap();
    assert_eq!(index.sync(ledger).unwrap().records, 15);
    let other = Ledger::open(home.path().join("other")).unwrap();
    record(&other, "x", "allow", "force-push");
    assert_eq!(index.sync(&other).unwrap(), Synced { records: 3, forgotten: 5, unreadable: 0 });
    assert_eq!(index.find("r1").unwrap(), None);
    assert_eq!(index.sync(ledger).unwrap(), Synced { records: 15, forgotten: 1, unreadable: 0 });
    assert_eq!(index.find("r1").unwrap().unwrap().seq, 4);
}

#[test]
fn many_bring_the_index_up_at_once() {
    let (_home, store) = store();
    let note =
        |number| herm_store::ledger::Record { kind: Kind::Intent, id: format!("r{number}"), body: json!({}) };
    store.ledger().unwrap().append_all(&(0..5_000).map(note).collect::<Vec<_>>()).unwrap();
    let synced =
        at_once(&store, 8, |store, _| store.index().unwrap().sync(store.ledger().unwrap()).unwrap().records);
    assert_eq!(synced.into_iter().sum::<u64>(), 5_000);
    assert_eq!(store.index().unwrap().search(&Filter::default(), 10_000).unwrap().len(), 5_000);
}

#[test]
fn a_damaged_database_is_said_and_never_replaced() {
    let (_home, store) = store();
    for number in 0..200 {
        store.questions().unwrap().ask(&draft("s", &format!("make {number}"))).unwrap();
    }
    let path = store.home().join("herm.db");
    drop(store);
    let whole = fs::read(&path).unwrap();
    let mut scribbled = whole.clone();
    scribbled[4096..].chunks_mut(4096).for_each(|page| page[..64].fill(0xAA));
    let half = whole[..whole.len() / 2].to_vec();
    for damaged in [
        b"not a database, but long enough to be taken for one at first sight".repeat(20),
        scribbled,
        half,
        vec![],
    ] {
        fs::write(&path, &damaged).unwrap();
        let error = Database::open(&path).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
        assert!(error.hint().unwrap().contains("move `"), "{error}");
        assert!(fs::read(&path).unwrap() == damaged, "{error}");
    }
    fs::write(&path, whole).unwrap();
    let database = Database::open(&path).unwrap();
    database.check().unwrap();
    assert_eq!(database.questions().pending(None).unwrap().len(), 200);
}

#[test]
fn a_database_open_to_others_is_refused() {
    let (_home, store) = store();
    store.database().unwrap();
    let path = store.home().join("herm.db");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let error = Database::open(&path).unwrap_err();
    assert!(error.hint().unwrap().starts_with("`chmod go= "), "{error}");
}

#[test]
fn many_make_the_database_at_once() {
    let (_home, store) = store();
    let start = Barrier::new(16);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                start.wait();
                let database = Database::open(store.home().join("herm.db")).unwrap();
                database.questions().ask(&draft("s", "make")).unwrap();
            });
        }
    });
    assert_eq!(store.questions().unwrap().pending(None).unwrap().len(), 16);
    let drafts = fs::read_dir(store.home()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(drafts.filter(|name| name.to_string_lossy().contains("new")).count(), 0);
}

/// The log of a database that is gone would be taken for changes to a new one.
#[test]
fn a_database_whose_log_was_left_behind_is_not_made_anew() {
    let (_home, store) = store();
    store.questions().unwrap().ask(&draft("s", "make")).unwrap();
    let path = store.home().join("herm.db");
    let moved = store.home().join("moved");
    fs::rename(&path, &moved).unwrap();
    let error = Database::open(&path).unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    assert!(!path.exists());
}
