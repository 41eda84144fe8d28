//! The broker itself: a socket, a thread a connection, everything else in the store.

use std::fs::{self, File, Permissions};
use std::io::{self, BufReader};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use herm::approval::Answer;
use herm_store::sqlite::questions::{self, Answered, Asker, Draft, Question, Settlement};
use herm_store::{Digest, Store};

use super::peer::{self, Approvers, Peer};
use super::protocol::{Request, Response, read_request, send_response};
use super::{Client, socket};
use crate::asked::Asked;

/// How often a waiting question is looked at.
const PULSE: Duration = Duration::from_millis(5);

/// Where a broker keeps its questions, and whom it lets answer.
#[derive(Clone, Debug)]
pub struct Broker {
    /// herm's home.
    pub guard: PathBuf,
    /// Whose answers count.
    pub approvers: Approvers,
}

/// A broker at work in this process, until it is dropped.
#[derive(Debug)]
pub struct Running {
    stop: Arc<AtomicBool>,
    socket: PathBuf,
    _lock: File,
}

impl Broker {
    /// Becomes the broker of its home, unless there is one.
    ///
    /// # Errors
    /// When the socket cannot be made.
    #[expect(clippy::disallowed_methods, reason = "the one place where the broker's socket is made")]
    pub fn start(&self) -> io::Result<Option<Running>> {
        fs::create_dir_all(&self.guard)?;
        let lock =
            File::options().create(true).append(true).mode(0o600).open(self.guard.join("broker.lock"))?;
        if lock.try_lock().is_err() {
            return Ok(None);
        }
        let socket = socket(&self.guard);
        // Whoever held the lock before is gone, and what is left of its socket leads nowhere.
        match fs::remove_file(&socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let listener = UnixListener::bind(&socket)?;
        let mode = if self.approvers.uids.is_empty() { 0o600 } else { 0o666 };
        fs::set_permissions(&socket, Permissions::from_mode(mode))?;
        let stop = Arc::new(AtomicBool::new(false));
        let (broker, stopped) = (self.clone(), Arc::clone(&stop));
        thread::Builder::new().name("broker".to_owned()).spawn(move || broker.accept(&listener, &stopped))?;
        Ok(Some(Running { stop, socket, _lock: lock }))
    }

    /// A connection to a broker within this process, for who has something to say and finds none.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn within(&self) -> io::Result<Client> {
        let (ours, theirs) = UnixStream::pair()?;
        let broker = self.clone();
        thread::Builder::new().name("broker".to_owned()).spawn(move || {
            // Who breaks off has no use for an answer.
            let _ = broker.serve(&theirs);
        })?;
        Client::new(ours)
    }

    fn accept(&self, listener: &UnixListener, stop: &AtomicBool) {
        for stream in listener.incoming() {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let broker = self.clone();
            let serve = move |stream: UnixStream| {
                // Who breaks off has no use for an answer.
                let _ = broker.serve(&stream);
            };
            if let Ok(stream) = stream {
                // Where no thread can be had the connection is closed, and whoever asks is refused.
                let _ = thread::Builder::new().name("broker".to_owned()).spawn(move || serve(stream));
            }
        }
    }

    fn serve(&self, stream: &UnixStream) -> io::Result<()> {
        let peer = Peer::of(stream)?;
        let store = Store::open(&self.guard).map_err(io::Error::other)?;
        let mut requests = BufReader::new(stream.try_clone()?);
        while let Some(request) = read_request(&mut requests)? {
            let response = match request {
                Request::Answer { id, answer } => self.answer(&store, &peer, &id, answer),
                Request::Ask { asked, seconds } => {
                    let asked = ask(&store, &peer, *asked, seconds);
                    return self.attend(&store, &peer, asked, stream, &mut requests);
                }
                Request::List => list(&store),
                Request::Resume(id) => {
                    let asked = resume(&store, &peer, id);
                    return self.attend(&store, &peer, asked, stream, &mut requests);
                }
                Request::Settle(_) => Response::Refused("nothing was asked".to_owned()),
            };
            send(stream, &response)?;
        }
        Ok(())
    }

    /// Tells that a question waits, and then what came of it.
    fn attend(
        &self,
        store: &Store,
        peer: &Peer,
        asked: Result<String, Response>,
        stream: &UnixStream,
        requests: &mut BufReader<UnixStream>,
    ) -> io::Result<()> {
        match asked {
            Ok(id) => {
                send(stream, &Response::Waiting(id.clone()))?;
                send(stream, &self.wait(store, peer, &id, stream, requests)?)
            }
            Err(response) => send(stream, &response),
        }
    }

    /// Waits for an answer, from whoever gives it first.
    fn wait(
        &self,
        store: &Store,
        peer: &Peer,
        id: &str,
        stream: &UnixStream,
        requests: &mut BufReader<UnixStream>,
    ) -> io::Result<Response> {
        stream.set_read_timeout(Some(PULSE))?;
        let questions = store.questions().map_err(io::Error::other)?;
        loop {
            match questions.settle(id, SystemTime::now()).map_err(io::Error::other)? {
                Settlement::Answered(given) => return Ok(Response::Answered(read(given.answer), given.by)),
                Settlement::Gone | Settlement::Spent => return Ok(Response::Gone),
                Settlement::Silence => return Ok(Response::Silence),
                Settlement::Waiting => {}
            }
            match read_request(requests) {
                Ok(Some(Request::Settle(answer))) if self.approvers.trust_terminal_of(peer.uid) => {
                    let by = format!("terminal of {}", peer.name());
                    // Whoever was first is heard in the next round.
                    let _ = questions
                        .answer(id, kept(answer), &by, SystemTime::now())
                        .map_err(io::Error::other)?;
                }
                Ok(Some(_)) => return Ok(Response::Refused("whoever asks may not answer".to_owned())),
                // Whoever asked is gone. The question stays, for the same call made again.
                Ok(None) => return Ok(Response::Gone),
                Err(error) if is_pause(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn answer(&self, store: &Store, peer: &Peer, id: &str, answer: Answer) -> Response {
        let found = store.questions().and_then(|questions| questions.find(id));
        let question = match found {
            Ok(Some(question)) => question,
            Ok(None) => return Response::Gone,
            Err(error) => return Response::Refused(error.to_string()),
        };
        if let Some(why) = peer.objection(&self.approvers, question.draft.asker.uid, &household(&question)) {
            return Response::Refused(why);
        }
        let answered = store
            .questions()
            .and_then(|questions| questions.answer(id, kept(answer), &peer.name(), SystemTime::now()));
        match answered {
            Ok(Answered::Won | Answered::Late) => Response::Won,
            Ok(Answered::Lost(given)) => Response::Answered(read(given.answer), given.by),
            Ok(Answered::Gone) => Response::Gone,
            Err(error) => Response::Refused(error.to_string()),
        }
    }
}

impl Drop for Running {
    /// Leaves the place to the next. Questions that wait find it.
    #[expect(clippy::disallowed_methods, reason = "the one place where the broker's socket is made")]
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The thread sits in `accept`; a connection wakes it. If that fails, it ends with the process.
        let _ = UnixStream::connect(&self.socket);
        let _ = fs::remove_file(&self.socket);
    }
}

fn ask(store: &Store, peer: &Peer, asked: Asked, seconds: u32) -> Result<String, Response> {
    let now = SystemTime::now();
    let refuse = |why: String| Response::Refused(why);
    let binding =
        Digest::parse(&asked.digest).ok_or_else(|| refuse("the digest cannot be read".to_owned()))?;
    let mut shown = asked.to_json();
    if let Some(fields) = shown.as_object_mut() {
        fields.insert("household".to_owned(), peer::to_json(&peer.household()));
    }
    let draft = Draft {
        session: asked.session,
        asked: now.into(),
        expires: (now + Duration::from_secs(u64::from(seconds))).into(),
        asker: asker(peer),
        binding,
        shown,
    };
    let question = store.questions().and_then(|questions| questions.ask(&draft));
    question.map(|question| question.id).map_err(|error| refuse(error.to_string()))
}

/// The question that a process waits for, which only that process may do.
fn resume(store: &Store, peer: &Peer, id: String) -> Result<String, Response> {
    let found = store.questions().and_then(|questions| questions.find(&id));
    match found {
        Ok(Some(question)) if question.draft.asker == asker(peer) => Ok(id),
        Ok(_) => Err(Response::Gone),
        Err(error) => Err(Response::Refused(error.to_string())),
    }
}

fn asker(peer: &Peer) -> Asker {
    Asker { pid: peer.pid, started: peer.started(), uid: peer.uid }
}

fn list(store: &Store) -> Response {
    let listed = store.questions().and_then(|questions| {
        questions.expire(SystemTime::now())?;
        questions.listed(None)
    });
    match listed {
        Ok(questions) => Response::Questions(questions.iter().filter_map(shown).collect()),
        Err(error) => Response::Refused(error.to_string()),
    }
}

fn shown(question: &Question) -> Option<Asked> {
    Some(Asked { id: question.id.clone(), ..Asked::from_json(&question.draft.shown)? })
}

fn household(question: &Question) -> Vec<crate::ancestry::Process> {
    question.draft.shown.get("household").map(peer::from_json).unwrap_or_default()
}

/// An answer as the store writes it.
fn kept(answer: Answer) -> questions::Answer {
    match answer {
        Answer::Always => questions::Answer::Always,
        Answer::Deny => questions::Answer::Deny,
        Answer::Once => questions::Answer::Once,
        Answer::Session => questions::Answer::Session,
    }
}

/// An answer as the store has it.
pub(crate) fn read(answer: questions::Answer) -> Answer {
    match answer {
        questions::Answer::Always => Answer::Always,
        questions::Answer::Deny => Answer::Deny,
        questions::Answer::Once => Answer::Once,
        questions::Answer::Session => Answer::Session,
    }
}

fn send(mut stream: &UnixStream, response: &Response) -> io::Result<()> {
    send_response(&mut stream, response)
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
