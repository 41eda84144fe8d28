//! An editor, herm, and an agent, with the test at both ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long nothing must come, where nothing is expected.
pub(crate) const SILENCE: Duration = Duration::from_millis(300);

/// A place with a home and a workspace.
pub(crate) struct Place {
    root: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { root: tempfile::Builder::new().prefix("acp-").tempdir().unwrap() };
        for directory in ["home/.herm", "work/src"] {
            fs::create_dir_all(place.path(directory)).unwrap();
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        // Without links in it, as the kernel says it.
        fs::canonicalize(self.root.path()).unwrap().join(name)
    }

    pub(crate) fn work(&self, name: &str) -> String {
        self.path("work").join(name).to_str().unwrap().trim_end_matches('/').to_owned()
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> String {
        fs::write(self.work(name), content).unwrap();
        self.work(name)
    }

    pub(crate) fn configure(&self, config: &str) {
        fs::write(self.path("home/.herm/config.yaml"), config).unwrap();
    }

    /// What `herm` says to these arguments.
    pub(crate) fn herm(&self, arguments: &[&str]) -> String {
        let mut herm = Command::new(env!("CARGO_BIN_EXE_herm"));
        herm.args(arguments).env("HOME", self.path("home")).env("HERM_HOME", self.path("home/.herm"));
        let output = herm.current_dir(self.path("work")).stdin(Stdio::null()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// What was recorded, the oldest first.
    pub(crate) fn records(&self) -> Vec<Value> {
        let lines = self.herm(&["audit", "export"]);
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Two that talk with one another through herm.
pub(crate) struct Conversation {
    pub(crate) place: Place,
    herm: Child,
    editor: Option<ChildStdin>,
    to_editor: Receiver<Vec<u8>>,
    agent: UnixStream,
    to_agent: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
}

impl Conversation {
    pub(crate) fn begin(place: Place, arguments: &[&str]) -> Self {
        let socket = place.path("agent.socket");
        let listener = UnixListener::bind(&socket).unwrap();
        let relay = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/acp/relay.py");
        // In a session of its own: a test is not what asks.
        let mut herm = Command::new("setsid")
            .args(["--wait", env!("CARGO_BIN_EXE_herm"), "acp", "--home"])
            .arg(place.path("home"))
            .args(arguments)
            .args(["--", "python3"])
            .args([&relay, &socket])
            .env("HOME", place.path("home"))
            .env_remove("HERM_HOME")
            .env_remove("HERMES_HOME")
            .current_dir(place.path("work"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (editor, to_editor) = (herm.stdin.take(), lines(herm.stdout.take().unwrap()));
        let stderr = lines(herm.stderr.take().unwrap());
        let (agent, _) = listener.accept().unwrap();
        let to_agent = lines(agent.try_clone().unwrap());
        Self { place, herm, editor, to_editor, agent, to_agent, stderr }
    }

    /// The same with a session that works in the workspace, and what an editor can do.
    pub(crate) fn opened(place: Place, arguments: &[&str]) -> Self {
        let mut both = Self::begin(place, arguments);
        let able = json!({"fs": {"readTextFile": true, "writeTextFile": true}});
        both.editor_says(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1, "clientCapabilities": able}}));
        assert_eq!(both.agent_hears()["params"]["clientCapabilities"]["terminal"], true);
        both.agent_says(&json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1}}));
        assert_eq!(both.editor_hears()["result"]["protocolVersion"], 1);
        both.open("s");
        both
    }

    pub(crate) fn open(&mut self, session: &str) {
        let cwd = self.place.work("");
        self.editor_says(&json!({"jsonrpc": "2.0", "id": session, "method": "session/new", "params": {"cwd": cwd, "mcpServers": []}}));
        assert_eq!(self.agent_hears()["method"], "session/new");
        self.agent_says(&json!({"jsonrpc": "2.0", "id": session, "result": {"sessionId": session}}));
        assert_eq!(self.editor_hears()["result"]["sessionId"], session);
    }

    pub(crate) fn editor_says(&mut self, message: &Value) {
        self.editor_sends(format!("{message}\n").as_bytes());
    }

    pub(crate) fn editor_sends(&mut self, bytes: &[u8]) {
        let editor = self.editor.as_mut().unwrap();
        editor.write_all(bytes).and_then(|()| editor.flush()).unwrap();
    }

    pub(crate) fn agent_says(&mut self, message: &Value) {
        self.agent_sends(format!("{message}\n").as_bytes());
    }

    pub(crate) fn agent_sends(&mut self, bytes: &[u8]) {
        self.agent.write_all(bytes).unwrap();
    }

    pub(crate) fn editor_receives(&self) -> Vec<u8> {
        self.heard(&self.to_editor, "the editor")
    }

    pub(crate) fn agent_receives(&self) -> Vec<u8> {
        self.heard(&self.to_agent, "the agent")
    }

    pub(crate) fn editor_hears(&self) -> Value {
        serde_json::from_slice(&self.editor_receives()).unwrap()
    }

    pub(crate) fn agent_hears(&self) -> Value {
        serde_json::from_slice(&self.agent_receives()).unwrap()
    }

    /// What is heard next, and whether the editor hears it.
    pub(crate) fn either(&self) -> (bool, Value) {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            for (is_editor, from) in [(true, &self.to_editor), (false, &self.to_agent)] {
                if let Ok(line) = from.recv_timeout(Duration::from_millis(10)) {
                    return (is_editor, serde_json::from_slice(&line).unwrap());
                }
            }
        }
        panic!("nobody hears anything; herm said:\n{}", self.told())
    }

    /// Nothing comes to the editor before this, which the agent says now.
    pub(crate) fn editor_hears_nothing(&mut self) {
        let mark = json!({"jsonrpc": "2.0", "method": "_mark", "params": {}});
        self.agent_says(&mark);
        assert_eq!(self.editor_hears(), mark);
    }

    fn heard(&self, from: &Receiver<Vec<u8>>, who: &str) -> Vec<u8> {
        from.recv_timeout(PATIENCE)
            .unwrap_or_else(|error| panic!("{who} hears nothing: {error}; herm said:\n{}", self.told()))
    }

    /// The next thing that the agent wants, and what comes of it: to the editor, or back.
    pub(crate) fn agent_asks(&mut self, id: i64, method: &str, params: Value) {
        let mut params = params;
        params.as_object_mut().unwrap().entry("sessionId").or_insert_with(|| json!("s"));
        self.agent_says(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    /// What herm said on standard error so far.
    pub(crate) fn told(&self) -> String {
        let mut told = String::new();
        loop {
            match self.stderr.recv_timeout(SILENCE) {
                Ok(line) => told.extend([&*String::from_utf8_lossy(&line), "\n"]),
                Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout) => return told,
            }
        }
    }

    /// Waits until herm says this on standard error.
    pub(crate) fn is_told(&self, words: &str) -> String {
        loop {
            let line = self
                .stderr
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|error| panic!("nobody said `{words}`: {error}"));
            let line = String::from_utf8_lossy(&line).into_owned();
            if line.contains(words) {
                return line;
            }
        }
    }

    /// What starts the agent, as its process is known by.
    pub(crate) fn agent_socket(&self) -> String {
        self.place.path("agent.socket").to_str().unwrap().to_owned()
    }

    /// The editor goes.
    pub(crate) fn close(mut self) -> (ExitStatus, Place) {
        drop(self.editor.take());
        let status = self.herm.wait().unwrap();
        (status, std::mem::replace(&mut self.place, Place::new()))
    }

    /// The agent goes.
    pub(crate) fn agent_goes(mut self) -> ExitStatus {
        self.agent.shutdown(std::net::Shutdown::Both).unwrap();
        self.herm.wait().unwrap()
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // Without an agent it need not be waited for, and without an editor herm ends in any case.
        let _ = self.agent.shutdown(std::net::Shutdown::Both);
        drop(self.editor.take());
        let _ = self.herm.wait();
    }
}

fn lines(reader: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::with_capacity(1 << 20, reader).split(b'\n').map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The options that most agents have.
pub(crate) fn options() -> Value {
    json!([
        {"optionId": "once", "name": "Yes", "kind": "allow_once"},
        {"optionId": "always", "name": "Yes, always", "kind": "allow_always"},
        {"optionId": "reject", "name": "No", "kind": "reject_once"},
    ])
}

/// A request for permission to run something.
pub(crate) fn to_run(command: &str) -> Value {
    json!({
        "toolCall": {"toolCallId": "call", "title": "Say hello", "kind": "execute", "rawInput": {"command": command}},
        "options": options(),
    })
}

/// The ids of the options that a question has.
pub(crate) fn offered(question: &Value) -> Vec<&str> {
    question["params"]["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| option["optionId"].as_str().unwrap())
        .collect()
}

/// What a person answers.
pub(crate) fn selected(question: &Value, option: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": question["id"], "result": {"outcome": {"outcome": "selected", "optionId": option}}})
}

/// The text that a question shows.
pub(crate) fn shown(question: &Value) -> &str {
    question["params"]["toolCall"]["content"][0]["content"]["text"].as_str().unwrap()
}
