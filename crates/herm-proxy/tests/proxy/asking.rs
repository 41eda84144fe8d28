//! Questions about hosts that are not listed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use herm::approval::Answer;
use herm_proxy::{Ask, Doors, Limits, Question};

use crate::server::{HELLO, http, spawn};
use crate::space::apart;
use crate::stage::{SITES, Stage, terms};

const LISTED: &str = "egress: {allowed_domains: [site.example]}";

/// Somebody who answers after a while, and what they were asked.
fn somebody(answer: Answer, after: Duration) -> (Ask, Arc<Mutex<Vec<Question>>>) {
    let asked: Arc<Mutex<Vec<Question>>> = Arc::default();
    let kept = Arc::clone(&asked);
    let ask: Ask = Arc::new(move |question| {
        kept.lock().unwrap().push(question);
        Box::pin(async move {
            tokio::time::sleep(after).await;
            answer
        })
    });
    (ask, asked)
}

fn stage(answer: Answer) -> (Stage, Arc<Mutex<Vec<Question>>>) {
    let (ask, asked) = somebody(answer, Duration::from_millis(200));
    (Stage::with(terms(LISTED, SITES).asking(ask), Doors::default()), asked)
}

#[test]
fn a_yes_lets_it_through_and_is_recorded() {
    apart("asking::a_yes_lets_it_through_and_is_recorded", || {
        http("93.184.216.35:80", &[HELLO]);
        let (stage, asked) = stage(Answer::Session);
        for _ in 0..3 {
            assert_eq!(stage.get("http://other.example/"), "HTTP/1.1 200 OK");
        }
        let asked = asked.lock().unwrap();
        assert_eq!((asked.len(), asked[0].to.to_string().as_str()), (1, "other.example:80"));
        assert_eq!(asked[0].objections[0].rule, "unlisted-host");
        assert_eq!(stage.told(1)[0], ("other.example:80".to_owned(), "approved", Some("unlisted-host")));
    });
}

#[test]
fn a_yes_for_once_is_asked_again_for_the_next_connection_but_not_within_it() {
    apart("asking::a_yes_for_once_is_asked_again_for_the_next_connection_but_not_within_it", || {
        http("93.184.216.35:80", &[HELLO]);
        let (stage, asked) = stage(Answer::Once);
        let mut client = stage.client();
        for _ in 0..3 {
            client.send(b"GET http://other.example/ HTTP/1.1\r\nHost: x\r\n\r\n");
            assert!(client.head().starts_with("HTTP/1.1 200"));
            client.bytes(5);
        }
        drop(client);
        assert_eq!(asked.lock().unwrap().len(), 1);
        assert_eq!(stage.get("http://other.example/"), "HTTP/1.1 200 OK");
        assert_eq!(asked.lock().unwrap().len(), 2);
    });
}

#[test]
fn a_no_refuses_and_many_connections_ask_once() {
    let (stage, asked) = stage(Answer::Deny);
    let refused = Arc::new(AtomicUsize::new(0));
    let address = stage.address;
    for _ in 0..8 {
        let refused = Arc::clone(&refused);
        spawn(move || {
            let mut client = crate::stage::Client::to(address);
            client.send(b"GET http://other.example/ HTTP/1.1\r\nHost: x\r\n\r\n");
            if client.rest().starts_with("HTTP/1.1 403") {
                refused.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    assert_eq!(stage.told(8).len(), 8);
    for _ in 0..100 {
        if refused.load(Ordering::SeqCst) == 8 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(refused.load(Ordering::SeqCst), 8);
    assert!(asked.lock().unwrap().len() < 8, "{}", asked.lock().unwrap().len());
}

#[test]
fn silence_refuses_and_what_is_refused_is_not_asked_about() {
    let (ask, asked) = somebody(Answer::Always, Duration::from_mins(10));
    let patience = Limits { answer: Duration::from_millis(300), ..Limits::default() };
    let stage = Stage::with(terms(LISTED, SITES).asking(ask).limited(patience), Doors::default());
    assert_eq!(stage.get("http://other.example/"), "HTTP/1.1 403 Forbidden");
    assert_eq!(stage.get("http://127.0.0.1/"), "HTTP/1.1 403 Forbidden");
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[test]
fn a_yes_to_a_name_is_none_to_where_it_leads() {
    let (stage, asked) = stage(Answer::Always);
    assert_eq!(stage.get("http://inside.example/"), "HTTP/1.1 403 Forbidden");
    assert_eq!(asked.lock().unwrap().len(), 1);
    assert_eq!(stage.told(1)[0].2, Some("private-address"));
}
