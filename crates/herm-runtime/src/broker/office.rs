//! What a broker does for those who connect to it.

use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use herm::approval::Answer;
use herm_store::sqlite::questions::{Answered, Asker, Draft, Given, Question, Wanted};
use herm_store::{Digest, Store};

use super::ledger;
use super::line::{Held, Line, Lines};
use super::peer::{self, Approvers, Peer};
use super::protocol::{Request, Response, read_request, send_response};
use crate::ancestry::Process;
use crate::asked::Asked;
use crate::books::Shelf;

/// What a broker does for those who connect to it. Everything that must outlive it is in the store.
#[derive(Debug)]
pub(super) struct Office {
    store: Store,
    /// The same once more: whoever has thousands of questions listed holds up nobody who answers.
    lists: Store,
    approvers: Approvers,
    lines: Lines,
    /// How many have answered and were not told yet what came of it.
    untold: AtomicUsize,
}

impl Office {
    pub(super) fn new(home: &Path, approvers: Approvers) -> Result<Self, herm_store::Error> {
        Ok(Self {
            store: Store::open(home)?,
            lists: Store::open(home)?,
            approvers,
            lines: Lines::default(),
            untold: AtomicUsize::new(0),
        })
    }

    /// Whether somebody has answered and was not told yet what came of it.
    pub(super) fn owes_an_answer(&self) -> bool {
        self.untold.load(Ordering::Acquire) > 0
    }

    /// Leaves the log of the store to a [`Caretaker`](super::caretaker::Caretaker).
    pub(super) fn leave_log(&self) -> Result<(), herm_store::Error> {
        self.store.database()?.leave_log()
    }

    /// Tells those who wait what others have answered in the store.
    pub(super) fn hear_others(&self) -> Result<(), herm_store::Error> {
        for id in self.lists.questions()?.unheard()? {
            self.release(self.lines.find(&id).as_ref().map(|line| line.hold()));
        }
        Ok(())
    }

    pub(super) fn serve(&self, stream: &Arc<UnixStream>) -> io::Result<()> {
        let peer = Peer::of(stream)?;
        let mut requests = BufReader::new(&**stream);
        while let Some(request) = read_request(&mut requests)? {
            let response = match request {
                Request::Answer { id, answer } => {
                    self.untold.fetch_add(1, Ordering::AcqRel);
                    let told = send(stream, &self.answer(&peer, &id, answer));
                    self.untold.fetch_sub(1, Ordering::AcqRel);
                    told?;
                    continue;
                }
                Request::Ask { asked, seconds } => {
                    return self.attend(&peer, self.ask(&peer, &asked, seconds), stream, &mut requests);
                }
                Request::List { beginning, most } => self.list(&peer, &beginning, most),
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

    /// Waits for an answer, from whoever gives it first. Whoever gives one tells it on this line.
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
                Ok(Some(Request::Settle(answer)))
                    if self.trusts_terminal(peer, question)
                        && shown(question).and_then(|asked| asked.objection(answer)).is_none() =>
                {
                    let by = format!("terminal of {}", peer.name());
                    let given = Given { answer, by, at: SystemTime::now().into() };
                    // Whoever was first is heard.
                    let _ = self.take(question, &given).map_err(io::Error::other)?;
                    let told = line.hold().tell(&self.store);
                    self.flush().map_err(io::Error::other)?;
                    told?;
                }
                Ok(Some(_)) => {
                    return send(stream, &Response::Refused("whoever asks may not answer".to_owned()));
                }
                // Whoever asked is gone. The question stays, for the same call made again.
                Ok(None) => return self.leave(question),
                Err(error) if is_pause(&error) => {}
                Err(error) => return Err(error),
            }
        }
        self.leave(question)
    }

    /// What was tried is gone with whoever tried it, and nobody could keep it any more.
    fn leave(&self, question: &Question) -> io::Result<()> {
        if shown(question).is_some_and(|asked| asked.is_about_keeping()) {
            let questions = self.store.questions().map_err(io::Error::other)?;
            questions.withdraw(&question.id).map_err(io::Error::other)?;
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
        let asked = shown(&question);
        if let Some(why) = asked.as_ref().and_then(|asked| asked.objection(answer)) {
            return Response::Refused(why.to_owned());
        }
        let is_over = SystemTime::now() >= question.draft.expires.system_time();
        if is_over && asked.is_some_and(|asked| asked.is_about_keeping()) {
            return Response::Gone;
        }
        let given = Given { answer, by: peer.name(), at: SystemTime::now().into() };
        // Whoever waits hears nothing before it is told.
        let line = self.lines.find(id);
        let held = line.as_ref().map(|line| line.hold());
        match self.take(&question, &given) {
            Ok(Answered::Won | Answered::Late) => self.follow(&question, &given, held),
            Ok(Answered::Lost(given)) => Response::Answered(given.answer, given.by),
            Ok(Answered::Gone) => Response::Gone,
            Err(error) => Response::Refused(error.to_string()),
        }
    }

    /// Takes an answer. Everybody sees it from now on; it is not on the disk yet.
    fn take(&self, question: &Question, given: &Given) -> Result<Answered, herm_store::Error> {
        self.store.questions()?.answer_soon(&question.id, given.answer, &given.by, given.at)
    }

    fn flush(&self) -> Result<(), herm_store::Error> {
        self.store.database()?.flush()
    }

    /// Releases whoever waits, and keeps what follows. Whoever answered is told when it is on the disk.
    ///
    /// In user mode whoever asks keeps what follows, before it does anything else, so that it is released first. Another
    /// user could make more of a yes: then everything is kept here before it is heard of.
    fn follow(&self, question: &Question, given: &Given, held: Option<Held<'_>>) -> Response {
        let kept = if self.approvers.guard() {
            let kept = ledger::keep(&self.store, question, given);
            self.release(held);
            kept
        } else {
            self.release(held);
            match given.answer {
                // Whoever asked may have gone, and a no must not be lost with it.
                Answer::Deny => ledger::keep_denial(&self.store, question),
                Answer::Always | Answer::Once | Answer::Session | Answer::Try => Ok(()),
            }
        };
        match kept.and_then(|()| self.flush()) {
            Ok(()) => Response::Won,
            Err(error) => Response::Refused(format!("it is answered, but not remembered: {error}")),
        }
    }

    fn release(&self, held: Option<Held<'_>>) {
        // Whoever has gone needs no answer.
        let _ = held.map(|mut held| held.tell(&self.store));
    }

    fn list(&self, peer: &Peer, beginning: &str, most: Option<u32>) -> Response {
        let uid = (!self.approvers.show_all(peer.uid)).then_some(peer.uid);
        let listed = self.lists.questions().and_then(|questions| {
            questions.expire(SystemTime::now())?;
            questions.wanted(Wanted { beginning, most, uid })
        });
        match listed {
            Ok(questions) => Response::Questions(questions.iter().filter_map(shown).collect()),
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

/// How long to wait before a question is looked at again: until its time is over.
fn pause(question: &Question) -> Duration {
    let left = question.draft.expires.system_time().duration_since(SystemTime::now());
    left.unwrap_or_default().max(Duration::from_millis(1))
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
