//! Programs that ignore proxy settings: names get addresses that lead here.

use std::io::{Read, Write};
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

/// A database that says one thing.
fn database(address: &str) {
    let listener = listen(address);
    crate::server::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            crate::server::spawn(move || drop(converse(&mut stream)));
        }
    });
}

/// As much of the protocol as one question needs.
fn converse(stream: &mut std::net::TcpStream) -> std::io::Result<()> {
    loop {
        let body = message(stream)?;
        // Whoever asks for encryption is told that there is none; then it begins again.
        if body[..4] == 196_608_u32.to_be_bytes() {
            break;
        }
        stream.write_all(b"N")?;
    }
    stream.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")?;
    let mut kind = [0];
    while stream.read_exact(&mut kind).is_ok() && kind != [b'X'] {
        message(stream)?;
        stream.write_all(b"T\0\0\0\x1d\0\x01word\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0")?;
        stream.write_all(b"D\0\0\0\x0f\0\x01\0\0\0\x05helloC\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I")?;
    }
    Ok(())
}

fn message(stream: &mut std::net::TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut body = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap() - 4];
    stream.read_exact(&mut body)?;
    Ok(body)
}

#[test]
fn psql_asks_a_database() {
    apart("transparent::psql_asks_a_database", || {
        database("93.184.216.34:5432");
        database("10.9.8.7:5432");
        let names = udp();
        let resolver = names.local_addr().unwrap();
        let doors = Doors::default()
            .transparent(listen("198.18.0.1:5432"), original())
            .transparent(listen("198.18.0.2:5432"), original())
            .names(names);
        let stage = Stage::with(terms("", SITES), doors);
        let psql = |host: &str| {
            let address = asked(resolver, host);
            let place = format!("host={host} hostaddr={address} user=me dbname=test connect_timeout=10");
            crate::clients::run(&stage, "psql", &["-X", "-A", "-t", "-c", "select word", &place], &[])
        };
        let Some(ran) = psql("site.example") else { return };
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "hello\n"), "{ran:?}");
        let refused = psql("inside.example").unwrap();
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let told = stage.told(2);
        assert!(told.contains(&("site.example:5432".to_owned(), "passed", None)), "{told:?}");
        assert!(
            told.contains(&("inside.example:5432".to_owned(), "refused", Some("private-address"))),
            "{told:?}"
        );
    });
}

/// A question about an address, as it is written.
fn question(name: &str, number: u8) -> Vec<u8> {
    let labels =
        name.split('.').flat_map(|label| [&[u8::try_from(label.len()).unwrap()], label.as_bytes()].concat());
    let name: Vec<u8> = labels.chain([0]).collect();
    [&[0, number, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0][..], &name, &[0, 1, 0, 1]].concat()
}

/// The same after its length, as it is sent over a connection.
fn measured(question: &[u8]) -> Vec<u8> {
    [&u16::try_from(question.len()).unwrap().to_be_bytes()[..], question].concat()
}

#[test]
fn questions_over_connections_are_answered_like_all_others() {
    let (names, talks) = (udp(), listen("127.0.0.1:0"));
    let (resolver, over) = (names.local_addr().unwrap(), talks.local_addr().unwrap());
    let _stage = Stage::with(terms("", SITES), Doors::default().names(names).names_tcp(talks));
    let first = asked(resolver, "site.example");
    let mut client = Client::to(over);
    // Two at once, the second in pieces.
    let second = measured(&question("other.example", 2));
    client.send(&[&measured(&question("site.example", 1))[..], &second[..5]].concat());
    let mut answer = |number: u8| {
        let length = client.bytes(2);
        let answer = client.bytes(usize::from(u16::from_be_bytes([length[0], length[1]])));
        assert_eq!(answer[..2], [0, number]);
        (answer[answer.len() - 4..].to_vec(), client.send(&second[5..])).0
    };
    assert_eq!(answer(1), first.octets());
    assert_eq!(answer(2), [198, 18, 0, 2]);
}

#[test]
fn what_is_too_long_or_no_question_is_survived() {
    let (names, talks) = (udp(), listen("127.0.0.1:0"));
    let (resolver, over) = (names.local_addr().unwrap(), talks.local_addr().unwrap());
    let _stage = Stage::with(terms("", SITES), Doors::default().names(names).names_tcp(talks));
    let noise = udp();
    let long = [question("site.example", 1), vec![0; 5000]].concat();
    for bytes in [&[][..], &[0xFF; 11], &[0xFF; 4096], &long] {
        noise.send_to(bytes, resolver).unwrap();
    }
    for bytes in [&[0xFF, 0xFF, 1][..], &[0, 3, 1, 2, 3], &measured(&[0xFF; 64]), &[0, 0]] {
        let mut client = Client::to(over);
        client.send(bytes);
        assert_eq!(client.rest(), "", "{bytes:?}");
    }
    assert_eq!(asked(resolver, "site.example").to_string(), "198.18.0.1");
    let mut client = Client::to(over);
    client.send(&measured(&question("site.example", 9)));
    assert_eq!(client.bytes(4)[2..], [0, 9]);
}
