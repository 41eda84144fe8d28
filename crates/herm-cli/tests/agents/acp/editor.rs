//! An editor with a person at it who is not there: it does what agents ask for, and answers as it was told to.

use std::fs;
use std::io::{BufRead, BufReader, Error, ErrorKind, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// An editor, and what it was asked.
pub(crate) struct Editor {
    herm: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// All that was said to it, for whoever looks for a mistake.
    pub(crate) heard: Vec<Value>,
    asked: i64,
}

impl Editor {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut herm =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let (input, output) = (herm.stdin.take().unwrap(), BufReader::new(herm.stdout.take().unwrap()));
        Self { herm, input, output, heard: Vec::new(), asked: 0 }
    }

    /// Opens a session, and has the agent do what it is told. Questions are answered by the first option that this finds.
    pub(crate) fn prompt(&mut self, cwd: &str, text: &str, answer: impl Fn(&Value) -> &'static str) {
        let able = json!({"fs": {"readTextFile": true, "writeTextFile": true}, "terminal": false});
        self.call("initialize", &json!({"protocolVersion": 1, "clientCapabilities": able}), &answer);
        let session = self.call("session/new", &json!({"cwd": cwd, "mcpServers": []}), &answer);
        let session =
            session["result"]["sessionId"].as_str().unwrap_or_else(|| panic!("{session}")).to_owned();
        let prompt = json!([{"type": "text", "text": text}]);
        let done = self.call("session/prompt", &json!({"sessionId": session, "prompt": prompt}), &answer);
        assert!(done["result"]["stopReason"].is_string(), "{done}");
    }

    /// The permissions that were asked for.
    pub(crate) fn questions(&self) -> Vec<&Value> {
        self.heard.iter().filter(|said| said["method"] == "session/request_permission").collect()
    }

    pub(crate) fn close(self) {
        let Self { mut herm, input, output, .. } = self;
        drop((input, output));
        assert!(herm.wait().unwrap().success());
    }

    fn call(&mut self, method: &str, params: &Value, answer: &dyn Fn(&Value) -> &'static str) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            assert!(!line.is_empty(), "the agent has gone: {:#?}", self.heard);
            let said: Value = serde_json::from_str(&line).unwrap();
            self.heard.push(said.clone());
            if said["method"].is_null() && said["id"] == id {
                return said;
            }
            self.serve(&said, answer);
        }
    }

    fn serve(&mut self, said: &Value, answer: &dyn Fn(&Value) -> &'static str) {
        if said["id"].is_null() || said["method"].is_null() {
            return;
        }
        let path = said["params"]["path"].as_str().unwrap_or_default();
        let result = match said["method"].as_str().unwrap() {
            "session/request_permission" => {
                let wanted = answer(said);
                let options = said["params"]["options"].as_array().unwrap();
                let option = options.iter().find(|option| option["kind"] == wanted).unwrap();
                Ok(json!({"outcome": {"outcome": "selected", "optionId": option["optionId"]}}))
            }
            // What is not there is an empty page that was not saved yet.
            "fs/read_text_file" => match fs::read_to_string(path) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(json!({"content": ""})),
                read => read.map(|content| json!({"content": content})),
            },
            "fs/write_text_file" => {
                fs::write(path, said["params"]["content"].as_str().unwrap()).map(|()| json!(null))
            }
            other => panic!("an editor is not asked for {other}: {said}"),
        };
        let failure = |error: &Error| json!({"code": -32603, "message": error.to_string()});
        self.say(&match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": said["id"], "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": said["id"], "error": failure(&error)}),
        });
    }

    fn say(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).unwrap();
    }
}
