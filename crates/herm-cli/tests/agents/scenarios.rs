//! What every agent has to show.
//!
//! Nothing here does harm if it runs, since a test must not depend on what it tests, and without a hook all of it does run: `wipefs`
//! is given a device that does not exist, `git push` has nowhere to go, and all files are in the workspace of the test. Whether a command
//! ran is told by the file that it leaves.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::process::{Child, Stdio};
use std::thread;

use herm_runtime::adapters::Agent;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::client::{Client, Then};
use crate::model::Call;
use crate::stage::Stage;

/// The user's own refusal.
const CONFIG: &str = "approvals: {deny: ['touch forbidden']}\n";

/// Nobody may approve it.
const FLOOR: &str = "wipefs -a /dev/herm-no-such-disk; touch floor";

/// A person is asked about it.
const ASKED: &str = "git push --force nowhere main; touch asked";

/// Without a hook everything happens; with it, what is allowed.
pub(crate) fn guarded(client: &'static Client) {
    let stage = Stage::new(client);
    stage.place.config(CONFIG);
    let run = stage.run(&calls(&stage, client));
    assert_eq!(left(&stage), FILES, "{}", run.story);
    let replaces = Agent::of(client.word).unwrap().replaces_results();
    assert!(!replaces || run.told(PRINTS).contains(&token()), "{}", run.story);
    stage.is_left();

    let stage = Stage::new(client);
    stage.place.config(CONFIG);
    stage.wire();
    let run = stage.run(&calls(&stage, client));
    assert_eq!(left(&stage), ["allowed", "plain"], "{}", run.story);
    for (at, rule) in RULES {
        assert!(run.told(at).contains(rule), "the model was not told of {rule}: {}", run.story);
    }
    let printed = run.told(PRINTS);
    assert!(!replaces || !printed.contains(&token()) && printed.contains("[REDACTED]"), "{}", run.story);
    let rows = stage.doctor();
    let is_wired = rows[0]["state"] == "ok" && rows[0]["detail"].as_str().unwrap().contains("asks herm");
    assert!(is_wired && rows.iter().all(|row| row["state"] != "missing"), "{rows:?}");
    stage.is_left();
}

/// What the model wants, one after the other. Each leaves the file that stands beside it.
fn calls(stage: &Stage, client: &Client) -> Vec<Call> {
    let write = |path: &str| (client.write)(stage.place.work(path).to_str().unwrap());
    stage.place.file("keys/.ssh/known_hosts", "");
    stage.place.file("more/.ssh/known_hosts", "");
    symlink("more/.ssh", stage.place.work("docs")).unwrap();
    stage.place.file("notes", &format!("{}\n", token()));
    vec![
        (client.shell)("touch allowed"),
        (client.shell)("touch forbidden"),
        (client.shell)(FLOOR),
        (client.shell)(ASKED),
        write("plain"),
        write("keys/.ssh/authorized_keys"),
        write("docs/authorized_keys"),
        (client.shell)("cat notes"),
    ]
}

/// The number of the call that prints a secret.
const PRINTS: usize = 7;

/// A secret, which does not stand here as a whole.
fn token() -> String {
    format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

const FILES: [&str; 7] = [
    "allowed",
    "forbidden",
    "floor",
    "asked",
    "plain",
    "keys/.ssh/authorized_keys",
    "more/.ssh/authorized_keys",
];

/// By the number of the call, which rule the model is told of.
const RULES: [(usize, &str); 5] = [
    (1, "denied-by-user"),
    (2, "format-device"),
    (3, "force-push"),
    (5, "protected-write"),
    (6, "protected-write"),
];

/// What is there of all that could be.
fn left(stage: &Stage) -> Vec<&'static str> {
    FILES.into_iter().filter(|name| stage.place.work(name).exists()).collect()
}

/// A known limit: a file of the repository switches the hook off. `herm doctor` finds it.
pub(crate) fn switched_off(client: &'static Client, file: &str, content: &str) {
    let stage = Stage::new(client);
    stage.place.config(CONFIG);
    stage.wire();
    stage.place.file(file, content);
    let run = stage.run(&[(client.shell)("touch forbidden")]);
    assert_eq!(left(&stage), ["forbidden"], "if this holds now, it can be told: {}", run.story);
    let rows = stage.doctor();
    let tells = |row: &Value| row["detail"].as_str().unwrap().contains(file) && row["state"] == "missing";
    assert!(rows.iter().any(tells), "{rows:?}");
    stage.is_left();
}

/// Wired for the whole machine, the hook holds against a file of the repository that switches hooks off.
pub(crate) fn for_the_machine(client: &'static Client, file: &str, content: &str) {
    let stage = Stage::new(client);
    stage.wire_machine();
    holds_against(&stage, client, file, content);
}

/// A file of the repository does not switch the hook off.
pub(crate) fn holds_against(stage: &Stage, client: &Client, file: &str, content: &str) {
    stage.place.file(file, content);
    let run = stage.run(&[(client.shell)("touch allowed"), (client.shell)(FLOOR)]);
    assert_eq!(left(stage), ["allowed"], "{}", run.story);
    assert!(run.told(1).contains("format-device"), "{}", run.story);
    stage.is_left();
}

/// A person answers from another process while the agent waits.
pub(crate) fn approved(client: &'static Client) {
    let stage = Stage::new(client);
    stage.wire();
    (client.keep)(&stage);
    answered(&stage, client);
}

fn answered(stage: &Stage, client: &Client) {
    let broker = Broker::new(stage);
    let calls = [(client.shell)(ASKED)];
    let (answered, run) = thread::scope(|scope| {
        let run = scope.spawn(|| stage.run(&calls));
        let id = stage.asked(|| run.is_finished());
        let answered = id.map(|id| stage.place.run(&["approvals", "answer", &id, "once"]));
        (answered, run.join().unwrap())
    });
    assert!(answered.as_ref().is_some_and(|ran| ran.code == Some(0)), "{answered:?}\n{}", run.story);
    assert!(stage.place.work("asked").exists(), "{}", run.story);
    let decided = &stage.place.ledger()[0]["body"];
    assert_eq!(decided["answer"]["answer"], "once", "{decided}");
    drop(broker);
    stage.is_left();
}

/// No hook, but a tool of herm's that the agent asks where it would ask its person.
pub(crate) fn prompted(client: &'static Client) {
    let stage = Stage::new(client);
    stage.place.config(CONFIG);
    let run = stage.run(&calls(&stage, client));
    assert_eq!(left(&stage), ["allowed", "plain"], "{}", run.story);
    for (at, rule) in RULES {
        assert!(run.told(at).contains(rule), "the model was not told of {rule}: {}", run.story);
    }
    stage.is_left();

    answered(&Stage::new(client), client);
}

/// Without a broker nobody is there who could be asked.
struct Broker(Child);

impl Broker {
    fn new(stage: &Stage) -> Self {
        let mut broker = stage.place.command(stage.herm().to_str().unwrap());
        broker.arg("broker");
        let mut broker = Self(broker.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
        BufReader::new(broker.0.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
        broker
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        // One that is gone is what is wanted.
        let _ = kill_process(Pid::from_child(&self.0), Signal::TERM);
        let _ = self.0.wait();
    }
}

/// Something else stands in herm's place, and fails in one way after the other.
pub(crate) fn failing(client: &'static Client) {
    let stage = Stage::new(client);
    stage.wire();
    (client.hurry)(&stage);
    stage.replace(FAILS);
    let ways = [
        ("crashed", client.failing.crashed),
        ("garbled", client.failing.garbled),
        ("killed", client.failing.killed),
        ("slow", client.failing.slow),
    ];
    let calls: Vec<_> = ways.iter().map(|(way, _)| (client.shell)(&format!("touch {way}"))).collect();
    let run = stage.run(&calls);
    assert_eq!(run.results.len(), ways.len(), "the agent did not go on: {}", run.story);
    let mut found: Vec<_> = ways.iter().map(|(way, _)| (*way, became(&stage, way))).collect();
    let asked = fs::read_to_string(stage.place.home().join("asked")).unwrap_or_default();
    for (way, _) in ways {
        assert!(asked.contains(way), "the hook was not asked about {way}: {}", run.story);
    }
    fs::remove_file(stage.herm()).unwrap();
    let last = stage.run(&[(client.shell)("touch missing")]);
    found.push(("missing", became(&stage, "missing")));
    let expected: Vec<_> = ways.into_iter().chain([("missing", client.failing.missing)]).collect();
    assert_eq!(found, expected, "{}\n{}", run.story, last.story);
    stage.is_left();
}

fn became(stage: &Stage, file: &str) -> Then {
    if stage.place.work(file).exists() { Then::Runs } else { Then::Blocked }
}

/// A hook that fails as it is told in what it is asked about, and says that it was asked.
const FAILS: &str = "#!/bin/bash
event=$(cat)
for way in crashed garbled killed slow; do
  case $event in *\"touch $way\"*) break ;; esac
  way=none
done
echo \"$way\" >> \"$HOME/asked\"
case $way in
  crashed) echo 'it has crashed' >&2; exit 101 ;;
  garbled) echo 'the weather is fine'; exit 0 ;;
  killed) kill -KILL $$ ;;
  slow) exec sleep 15 ;;
esac
";
