//! SOCKS5 on the same port.

use crate::server::{HELLO, echo, http};
use crate::space::apart;
use crate::stage::{Client, Stage};

fn asked(stage: &Stage, request: &[u8]) -> (Client, Vec<u8>) {
    let mut client = stage.client();
    client.send(&[5, 1, 0]);
    assert_eq!(client.bytes(2), [5, 0]);
    client.send(request);
    let reply = client.bytes(10);
    (client, reply)
}

fn name(name: &str, port: u16) -> Vec<u8> {
    [&[5, 1, 0, 3, u8::try_from(name.len()).unwrap()][..], name.as_bytes(), &port.to_be_bytes()].concat()
}

#[test]
fn names_and_addresses_are_connected_to_or_refused() {
    apart("socks::names_and_addresses_are_connected_to_or_refused", || {
        http("93.184.216.34:80", &[HELLO]);
        echo("93.184.216.34:9", b"");
        let stage = Stage::new("");
        let (mut client, reply) = asked(&stage, &name("site.example", 9));
        assert_eq!(reply[..2], [5, 0]);
        client.send(b"\x01\x02\x03");
        assert_eq!(client.bytes(3), b"\x01\x02\x03");
        let (mut client, reply) = asked(&stage, &[5, 1, 0, 1, 93, 184, 216, 34, 0, 80]);
        assert_eq!(reply[..2], [5, 0]);
        client.send(b"GET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n");
        assert!(client.rest().ends_with("hello"));
        for refused in [
            name("inside.example", 80),
            name("127.1", 80),
            name("localhost", 80),
            name("nowhere.example", 80),
            vec![5, 1, 0, 1, 127, 0, 0, 1, 0, 80],
            vec![5, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 9, 8, 7, 0, 80],
            vec![5, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 80],
        ] {
            assert_eq!(asked(&stage, &refused).1[..2], [5, 2], "{refused:?}");
        }
        assert_eq!(asked(&stage, &name("site.example", 81)).1[..2], [5, 4]);
    });
}

#[test]
fn nothing_but_connections_is_had() {
    let stage = Stage::new("");
    for (request, code) in [
        (vec![5, 2, 0, 1, 1, 2, 3, 4, 0, 80], 7),
        (vec![5, 3, 0, 1, 1, 2, 3, 4, 0, 80], 7),
        (name("b*d.example", 80), 8),
        (name("", 80), 8),
        (name("site.example", 0), 8),
    ] {
        assert_eq!(asked(&stage, &request).1[..2], [5, code], "{request:?}");
    }
    let mut client = stage.client();
    client.send(&[5, 1, 2]);
    assert_eq!(client.rest().into_bytes().first(), Some(&5));
    let mut client = stage.client();
    client.send(&[4, 1, 0, 80, 1, 2, 3, 4, 0]);
    assert!(!client.rest().contains("200"));
}
