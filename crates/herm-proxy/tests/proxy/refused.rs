//! Where no connection leads.

use crate::server::{HELLO, http};
use crate::space::apart;
use crate::stage::{SITES, Stage, terms};

#[test]
fn names_and_addresses_that_lead_inside_are_refused() {
    apart("refused::names_and_addresses_that_lead_inside_are_refused", || {
        let inside = [
            http("10.9.8.7:80", &[HELLO]),
            http("169.254.169.254:80", &[HELLO]),
            http("127.0.0.1:80", &[HELLO]),
        ];
        let stage = Stage::new("");
        for (url, rule) in [
            ("http://127.0.0.1/", "private-address"),
            ("http://127.1/", "private-address"),
            ("http://2130706433/", "private-address"),
            ("http://0x7f.1/", "private-address"),
            ("http://localhost/", "private-address"),
            ("http://localhost./", "private-address"),
            ("http://0.0.0.0/", "private-address"),
            ("http://[::1]/", "private-address"),
            ("http://[::ffff:127.0.0.1]/", "private-address"),
            ("http://10.9.8.7/", "private-address"),
            ("http://inside.example/", "private-address"),
            ("http://inside.example./", "private-address"),
            ("http://both.example/", "private-address"),
            ("http://mapped.example/", "private-address"),
            ("http://[::ffff:10.9.8.7]/", "private-address"),
            ("http://[64:ff9b::10.9.8.7]/", "private-address"),
            ("http://169.254.169.254/latest/meta-data/", "metadata-service"),
            ("http://metadata.google.internal/", "metadata-service"),
            ("http://meta.example/", "metadata-service"),
            ("http://198.18.0.1/", "special-address"),
            ("http://nowhere.example/", "unresolved-host"),
        ] {
            let answer = stage.answer(&format!("GET {url} HTTP/1.1\r\nHost: site.example\r\n\r\n"));
            assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{url}: {answer}");
            assert!(answer.contains(&format!("X-Herm-Rule: {rule}\r\n")), "{url}: {answer}");
            let place = url.trim_start_matches("http://").split('/').next().unwrap();
            assert_eq!(stage.connect(&format!("{place}:80")), "HTTP/1.1 403 Forbidden", "{place}");
        }
        assert!(inside.iter().all(|heard| heard.lock().unwrap().is_empty()));
        let record = stage.records(1).remove(0);
        assert_eq!((record.destination.as_str(), record.outcome.word()), ("127.0.0.1:80", "refused"));
        assert_eq!(
            (record.rule, record.reason.as_str()),
            (Some("private-address"), "`127.0.0.1` is this machine")
        );
        assert_eq!((record.address, record.sent, record.received), (None, 0, 0));
    });
}

#[test]
fn user_names_are_not_mistaken_for_hosts() {
    let stage = Stage::new("");
    for target in [
        "http://site.example@127.0.0.1/",
        "http://127.0.0.1@site.example/",
        "http://site.example\\@127.0.0.1/",
    ] {
        assert_eq!(stage.get(target), "HTTP/1.1 400 Bad Request", "{target}");
    }
    assert_eq!(stage.connect("site.example@127.0.0.1:80"), "HTTP/1.1 400 Bad Request");
}

#[test]
fn a_name_that_changes_its_address_gains_nothing() {
    apart("refused::a_name_that_changes_its_address_gains_nothing", || {
        let (site, inside) = (http("93.184.216.34:80", &[HELLO]), http("10.9.8.7:80", &[HELLO]));
        let names: &[(&str, &[&str])] =
            &[("rebind.example", &["93.184.216.34"]), ("rebind.example", &["10.9.8.7"])];
        let stage = Stage::with(terms("", names), herm_proxy::Doors::default());
        // The address that was judged is the one that is connected to: there is no second look.
        let mut client = stage.client();
        for _ in 0..2 {
            client.send(b"GET http://rebind.example/ HTTP/1.1\r\nHost: x\r\n\r\n");
            assert!(client.head().starts_with("HTTP/1.1 200"));
            client.bytes(5);
        }
        // A new connection looks again, and sees the other one.
        assert_eq!(stage.get("http://rebind.example/"), "HTTP/1.1 403 Forbidden");
        assert_eq!((site.lock().unwrap().len(), inside.lock().unwrap().len()), (2, 0));
    });
}

#[test]
fn a_redirect_is_a_request_like_any_other() {
    apart("refused::a_redirect_is_a_request_like_any_other", || {
        let metadata = http("169.254.169.254:80", &[HELLO]);
        http(
            "93.184.216.34:80",
            &[
                "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/meta-data/\r\nContent-Length: 0\r\n\r\n",
            ],
        );
        let stage = Stage::new("");
        let answer =
            stage.answer("GET http://site.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let target = answer.lines().find_map(|line| line.strip_prefix("Location: ")).unwrap();
        assert_eq!(stage.get(target), "HTTP/1.1 403 Forbidden");
        assert!(metadata.lock().unwrap().is_empty());
    });
}

#[test]
fn lists_of_hosts_hold() {
    apart("refused::lists_of_hosts_hold", || {
        http("93.184.216.34:80", &[HELLO]);
        http("93.184.216.35:80", &[HELLO]);
        let blocks = "security: {website_blocklist: {enabled: true, domains: [other.example]}}";
        let stage = Stage::new(blocks);
        assert_eq!(stage.get("http://site.example/"), "HTTP/1.1 200 OK");
        assert_eq!(stage.get("http://other.example/"), "HTTP/1.1 403 Forbidden");
        let stage = Stage::new("egress: {allowed_domains: [site.example]}");
        assert_eq!(stage.get("http://site.example/"), "HTTP/1.1 200 OK");
        assert_eq!(stage.get("http://other.example/"), "HTTP/1.1 403 Forbidden");
        assert_eq!(stage.get("http://93.184.216.34/"), "HTTP/1.1 403 Forbidden");
        assert_eq!(stage.told(3)[1], ("other.example:80".to_owned(), "refused", Some("unlisted-host")));
    });
}

#[test]
fn a_service_that_the_operator_named_is_reached_and_its_neighbour_is_not() {
    apart("refused::a_service_that_the_operator_named_is_reached_and_its_neighbour_is_not", || {
        http("10.9.8.7:8081", &[HELLO]);
        http("10.9.8.7:8082", &[HELLO]);
        let stage = Stage::with(
            terms("egress: {endpoints: ['inside.example:8081']}", SITES),
            herm_proxy::Doors::default(),
        );
        assert_eq!(stage.get("http://inside.example:8081/"), "HTTP/1.1 200 OK");
        assert_eq!(stage.get("http://inside.example:8082/"), "HTTP/1.1 403 Forbidden");
        assert_eq!(stage.get("http://10.9.8.7:8081/"), "HTTP/1.1 403 Forbidden");
    });
}

#[test]
fn what_is_allowed_and_does_not_answer_is_said() {
    apart("refused::what_is_allowed_and_does_not_answer_is_said", || {
        let stage = Stage::new("");
        assert_eq!(stage.get("http://site.example:81/"), "HTTP/1.1 502 Bad Gateway");
        assert_eq!(stage.told(1)[0], ("site.example:81".to_owned(), "failed", None));
    });
}
