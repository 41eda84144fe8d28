//! What a client that speaks HTTP is told, and how.

use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use herm_adapters::jsonrpc::{Failure, INVALID_REQUEST, Id, Message, Response};
use herm_adapters::mcp::door::Closed;
use herm_adapters::mcp::protocol;

/// How often somebody who waits is told that they are not forgotten.
const PULSE: Duration = Duration::from_secs(15);

/// Why a request is refused: the status of the answer, its code, and in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) code: i64,
    pub(super) why: &'static str,
}

impl From<Closed> for Refusal {
    fn from(Closed(status, why): Closed) -> Self {
        Self { status, code: INVALID_REQUEST, why }
    }
}

/// The server has gone before it answered.
pub(super) const GONE: Refusal = Refusal { status: 503, code: INVALID_REQUEST, why: "the server has gone" };

/// How an answer to a request is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<'a> {
    /// The session that begins with it.
    pub(super) session: Option<&'a str>,
    /// Whether its status says how a request failed, as for those that stand for themselves.
    pub(super) is_stateless: bool,
}

/// Answers a request: tells everything as it comes, until the last of it. Says whether it was heard.
///
/// Nothing is told before there is something to tell, so that what fails at once fails in HTTP, too. Who has waited for a while is told that it
/// goes on.
pub(super) fn answer(
    stream: &mut TcpStream,
    manner: Manner<'_>,
    lines: &Receiver<Vec<u8>>,
    mut is_last: impl FnMut(&mut Vec<u8>) -> bool,
) -> Result<bool, Refusal> {
    let mut first = match lines.recv_timeout(PULSE) {
        Ok(line) => line,
        Err(RecvTimeoutError::Timeout) => {
            return Ok(open(stream, manner.session) && go_on(stream, lines, &mut is_last));
        }
        Err(RecvTimeoutError::Disconnected) => return Err(GONE),
    };
    let last = is_last(&mut first);
    if last
        && manner.is_stateless
        && let Some(status) = failed(&first)
    {
        return Ok(whole(stream, status, &first));
    }
    let heard = open(stream, manner.session) && event(stream, &first);
    Ok(heard && (last || go_on(stream, lines, &mut is_last)))
}

/// Tells everything as it comes, as long as somebody listens.
pub(super) fn all(stream: &mut TcpStream, lines: &Receiver<Vec<u8>>) {
    if open(stream, None) {
        go_on(stream, lines, &mut |_| false);
    }
}

/// The status in which an answer that is an error is told, where that is not the usual one.
fn failed(line: &[u8]) -> Option<u16> {
    match Message::read(line.trim_ascii_end()) {
        Ok(Message::Response(Response { outcome: Err(failure), .. })) => {
            Some(protocol::status(failure.code)).filter(|status| *status != 200)
        }
        _ => None,
    }
}

fn go_on(
    stream: &mut TcpStream,
    lines: &Receiver<Vec<u8>>,
    is_last: &mut impl FnMut(&mut Vec<u8>) -> bool,
) -> bool {
    loop {
        match lines.recv_timeout(PULSE) {
            Ok(mut line) => {
                let last = is_last(&mut line);
                if !event(stream, &line) {
                    return false;
                }
                if last {
                    return true;
                }
            }
            Err(RecvTimeoutError::Timeout) if say(stream, b":\n\n") => {}
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => return true,
        }
    }
}

/// Begins a stream of events.
fn open(stream: &mut TcpStream, session: Option<&str>) -> bool {
    let named = session.map(|name| format!("Mcp-Session-Id: {name}\r\n")).unwrap_or_default();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\nConnection: close\r\n{named}\r\n"
    );
    say(stream, head.as_bytes())
}

fn event(stream: &mut TcpStream, line: &[u8]) -> bool {
    say(stream, &[b"event: message\ndata: ", line.trim_ascii_end(), b"\n\n"].concat())
}

fn say(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    stream.write_all(bytes).and_then(|()| stream.flush()).is_ok()
}

/// Tells that all is well, and nothing else.
pub(super) fn plain(stream: &mut TcpStream, status: u16) {
    let head = format!("HTTP/1.1 {status} OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    // Who does not hear it has gone.
    let _ = stream.write_all(head.as_bytes());
}

/// Refuses a request, by the id that it has, where that is known.
pub(super) fn refuse(stream: &mut TcpStream, refusal: Refusal, id: Option<Id>) -> bool {
    let failure = Failure::new(refusal.code, format!("herm: {}", refusal.why));
    let line = Message::Response(Response { id, outcome: Err(failure) }).line();
    whole(stream, refusal.status, &line)
}

/// Tells one message that is an error.
fn whole(stream: &mut TcpStream, status: u16, line: &[u8]) -> bool {
    let body = line.trim_ascii_end();
    let asks = if status == 401 { "WWW-Authenticate: Bearer\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {status} No\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{asks}Connection: close\r\n\r\n",
        body.len()
    );
    say(stream, head.as_bytes()) && say(stream, body)
}
