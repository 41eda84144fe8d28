//! Guard mode: the broker, the agent and the approvers are different users. Only root can start them all.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::place::Ran;

const BROKER: u32 = 6001;
const AGENT: u32 = 6002;
const APPROVER: u32 = 6003;
const SECOND: u32 = 6004;
const OTHER_AGENT: u32 = 6005;

/// A machine with a guard: a home for each user, a directory for the socket, herm where everybody can run it.
struct Machine {
    root: PathBuf,
    broker: Option<Child>,
}

impl Machine {
    /// Nothing where this process cannot become others.
    #[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
    fn new() -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if !rustix::process::geteuid().is_root() {
            println!("skipped: only root can start processes of several users");
            return None;
        }
        // Not below the target directory, which other users may have no way into.
        let name = format!("herm-guard-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = std::env::temp_dir().join(name);
        fs::create_dir(&root).unwrap();
        open(&root, 0o755);
        let mut machine = Self { root, broker: None };
        fs::copy(env!("CARGO_BIN_EXE_herm"), machine.herm()).unwrap();
        open(&machine.herm(), 0o755);
        machine.directory("run", BROKER, 0o755);
        for uid in [BROKER, AGENT, APPROVER, SECOND, OTHER_AGENT] {
            machine.directory(&format!("home-{uid}"), uid, 0o755);
            let guard = machine.directory(&format!("home-{uid}/.herm"), uid, 0o700);
            let config = guard.join("config.yaml");
            let socket = machine.socket();
            fs::write(&config, format!("approvals:\n  broker: {}\n  timeout: 20\n", socket.display()))
                .unwrap();
            chown(&config, Some(uid), Some(uid)).unwrap();
            machine.directory(&format!("work-{uid}"), uid, 0o755);
            machine.directory(&format!("work-{uid}/.git"), uid, 0o755);
        }
        machine.refill();
        machine.broker = Some(machine.start_broker());
        Some(machine)
    }

    fn directory(&self, name: &str, owner: u32, mode: u32) -> PathBuf {
        let path = self.root.join(name);
        fs::create_dir_all(&path).unwrap();
        chown(&path, Some(owner), Some(owner)).unwrap();
        open(&path, mode);
        path
    }

    /// Something for the agent to delete.
    fn refill(&self) {
        for uid in [AGENT, OTHER_AGENT] {
            self.directory(&format!("work-{uid}/build"), uid, 0o755);
        }
    }

    fn built(&self) -> bool {
        self.root.join(format!("work-{AGENT}/build")).exists()
    }

    fn herm(&self) -> PathBuf {
        self.root.join("herm")
    }

    fn socket(&self) -> PathBuf {
        self.root.join("run/broker.sock")
    }

    fn home(&self, uid: u32) -> PathBuf {
        self.root.join(format!("home-{uid}"))
    }

    /// A command of a user, in a session of its own.
    fn command(&self, uid: u32, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("setsid");
        let number = uid.to_string();
        command
            .args(["--wait", "setpriv", "--reuid", &number, "--regid", &number, "--clear-groups"])
            .arg(program)
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home(uid))
            .current_dir(self.root.join(format!("work-{uid}")))
            .stdin(Stdio::null());
        command
    }

    /// Runs herm as a user.
    fn run(&self, uid: u32, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.command(uid, &self.herm(), arguments))
    }

    /// Runs a script as a user.
    fn script(&self, uid: u32, script: &str) -> Ran {
        Ran::of(&mut self.command(uid, Path::new("bash"), &["-c", script]))
    }

    /// Starts herm as a user and lets it be.
    fn start(&self, uid: u32, arguments: &[&str]) -> Child {
        let mut command = self.command(uid, &self.herm(), arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn start_broker(&self) -> Child {
        let (first, second) = (APPROVER.to_string(), SECOND.to_string());
        let mut command =
            self.command(BROKER, &self.herm(), &["broker", "--approver", &first, "--approver", &second]);
        let mut broker = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(broker.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, format!("listening on {}\n", self.socket().display()));
        broker
    }

    /// Kills the broker without a word, and waits until it is gone.
    fn kill_broker(&mut self) {
        let mut broker = self.broker.take().unwrap();
        broker.kill().unwrap();
        broker.wait().unwrap();
    }

    /// The question that waits, as an approver sees it.
    fn question(&self) -> String {
        let end = Instant::now() + Duration::from_secs(20);
        while Instant::now() < end {
            let list = self.run(APPROVER, &["approvals", "list", "--json"]);
            let list: serde_json::Value = serde_json::from_str(&list.stdout).unwrap_or_default();
            if let Some(id) = list["questions"][0]["id"].as_str() {
                return id.to_owned();
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("nothing was asked");
    }

    fn ledger(&self) -> Vec<serde_json::Value> {
        let file = self.home(BROKER).join(".herm/ledger/ledger.jsonl");
        let text = fs::read_to_string(file).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if self.broker.is_some() {
            self.kill_broker();
        }
        // What cannot be cleared away stays in the temporary directory.
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn open(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn in_guard_mode_an_approver_answers_and_the_guard_records_it() {
    let Some(machine) = Machine::new() else { return };
    let asking = machine.start(AGENT, &["run", "--session", "s", "rm -rf build"]);
    let ran = machine.run(APPROVER, &["approvals", "answer", &machine.question(), "once"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "answered\n"), "{ran:?}");
    let (code, stderr) = end(asking);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!machine.built());
    let ledger = machine.ledger();
    let kinds: Vec<_> = ledger.iter().map(|record| record["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["answer", "intent", "outcome"]);
    assert!(ledger.iter().all(|record| record["body"]["uid"] == AGENT), "{ledger:?}");
    let by = ledger[0]["body"]["answer"]["by"].as_str().unwrap();
    assert!(by.starts_with(&format!("uid {APPROVER} ")), "{by}");
    let verified = machine.run(BROKER, &["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let shown = machine.run(BROKER, &["audit", "show", "--session", "s", "--json"]).json();
    let receipts = shown["receipts"].as_array().unwrap();
    let own =
        |receipt: &&serde_json::Value| receipt["id"].as_str().unwrap().starts_with(&format!("{AGENT}-"));
    assert_eq!(receipts.iter().filter(own).count(), 1, "{shown}");
    assert!(!machine.home(AGENT).join(".herm/ledger").exists(), "the agent keeps no record of its own");
}

#[test]
fn in_guard_mode_the_agents_user_cannot_answer_in_any_way() {
    let Some(machine) = Machine::new() else { return };
    let asking = machine.start(AGENT, &["run", "rm -rf build"]);
    let id = machine.question();
    let direct = machine.run(AGENT, &["approvals", "answer", &id, "once"]);
    assert!(
        direct.code == Some(1) && direct.stderr.contains("the user who asks may not answer"),
        "{direct:?}"
    );
    let herm = machine.herm();
    let herm = herm.display();
    let forked = machine.script(
        AGENT,
        &format!("(setsid sh -c '(setsid {herm} approvals answer {id} once > answer 2>&1 &)' &); sleep 1; cat answer"),
    );
    assert!(forked.stdout.contains("the user who asks may not answer"), "{forked:?}");
    // With the words of the protocol, and from the connection that asks.
    let spoken = machine.script(
        AGENT,
        &format!(
            "python3 - {} {id} <<'END'\n{}\nEND",
            machine.socket().display(),
            "import socket, sys, json\n\
             def say(line, *requests):\n    for request in requests:\n        line.sendall((json.dumps(request) + '\\n').encode())\n        print(line.recv(65536).decode(), end='')\n\
             def dial():\n    line = socket.socket(socket.AF_UNIX)\n    line.connect(sys.argv[1])\n    return line\n\
             say(dial(), {'do': 'answer', 'id': sys.argv[2], 'answer': 'once'}, {'do': 'resume', 'id': sys.argv[2]})\n\
             question = {'id': '', 'session': 's', 'command': 'x', 'cwd': '/', 'digest': '0' * 64, 'findings': [], 'always': False}\n\
             say(dial(), {'do': 'ask', 'question': question, 'seconds': 9}, {'do': 'settle', 'answer': 'once'})\n\
             say(dial(), {'do': 'append', 'kind': 'answer', 'receipt': '6002-1', 'body': {}})\n\
             say(dial(), {'do': 'append', 'kind': 'outcome', 'receipt': '6003-1', 'body': {}})"
        ),
    );
    let said: Vec<serde_json::Value> =
        spoken.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let words: Vec<_> = said.iter().map(|said| said["is"].as_str().unwrap()).collect();
    assert_eq!(words, ["refused", "gone", "waiting", "refused", "refused", "refused"], "{spoken:?}");
    let stranger = machine.run(OTHER_AGENT, &["approvals", "answer", &id, "once"]);
    assert_eq!(stranger.code, Some(1), "{stranger:?}");
    assert_eq!(machine.run(APPROVER, &["approvals", "answer", &id, "deny"]).code, Some(0));
    assert_eq!(end(asking).0, Some(126));
    assert!(machine.built());
}

#[test]
fn in_guard_mode_what_the_guard_keeps_is_out_of_reach() {
    let Some(machine) = Machine::new() else { return };
    assert_eq!(machine.run(AGENT, &["run", "echo hello"]).code, Some(0));
    let guard = machine.home(BROKER).join(".herm");
    let guard = guard.display();
    for attempt in [
        format!("ls {guard}"),
        format!("cat {guard}/herm.db"),
        format!("cat {guard}/ledger/key"),
        format!("echo x >> {guard}/ledger/ledger.jsonl"),
        format!("touch {guard}/x"),
        format!("mv {guard} {guard}.old"),
        format!("rm {}", machine.socket().display()),
    ] {
        assert_ne!(machine.script(AGENT, &attempt).code, Some(0), "{attempt}");
    }
    assert_eq!(machine.run(BROKER, &["audit", "verify"]).code, Some(0));
    assert_eq!(machine.ledger().len(), 2);
}

#[test]
fn in_guard_mode_of_two_approvers_exactly_one_wins() {
    let Some(machine) = Machine::new() else { return };
    let asking = machine.start(AGENT, &["run", "rm -rf build"]);
    let id = machine.question();
    let answers = thread::scope(|scope| {
        let answer = |uid: u32, said: &'static str| {
            let (machine, id) = (&machine, &id);
            scope.spawn(move || (said, machine.run(uid, &["approvals", "answer", id, said])))
        };
        [answer(APPROVER, "once"), answer(SECOND, "deny")].map(|thread| thread.join().unwrap())
    });
    let won: Vec<_> = answers.iter().filter(|(_, ran)| ran.code == Some(0)).collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    assert_eq!(end(asking).0, if won[0].0 == "once" { Some(0) } else { Some(126) });
    let answered = machine.ledger().iter().filter(|record| record["kind"] == "answer").count();
    assert_eq!(answered, 1);
}

#[test]
fn in_guard_mode_a_question_outlives_a_broker_that_is_killed() {
    let Some(mut machine) = Machine::new() else { return };
    let asking = machine.start(AGENT, &["run", "rm -rf build"]);
    let id = machine.question();
    machine.kill_broker();
    let alone = machine.run(APPROVER, &["approvals", "list"]);
    assert_ne!(alone.code, Some(0), "{alone:?}");
    machine.broker = Some(machine.start_broker());
    assert_eq!(machine.question(), id);
    assert_eq!(machine.run(APPROVER, &["approvals", "answer", &id, "once"]).code, Some(0));
    let (code, stderr) = end(asking);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!machine.built());
    assert_eq!(machine.run(BROKER, &["audit", "verify"]).code, Some(0));
}

#[test]
fn in_guard_mode_a_grant_is_kept_by_the_guard_for_the_session_of_one_user() {
    let Some(machine) = Machine::new() else { return };
    let asking = machine.start(AGENT, &["run", "--session", "s", "rm -rf build"]);
    assert_eq!(machine.run(APPROVER, &["approvals", "answer", &machine.question(), "session"]).code, Some(0));
    assert_eq!(end(asking).0, Some(0));
    machine.refill();
    let again = machine.run(AGENT, &["run", "--session", "s", "rm -rf build"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    machine.refill();
    // Another session of the user, and the same name with another user, are asked.
    for (uid, session) in [(AGENT, "t"), (OTHER_AGENT, "s")] {
        let asking = machine.start(uid, &["run", "--session", session, "rm -rf build"]);
        assert_eq!(machine.run(SECOND, &["approvals", "answer", &machine.question(), "deny"]).code, Some(0));
        assert_eq!(end(asking).0, Some(126));
    }
    // A no holds for the rest of the session, in other words too.
    let denied = machine.run(AGENT, &["run", "--session", "t", "find build -delete"]);
    assert!(denied.code == Some(126) && denied.stderr.contains("denied before"), "{denied:?}");
    let ledger = machine.ledger();
    let used =
        ledger.iter().find(|record| record["body"]["grants"].as_array().is_some_and(|used| !used.is_empty()));
    assert_eq!(used.unwrap()["body"]["uid"], AGENT);
}

#[test]
fn in_guard_mode_a_late_yes_serves_the_same_call_once() {
    let Some(machine) = Machine::new() else { return };
    let mut asking = machine.start(AGENT, &["run", "--session", "s", "rm -rf build"]);
    let id = machine.question();
    asking.kill().unwrap();
    asking.wait().unwrap();
    assert_eq!(machine.run(APPROVER, &["approvals", "answer", &id, "once"]).code, Some(0));
    let again = machine.run(AGENT, &["run", "--session", "s", "rm -rf build"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(!machine.built());
}

#[test]
fn in_guard_mode_nothing_runs_without_the_guard() {
    let Some(mut machine) = Machine::new() else { return };
    machine.kill_broker();
    for command in ["rm -rf build", "touch made"] {
        let ran = machine.run(AGENT, &["run", command]);
        assert!(ran.code == Some(125) && ran.stderr.contains("the broker does not serve"), "{ran:?}");
    }
    assert!(machine.built() && !machine.root.join(format!("work-{AGENT}/made")).exists());
    assert!(!machine.home(AGENT).join(".herm/broker.lock").exists(), "the agent became the broker");
    // A broker of the agent's own in its place guards nothing, and is not believed.
    machine.directory("run", AGENT, 0o755);
    let _ = fs::remove_file(machine.socket());
    let mut false_broker = machine.start(AGENT, &["broker", "--approver", &APPROVER.to_string()]);
    for _ in 0..200 {
        if machine.socket().exists() {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    let ran = machine.run(AGENT, &["run", "touch made"]);
    assert!(ran.code == Some(125) && ran.stderr.contains("guards nothing"), "{ran:?}");
    false_broker.kill().unwrap();
    false_broker.wait().unwrap();
}

#[test]
fn in_guard_mode_nobody_sees_what_others_ask() {
    let Some(machine) = Machine::new() else { return };
    let asking = machine.start(AGENT, &["run", "rm -rf build"]);
    let id = machine.question();
    let seen = |uid: u32| machine.run(uid, &["approvals", "list"]).stdout.contains(&id);
    assert!(seen(AGENT) && seen(APPROVER) && seen(SECOND));
    assert!(!seen(OTHER_AGENT));
    machine.run(APPROVER, &["approvals", "answer", &id, "deny"]);
    assert_eq!(end(asking).0, Some(126));
}

#[test]
fn a_guard_whose_home_is_open_to_others_does_not_start() {
    let Some(mut machine) = Machine::new() else { return };
    machine.kill_broker();
    open(&machine.home(BROKER).join(".herm"), 0o755);
    let ran = machine.run(BROKER, &["broker", "--approver", &APPROVER.to_string()]);
    assert!(ran.code == Some(3) && ran.stderr.contains("open to others"), "{ran:?}");
}
