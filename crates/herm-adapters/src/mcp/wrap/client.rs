//! What becomes of what the client says.

use std::time::Instant;

use serde_json::{Map, Value};

use super::{
    Answered, Called, Continued, Held, Matter, Open, Phase, Relay, SAMPLING, Served, Stage, Step, answer,
    refused, to_server,
};
use crate::jsonrpc::{
    Failure, INVALID_PARAMS, INVALID_REQUEST, Message, NO_METHOD, Notification, Request, Response,
};
use crate::mcp::protocol::{self, Era, QUESTION};
use crate::mcp::tools::is_name;

/// What clients ask servers for. Whatever else one could understand is not passed on: nobody here knows what it would do.
pub(super) const METHODS: &[&str] = &[
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tasks/update",
    "tools/call",
    "tools/list",
];

/// What clients tell servers. The same holds for it.
const NOTIFICATIONS: &[&str] = &[
    "notifications/cancelled",
    "notifications/initialized",
    "notifications/progress",
    "notifications/roots/list_changed",
    "notifications/tasks/status",
];

impl Relay {
    /// The client said this line.
    pub fn client(&mut self, line: &[u8], now: Instant) -> Vec<Step> {
        match Message::read(line) {
            Err(malformed) => vec![Step::ToClient(malformed.answer())],
            Ok(Message::Notification(said)) if protocol::is_ambiguous(said.params.as_ref()) => {
                vec![Step::Note("the client said what can be read in two ways; it was dropped".to_owned())]
            }
            Ok(Message::Notification(said)) => self.client_says(line, &said),
            Ok(Message::Request(request)) if protocol::is_ambiguous(request.params.as_ref()) => {
                let failure = Failure::new(INVALID_REQUEST, "it can be read in two ways");
                vec![answer(request.id, Err(failure))]
            }
            Ok(Message::Request(request)) => self.client_asks(line, request, now),
            Ok(Message::Response(response)) => self.client_answers(line, response),
        }
    }

    /// The client said more than any message may hold.
    #[must_use]
    pub fn client_is_too_long(&self) -> Vec<Step> {
        let failure = Failure::new(INVALID_REQUEST, "the message is too long");
        vec![Step::ToClient(Message::Response(Response { id: None, outcome: Err(failure) }))]
    }

    fn client_asks(&mut self, line: &[u8], request: Request, now: Instant) -> Vec<Step> {
        let id = request.id.clone();
        if self.open.contains_key(&id) {
            // An answer to that id would be taken for the answer to the first.
            return vec![Step::Note(
                "the client used an id again that is still in use; it was dropped".to_owned(),
            )];
        }
        let fail = |code, why: &str| vec![answer(id.clone(), Err(Failure::new(code, why)))];
        if !METHODS.contains(&request.method.as_str()) {
            return fail(NO_METHOD, "herm does not know this method, so it is not passed on");
        }
        if self.open.len() >= self.bounds.open {
            return fail(INVALID_REQUEST, "too many requests are open");
        }
        if is_given_unasked(&request) {
            return fail(INVALID_PARAMS, "nothing is wanted before this is answered");
        }
        let era = Era::of(request.params.as_ref());
        if era == Era::Stateless && protocol::REMOVED.contains(&request.method.as_str()) {
            return fail(NO_METHOD, "there is no such method in this revision");
        }
        if let Some(why) = self.out_of_turn(&request.method, era) {
            return fail(INVALID_REQUEST, why);
        }
        match request.method.as_str() {
            "initialize" => {
                self.phase = Phase::Greeting;
                let given = request.params.as_ref().and_then(|params| params.get("capabilities"));
                self.capabilities = given.cloned().unwrap_or_default();
                self.send(line, request, era)
            }
            "completion/complete" | "prompts/get" | "tasks/update" => {
                let given = given(request.params.as_ref());
                let matter = Matter::Given(request.method.clone(), given);
                self.decide(line, request, era, matter)
            }
            "resources/read" | "resources/subscribe" => match text(request.params.as_ref(), "uri") {
                Some(uri) => {
                    let responses = responses(request.params.as_ref());
                    self.decide(line, request, era, Matter::Resource(uri, responses))
                }
                None => fail(INVALID_PARAMS, "it does not say which resource"),
            },
            "tools/call" => match self.look_up(line, request, era) {
                Ok(steps) => steps,
                Err(request) => self.call(line, request, era, now),
            },
            _ => self.send(line, request, era),
        }
    }

    /// Why a request cannot be made now.
    fn out_of_turn(&self, method: &str, era: Era) -> Option<&'static str> {
        match (self.phase, method, era) {
            (Phase::Greeting | Phase::Ready, "initialize", _) => Some("the session has begun already"),
            (_, "initialize" | "ping", _)
            | (Phase::Fresh, "server/discover", _)
            | (Phase::Ready, _, _)
            | (_, _, Era::Stateless) => None,
            (Phase::Fresh | Phase::Greeting, _, Era::Session) => Some("the session has not begun"),
        }
    }

    /// Passes a request on as it came.
    fn send(&mut self, line: &[u8], request: Request, era: Era) -> Vec<Step> {
        let open = Open { method: request.method, era, stage: Stage::Sent(None) };
        self.open.insert(request.id, open);
        vec![Step::ToServer([line, b"\n"].concat())]
    }

    fn decide(&mut self, line: &[u8], request: Request, era: Era, matter: Matter) -> Vec<Step> {
        let called = match &matter {
            Matter::Call(called) => Some(Box::new(called.clone())),
            Matter::Given(..) | Matter::Resource(..) | Matter::Sampling => None,
        };
        let Request { id, method, params } = request;
        let line = [line, b"\n"].concat();
        let ticket = self.hold(Held::Asked(id.clone(), line, params.unwrap_or_default(), called));
        self.open.insert(id, Open { method, era, stage: Stage::Deciding(ticket) });
        vec![Step::Decide(ticket, Box::new(matter))]
    }

    pub(super) fn call(&mut self, line: &[u8], request: Request, era: Era, now: Instant) -> Vec<Step> {
        let id = request.id.clone();
        let name = text(request.params.as_ref(), "name").filter(|name| is_name(name));
        let (Some(name), Some(Value::Object(params))) = (name, request.params) else {
            return vec![answer(id, Err(Failure::new(INVALID_PARAMS, "it does not say which tool")))];
        };
        if params.get("arguments").is_some_and(|given| !given.is_object() && !given.is_null()) {
            return vec![answer(id, Err(Failure::new(INVALID_PARAMS, "the arguments are no object")))];
        }
        if !self.rate.allows(now) {
            let most = self.rate.most();
            let why = format!(
                "herm: not called: this server takes {most} calls a minute, and that many were made. Wait, or do something else."
            );
            return vec![answer(id, refused(&why, era, true))];
        }
        let (params, answered) = match self.resume(params) {
            Ok(resumed) => resumed,
            Err(why) => return vec![answer(id, refused(why, era, true))],
        };
        let capabilities = match era {
            Era::Session => Some(&self.capabilities),
            Era::Stateless => protocol::capabilities(Some(&params)),
        };
        let called = Called {
            id: request.id.value().to_string(),
            arguments: params.get("arguments").cloned().unwrap_or_default(),
            tool: self.tools.get(&name).cloned(),
            name,
            era,
            can_ask: capabilities.is_some_and(protocol::can_ask),
            answered,
            continued: continued(&params).map(Box::new),
        };
        let resumed = called.answered.is_some();
        let request = Request { params: Some(params), ..request };
        let rewritten = resumed.then(|| Message::Request(request.clone()).line());
        // Nothing of ours is for the server.
        let line = rewritten.as_deref().map_or(line, <[u8]>::trim_ascii_end);
        self.decide(line, request, era, Matter::Call(called))
    }

    /// What a call is made with. One that we sent back with a question is made with what it was made with at first, and must be the
    /// same call.
    fn resume(&mut self, params: Map<String, Value>) -> Result<(Value, Option<Answered>), &'static str> {
        let state = params.get("requestState").and_then(Value::as_str);
        let Some(state) = state.filter(|state| state.starts_with(&self.salt)).map(str::to_owned) else {
            return Ok((Value::Object(params), None));
        };
        let at = self.paused.iter().position(|(known, _)| *known == state);
        let before = at.and_then(|at| self.paused.remove(at)).map(|(_, params)| params);
        let before = before.ok_or("herm: what this call answers is not known, or was answered.")?;
        let is_same = |key: &str| before.get(key) == params.get(key);
        if !is_same("name") || !is_same("arguments") {
            return Err("herm: the answer belongs to another call. Nothing was called.");
        }
        let answer = params.get("inputResponses").and_then(|answers| answers.get(QUESTION)).cloned();
        Ok((before, Some(Answered { state, answer })))
    }

    fn client_says(&mut self, line: &[u8], said: &Notification) -> Vec<Step> {
        if !NOTIFICATIONS.contains(&said.method.as_str()) {
            return vec![Step::Note(
                "the client said something that is not known; it was dropped".to_owned(),
            )];
        }
        if self.phase == Phase::Fresh && self.open.is_empty() {
            return vec![Step::Note("the client spoke before the session began; it was dropped".to_owned())];
        }
        if said.method == "notifications/cancelled"
            && let Some(steps) = self.call_off(said)
        {
            return steps;
        }
        vec![Step::ToServer([line, b"\n"].concat())]
    }

    /// Calls off a request. What comes back nonetheless is dropped. Nothing is left to do where the server has not heard of it yet.
    fn call_off(&mut self, said: &Notification) -> Option<Vec<Step>> {
        let wanted = said.params.as_ref()?.get("requestId")?;
        let id = self.open.keys().find(|id| id.value() == *wanted)?.clone();
        match self.open.remove(&id)?.stage {
            Stage::Deciding(ticket) => {
                self.held.remove(&ticket);
                Some(vec![Step::CallOff(ticket)])
            }
            Stage::Listing => {
                // Nobody but us has heard of it.
                self.stop_waiting(&id);
                Some(Vec::new())
            }
            Stage::Sent(_) => None,
        }
    }

    fn client_answers(&mut self, line: &[u8], response: Response) -> Vec<Step> {
        let dropped = || vec![Step::Note("the client answered what nobody asked; it was dropped".to_owned())];
        let Some(id) = response.id else { return dropped() };
        if let Some(ticket) = self.asked.remove(&id) {
            return vec![Step::Heard(ticket, response.outcome.ok())];
        }
        let Some(Served::Sent(asked)) = self.served.get(&id).cloned() else { return dropped() };
        self.served.remove(&id);
        let line = [line, b"\n"].concat();
        match response.outcome {
            Ok(_) if self.is_busy() => {
                vec![to_server(id, Err(Failure::new(INVALID_REQUEST, "too much is being decided about")))]
            }
            // What is given this way is given to the server as much as the arguments of a call.
            Ok(given) if [ELICITATION, SAMPLING].contains(&asked.as_str()) => {
                let ticket = self.hold(Held::Reply(id, line));
                vec![Step::Decide(ticket, Box::new(Matter::Given(asked, given)))]
            }
            Ok(_) | Err(_) => vec![Step::ToServer(line)],
        }
    }
}

/// How servers ask for what a client's person says.
const ELICITATION: &str = "elicitation/create";

/// What servers want to be given before they go on, as a client gives it.
const RESPONSES: &str = "inputResponses";

/// Whether something is given that no server may have wanted with this: nobody would look at it.
fn is_given_unasked(request: &Request) -> bool {
    let looked_at = ["prompts/get", "resources/read", "resources/subscribe", "tasks/update", "tools/call"];
    let is_given = request.params.as_ref().is_some_and(|params| params.get(RESPONSES).is_some());
    is_given && !looked_at.contains(&request.method.as_str())
}

fn responses(params: Option<&Value>) -> Value {
    params.and_then(|params| params.get(RESPONSES)).cloned().unwrap_or_default()
}

/// What a call is made again with because its server wanted it.
fn continued(params: &Value) -> Option<Continued> {
    let state = params.get("requestState").cloned().unwrap_or_default();
    let responses = responses(Some(params));
    (!state.is_null() || !responses.is_null()).then_some(Continued { state, responses })
}

fn text(params: Option<&Value>, key: &str) -> Option<String> {
    params?.get(key)?.as_str().map(str::to_owned)
}

/// What a prompt or a task is given, or what is completed and what was chosen before, each under its name.
fn given(params: Option<&Value>) -> Value {
    let within = |value: Option<&Value>, key: &str| value.and_then(|value| value.get(key)).cloned();
    let argument = within(params, "argument");
    let named = text(argument.as_ref(), "name").zip(within(argument.as_ref(), "value"));
    let chosen = within(params.and_then(|params| params.get("context")), "arguments");
    let named = named.map_or(Value::Null, |(name, value)| Value::Object(Map::from_iter([(name, value)])));
    // Whatever else stands there may be read by others.
    let rest =
        [argument, within(params, "context"), within(params, "arguments"), chosen, within(params, RESPONSES)];
    std::iter::once(named).chain(rest.into_iter().flatten()).collect()
}
