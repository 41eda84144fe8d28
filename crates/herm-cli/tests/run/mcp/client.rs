//! A client that speaks MCP, line by line, with herm as its server.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::place::Place;

/// A client, and the wrapped server behind herm.
pub(crate) struct Client {
    pub(crate) herm: Child,
    input: Option<ChildStdin>,
    said: Receiver<Value>,
    errors: Receiver<String>,
    next: i64,
    /// What the server hears.
    log: PathBuf,
}

/// How a server is scripted, and started.
pub(crate) struct Scripted<'a> {
    place: &'a Place,
    script: PathBuf,
    log: PathBuf,
}

impl<'a> Scripted<'a> {
    pub(crate) fn new(place: &'a Place, script: &Value) -> Self {
        let scripted = Self { place, script: place.work("script.json"), log: place.work("heard.log") };
        scripted.becomes(script);
        fs::write(&scripted.log, "").unwrap();
        scripted
    }

    /// The server is another one from now on.
    pub(crate) fn becomes(&self, script: &Value) {
        // It may be read at any time.
        let draft = self.script.with_extension("new");
        fs::write(&draft, script.to_string()).unwrap();
        fs::rename(draft, &self.script).unwrap();
    }

    /// herm, about to wrap it.
    pub(crate) fn command(&self, more: &[&str]) -> Command {
        self.command_by(&python(), more)
    }

    /// The same by an interpreter that a test chose.
    pub(crate) fn command_by(&self, python: &str, more: &[&str]) -> Command {
        // A server that is confined sees what is in its workspace.
        let server = self.place.file("server.py", include_str!("server.py"));
        let home = self.place.home();
        let head = ["mcp", "wrap", "--name", "scripted", "--home", home.to_str().unwrap()];
        let tail = [
            "--",
            python,
            server.to_str().unwrap(),
            self.script.to_str().unwrap(),
            self.log.to_str().unwrap(),
        ];
        self.place.herm(&[&head, more, &tail].concat())
    }

    /// A client whose session has not begun.
    pub(crate) fn connect(&self, command: &mut Command) -> Client {
        Client::of(command, self.log.clone())
    }

    /// A client whose session has begun.
    pub(crate) fn start(&self, more: &[&str]) -> Client {
        let mut client = self.connect(&mut self.command(more));
        client.greet(&json!({}));
        client
    }
}

/// The interpreter itself: what stands in for it on some machines adds variables of its own.
pub(crate) fn python() -> String {
    let found = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    String::from_utf8(found.stdout).unwrap().trim().to_owned()
}

/// How long something may take that happens at all.
const PATIENCE: Duration = Duration::from_mins(1);

impl Client {
    pub(crate) fn of(command: &mut Command, log: PathBuf) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut herm = command.spawn().unwrap();
        let (output, error) = (herm.stdout.take().unwrap(), herm.stderr.take().unwrap());
        let (say, said) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let message =
                    serde_json::from_str(&line).unwrap_or_else(|_| panic!("it is no JSON: {line:.200}"));
                if say.send(message).is_err() {
                    return;
                }
            }
        });
        let (grumble, errors) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(error).lines().map_while(Result::ok);
            lines.into_iter().all(|line| grumble.send(line).is_ok())
        });
        let input = herm.stdin.take();
        Self { herm, input, said, errors, next: 0, log }
    }

    /// Begins a session.
    pub(crate) fn greet(&mut self, capabilities: &Value) -> Value {
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}});
        let greeting = self.request("initialize", &hello);
        self.notify("notifications/initialized", &json!({}));
        greeting
    }

    pub(crate) fn raw(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input
            .write_all(line.as_bytes())
            .and_then(|()| input.write_all(b"\n"))
            .and_then(|()| input.flush())
            .unwrap();
    }

    pub(crate) fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        self.raw(&message.to_string());
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(json!({"method": method, "params": params}));
    }

    /// Asks for something, and says under which id.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> i64 {
        self.next += 1;
        self.send(json!({"id": self.next, "method": method, "params": params}));
        self.next
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Lists the tools, as a client does before it calls any.
    pub(crate) fn list(&mut self) -> Vec<Value> {
        self.request("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().clone()
    }

    /// The answer to a request. What else is said is passed over.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.until(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The next message that is the one.
    pub(crate) fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.said.recv_timeout(left) {
                Ok(message) if is_it(&message) => return message,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => panic!("nothing came"),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("it has gone: {:?}", self.errors.try_iter().collect::<Vec<_>>())
                }
            }
        }
    }

    /// A line of standard error that holds this.
    pub(crate) fn grumbled(&mut self, what: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.errors.recv_timeout(left) {
                Ok(line) if line.contains(what) => return line,
                Ok(line) => seen.push(line),
                Err(error) => panic!("`{what}` was not said ({error}): {seen:?}"),
            }
        }
    }

    /// What the server has heard so far.
    pub(crate) fn heard(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Goes away, and says how herm ended and what it said besides.
    pub(crate) fn leave(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let code = self.herm.wait().unwrap().code();
        let errors: Vec<_> = self.errors.iter().collect();
        (code, errors.join("\n"))
    }

    /// What herm said before it ended by itself.
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<Value>, String) {
        let code = self.herm.wait().unwrap().code();
        drop(self.input.take());
        (code, self.said.iter().collect(), self.errors.iter().collect::<Vec<_>>().join("\n"))
    }
}

/// What a result says to the model.
pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

/// Whether a call was refused by herm, in words for the model.
pub(crate) fn is_refused(answer: &Value) -> bool {
    answer["result"]["isError"] == true && text(answer).starts_with("herm:")
}
