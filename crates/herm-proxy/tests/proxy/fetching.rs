//! Pages, fetched for an agent.

use std::future::{Future, pending};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_proxy::{Bounds, Fetcher, NoPage, Page, Record, Resolve};

use crate::secure::Trusted;
use crate::server::{HELLO, http, listen, spawn};
use crate::space::apart;
use crate::stage::{SITES, terms};

/// A fetcher with the usual names, and what it records.
fn fetcher(config: &str, roots: &[Vec<u8>]) -> (Fetcher, Arc<Mutex<Vec<Record>>>) {
    let records: Arc<Mutex<Vec<Record>>> = Arc::default();
    let kept = Arc::clone(&records);
    let sink = Arc::new(move |record| kept.lock().unwrap().push(record));
    (Fetcher::trusting(terms(config, SITES), sink, roots).unwrap(), records)
}

fn fetched(link: &str) -> Result<Page, NoPage> {
    fetcher("", &[]).0.fetch(link, Bounds::default())
}

fn rule(link: &str) -> Option<&'static str> {
    match fetched(link) {
        Err(NoPage::Refused { objection, .. }) => Some(objection.rule),
        Err(NoPage::Failed { .. }) | Ok(_) => None,
    }
}

#[test]
fn a_page_comes_whole_in_every_framing() {
    apart("fetching::a_page_comes_whole_in_every_framing", || {
        for (number, answer) in [
            HELLO,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nhello",
            "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        ]
        .into_iter()
        .enumerate()
        {
            let port = 8000 + number;
            http(&format!("93.184.216.34:{port}"), vec![answer].leak());
            let page = fetched(&format!("http://site.example:{port}/a?b#c")).unwrap();
            assert_eq!(
                (page.status, page.content.as_slice(), page.is_cut),
                (200, &b"hello"[..], false),
                "{answer}"
            );
        }
    });
}

#[test]
fn a_page_over_https_is_that_of_who_it_should_be() {
    apart("fetching::a_page_over_https_is_that_of_who_it_should_be", || {
        let trusted = Trusted::new();
        let answer =
            |_: &str| b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi".to_vec();
        let heard = trusted.serve("93.184.216.34:443", &["site.example"], answer);
        let (fetcher, records) = fetcher("", &[trusted.der()]);
        let page = fetcher.fetch("https://site.example/x", Bounds::default()).unwrap();
        assert_eq!((page.content.as_slice(), page.kind.as_deref()), (&b"hi"[..], Some("text/plain")));
        assert!(heard.lock().unwrap()[0].starts_with("GET /x HTTP/1.1\r\nHost: site.example\r\n"));
        let record = records.lock().unwrap().remove(0);
        assert_eq!((record.destination.as_str(), record.outcome.word()), ("site.example:443", "passed"));
        // Whom nobody vouches for is not spoken with.
        assert!(matches!(fetched("https://site.example/x"), Err(NoPage::Failed { .. })));
    });
}

#[test]
fn every_place_that_a_link_leads_to_is_judged() {
    apart("fetching::every_place_that_a_link_leads_to_is_judged", || {
        let inside = [http("10.9.8.7:80", &[HELLO]), http("169.254.169.254:80", &[HELLO])];
        for (number, (to, minded)) in [
            ("http://169.254.169.254/latest/", Some("metadata-service")),
            ("http://inside.example/", Some("private-address")),
            ("//10.9.8.7/", Some("private-address")),
            ("http://[::ffff:10.9.8.7]/", Some("private-address")),
            ("file:///etc/passwd", Some("foreign-scheme")),
            ("data:text/plain,hi", Some("foreign-scheme")),
            ("http://site.example@10.9.8.7/", Some("private-address")),
            ("http://me@site.example/", None),
            ("http://nowhere.example/", Some("unresolved-host")),
        ]
        .into_iter()
        .enumerate()
        {
            let port = 8100 + number;
            let answer = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n");
            http(&format!("93.184.216.34:{port}"), vec![&*answer.leak()].leak());
            let found = fetched(&format!("http://site.example:{port}/"));
            let rule = match &found {
                Err(NoPage::Refused { objection, .. }) => Some(objection.rule),
                Err(NoPage::Failed { .. }) => None,
                Ok(page) => panic!("{to}: {page:?}"),
            };
            assert_eq!(rule, minded, "{to}: {found:?}");
        }
        assert!(inside.iter().all(|heard| heard.lock().unwrap().is_empty()));
        http("93.184.216.35:80", &[HELLO]);
        http(
            "93.184.216.34:80",
            &["HTTP/1.1 301 Moved\r\nLocation: //other.example/there\r\nContent-Length: 0\r\n\r\n"],
        );
        let page = fetched("http://site.example/").unwrap();
        assert_eq!(page.links, ["http://site.example/", "http://other.example/there"]);
    });
}

#[test]
fn links_that_lead_nowhere_good_are_refused() {
    for (link, minded) in [
        ("file:///etc/passwd", Some("foreign-scheme")),
        ("data:text/plain,x", Some("foreign-scheme")),
        ("gopher://site.example/", Some("foreign-scheme")),
        ("http://127.0.0.1/", Some("private-address")),
        ("http://2130706433/", Some("private-address")),
        ("http://localhost./", Some("private-address")),
        ("http://both.example/", Some("private-address")),
        ("http://metadata.google.internal/", Some("metadata-service")),
        ("http://a%2eexample/", Some("unreadable-url")),
        ("http://u:p@site.example/", None),
        ("http://site.example/a b", Some("unreadable-url")),
    ] {
        assert_eq!(rule(link), minded, "{link}: {:?}", fetched(link));
    }
}

/// Finds nothing out, ever.
struct Never;

impl Resolve for Never {
    fn resolve<'a>(&'a self, _: &'a str) -> Pin<Box<dyn Future<Output = Vec<IpAddr>> + Send + 'a>> {
        Box::pin(pending())
    }
}

#[test]
fn a_name_that_is_looked_up_for_ever_takes_too_long_and_can_be_called_off() {
    let fetcher = Fetcher::new(terms("", SITES).resolving(Arc::new(Never)), Arc::new(drop)).unwrap();
    let why = |page: Result<Page, NoPage>| match page {
        Err(NoPage::Failed { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    let begun = Instant::now();
    let bounds = Bounds { time: Duration::from_millis(200), ..Bounds::default() };
    assert_eq!(why(fetcher.fetch("http://site.example/", bounds)), "it takes too long");
    let is_called_off = || begun.elapsed() > Duration::from_millis(400);
    let page = fetcher.fetch_unless(&is_called_off, "http://site.example/", Bounds::default());
    assert_eq!(why(page), "it was called off");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[test]
fn the_time_that_a_person_takes_does_not_count() {
    apart("fetching::the_time_that_a_person_takes_does_not_count", || {
        http("93.184.216.34:80", &[HELLO]);
        let slowly = Arc::new(|_| {
            std::thread::sleep(Duration::from_secs(3));
            Answer::Once
        });
        let terms = terms("egress: {allowed_domains: [other.example]}", SITES).asking_apart(slowly);
        let fetcher = Fetcher::new(terms, Arc::new(drop)).unwrap();
        let bounds = Bounds { time: Duration::from_secs(2), ..Bounds::default() };
        let page = fetcher.fetch("http://site.example/", bounds).unwrap();
        assert_eq!(page.status, 200);
    });
}

#[test]
fn too_much_too_long_and_too_far_end() {
    apart("fetching::too_much_too_long_and_too_far_end", || {
        let listener = listen("93.184.216.34:80");
        spawn(move || {
            for mut stream in listener.incoming().flatten() {
                spawn(move || {
                    let mut head = [0; 512];
                    let length = std::io::Read::read(&mut stream, &mut head).unwrap_or(0);
                    let slow = head[..length].starts_with(b"GET /slow");
                    let mut say = |bytes: &[u8]| std::io::Write::write_all(&mut stream, bytes).is_ok();
                    let mut go_on = say(b"HTTP/1.1 200 OK\r\n\r\n");
                    while go_on {
                        go_on = say(&[b'x'; 1024]);
                        std::thread::sleep(Duration::from_millis(if slow { 100 } else { 0 }));
                    }
                });
            }
        });
        http("93.184.216.35:80", &["HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"]);
        let (fetcher, _) = fetcher("", &[]);
        let bounds = Bounds { bytes: 10_000, time: Duration::from_secs(2), redirects: 3 };
        let page = fetcher.fetch("http://site.example/fast", bounds).unwrap();
        assert_eq!((page.content.len(), page.is_cut), (10_000, true));
        let begun = Instant::now();
        let slow = fetcher.fetch("http://site.example/slow", Bounds { bytes: 10 << 20, ..bounds });
        assert!(matches!(&slow, Err(NoPage::Failed { why, .. }) if why.contains("too long")), "{slow:?}");
        assert!(begun.elapsed() < Duration::from_secs(15));
        let far = fetcher.fetch("http://other.example/", bounds);
        assert!(
            matches!(&far, Err(NoPage::Failed { why, .. }) if why.contains("more than 3 times")),
            "{far:?}"
        );
    });
}
