//! `herm mcp serve`, as clients call it.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, Ran, eventually};

/// A client of a server of its own.
pub(crate) struct Spoken {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// What was heard while something else was waited for.
    heard: VecDeque<Value>,
    next: u64,
}

impl Spoken {
    /// A client that shows forms, or does not, of the older age.
    fn to(place: &Place, capabilities: &Value, more: &[&str]) -> Self {
        let mut client = Self::of(&mut serving(place, more));
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}});
        let id = client.send("initialize", &params);
        assert_eq!(client.answer(id)["result"]["serverInfo"]["name"], "herm");
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, heard: VecDeque::new(), next: 0 }
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// The next message for which something holds. What comes before is kept.
    fn hear(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
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

    fn answer(&mut self, id: u64) -> Value {
        self.hear(|message| message["id"] == id && message.get("method").is_none())
    }

    /// What comes back from a tool.
    fn result(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.call(tool, arguments);
        let answer = self.answer(id);
        answer.get("result").unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// What a tool says that did it.
    fn done(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        text(&result)
    }

    /// What a tool says that did not.
    fn failed(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result)
    }

    fn question(&mut self) -> Value {
        self.hear(|message| message["method"] == "elicitation/create")
    }

    /// Answers the next question, and says what was asked.
    fn respond(&mut self, result: &Value) -> String {
        let question = self.question();
        self.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
        question["params"]["message"].as_str().unwrap().to_owned()
    }

    fn choose(&mut self, word: &str) -> String {
        self.respond(&json!({"action": "accept", "content": {"answer": word}}))
    }

    fn end(mut self) -> Option<i32> {
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
pub(crate) fn serving(place: &Place, more: &[&str]) -> Command {
    let home = place.home().to_str().unwrap().to_owned();
    let usual = if more.contains(&"--backend") { &[][..] } else { &["--backend", "local"][..] };
    place.herm(&[&["mcp", "serve", "--home", &home], usual, more].concat())
}

fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

fn asking() -> Value {
    json!({"elicitation": {"form": {}}})
}

fn client(place: &Place) -> Spoken {
    Spoken::to(place, &asking(), &[])
}

#[test]
fn a_shell_goes_on_and_one_of_its_own_does_not() {
    for place in [Place::new(), Place::unprivileged()] {
        for backend in ["local", "sandbox"] {
            fs::create_dir_all(place.work("src")).unwrap();
            place.give();
            let mut client = Spoken::to(&place, &json!({}), &["--backend", backend]);
            client.done("terminal", &json!({"command": "cd src; x=1; f() { echo \"f $x\"; }"}));
            let said = client.done("terminal", &json!({"command": "pwd; f"}));
            assert_eq!(said, format!("{}\nf 1", place.work("src").display()), "{backend}");
            let alone = client.result("terminal", &json!({"command": "pwd; f", "cwd": "."}));
            assert!(
                text(&alone).starts_with(place.work("").to_str().unwrap().trim_end_matches('/')),
                "{alone}"
            );
            let data = &alone["structuredContent"];
            assert_eq!((&data["exit_code"], &data["backend"]), (&json!(127), &json!(backend)), "{alone}");
            assert!(client.failed("terminal", &json!({"command": "ls", "cwd": "/"})).starts_with("herm: "));
            assert_eq!(client.done("execute_code", &json!({"code": "print(6 * 7)"})), "42", "{backend}");
            assert_eq!(client.end(), Some(0), "{backend}");
        }
    }
}

#[test]
fn every_answer_of_a_person_is_heard_and_nothing_else_is_one() {
    let place = Place::new();
    let mut client = client(&place);
    let rm = json!({"command": "rm -rf build"});
    let fill = || place.file("build/x", "");
    for (answer, refused) in [
        (json!({"action": "decline"}), "the user denied this command"),
        (json!({"action": "cancel"}), "closed without an answer"),
        (json!({"action": "accept", "content": {"answer": "yes"}}), "can be understood"),
        (json!({"action": "accept"}), "can be understood"),
    ] {
        fill();
        // A denial is remembered for the session, so each is asked in another one.
        let mut client = Spoken::to(&place, &asking(), &[]);
        let id = client.call("terminal", &rm);
        assert!(client.respond(&answer).contains("rm -rf build"));
        let result = client.answer(id)["result"].clone();
        let said = text(&result);
        assert!(result["isError"] == true && said.contains(refused), "{said}");
        assert!(place.work("build/x").exists(), "{answer}");
    }
    fill();
    let id = client.call("terminal", &rm);
    let message = client.choose("once");
    assert!(
        message.contains("recursive-delete") && message.contains("DANGEROUS COMMAND: recursive delete"),
        "{message}"
    );
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert!(!place.work("build").exists());
    fill();
    let id = client.call("terminal", &rm);
    client.choose("session");
    assert_eq!(client.answer(id)["result"]["structuredContent"]["answer"]["by"], "the client that asked");
    fill();
    client.done("terminal", &rm);
    assert!(!place.work("build").exists(), "it was allowed for the session");
}

#[test]
fn while_somebody_is_asked_everything_else_goes_on() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = client(&place);
    let id = client.call("terminal", &json!({"command": "rm -rf build", "cwd": "."}));
    let question = client.question();
    assert_eq!(client.done("terminal", &json!({"command": "echo meanwhile"})), "meanwhile");
    let ping = client.send("ping", &json!({}));
    assert_eq!(client.answer(ping)["result"], json!({}));
    client.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"answer": "once"}}}));
    assert_eq!(client.answer(id)["result"]["isError"], false);
}

#[test]
fn whoever_watches_approvals_can_answer_as_well() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = client(&place);
    let id = client.call("terminal", &json!({"command": "rm -rf build"}));
    let asked = client.question();
    let question = place.question();
    let ran = place.run(&["approvals", "answer", &question, "once"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(client.answer(id)["result"]["isError"], false);
    let off = client.hear(|message| message["method"] == "notifications/cancelled");
    assert_eq!(off["params"]["requestId"], asked["id"], "the client need not ask any more");
}

/// Claude Code without a person says that it shows forms, and closes them at once.
#[test]
fn a_client_without_a_person_leaves_it_to_those_who_watch() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = Spoken::of(serving(&place, &[]).env("HERMES_EXEC_ASK", "1"));
    let id = client.send("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": asking()}));
    client.answer(id);
    let id = client.call("terminal", &json!({"command": "rm -rf build"}));
    client.respond(&json!({"action": "cancel"}));
    let ran = place.run(&["approvals", "answer", &place.question(), "once"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert!(!place.work("build").exists());
}

#[test]
fn without_a_form_nobody_answers_but_whoever_watches() {
    let place = Place::new();
    place.file("build/x", "");
    for (capabilities, more) in [(json!({}), &[][..]), (asking(), &["--ask", "herm"][..])] {
        let mut client = Spoken::to(&place, &capabilities, more);
        let said = client.failed("terminal", &json!({"command": "rm -rf build"}));
        assert!(said.contains("a person must say yes"), "{said}");
        assert!(client.heard.iter().all(|message| message["method"] != "elicitation/create"));
    }
    assert!(place.work("build/x").exists());
}

#[test]
fn a_client_says_nothing_for_ever_and_nothing_for_others() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = client(&place);
    let id = client.call("terminal", &json!({"command": "rm -rf build"}));
    let asked = client.question();
    let shown = asked["params"].to_string();
    assert!(shown.contains("session") && !shown.contains("always"), "{shown}");
    client.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": "always"}}}));
    assert_eq!(client.answer(id)["result"]["isError"], true);
    assert!(place.work("build/x").exists());
    let named = Ran::of(serving(&place, &["--session", "claude-code-s1"]).stdin(Stdio::null()));
    assert!(named.code == Some(125) && named.stderr.contains("--ask herm"), "{named:?}");
    let named = serving(&place, &["--session", "s1", "--ask", "herm"]).stdin(Stdio::null()).status();
    assert_eq!(named.unwrap().code(), Some(0));
}

/// A command that herm runs would be its own client. Only a user of whom the machine knows no home has one of the test's making.
#[test]
fn what_herm_runs_does_not_answer_itself() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can become somebody whom nobody knows");
        return;
    }
    let place = Place::unprivileged();
    place.file("build/x", "");
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": asking()}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "terminal", "arguments": {"command": "rm -rf build"}}}),
    ];
    place.file("lines", &lines.map(|line| format!("{line}\n")).concat());
    let yes = json!({"jsonrpc": "2.0", "id": "herm-1", "result": {"action": "accept", "content": {"answer": "once"}}});
    place.file("yes", &format!("{yes}\n"));
    // It answers whatever it is asked, until it is told what came of it.
    let feed = "cat lines\nuntil grep -q '\"id\":2' said; do grep -q elicitation said && cat yes; sleep 0.05; done\n";
    place.file("feed.sh", feed);
    place.config("command_allowlist: ['rule:self-approve', 'rule:unknown-program', 'rule:yolo']\n");
    let nobody = "6011";
    let owned = [place.home(), place.work(""), place.binary().with_file_name("tmp")];
    let given = Command::new("chown").args(["-R", &format!("{nobody}:{nobody}")]).args(owned).status();
    assert!(given.unwrap().success());
    let herm = place.binary().to_str().unwrap();
    let inner = format!(
        "export HOME={}; : > said; bash feed.sh | {herm} mcp serve --backend local > said",
        place.home().display()
    );
    let mut command = place.command("setsid");
    command.args(["--wait", "setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups", "--", herm]);
    let ran = Ran::of(command.args(["run", "--backend", "local", "--json", "--timeout", "60", &inner]));
    let said = fs::read_to_string(place.work("said")).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert!(said.contains("a person must say yes") && !said.contains("elicitation/create"), "{said} {ran:?}");
    assert!(place.work("build/x").exists(), "{said}");
}

/// An agent behind a door starts its servers itself.
#[test]
fn behind_a_door_nobody_chooses_what_holds() {
    let place = Place::new();
    let door = "import ctypes, subprocess, sys\n\
                ctypes.CDLL(None).prctl(15, b'herm-door', 0, 0, 0)\n\
                sys.exit(subprocess.call(sys.argv[1:]))\n";
    let home = place.home().display().to_string();
    for option in [["--home", &home], ["--preset", "permissive"], ["--config", "x"], ["--herm-home", "x"]] {
        let mut command = place.command("python3");
        command.args(["-c", door]).arg(place.binary()).args(["mcp", "serve"]).args(option);
        let ran = Ran::of(command.stdin(Stdio::null()));
        assert!(ran.code == Some(125) && ran.stderr.contains("is for people"), "{option:?}: {ran:?}");
    }
}

#[test]
fn variables_that_would_loosen_are_not_heeded() {
    let place = Place::new();
    place.file("build/x", "");
    place.file("loose/config.yaml", "approvals: {mode: 'off'}\n");
    let mut command = serving(&place, &[]);
    command
        .env("HERMES_YOLO_MODE", "1")
        .env("HERM_HOME", place.work("loose"))
        .env("HERMES_HOME", place.work("loose"));
    let mut client = Spoken::of(&mut command);
    let id = client.send("initialize", &json!({"protocolVersion": "2025-06-18", "capabilities": {}}));
    client.answer(id);
    assert!(client.failed("terminal", &json!({"command": "rm -rf build"})).contains("a person must say yes"));
    assert!(place.work("build/x").exists());
}

#[test]
fn what_is_called_off_is_ended_with_all_that_it_started() {
    for backend in ["local", "sandbox"] {
        for cwd in [json!(null), json!(".")] {
            let place = Place::new();
            let mut client = Spoken::to(&place, &json!({}), &["--backend", backend]);
            let command = "(sleep 300 & echo $! > child; : > ready; wait) & wait";
            let id = client.call("terminal", &json!({"command": command, "cwd": cwd}));
            eventually("it began", || place.work("ready").exists());
            client.say(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
            );
            assert_eq!(client.done("terminal", &json!({"command": "echo on", "cwd": "."})), "on");
            // Nothing of it holds the shell up, and nobody is answered.
            assert_eq!(client.done("terminal", &json!({"command": "echo on"})), "on", "{backend} {cwd}");
            assert!(client.heard.iter().all(|message| message["id"] != id), "{:?}", client.heard);
            let child = fs::read_to_string(place.work("child")).unwrap();
            let process = format!("/proc/{}", child.trim());
            // Elsewhere it has another number.
            if backend == "local" {
                eventually("what it started is gone", || !Path::new(&process).exists());
            }
            let ending =
                |record: &Value| record["body"]["ending"] == "cancelled" || record["ending"] == "cancelled";
            assert!(place.ledger().iter().any(ending), "{:?}", place.ledger().last());
        }
    }
}

#[test]
fn a_client_that_goes_takes_everything_with_it() {
    let place = Place::new();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    client.call("terminal", &json!({"command": "echo $$ > pid; sleep 300"}));
    eventually("it began", || fs::read_to_string(place.work("pid")).is_ok_and(|pid| pid.ends_with('\n')));
    let pid = fs::read_to_string(place.work("pid")).unwrap();
    assert_eq!(client.end(), Some(0));
    eventually("it is gone", || !Path::new(&format!("/proc/{}", pid.trim())).exists());
}

#[test]
fn a_file_is_read_as_far_as_it_may_be() {
    let place = Place::new();
    let lines: Vec<_> = (1..=3000).map(|number| format!("line {number}\n")).collect();
    place.file("long.txt", &lines.concat());
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    place.file("token.txt", &format!("token: {token}\n"));
    fs::write(place.work("picture"), [0x89, b'P', 0, 1]).unwrap();
    symlink("/dev/zero", place.work("zero")).unwrap();
    fs::create_dir_all(place.home().join(".ssh")).unwrap();
    fs::write(place.home().join(".ssh/id_ed25519"), "key\n").unwrap();
    symlink(place.home().join(".ssh/id_ed25519"), place.work("harmless.txt")).unwrap();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let result = client.result("read_file", &json!({"path": "long.txt", "offset": 2999, "limit": 5}));
    assert_eq!(text(&result), "line 2999\nline 3000\n");
    assert_eq!(result["structuredContent"]["total_lines"], 3000);
    let result = client.result("read_file", &json!({"path": "long.txt"}));
    assert_eq!(
        (&result["structuredContent"]["truncated"], &result["structuredContent"]["shown_lines"]),
        (&json!(true), &json!(2000))
    );
    assert_eq!(client.done("read_file", &json!({"path": "token.txt"})), "token: [REDACTED]\n");
    assert_eq!(client.done("read_file", &json!({"path": "picture"})), "herm: it is no text: 4 bytes");
    assert_eq!(client.failed("read_file", &json!({"path": "zero"})), "herm: `zero`: it is a device");
    assert_eq!(client.failed("read_file", &json!({"path": "none"})), "herm: `none`: there is no such file");
    assert!(client.failed("read_file", &json!({"path": "/proc/self/environ"})).contains("about a process"));
    for path in ["harmless.txt", "~/.ssh/id_ed25519"] {
        let said = client.failed("read_file", &json!({"path": path}));
        assert!(said.contains("credential-read") && !said.contains("key\n"), "{said}");
    }
    let read =
        place.ledger().iter().filter(|record| record.to_string().contains("\"read\":\"long.txt\"")).count();
    assert_eq!(read, 2, "each reading is recorded before it is done");
    let lost =
        |record: &Value| record["body"]["action"]["read"] == "zero" && record["body"]["ending"] == "failed";
    assert!(place.ledger().iter().any(lost), "and so is what could not be read");
    assert_eq!(place.run(&["audit", "verify"]).code, Some(0));
}

#[test]
fn a_file_is_written_whole_with_its_mode_and_where_it_may_be() {
    let place = Place::new();
    let script = place.file("run.sh", "#!/bin/sh\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o750)).unwrap();
    fs::write(place.home().join(".bashrc"), "mine\n").unwrap();
    symlink(place.home().join(".bashrc"), place.work("notes.txt")).unwrap();
    symlink(place.home(), place.work("away")).unwrap();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    client.done("write_file", &json!({"path": "run.sh", "content": "#!/bin/sh\necho\n"}));
    assert_eq!(fs::read_to_string(&script).unwrap(), "#!/bin/sh\necho\n");
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o750);
    client.done("write_file", &json!({"path": "new/deep/file", "content": ""}));
    assert_eq!(fs::read_to_string(place.work("new/deep/file")).unwrap(), "");
    for path in [
        "notes.txt",
        "~/.bashrc",
        "away/.ssh/authorized_keys",
        "../home/.herm/config.yaml",
        "../work/../home/.profile",
    ] {
        let said = client.failed("write_file", &json!({"path": path, "content": "x"}));
        assert!(said.contains("protected-write"), "{path}: {said}");
    }
    assert_eq!(fs::read_to_string(place.home().join(".bashrc")).unwrap(), "mine\n");
    assert!(!place.home().join(".ssh").exists() && !place.home().join(".profile").exists());
    place.config(&format!("approvals: {{deny: ['effect:write path:{}']}}\n", script.display()));
    let said = client.failed("write_file", &json!({"path": "run.sh", "content": ""}));
    assert!(said.contains("denied-by-user"), "what is tightened holds at once: {said}");
    client.done("write_file", &json!({"path": "new/file", "content": ""}));
}

#[test]
fn a_patch_is_applied_to_all_files_or_to_none() {
    let place = Place::new();
    place.file("a", "one\n");
    place.file("b", "two\n");
    place.file("c", "three\n");
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let wrong = "*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n*** Update File: b\n@@\n-zwei\n+2\n*** End Patch\n";
    assert!(
        client.failed("patch", &json!({"patch": wrong})).contains("`b`: part 1 of the change does not fit")
    );
    assert_eq!(fs::read_to_string(place.work("a")).unwrap(), "one\n");
    let good = "*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n*** Update File: b\n*** Move to: d/b\n@@\n-two\n+2\n*** Delete File: c\n*** Add File: e\n+5\n\
                *** End Patch\n";
    let result = client.result("patch", &json!({"patch": good}));
    assert_eq!(result["structuredContent"]["files"].as_array().unwrap().len(), 5, "{result}");
    let read = |name: &str| fs::read_to_string(place.work(name)).ok();
    assert_eq!([read("a"), read("d/b"), read("e")].map(Option::unwrap), ["1\n", "2\n", "5\n"]);
    assert_eq!([read("b"), read("c")], [None, None]);
    let unified = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+uno\n";
    assert!(client.done("patch", &json!({"patch": unified})).starts_with("changed "));
    assert!(client.failed("patch", &json!({"patch": "rm -rf"})).contains("it is no part of a unified patch"));
    let protected = "*** Begin Patch\n*** Update File: a\n@@\n-uno\n+x\n*** Add File: ../home/.ssh/authorized_keys\n+key\n*** End Patch\n";
    assert!(client.failed("patch", &json!({"patch": protected})).contains("protected-write"));
    assert_eq!(read("a").unwrap(), "uno\n");
}

#[test]
fn what_no_command_could_change_is_asked_about() {
    let place = Place::new();
    let other = tempfile::tempdir().unwrap();
    let elsewhere = other.path().join("x");
    place.file(".git/config", "[core]\n");
    symlink(place.home(), place.work("away")).unwrap();
    for backend in ["local", "sandbox"] {
        let mut client = Spoken::to(&place, &json!({}), &["--backend", backend]);
        for path in [
            ".git/config",
            "packages/a/.git/config",
            ".git/hooks/pre-commit",
            ".vscode/tasks.json",
            "packages/a/.vscode/tasks.json",
            ".husky/pre-commit",
        ] {
            let said = client.failed("write_file", &json!({"path": path, "content": "x"}));
            assert!(said.contains("edit-lever"), "{backend}: {path}: {said}");
        }
        for path in ["~/bin/ls", "away/notes", "../x", elsewhere.to_str().unwrap()] {
            let said = client.failed("write_file", &json!({"path": path, "content": "x"}));
            assert!(said.contains("edit-outside"), "{backend}: {path}: {said}");
        }
        let moved = "*** Begin Patch\n*** Update File: run.sh\n*** Move to: .husky/pre-push\n@@\n-a\n+b\n*** End Patch\n";
        place.file("run.sh", "a\n");
        assert!(client.failed("patch", &json!({"patch": moved})).contains("edit-lever"));
        let settings =
            client.failed("write_file", &json!({"path": "~/.claude/settings.json", "content": "{}"}));
        assert!(settings.contains("agent-config-write"), "{backend}: {settings}");
    }
    assert_eq!(fs::read_to_string(place.work(".git/config")).unwrap(), "[core]\n");
    assert!(!place.home().join("bin").exists() && !elsewhere.exists() && !place.work(".husky").exists());
    let mut client = client(&place);
    let id = client.call("write_file", &json!({"path": ".vscode/tasks.json", "content": "{}"}));
    assert!(client.choose("once").contains("edit-lever"));
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert_eq!(fs::read_to_string(place.work(".vscode/tasks.json")).unwrap(), "{}");
}

#[test]
fn herms_own_files_are_protected_wherever_they_are() {
    let place = Place::new();
    let (keep, link) = (place.work("keep"), place.work("link"));
    fs::create_dir_all(&keep).unwrap();
    symlink(&keep, &link).unwrap();
    for home in [&keep, &link] {
        let mut client = Spoken::to(&place, &json!({}), &["--herm-home", home.to_str().unwrap()]);
        client.done("terminal", &json!({"command": "true"}));
        let key = keep.join("ledger/key");
        assert!(key.exists());
        let delete = |name: &str| format!("*** Begin Patch\n*** Delete File: {name}\n*** End Patch\n");
        for name in ["keep/ledger/key", "link/ledger/key", key.to_str().unwrap()] {
            let said = client.failed("patch", &json!({"patch": delete(name)}));
            assert!(said.contains("protected-write"), "{name}: {said}");
            let said = client.failed("terminal", &json!({"command": format!("rm {name}")}));
            assert!(said.contains("protected-write"), "{name}: {said}");
            let said = client.failed("read_file", &json!({"path": name}));
            assert!(said.contains("credential-read"), "{name}: {said}");
        }
        let said = client.failed(
            "write_file",
            &json!({"path": "keep/config.yaml", "content": "approvals: {mode: off}\n"}),
        );
        assert!(said.contains("protected-write"), "{said}");
        assert!(key.exists() && !keep.join("config.yaml").exists());
    }
}

#[test]
fn whether_a_guess_was_right_is_not_told() {
    let place = Place::new();
    fs::create_dir_all(place.home().join(".ssh")).unwrap();
    fs::write(place.home().join(".ssh/id_rsa"), "key\n").unwrap();
    fs::create_dir_all(place.home().join(".claude")).unwrap();
    fs::write(place.home().join(".claude/settings.json"), "{}\n").unwrap();
    place.file("same.txt", "same\n");
    let mut client = Spoken::to(&place, &json!({}), &[]);
    for (path, right) in [("~/.ssh/id_rsa", "key\n"), ("~/.claude/settings.json", "{}\n")] {
        let mut say = |content: &str| client.failed("write_file", &json!({"path": path, "content": content}));
        let said = say(right);
        assert!(said.contains("-write") && !said.contains("different"), "{said}");
        assert_eq!(said, say("wrong\n"), "{path}");
    }
    assert_eq!(
        client.done("write_file", &json!({"path": "same.txt", "content": "same\n"})),
        "nothing is different"
    );
    client.failed("patch", &json!({"patch": "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n"}));
    let failed = |record: &Value| record.to_string().contains("there is no such file");
    assert!(place.ledger().iter().any(failed), "what fails is written down");
}

#[test]
fn a_part_of_a_key_does_not_come_into_the_ledger() {
    let place = Place::new();
    let line = |number: u32| format!("MIIEpAIBAAKCAQEA{number:02}q7Zf3vXo2Lk9Tn5Wm8Yb1Rc4Hd6Jg0Ps\n");
    let body: String = (10..40).map(line).collect();
    let name = concat!("RSA PRIVATE", " KEY");
    place.file("notes.txt", &format!("-----BEGIN {name}-----\n{body}-----END {name}-----\n"));
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let patch = format!(
        "*** Begin Patch\n*** Update File: notes.txt\n@@\n {}-{}+{} {}*** End Patch\n",
        line(20),
        line(21),
        line(99),
        line(22)
    );
    client.done("patch", &json!({"patch": patch}));
    assert!(fs::read_to_string(place.work("notes.txt")).unwrap().contains("EA99q7"));
    assert!(
        place.ledger().iter().all(|record| !record.to_string().contains("MIIEpAIB")),
        "{:?}",
        place.ledger()
    );
}

#[test]
fn a_person_sees_the_change_before_it_is_made() {
    let place = Place::new();
    place.config("file_safety: {edit_approval: true}\n");
    place.file("a.txt", "one\ntwo\n\u{1b}[31mred\n");
    let mut client = client(&place);
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
    let id = client.call("patch", &json!({"patch": patch}));
    let shown = client.choose("deny");
    for line in ["change a.txt", "-two", "+2", "edit-approval"] {
        assert!(shown.contains(line), "{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert!(text(&client.answer(id)["result"]).contains("denied"));
    let id = client.call("write_file", &json!({"path": "b.txt", "content": "new\n"}));
    // What was shown is what is written: a file that comes meanwhile is left alone.
    let question = client.question();
    place.file("b.txt", "mine\n");
    client.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"answer": "once"}}}));
    assert!(text(&client.answer(id)["result"]).contains("nothing was changed"));
    assert_eq!(fs::read_to_string(place.work("b.txt")).unwrap(), "mine\n");
    let id = client.call("write_file", &json!({"path": "c.txt", "content": "new\n"}));
    client.choose("once");
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert_eq!(fs::read_to_string(place.work("c.txt")).unwrap(), "new\n");
}

#[test]
fn secrets_that_were_not_shown_are_not_written_over() {
    let place = Place::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let file = place.file("settings.txt", &format!("token: {token}\nname: x\n"));
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let seen = client.done("read_file", &json!({"path": "settings.txt"}));
    let said =
        client.failed("write_file", &json!({"path": "settings.txt", "content": seen.replace('x', "y")}));
    assert!(said.contains("would be overwritten"), "{said}");
    let patch = "--- a/settings.txt\n+++ b/settings.txt\n@@ -2 +2 @@\n-name: x\n+name: y\n";
    client.done("patch", &json!({"patch": patch}));
    assert_eq!(fs::read_to_string(file).unwrap(), format!("token: {token}\nname: y\n"));
}

#[test]
fn claude_code_is_told_whether_its_tools_may_be_called() {
    let place = Place::new();
    let mut client = client(&place);
    let mut approve = |tool: &str, input: &Value, answer: Option<&str>| {
        let id = client.call("approve", &json!({"tool_name": tool, "input": input, "tool_use_id": "t1"}));
        if let Some(word) = answer {
            client.choose(word);
        }
        let result = client.answer(id)["result"].clone();
        assert_eq!(result["isError"], false, "{result}");
        serde_json::from_str::<Value>(&text(&result)).unwrap()
    };
    let input = json!({"command": "git status", "description": "look"});
    assert_eq!(approve("Bash", &input, None), json!({"behavior": "allow", "updatedInput": input}));
    let input = json!({"command": "rm -rf build"});
    let denied = approve("Bash", &input, Some("deny"));
    assert_eq!(denied["behavior"], "deny");
    assert!(denied["message"].as_str().unwrap().contains("must not be retried"), "{denied}");
    let input = json!({"command": "rm -rf other"});
    assert_eq!(approve("Bash", &input, Some("once")), json!({"behavior": "allow", "updatedInput": input}));
    assert_eq!(approve("Bash", &json!({"command": "rm -rf /"}), None)["behavior"], "deny");
    assert_eq!(
        approve("Write", &json!({"file_path": place.home().join(".bashrc"), "content": "x"}), None)["behavior"],
        "deny"
    );
    for tool in ["ExitPlanMode", "AskUserQuestion", "Task", "KillShell", "WebSearch"] {
        let input = json!({"plan": "tidy up"});
        assert_eq!(approve(tool, &input, Some("deny"))["behavior"], "deny", "{tool}");
    }
    assert_eq!(approve("Skill", &json!({}), Some("once"))["behavior"], "allow");
    for tool in ["TodoWrite", "BashOutput", "Glob"] {
        assert_eq!(approve(tool, &json!({}), None)["behavior"], "allow", "{tool}");
    }
    assert_eq!(approve("mcp__other__thing", &json!({"a": 1}), Some("deny"))["behavior"], "deny");
    assert_eq!(approve("Bash", &json!("rm"), None)["behavior"], "deny");
    assert!(!place.is_harmed());
    let advisory = |record: &Value| {
        record.to_string().contains("advisory") && record.to_string().contains("\"door\":\"mcp\"")
    };
    assert!(place.ledger().iter().any(advisory));
}

#[test]
fn in_the_newer_age_a_call_is_asked_for_again_with_the_answer() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = Spoken::of(&mut serving(&place, &[]));
    let params = |command: &str, more: Value| {
        let mut params = json!({"name": "terminal", "arguments": {"command": command}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": asking(),
        }});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    let id = client.send("tools/call", &params("rm -rf build", json!({})));
    let asked = client.answer(id)["result"].clone();
    assert_eq!(asked["resultType"], "input_required");
    let state = asked["requestState"].as_str().unwrap().to_owned();
    let yes = |state: &str| json!({"requestState": state, "inputResponses": {"approval": {"action": "accept", "content": {"answer": "once"}}}});
    let forged = state.chars().rev().collect::<String>();
    for (command, state) in [("rm -rf src", state.as_str()), ("rm -rf build", &forged)] {
        let id = client.send("tools/call", &params(command, yes(state)));
        assert_eq!(client.answer(id)["error"]["code"], -32602);
    }
    assert!(place.work("build/x").exists());
    let id = client.send("tools/call", &params("rm -rf build", yes(&state)));
    let done = client.answer(id)["result"].clone();
    assert_eq!((&done["resultType"], &done["isError"]), (&json!("complete"), &json!(false)));
    assert!(!place.work("build").exists());
    place.file("build/x", "");
    let id = client.send("tools/call", &params("rm -rf build", yes(&state)));
    assert_eq!(client.answer(id)["error"]["code"], -32602, "a yes counts once");
    assert!(place.work("build/x").exists());
}

#[test]
fn who_waits_is_told_how_far_it_is() {
    let place = Place::new();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let arguments = json!({"command": "echo halfway; until test -e go; do sleep 0.05; done; echo done"});
    let id = client.send(
        "tools/call",
        &json!({"name": "terminal", "arguments": arguments, "_meta": {"progressToken": "t"}}),
    );
    let news = client.hear(|message| message["method"] == "notifications/progress");
    assert_eq!(
        (&news["params"]["progressToken"], &news["params"]["message"]),
        (&json!("t"), &json!("halfway"))
    );
    place.file("go", "");
    assert_eq!(text(&client.answer(id)["result"]), "halfway\ndone");
    let id = client.send("logging/setLevel", &json!({"level": "warning"}));
    client.answer(id);
    client.failed("terminal", &json!({"command": "rm -rf /"}));
    let remark = client.hear(|message| message["method"] == "notifications/message");
    assert_eq!(
        (&remark["params"]["level"], &remark["params"]["logger"]),
        (&json!("warning"), &json!("herm"))
    );
    assert!(!place.is_harmed());
}

/// A command that wants to reach somebody of whom nobody knew before it ran.
#[test]
fn what_comes_up_while_a_command_runs_is_asked_about_as_well() {
    let place = Place::new();
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    place.file("where", "http://www.example.com/page");
    place.file(
        "fetch.py",
        "import urllib.request\ntry:\n    urllib.request.urlopen(open('where').read(), timeout=30)\n    print('reached')\nexcept Exception:\n    print('not reached')\n",
    );
    let arguments = json!({"command": "echo begun; python3 fetch.py"});
    let mut older = Spoken::to(&place, &asking(), &["--backend", "sandbox"]);
    let id = older.call("terminal", &arguments);
    let asked = older.choose("deny");
    assert!(asked.contains("connect to www.example.com:80"), "{asked}");
    assert_eq!(text(&older.answer(id)["result"]), "begun\nnot reached");
    let mut newer = Spoken::of(&mut serving(&place, &["--backend", "sandbox"]));
    let mut params = json!({"name": "terminal", "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": asking(),
    }});
    let id = newer.send("tools/call", &params);
    let asked = newer.answer(id)["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    params["requestState"] = asked["requestState"].clone();
    params["inputResponses"] = json!({"approval": {"action": "decline"}});
    let id = newer.send("tools/call", &params);
    assert_eq!(text(&newer.answer(id)["result"]), "begun\nnot reached");
}

/// What commands in the sandbox cannot change, no other tool changes unasked.
#[test]
fn what_makes_others_run_code_is_shown_first() {
    let place = Place::new();
    let mut client = client(&place);
    for path in [".git/config", ".vscode/tasks.json"] {
        let id = client.call("write_file", &json!({"path": path, "content": "x\n"}));
        let asked = client.respond(&json!({"action": "cancel"}));
        assert!(asked.contains("by which others come to run code") && asked.contains("+x"), "{asked}");
        assert_eq!(client.answer(id)["result"]["isError"], true);
        assert!(!place.work(path).exists(), "{path}");
    }
}

#[test]
fn files_stay_whose_they_are() {
    let place = Place::unprivileged();
    place.file("mine.txt", "one\n");
    place.give();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    client.done("write_file", &json!({"path": "mine.txt", "content": "two\n"}));
    client.done("write_file", &json!({"path": "new.txt", "content": "new\n"}));
    assert_eq!(client.done("read_file", &json!({"path": "mine.txt"})), "two\n");
    let owner = |name: &str| fs::metadata(place.work(name)).unwrap().uid();
    assert_eq!(owner("mine.txt"), owner("new.txt"));
    if !place.is_unprivileged() {
        return;
    }
    // Whoever replaces a file of another would make it theirs.
    let theirs = place.file("theirs.txt", "one\n");
    fs::set_permissions(&theirs, fs::Permissions::from_mode(0o666)).unwrap();
    let said = client.failed("write_file", &json!({"path": "theirs.txt", "content": "two\n"}));
    assert!(said.contains("it cannot be written"), "{said}");
    assert_eq!((fs::read_to_string(&theirs).unwrap(), owner("theirs.txt")), ("one\n".to_owned(), 0));
    fs::set_permissions(&theirs, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(client.failed("read_file", &json!({"path": "theirs.txt"})).contains("cannot be opened"));
}
