//! Stands between a client and a server: what becomes of each message.
//!
//! It is a state machine without a clock and without pipes. Lines go in, and [`Step`]s come out: what is to be said to whom, and what
//! somebody has to decide about first. What nobody decided about is not passed on; what cannot be told apart, is out of turn or
//! answers nothing is dropped.

mod client;
mod listing;
mod server;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde_json::Value;

use listing::Listing;

use super::protocol::{self, Era};
use super::rate::Rate;
use super::tools::Tool;
use crate::jsonrpc::{Failure, INTERNAL, Id, Message, Request, Response};

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Nobody waits for this decision, or for this answer, any more.
    CallOff(Ticket),
    /// This has to be decided about, and the decision told by [`Relay::settle`].
    Decide(Ticket, Box<Matter>),
    /// What the client answered to a question of ours; nothing when it did not.
    Heard(Ticket, Option<Value>),
    /// The server said to us which tools it has.
    Listed(Box<Value>),
    /// Whoever looks after the server should know.
    Note(String),
    /// The server said this to the client. Secrets have to be taken out first.
    Pass(Box<Pass>),
    /// This is said to the client.
    ToClient(Message),
    /// This line is said to the server.
    ToServer(Vec<u8>),
}

/// What a decision or an answer is known by.
pub type Ticket = u64;

/// Something that has to be decided about.
#[derive(Clone, Debug, PartialEq)]
pub enum Matter {
    /// The client calls a tool.
    Call(Called),
    /// The client gives this to something that is no tool: a prompt, or what completes what a person types.
    Given(String, Value),
    /// The client wants to read what is behind a link of the server; and what it gives besides, because the server wanted it.
    Resource(String, Value),
    /// The server wants the client's model to answer.
    Sampling,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// What the client knows it by.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it is given.
    pub arguments: Value,
    /// How the server described it last.
    pub tool: Option<Tool>,
    /// Which kind of revision it speaks.
    pub era: Era,
    /// Whether the client can ask its person.
    pub can_ask: bool,
    /// The answer to what was asked before, where it is made again with one.
    pub answered: Option<Answered>,
    /// What its server wanted first, where it is made again with that.
    pub continued: Option<Box<Continued>>,
}

/// What a server wanted before it goes on with a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Continued {
    /// What the server gave the client to come back with; null where that was nothing.
    pub state: Value,
    /// What it is given now.
    pub responses: Value,
}

/// The answer to a question that a call was sent back with.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// What it was sent back with.
    pub state: String,
    /// What came of it.
    pub answer: Option<Value>,
}

/// Something that the server said to the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// As it came.
    pub line: Vec<u8>,
    /// What it means.
    pub message: Message,
    /// What it is about.
    pub about: About,
}

/// What a message of a server is about.
#[derive(Clone, Debug, PartialEq)]
pub enum About {
    /// What came of a call.
    Call(Box<Called>),
    /// Something else.
    Other,
    /// The tools that it has.
    Tools,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The client has to ask its person this first, and come back with this state.
    Ask(Value, String),
    /// It goes on.
    Go,
    /// It does not, for this reason.
    Refuse(String),
}

/// What bounds a relay.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many calls a minute are passed on.
    pub rate: u32,
    /// How many requests may be open at a time, of each side.
    pub open: usize,
    /// How many tools a server may have.
    pub tools: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { rate: 120, open: 64, tools: 4096 }
    }
}

/// What stands between a client and a server.
#[derive(Debug)]
pub struct Relay {
    /// What nobody else's ids begin with.
    salt: String,
    bounds: Bounds,
    rate: Rate,
    phase: Phase,
    /// What the client can do, as it said when it began a session.
    capabilities: Value,
    /// What the client waits for.
    open: HashMap<Id, Open>,
    /// What the server waits for.
    served: HashMap<Id, Served>,
    /// What we wait for.
    asked: HashMap<Id, Ticket>,
    /// What is being decided about.
    held: BTreeMap<Ticket, Held>,
    /// Calls that were sent back with a question, by what they were sent back with.
    paused: VecDeque<(String, Value)>,
    tools: HashMap<String, Tool>,
    /// The list of tools that we asked for ourselves.
    listing: Option<Listing>,
    /// Whether the server has said all its tools to us.
    is_listed: bool,
    tickets: Ticket,
}

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It has not begun. Requests that stand for themselves need none.
    Fresh,
    /// The client has greeted the server.
    Greeting,
    /// The server has greeted the client.
    Ready,
}

/// A request of the client that has no answer yet.
#[derive(Debug)]
struct Open {
    method: String,
    era: Era,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// It is being decided about.
    Deciding(Ticket),
    /// It waits until it is known which tools there are.
    Listing,
    /// The server has it.
    Sent(Option<Box<Called>>),
}

/// A request of the server that has no answer yet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Served {
    /// It is being decided about.
    Deciding(Ticket),
    /// The client has it, and this is what it was asked for.
    Sent(String),
}

/// Something that is held back until it is decided about.
#[derive(Debug)]
enum Held {
    /// A request of the client: the line that says it, and its parameters.
    Asked(Id, Vec<u8>, Value, Option<Box<Called>>),
    /// An answer of the server, which asks for something itself.
    Answer(Id, Era, Box<Pass>),
    /// What the client answers the server: the line that says it.
    Reply(Id, Vec<u8>),
    /// A request of the server.
    Served(Id, Box<Pass>),
}

impl Relay {
    /// A relay whose own ids begin with this.
    #[must_use]
    pub fn new(salt: &str, bounds: Bounds) -> Self {
        Self {
            salt: salt.to_owned(),
            bounds,
            rate: Rate::new(bounds.rate),
            phase: Phase::Fresh,
            capabilities: Value::Null,
            open: HashMap::new(),
            served: HashMap::new(),
            asked: HashMap::new(),
            held: BTreeMap::new(),
            paused: VecDeque::new(),
            tools: HashMap::new(),
            listing: None,
            is_listed: false,
            tickets: 0,
        }
    }

    /// Asks the client's person; nothing where the client cannot, or has not begun a session.
    pub fn ask(&mut self, form: Value) -> Option<(Ticket, Step)> {
        if self.phase != Phase::Ready || !protocol::can_ask(&self.capabilities) {
            return None;
        }
        let ticket = self.ticket();
        let id = Id::Text(format!("{}-{ticket}", self.salt));
        self.asked.insert(id.clone(), ticket);
        let request = Request { id, method: "elicitation/create".to_owned(), params: Some(form) };
        Some((ticket, Step::ToClient(Message::Request(request))))
    }

    /// Goes on with what was decided about.
    pub fn settle(&mut self, ticket: Ticket, verdict: Verdict) -> Vec<Step> {
        match self.held.remove(&ticket) {
            Some(Held::Asked(id, line, params, called)) => match verdict {
                Verdict::Go => {
                    if let Some(open) = self.open.get_mut(&id) {
                        open.stage = Stage::Sent(called);
                    }
                    vec![Step::ToServer(line)]
                }
                Verdict::Refuse(why) => {
                    self.open.remove(&id);
                    let era = Era::of(Some(&params));
                    vec![answer(id, refused(&why, era, called.is_some()))]
                }
                Verdict::Ask(question, state) => {
                    self.open.remove(&id);
                    let result = protocol::input_required(&question, &state);
                    self.pause(state, params);
                    vec![answer(id, Ok(result))]
                }
            },
            Some(Held::Answer(id, era, pass)) => match verdict {
                Verdict::Go => vec![Step::Pass(pass)],
                Verdict::Ask(..) => vec![answer(id, refused("nobody can be asked about it", era, true))],
                Verdict::Refuse(why) => vec![answer(id, refused(&why, era, true))],
            },
            Some(Held::Reply(id, line)) => match verdict {
                Verdict::Go => vec![Step::ToServer(line)],
                Verdict::Ask(..) | Verdict::Refuse(_) => {
                    let note = "what the client wanted to answer the server was refused".to_owned();
                    vec![to_server(id, Err(Failure::new(NOT_ALLOWED, "it was refused"))), Step::Note(note)]
                }
            },
            Some(Held::Served(id, pass)) => match verdict {
                Verdict::Go => {
                    self.served.insert(id, Served::Sent(SAMPLING.to_owned()));
                    vec![Step::Pass(pass)]
                }
                Verdict::Ask(..) | Verdict::Refuse(_) => {
                    self.served.remove(&id);
                    vec![to_server(id, Err(Failure::new(NOT_ALLOWED, "it was refused")))]
                }
            },
            // It was called off meanwhile.
            None => Vec::new(),
        }
    }

    /// Remembers a call that is sent back with a question. Of too many the oldest is forgotten.
    fn pause(&mut self, state: String, params: Value) {
        if self.paused.len() >= self.bounds.open {
            self.paused.pop_front();
        }
        self.paused.push_back((state, params));
    }

    /// The server has gone: nobody will answer any more.
    pub fn over(&mut self, why: &str) -> Vec<Step> {
        let mut steps = self.abandon(why);
        steps.extend(std::mem::take(&mut self.asked).into_values().map(Step::CallOff));
        self.phase = Phase::Fresh;
        steps
    }

    /// Whether anybody waits for anything.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.open.is_empty() && self.held.is_empty()
    }

    /// Nobody will learn what came of what is open.
    fn abandon(&mut self, why: &str) -> Vec<Step> {
        let open = std::mem::take(&mut self.open);
        let failed = open.into_keys().map(|id| answer(id, Err(Failure::new(INTERNAL, why))));
        let held = std::mem::take(&mut self.held);
        self.listing = None;
        self.served.clear();
        failed.chain(held.into_keys().map(Step::CallOff)).collect()
    }

    /// Whether more is being decided about than both sides could wait for: answers are no longer open while they are looked at.
    fn is_busy(&self) -> bool {
        self.held.len() >= 3 * self.bounds.open
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        self.tickets
    }

    fn hold(&mut self, held: Held) -> Ticket {
        let ticket = self.ticket();
        self.held.insert(ticket, held);
        ticket
    }
}

/// How servers ask for what a client's model says.
const SAMPLING: &str = "sampling/createMessage";

/// What servers are told whose requests are refused.
const NOT_ALLOWED: i64 = -1;

/// An answer to the client.
fn answer(id: Id, outcome: Result<Value, Failure>) -> Step {
    Step::ToClient(Message::Response(Response { id: Some(id), outcome }))
}

/// An answer to the server.
fn to_server(id: Id, outcome: Result<Value, Failure>) -> Step {
    Step::ToServer(Message::Response(Response { id: Some(id), outcome }).line())
}

/// How something is refused: what a model called fails in words that it can read.
fn refused(why: &str, era: Era, is_call: bool) -> Result<Value, Failure> {
    if is_call { Ok(protocol::refusal(why, era)) } else { Err(Failure::new(NOT_ALLOWED, why)) }
}
