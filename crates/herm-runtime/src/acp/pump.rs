//! Reads what both sides say, and does about it what the proxy says.

mod files;
mod terminals;

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use herm_adapters::acp::{Place, Proxy, Question, Said, Step, Ticket, What, Wish};
use herm_adapters::jsonrpc::{Failure, INTERNAL, Id};
use herm_sandbox::process::{Cancel, Ending, Error, Execution};
use serde_json::Value;

use super::desk::Desk;
use super::lead::Lead;
use super::seen::{Scribe, Sighting, scribe};
use super::terminal::Terminal;
use super::wish::Bench;
use super::{Ended, GRACE};
use crate::companion::{Companion, Heard, Speaker};
use crate::identity;

/// What happens.
#[derive(Debug)]
pub(super) enum Event {
    /// The agent said something.
    Agent(Heard),
    /// What the agent asked for has this answer.
    Answer(Ticket, Result<Value, Failure>),
    /// Somebody wants to ask the editor's person.
    Ask { token: u64, question: Box<Question>, back: Sender<Said> },
    /// A command begins in a terminal.
    Began(Box<Wish>, Arc<Terminal>),
    /// Nothing more is to be said about it.
    Done,
    /// The editor said something.
    Editor(Heard),
    /// A command in a terminal is over.
    Over(Arc<Terminal>),
    /// What the agent asked for goes to the editor, and this is where that leads.
    Pass(Box<Wish>, Lead),
    /// Something is decided about no longer.
    Settled(u64),
    /// A question of ours was shown as a tool call, which is over now.
    Shut { session: String, call: String, is_done: bool },
    /// A tool call was refused, and why.
    Refused { session: String, call: String, text: String },
    /// A question is no longer to be answered.
    TakeBack(u64),
}

/// Reads what both sides say.
pub(super) struct Pump {
    desk: Arc<Desk>,
    proxy: Proxy,
    editor: Speaker,
    agent: Speaker,
    companion: Option<Companion>,
    listener: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
    events: (SyncSender<Event>, Receiver<Event>),
    /// Whoever records what ran unasked, until nothing more is seen.
    scribe: Scribe,
    /// What is being decided about, by its number: how the agent knows it, the session, and what calls it off.
    wishes: HashMap<u64, (Ticket, String, Arc<Cancel>)>,
    /// Questions that the editor's person was asked: by our number and by that of whoever waits.
    waiting: HashMap<u64, (u64, Sender<Said>)>,
    terminals: HashMap<String, Arc<Terminal>>,
    ends: HashMap<String, Vec<Ticket>>,
    /// Files that the editor was told to open: the session, where that works, and where they lead.
    leads: HashMap<Id, (String, Place, Lead)>,
}

/// How many events wait.
const WAITING: usize = 64;

/// How many things are decided about at once, and how many terminals there are.
const MOST: usize = 64;

/// How often it is looked whether herm is to stop.
const PULSE: Duration = Duration::from_millis(200);

/// How long somebody who does not read is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

impl Pump {
    pub(super) fn new(desk: Arc<Desk>, editor: Speaker, companion: Companion) -> io::Result<Self> {
        Ok(Self {
            proxy: Proxy::new(&identity::fresh(), desk.terms.agent),
            editor,
            agent: companion.speaker(),
            companion: Some(companion),
            listener: None,
            stop: Arc::default(),
            events: sync_channel(WAITING),
            scribe: scribe(Arc::clone(&desk))?,
            wishes: HashMap::new(),
            waiting: HashMap::new(),
            terminals: HashMap::new(),
            ends: HashMap::new(),
            leads: HashMap::new(),
            desk,
        })
    }

    /// Goes on until one side has gone.
    pub(super) fn run(mut self, editor: Receiver<Heard>, cancel: &Cancel) -> io::Result<Ended> {
        self.listen(editor)?;
        let ended = loop {
            let event = match self.events.1.recv_timeout(PULSE) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) if !cancel.is_cancelled() => continue,
                Err(_) => break Ended::Editor,
            };
            if let Some(ended) = self.attend(event) {
                break ended;
            }
            if cancel.is_cancelled() {
                break Ended::Editor;
            }
        };
        Ok(self.close(ended))
    }

    /// Both sides are listened to, each on a thread of its own and no faster than they are attended to.
    fn listen(&mut self, editor: Receiver<Heard>) -> io::Result<()> {
        let events = self.events.0.clone();
        thread::Builder::new().name("editor".to_owned()).spawn(move || {
            for heard in editor {
                if events.send(Event::Editor(heard)).is_err() {
                    return;
                }
            }
        })?;
        let events = self.events.0.clone();
        let Some(companion) = self.companion.take() else { return Ok(()) };
        let stop = Arc::clone(&self.stop);
        self.listener = Some(thread::Builder::new().name("agent".to_owned()).spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                let Some(heard) = companion.hear_within(PULSE) else { continue };
                let is_over = matches!(heard, Heard::Over(_));
                if events.send(Event::Agent(heard)).is_err() || is_over {
                    return;
                }
            }
        })?);
        Ok(())
    }

    /// Does what is to be done; says how it ended if it did.
    fn attend(&mut self, event: Event) -> Option<Ended> {
        match event {
            Event::Editor(Heard::Line(line)) => {
                let steps = self.proxy.from_editor(&line);
                return self.take(steps);
            }
            Event::Agent(Heard::Line(line)) => {
                let terminals = &self.terminals;
                let look = |name: &str| terminals.get(name).map(|terminal| terminal.text());
                let steps = self.proxy.from_agent(&line, &look);
                return self.take(steps);
            }
            Event::Editor(Heard::TooLong) => {
                self.note("the editor said more in a line than is read; that was dropped");
            }
            Event::Agent(Heard::TooLong) => {
                self.note("the agent said more in a line than is read; that was dropped");
            }
            Event::Editor(Heard::Over(_)) => return Some(Ended::Editor),
            Event::Agent(Heard::Over(end)) => return Some(ended(end)),
            Event::Answer(ticket, outcome) => {
                let line = self.proxy.answer(&ticket, outcome);
                return line.and_then(|line| self.tell_agent(&line));
            }
            Event::Ask { token, question, back } => {
                let (number, line) = self.proxy.ask(&question);
                self.waiting.insert(number, (token, back));
                return self.tell_editor(&line);
            }
            Event::Began(wish, terminal) => return self.began(&wish, terminal),
            Event::Done => {}
            Event::Over(terminal) => return self.over(&terminal),
            Event::Pass(wish, lead) => return self.pass(&wish, lead),
            Event::Settled(number) => drop(self.wishes.remove(&number)),
            Event::Refused { session, call, text } => {
                let line = self.proxy.refused(&session, &call, &text);
                return line.and_then(|line| self.tell_editor(&line));
            }
            Event::Shut { session, call, is_done } => {
                return self.tell_editor(&Proxy::shut(&session, &call, is_done));
            }
            Event::TakeBack(token) => {
                let number =
                    self.waiting.iter().find(|(_, (other, _))| *other == token).map(|(number, _)| *number);
                let line = number.and_then(|number| {
                    self.waiting.remove(&number);
                    self.proxy.take_back(number)
                });
                return line.and_then(|line| self.tell_editor(&line));
            }
        }
        None
    }

    fn take(&mut self, steps: Vec<Step>) -> Option<Ended> {
        steps.into_iter().find_map(|step| self.step(step))
    }

    fn step(&mut self, step: Step) -> Option<Ended> {
        match step {
            Step::Agent(line) => return self.tell_agent(&line),
            Step::Editor(line) => return self.tell_editor(&line),
            Step::Answered(number, said) => {
                if let Some((_, back)) = self.waiting.remove(&number) {
                    // Whoever waited may have been told elsewhere.
                    let _ = back.send(said);
                }
            }
            Step::CalledOff(session) => {
                self.call_off(|_, other| other == session);
            }
            Step::Decide(wish) => return self.decide(*wish),
            Step::End(why) => return Some(Ended::Failed(why)),
            Step::Note(words) => self.desk.face.note(&words),
            Step::Read(response) => return self.read(response),
            Step::Wrote(id, line) => return self.wrote(&id, &line),
            Step::Saw(session, place, tool) => self.saw((session, place, tool)),
            Step::Terminal(ticket, name, deed) => return self.terminal(&ticket, &name, deed),
            Step::Withdrawn(id) => self.call_off(|other, _| other.id == id),
        }
        None
    }

    /// Has it recorded. An agent that runs more than can be recorded is not listened to meanwhile.
    fn saw(&self, sighting: Sighting) {
        if !self.scribe.take(sighting) {
            self.note("the agent ran something unasked that cannot be recorded");
        }
    }

    fn decide(&mut self, wish: Wish) -> Option<Ended> {
        let ticket = wish.ticket.clone();
        let is_full = matches!(wish.what, What::Terminal(_)) && self.terminals.len() >= MOST;
        let has_room = self.wishes.len() < MOST && !is_full;
        let started = if has_room { self.start(wish) } else { Err(io::ErrorKind::QuotaExceeded.into()) };
        if started.is_ok() {
            return None;
        }
        let failure = Failure::new(INTERNAL, "herm: too much is being decided about");
        let line = self.proxy.answer(&ticket, Err(failure));
        line.and_then(|line| self.tell_agent(&line))
    }

    fn start(&mut self, wish: Wish) -> io::Result<()> {
        let cancel = Arc::new(Cancel::new()?);
        let (number, pump) = (self.desk.number(), self.events.0.clone());
        let bench = Bench { number, desk: Arc::clone(&self.desk), pump, cancel: Arc::clone(&cancel) };
        let (ticket, session) = (wish.ticket.clone(), wish.session.clone());
        thread::Builder::new().name("wish".to_owned()).spawn(move || bench.decide(&wish))?;
        self.wishes.insert(number, (ticket, session, cancel));
        Ok(())
    }

    fn call_off(&self, which: impl Fn(&Ticket, &str) -> bool) {
        let called = self.wishes.values().filter(|(ticket, session, _)| which(ticket, session));
        called.for_each(|(_, _, cancel)| cancel.cancel());
    }

    pub(super) fn note(&self, words: &str) {
        self.desk.face.note(words);
    }

    pub(super) fn tell_agent(&self, line: &[u8]) -> Option<Ended> {
        // An agent that has gone is heard of.
        say(&self.agent, line).then(|| Ended::Failed("the agent does not read what it is told".to_owned()))
    }

    pub(super) fn tell_editor(&self, line: &[u8]) -> Option<Ended> {
        say(&self.editor, line).then(|| Ended::Failed("the editor does not read what it is told".to_owned()))
    }

    /// The agent may end by itself; then everything that is left is ended.
    fn close(mut self, mut ended: Ended) -> Ended {
        self.call_off(|_, _| true);
        self.terminals.values().for_each(|terminal| terminal.cancel.cancel());
        self.agent.close();
        let end = Instant::now() + GRACE;
        let mut is_waited_for = ended == Ended::Editor;
        while is_waited_for {
            match self.events.1.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Event::Agent(Heard::Line(line))) => self.last_words(&line),
                Ok(Event::Agent(Heard::Over(Some(Err(error))))) => {
                    ended = unstarted(&error);
                    is_waited_for = false;
                }
                Ok(Event::Agent(Heard::Over(_))) | Err(_) => is_waited_for = false,
                Ok(_) => {}
            }
        }
        self.stop.store(true, Ordering::Relaxed);
        // Whoever still wants to say something learns that nobody listens.
        let Self { listener, editor, events, scribe, .. } = self;
        drop(events);
        scribe.finish(PATIENCE);
        let _ = listener.map(JoinHandle::join);
        editor.finish(GRACE);
        ended
    }

    /// What an agent says when its editor has gone is passed on, and seen. Nothing is decided about any more.
    fn last_words(&mut self, line: &[u8]) {
        let terminals = &self.terminals;
        let look = |name: &str| terminals.get(name).map(|terminal| terminal.text());
        let steps = self.proxy.from_agent(line, &look);
        let told = steps.into_iter().filter(|step| matches!(step, Step::Editor(_) | Step::Saw(..)));
        let _ = self.take(told.collect());
    }
}

/// Whether somebody has not listened for too long.
fn say(speaker: &Speaker, line: &[u8]) -> bool {
    let end = Instant::now() + PATIENCE;
    loop {
        match speaker.say(line) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if Instant::now() >= end {
                    return true;
                }
                thread::sleep(Duration::from_millis(5));
            }
            // Who has gone is heard of.
            Ok(()) | Err(_) => return false,
        }
    }
}

fn unstarted(error: &Error) -> Ended {
    Ended::Failed(format!("the agent cannot be started: {error}"))
}

fn ended(end: Option<Result<Execution, Error>>) -> Ended {
    match end {
        Some(Ok(execution)) => Ended::Agent(match execution.ending {
            Ending::Exited(code) => code,
            Ending::Signalled(signal) => 128 + signal,
            Ending::Cancelled | Ending::TimedOut => 130,
        }),
        Some(Err(error)) => unstarted(&error),
        None => Ended::Failed("the agent has gone".to_owned()),
    }
}
