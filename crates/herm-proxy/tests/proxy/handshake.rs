//! Real handshakes in tunnels: whom they name, and whom the requests in them are for.

use std::io::{Read, Write};
use std::sync::Arc;

use herm::policy::Site;
use herm_proxy::{Credential, Doors, Vault};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;

use crate::secure::{Naming, Trusted, handshake, ok};
use crate::space::apart;
use crate::stage::{SITES, Stage, terms};
use crate::tunnel::opened;

const SECRET: &str = "ghp_the-real-secret-0123456789";

/// What a client that names `host` gets for a request in a tunnel to `site.example`.
fn answer(stage: &Stage, authority: &[u8], (host, naming): (&str, Naming), request: &str) -> String {
    let client = opened(stage, "site.example:443");
    let mut stream = handshake(client.0, authority, host, naming);
    let mut rest = Vec::new();
    // An end without a farewell is an end.
    let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_end(&mut rest).map(drop));
    String::from_utf8_lossy(&rest).into_owned()
}

fn get(host: &str, fields: &str) -> String {
    format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}\r\n")
}

/// A server that says what it heard, and closes the connection.
fn closing(request: &str) -> Vec<u8> {
    let answer = String::from_utf8(ok(request.as_bytes())).unwrap();
    answer.replacen("\r\n", "\r\nConnection: close\r\n", 1).into_bytes()
}

#[test]
fn a_handshake_need_not_name_anybody_but_must_not_name_another() {
    apart("handshake::a_handshake_need_not_name_anybody_but_must_not_name_another", || {
        let trusted = Trusted::new();
        let heard = trusted.serve("93.184.216.34:443", &["site.example", "other.example"], closing);
        let stage = Stage::new("");
        for naming in [Naming::Named, Naming::Nameless] {
            let mut client =
                handshake(opened(&stage, "site.example:443").0, &trusted.der(), "site.example", naming);
            client.write_all(get("site.example", "").as_bytes()).unwrap();
            let mut begin = [0; 15];
            client.read_exact(&mut begin).unwrap();
            assert_eq!(&begin, b"HTTP/1.1 200 OK", "{naming:?}");
        }
        assert_eq!(heard.lock().unwrap().len(), 2);
        let fronted =
            answer(&stage, &trusted.der(), ("other.example", Naming::Named), &get("other.example", ""));
        assert_eq!((fronted.as_str(), heard.lock().unwrap().len()), ("", 2));
        let refused = ("site.example:443".to_owned(), "refused", Some("fronted-host"));
        assert_eq!(stage.told(3).into_iter().filter(|record| *record == refused).count(), 1);
    });
}

/// A proxy that keeps the secret for `site.example`, the placeholder, and the authority of its sandbox.
fn keeping(trusted: &Trusted) -> (Stage, String, Vec<u8>) {
    let hosts = vec![Site::read("site.example").unwrap()];
    let credential = Credential::new(SECRET, hosts, vec!["authorization".to_owned()]).unwrap();
    let placeholder = credential.placeholder().to_owned();
    let vault = Vault::trusting(vec![credential], &[trusted.der()]).unwrap();
    let authority = CertificateDer::from_pem_slice(vault.certificate().as_bytes()).unwrap().to_vec();
    let stage = Stage::with(terms("", SITES).keeping(Arc::new(vault)), Doors::default());
    (stage, placeholder, authority)
}

#[test]
fn a_credential_is_put_in_by_the_tunnel_and_not_by_what_is_said_in_it() {
    apart("handshake::a_credential_is_put_in_by_the_tunnel_and_not_by_what_is_said_in_it", || {
        let trusted = Trusted::new();
        let heard = trusted.serve("93.184.216.34:443", &["site.example"], closing);
        let (stage, placeholder, authority) = keeping(&trusted);
        let field = format!("Authorization: Bearer {placeholder}\r\n");
        for naming in [Naming::Named, Naming::Nameless] {
            let answer = answer(&stage, &authority, ("site.example", naming), &get("site.example", &field));
            assert!(answer.contains("Authorization: Bearer ****") && !answer.contains(SECRET), "{answer}");
        }
        assert!(heard.lock().unwrap().iter().all(|request| request.contains(SECRET)), "{heard:?}");
        heard.lock().unwrap().clear();
        for request in [
            get("other.example", &field),
            get("site.example\r\nHost: other.example", &field),
            get("site.example", &field).replacen(" / ", " https://other.example/ ", 1),
            get("site.example", &field).replacen("GET", " GET", 1),
            format!("PRI * HTTP/2.0\r\n{field}\r\nSM\r\n\r\n"),
        ] {
            let answer = answer(&stage, &authority, ("site.example", Naming::Nameless), &request);
            assert!(answer.starts_with("HTTP/1.1 40"), "{request}: {answer}");
        }
        assert!(heard.lock().unwrap().is_empty(), "{heard:?}");
    });
}

#[test]
fn what_could_carry_a_secret_unread_is_not_switched_to() {
    apart("handshake::what_could_carry_a_secret_unread_is_not_switched_to", || {
        let trusted = Trusted::new();
        let heard = trusted.serve("93.184.216.34:443", &["site.example"], |_| {
            let head =
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
            format!("{head}{SECRET}").into_bytes()
        });
        let (stage, placeholder, authority) = keeping(&trusted);
        let request = format!(
            "GET / HTTP/1.1\r\nHost: site.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer {placeholder}\r\n\r\n"
        );
        let answer = answer(&stage, &authority, ("site.example", Naming::Named), &request);
        assert!(answer.starts_with("HTTP/1.1 502") && !answer.contains(SECRET), "{answer}");
        let request = heard.lock().unwrap().remove(0).to_lowercase();
        assert!(!request.contains("upgrade") && !request.contains("websocket"), "{request}");
    });
}
