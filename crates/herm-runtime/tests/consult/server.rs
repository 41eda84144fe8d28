//! A model on this machine that records what it is asked and answers as it is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::{Value, json};

pub(crate) struct Server {
    pub(crate) base_url: String,
    asked: Receiver<Request>,
}

pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

/// How it answers.
#[derive(Clone)]
pub(crate) enum Reply {
    /// With these bytes.
    Bytes(Vec<u8>),
    /// With one byte at a time, for ever.
    Drips,
    /// Not at all, but it stays on the line.
    Waits,
}

impl Reply {
    pub(crate) fn says(content: &str) -> Self {
        Self::json(
            &json!({ "choices": [{ "message": { "role": "assistant", "content": content } }] }).to_string(),
        )
    }

    pub(crate) fn json(body: &str) -> Self {
        Self::status("200 OK", "", body)
    }

    pub(crate) fn status(status: &str, header: &str, body: &str) -> Self {
        let length = body.len();
        Self::Bytes(
            format!("HTTP/1.1 {status}\r\n{header}content-length: {length}\r\n\r\n{body}").into_bytes(),
        )
    }
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn message(&self, role: usize) -> &str {
        self.body.pointer(&format!("/messages/{role}/content")).and_then(Value::as_str).unwrap()
    }
}

impl Server {
    #[expect(clippy::disallowed_methods, reason = "tests have a model of their own")]
    pub(crate) fn new(reply: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (tell, asked) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let _ = serve(stream.unwrap(), &reply, &tell);
            }
        });
        Self { base_url, asked }
    }

    /// Everything that was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.asked.try_iter().collect()
    }

    pub(crate) fn request(&self) -> Request {
        self.asked.recv_timeout(Duration::from_secs(10)).unwrap()
    }
}

fn serve(mut stream: TcpStream, reply: &Reply, tell: &Sender<Request>) -> std::io::Result<()> {
    let _ = tell.send(read(&stream));
    match reply {
        Reply::Bytes(bytes) => stream.write_all(bytes),
        Reply::Drips => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n")?;
            loop {
                stream.write_all(b" ")?;
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        Reply::Waits => {
            std::thread::sleep(Duration::from_secs(30));
            Ok(())
        }
    }
}

fn read(stream: &TcpStream) -> Request {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").map_or("0", |(_, value)| value);
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Request { line: line.trim().to_owned(), headers, body }
}
