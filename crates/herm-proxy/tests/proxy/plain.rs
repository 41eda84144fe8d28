//! Plain HTTP through the proxy.

use crate::server::{HELLO, http};
use crate::space::apart;
use crate::stage::Stage;
use crate::tunnel::opened;

#[test]
fn requests_reach_the_site_and_nothing_is_told_to_the_next_hop() {
    apart("plain::requests_reach_the_site_and_nothing_is_told_to_the_next_hop", || {
        let heard = http("93.184.216.34:80", &[HELLO]);
        let stage = Stage::new("");
        let answer = stage.answer(
            "GET http://site.example/a?b=c HTTP/1.1\r\nHost: lie.example\r\nAccept: */*\r\nProxy-Authorization: Basic x\r\n\
             Proxy-Connection: keep-alive\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\n\r\n",
        );
        assert_eq!(answer, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
        assert_eq!(
            heard.lock().unwrap().as_slice(),
            ["GET /a?b=c HTTP/1.1\r\nHost: site.example\r\nAccept: */*\r\n\r\n"]
        );
        let record = stage.records(1).remove(0);
        assert_eq!((record.destination.as_str(), record.outcome.word()), ("site.example:80", "passed"));
        assert_eq!(record.address, Some("93.184.216.34".parse().unwrap()));
        assert_eq!((record.rule, record.reason.as_str()), (None, ""));
        assert!(record.sent > 40 && record.received > 40, "{record:?}");
    });
}

#[test]
fn one_connection_serves_many_requests_to_several_sites() {
    apart("plain::one_connection_serves_many_requests_to_several_sites", || {
        let one = http("93.184.216.34:80", &[HELLO]);
        let other = http("93.184.216.35:80", &[HELLO]);
        let stage = Stage::new("");
        let mut client = stage.client();
        for url in [
            "http://site.example/1",
            "http://site.example/2",
            "http://other.example/3",
            "http://other.example?4",
        ] {
            client.send(format!("GET {url} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes());
            assert!(client.head().starts_with("HTTP/1.1 200"), "{url}");
            assert_eq!(client.bytes(5), b"hello");
        }
        drop(client);
        let paths = |heard: &crate::server::Heard| -> Vec<String> {
            heard
                .lock()
                .unwrap()
                .iter()
                .map(|request| request.split(' ').nth(1).unwrap().to_owned())
                .collect()
        };
        assert_eq!(
            (paths(&one), paths(&other)),
            (vec!["/1".into(), "/2".into()], vec!["/3".into(), "/?4".into()])
        );
        // One record for each connection to a site, not for each request.
        assert_eq!(stage.told(2).len(), 2);
    });
}

#[test]
fn bodies_go_both_ways_in_every_framing() {
    apart("plain::bodies_go_both_ways_in_every_framing", || {
        let heard = http(
            "93.184.216.34:80",
            &[
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nuntil the end",
            ],
        );
        let stage = Stage::new("");
        let sent = stage.answer(
            "POST http://site.example/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody",
        );
        assert_eq!(
            sent,
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        );
        let old = stage.answer("GET http://site.example/ HTTP/1.0\r\n\r\n");
        assert_eq!(old, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc");
        let chunked = stage.answer(
            "PUT http://site.example/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;a\r\nok\r\n0\r\nT: 1\r\n\r\n",
        );
        assert_eq!(chunked, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end");
        let heard = heard.lock().unwrap();
        assert!(heard[0].ends_with("Content-Length: 4\r\n\r\nbody"), "{}", heard[0]);
        assert!(heard[2].ends_with("Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), "{}", heard[2]);
    });
}

#[test]
fn a_server_that_speaks_nonsense_or_ahead_is_not_believed() {
    apart("plain::a_server_that_speaks_nonsense_or_ahead_is_not_believed", || {
        http(
            "93.184.216.34:80",
            &[
                "ICY 200 OK\r\n\r\nConnection: close",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhelloConnection: close",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: close\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
                HELLO,
            ],
        );
        let stage = Stage::new("");
        for _ in 0..3 {
            assert_eq!(stage.get("http://site.example/"), "HTTP/1.1 502 Bad Gateway");
        }
        let mut client = stage.client();
        for _ in 0..2 {
            client.send(b"GET http://site.example/ HTTP/1.1\r\nHost: x\r\n\r\n");
            client.head();
            assert_eq!(client.bytes(5), b"hello");
        }
    });
}

#[test]
fn web_sockets_are_passed_on() {
    apart("plain::web_sockets_are_passed_on", || {
        http(
            "93.184.216.34:80",
            &[
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x01\x02frame",
            ],
        );
        let stage = Stage::new("");
        let mut client = stage.client();
        client.send(b"GET http://site.example/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
        assert!(client.head().starts_with("HTTP/1.1 101"));
        assert_eq!(client.bytes(7), b"\x01\x02frame");
    });
}

#[test]
fn web_sockets_in_a_tunnel_are_for_its_host() {
    apart("plain::web_sockets_in_a_tunnel_are_for_its_host", || {
        let heard = http(
            "93.184.216.34:80",
            &[
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x01\x02frame",
            ],
        );
        let stage = Stage::new("");
        let upgrade = |host: &str| {
            format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        };
        let mut client = opened(&stage, "site.example:80");
        client.send(upgrade("other.example").as_bytes());
        assert!(client.rest().starts_with("HTTP/1.1 403"));
        assert!(heard.lock().unwrap().is_empty());
        let mut client = opened(&stage, "site.example:80");
        client.send(upgrade("site.example").as_bytes());
        assert!(client.head().starts_with("HTTP/1.1 101"));
        assert_eq!(client.bytes(7), b"\x01\x02frame");
        // From here on it is no request, whatever it looks like; the server was asked and agreed.
        client.send(b" GET /frame HTTP/1.1\r\n\r\n");
        assert!(client.head().starts_with("HTTP/1.1 101"));
        assert!(heard.lock().unwrap()[1].starts_with(" GET /frame"), "{heard:?}");
    });
}

#[test]
fn ipv6_works_too() {
    apart("plain::ipv6_works_too", || {
        let six = std::panic::catch_unwind(|| http("[2606:2800:220:1::34]:80", &[HELLO]));
        if six.is_err() {
            println!("skipped: there is no IPv6 here");
            return;
        }
        let stage = Stage::new("");
        assert_eq!(stage.get("http://six.example/"), "HTTP/1.1 200 OK");
        assert_eq!(stage.get("http://[2606:2800:220:1::34]/"), "HTTP/1.1 200 OK");
        assert_eq!(stage.connect("[2606:2800:220:1::34]:80"), "HTTP/1.1 200 Connection Established");
    });
}
