//! A client that speaks MCP line by line.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::place::Place;

/// A client of a server of its own.
pub(super) struct Spoken {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// What was heard while something else was waited for.
    pub(super) heard: VecDeque<Value>,
    next: u64,
}

impl Spoken {
    /// A client that shows forms, or does not, of the older age.
    pub(super) fn to(place: &Place, capabilities: &Value, more: &[&str]) -> Self {
        let mut client = Self::of(&mut serving(place, more));
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}});
        let id = client.send("initialize", &params);
        assert_eq!(client.answer(id)["result"]["serverInfo"]["name"], "herm");
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    pub(super) fn of(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, heard: VecDeque::new(), next: 0 }
    }

    pub(super) fn say(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    pub(super) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The next message for which something holds. What comes before is kept.
    pub(super) fn hear(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&wanted) {
            return self.heard.remove(at).unwrap();
        }
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            let message: Value = serde_json::from_str(&line)
                .unwrap_or_else(|error| panic!("{error}: {line} {:?}", self.heard));
            if wanted(&message) {
                return message;
            }
            self.heard.push_back(message);
        }
    }

    pub(super) fn answer(&mut self, id: u64) -> Value {
        self.hear(|message| message["id"] == id && message.get("method").is_none())
    }

    /// What comes back from a tool.
    pub(super) fn result(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.call(tool, arguments);
        let answer = self.answer(id);
        answer.get("result").unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// What a tool says that did it.
    pub(super) fn done(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        text(&result)
    }

    /// What a tool says that did not.
    pub(super) fn failed(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result)
    }

    pub(super) fn question(&mut self) -> Value {
        self.hear(|message| message["method"] == "elicitation/create")
    }

    /// Answers the next question, and says what was asked.
    pub(super) fn respond(&mut self, result: &Value) -> String {
        let question = self.question();
        self.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
        question["params"]["message"].as_str().unwrap().to_owned()
    }

    pub(super) fn choose(&mut self, word: &str) -> String {
        self.respond(&json!({"action": "accept", "content": {"answer": word}}))
    }

    pub(super) fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// The server, on this machine unless something else is said.
pub(super) fn serving(place: &Place, more: &[&str]) -> Command {
    let home = place.home().to_str().unwrap().to_owned();
    let usual = if more.contains(&"--backend") { &[][..] } else { &["--backend", "local"][..] };
    place.herm(&[&["mcp", "serve", "--home", &home], usual, more].concat())
}

pub(super) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

pub(super) fn asking() -> Value {
    json!({"elicitation": {"form": {}}})
}

pub(super) fn client(place: &Place) -> Spoken {
    Spoken::to(place, &asking(), &[])
}
