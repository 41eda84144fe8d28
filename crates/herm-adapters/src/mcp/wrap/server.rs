//! What becomes of what the server says.

use std::time::Instant;

use serde_json::Value;

use super::{
    About, Held, Matter, Open, Pass, Phase, Relay, SAMPLING, Served, Stage, Step, answer, to_server,
};
use crate::jsonrpc::{
    Failure, INTERNAL, INVALID_REQUEST, Id, Message, NO_METHOD, Notification, Request, Response,
};
use crate::mcp::protocol::{self, Era};
use crate::mcp::tools::Tool;

impl Relay {
    /// The server said this line.
    pub fn server(&mut self, line: &[u8], now: Instant) -> Vec<Step> {
        match Message::read(line) {
            Err(malformed) if self.is_looking_up(malformed.id.as_ref()) => {
                let failed = Err(Failure::new(INTERNAL, malformed.why));
                let steps = self.looked_up(Response { id: malformed.id, outcome: failed }, now);
                steps.unwrap_or_default()
            }
            Err(malformed) => {
                let mut steps = vec![note("what it said is no message")];
                // Whoever waits for it should not wait for ever.
                let id = malformed.id.filter(|id| self.is_sent(id));
                steps.extend(id.map(|id| self.withhold(id, "the server answered with what is no answer")));
                steps
            }
            Ok(Message::Notification(said)) if protocol::is_ambiguous(said.params.as_ref()) => {
                vec![note("what it said can be read in two ways")]
            }
            Ok(Message::Notification(said)) => self.server_says(line, said),
            Ok(Message::Request(request)) if protocol::is_ambiguous(request.params.as_ref()) => {
                let failure = Failure::new(INVALID_REQUEST, "it can be read in two ways");
                vec![to_server(request.id, Err(failure))]
            }
            Ok(Message::Request(request)) => self.server_asks(line, request),
            Ok(Message::Response(response)) => match self.looked_up(response, now) {
                Ok(steps) => steps,
                Err(response) => self.server_answers(line, response),
            },
        }
    }

    /// The server said more than any message may hold. Whose answer that was cannot be known, so nobody's is waited for.
    pub fn server_is_too_long(&mut self, now: Instant) -> Vec<Step> {
        let sent: Vec<_> = self.open.keys().filter(|id| self.is_sent(id)).cloned().collect();
        let why = "herm: the server sent a message that is too long. It was withheld, and with it what else was being waited for.";
        let mut steps = vec![note("its message is too long")];
        steps.extend(sent.into_iter().map(|id| self.withhold(id, why)));
        // It may have been the list that we wait for.
        steps.extend(self.give_up_listing(now));
        steps
    }

    fn is_sent(&self, id: &Id) -> bool {
        self.open.get(id).is_some_and(|open| matches!(open.stage, Stage::Sent(_)))
    }

    fn withhold(&mut self, id: Id, why: &str) -> Step {
        self.open.remove(&id);
        answer(id, Err(Failure::new(INTERNAL, why)))
    }

    fn server_answers(&mut self, line: &[u8], response: Response) -> Vec<Step> {
        let Some(id) = response.id.clone().filter(|id| self.is_sent(id)) else {
            return vec![note("it answered what nobody asked")];
        };
        let Some(Open { method, era, stage: Stage::Sent(called) }) = self.open.remove(&id) else {
            return Vec::new();
        };
        if let (true, Ok(result)) = (GREETINGS.contains(&method.as_str()), &response.outcome)
            && protocol::is_ambiguous(Some(result))
        {
            self.phase = if method == "initialize" { Phase::Fresh } else { self.phase };
            return vec![answer(
                id,
                Err(Failure::new(INTERNAL, "the server's greeting can be read in two ways")),
            )];
        }
        let about = match (method.as_str(), called, &response.outcome) {
            ("initialize", _, outcome) => {
                self.phase = if outcome.is_ok() { Phase::Ready } else { Phase::Fresh };
                About::Other
            }
            ("tools/list", _, Ok(result)) => match self.list(result) {
                Ok(()) => About::Tools,
                Err(why) => return vec![answer(id, Err(Failure::new(INTERNAL, why)))],
            },
            (_, Some(called), _) => About::Call(called),
            (_, None, _) => About::Other,
        };
        let asks = response.outcome.as_ref().is_ok_and(asks_model);
        let pass = Box::new(Pass { line: line.to_vec(), message: Message::Response(response), about });
        if !asks {
            return vec![Step::Pass(pass)];
        }
        if self.is_busy() {
            return vec![answer(id, Err(Failure::new(INTERNAL, "too much is being decided about")))];
        }
        let ticket = self.hold(Held::Answer(id, era, pass));
        vec![Step::Decide(ticket, Box::new(Matter::Sampling))]
    }

    /// Remembers the tools of a list, or of a page of it.
    pub(super) fn list(&mut self, result: &Value) -> Result<(), &'static str> {
        let listed =
            result.get("tools").and_then(Value::as_array).ok_or("the server's list of tools is none")?;
        if protocol::is_ambiguous(Some(result))
            || listed.iter().any(|tool| protocol::is_ambiguous(Some(tool)))
        {
            return Err("the server's list of tools can be read in two ways");
        }
        for tool in listed.iter().filter_map(Tool::read) {
            if self.tools.len() >= self.bounds.tools && !self.tools.contains_key(&tool.name) {
                return Err("the server has more tools than anybody needs");
            }
            self.tools.insert(tool.name.clone(), tool);
        }
        Ok(())
    }

    fn server_says(&mut self, line: &[u8], said: Notification) -> Vec<Step> {
        let has_begun =
            self.phase != Phase::Fresh || self.open.values().any(|open| open.era == Era::Stateless);
        if !said.method.starts_with("notifications/") || !has_begun {
            return vec![note("what it said is not known, or out of turn")];
        }
        let mut steps = Vec::new();
        if said.method == "notifications/cancelled" {
            steps.extend(self.server_calls_off(&said));
        }
        let message = Message::Notification(said);
        steps.push(Step::Pass(Box::new(Pass { line: line.to_vec(), message, about: About::Other })));
        steps
    }

    /// Calls off what the client has not heard of yet.
    fn server_calls_off(&mut self, said: &Notification) -> Option<Step> {
        let wanted = said.params.as_ref()?.get("requestId")?;
        let id = self.served.keys().find(|id| id.value() == *wanted)?.clone();
        match self.served.remove(&id)? {
            Served::Deciding(ticket) => {
                self.held.remove(&ticket);
                Some(Step::CallOff(ticket))
            }
            Served::Sent(_) => None,
        }
    }

    fn server_asks(&mut self, line: &[u8], request: Request) -> Vec<Step> {
        let id = request.id.clone();
        if self.served.contains_key(&id) || self.asked.contains_key(&id) {
            return vec![note("it used an id again that is still in use")];
        }
        if let Some(failure) = self.objection(&request.method) {
            return vec![to_server(id, Err(failure))];
        }
        let method = request.method.clone();
        let message = Message::Request(request);
        let pass = Box::new(Pass { line: line.to_vec(), message, about: About::Other });
        if method == SAMPLING {
            let ticket = self.hold(Held::Served(id.clone(), pass));
            self.served.insert(id, Served::Deciding(ticket));
            return vec![Step::Decide(ticket, Box::new(Matter::Sampling))];
        }
        self.served.insert(id, Served::Sent(method));
        vec![Step::Pass(pass)]
    }

    /// Why the server may not ask for something.
    fn objection(&self, method: &str) -> Option<Failure> {
        let can = |what: &str| self.capabilities.get(what).is_some_and(|value| !value.is_null());
        let failure = |code, why: &str| Some(Failure::new(code, why));
        if self.served.len() >= self.bounds.open {
            return failure(INVALID_REQUEST, "too many requests are open");
        }
        match method {
            "ping" if self.phase != Phase::Fresh => None,
            // Without a session there is nobody to ask: since 2026-07-28 servers ask in their results.
            _ if self.phase != Phase::Ready => failure(INVALID_REQUEST, "there is no session"),
            "elicitation/create" if can("elicitation") => None,
            "roots/list" if can("roots") => None,
            SAMPLING if can("sampling") => None,
            _ => failure(NO_METHOD, "the client cannot do this"),
        }
    }
}

/// What servers are asked for that they answer with what they say about themselves.
const GREETINGS: &[&str] = &["initialize", "server/discover"];

/// Whether a result asks for what the client's model says.
fn asks_model(result: &Value) -> bool {
    protocol::inputs(result).contains(&SAMPLING)
}

fn note(why: &str) -> Step {
    Step::Note(format!("the server: {why}; it was dropped"))
}
