//! What an agent says.

use std::collections::HashMap;

use serde_json::Value;

use super::{Errand, Look, MOST, Proxy, Stand, VERSION, with_end};
use crate::acp::permission::Permission;
use crate::acp::place::Place;
use crate::acp::print::Ground;
use crate::acp::sighting::weight;
use crate::acp::step::{Deed, Step, Ticket, What, Wish};
use crate::acp::terminal::Create;
use crate::acp::tool::Tool;
use crate::acp::update::{Update, put_text, terminals};
use crate::acp::{CANCELLED, REFUSED};
use crate::fields::Fields;
use crate::jsonrpc::{
    self, Failure, INTERNAL, INVALID_PARAMS, INVALID_REQUEST, Id, Message, NO_METHOD, Notification, Request,
    Response,
};

impl Proxy {
    /// Something that the agent asks for.
    pub(super) fn wanted(&mut self, request: Request, line: &[u8], look: Look<'_>) -> Vec<Step> {
        let Request { id, method, params } = request;
        if self.of_agent.contains_key(&id) {
            return vec![Step::Note(
                "the agent asked twice under one id; the second was not passed on".to_owned(),
            )];
        }
        if self.of_agent.len() >= MOST {
            return vec![refusal(id, INTERNAL, "too much is being waited for")];
        }
        if !is_plain(&id) {
            return vec![refusal(id, INVALID_REQUEST, "not everybody reads this id the same")];
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
            return vec![Step::Terminal(self.decided(id, Vec::new()), terminal, deed)];
        }
        let session = Fields::of(&params).and_then(|fields| fields.text("sessionId")).unwrap_or_default();
        let Some(place) = self.sessions.get(&session).cloned() else {
            return vec![refusal(id, INVALID_PARAMS, "there is no such session")];
        };
        if is_ambiguous(&params) {
            return vec![refusal(id, INVALID_PARAMS, "it can be read in two ways")];
        }
        let Some(what) = self.what(&method, params, look) else {
            return vec![refusal(id, INVALID_PARAMS, "it is not said what is wanted")];
        };
        let ticket = self.decided(id, line.to_vec());
        vec![Step::Decide(Box::new(Wish { ticket, session, place, what }))]
    }

    /// Something is to be decided about that was said so.
    fn decided(&mut self, id: Id, line: Vec<u8>) -> Ticket {
        self.wanted += 1;
        self.of_agent.insert(id.clone(), Stand::Decided(self.wanted, line));
        Ticket { id, number: self.wanted }
    }

    fn what(&mut self, method: &str, mut params: Value, look: Look<'_>) -> Option<What> {
        let text = |key: &str| Fields::of(&params)?.value(key)?.as_str().map(str::to_owned);
        let path = || text("path").filter(|path| path.starts_with('/'));
        let session = text("sessionId")?;
        match method {
            "session/request_permission" => {
                params.get_mut("toolCall").into_iter().for_each(|told| put_text(told, look));
                let permission = Permission::read(&params, |session, id| self.sightings.told(session, id))?;
                let cwd = cwd(&self.sessions, &session);
                self.sightings.guard(&permission, Ground { agent: self.agent, cwd });
                Some(What::Permit(Box::new(permission)))
            }
            "fs/read_text_file" => path().map(What::Read),
            "fs/write_text_file" => {
                path().zip(text("content")).map(|(path, content)| What::Write { path, content })
            }
            "terminal/create" => Create::read(&params).map(What::Terminal),
            _ => None,
        }
    }

    pub(super) fn said_by_agent(&mut self, said: &Notification, line: &[u8], look: Look<'_>) -> Vec<Step> {
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
        let ground = Ground { agent: self.agent, cwd: cwd(&self.sessions, &update.session) };
        let call = (update.session.as_str(), update.id.as_str());
        let unasked = self.sightings.see(call, update.told, update.end, ground);
        let passed = if shown.is_empty() {
            with_end(line)
        } else {
            let is_kept = weight(update.told) + update.session.len() <= HEAVIEST;
            for terminal in shown.into_iter().filter(|_| is_kept) {
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

    pub(super) fn saw(&self, session: &str, tool: Tool) -> Step {
        Step::Saw(session.to_owned(), self.sessions.get(session).cloned(), Box::new(tool))
    }

    fn taken_back(&mut self, params: &Value, line: &[u8]) -> Vec<Step> {
        let id = match params.get("requestId") {
            Some(Value::Number(number)) => Id::Number(number.clone()),
            Some(Value::String(text)) => Id::Text(text.clone()),
            Some(_) | None => return Vec::new(),
        };
        match self.of_agent.get(&id) {
            Some(Stand::Passed | Stand::Reads | Stand::Writes) => vec![Step::Editor(with_end(line))],
            Some(Stand::Decided(..)) => {
                self.of_agent.remove(&id);
                let failure = Failure::new(CANCELLED, "it was taken back");
                let answer =
                    Message::Response(Response { id: Some(id.clone()), outcome: Err(failure) }).line();
                vec![Step::Withdrawn(id), Step::Agent(answer)]
            }
            None => Vec::new(),
        }
    }

    pub(super) fn answered_by_agent(&mut self, response: Response, line: &[u8]) -> Vec<Step> {
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
                let tools = self
                    .sightings
                    .turn_over(&session, Ground { agent: self.agent, cwd: cwd(&self.sessions, &session) });
                let saw: Vec<_> = tools.into_iter().map(|tool| self.saw(&session, tool)).collect();
                saw.into_iter().chain([passed]).collect()
            }
            Errand::Something => vec![passed],
        }
    }
}

/// The heaviest call that is told again when a terminal that it shows has ended.
const HEAVIEST: usize = 1 << 20;

/// Where a session works, as far as it is known.
fn cwd<'a>(sessions: &'a HashMap<String, Place>, session: &str) -> &'a str {
    sessions.get(session).map_or("", |place| place.cwd.as_str())
}

/// Whether a method has effects that are decided about here, also one that nobody knows yet. Tools of servers that the editor has itself
/// are called by messages within messages, of which nothing is known here.
fn is_guarded(method: &str) -> bool {
    let families = ["_mcp/", "fs/", "mcp/", "terminal/"];
    method == "session/request_permission" || families.iter().any(|family| method.starts_with(family))
}

/// Whether an editor that does not tell capitals apart could read something else in what is wanted.
fn is_ambiguous(params: &Value) -> bool {
    params.as_object().is_some_and(|fields| jsonrpc::is_ambiguous(fields, FIELDS))
}

/// What is read here of what is wanted.
const FIELDS: &[&str] = &[
    "args",
    "command",
    "content",
    "cwd",
    "env",
    "limit",
    "line",
    "options",
    "outputByteLimit",
    "path",
    "sessionId",
    "terminalId",
    "toolCall",
];

/// Whether an id comes back as it was said: some editors know no numbers but those that a double holds.
fn is_plain(id: &Id) -> bool {
    match id {
        Id::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() <= 1 << 53),
        Id::Text(_) => true,
    }
}

fn refusal(id: Id, code: i64, why: &str) -> Step {
    let outcome = Err(Failure::new(code, format!("herm: {why}")));
    Step::Agent(Message::Response(Response { id: Some(id), outcome }).line())
}
