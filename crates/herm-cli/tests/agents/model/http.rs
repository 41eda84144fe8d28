//! As much of HTTP as agents use towards a model.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request.
pub(super) struct Request {
    /// `POST /v1/messages HTTP/1.1`
    pub(super) line: String,
    /// Nothing where it is no JSON.
    pub(super) body: Value,
}

impl Request {
    pub(super) fn read(stream: &TcpStream) -> std::io::Result<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let mut length = Length::Known(0);
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let Some((name, value)) = header.trim().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = Length::Known(value.trim().parse().unwrap()),
                "transfer-encoding" => length = Length::Chunks,
                _ => {}
            }
        }
        let body = length.read(&mut reader)?;
        Ok(Self { line: line.trim().to_owned(), body: serde_json::from_slice(&body).unwrap_or_default() })
    }
}

/// How much follows the head.
enum Length {
    Chunks,
    Known(u64),
}

impl Length {
    fn read(self, reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
        let mut body = Vec::new();
        let mut more = |reader: &mut dyn BufRead, length: u64| reader.take(length).read_to_end(&mut body);
        match self {
            Self::Known(length) => more(reader, length)?,
            Self::Chunks => loop {
                let mut size = String::new();
                reader.read_line(&mut size)?;
                let length = u64::from_str_radix(size.trim(), 16).unwrap_or(0);
                if length == 0 {
                    break 0;
                }
                more(reader, length)?;
                reader.read_line(&mut String::new())?;
            },
        };
        Ok(body)
    }
}

/// Answers, and hangs up.
pub(super) fn answer(mut stream: &TcpStream, status: &str, kind: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}
