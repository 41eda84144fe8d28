//! Credentials that are put in on the way.

use std::sync::Arc;

use herm::policy::Site;
use herm_proxy::{Credential, Doors, Vault};
use tempfile::TempDir;

use crate::clients::{Ran, curl};
use crate::secure::{Trusted, ok};
use crate::space::apart;
use crate::stage::{SITES, Stage, terms};

const SECRET: &str = "ghp_the-real-secret-0123456789";

/// A proxy that keeps the secret for `site.example`, the placeholder, and a file with the certificate of its authority.
fn stage(trusted: &Trusted, directory: &TempDir) -> (Stage, String, String) {
    let hosts = vec![Site::read("site.example").unwrap()];
    let credential =
        Credential::new(SECRET, hosts, vec!["authorization".to_owned(), "x-api-key".to_owned()]).unwrap();
    let placeholder = credential.placeholder().to_owned();
    let vault = Vault::trusting(vec![credential], &[trusted.der()]).unwrap();
    let file = directory.path().join("authority.pem");
    write(&file, vault.certificate().as_bytes());
    let stage = Stage::with(terms("", SITES).keeping(Arc::new(vault)), Doors::default());
    (stage, placeholder, file.to_str().unwrap().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
fn write(path: &std::path::Path, content: &[u8]) {
    std::fs::write(path, content).unwrap();
}

/// A server that says what it heard.
fn mirror(request: &str) -> Vec<u8> {
    ok(request.as_bytes())
}

#[test]
fn the_server_gets_the_secret_and_the_client_never_sees_it() {
    apart("credential::the_server_gets_the_secret_and_the_client_never_sees_it", || {
        let (trusted, directory) = (Trusted::new(), TempDir::new().unwrap());
        let heard = trusted.serve("93.184.216.34:443", &["site.example"], mirror);
        let (stage, placeholder, authority) = stage(&trusted, &directory);
        let header = format!("Authorization: Bearer {placeholder}");
        let ran = curl(
            &stage,
            &[
                "--cacert",
                &authority,
                "-H",
                &header,
                "-H",
                "Range: bytes=0-3",
                "--compressed",
                "https://site.example/x",
            ],
        );
        let Some(ran) = ran else { return };
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let request = heard.lock().unwrap()[0].clone();
        assert!(request.contains(&format!("Authorization: Bearer {SECRET}\r\n")), "{request}");
        assert!(!request.contains("Range") && !request.contains("Accept-Encoding"), "{request}");
        assert!(!ran.out.contains(SECRET) && ran.out.contains("Authorization: Bearer ******"), "{ran:?}");
        let named = curl(
            &stage,
            &["--cacert", &authority, "-u", &format!("me:{placeholder}"), "https://site.example/"],
        )
        .unwrap();
        assert_eq!(named.code, Some(0), "{named:?}");
        assert!(!heard.lock().unwrap()[1].contains("placeholder"));
        let other = curl(
            &stage,
            &[
                "--cacert",
                &authority,
                "-H",
                &format!("X-Other: {placeholder}"),
                "-d",
                &placeholder,
                "https://site.example/",
            ],
        )
        .unwrap();
        assert_eq!(other.code, Some(0), "{other:?}");
        assert!(!heard.lock().unwrap()[2].contains(SECRET));
        assert!(
            stage.records(3).iter().all(|record| record.outcome.word() == "passed" && record.received > 0)
        );
    });
}

#[test]
fn other_hosts_are_not_decrypted_and_get_nothing() {
    apart("credential::other_hosts_are_not_decrypted_and_get_nothing", || {
        let (trusted, directory) = (Trusted::new(), TempDir::new().unwrap());
        let heard = trusted.serve("93.184.216.35:443", &["other.example"], mirror);
        let (stage, placeholder, authority) = stage(&trusted, &directory);
        let header = format!("Authorization: Bearer {placeholder}");
        let Some(ran) = curl(&stage, &["-k", "-H", &header, "https://other.example/"]) else { return };
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(heard.lock().unwrap()[0].contains(&placeholder));
        // The certificate is the server's own: whoever trusts the sandbox's authority alone does not trust it.
        let refused = curl(&stage, &["--cacert", &authority, "https://other.example/"]).unwrap();
        assert_eq!(refused.code, Some(60), "{refused:?}");
        // A request for another host inside is refused.
        let fronted = curl(&stage, &["-k", "-H", "Host: other.example", "https://site.example/"]).unwrap();
        assert!(!fronted.out.contains(SECRET), "{fronted:?}");
    });
}

#[test]
fn a_server_that_is_not_who_it_should_be_gets_nothing() {
    apart("credential::a_server_that_is_not_who_it_should_be_gets_nothing", || {
        let (trusted, directory) = (Trusted::new(), TempDir::new().unwrap());
        let heard = Trusted::new().serve("93.184.216.34:443", &["site.example"], mirror);
        let (stage, placeholder, authority) = stage(&trusted, &directory);
        let header = format!("Authorization: Bearer {placeholder}");
        let Some(ran): Option<Ran> =
            curl(&stage, &["--cacert", &authority, "-H", &header, "https://site.example/"])
        else {
            return;
        };
        assert_ne!(ran.code, Some(0), "{ran:?}");
        assert!(heard.lock().unwrap().is_empty());
        let record = stage.records(1).remove(0);
        assert_eq!(record.outcome.word(), "failed");
        assert!(record.reason.contains("cannot be spoken with in private"), "{record:?}");
    });
}

#[test]
fn an_answer_that_could_hide_the_secret_is_refused() {
    apart("credential::an_answer_that_could_hide_the_secret_is_refused", || {
        let (trusted, directory) = (Trusted::new(), TempDir::new().unwrap());
        trusted.serve("93.184.216.34:443", &["site.example"], |_| {
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc".to_vec()
        });
        let (stage, _, authority) = stage(&trusted, &directory);
        let Some(ran) =
            curl(&stage, &["--cacert", &authority, "-w", "%{http_code}", "https://site.example/"])
        else {
            return;
        };
        assert!(ran.out.ends_with("502"), "{ran:?}");
    });
}

/// The secret with each of its letters written in one of the ways that addresses, JSON and pages have.
fn spelled() -> String {
    let ways: [fn(u8) -> String; 5] = [
        |letter| char::from(letter).to_string(),
        |letter| format!("%{letter:02X}"),
        |letter| format!("\\u{letter:04x}"),
        |letter| format!("&#{letter};"),
        |letter| format!("&#x{letter:X};"),
    ];
    SECRET.bytes().zip(ways.iter().cycle()).map(|(letter, way)| way(letter)).collect()
}

#[test]
fn an_echo_is_hidden_however_its_letters_are_written() {
    apart("credential::an_echo_is_hidden_however_its_letters_are_written", || {
        let (trusted, directory) = (Trusted::new(), TempDir::new().unwrap());
        trusted.serve("93.184.216.34:443", &["site.example"], |_| {
            let pieces: String =
                spelled().as_bytes().chunks(5).map(|piece| chunk(&String::from_utf8_lossy(piece))).collect();
            let head =
                format!("HTTP/1.1 200 OK\r\nX-Echo: <{}>\r\nTransfer-Encoding: chunked\r\n\r\n", spelled());
            format!("{head}{}{pieces}{}0\r\n\r\n", chunk("<"), chunk(">")).into_bytes()
        });
        let (stage, _, authority) = stage(&trusted, &directory);
        let Some(ran) = curl(&stage, &["--cacert", &authority, "-i", "https://site.example/"]) else {
            return;
        };
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let stars = format!("<{}>", "*".repeat(spelled().len()));
        assert!(ran.out.contains(&format!("X-Echo: {stars}\r\n")) && ran.out.ends_with(&stars), "{ran:?}");
    });
}

fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}
