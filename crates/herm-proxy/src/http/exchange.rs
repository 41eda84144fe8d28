//! One request and its response.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::body::{self, Coding};
use super::head::{self, Field, Framing, Head};
use super::message::{Request, Response};
use super::reply::respond;
use crate::upstream::Upstream;
use crate::vault::{Keys, Veil};
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
    let outgoing = Outgoing { request, path, host, keys: upstream.keys.as_ref() };
    let done = both_ways(client, &mut upstream.wire, &outgoing, (&mut sent, &mut received)).await;
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
    outgoing: &Outgoing<'_>,
    (sent, received): (&mut usize, &mut usize),
) -> Result<After, Trouble> {
    let (request, mut veil) = (outgoing.request, outgoing.keys.map(Keys::veil));
    let head = outgoing.head();
    *sent += head.len();
    upstream.writer.write_all(&head).await.map_err(|_| Trouble::Upstream)?;
    let (from_client, to_client) = (&mut client.reader, &mut client.writer);
    let (from_upstream, to_upstream) = (&mut upstream.reader, &mut upstream.writer);
    let (bytes, whole) = {
        let body = send(request.framing, from_client, to_upstream, sent);
        response_head(body, from_upstream, to_client, request.method, veil.as_ref()).await?
    };
    let response = Response::read(&bytes, request.method).map_err(|_| Trouble::Upstream)?;
    if response.status == 101 {
        return switch(outgoing, &response, to_client, received).await;
    }
    // What cannot be read could hold a secret.
    let coded =
        response.head.words("content-encoding").any(|coding| !coding.eq_ignore_ascii_case(b"identity"));
    if coded && veil.is_some() {
        return Err(Trouble::Upstream);
    }
    let plan = Plan::new(request, &response, whole);
    let head = veiled(response_bytes(&response, &plan), veil.as_ref());
    *received += head.len();
    to_client.write_all(&head).await?;
    body::pass(response.framing, plan.coding, from_upstream, to_client, received, veil.as_mut()).await?;
    let good = plan.reusable && from_upstream.ready().is_empty();
    Ok(match (plan.stays, good) {
        (true, true) => After::Both,
        (true, false) => After::Client,
        (false, _) => After::Nobody,
    })
}

async fn send(framing: Framing, from: &mut Reader, to: &mut Writer, sent: &mut usize) -> io::Result<()> {
    let coding = if framing == Framing::Chunked { Coding::Chunked } else { Coding::Plain };
    body::pass(framing, coding, from, to, sent, None).await
}

/// The head of the response proper, and whether the whole body of the request was sent before it came. A server may answer
/// before it has read everything, or ask for the body to be sent at all.
async fn response_head(
    body: impl Future<Output = io::Result<()>>,
    from: &mut Reader,
    to: &mut Writer,
    method: &str,
    veil: Option<&Veil>,
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
        to.write_all(&veiled(interim(&response), veil)).await?;
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

/// A request as it goes out.
struct Outgoing<'a> {
    request: &'a Request<'a>,
    path: &'a str,
    host: &'a [u8],
    keys: Option<&'a Keys>,
}

/// Fields that would let an answer come in a form in which a secret could not be found.
static FORMS: &[&str] = &["accept-encoding", "if-range", "range"];

impl Outgoing<'_> {
    fn head(&self) -> Vec<u8> {
        let mut bytes = format!("{} {} HTTP/1.1\r\n", self.request.method, self.path).into_bytes();
        add("Host", self.host, &mut bytes);
        for field in forwarded(&self.request.head) {
            match self.keys {
                Some(_) if FORMS.iter().any(|form| form.eq_ignore_ascii_case(field.name)) => {}
                Some(keys) => add(field.name, &keys.fill(field.name, field.value), &mut bytes),
                None => add(field.name, field.value, &mut bytes),
            }
        }
        match self.request.framing {
            Framing::Chunked => add("Transfer-Encoding", b"chunked", &mut bytes),
            Framing::Length(length) => add("Content-Length", length.to_string().as_bytes(), &mut bytes),
            Framing::Empty | Framing::UntilClose => {}
        }
        if self.upgrades() {
            bytes.extend_from_slice(UPGRADE);
        }
        bytes.extend_from_slice(b"\r\n");
        bytes
    }

    /// What is spoken after an upgrade is not read, so that a secret in it would not be found.
    fn upgrades(&self) -> bool {
        self.keys.is_none() && self.request.upgrades()
    }
}

const UPGRADE: &[u8] = b"Connection: Upgrade\r\nUpgrade: websocket\r\n";

fn veiled(bytes: Vec<u8>, veil: Option<&Veil>) -> Vec<u8> {
    match veil {
        Some(veil) => veil.hide_all(&bytes),
        None => bytes,
    }
}

fn add(name: &str, value: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(name.as_bytes());
    bytes.extend_from_slice(b": ");
    bytes.extend_from_slice(value);
    bytes.extend_from_slice(b"\r\n");
}

fn response_bytes(response: &Response<'_>, plan: &Plan) -> Vec<u8> {
    let mut bytes = status_line(response);
    fields(&response.head, &mut bytes);
    match response.framing {
        Framing::Chunked if plan.coding == Coding::Chunked => {
            add("Transfer-Encoding", b"chunked", &mut bytes);
        }
        Framing::Length(length) => add("Content-Length", length.to_string().as_bytes(), &mut bytes),
        // Of an answer without a body, the length says how long it would have been.
        Framing::Empty if response.status != 204 => {
            response
                .head
                .values("content-length")
                .take(1)
                .for_each(|length| add("Content-Length", length, &mut bytes));
        }
        Framing::Chunked | Framing::Empty | Framing::UntilClose => {}
    }
    if !plan.stays {
        add("Connection", b"close", &mut bytes);
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
    forwarded(head).for_each(|field| add(field.name, field.value, bytes));
}

fn forwarded<'a>(head: &'a Head<'a>) -> impl Iterator<Item = &'a Field<'a>> {
    head.end_to_end().filter(|field| !field.name.eq_ignore_ascii_case("host"))
}

/// A server that speaks something else now does so because it was asked to.
async fn switch(
    outgoing: &Outgoing<'_>,
    response: &Response<'_>,
    to: &mut Writer,
    received: &mut usize,
) -> Result<After, Trouble> {
    if !outgoing.upgrades() || !response.head.says("upgrade", "websocket") {
        return Err(Trouble::Upstream);
    }
    let mut bytes = status_line(response);
    fields(&response.head, &mut bytes);
    bytes.extend_from_slice(UPGRADE);
    bytes.extend_from_slice(b"\r\n");
    *received += bytes.len();
    to.write_all(&bytes).await?;
    to.flush().await?;
    Ok(After::Switched)
}
