//! What comes back for a message in HTTP: one message, or a stream of them.

use herm_adapters::LONGEST;
use herm_adapters::jsonrpc::{Failure, INTERNAL, Message, Request, Response};
use herm_adapters::mcp::events::{Event as Told, Events};
use herm_proxy::Part;
use serde_json::Value;

use crate::companion::Heard;

/// What comes back for a message.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) request: Option<Request>,
    status: u16,
    kind: Kind,
    body: Vec<u8>,
    is_long: bool,
    pub(super) events: Events,
    /// Whether the request has its answer.
    pub(super) is_answered: bool,
    pub(super) session: Option<String>,
    pub(super) version: Option<String>,
    pub(super) tools: Option<Value>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Other,
    Message,
    Stream,
}

/// How much is read of an answer that is none.
const LONGEST_COMPLAINT: usize = 64 << 10;

impl Answer {
    /// What will come back for a request, or for something that is none.
    pub(super) fn to(request: Option<Request>) -> Self {
        Self { request, ..Self::default() }
    }

    pub(super) fn is_stream(&self) -> bool {
        self.status == 200 && self.kind == Kind::Stream
    }

    /// Takes in a part; what is whole by now is heard.
    pub(super) fn take(&mut self, part: Part<'_>) -> Vec<Heard> {
        match part {
            Part::Head { status, fields } => {
                let field = |name: &str| {
                    fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
                };
                self.status = status;
                let kind = field("content-type").unwrap_or_default().to_ascii_lowercase();
                self.kind = match (status, kind.split(';').next().unwrap_or_default().trim()) {
                    (200, "application/json") => Kind::Message,
                    (200, "text/event-stream") => Kind::Stream,
                    _ => Kind::Other,
                };
                let is_greeting = self.request.as_ref().is_some_and(|request| request.method == "initialize");
                let visible =
                    |id: &&str| !id.is_empty() && id.bytes().all(|byte| (b'!'..=b'~').contains(&byte));
                let session =
                    field("mcp-session-id").filter(visible).filter(|_| is_greeting && status == 200);
                self.session = session.map(str::to_owned);
                Vec::new()
            }
            Part::Piece(bytes) if self.kind == Kind::Stream => {
                let told = self.events.feed(bytes);
                told.into_iter().map(|told| self.told(told)).collect()
            }
            Part::Piece(bytes) => {
                let most = if self.kind == Kind::Message { LONGEST } else { LONGEST_COMPLAINT };
                self.is_long |= self.body.len() + bytes.len() > most;
                if !self.is_long {
                    self.body.extend_from_slice(bytes);
                }
                Vec::new()
            }
        }
    }

    /// Nothing more comes. What is one message is whole now.
    pub(super) fn finish(&mut self) -> Option<Heard> {
        match self.kind {
            Kind::Message if self.is_long => Some(Heard::TooLong),
            Kind::Message => {
                let body = std::mem::take(&mut self.body);
                Some(self.told(Told::Data(body)))
            }
            Kind::Other | Kind::Stream => None,
        }
    }

    fn told(&mut self, told: Told) -> Heard {
        let Told::Data(mut data) = told else { return Heard::TooLong };
        // Between the words of JSON a blank is as good as the end of a line, and within them is none.
        data.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        if let (Ok(Message::Response(response)), Some(request)) = (Message::read(&data), &self.request)
            && response.id.as_ref() == Some(&request.id)
        {
            self.is_answered = true;
            if let Ok(result) = response.outcome {
                let version = result.get("protocolVersion").and_then(Value::as_str).map(str::to_owned);
                self.version = version.filter(|_| request.method == "initialize");
                self.tools = (request.method == "tools/list").then_some(result);
            }
        }
        Heard::Line(data)
    }

    /// Why a request has no answer: what the server complains about, where it does so in a message.
    pub(super) fn failure(&self) -> Failure {
        match Message::read(&self.body) {
            Ok(Message::Response(Response { outcome: Err(failure), .. })) => failure,
            _ if self.status == 200 || self.status == 202 => {
                Failure::new(INTERNAL, "herm: the server gave no answer")
            }
            _ => Failure::new(INTERNAL, format!("herm: the server answers with status {}", self.status)),
        }
    }
}
