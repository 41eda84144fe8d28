//! Clients that speak HTTP, on this machine alone.
//!
//! Each session has a server of its own. Requests that stand for themselves share one.

mod alone;
mod outbox;
mod reading;
mod saying;
mod stranger;

use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use herm_adapters::jsonrpc::{INVALID_PARAMS, Id, Message, Request, Response};
use herm_adapters::mcp::door::{Closed, Head};
use herm_adapters::mcp::http::{Mirrored, agrees};
use herm_adapters::mcp::protocol::{self, Era, MISMATCH};
use serde_json::json;

use super::{Face, Failure, Wrap, spawn, wrap};
use crate::companion::Heard;
use crate::identity;

use alone::Alone;
use outbox::Outbox;
use reading::{one_line, read};
use saying::{GONE, Manner, Refusal, plain, refuse};
use stranger::{Stranger, Strangers, Timely};

/// How many sessions there are at a time.
const SESSIONS: usize = 16;

/// How many connections there are at a time that have shown the token.
const CONNECTIONS: usize = 64;

/// How long somebody may take to say all of what they want.
const PATIENCE: Duration = Duration::from_secs(15);

/// What is let in, and where it goes.
#[derive(Debug)]
struct Door {
    wanted: Wrap,
    face: Arc<dyn Face>,
    token: String,
    port: u16,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    strangers: Arc<Strangers>,
    connections: AtomicUsize,
    numbers: AtomicU64,
}

/// A client's session, and the server behind it.
#[derive(Debug)]
struct Session {
    to: SyncSender<Heard>,
    out: Arc<Outbox>,
    /// When it was heard of last.
    used: Mutex<Instant>,
    /// What whoever calls its tools says in fields, too.
    mirrored: Mutex<Mirrored>,
}

/// Listens for clients until herm ends, and says where.
///
/// # Errors
/// When the address is not of this machine alone, or cannot be listened on.
#[expect(clippy::disallowed_methods, reason = "the one place where clients of MCP are listened for")]
pub fn listen(
    wanted: &Wrap,
    face: &Arc<dyn Face>,
    address: SocketAddr,
    told: impl FnOnce(SocketAddr, &std::path::Path),
) -> Result<(), Failure> {
    if !address.ip().is_loopback() {
        return Err(Failure::Refused(format!(
            "`{address}` can be reached from elsewhere: listen on 127.0.0.1"
        )));
    }
    crate::ancestry::become_runner();
    let setup = face.setup().map_err(Failure::Setup)?;
    let (token, file) = herm_store::token::of(&setup.guard, &wanted.name)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let listener = TcpListener::bind(address)?;
    let here = listener.local_addr()?;
    told(here, &file);
    let door = Arc::new(Door {
        wanted: wanted.clone(),
        face: Arc::clone(face),
        token,
        port: here.port(),
        sessions: Mutex::default(),
        strangers: Arc::default(),
        connections: AtomicUsize::new(0),
        numbers: AtomicU64::new(0),
    });
    for stream in listener.incoming() {
        // Who is gone before they were let in missed nothing.
        let Ok(stream) = stream else { continue };
        let Ok(stranger) = door.strangers.take_in(&stream) else { continue };
        let door = Arc::clone(&door);
        // Whoever does not hear the answer has gone, and whoever there is no thread for comes again.
        let _ = spawn("connection", move || drop(door.serve(stream, stranger)));
    }
    Ok(())
}

/// A connection that has shown the token, and counts until it is over.
struct Counted(Arc<Door>);

impl Counted {
    fn among(door: &Arc<Door>) -> Result<Self, Closed> {
        // It is taken back where it is one too many.
        let before = door.connections.fetch_add(1, Ordering::AcqRel);
        let counted = Self(Arc::clone(door));
        if before >= CONNECTIONS { Err(Closed(503, "there are too many connections")) } else { Ok(counted) }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Door {
    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers one request, and closes the connection.
    fn serve(self: &Arc<Self>, mut stream: TcpStream, stranger: Stranger) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let admit = |head: &Head| {
            head.admit(self.port, &self.token)?;
            drop(stranger);
            Counted::among(self)
        };
        let answered = match read(&mut Timely::new(&stream, PATIENCE), admit) {
            Ok((_counted, head, body)) => self.answer(&mut stream, &head, body),
            Err(closed) => Err(closed.into()),
        };
        if let Err(refusal) = answered {
            // Who does not hear it has gone.
            let _ = refuse(&mut stream, refusal, None);
        }
        Ok(())
    }

    fn answer(self: &Arc<Self>, stream: &mut TcpStream, head: &Head, body: Vec<u8>) -> Result<(), Refusal> {
        let named = head.field("mcp-session-id")?;
        match head.method.as_str() {
            "POST" => self.post(stream, head, named, body),
            "GET" => {
                let session = self.known(named)?;
                let (sender, receiver) = sync_channel(outbox::WAITING);
                session.out.listen(sender);
                saying::all(stream, &receiver);
                Ok(())
            }
            "DELETE" => {
                let session = self.known(named)?;
                self.sessions().retain(|_, known| !Arc::ptr_eq(known, &session));
                // Who is gone has heard of it already.
                let _ = session.to.send(Heard::Over(None));
                plain(stream, 200);
                Ok(())
            }
            _ => Err(Closed(405, "this cannot be done here").into()),
        }
    }

    fn known(&self, named: Option<&str>) -> Result<Arc<Session>, Closed> {
        let named = named.ok_or(Closed(400, "it does not say which session it belongs to"))?;
        let session = self.sessions().get(named).filter(|_| named != SHARED).cloned();
        let session = session.ok_or(Closed(404, "there is no such session"))?;
        *session.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Ok(session)
    }

    fn post(
        self: &Arc<Self>,
        stream: &mut TcpStream,
        head: &Head,
        named: Option<&str>,
        body: Vec<u8>,
    ) -> Result<(), Refusal> {
        let line = one_line(body);
        match Message::read(&line).map_err(|_| Closed(400, "it is no message"))? {
            Message::Request(request) => {
                if let Err(refusal) = self.request(stream, head, named, &request, line) {
                    // Who does not hear it has gone.
                    let _ = refuse(stream, refusal, Some(request.id));
                }
            }
            Message::Notification(_) | Message::Response(_) => {
                let sent = self.known(named)?.to.send(Heard::Line(line));
                sent.map_err(|_| Closed(404, "there is no such session"))?;
                plain(stream, 202);
            }
        }
        Ok(())
    }

    fn request(
        self: &Arc<Self>,
        stream: &mut TcpStream,
        head: &Head,
        named: Option<&str>,
        request: &Request,
        line: Vec<u8>,
    ) -> Result<(), Refusal> {
        if Era::of(request.params.as_ref()) == Era::Stateless {
            return self.stateless(stream, head, request);
        }
        if named.is_none() && head.field("mcp-protocol-version")?.is_some_and(protocol::is_stateless) {
            return Err(Refusal {
                status: 400,
                code: INVALID_PARAMS,
                why: "its `_meta` does not say which revision it speaks",
            });
        }
        if request.method == "initialize" {
            let (name, session) = self.begin()?;
            return session.request(stream, Some(&name), &request.id, line);
        }
        self.known(named)?.request(stream, None, &request.id, line)
    }

    /// Begins a session, with a server of its own.
    fn begin(self: &Arc<Self>) -> Result<(String, Arc<Session>), Closed> {
        let name = [identity::fresh(), identity::fresh()].concat();
        self.start(&name).map(|session| (name, session))
    }

    fn start(self: &Arc<Self>, name: &str) -> Result<Arc<Session>, Closed> {
        let (to, from) = sync_channel(outbox::WAITING);
        let out = Arc::new(Outbox::new(name == SHARED));
        let session = Arc::new(Session {
            to,
            out: Arc::clone(&out),
            used: Mutex::new(Instant::now()),
            mirrored: Mutex::default(),
        });
        let mut sessions = self.sessions();
        if sessions.len() >= SESSIONS {
            end_oldest(&mut sessions)?;
        }
        sessions.insert(name.to_owned(), Arc::clone(&session));
        drop(sessions);
        let (door, name) = (Arc::clone(self), name.to_owned());
        let begun = spawn("session", move || {
            if let Err(failure) = wrap(&door.wanted, &door.face, from, &*out) {
                door.face.tell(&format!("{}: {failure}", door.wanted.name));
            }
            door.sessions().remove(&name);
            out.close();
        });
        begun.map_err(|_| Closed(503, "there are too many threads")).map(|()| session)
    }

    /// Answers a request that stands for itself.
    fn stateless(
        self: &Arc<Self>,
        stream: &mut TcpStream,
        head: &Head,
        request: &Request,
    ) -> Result<(), Refusal> {
        let known = self.sessions().get(SHARED).cloned();
        let session = known.map_or_else(|| self.start(SHARED), Ok)?;
        session.check(head, request)?;
        let alone = Alone::new(request, self.numbers.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = sync_channel(outbox::WAITING);
        if !session.out.wait(alone.id.clone(), sender, request.method == "subscriptions/listen") {
            return Err(GONE);
        }
        session.to.send(Heard::Line(alone.line())).map_err(|_| GONE)?;
        let manner = Manner { session: None, is_stateless: true };
        let told = saying::answer(stream, manner, &receiver, |line| {
            let answer = alone.translate(line);
            if let (Some(Response { outcome: Ok(tools), .. }), "tools/list") =
                (&answer, request.method.as_str())
            {
                session.mirrored.lock().unwrap_or_else(PoisonError::into_inner).learn(tools);
            }
            answer.is_some()
        });
        session.out.forget(&alone.id);
        if !told? {
            // To close the connection is to call it off.
            let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": alone.id.value()}});
            let _ = session.to.send(Heard::Line(cancelled.to_string().into_bytes()));
        }
        Ok(())
    }
}

/// The name of what requests share that stand for themselves. No session is called that: theirs are longer.
const SHARED: &str = "stateless";

impl Session {
    /// What says in its fields something else than in its body is refused.
    fn check(&self, head: &Head, request: &Request) -> Result<(), Refusal> {
        let mirrored = self.mirrored.lock().unwrap_or_else(PoisonError::into_inner);
        // A field that stands there twice says nothing.
        if agrees(request, &mirrored, |name| head.field(name).ok().flatten()) {
            return Ok(());
        }
        Err(Refusal { status: 400, code: MISMATCH, why: "its fields do not say what its body says" })
    }

    fn request(
        &self,
        stream: &mut TcpStream,
        name: Option<&str>,
        id: &Id,
        line: Vec<u8>,
    ) -> Result<(), Refusal> {
        let (sender, receiver) = sync_channel(outbox::WAITING);
        if !self.out.wait(id.clone(), sender, false) {
            return Err(Closed(400, "its id is in use").into());
        }
        self.to.send(Heard::Line(line)).map_err(|_| Closed(404, "there is no such session"))?;
        let manner = Manner { session: name, is_stateless: false };
        let told = saying::answer(
            stream,
            manner,
            &receiver,
            |line| matches!(Message::read(line), Ok(Message::Response(response)) if response.id.as_ref() == Some(id)),
        );
        self.out.forget(id);
        told.map(drop)
    }
}

/// Ends the session that nobody waits for and that was not heard of for the longest time.
fn end_oldest(sessions: &mut HashMap<String, Arc<Session>>) -> Result<(), Closed> {
    let idle = sessions.iter().filter(|(_, session)| session.out.is_idle());
    let used = |session: &Session| *session.used.lock().unwrap_or_else(PoisonError::into_inner);
    let oldest = idle.min_by_key(|(_, session)| used(session)).map(|(name, _)| name.clone());
    let oldest = oldest.and_then(|name| sessions.remove(&name));
    let oldest = oldest.ok_or(Closed(503, "there are too many sessions"))?;
    // Who does not take it has ended.
    let _ = oldest.to.try_send(Heard::Over(None));
    Ok(())
}
