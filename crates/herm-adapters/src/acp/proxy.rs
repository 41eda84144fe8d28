//! What is to be done about each message.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::permission::Permission;
use super::place::Place;
use super::question::Question;
use super::sighting::Sightings;
use super::terminal::Create;
use super::tool::Tool;
use super::update::{Update, put_text, terminals};
use super::{CANCELLED, REFUSED};
use crate::fields::Fields;
use crate::jsonrpc::{
    Failure, INTERNAL, INVALID_PARAMS, Id, Message, NO_METHOD, Notification, Request, Response,
};

/// The state of a conversation between an editor and an agent.
#[derive(Debug)]
pub struct Proxy {
    /// What ids of ours begin with: nobody can guess it.
    name: String,
    asked: u64,
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
    /// It is being decided about; this is how it was said.
    Decided(Vec<u8>),
    /// The editor was asked, and what it reads is looked through.
    Reads,
    /// The editor was asked.
    Passed,
}

/// What is to be done.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// The agent is told this.
    Agent(Vec<u8>),
    /// Our question has this answer.
    Answered(u64, Said),
    /// A session was called off: nobody waits for its questions any more.
    CalledOff(String),
    /// It must be decided about.
    Decide(Box<Wish>),
    /// The editor is told this.
    Editor(Vec<u8>),
    /// The two cannot talk with one another through us, and why.
    End(String),
    /// The person should know this.
    Note(String),
    /// The agent is told what the editor read for it, once secrets are out of it.
    Read(Response),
    /// A tool ran, and nobody was asked about it: its session, where that works, and the tool.
    Saw(String, Option<Place>, Box<Tool>),
    /// A terminal of ours is used.
    Terminal(Id, String, Deed),
    /// Whoever asked for it has taken it back.
    Withdrawn(Id),
}

/// What is done with a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Its command is ended.
    Kill,
    /// What it has said is told.
    Output,
    /// It is ended and forgotten.
    Release,
    /// Its end is waited for.
    Wait,
}

/// What a person said to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The question was called off.
    Cancelled,
    /// This option, by its id.
    Option(String),
    /// Nothing that can be understood.
    Nothing,
}

/// What an agent wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What the answer is known by.
    pub id: Id,
    /// The session that wants it.
    pub session: String,
    /// Where that works.
    pub place: Place,
    /// What.
    pub what: What,
}

/// What an agent wants.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A permission.
    Permit(Box<Permission>),
    /// To read a file.
    Read(String),
    /// To have a command run.
    Terminal(Create),
    /// To write a file.
    Write {
        /// Which.
        path: String,
        /// What.
        content: String,
    },
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
    pub fn new(name: &str) -> Self {
        Self {
            name: format!("herm-{name}"),
            asked: 0,
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
            Ok(Message::Notification(said)) => self.said_by_editor(&said, line),
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
    pub fn answer(&mut self, id: &Id, outcome: Result<Value, Failure>) -> Option<Vec<u8>> {
        match self.of_agent.get(id)? {
            Stand::Decided(_) => {}
            Stand::Passed | Stand::Reads => return None,
        }
        self.of_agent.remove(id);
        Some(Message::Response(Response { id: Some(id.clone()), outcome }).line())
    }

    /// Passes on what the agent asked for, as it said it; nothing when it was answered already, or taken back.
    pub fn pass(&mut self, wish: &Wish) -> Option<Vec<u8>> {
        let stand = self.of_agent.get_mut(&wish.id)?;
        let next = if matches!(wish.what, What::Read(_)) { Stand::Reads } else { Stand::Passed };
        match std::mem::replace(stand, next) {
            Stand::Decided(line) => Some(with_end(&line)),
            other @ (Stand::Passed | Stand::Reads) => {
                *stand = other;
                None
            }
        }
    }

    /// Shows something with a tool call that the editor knows.
    #[must_use]
    pub fn show(&self, session: &str, call: &str, text: &str) -> Option<Vec<u8>> {
        self.sightings.told(session, call).filter(|told| told.get("title").is_some())?;
        let update = json!({
            "sessionUpdate": "tool_call_update", "toolCallId": call, "content": [super::question::text_block(text)],
        });
        Some(updated(session, update))
    }

    /// A question of ours was shown as a tool call, which is over now.
    #[must_use]
    pub fn shut(session: &str, call: &str, is_done: bool) -> Vec<u8> {
        let status = if is_done { "completed" } else { "failed" };
        updated(session, json!({"sessionUpdate": "tool_call_update", "toolCallId": call, "status": status}))
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
        Some(updated(&session, update))
    }

    /// Something that the editor asks the agent for.
    fn errand(&mut self, request: Request, line: &[u8]) -> Step {
        let Request { id, method, params } = request;
        let given = params.as_ref().unwrap_or(&Value::Null);
        let errand = match method.as_str() {
            "initialize" => Errand::Initialize,
            "session/prompt" => Errand::Prompt(
                Fields::of(given).and_then(|fields| fields.text("sessionId")).unwrap_or_default(),
            ),
            _ => match Place::read(given) {
                None => Errand::Something,
                Some(place) => {
                    if let Some(session) = Fields::of(given).and_then(|fields| fields.text("sessionId")) {
                        self.sessions.insert(session, place.clone());
                    }
                    Errand::Open(Some(place))
                }
            },
        };
        let told = match errand {
            Errand::Initialize => offered(id.clone(), params),
            Errand::Open(_) | Errand::Prompt(_) | Errand::Something => with_end(line),
        };
        self.of_editor.entry(id).or_insert(errand);
        Step::Agent(told)
    }

    fn said_by_editor(&self, said: &Notification, line: &[u8]) -> Vec<Step> {
        let session = || Fields::of(said.params.as_ref()?)?.text("sessionId");
        let called_off = (said.method == "session/cancel").then(session).flatten().map(Step::CalledOff);
        called_off.into_iter().chain([Step::Agent(with_end(line))]).collect()
    }

    fn answered_by_editor(&mut self, response: Response, line: &[u8]) -> Vec<Step> {
        let Some(id) = &response.id else { return vec![Step::Agent(with_end(line))] };
        if let Id::Text(text) = id
            && let Some(question) = self.ours.remove(text)
        {
            return vec![Step::Answered(question, said(&response))];
        }
        match self.of_agent.get(id) {
            Some(Stand::Passed) => {
                self.of_agent.remove(id);
                vec![Step::Agent(with_end(line))]
            }
            Some(Stand::Reads) => {
                self.of_agent.remove(id);
                vec![Step::Read(response)]
            }
            Some(Stand::Decided(_)) | None => {
                vec![Step::Note(
                    "the editor answered what it was not asked; that was not passed on".to_owned(),
                )]
            }
        }
    }

    /// Something that the agent asks for.
    fn wanted(&mut self, request: Request, line: &[u8], look: Look<'_>) -> Vec<Step> {
        let Request { id, method, params } = request;
        if self.of_agent.contains_key(&id) {
            return vec![Step::Note(
                "the agent asked twice under one id; the second was not passed on".to_owned(),
            )];
        }
        if self.of_agent.len() >= MOST {
            return vec![refusal(id, INTERNAL, "too much is being waited for")];
        }
        let params = params.unwrap_or_default();
        let deed = match method.as_str() {
            "session/request_permission" | "fs/read_text_file" | "fs/write_text_file" | "terminal/create" => {
                None
            }
            "terminal/kill" => Some(Deed::Kill),
            "terminal/output" => Some(Deed::Output),
            "terminal/release" => Some(Deed::Release),
            "terminal/wait_for_exit" => Some(Deed::Wait),
            _ if is_guarded(&method) => {
                return vec![refusal(id, NO_METHOD, "herm does not know this method")];
            }
            _ => {
                self.of_agent.insert(id, Stand::Passed);
                return vec![Step::Editor(with_end(line))];
            }
        };
        if let Some(deed) = deed {
            let terminal = Fields::of(&params).and_then(|fields| fields.text("terminalId"));
            let Some(terminal) = terminal else {
                return vec![refusal(id, INVALID_PARAMS, "it names no terminal")];
            };
            self.of_agent.insert(id.clone(), Stand::Decided(Vec::new()));
            return vec![Step::Terminal(id, terminal, deed)];
        }
        let session = Fields::of(&params).and_then(|fields| fields.text("sessionId")).unwrap_or_default();
        let Some(place) = self.sessions.get(&session).cloned() else {
            return vec![refusal(id, INVALID_PARAMS, "there is no such session")];
        };
        let Some(what) = self.what(&method, params, look) else {
            return vec![refusal(id, INVALID_PARAMS, "it is not said what is wanted")];
        };
        self.of_agent.insert(id.clone(), Stand::Decided(line.to_vec()));
        vec![Step::Decide(Box::new(Wish { id, session, place, what }))]
    }

    fn what(&mut self, method: &str, mut params: Value, look: Look<'_>) -> Option<What> {
        let text = |key: &str| Fields::of(&params)?.value(key)?.as_str().map(str::to_owned);
        let path = || text("path").filter(|path| path.starts_with('/'));
        let session = text("sessionId")?;
        match method {
            "session/request_permission" => {
                params.get_mut("toolCall").into_iter().for_each(|told| put_text(told, look));
                let permission = Permission::read(&params, |session, id| self.sightings.told(session, id))?;
                self.sightings.guard(&session, &permission.tool.id);
                Some(What::Permit(Box::new(permission)))
            }
            "fs/read_text_file" => path().map(|path| {
                self.sightings.touch(&session, &path);
                What::Read(path)
            }),
            "fs/write_text_file" => path().zip(text("content")).map(|(path, content)| {
                self.sightings.touch(&session, &path);
                What::Write { path, content }
            }),
            "terminal/create" => Create::read(&params).map(What::Terminal),
            _ => None,
        }
    }

    fn said_by_agent(&mut self, said: &Notification, line: &[u8], look: Look<'_>) -> Vec<Step> {
        let params = said.params.as_ref().unwrap_or(&Value::Null);
        match said.method.as_str() {
            "session/update" => self.updated(params, line, look),
            "$/cancel_request" => self.taken_back(params, line),
            // Nobody could be answered, and the editor might do it all the same.
            method if is_guarded(method) => {
                vec![Step::Note(format!(
                    "the agent said `{method}` as if it needed no answer; that was not passed on"
                ))]
            }
            _ => vec![Step::Editor(with_end(line))],
        }
    }

    fn updated(&mut self, params: &Value, line: &[u8], look: Look<'_>) -> Vec<Step> {
        let Some(update) = Update::read(params) else { return vec![Step::Editor(with_end(line))] };
        let shown = terminals(update.told, look);
        if !shown.is_empty() {
            self.sightings.guard(&update.session, &update.id);
        }
        let unasked = self.sightings.see(&update.session, &update.id, update.told, update.is_over);
        let passed = if shown.is_empty() {
            with_end(line)
        } else {
            for terminal in shown {
                self.shows.insert(terminal, (update.session.clone(), update.told.clone()));
            }
            let mut params = params.clone();
            params.get_mut("update").into_iter().for_each(|told| put_text(told, look));
            Message::Notification(Notification { method: "session/update".to_owned(), params: Some(params) })
                .line()
        };
        let saw = unasked.map(|tool| self.saw(&update.session, tool));
        std::iter::once(Step::Editor(passed)).chain(saw).collect()
    }

    fn saw(&self, session: &str, tool: Tool) -> Step {
        Step::Saw(session.to_owned(), self.sessions.get(session).cloned(), Box::new(tool))
    }

    fn taken_back(&mut self, params: &Value, line: &[u8]) -> Vec<Step> {
        let id = match params.get("requestId") {
            Some(Value::Number(number)) => Id::Number(number.clone()),
            Some(Value::String(text)) => Id::Text(text.clone()),
            Some(_) | None => return Vec::new(),
        };
        match self.of_agent.get(&id) {
            Some(Stand::Passed | Stand::Reads) => vec![Step::Editor(with_end(line))],
            Some(Stand::Decided(_)) => {
                self.of_agent.remove(&id);
                let failure = Failure::new(CANCELLED, "it was taken back");
                let answer =
                    Message::Response(Response { id: Some(id.clone()), outcome: Err(failure) }).line();
                vec![Step::Withdrawn(id), Step::Agent(answer)]
            }
            None => Vec::new(),
        }
    }

    fn answered_by_agent(&mut self, response: Response, line: &[u8]) -> Vec<Step> {
        let Some(id) = response.id else { return vec![Step::Editor(with_end(line))] };
        let Some(errand) = self.of_editor.remove(&id) else {
            return vec![Step::Note(
                "the agent answered what it was not asked; that was not passed on".to_owned(),
            )];
        };
        let result = response.outcome.as_ref().ok();
        let passed = Step::Editor(with_end(line));
        match errand {
            Errand::Initialize => match result
                .map(|result| result.get("protocolVersion").and_then(Value::as_u64))
            {
                Some(version) if version != Some(VERSION) => {
                    let why = "the agent speaks a version of the protocol that herm does not know".to_owned();
                    let failure = Failure::new(REFUSED, format!("herm: {why}"));
                    let answer = Message::Response(Response { id: Some(id), outcome: Err(failure) });
                    vec![Step::Editor(answer.line()), Step::End(why)]
                }
                Some(_) | None => vec![passed],
            },
            Errand::Open(place) => {
                let named = result.and_then(Fields::of).and_then(|fields| fields.text("sessionId"));
                // A session that goes on where it was is not moved by the agent.
                if let Some((session, place)) = named.zip(place) {
                    self.sessions.entry(session).or_insert(place);
                }
                vec![passed]
            }
            Errand::Prompt(session) => {
                let tools = self.sightings.turn_over(&session);
                let saw: Vec<_> = tools.into_iter().map(|tool| self.saw(&session, tool)).collect();
                saw.into_iter().chain([passed]).collect()
            }
            Errand::Something => vec![passed],
        }
    }
}

/// Whether a method has effects that are decided about here, also one that nobody knows yet.
fn is_guarded(method: &str) -> bool {
    method == "session/request_permission" || method.starts_with("fs/") || method.starts_with("terminal/")
}

/// What an editor offers, and terminals besides: those are ours.
fn offered(id: Id, params: Option<Value>) -> Vec<u8> {
    let mut params = params.filter(Value::is_object).unwrap_or_else(|| json!({}));
    if let Some(fields) = params.as_object_mut() {
        let version = fields.get("protocolVersion").and_then(Value::as_u64).unwrap_or(VERSION).min(VERSION);
        fields.insert("protocolVersion".to_owned(), json!(version));
        let capabilities = fields.entry("clientCapabilities").or_insert_with(|| json!({}));
        if !capabilities.is_object() {
            *capabilities = json!({});
        }
        if let Some(capabilities) = capabilities.as_object_mut() {
            capabilities.insert("terminal".to_owned(), json!(true));
        }
    }
    Message::Request(Request { id, method: "initialize".to_owned(), params: Some(params) }).line()
}

fn said(response: &Response) -> Said {
    let outcome = response.outcome.as_ref().ok().and_then(|result| Fields::of(result)?.inner("outcome"));
    match outcome.and_then(|outcome| Some((outcome, outcome.text("outcome")?))) {
        Some((outcome, word)) if word == "selected" => {
            outcome.text("optionId").map_or(Said::Nothing, Said::Option)
        }
        Some((_, word)) if word == "cancelled" => Said::Cancelled,
        Some(_) | None => Said::Nothing,
    }
}

fn refusal(id: Id, code: i64, why: &str) -> Step {
    let outcome = Err(Failure::new(code, format!("herm: {why}")));
    Step::Agent(Message::Response(Response { id: Some(id), outcome }).line())
}

fn updated(session: &str, update: Value) -> Vec<u8> {
    let params = Some(json!({"sessionId": session, "update": update}));
    Message::Notification(Notification { method: "session/update".to_owned(), params }).line()
}

/// The bytes that came, with the end of their line.
fn with_end(line: &[u8]) -> Vec<u8> {
    [line, b"\n"].concat()
}
