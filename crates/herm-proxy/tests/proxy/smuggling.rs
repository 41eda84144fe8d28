//! Requests that hide others, and heads that programs read differently.

use crate::server::{HELLO, http};
use crate::space::apart;
use crate::stage::Stage;

#[test]
fn what_could_hide_a_second_request_is_refused() {
    apart("smuggling::what_could_hide_a_second_request_is_refused", || {
        let heard = http("93.184.216.34:80", &[HELLO]);
        let stage = Stage::new("");
        for fields in [
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length: 5\r\nContent-Length: 5",
            "Content-Length: +5",
            "Content-Length: 5,5",
            "Content-Length: -1",
            "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: xchunked",
            "Transfer-Encoding : chunked",
            "Transfer-Encoding:\x0bchunked",
            " Transfer-Encoding: chunked",
            "X: y\nTransfer-Encoding: chunked",
            "X: y\rTransfer-Encoding: chunked",
            "X: y\0",
            "X\r\n y: z",
        ] {
            let sent = format!(
                "POST http://site.example/ HTTP/1.1\r\nHost: x\r\n{fields}\r\n\r\n0\r\n\r\nGET http://127.0.0.1/ HTTP/1.1\r\n\r\n"
            );
            let answer = stage.answer(&sent);
            assert!(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{fields:?}: {answer}");
            assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{fields:?}: {answer}");
        }
        assert!(heard.lock().unwrap().is_empty(), "{heard:?}");
    });
}

#[test]
fn every_request_on_a_connection_is_judged() {
    apart("smuggling::every_request_on_a_connection_is_judged", || {
        http("93.184.216.34:80", &[HELLO]);
        let stage = Stage::new("");
        let both = "GET http://site.example/ HTTP/1.1\r\nHost: x\r\n\r\nGET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n";
        let answer = stage.answer(both);
        assert!(
            answer.starts_with("HTTP/1.1 200 OK") && answer.contains("helloHTTP/1.1 403 Forbidden"),
            "{answer}"
        );
    });
}

#[test]
fn a_body_that_breaks_its_frame_goes_no_further() {
    apart("smuggling::a_body_that_breaks_its_frame_goes_no_further", || {
        let heard = http("93.184.216.34:80", &[HELLO]);
        let stage = Stage::new("");
        let sent = "POST http://site.example/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n";
        let answer = stage.answer(sent);
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(heard.lock().unwrap().is_empty(), "{heard:?}");
    });
}

#[test]
fn odd_first_lines_are_refused() {
    let stage = Stage::new("");
    for line in [
        "GET / HTTP/1.1",
        "GET https://site.example/ HTTP/1.1",
        "GET http://site.example/ HTTP/2.0",
        "GET http://site.example/",
        "GET http://site.example/ x HTTP/1.1",
        "GET\thttp://site.example/\tHTTP/1.1",
        "CONNECT site.example HTTP/1.1",
        "CONNECT http://site.example:80 HTTP/1.1",
    ] {
        let answer = stage.answer(&format!("{line}\r\nHost: x\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{line}: {answer}");
    }
}
