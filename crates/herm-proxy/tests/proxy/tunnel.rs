//! Tunnels: what is said in them must be meant for whom they were opened.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use herm_proxy::{Doors, Limits};

use crate::server::{HELLO, echo, http, listen, spawn};
use crate::space::apart;
use crate::stage::{Client, SITES, Stage, terms};

pub(crate) fn opened(stage: &Stage, to: &str) -> Client {
    let mut client = stage.client();
    client.send(format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n").as_bytes());
    assert_eq!(client.head(), "HTTP/1.1 200 Connection Established\r\n\r\n");
    client
}

/// A first message of TLS for a name.
pub(crate) fn hello(name: &str) -> Vec<u8> {
    let prefixed = |bytes: &[u8]| [&u16::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat();
    let entry = [&[0][..], &prefixed(name.as_bytes())].concat();
    let extension = [&[0, 0][..], &prefixed(&prefixed(&entry))].concat();
    let extensions = if name.is_empty() { Vec::new() } else { extension };
    let body = [&[3, 3][..], &[7; 32], &[0], &prefixed(&[0x13, 1]), &[1, 0], &prefixed(&extensions)].concat();
    let message = [&[1, 0][..], &prefixed(&body)].concat();
    [&[22, 3, 1][..], &prefixed(&message)].concat()
}

#[test]
fn a_handshake_for_the_host_goes_through_and_one_for_another_does_not() {
    apart("tunnel::a_handshake_for_the_host_goes_through_and_one_for_another_does_not", || {
        echo("93.184.216.34:443", b"");
        let stage = Stage::new("");
        for name in ["site.example", "SITE.example", "site.example.", ""] {
            let mut client = opened(&stage, "site.example:443");
            let hello = hello(name);
            // Cut into pieces, it is the same.
            for piece in hello.chunks(7) {
                client.send(piece);
            }
            assert_eq!(client.bytes(hello.len()), hello, "{name}");
        }
        for name in ["other.example", "127.0.0.1", "a.site.example", "site.example.evil.org", "sité.example"]
        {
            let mut client = opened(&stage, "site.example:443");
            client.send(&hello(name));
            assert_eq!(client.rest().into_bytes(), [21, 3, 3, 0, 2, 2, 49], "{name}");
        }
        let told = stage.told(9);
        assert_eq!(
            told.iter()
                .filter(|(_, outcome, rule)| (*outcome, *rule) == ("refused", Some("fronted-host")))
                .count(),
            5
        );
    });
}

#[test]
fn a_tunnel_to_an_address_is_judged_by_the_name_in_it() {
    apart("tunnel::a_tunnel_to_an_address_is_judged_by_the_name_in_it", || {
        echo("93.184.216.34:443", b"");
        let stage = Stage::new("security: {website_blocklist: {enabled: true, domains: [blocked.example]}}");
        let mut client = opened(&stage, "93.184.216.34:443");
        client.send(&hello("site.example"));
        assert_eq!(client.bytes(hello("site.example").len()), hello("site.example"));
        drop(client);
        let mut client = opened(&stage, "93.184.216.34:443");
        client.send(&hello("www.blocked.example"));
        assert_eq!(client.rest().into_bytes(), [21, 3, 3, 0, 2, 2, 49]);
        drop(client);
        assert!(stage.told(2).contains(&(
            "93.184.216.34:443".to_owned(),
            "refused",
            Some("blocked-website")
        )));
    });
}

#[test]
fn plain_requests_in_a_tunnel_are_read() {
    apart("tunnel::plain_requests_in_a_tunnel_are_read", || {
        let heard = http("93.184.216.34:80", &[HELLO]);
        let stage = Stage::new("");
        let mut client = opened(&stage, "site.example:80");
        client.send(b"GET /1 HTTP/1.1\r\nHost: site.example\r\n\r\n");
        client.head();
        assert_eq!(client.bytes(5), b"hello");
        client.send(b"GET /2 HTTP/1.1\r\nHost: other.example\r\n\r\n");
        assert!(client.rest().starts_with("HTTP/1.1 403 Forbidden"));
        for lie in [
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: site.example\r\nHost: other.example\r\n\r\n",
            "GET http://other.example/ HTTP/1.1\r\nHost: site.example\r\n\r\n",
        ] {
            let mut client = opened(&stage, "site.example:80");
            client.send(lie.as_bytes());
            assert!(client.rest().starts_with("HTTP/1.1 40"), "{lie}");
        }
        let mut client = opened(&stage, "site.example:80");
        client.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        assert_eq!(client.rest(), "");
        assert_eq!(heard.lock().unwrap().len(), 1);
    });
}

#[test]
fn what_only_a_lenient_server_reads_as_a_request_does_not_reach_it() {
    apart("tunnel::what_only_a_lenient_server_reads_as_a_request_does_not_reach_it", || {
        let listener = listen("93.184.216.34:80");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                spawn(move || {
                    let mut bytes = Vec::new();
                    let _ = stream.read_to_end(&mut bytes);
                    kept.lock().unwrap().push(bytes);
                });
            }
        });
        let stage = Stage::new("");
        let lies: &[&[u8]] = &[
            b" GET / HTTP/1.1",
            b"\x0bGET / HTTP/1.1",
            b"\0\0GET / HTTP/1.1",
            b"GET\x1c/ HTTP/1.1",
            b"GET\t/ HTTP/1.1",
            b"\r\n GET / HTTP/1.1",
            b"GET /",
            b"GET\n/ HTTP/1.1",
            b"\"GET\" / HTTP/1.1",
        ];
        for (number, lie) in lies.iter().enumerate() {
            let bytes = [lie, &b"\r\nHost: other.example\r\n\r\n"[..]].concat();
            // At once, and byte by byte: the connection ends before all of it was sent.
            let mut client = opened(&stage, "site.example:80");
            client.send(&bytes);
            assert_eq!(client.rest(), "", "{lie:?}");
            let mut client = opened(&stage, "site.example:80");
            for byte in &bytes {
                if client.0.write_all(&[*byte]).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(client.rest(), "", "{lie:?}");
            let told = stage.told(2 * (number + 1));
            let refused = ("site.example:80".to_owned(), "refused", Some("fronted-host"));
            assert!(told.iter().all(|record| *record == refused), "{lie:?}: {told:?}");
        }
        let whole = |bytes: &Vec<u8>| bytes.windows(5).any(|window| window == b"HTTP/" || window == b"Host:");
        assert!(!heard.lock().unwrap().iter().any(whole), "{heard:?}");
    });
}

#[test]
fn a_lot_arrives_whole_in_both_directions() {
    apart("tunnel::a_lot_arrives_whole_in_both_directions", || {
        echo("93.184.216.34:9", b"");
        let stage = Stage::new("");
        let client = opened(&stage, "site.example:9");
        let lot: Vec<u8> = (0_u32..4 << 20).flat_map(|number| (number ^ number >> 7).to_be_bytes()).collect();
        let (mut sender, sent) = (client.0.try_clone().unwrap(), lot.clone());
        spawn(move || {
            sender.write_all(&sent).unwrap();
            sender.shutdown(std::net::Shutdown::Write).unwrap();
        });
        let mut received = Vec::new();
        std::io::Read::read_to_end(&mut { client.0 }, &mut received).unwrap();
        assert!(received == lot, "{} of {} bytes, or others", received.len(), lot.len());
        let record = stage.records(1).remove(0);
        assert_eq!((record.sent, record.received), (16 << 20, 16 << 20));
    });
}

#[test]
fn many_at_once_lose_nothing() {
    apart("tunnel::many_at_once_lose_nothing", || {
        echo("93.184.216.34:9", b"");
        let stage = Stage::new("");
        let lot: Vec<u8> = (0_u32..1 << 20).flat_map(u32::to_be_bytes).collect();
        // More than have threads of their own.
        let clients: Vec<_> = (0..12).map(|_| opened(&stage, "site.example:9")).collect();
        for client in &clients {
            let (mut sender, sent) = (client.0.try_clone().unwrap(), lot.clone());
            spawn(move || {
                sender.write_all(&sent).unwrap();
                sender.shutdown(std::net::Shutdown::Write).unwrap();
            });
        }
        for client in clients {
            let mut received = Vec::new();
            std::io::Read::read_to_end(&mut { client.0 }, &mut received).unwrap();
            assert!(received == lot, "{} of {} bytes, or others", received.len(), lot.len());
        }
        assert!(stage.records(12).iter().all(|record| record.received == 4 << 20));
    });
}

#[test]
fn what_is_cut_off_is_recorded_as_far_as_it_went() {
    apart("tunnel::what_is_cut_off_is_recorded_as_far_as_it_went", || {
        let listener = listen("93.184.216.34:9");
        spawn(move || {
            for mut stream in listener.incoming().flatten() {
                stream.write_all(&vec![7; 3 << 20]).unwrap();
                std::thread::sleep(Duration::from_mins(1));
            }
        });
        let stage = Stage::new("");
        let mut client = opened(&stage, "site.example:9");
        assert_eq!(client.bytes(3 << 20).len(), 3 << 20);
        let begun = Instant::now();
        let record = stage.close().remove(0);
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert_eq!((record.outcome.word(), record.received), ("passed", 3 << 20));
        assert_eq!(client.rest(), "");
    });
}

#[test]
fn who_only_listens_is_not_idle_and_who_does_nothing_is() {
    apart("tunnel::who_only_listens_is_not_idle_and_who_does_nothing_is", || {
        let listener = listen("93.184.216.34:9");
        spawn(move || {
            for mut stream in listener.incoming().flatten() {
                spawn(move || {
                    for _ in 0..10 {
                        std::thread::sleep(Duration::from_millis(200));
                        let _ = stream.write_all(b"x");
                    }
                    std::thread::sleep(Duration::from_secs(20));
                });
            }
        });
        let limits = Limits { idle: Duration::from_secs(1), ..Limits::default() };
        let stage = Stage::with(terms("", SITES).limited(limits), Doors::default());
        let mut client = opened(&stage, "site.example:9");
        let begun = Instant::now();
        assert_eq!(client.rest(), "xxxxxxxxxx");
        assert!(begun.elapsed() < Duration::from_secs(15));
    });
}

#[test]
fn whoever_speaks_first_and_whatever_is_spoken_passes() {
    apart("tunnel::whoever_speaks_first_and_whatever_is_spoken_passes", || {
        echo("93.184.216.34:22", b"SSH-2.0-x\r\n");
        echo("93.184.216.34:6379", b"");
        let stage = Stage::new("");
        let mut client = opened(&stage, "site.example:22");
        assert_eq!(client.bytes(11), b"SSH-2.0-x\r\n");
        client.send(b"SSH-2.0-me\r\n");
        assert_eq!(client.bytes(12), b"SSH-2.0-me\r\n");
        // A greeting does not make a request anything else.
        let mut client = opened(&stage, "site.example:22");
        assert_eq!(client.bytes(11), b"SSH-2.0-x\r\n");
        client.send(b"GET / HTTP/1.1\r\nHost: other.example\r\n\r\n");
        assert_eq!(client.rest(), "");
        stage.records(1);
        // Nobody waits for the end of a line that never comes.
        for first in
            [&b"\0\0\0\x08\x04\xd2\x16\x2f"[..], b"0032git-upload-pack /project.git\0host=x\0", b"\r\n", b"!"]
        {
            let mut client = opened(&stage, "site.example:6379");
            client.send(first);
            assert_eq!(client.bytes(first.len()), first);
            client.send(b"\0\r\nand on");
            assert_eq!(client.bytes(9), b"\0\r\nand on");
        }
        stage.records(5);
        let mut client = opened(&stage, "site.example:6379");
        client.send(b"PING\r\n");
        assert_eq!(client.bytes(6), b"PING\r\n");
        // The end of one direction is passed on, and the other goes on.
        client.send(&vec![7; 1 << 20]);
        client.0.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(client.rest().len(), 1 << 20);
        let record = stage.records(6).into_iter().max_by_key(|record| record.sent).unwrap();
        assert_eq!((record.sent, record.received), (6 + (1 << 20), 6 + (1 << 20)));
    });
}
