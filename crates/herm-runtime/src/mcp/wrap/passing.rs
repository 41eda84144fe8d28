//! What a server says, as its client may hear it.

use std::sync::PoisonError;

use herm::call::Drift;
use herm::pace::{Ending, Kind};
use herm::policy::glob;
use herm_adapters::jsonrpc::{Failure, INTERNAL, Message, Notification, Request, Response};
use herm_adapters::mcp::http::is_sayable;
use herm_adapters::mcp::tools::Tool;
use herm_adapters::mcp::wrap::{About, Called, Pass};
use herm_adapters::once;
use serde_json::{Map, Value, json};

use super::calling::{direction, wants_input};
use super::desk::Desk;
use super::{Server, line};
use crate::cleanse::{cleansed, without_secrets};
use crate::given::Direction;
use crate::setup::{Problem, Setup};

impl Desk {
    /// The lines that the client hears: the message as it came, unless something was taken out of it.
    pub(super) fn pass(&self, pass: Pass) -> Vec<Vec<u8>> {
        let heard = self.face.setup().and_then(|setup| {
            let said = self.heard(&setup, &pass)?;
            let said = said.map_or_else(|| [pass.line.as_slice(), b"\n"].concat(), |message| line(&message));
            Ok(beside(&setup, &said)?.unwrap_or(said))
        });
        match heard {
            Ok(said) => vec![said],
            Err(problem) => {
                self.tell(&format!("what the server said was withheld: {problem}"));
                withheld(pass.message).iter().map(line).collect()
            }
        }
    }

    /// What is heard instead of what was said; nothing where that is the same.
    fn heard(&self, setup: &Setup, pass: &Pass) -> Result<Option<Message>, Problem> {
        match &pass.message {
            Message::Notification(Notification { method, params }) => {
                let clean = params.as_ref().map(|params| clean(setup, params)).transpose()?.flatten();
                Ok(clean.map(|params| {
                    Message::Notification(Notification { method: method.clone(), params: Some(params) })
                }))
            }
            Message::Request(Request { id, method, params }) => {
                let clean = params.as_ref().map(|params| clean(setup, params)).transpose()?.flatten();
                Ok(clean.map(|params| {
                    Message::Request(Request { id: id.clone(), method: method.clone(), params: Some(params) })
                }))
            }
            Message::Response(Response { id, outcome }) => {
                let outcome = match outcome {
                    Ok(result) => self.result(setup, result, &pass.about)?.map(Ok),
                    Err(failure) => self.failure(setup, failure, &pass.about)?.map(Err),
                };
                Ok(outcome.map(|outcome| Message::Response(Response { id: id.clone(), outcome })))
            }
        }
    }

    fn failure(&self, setup: &Setup, failure: &Failure, about: &About) -> Result<Option<Failure>, Problem> {
        if let About::Call(called) = about {
            self.answered(called, None);
            // An error has no room for advice.
            let _ = self.took(called, None, Ending::Failed);
        }
        let said = json!({ "message": failure.message, "data": failure.data });
        let Some(clean) = without_secrets(&setup.guard, &said)? else { return Ok(None) };
        let message = clean.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
        let data = clean.get("data").filter(|data| !data.is_null()).cloned();
        Ok(Some(Failure { code: failure.code, message, data }))
    }

    fn result(&self, setup: &Setup, result: &Value, about: &About) -> Result<Option<Value>, Problem> {
        match about {
            About::Call(called) => {
                let clean = cleansed(setup, result)?.map(|clean| with_opaque(clean, result));
                self.answered(called, Some(result));
                if wants_input(result) {
                    return Ok(clean);
                }
                let failed = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
                let ending = if failed { Ending::Failed } else { Ending::Succeeded };
                let advice = self.took(called, Some(result), ending);
                Ok(match advice {
                    Some(advice) => Some(advised(clean.unwrap_or_else(|| result.clone()), &advice)),
                    None => clean,
                })
            }
            About::Other => clean(setup, result),
            About::Tools => {
                let shown = self.tools(setup, result)?;
                let clean = clean(setup, shown.as_ref().unwrap_or(result))?;
                Ok(clean.or(shown))
            }
        }
    }

    /// Takes in a list of tools that no client hears of.
    pub(super) fn listed(&self, result: &Value) {
        let taken = self.face.setup().and_then(|setup| self.tools(&setup, result));
        // What could not be compared is compared, or refused, when it is called.
        taken.err().iter().for_each(|problem| self.tell(&problem.to_string()));
    }

    /// Takes in what came of a call; what comes back is for the model.
    fn took(&self, called: &Called, result: Option<&Value>, ending: Ending) -> Option<String> {
        let kind = match direction(called) {
            Direction::Reads => Kind::Idempotent,
            Direction::Writes => Kind::Mutating,
        };
        let tool = format!("{}/{}", self.name, called.name);
        self.circles.after(&tool, &called.arguments, (result, ending), kind)
    }

    /// The list of tools without those that nobody may call, and without what nobody has looked at; nothing where that is the same.
    fn tools(&self, setup: &Setup, result: &Value) -> Result<Option<Value>, Problem> {
        let listed = result.get("tools").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let tools: Vec<_> = listed.iter().map(Tool::read).collect();
        let read: Vec<_> = tools.iter().flatten().cloned().collect();
        let is_last = result.get("nextCursor").is_none_or(|cursor| cursor.is_null() || cursor == "");
        let drifts = self.pins.lock().unwrap_or_else(PoisonError::into_inner).listed(&read, is_last);
        let mut drifts = drifts.map_err(Problem::Store)?.into_iter();
        let denied = setup.policy.mcp.get(&self.name).map(|server| server.deny.clone()).unwrap_or_default();
        let is_far = matches!(self.server, Server::Remote { .. });
        let mut shown: Vec<Value> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for (value, tool) in listed.iter().zip(tools) {
            let Some(tool) = tool else { continue };
            let drift = drifts.next().flatten();
            if is_far && !is_sayable(value) {
                self.tell(&format!(
                    "the tool `{}` wants fields in HTTP that cannot be; it is left out",
                    tool.name
                ));
                continue;
            }
            if names.contains(&tool.name) || denied.iter().any(|pattern| glob::matches(pattern, &tool.name)) {
                continue;
            }
            shown.push(match drift {
                None => value.clone(),
                Some(drift) => self.withhold(&tool, drift),
            });
            names.push(tool.name);
        }
        if shown == listed {
            return Ok(None);
        }
        let mut result = result.clone();
        if let Some(fields) = result.as_object_mut() {
            fields.insert("tools".to_owned(), Value::Array(shown));
        }
        Ok(Some(result))
    }

    /// A tool without what its server says about it.
    fn withhold(&self, tool: &Tool, drift: Drift) -> Value {
        let how = match drift {
            Drift::Added => "was added since the server was first seen",
            Drift::Changed | Drift::Instructions | Drift::Unlisted => "has changed since it was first seen",
        };
        let said: String = tool.description.chars().take(LONGEST).collect();
        self.tell(&format!("the tool `{}` {how}. It is now described as: {said}", tool.name));
        let description = format!(
            "herm: this tool {how}, and what its server says about it is withheld until a person has looked at it."
        );
        json!({ "name": tool.name, "description": description, "inputSchema": { "type": "object" } })
    }
}

/// The same line without the secrets in what nobody reads here, beside the parameters or the result; nothing where it has none.
fn beside(setup: &Setup, line: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
    // What is no object was no message either.
    let Ok(Value::Object(said)) = once(line) else { return Ok(None) };
    let is_looked_through = |key: &str| ["id", "jsonrpc", "params", "result"].contains(&key);
    let (mut whole, rest): (Map<String, Value>, Map<String, Value>) =
        said.into_iter().partition(|(key, _)| is_looked_through(key));
    let Some(Value::Object(clean)) = without_secrets(&setup.guard, &Value::Object(rest))? else {
        return Ok(None);
    };
    whole.extend(clean);
    let mut line = Value::Object(whole).to_string().into_bytes();
    line.push(b'\n');
    Ok(Some(line))
}

/// How much of a description is shown.
const LONGEST: usize = 2000;

/// The same without its secrets; nothing where it has none.
fn clean(setup: &Setup, value: &Value) -> Result<Option<Value>, Problem> {
    Ok(without_secrets(&setup.guard, value)?.map(|clean| with_opaque(clean, value)))
}

/// What only programs exchange and no model is shown: without it, nothing could be continued.
const OPAQUE: &[&str] = &["nextCursor", "progressToken", "requestId", "requestState", "taskId"];

fn with_opaque(mut clean: Value, said: &Value) -> Value {
    let kept: Map<String, Value> = said
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, value)| OPAQUE.contains(&key.as_str()) && (value.is_string() || value.is_number()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if let Some(fields) = clean.as_object_mut() {
        fields.extend(kept);
    }
    clean
}

/// A result with one more thing for the model to read.
fn advised(mut result: Value, advice: &str) -> Value {
    let content = result.get_mut("content").and_then(Value::as_array_mut);
    if let Some(content) = content {
        content.push(json!({ "type": "text", "text": advice }));
    }
    result
}

/// What is heard of something that could not be looked through: that it was withheld, where somebody waits for it.
fn withheld(message: Message) -> Option<Message> {
    match message {
        Message::Response(Response { id, .. }) => {
            let failure = Failure::new(
                INTERNAL,
                "herm: what the server answered could not be looked through, and was withheld",
            );
            Some(Message::Response(Response { id, outcome: Err(failure) }))
        }
        Message::Notification(_) | Message::Request(_) => None,
    }
}
