//! What a broker does for those who connect to it.

use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use herm::approval::Answer;
use herm_store::sqlite::questions::{Answered, Asker, Draft, Given, Question};
use herm_store::{Digest, Store};

use super::ledger;
use super::line::{Held, Line, Lines};
use super::peer::{self, Approvers, Peer};
use super::protocol::{Request, Response, read_request, send_response};
use crate::ancestry::Process;
use crate::asked::Asked;
use crate::books::Shelf;

/// How often a waiting question is looked at, in case somebody else has answered it in the store. Whoever answers
/// through this broker tells the one who waits.
const PULSE: Duration = Duration::from_secs(1);

/// What a broker does for those who connect to it. Everything that must outlive it is in the store.
#[derive(Debug)]
pub(super) struct Office {
    store: Store,
    approvers: Approvers,
    lines: Lines,
}

impl Office {
    pub(super) fn new(store: Store, approvers: Approvers) -> Self {
        Self { store, approvers, lines: Lines::default() }
    }

    pub(super) fn serve(&self, stream: &Arc<UnixStream>) -> io::Result<()> {
        let peer = Peer::of(stream)?;
        let mut requests = BufReader::new(&**stream);
        while let Some(request) = read_request(&mut requests)? {
            let response = match request {
                Request::Answer { id, answer } => self.answer(&peer, &id, answer),
                Request::Ask { asked, seconds } => {
                    return self.attend(&peer, self.ask(&peer, &asked, seconds), stream, &mut requests);
                }
                Request::List => self.list(&peer),
                Request::Resume(id) => {
                    return self.attend(&peer, self.resume(&peer, &id), stream, &mut requests);
                }
                Request::Settle(_) => Response::Refused("nothing was asked".to_owned()),
                other @ (Request::Append { .. }
                | Request::Consented { .. }
                | Request::Late { .. }
                | Request::Memory(_)
                | Request::Spend { .. }) => self.keep_books(&peer, other),
            };
            send(stream, &response)?;
        }
        Ok(())
    }

    fn keep_books(&self, peer: &Peer, request: Request) -> Response {
        let served = self.approvers.guard().then(|| ledger::serve(&self.store, peer, request)).flatten();
        served.unwrap_or_else(|| Response::Refused("no books are kept here for others".to_owned()))
    }

    /// Tells that a question waits, and then what came of it.
    fn attend(
        &self,
        peer: &Peer,
        asked: Result<Question, Response>,
        stream: &Arc<UnixStream>,
        requests: &mut BufReader<&UnixStream>,
    ) -> io::Result<()> {
        let question = match asked {
            Ok(question) => question,
            Err(response) => return send(stream, &response),
        };
        let line = Arc::new(Line::new(&question.id, stream));
        send(stream, &Response::Waiting(question.id.clone()))?;
        self.lines.add(&line);
        let waited = self.wait(peer, &question, &line, stream, requests);
        self.lines.remove(&line);
        waited
    }

    /// Waits for an answer, from whoever gives it first.
    fn wait(
        &self,
        peer: &Peer,
        question: &Question,
        line: &Line,
        stream: &UnixStream,
        requests: &mut BufReader<&UnixStream>,
    ) -> io::Result<()> {
        while !line.hold().tell(&self.store)? {
            stream.set_read_timeout(Some(pause(question)))?;
            match read_request(requests) {
                Ok(Some(Request::Settle(answer))) if self.trusts_terminal(peer, question) => {
                    let by = format!("terminal of {}", peer.name());
                    let questions = self.store.questions().map_err(io::Error::other)?;
                    // Whoever was first is heard in the next round.
                    let answered = questions.answer(&question.id, answer, &by, SystemTime::now());
                    let _ = answered.map_err(io::Error::other)?;
                }
                Ok(Some(_)) => {
                    return send(stream, &Response::Refused("whoever asks may not answer".to_owned()));
                }
                // Whoever asked is gone. The question stays, for the same call made again.
                Ok(None) => return Ok(()),
                Err(error) if is_pause(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether an answer from the terminal of whoever asks counts: not from what herm runs, and not when time is over.
    fn trusts_terminal(&self, peer: &Peer, question: &Question) -> bool {
        self.approvers.trust_terminal_of(peer.uid)
            && !peer.is_guarded()
            && SystemTime::now() < question.draft.expires.system_time()
    }

    fn answer(&self, peer: &Peer, id: &str, answer: Answer) -> Response {
        let found = self.store.questions().and_then(|questions| questions.find(id));
        let question = match found {
            Ok(Some(question)) => question,
            Ok(None) => return Response::Gone,
            Err(error) => return Response::Refused(error.to_string()),
        };
        if let Some(why) = peer.objection(&self.approvers, question.draft.asker.uid, &household(&question)) {
            return Response::Refused(why);
        }
        if answer == Answer::Always && shown(&question).is_some_and(|asked| !asked.always) {
            return Response::Refused("what it would cover for ever cannot be described".to_owned());
        }
        // Whoever waits hears of the answer when everything that follows from it is kept.
        let line = self.lines.find(id);
        let mut held = line.as_ref().map(|line| line.hold());
        let response = self.take(peer, &question, answer);
        if let Some(held) = &mut held {
            self.release(held);
        }
        response
    }

    fn take(&self, peer: &Peer, question: &Question, answer: Answer) -> Response {
        let given = Given { answer, by: peer.name(), at: SystemTime::now().into() };
        let answered = self
            .store
            .questions()
            .and_then(|questions| questions.answer(&question.id, given.answer, &given.by, given.at));
        match answered {
            Ok(Answered::Won | Answered::Late) => self.follow(question, &given),
            Ok(Answered::Lost(given)) => Response::Answered(given.answer, given.by),
            Ok(Answered::Gone) => Response::Gone,
            Err(error) => Response::Refused(error.to_string()),
        }
    }

    /// Whoever asks keeps what follows, unless it is another user who could make more of it.
    fn follow(&self, question: &Question, given: &Given) -> Response {
        let kept = match (self.approvers.guard(), given.answer) {
            (true, _) => ledger::keep(&self.store, question, given),
            // Whoever asked may have gone, and a no must not be lost with it.
            (false, Answer::Deny) => ledger::keep_denial(&self.store, question),
            (false, Answer::Always | Answer::Once | Answer::Session) => Ok(()),
        };
        match kept {
            Ok(()) => Response::Won,
            Err(error) => Response::Refused(format!("it is answered, but not remembered: {error}")),
        }
    }

    fn release(&self, held: &mut Held<'_>) {
        // Whoever has gone needs no answer; whoever is still there looks again by itself.
        let _ = held.tell(&self.store);
    }

    fn list(&self, peer: &Peer) -> Response {
        let listed = self.store.questions().and_then(|questions| {
            questions.expire(SystemTime::now())?;
            questions.listed(None)
        });
        let seen = |question: &&Question| self.approvers.show(peer.uid, question.draft.asker.uid);
        match listed {
            Ok(questions) => Response::Questions(questions.iter().filter(seen).filter_map(shown).collect()),
            Err(error) => Response::Refused(error.to_string()),
        }
    }

    fn ask(&self, peer: &Peer, asked: &Asked, seconds: u32) -> Result<Question, Response> {
        let now = SystemTime::now();
        let refuse = |why: String| Response::Refused(why);
        let binding =
            Digest::parse(&asked.digest).ok_or_else(|| refuse("the digest cannot be read".to_owned()))?;
        let mut shown = asked.to_json();
        if let Some(fields) = shown.as_object_mut() {
            fields.insert("household".to_owned(), peer::to_json(&peer.household()));
        }
        let draft = Draft {
            session: self.shelf(peer, &asked.session).session().to_owned(),
            asked: now.into(),
            expires: (now + Duration::from_secs(u64::from(seconds))).into(),
            asker: asker(peer),
            binding,
            shown,
        };
        let question = self.store.questions().and_then(|questions| questions.ask(&draft));
        question.map_err(|error| refuse(error.to_string()))
    }

    /// The question that a process waits for, which only that process may do.
    fn resume(&self, peer: &Peer, id: &str) -> Result<Question, Response> {
        let found = self.store.questions().and_then(|questions| questions.find(id));
        match found {
            Ok(Some(question)) if question.draft.asker == asker(peer) => Ok(question),
            Ok(_) => Err(Response::Gone),
            Err(error) => Err(Response::Refused(error.to_string())),
        }
    }

    /// Where what is said in a session is kept. Where users differ, each has sessions of its own.
    fn shelf(&self, peer: &Peer, session: &str) -> Shelf<'_> {
        if self.approvers.guard() {
            Shelf::of(peer.uid, &self.store, session)
        } else {
            Shelf::new(&self.store, session)
        }
    }
}

fn asker(peer: &Peer) -> Asker {
    Asker { pid: peer.pid, started: peer.started(), uid: peer.uid }
}

/// How long to wait before a question is looked at again: until its time is over, at most.
fn pause(question: &Question) -> Duration {
    let left = question.draft.expires.system_time().duration_since(SystemTime::now());
    left.unwrap_or_default().clamp(Duration::from_millis(1), PULSE)
}

fn shown(question: &Question) -> Option<Asked> {
    Some(Asked { id: question.id.clone(), ..Asked::from_json(&question.draft.shown)? })
}

fn household(question: &Question) -> Vec<Process> {
    question.draft.shown.get("household").map(peer::from_json).unwrap_or_default()
}

pub(super) fn send(mut stream: &UnixStream, response: &Response) -> io::Result<()> {
    send_response(&mut stream, response)
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
