//! What a server says about itself, which is as much an instruction to a model as what it says about its tools.

use std::sync::PoisonError;

use herm_adapters::jsonrpc::{Message, Response};
use herm_adapters::mcp::wrap::{About, Pass};
use serde_json::Value;

use super::desk::{Desk, unkept};
use super::line;

impl Desk {
    /// The same without instructions that differ from the first ones. Only a greeting says what a server is able to.
    pub(super) fn greeted(&self, pass: Pass) -> Pass {
        let Message::Response(Response { id, outcome: Ok(Value::Object(fields)) }) = &pass.message else {
            return pass;
        };
        let is_greeting = fields.contains_key("capabilities") || fields.contains_key("instructions");
        if !matches!(pass.about, About::Other) || !is_greeting {
            return pass;
        }
        let said = fields
            .get("instructions")
            .map(|said| said.as_str().map_or_else(|| said.to_string(), str::to_owned));
        let said = said.unwrap_or_default();
        let is_known = self.pins.lock().unwrap_or_else(PoisonError::into_inner).greeted(&said);
        match is_known {
            Ok(true) => return pass,
            Ok(false) if said.is_empty() => return pass,
            Ok(false) => {
                let shown: String = said.chars().take(LONGEST).collect();
                self.tell(&format!(
                    "what the server says about itself has changed since it was first seen, and is withheld; `herm mcp pins forget {}` has it \
                     seen anew. It now says: {shown}",
                    self.name
                ));
            }
            Err(error) => self.tell(&unkept(&error)),
        }
        let mut fields = fields.clone();
        fields.insert("instructions".to_owned(), Value::String(WITHHELD.to_owned()));
        let message = Message::Response(Response { id: id.clone(), outcome: Ok(Value::Object(fields)) });
        Pass { line: line(&message).trim_ascii_end().to_vec(), message, about: pass.about }
    }
}

const WITHHELD: &str = "herm: what this server says about itself has changed since it was first seen, and is withheld until a person has looked at it.";

/// How much of it is shown.
const LONGEST: usize = 2000;
