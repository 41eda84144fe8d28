//! A server elsewhere, which is spoken to in HTTP.
//!
//! Every message is a request of its own. Its answer is one message or a stream of them; what the server wants to say by itself comes on a
//! stream that is opened once a session has begun. Every connection is judged by name and address, and redirects are not followed.

mod answer;

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use herm_adapters::jsonrpc::{Failure, INTERNAL, Id, Message, Request, Response};
use herm_adapters::mcp::http::{Mirrored, fields};
use herm_proxy::{Fetcher, Hear, Part, Posting};

use answer::Answer;

use super::{Event, spawn};
use crate::companion::Heard;

/// A server elsewhere.
#[derive(Debug)]
pub(super) struct Remote {
    queue: SyncSender<Vec<u8>>,
    line: Arc<Line>,
}

/// What all requests have in common.
struct Line {
    fetcher: Fetcher,
    url: String,
    /// The fields that somebody wants to be sent.
    given: Vec<(String, String)>,
    events: SyncSender<Event>,
    is_over: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    session: Option<String>,
    version: Option<String>,
    /// What calls a request off.
    open: HashMap<Id, Arc<AtomicBool>>,
    mirrored: Mirrored,
    is_listening: bool,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Line").field("url", &self.url).finish_non_exhaustive()
    }
}

/// How many messages wait to be sent.
const WAITING: usize = 256;

/// How long an answer may take, and a stream last.
const LONG: Duration = Duration::from_hours(24);

/// How long a message may take that has no answer.
const SHORT: Duration = Duration::from_secs(30);

/// How long to wait before a stream that ended is opened again.
const PAUSE: Duration = Duration::from_secs(1);

/// However soon a server wants it to be.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// How often a stream on which nothing new comes is gone on with.
const TRIES: usize = 10;

impl Remote {
    pub(super) fn new(
        fetcher: Fetcher,
        url: &str,
        given: Vec<(String, String)>,
        events: SyncSender<Event>,
    ) -> io::Result<Self> {
        let (is_over, state) = (AtomicBool::new(false), Mutex::default());
        let line = Arc::new(Line { fetcher, url: url.to_owned(), given, events, is_over, state });
        let (queue, queued) = sync_channel(WAITING);
        let sends = Arc::clone(&line);
        spawn("sending", move || sends.send_all(&queued))?;
        Ok(Self { queue, line })
    }

    pub(super) fn say(&self, line: &[u8]) -> io::Result<()> {
        self.queue.try_send(line.to_vec()).map_err(|error| match error {
            TrySendError::Disconnected(_) => io::ErrorKind::BrokenPipe.into(),
            TrySendError::Full(_) => io::ErrorKind::WouldBlock.into(),
        })
    }

    /// Says goodbye, and no longer listens.
    pub(super) fn end(&self, time: Duration) {
        self.line.is_over.store(true, Ordering::Release);
        let fields = self.line.session_fields();
        if fields.iter().any(|(name, _)| name == SESSION) {
            let posting = self.line.posting("DELETE", fields, Vec::new(), time);
            // Whether it is heard makes no difference here.
            let _ = self.line.fetcher.exchange(&|| false, &posting, &(Arc::new(|_: Part<'_>| false) as Hear));
        }
    }
}

const SESSION: &str = "Mcp-Session-Id";

impl Line {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what is to be sent: requests side by side, everything else one after the other.
    fn send_all(self: &Arc<Self>, queued: &Receiver<Vec<u8>>) {
        for line in queued {
            match Message::read(line.trim_ascii_end()) {
                Ok(Message::Request(request)) => {
                    let sends = Arc::clone(self);
                    let id = request.id.clone();
                    let calls_off = Arc::new(AtomicBool::new(false));
                    self.state().open.insert(id.clone(), Arc::clone(&calls_off));
                    if spawn("request", move || sends.request(request, line, &calls_off)).is_err() {
                        self.fail(id, "there are too many threads");
                    }
                }
                Ok(message) => self.tell(&message, line),
                // Nothing but messages is passed on.
                Err(_) => {}
            }
        }
    }

    /// Sends what has no answer.
    fn tell(self: &Arc<Self>, message: &Message, line: Vec<u8>) {
        let Message::Notification(said) = message else {
            drop(self.post(line, None, SHORT, &AtomicBool::new(false)));
            return;
        };
        if said.method == "notifications/cancelled" {
            let wanted = said.params.as_ref().and_then(|params| params.get("requestId"));
            let state = self.state();
            let found = state.open.iter().find(|(id, _)| Some(&id.value()) == wanted);
            if let Some((_, calls_off)) = found {
                calls_off.store(true, Ordering::Release);
            }
            // Without a session, to close the connection is to call it off.
            if state.version.is_none() {
                return;
            }
        }
        drop(self.post(line, None, SHORT, &AtomicBool::new(false)));
        if said.method == "notifications/initialized"
            && !std::mem::replace(&mut self.state().is_listening, true)
        {
            let listens = Arc::clone(self);
            // Without the stream, what is asked for is answered all the same.
            let _ = spawn("listening", move || listens.listen());
        }
    }

    fn request(self: &Arc<Self>, request: Request, line: Vec<u8>, calls_off: &AtomicBool) {
        let id = request.id.clone();
        let posted = self.post(line, Some(request), LONG, calls_off);
        let posted = posted.and_then(|answer| self.resume(answer, calls_off));
        self.state().open.remove(&id);
        match posted {
            Ok(answer) if answer.is_answered => {}
            Ok(answer) => self.fail_as(id, answer.failure()),
            Err(why) => self.fail(id, &why),
        }
    }

    /// Goes on with a stream that ended before the answer came, where its server said from where.
    fn resume(self: &Arc<Self>, mut answer: Answer, calls_off: &AtomicBool) -> Result<Answer, String> {
        let mut tries = if self.state().version.is_some() { 0 } else { TRIES };
        while !answer.is_answered && tries < TRIES && answer.is_stream() {
            let Some(last) = answer.events.last().map(str::to_owned) else { break };
            let is_called_off = || calls_off.load(Ordering::Acquire);
            if !self.pause(answer.events.retry().unwrap_or(PAUSE), is_called_off) {
                break;
            }
            let mut said = self.session_fields();
            said.push(("Accept".to_owned(), "text/event-stream".to_owned()));
            said.push(("Last-Event-ID".to_owned(), last.clone()));
            let posting = self.posting("GET", said, Vec::new(), LONG);
            let next = self.exchange(&posting, answer.request.clone(), calls_off)?;
            // Whoever says nothing new, again and again, has nothing to say.
            tries = if next.events.last().is_some_and(|name| name != last) { 0 } else { tries + 1 };
            answer = next;
        }
        Ok(answer)
    }

    /// Waits for a while. Says whether there is still a reason to.
    fn pause(&self, time: Duration, is_called_off: impl Fn() -> bool) -> bool {
        let end = Instant::now() + time.max(SHORTEST_PAUSE);
        let is_over = || self.is_over.load(Ordering::Acquire) || is_called_off();
        while Instant::now() < end && !is_over() {
            thread::sleep(Duration::from_millis(20));
        }
        !is_over()
    }

    fn fail(&self, id: Id, why: &str) {
        self.fail_as(id, Failure::new(INTERNAL, why));
    }

    fn fail_as(&self, id: Id, failure: Failure) {
        let response = Message::Response(Response { id: Some(id), outcome: Err(failure) });
        self.hear(Heard::Line(response.line().trim_ascii_end().to_vec()));
    }

    fn hear(&self, heard: Heard) -> bool {
        !self.is_over.load(Ordering::Acquire) && self.events.send(Event::Server(heard)).is_ok()
    }

    fn session_fields(&self) -> Vec<(String, String)> {
        let state = self.state();
        let version = state.version.clone().map(|version| ("MCP-Protocol-Version".to_owned(), version));
        version
            .into_iter()
            .chain(state.session.clone().map(|session| (SESSION.to_owned(), session)))
            .collect()
    }

    fn posting(
        &self,
        method: &'static str,
        fields: Vec<(String, String)>,
        body: Vec<u8>,
        time: Duration,
    ) -> Posting {
        let fields = self.given.iter().cloned().chain(fields).collect();
        Posting { method, link: self.url.clone(), fields, body, time }
    }

    /// Sends a message, and has what comes back heard as it comes.
    fn post(
        self: &Arc<Self>,
        line: Vec<u8>,
        request: Option<Request>,
        time: Duration,
        calls_off: &AtomicBool,
    ) -> Result<Answer, String> {
        let mut said = vec![
            ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
            ("Content-Type".to_owned(), "application/json".to_owned()),
        ];
        let message = request.clone().map(Message::Request);
        let own = message.as_ref().and_then(|message| fields(message, &self.state().mirrored));
        said.extend(own.unwrap_or_else(|| self.session_fields()));
        let posting = self.posting("POST", said, line, time);
        self.exchange(&posting, request, calls_off)
    }

    fn exchange(
        self: &Arc<Self>,
        posting: &Posting,
        request: Option<Request>,
        calls_off: &AtomicBool,
    ) -> Result<Answer, String> {
        let answer = Arc::new(Mutex::new(Answer::to(request)));
        let (held, line) = (Arc::clone(&answer), Arc::clone(self));
        let hear: Hear = Arc::new(move |part: Part<'_>| {
            let mut answer = held.lock().unwrap_or_else(PoisonError::into_inner);
            let heard = answer.take(part);
            // What must be known before the next message is sent is learnt before this one is heard.
            line.learn(&mut answer);
            drop(answer);
            heard.into_iter().all(|heard| line.hear(heard))
        });
        let is_called_off = || calls_off.load(Ordering::Acquire) || self.is_over.load(Ordering::Acquire);
        self.fetcher.exchange(&is_called_off, posting, &hear).map_err(|error| error.to_string())?;
        let mut answer = std::mem::take(&mut *answer.lock().unwrap_or_else(PoisonError::into_inner));
        let last = answer.finish();
        self.learn(&mut answer);
        if let Some(heard) = last {
            self.hear(heard);
        }
        Ok(answer)
    }

    /// Keeps what a server said about the session, and about its tools.
    fn learn(&self, answer: &mut Answer) {
        let mut state = self.state();
        if let Some(session) = answer.session.take() {
            state.session = Some(session);
        }
        if let Some(version) = answer.version.take() {
            state.version = Some(version);
        }
        if let Some(tools) = answer.tools.take() {
            state.mirrored.learn(&tools);
        }
    }

    /// Listens to what the server says by itself, as long as it offers that.
    fn listen(self: &Arc<Self>) {
        let never = AtomicBool::new(false);
        let (mut last, mut pause) = (None, PAUSE);
        loop {
            let mut said = self.session_fields();
            said.push(("Accept".to_owned(), "text/event-stream".to_owned()));
            said.extend(last.clone().map(|last| ("Last-Event-ID".to_owned(), last)));
            let posting = self.posting("GET", said, Vec::new(), LONG);
            let Some(answer) = self.exchange(&posting, None, &never).ok().filter(Answer::is_stream) else {
                return;
            };
            last = answer.events.last().map(str::to_owned).or(last);
            pause = answer.events.retry().unwrap_or(pause);
            if !self.pause(pause, || false) {
                return;
            }
        }
    }
}
