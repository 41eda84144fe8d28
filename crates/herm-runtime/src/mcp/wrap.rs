//! Stands between a client and a server that speaks MCP: each call of a tool is decided about, and no secret passes.
//!
//! One thread moves the messages and never waits for a person. Whatever has to be decided is decided on a thread of its own.

mod calling;
mod circles;
mod desk;
mod environment;
mod greeting;
mod listen;
mod passing;
mod question;
mod remote;
mod rounds;
mod seal;
mod server;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use herm_adapters::jsonrpc::Message;
use herm_adapters::mcp::wrap::{Bounds, Matter, Pass, Relay, Step, Ticket, Verdict};
use herm_sandbox::process::Cancel;
use serde_json::Value;

use crate::ancestry;
use crate::asked::Asked;
use crate::companion::{Heard, Speaker};
use crate::identity;
use crate::people::Heard as Answer;
use crate::reply::Reply;
use crate::setup::{Problem, Setup};

use desk::Desk;
pub use environment::Given;
use greeting::{Changed, Greeting, Word};
pub use listen::listen;
pub use server::Server;

/// How herm shows itself while it stands between a client and a server.
pub trait Face: fmt::Debug + Send + Sync {
    /// What holds now.
    ///
    /// # Errors
    /// When that cannot be known.
    fn setup(&self) -> Result<Setup, Problem>;

    /// Asks whoever is at hand.
    fn ask(&self, setup: &Setup, cancel: &Cancel, asked: &Asked, seconds: u32) -> Answer;

    /// What a model is told about a refusal.
    fn refusal(&self, reply: &Reply) -> String;

    /// Shows whoever looks after the server a line, which may hold anything.
    fn tell(&self, line: &str);
}

/// Whoever is spoken to.
pub trait Client {
    /// Says a line, with its end.
    ///
    /// # Errors
    /// When nobody listens any more.
    fn say(&self, line: &[u8]) -> io::Result<()>;

    /// Waits until everything was said, or for so long.
    fn settle(&self, time: Duration);
}

impl Client for Speaker {
    fn say(&self, line: &[u8]) -> io::Result<()> {
        Self::say(self, line)
    }

    fn settle(&self, time: Duration) {
        Self::settle(self, time);
    }
}

/// Who asks a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// The client, where it says that it can.
    Client,
    /// herm.
    Herm,
}

/// How a server is wrapped.
#[derive(Clone, Debug)]
pub struct Wrap {
    /// What the server is called.
    pub name: String,
    /// What is started or connected to.
    pub server: Server,
    /// Who asks a person.
    pub whom: Whom,
}

/// Why a server is not wrapped, or no longer.
#[derive(Debug)]
pub enum Failure {
    /// Something that is needed cannot be had.
    Io(io::Error),
    /// The server may not be used.
    Refused(String),
    /// What holds cannot be known.
    Setup(Problem),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the server cannot be talked with: {error}"),
            Self::Refused(why) => f.write_str(why),
            Self::Setup(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What happens.
#[derive(Debug)]
enum Event {
    /// Somebody has to be asked by the client; who waits for it hears of it here.
    Ask(Value, SyncSender<Option<Value>>),
    /// The client says something.
    Client(Heard),
    /// Something is decided.
    Decided(Ticket, Verdict),
    /// It is settled how a server's greeting is heard.
    Greeted(Box<Pass>),
    /// The server says something.
    Server(Heard),
}

/// How many events wait to be taken.
const WAITING: usize = 64;

/// How long a server has to end by itself when its client has gone.
const FAREWELL: Duration = Duration::from_secs(2);

/// Stands between a client, which is read and spoken to in lines, and a server, until either has gone.
///
/// # Errors
/// When the server may not be used, or cannot be.
pub fn wrap(
    wrap: &Wrap,
    face: &Arc<dyn Face>,
    client: Receiver<Heard>,
    speaker: &dyn Client,
) -> Result<(), Failure> {
    ancestry::become_runner();
    let salt = format!("herm-{}", identity::fresh());
    let desk = Arc::new(Desk::new(wrap, Arc::clone(face), &salt)?);
    let begun = desk.may_begin()?;
    let (sender, events) = sync_channel(WAITING);
    let heard = sender.clone();
    spawn("client", move || {
        // Who went on has no use for the rest.
        let _ = client.iter().all(|line| heard.send(Event::Client(line)).is_ok());
    })?;
    let server = server::start(&desk, &begun, sender.clone())?;
    let bounds = Bounds { rate: desk.rate(), ..Bounds::default() };
    let mut conversation = Conversation {
        relay: Relay::new(&salt, bounds),
        desk,
        sender,
        client: speaker,
        server: &server,
        cancels: HashMap::new(),
        greetings: Vec::new(),
        waiting: HashMap::new(),
    };
    let end = conversation.go_on(&events);
    conversation.cancels.values().for_each(|cancel| cancel.cancel());
    conversation.greetings.iter().filter_map(Weak::upgrade).for_each(|cancel| cancel.cancel());
    server.end(FAREWELL);
    speaker.settle(FAREWELL);
    end
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// A client and a server, with herm between them.
struct Conversation<'a> {
    relay: Relay,
    desk: Arc<Desk>,
    sender: SyncSender<Event>,
    client: &'a dyn Client,
    server: &'a server::Running,
    /// What calls off a decision.
    cancels: HashMap<Ticket, Arc<Cancel>>,
    /// What calls off what is asked about greetings.
    greetings: Vec<Weak<Cancel>>,
    /// Who waits for what the client's person says.
    waiting: HashMap<Ticket, SyncSender<Option<Value>>>,
}

impl Conversation<'_> {
    fn go_on(&mut self, events: &Receiver<Event>) -> Result<(), Failure> {
        for event in events {
            let steps = match event {
                Event::Ask(form, answer) => self.ask(form, answer),
                Event::Client(Heard::Line(line)) => self.relay.client(&line, Instant::now()),
                Event::Client(Heard::TooLong) => self.relay.client_is_too_long(),
                Event::Client(Heard::Over(_)) => return Ok(()),
                Event::Decided(ticket, verdict) => {
                    self.cancels.remove(&ticket);
                    self.relay.settle(ticket, verdict)
                }
                Event::Greeted(pass) => {
                    self.pass(*pass)?;
                    Vec::new()
                }
                Event::Server(Heard::Line(line)) => self.relay.server(&line, Instant::now()),
                Event::Server(Heard::TooLong) => self.relay.server_is_too_long(Instant::now()),
                Event::Server(Heard::Over(end)) => {
                    let why = server::ending(end);
                    for step in self.relay.over(&format!("herm: the server has gone: {why}")) {
                        self.take(step)?;
                    }
                    return Err(Failure::Refused(format!("the server has gone: {why}")));
                }
            };
            for step in steps {
                self.take(step)?;
            }
        }
        Ok(())
    }

    fn ask(&mut self, form: Value, answer: SyncSender<Option<Value>>) -> Vec<Step> {
        match self.relay.ask(form) {
            Some((ticket, step)) => {
                self.waiting.insert(ticket, answer);
                vec![step]
            }
            // Who waits learns that nobody will answer.
            None => Vec::new(),
        }
    }

    fn take(&mut self, step: Step) -> io::Result<()> {
        match step {
            Step::CallOff(ticket) => {
                self.cancels.remove(&ticket).iter().for_each(|cancel| cancel.cancel());
                self.waiting.remove(&ticket);
            }
            Step::Decide(ticket, matter) => self.decide(ticket, *matter)?,
            Step::Heard(ticket, answer) => {
                // Who asked may have gone.
                let _ = self.waiting.remove(&ticket).map(|waiting| waiting.try_send(answer));
            }
            Step::Listed(result) => self.desk.listed(&result),
            Step::Note(note) => self.desk.tell(&note),
            Step::Pass(pass) => match self.desk.greeted(*pass) {
                Greeting::Plain(pass) => self.pass(*pass)?,
                Greeting::Changed(changed) => self.ask_about(*changed)?,
            },
            Step::ToClient(message) => self.client.say(&message.line())?,
            Step::ToServer(line) => {
                self.desk.hears(&line)?;
                self.server.say(&line)?;
            }
        }
        Ok(())
    }

    fn pass(&self, pass: Pass) -> io::Result<()> {
        self.desk.pass(pass).iter().try_for_each(|line| self.client.say(line))
    }

    /// Has a person asked about what a server says about itself now. Its client waits for that, and nobody else.
    fn ask_about(&mut self, changed: Changed) -> io::Result<()> {
        let cancel = Arc::new(Cancel::new()?);
        self.greetings.retain(|other| other.strong_count() > 0);
        self.greetings.push(Arc::downgrade(&cancel));
        let (desk, mut word) = (Arc::clone(&self.desk), Word::new(&changed, self.sender.clone()));
        spawn("greeting", move || {
            if desk.settle_greeting(&changed, &cancel) {
                word.agree(changed);
            }
        })
    }

    fn decide(&mut self, ticket: Ticket, matter: Matter) -> io::Result<()> {
        let cancel = Arc::new(Cancel::new()?);
        self.cancels.insert(ticket, Arc::clone(&cancel));
        let (desk, sender) = (Arc::clone(&self.desk), self.sender.clone());
        let promise = Promise { ticket, sender: self.sender.clone(), verdict: Mutex::new(None) };
        spawn("decision", move || {
            let verdict = desk.decide(&matter, &cancel, &sender);
            *promise.verdict.lock().unwrap_or_else(PoisonError::into_inner) = Some(verdict);
        })
    }
}

/// A decision that is told, come what may: what was not decided is refused.
struct Promise {
    ticket: Ticket,
    sender: SyncSender<Event>,
    verdict: Mutex<Option<Verdict>>,
}

impl Drop for Promise {
    fn drop(&mut self) {
        let decided = self.verdict.lock().unwrap_or_else(PoisonError::into_inner).take();
        let verdict = decided.unwrap_or_else(|| Verdict::Refuse(UNDECIDED.to_owned()));
        // Nobody waits for it when the conversation is over.
        let _ = self.sender.send(Event::Decided(self.ticket, verdict));
    }
}

const UNDECIDED: &str = "herm: it could not be decided whether this may be done, so it may not. It must not be retried, rephrased or done in \
     another way.";

/// A line that says a message.
fn line(message: &Message) -> Vec<u8> {
    message.line()
}
