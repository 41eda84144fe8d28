//! Whoever dawdles, says too much or comes too often.

use std::sync::Arc;
use std::time::{Duration, Instant};

use herm::fetch::Fetch;
use herm_proxy::{Doors, Judge, Judgement, Limits, Terms};

use crate::server::echo;
use crate::space::apart;
use crate::stage::{SITES, Stage, terms};
use crate::tunnel::{hello, opened};

fn hasty() -> Limits {
    Limits { head: Duration::from_millis(400), connections: 4, ..Limits::default() }
}

#[test]
fn whoever_dawdles_over_a_head_is_let_go() {
    let stage = Stage::with(terms("", SITES).limited(hasty()), Doors::default());
    let begun = Instant::now();
    let mut slow = stage.client();
    // A byte now and then keeps nothing alive.
    for byte in b"GET http://site.example/ HTT" {
        if std::io::Write::write_all(&mut slow.0, &[*byte]).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(30));
    }
    assert!(slow.rest().starts_with("HTTP/1.1 408"));
    let mut silent = stage.client();
    assert_eq!(silent.rest(), "");
    let mut socks = stage.client();
    socks.send(&[5, 1]);
    assert_eq!(socks.rest(), "");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn whoever_dawdles_in_a_tunnel_is_let_go() {
    apart("limits::whoever_dawdles_in_a_tunnel_is_let_go", || {
        echo("93.184.216.34:443", b"");
        let stage = Stage::with(terms("", SITES).limited(hasty()), Doors::default());
        let begun = Instant::now();
        for first in [hello("site.example"), b"GET /a-path-that-does-not-end-at-all".to_vec()] {
            let mut slow = opened(&stage, "site.example:443");
            for byte in first {
                if std::io::Write::write_all(&mut slow.0, &[byte]).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(30));
            }
            // Nothing of it reached the server, which would have sent it back.
            assert_eq!(slow.rest(), "");
        }
        assert!(begun.elapsed() < Duration::from_secs(15));
        let refused = ("site.example:443".to_owned(), "refused", Some("fronted-host"));
        assert_eq!(stage.told(2), [refused.clone(), refused]);
    });
}

#[test]
fn those_who_hold_every_place_do_not_hold_them_for_long() {
    let stage = Stage::with(terms("", SITES).limited(hasty()), Doors::default());
    let held: Vec<_> = (0..20).map(|_| stage.client()).collect();
    let begun = Instant::now();
    assert_eq!(stage.get("http://127.0.0.1/"), "HTTP/1.1 403 Forbidden");
    assert!(begun.elapsed() < Duration::from_secs(15));
    drop(held);
}

#[test]
fn a_head_without_end_is_refused() {
    let stage = Stage::new("");
    let long = format!("GET http://site.example/ HTTP/1.1\r\nHost: x\r\nA: {}", "x".repeat(70_000));
    assert!(stage.answer(&long).starts_with("HTTP/1.1 431"));
}

/// A judge that fails at something.
struct Broken;

impl Judge for Broken {
    fn judge(&self, fetch: Fetch) -> Judgement {
        assert!(!fetch.text().starts_with("broken"), "this host breaks the judge");
        Judgement::Deny(Vec::new())
    }
}

#[test]
fn what_breaks_one_connection_breaks_no_other() {
    let stage = Stage::with(Terms::new(Arc::new(Broken)), Doors::default());
    assert_eq!(stage.answer("GET http://broken.example/ HTTP/1.1\r\nHost: x\r\n\r\n"), "");
    assert_eq!(stage.get("http://whole.example/"), "HTTP/1.1 502 Bad Gateway");
    // Even then there is a record, and it does not say that anything passed.
    assert_eq!(
        stage.told(2),
        [("broken.example:80".to_owned(), "failed", None), ("whole.example:80".to_owned(), "failed", None)]
    );
}
