//! Where a guard keeps the books, its approvers answer what rules mind. Only root can start them all.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::conversation::{Conversation, Place, offered, selected, to_run};

const BROKER: u32 = 6001;
const APPROVER: u32 = 6003;

/// A guard under a user of its own, and somebody who may answer.
struct Guard {
    root: PathBuf,
    broker: Child,
}

impl Guard {
    /// Nothing where this process cannot become others.
    #[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
    fn new(place: &Place) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: only root can start processes of several users");
            return None;
        }
        let root = place.path("");
        let open = |name: &str, owner: u32| {
            let path = root.join(name);
            fs::create_dir_all(&path).unwrap();
            chown(&path, Some(owner), Some(owner)).unwrap();
            path
        };
        fs::set_permissions(&root, PermissionsExt::from_mode(0o755)).unwrap();
        open("run", BROKER);
        let config =
            format!("approvals: {{broker: {}, timeout: 60}}\n", root.join("run/broker.sock").display());
        for uid in [BROKER, APPROVER] {
            open(&format!("home-{uid}"), uid);
            let guard = open(&format!("home-{uid}/.herm"), uid);
            fs::set_permissions(&guard, PermissionsExt::from_mode(0o700)).unwrap();
            fs::write(guard.join("config.yaml"), &config).unwrap();
            chown(guard.join("config.yaml"), Some(uid), Some(uid)).unwrap();
        }
        place.configure(&config);
        fs::copy(env!("CARGO_BIN_EXE_herm"), root.join("herm")).unwrap();
        let approver = APPROVER.to_string();
        let mut broker = command(&root, BROKER, &["broker", "--approver", &approver])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(broker.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("listening on "), "{line}");
        Some(Self { root, broker })
    }

    fn run(&self, arguments: &[&str]) -> String {
        String::from_utf8(command(&self.root, APPROVER, arguments).output().unwrap().stdout).unwrap()
    }

    fn answer(&self, answer: &str) {
        loop {
            let list: Value =
                serde_json::from_str(&self.run(&["approvals", "list", "--json"])).unwrap_or_default();
            if let Some(id) = list["questions"][0]["id"].as_str() {
                self.run(&["approvals", "answer", id, answer]);
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.broker.kill();
        let _ = self.broker.wait();
    }
}

/// herm as another user, in a session of its own.
fn command(root: &std::path::Path, uid: u32, arguments: &[&str]) -> Command {
    let mut command = Command::new("setsid");
    let number = uid.to_string();
    command
        .args(["--wait", "setpriv", "--reuid", &number, "--regid", &number, "--clear-groups"])
        .arg(root.join("herm"))
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", root.join(format!("home-{uid}")))
        .current_dir("/")
        .stdin(Stdio::null());
    command
}

#[test]
fn its_approvers_answer_and_the_person_at_the_editor_besides() {
    let place = Place::new();
    let Some(guard) = Guard::new(&place) else { return };
    let mut both = Conversation::opened(place, &[]);
    // What a rule minds is for the approvers; the agent's own question is for its person.
    both.agent_asks(1, "session/request_permission", to_run("rm -rf src"));
    guard.answer("once");
    let question = both.editor_hears();
    assert_eq!(offered(&question), ["once", "reject"]);
    both.editor_says(&selected(&question, "once"));
    assert_eq!(both.agent_hears()["result"]["outcome"]["optionId"], "once");
    // The person can say no to what the approvers allow.
    both.agent_asks(2, "session/request_permission", to_run("rm -rf other"));
    guard.answer("once");
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "reject"));
    assert_eq!(both.agent_hears()["result"]["outcome"]["optionId"], "reject");
    // What they refuse is not asked in the editor.
    both.agent_asks(3, "session/request_permission", to_run("rm -rf third"));
    guard.answer("deny");
    assert_eq!(both.agent_hears()["result"]["outcome"]["optionId"], "reject");
    // A change that no rule minds is the person's alone.
    let path = both.place.work("new.txt");
    both.agent_asks(4, "fs/write_text_file", json!({"path": path, "content": "x"}));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "herm:reject_once"));
    assert!(both.agent_hears()["error"]["message"].as_str().unwrap().contains("denied"));
}
