//! One request and its response.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::body::{self, Coding};
use super::head::{self, Framing, Head};
use super::message::{Request, Response};
use super::reply::respond;
use crate::upstream::Upstream;
use crate::wire::{Reader, Wire, Writer};

/// Who is still there after an exchange.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum After {
    Both,
    Client,
    Nobody,
    /// Both, and they speak something else now.
    Switched,
}

/// The longest head of a response.
const LONGEST: usize = 256 * 1024;

/// Passes a request on, and its response back.
pub(super) async fn exchange(
    client: &mut Wire,
    upstream: &mut Upstream,
    request: &Request<'_>,
    path: &str,
    host: &[u8],
) -> io::Result<After> {
    let (mut sent, mut received) = (0, 0);
    let done = both_ways(client, &mut upstream.wire, request, path, host, (&mut sent, &mut received)).await;
    upstream.meter.sent(sent);
    upstream.meter.received(received);
    match done {
        Ok(after) => Ok(after),
        Err(Trouble::Upstream) => {
            upstream.meter.note(|record| {
                "the server's answer is not of HTTP/1, or broke off".clone_into(&mut record.reason);
            });
            respond(client, "502 Bad Gateway", None, "the server's answer is not of HTTP/1, or broke off")
                .await?;
            Ok(After::Nobody)
        }
        Err(Trouble::Broken(error)) => Err(error),
    }
}

/// What went wrong.
enum Trouble {
    /// After this, nothing can be said any more.
    Broken(io::Error),
    /// The server did not answer properly, and the client was not told anything yet.
    Upstream,
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

async fn both_ways(
    client: &mut Wire,
    upstream: &mut Wire,
    request: &Request<'_>,
    path: &str,
    host: &[u8],
    (sent, received): (&mut usize, &mut usize),
) -> Result<After, Trouble> {
    let head = request_head(request, path, host);
    *sent += head.len();
    upstream.writer.write_all(&head).await.map_err(|_| Trouble::Upstream)?;
    let (from_client, to_client) = (&mut client.reader, &mut client.writer);
    let (from_upstream, to_upstream) = (&mut upstream.reader, &mut upstream.writer);
    let (bytes, whole) = {
        let body = send(request.framing, from_client, to_upstream, sent);
        response_head(body, from_upstream, to_client, request.method).await?
    };
    let response = Response::read(&bytes, request.method).map_err(|_| Trouble::Upstream)?;
    if response.status == 101 {
        return switch(request, &response, to_client, received).await;
    }
    let plan = Plan::new(request, &response, whole);
    let head = response_bytes(&response, &plan);
    *received += head.len();
    to_client.write_all(&head).await?;
    body::pass(response.framing, plan.coding, from_upstream, to_client, received).await?;
    let good = plan.reusable && from_upstream.ready().is_empty();
    Ok(match (plan.stays, good) {
        (true, true) => After::Both,
        (true, false) => After::Client,
        (false, _) => After::Nobody,
    })
}

async fn send(framing: Framing, from: &mut Reader, to: &mut Writer, sent: &mut usize) -> io::Result<()> {
    let coding = if framing == Framing::Chunked { Coding::Chunked } else { Coding::Plain };
    body::pass(framing, coding, from, to, sent).await
}

/// The head of the response proper, and whether the whole body of the request was sent before it came. A server may answer
/// before it has read everything, or ask for the body to be sent at all.
async fn response_head(
    body: impl Future<Output = io::Result<()>>,
    from: &mut Reader,
    to: &mut Writer,
    method: &str,
) -> Result<(Vec<u8>, bool), Trouble> {
    let mut body = pin!(body);
    let mut whole = false;
    loop {
        let bytes = loop {
            tokio::select! {
                biased;
                done = &mut body, if !whole => match done {
                    Ok(()) => whole = true,
                    // The server may have said why it does not want to read on.
                    Err(_) => break last_words(from).await?,
                },
                bytes = head::bytes(from, LONGEST) => break bytes.map_err(|_| Trouble::Upstream)?,
            }
        };
        let response = Response::read(&bytes, method).map_err(|_| Trouble::Upstream)?;
        if !response.is_interim() {
            return Ok((bytes, whole));
        }
        to.write_all(&interim(&response)).await?;
        to.flush().await?;
    }
}

async fn last_words(from: &mut Reader) -> Result<Vec<u8>, Trouble> {
    let words = timeout(Duration::from_secs(2), head::bytes(from, LONGEST)).await;
    words.map_err(|_| Trouble::Upstream)?.map_err(|_| Trouble::Upstream)
}

/// How a response is passed on.
struct Plan {
    coding: Coding,
    /// Whether the client's connection goes on.
    stays: bool,
    /// Whether the server's connection does.
    reusable: bool,
}

impl Plan {
    fn new(request: &Request<'_>, response: &Response<'_>, whole: bool) -> Self {
        let chunked = response.framing == Framing::Chunked && request.minor == 1;
        let ends = response.framing == Framing::UntilClose
            || (response.framing == Framing::Chunked && request.minor == 0);
        Self {
            coding: if chunked { Coding::Chunked } else { Coding::Plain },
            stays: request.keeps_alive() && whole && !ends,
            reusable: whole
                && response.head.keeps_alive(response.minor)
                && response.framing != Framing::UntilClose,
        }
    }
}

fn request_head(request: &Request<'_>, path: &str, host: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{} {path} HTTP/1.1\r\nHost: ", request.method).into_bytes();
    bytes.extend_from_slice(host);
    bytes.extend_from_slice(b"\r\n");
    fields(&request.head, &mut bytes);
    match request.framing {
        Framing::Chunked => bytes.extend_from_slice(b"Transfer-Encoding: chunked\r\n"),
        Framing::Length(length) => {
            bytes.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
        }
        Framing::Empty | Framing::UntilClose => {}
    }
    if request.upgrades() {
        bytes.extend_from_slice(b"Connection: Upgrade\r\nUpgrade: websocket\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes
}

fn response_bytes(response: &Response<'_>, plan: &Plan) -> Vec<u8> {
    let mut bytes = status_line(response);
    fields(&response.head, &mut bytes);
    match response.framing {
        Framing::Chunked if plan.coding == Coding::Chunked => {
            bytes.extend_from_slice(b"Transfer-Encoding: chunked\r\n");
        }
        Framing::Length(length) => {
            bytes.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
        }
        // Of an answer without a body, the length says how long it would have been.
        Framing::Empty if response.status != 204 => {
            for length in response.head.values("content-length").take(1) {
                bytes.extend_from_slice(b"Content-Length: ");
                bytes.extend_from_slice(length);
                bytes.extend_from_slice(b"\r\n");
            }
        }
        Framing::Chunked | Framing::Empty | Framing::UntilClose => {}
    }
    if !plan.stays {
        bytes.extend_from_slice(b"Connection: close\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes
}

fn status_line(response: &Response<'_>) -> Vec<u8> {
    let words = response.head.line.split_once(' ').map_or("", |(_, words)| words);
    format!("HTTP/1.1 {words}\r\n").into_bytes()
}

fn interim(response: &Response<'_>) -> Vec<u8> {
    let mut bytes = status_line(response);
    fields(&response.head, &mut bytes);
    bytes.extend_from_slice(b"\r\n");
    bytes
}

fn fields(head: &Head<'_>, bytes: &mut Vec<u8>) {
    for field in head.end_to_end().filter(|field| !field.name.eq_ignore_ascii_case("host")) {
        bytes.extend_from_slice(field.name.as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(field.value);
        bytes.extend_from_slice(b"\r\n");
    }
}

/// A server that speaks something else now does so because it was asked to.
async fn switch(
    request: &Request<'_>,
    response: &Response<'_>,
    to: &mut Writer,
    received: &mut usize,
) -> Result<After, Trouble> {
    if !request.upgrades() || !response.head.says("upgrade", "websocket") {
        return Err(Trouble::Upstream);
    }
    let mut bytes = status_line(response);
    fields(&response.head, &mut bytes);
    bytes.extend_from_slice(b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    *received += bytes.len();
    to.write_all(&bytes).await?;
    to.flush().await?;
    Ok(After::Switched)
}
