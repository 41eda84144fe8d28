//! Programs that ignore proxy settings: names get addresses that lead here.

use std::net::UdpSocket;
use std::sync::Arc;
use std::time::Duration;

use herm_proxy::{Doors, Original};

use crate::server::{HELLO, echo, http, listen};
use crate::space::apart;
use crate::stage::{Client, SITES, Stage, terms};
use crate::tunnel::hello;

/// In the tests, the range is routed to this machine, so that the address of the socket is the one that was meant.
fn original() -> Original {
    Arc::new(|stream| stream.local_addr().ok())
}

#[expect(clippy::disallowed_methods, reason = "tests make their own sockets")]
fn udp() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    socket
}

/// The address that a name gets.
fn asked(resolver: std::net::SocketAddr, name: &str) -> std::net::Ipv4Addr {
    let labels =
        name.split('.').flat_map(|label| [&[u8::try_from(label.len()).unwrap()], label.as_bytes()].concat());
    let name: Vec<u8> = labels.chain([0]).collect();
    let question = [&[1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0][..], &name, &[0, 1, 0, 1]].concat();
    let socket = udp();
    socket.send_to(&question, resolver).unwrap();
    let mut answer = [0; 512];
    let length = socket.recv(&mut answer).unwrap();
    let [a, b, c, d] = answer[length - 4..length] else { panic!("no address") };
    std::net::Ipv4Addr::new(a, b, c, d)
}

#[test]
fn names_lead_to_their_hosts_and_to_nothing_else() {
    apart("transparent::names_lead_to_their_hosts_and_to_nothing_else", || {
        http("93.184.216.34:80", &[HELLO]);
        echo("93.184.216.34:443", b"");
        let names = udp();
        let resolver = names.local_addr().unwrap();
        let doors = Doors::default()
            .transparent(listen("198.18.0.1:80"), original())
            .transparent(listen("198.18.0.1:443"), original())
            .transparent(listen("198.18.0.2:80"), original())
            .transparent(listen("198.18.0.2:443"), original())
            .transparent(listen("198.18.0.9:80"), original())
            .names(names);
        let _stage = Stage::with(terms("", SITES), doors);
        assert_eq!(asked(resolver, "site.example").to_string(), "198.18.0.1");
        assert_eq!(asked(resolver, "inside.example").to_string(), "198.18.0.2");
        let client = |place: &str| Client::to(place.parse().unwrap());
        let mut plain = client("198.18.0.1:80");
        plain.send(b"GET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n");
        assert!(plain.rest().ends_with("\r\n\r\nhello"));
        let mut lie = client("198.18.0.1:80");
        lie.send(b"GET / HTTP/1.1\r\nHost: other.example\r\n\r\n");
        assert!(lie.rest().contains("X-Herm-Rule: fronted-host"));
        let mut encrypted = client("198.18.0.1:443");
        encrypted.send(&hello("site.example"));
        assert_eq!(encrypted.bytes(hello("site.example").len()), hello("site.example"));
        let mut fronted = client("198.18.0.1:443");
        fronted.send(&hello("other.example"));
        assert_eq!(fronted.rest().into_bytes(), [21, 3, 3, 0, 2, 2, 49]);
        // What is refused is told in the language of whoever asks.
        let mut refused = client("198.18.0.2:80");
        refused.send(b"GET / HTTP/1.1\r\nHost: inside.example\r\n\r\n");
        assert!(refused.rest().contains("X-Herm-Rule: private-address"));
        let mut refused = client("198.18.0.2:443");
        refused.send(&hello("inside.example"));
        assert_eq!(refused.rest().into_bytes(), [21, 3, 3, 0, 2, 2, 49]);
        // An address that nobody was given leads nowhere.
        let mut nobody = client("198.18.0.9:80");
        assert_eq!(nobody.rest(), "");
    });
}
