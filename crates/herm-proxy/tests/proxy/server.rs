//! Servers that the proxy is asked to reach.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What a server was sent, message by message.
pub(crate) type Heard = Arc<Mutex<Vec<String>>>;

/// A server that speaks HTTP and answers every request, in the order of a script; the last answer for all after.
pub(crate) fn http(address: &str, answers: &'static [&'static str]) -> Heard {
    let heard = Heard::default();
    let listener = listen(address);
    let kept = Arc::clone(&heard);
    spawn(move || {
        let mut number = 0;
        for stream in listener.incoming().flatten() {
            // A fresh connection, one after the other; a script is for all of them together.
            while let Some(request) = request(&stream) {
                kept.lock().unwrap().push(request);
                let answer = answers.get(number).or(answers.last()).unwrap();
                number += 1;
                if (&stream).write_all(answer.as_bytes()).is_err() || answer.contains("Connection: close") {
                    break;
                }
            }
        }
    });
    heard
}

/// A server that sends back what it gets, after a greeting.
pub(crate) fn echo(address: &str, greeting: &'static [u8]) {
    let listener = listen(address);
    spawn(move || {
        for stream in listener.incoming().flatten() {
            spawn(move || {
                let _ = (&stream).write_all(greeting);
                let _ = std::io::copy(&mut &stream, &mut &stream);
                let _ = stream.shutdown(std::net::Shutdown::Write);
            });
        }
    });
}

/// A request, with its body if it says how long that is.
fn request(stream: &TcpStream) -> Option<String> {
    // One byte at a time, so that nothing of the next request is lost.
    let mut reader = BufReader::with_capacity(1, stream);
    let mut text = String::new();
    while !text.ends_with("\r\n\r\n") {
        if reader.read_line(&mut text).ok()? == 0 {
            return None;
        }
    }
    let length =
        text.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    if text.to_lowercase().contains("transfer-encoding: chunked") {
        while !body.ends_with(b"0\r\n\r\n") {
            let mut byte = [0];
            reader.read_exact(&mut byte).ok()?;
            body.push(byte[0]);
        }
    }
    Some(text + &String::from_utf8_lossy(&body))
}

#[expect(clippy::disallowed_methods, reason = "tests make their own sockets")]
pub(crate) fn listen(address: &str) -> TcpListener {
    TcpListener::bind(address).unwrap_or_else(|error| panic!("{address}: {error}"))
}

#[expect(clippy::disallowed_methods, reason = "tests have servers beside them")]
pub(crate) fn spawn(work: impl FnOnce() + Send + 'static) {
    std::thread::spawn(work);
}

pub(crate) const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
