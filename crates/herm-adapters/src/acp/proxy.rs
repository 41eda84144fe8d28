//! What is to be done about each message.

mod of_agent;
mod of_editor;

use std::collections::HashMap;

use serde_json::{Value, json};

use super::place::Place;
use super::print::Ground;
use super::question::{Question, text_block};
use super::sighting::{Sightings, touching};
use super::step::{Step, Ticket, What, Wish};
use super::update::put_text;
use crate::agent::Agent;
use crate::jsonrpc::{Failure, Id, Message, Notification, Request, Response};

/// The state of a conversation between an editor and an agent.
#[derive(Debug)]
pub struct Proxy {
    /// What ids of ours begin with: nobody can guess it.
    name: String,
    /// Whose tools are told of, if it is known.
    agent: Option<Agent>,
    asked: u64,
    /// How much the agent has asked for.
    wanted: u64,
    sessions: HashMap<String, Place>,
    /// What the editor asked the agent for.
    of_editor: HashMap<Id, Errand>,
    /// What the agent asked for.
    of_agent: HashMap<Id, Stand>,
    /// What we asked the editor.
    ours: HashMap<String, u64>,
    sightings: Sightings,
    /// Tool calls that show terminals of ours: the session and what was said of the call.
    shows: HashMap<String, (String, Value)>,
}

/// What an editor asked an agent for, as far as it matters here.
#[derive(Debug)]
enum Errand {
    Initialize,
    Open(Option<Place>),
    Prompt(String),
    Something,
}

/// How something stands that an agent asked for.
#[derive(Debug)]
enum Stand {
    /// It is being decided about: its number, and how it was said.
    Decided(u64, Vec<u8>),
    /// The editor was asked, and what it reads is looked through.
    Reads,
    /// The editor was asked.
    Passed,
    /// The editor was asked, and where it wrote is looked at.
    Writes,
}

/// How many things an agent may wait for at once.
const MOST: usize = 1024;

/// The only version that is understood here.
const VERSION: u64 = 1;

/// What a terminal of ours has said, if it is one.
type Look<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Proxy {
    /// A conversation that has not begun. The name is one that nobody can guess.
    #[must_use]
    pub fn new(name: &str, agent: Option<Agent>) -> Self {
        Self {
            name: format!("herm-{name}"),
            agent,
            asked: 0,
            wanted: 0,
            sessions: HashMap::new(),
            of_editor: HashMap::new(),
            of_agent: HashMap::new(),
            ours: HashMap::new(),
            sightings: Sightings::default(),
            shows: HashMap::new(),
        }
    }

    /// What is to be done about a line of the editor's.
    #[must_use]
    pub fn from_editor(&mut self, line: &[u8]) -> Vec<Step> {
        match Message::read(line) {
            Ok(Message::Request(request)) => vec![self.errand(request, line)],
            Ok(Message::Notification(said)) => Self::said_by_editor(&said, line),
            Ok(Message::Response(response)) => self.answered_by_editor(response, line),
            Err(malformed) => vec![
                Step::Editor(malformed.answer().line()),
                Step::Note(format!("the editor said something strange: {malformed}")),
            ],
        }
    }

    /// What is to be done about a line of the agent's.
    #[must_use]
    pub fn from_agent(&mut self, line: &[u8], look: Look<'_>) -> Vec<Step> {
        let mut steps = self.heard_from_agent(line, look);
        let forgotten = self.sightings.take_forgotten();
        steps.extend(forgotten.into_iter().map(|(session, tool)| self.saw(&session, tool)));
        steps
    }

    fn heard_from_agent(&mut self, line: &[u8], look: Look<'_>) -> Vec<Step> {
        match Message::read(line) {
            Ok(Message::Request(request)) => self.wanted(request, line, look),
            Ok(Message::Notification(said)) => self.said_by_agent(&said, line, look),
            Ok(Message::Response(response)) => self.answered_by_agent(response, line),
            // What can be read in two ways is read in neither.
            Err(malformed) => {
                let answer = malformed.id.is_some().then(|| Step::Agent(malformed.answer().line()));
                let note = Step::Note(format!(
                    "the agent said something strange, which was not passed on: {malformed}"
                ));
                answer.into_iter().chain([note]).collect()
            }
        }
    }

    /// Asks the editor's person something. The number is what the answer will be known by.
    pub fn ask(&mut self, question: &Question) -> (u64, Vec<u8>) {
        self.asked += 1;
        let id = format!("{}-{}", self.name, self.asked);
        self.ours.insert(id.clone(), self.asked);
        let Question(params) = question;
        let method = "session/request_permission".to_owned();
        (
            self.asked,
            Message::Request(Request { id: Id::Text(id), method, params: Some(params.clone()) }).line(),
        )
    }

    /// Takes a question back: it was answered elsewhere, or nobody waits for it any more.
    pub fn take_back(&mut self, question: u64) -> Option<Vec<u8>> {
        let id = format!("{}-{question}", self.name);
        self.ours.remove(&id)?;
        let params = Some(json!({"requestId": id}));
        Some(Message::Notification(Notification { method: "$/cancel_request".to_owned(), params }).line())
    }

    /// A name for a terminal of ours.
    #[must_use]
    pub fn terminal_name(&self, number: u64) -> String {
        format!("{}-terminal-{number}", self.name)
    }

    /// Answers what the agent asked for; nothing when it was answered already, or taken back.
    pub fn answer(&mut self, ticket: &Ticket, outcome: Result<Value, Failure>) -> Option<Vec<u8>> {
        self.settle(ticket)?;
        Some(Message::Response(Response { id: Some(ticket.id.clone()), outcome }).line())
    }

    /// Passes on what the agent asked for, as it said it; nothing when it was answered already, or taken back.
    pub fn pass(&mut self, wish: &Wish) -> Option<Vec<u8>> {
        let line = self.settle(&wish.ticket)?;
        let stand = match wish.what {
            What::Permit(_) | What::Terminal(_) => Stand::Passed,
            What::Read(_) => Stand::Reads,
            What::Write { .. } => Stand::Writes,
        };
        self.of_agent.insert(wish.ticket.id.clone(), stand);
        self.does(wish);
        Some(with_end(&line))
    }

    /// The same, about another path: the one that a link leads to.
    pub fn pass_to(&mut self, wish: &Wish, path: &str) -> Option<Vec<u8>> {
        let line = self.pass(wish)?;
        match Message::read(line.trim_ascii_end()) {
            Ok(Message::Request(Request { id, method, params: Some(Value::Object(mut params)) })) => {
                params.insert("path".to_owned(), json!(path));
                Some(Message::Request(Request { id, method, params: Some(Value::Object(params)) }).line())
            }
            // It was read before.
            Ok(_) | Err(_) => None,
        }
    }

    /// How something was said that is no longer decided about; nothing where it is not, or something else by now.
    fn settle(&mut self, ticket: &Ticket) -> Option<Vec<u8>> {
        let line = match self.of_agent.get_mut(&ticket.id)? {
            Stand::Decided(number, line) if *number == ticket.number => std::mem::take(line),
            Stand::Decided(..) | Stand::Passed | Stand::Reads | Stand::Writes => return None,
        };
        self.of_agent.remove(&ticket.id);
        Some(line)
    }

    /// What an agent wants is done, by the editor or in a terminal of ours: a tool call that does only that was decided about.
    pub fn does(&mut self, wish: &Wish) {
        let ground = Ground { agent: self.agent, cwd: &wish.place.cwd };
        let files = |path: &str, is_written: bool| {
            touching(path, is_written).into_iter().map(|one| ground.of_use(one)).collect()
        };
        let prints = match &wish.what {
            What::Permit(_) => Vec::new(),
            What::Read(path) => files(path, false),
            What::Terminal(create) => ground.of_terminal(create),
            What::Write { path, .. } => files(path, true),
        };
        self.sightings.does(&wish.session, prints);
    }

    /// A tool call was refused: the editor shows why, if it knows the call.
    pub fn refused(&mut self, session: &str, call: &str, text: &str) -> Option<Vec<u8>> {
        self.sightings.refuse(session, call);
        if !self.sightings.is_shown(session, call) {
            return None;
        }
        let update = json!({
            "sessionUpdate": "tool_call_update", "toolCallId": call, "content": [text_block(text)],
        });
        Some(updated(session, &update))
    }

    /// A question of ours was shown as a tool call, which is over now.
    #[must_use]
    pub fn shut(session: &str, call: &str, is_done: bool) -> Vec<u8> {
        let status = if is_done { "completed" } else { "failed" };
        updated(session, &json!({"sessionUpdate": "tool_call_update", "toolCallId": call, "status": status}))
    }

    /// Nothing more is heard of a terminal of ours.
    pub fn forget(&mut self, terminal: &str) {
        self.shows.remove(terminal);
    }

    /// A terminal of ours has ended: tool calls that show it are told what it said.
    pub fn over(&mut self, terminal: &str, look: Look<'_>) -> Option<Vec<u8>> {
        let (session, mut told) = self.shows.remove(terminal)?;
        put_text(&mut told, look);
        let update = json!({
            "sessionUpdate": "tool_call_update", "toolCallId": told.get("toolCallId")?, "content": told.get("content")?,
        });
        Some(updated(&session, &update))
    }
}

fn updated(session: &str, update: &Value) -> Vec<u8> {
    let params = Some(json!({"sessionId": session, "update": update}));
    Message::Notification(Notification { method: "session/update".to_owned(), params }).line()
}

/// The bytes that came, with the end of their line.
fn with_end(line: &[u8]) -> Vec<u8> {
    [line, b"\n"].concat()
}
