//! What an editor says.

use serde_json::{Value, json};

use super::{Errand, Proxy, Stand, VERSION, with_end};
use crate::acp::place::Place;
use crate::acp::step::{Said, Step};
use crate::fields::Fields;
use crate::jsonrpc::{Id, Message, Notification, Request, Response};

impl Proxy {
    /// Something that the editor asks the agent for.
    pub(super) fn errand(&mut self, request: Request, line: &[u8]) -> Step {
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

    pub(super) fn said_by_editor(said: &Notification, line: &[u8]) -> Vec<Step> {
        let session = || Fields::of(said.params.as_ref()?)?.text("sessionId");
        let called_off = (said.method == "session/cancel").then(session).flatten().map(Step::CalledOff);
        called_off.into_iter().chain([Step::Agent(with_end(line))]).collect()
    }

    pub(super) fn answered_by_editor(&mut self, response: Response, line: &[u8]) -> Vec<Step> {
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
            Some(Stand::Writes) => {
                let id = id.clone();
                self.of_agent.remove(&id);
                vec![Step::Wrote(id, with_end(line))]
            }
            Some(Stand::Decided(..)) | None => {
                vec![Step::Note(
                    "the editor answered what it was not asked; that was not passed on".to_owned(),
                )]
            }
        }
    }
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
