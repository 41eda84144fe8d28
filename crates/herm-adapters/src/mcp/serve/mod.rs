//! What a server of tools says to its client.
//!
//! Two ages of the protocol are spoken. In the older one a client introduces itself once, and the server may ask it something at any time. In the newer
//! one (2026-07-28) every request says what the client is able to, and a server that needs to know something answers with that: the client
//! finds out, and asks for the same again.
//!
//! A [`Server`] is told every message, and says what to do about it. It knows nothing of what its tools do.

mod arguments;
mod form;
mod outcome;
#[cfg(test)]
mod tests;
mod tools;

use serde_json::{Map, Value, json};

use crate::jsonrpc::{
    Failure, INVALID_PARAMS, INVALID_REQUEST, Id, Message, NO_METHOD, Notification, Request, Response,
};

pub use form::{Chosen, Form};
pub use outcome::{Outcome, State, refusal};
pub use tools::{Misused, Tool};

/// The newest revision in which clients introduce themselves, and those before it that are spoken.
const OLDER: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26"];

/// The revision in which every request says what the client is able to.
const NEWER: &str = "2026-07-28";

/// The code of a revision that is not spoken.
const UNSPOKEN: i64 = -32022;

/// A server of tools.
#[derive(Debug)]
pub struct Server {
    version: &'static str,
    /// What the client has said of itself, if it has.
    client: Option<Client>,
    level: Option<Level>,
}

/// What a client is able to, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Which age of the protocol it speaks.
    pub age: Age,
    /// Whether it shows forms to a person.
    pub shows_forms: bool,
}

/// An age of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// Every request stands for itself.
    Newer,
    /// A client introduces itself.
    Older,
}

/// How much a message matters, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Whatever may help.
    Debug,
    /// What is going on.
    Info,
    /// What is worth a look.
    Notice,
    /// What was refused, for example.
    Warning,
    /// What failed.
    Error,
}

/// What to do about a message.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// A question of ours was answered.
    Answered(Response),
    /// A tool is called.
    Call(Box<Call>),
    /// A call is called off.
    CalledOff(Id),
    /// Nothing.
    Nothing,
    /// This is to be said.
    Say(Message),
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What the answer will be known by.
    pub id: Id,
    /// What is called, and with what.
    pub tool: Result<Tool, Misused>,
    /// The same as text: whoever asks for the same again says the same.
    pub text: String,
    /// Who calls it.
    pub client: Client,
    /// What news of it are known by, if they are wanted.
    pub progress: Option<Value>,
    /// What is worth telling, if anything.
    pub level: Option<Level>,
    /// What it was told to come back with.
    pub state: Option<String>,
    /// What the client has found out.
    pub answers: Map<String, Value>,
}

impl Server {
    /// One that says that it is of this version.
    #[must_use]
    pub const fn new(version: &'static str) -> Self {
        Self { version, client: None, level: None }
    }

    /// What to do about a message.
    #[must_use]
    pub fn hear(&mut self, message: Message) -> Step {
        match message {
            Message::Notification(notification) => {
                called_off(&notification).map_or(Step::Nothing, Step::CalledOff)
            }
            Message::Response(response) => Step::Answered(response),
            Message::Request(request) => {
                let id = request.id.clone();
                self.asked(request).unwrap_or_else(|failure| say(id, Err(failure)))
            }
        }
    }

    fn asked(&mut self, request: Request) -> Result<Step, Failure> {
        let Request { id, method, params } = request;
        let params = match params {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(Failure::new(INVALID_PARAMS, "the parameters are no object")),
        };
        let newer = newer(&params)?;
        let known = newer.or(self.client.map(|client| (client, self.level)));
        let result = match (method.as_str(), newer, known) {
            ("initialize", None, _) => self.introduced(&params)?,
            ("ping", None, _) => json!({}),
            ("server/discover", Some(_), _) => self.described(),
            ("logging/setLevel", None, Some(_)) => self.levelled(&params)?,
            ("tools/list", _, Some((client, _))) => listed(&params, client.age)?,
            ("tools/call", _, Some((client, level))) => {
                return called(id, &params, client, level).map(|call| Step::Call(Box::new(call)));
            }
            ("server/discover", None, _) => return Err(Failure::new(INVALID_PARAMS, "`_meta` is missing")),
            ("tools/list" | "tools/call" | "logging/setLevel", _, None) => {
                return Err(Failure::new(INVALID_REQUEST, "the client has not introduced itself"));
            }
            (method, _, _) => return Err(Failure::new(NO_METHOD, format!("there is no `{method}` here"))),
        };
        Ok(say(id, Ok(result)))
    }

    /// The client says who it is.
    fn introduced(&mut self, params: &Map<String, Value>) -> Result<Value, Failure> {
        let asked = params.get("protocolVersion").and_then(Value::as_str);
        let asked = asked.ok_or_else(|| Failure::new(INVALID_PARAMS, "`protocolVersion` is missing"))?;
        let newest = OLDER.first().copied().unwrap_or(NEWER);
        let spoken = OLDER.iter().copied().find(|version| *version == asked).unwrap_or(newest);
        self.client = Some(Client { age: Age::Older, shows_forms: shows_forms(params.get("capabilities")) });
        Ok(json!({
            "protocolVersion": spoken,
            "capabilities": { "logging": {}, "tools": {} },
            "serverInfo": self.info(),
            "instructions": INSTRUCTIONS,
        }))
    }

    fn info(&self) -> Value {
        json!({ "name": "herm", "title": "herm", "version": self.version })
    }

    fn described(&self) -> Value {
        let versions: Vec<_> = [NEWER].iter().chain(OLDER).collect();
        json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "supportedVersions": versions,
            "capabilities": { "tools": {} }, "instructions": INSTRUCTIONS,
            "_meta": { SERVER_INFO: self.info() },
        })
    }

    fn levelled(&mut self, params: &Map<String, Value>) -> Result<Value, Failure> {
        let word = params.get("level").and_then(Value::as_str);
        let level = word
            .and_then(Level::of)
            .ok_or_else(|| Failure::new(INVALID_PARAMS, "`level` is not one that there is"))?;
        self.level = Some(level);
        Ok(json!({}))
    }
}

/// What a model is told about the server as a whole.
const INSTRUCTIONS: &str = "Every call is decided about before anything happens: it is done, asked about or refused. What was refused must not be retried, \
     rephrased or done in another way. `terminal` keeps one shell: its directory and variables go on from call to call.";

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The message that answers a request.
fn say(id: Id, outcome: Result<Value, Failure>) -> Step {
    Step::Say(Message::Response(Response { id: Some(id), outcome }))
}

/// What a request says of its client, in the newer age; nothing in the older one.
fn newer(params: &Map<String, Value>) -> Result<Option<(Client, Option<Level>)>, Failure> {
    let meta = |key: &str| params.get("_meta")?.get(format!("io.modelcontextprotocol/{key}"));
    let Some(version) = meta("protocolVersion") else { return Ok(None) };
    if version != NEWER {
        let versions: Vec<_> = [NEWER].iter().chain(OLDER).collect();
        let data = Some(json!({ "supported": versions, "requested": version }));
        return Err(Failure {
            data,
            ..Failure::new(UNSPOKEN, "this revision of the protocol is not spoken here")
        });
    }
    let capabilities = meta("clientCapabilities").filter(|capabilities| capabilities.is_object());
    if capabilities.is_none() {
        return Err(Failure::new(INVALID_PARAMS, "`_meta` does not say what the client is able to"));
    }
    let level = match meta("logLevel") {
        None => None,
        Some(word) => {
            let level = word.as_str().and_then(Level::of);
            Some(level.ok_or_else(|| Failure::new(INVALID_PARAMS, "`logLevel` is not one that there is"))?)
        }
    };
    Ok(Some((Client { age: Age::Newer, shows_forms: shows_forms(capabilities) }, level)))
}

/// Whether forms can be shown: where nothing is said about which kind, it is forms.
fn shows_forms(capabilities: Option<&Value>) -> bool {
    let elicitation =
        capabilities.and_then(|capabilities| capabilities.get("elicitation")).and_then(Value::as_object);
    elicitation.is_some_and(|kinds| kinds.contains_key("form") || !kinds.contains_key("url"))
}

fn listed(params: &Map<String, Value>, age: Age) -> Result<Value, Failure> {
    if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err(Failure::new(INVALID_PARAMS, "there is no such page"));
    }
    let tools = tools::catalogue();
    Ok(match age {
        Age::Newer => {
            json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": tools })
        }
        Age::Older => json!({ "tools": tools }),
    })
}

fn called(
    id: Id,
    params: &Map<String, Value>,
    client: Client,
    level: Option<Level>,
) -> Result<Call, Failure> {
    let wrong = |why: String| Failure::new(INVALID_PARAMS, why);
    let name =
        params.get("name").and_then(Value::as_str).ok_or_else(|| wrong("`name` is missing".to_owned()))?;
    let nothing = Value::Object(Map::new());
    let given = params.get("arguments").filter(|given| !given.is_null()).unwrap_or(&nothing);
    let tool = Tool::read(name, given).ok_or_else(|| wrong(format!("there is no tool `{name}`")))?;
    let progress = params.get("_meta").and_then(|meta| meta.get("progressToken")).cloned();
    let (state, answers) = match client.age {
        Age::Newer => (params.get("requestState"), params.get("inputResponses")),
        Age::Older => (None, None),
    };
    let state = match state {
        None | Some(Value::Null) => None,
        Some(Value::String(state)) => Some(state.clone()),
        Some(_) => return Err(wrong("`requestState` is no text".to_owned())),
    };
    let answers = match answers {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(answers)) => answers.clone(),
        Some(_) => return Err(wrong("`inputResponses` is no object".to_owned())),
    };
    Ok(Call {
        id,
        tool,
        text: json!([name, given]).to_string(),
        client,
        progress: progress.filter(|token| token.is_string() || token.is_number()),
        level,
        state,
        answers,
    })
}

/// Which call is called off.
fn called_off(notification: &Notification) -> Option<Id> {
    if notification.method != "notifications/cancelled" {
        return None;
    }
    match notification.params.as_ref()?.get("requestId")? {
        Value::String(id) => Some(Id::Text(id.clone())),
        Value::Number(id) => Some(Id::Number(id.clone())),
        Value::Array(_) | Value::Bool(_) | Value::Null | Value::Object(_) => None,
    }
}

impl Level {
    /// What is worse than an error is told like one.
    fn of(word: &str) -> Option<Self> {
        match word {
            "debug" => Some(Self::Debug),
            "info" => Some(Self::Info),
            "notice" => Some(Self::Notice),
            "warning" => Some(Self::Warning),
            "error" | "critical" | "alert" | "emergency" => Some(Self::Error),
            _ => None,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Call {
    /// Something to be told beside its answer; nothing where that is not wanted.
    #[must_use]
    pub fn remark(&self, level: Level, text: &str) -> Option<Message> {
        self.level.filter(|wanted| *wanted <= level)?;
        Some(said("notifications/message", json!({ "level": level.word(), "logger": "herm", "data": text })))
    }
}

/// News of how far a call is, known by what it was told. The number must grow.
#[must_use]
pub fn news(token: &Value, number: u64, text: &str) -> Message {
    said("notifications/progress", json!({ "progressToken": token, "progress": number, "message": text }))
}

fn said(method: &str, params: Value) -> Message {
    Message::Notification(Notification { method: method.to_owned(), params: Some(params) })
}
