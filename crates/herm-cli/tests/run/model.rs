//! A model on this machine that records what it is asked and answers as it is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::place::Place;

/// A model on this machine.
pub(crate) struct Model {
    base_url: String,
    asked: Receiver<Request>,
}

/// What it was asked.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) key: Option<String>,
    pub(crate) body: Value,
}

impl Model {
    /// One that says this.
    pub(crate) fn saying(content: &str) -> Self {
        let body = json!({ "choices": [{ "message": { "role": "assistant", "content": content } }] });
        Self::answering("200 OK", &body.to_string())
    }

    /// One that answers with this status and body.
    pub(crate) fn answering(status: &str, body: &str) -> Self {
        let length = body.len();
        Self::sending(format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n{body}"))
    }

    /// One that never answers, but stays on the line.
    pub(crate) fn silent() -> Self {
        Self::sending(String::new())
    }

    fn sending(answer: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (tell, asked) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                // Whoever hangs up early has heard enough.
                let _ = serve(&stream.unwrap(), &answer, &tell);
            }
        });
        Self { base_url, asked }
    }

    /// A place where this model reviews.
    pub(crate) fn place(&self) -> Place {
        let place = Place::new();
        place.config(&format!(
            "approvals: {{mode: smart}}\nauxiliary: {{approval: {{base_url: \"{}\", model: tester-1, timeout: 1}}}}\n",
            self.base_url
        ));
        std::fs::write(place.guard().join(".env"), "AUXILIARY_APPROVAL_API_KEY=key-of-the-reviewer\n")
            .unwrap();
        place
    }

    /// Everything that was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.asked.try_iter().collect()
    }
}

impl Request {
    /// The words of the system, or of the user.
    pub(crate) fn message(&self, at: usize) -> &str {
        self.body["messages"][at]["content"].as_str().unwrap()
    }
}

fn serve(mut stream: &TcpStream, answer: &str, tell: &Sender<Request>) -> std::io::Result<()> {
    // Nobody listens any more when the test is over.
    let _ = tell.send(read(stream)?);
    if answer.is_empty() {
        thread::sleep(Duration::from_secs(20));
    }
    stream.write_all(answer.as_bytes())
}

fn read(stream: &TcpStream) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let (mut key, mut length) = (None, 0);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => key = Some(value.trim().to_owned()),
            "content-length" => length = value.trim().parse().unwrap(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Request { line: line.trim().to_owned(), key, body: serde_json::from_slice(&body)? })
}
