//! The conformance cases of MCP, with herm as their server and as their client.
//!
//! Whatever a server meets by itself it must meet through herm. What herm changes on purpose is listed here with the reason, and the lists are exact: a
//! check that is met and listed fails as well as one that is neither.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::reference::{Ends, Shelf, free_port, script, serve};
use crate::place::{Place, Ran};

const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// What herm changes in sessions through it: the case and the check, and why. In requests that stand for themselves it changes nothing.
const CHANGED: &[(&str, &str)] = &[
    (
        "server-sse-polling:server-sse-priming-event",
        "herm keeps nothing of what it has said, so its streams cannot be gone on with, and say so by having no ids",
    ),
    ("server-sse-polling:server-sse-retry-field", "the same"),
    ("server-sse-polling:server-sse-disconnect-resume", "the same: they do not break off either"),
];

/// The cases that ask nothing of a server but the protocol. The others want tools, prompts and resources by name.
const OF_EVERY_SERVER: [(&str, &[&str]); 2] = [
    (
        "2025-11-25",
        &[
            "dns-rebinding-protection",
            "logging-set-level",
            "ping",
            "server-initialize",
            "server-session-lifecycle",
            "server-sse-multiple-streams",
            "tools-list",
        ],
    ),
    (
        "2026-07-28",
        &[
            "dns-rebinding-protection",
            "http-header-validation",
            "input-required-result-unsupported-methods",
            "server-sse-multiple-streams",
            "server-stateless",
            "tools-list",
        ],
    ),
];

/// What `herm mcp serve` does not show in those cases, and why.
const NOT_SERVED: &[(&str, &str)] = &[
    ("server-stateless:sep-2575-missing-capability-http-400", "no tool of it needs what a client may lack"),
    ("server-stateless:sep-2575-server-rejects-undeclared-capability", "the same"),
];

/// What herm refuses as a client, and why.
const REFUSED: &[(&str, &str)] = &[(
    "json-schema-2020-12-preservation:json-schema-2020-12-client-echo-completed",
    "a link in what a tool is given counts as fetched, and the host of this one is blocked here",
)];

/// The conformance cases, and who speaks for herm in them.
struct Suite {
    shelf: Shelf,
    place: Place,
}

/// What came of some cases: each check with its case.
#[derive(Debug, Default)]
struct Outcome {
    cases: BTreeSet<String>,
    met: BTreeSet<String>,
    unmet: BTreeSet<String>,
}

impl Suite {
    fn find(config: &str) -> Option<Self> {
        let shelf = Shelf::find();
        assert!(
            shelf.is_some() || std::env::var_os("CI").is_none(),
            "the conformance cases are not installed"
        );
        let place = Place::new();
        place.config(config);
        shelf.map(|shelf| Self { shelf, place })
    }

    /// The cases, with these words.
    fn run(&self, token: &str, words: &[&str]) -> Ran {
        let program = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
        let mut command = self.place.command("node");
        command.args(["--import", &part("suite.mjs")]).arg(self.shelf.place("conformance").join(program));
        command.args(words).env("CONFORMANCE_TOKEN", token).env("PYTHONDONTWRITEBYTECODE", "1");
        Ran::of(&mut command)
    }

    /// What comes of the cases for servers of a revision.
    fn server(&self, port: u16, token: &str, revision: &str) -> Outcome {
        let (url, results) = (format!("http://127.0.0.1:{port}/mcp"), self.place.work("results"));
        let _ = fs::remove_dir_all(&results);
        let ran = self.run(
            token,
            &["server", "--url", &url, "--requirements", revision, "-o", results.to_str().unwrap()],
        );
        let mut outcome = Outcome::default();
        for entry in fs::read_dir(&results).unwrap_or_else(|_| panic!("{ran:?}")).flatten() {
            let name = entry.file_name().into_string().unwrap();
            outcome.read(without_time(name.strip_prefix("server-").unwrap()), &entry.path());
        }
        outcome
    }

    /// What comes of a case for clients, where herm stands between the reference client and the case.
    fn client(&self, case: &str, revision: &str) -> Outcome {
        let results = self.place.work("results");
        let _ = fs::remove_dir_all(&results);
        let (herm, home) = (self.place.binary().display(), self.place.home());
        let command = format!("{} {} {herm} {}", self.shelf.python(), part("client.py"), home.display());
        let output = results.to_str().unwrap();
        let words =
            ["client", "--command", &command, "--scenario", case, "--spec-version", revision, "-o", output];
        let ran = self.run("", &words);
        let entry = fs::read_dir(&results).unwrap_or_else(|_| panic!("{ran:?}")).flatten().next().unwrap();
        let mut outcome = Outcome::default();
        outcome.read(case, &entry.path());
        outcome
    }

    /// The cases for clients that a revision has.
    fn client_cases(&self, revision: &str) -> Vec<String> {
        let told = self.run("", &["list", "--requirements", revision]).stdout;
        let (_, rest) = told.split_once("Client scenarios").unwrap();
        let (required, beside) = rest.split_once("Run and reported").unwrap();
        let required = required.lines().filter_map(|line| line.trim().strip_prefix("- "));
        let beside =
            beside.lines().filter_map(|line| line.trim().strip_prefix("- ")?.strip_suffix(" [client]"));
        required.chain(beside).map(str::to_owned).collect()
    }

    /// herm, listening, with its token.
    fn listening(&self, words: &[&str]) -> (Ends, u16, String) {
        let (port, home) = (free_port(), self.place.home());
        let address = format!("127.0.0.1:{port}");
        let head = ["mcp", "wrap", "--name", "ref", "--home", home.to_str().unwrap(), "--listen", &address];
        let herm = serve(&mut self.place.herm(&[&head, words].concat()), port);
        let files = fs::read_dir(self.place.guard().join("mcp")).unwrap().flatten().map(|entry| entry.path());
        let token =
            files.into_iter().find(|path| path.extension().is_some_and(|end| end == "token")).unwrap();
        (herm, port, fs::read_to_string(token).unwrap())
    }

    /// The server of the cases, in HTTP.
    fn reference(&self, port: u16) -> Ends {
        let mut command = self.place.command(&self.shelf.python());
        serve(command.arg(part("server.py")).arg(port.to_string()).env("PYTHONDONTWRITEBYTECODE", "1"), port)
    }
}

impl Outcome {
    fn read(&mut self, case: &str, results: &Path) {
        self.cases.insert(case.to_owned());
        let checks = fs::read_to_string(results.join("checks.json")).unwrap_or_default();
        let checks: Vec<Value> = serde_json::from_str(&checks).unwrap_or_default();
        if checks.is_empty() {
            self.unmet.insert(format!("{case}:nothing"));
        }
        for check in checks {
            let name = format!("{case}:{}", check["id"].as_str().unwrap());
            match check["status"].as_str().unwrap() {
                "SUCCESS" => drop(self.met.insert(name)),
                "FAILURE" | "WARNING" => drop(self.unmet.insert(name)),
                _ => {}
            }
        }
        // One name may stand for several checks: all of them have to be met.
        self.met.retain(|name| !self.unmet.contains(name));
    }

    /// What another one met and this did not.
    fn lost_from(&self, other: &Self) -> BTreeSet<String> {
        other.met.difference(&self.met).chain(self.unmet.difference(&other.unmet)).cloned().collect()
    }

    /// What is not met in these cases.
    fn unmet_in(&self, cases: &[&str]) -> BTreeSet<String> {
        let is_in = |name: &&String| cases.iter().any(|case| name.split(':').next() == Some(case));
        self.unmet.iter().filter(is_in).cloned().collect()
    }

    /// Leaves out what is optional and not offered by the server of the cases: tasks are an extension.
    fn without_extensions(mut self) -> Self {
        let is_of_tasks = |name: &str| name.starts_with("tasks-");
        for names in [&mut self.cases, &mut self.met, &mut self.unmet] {
            names.retain(|name| !is_of_tasks(name));
        }
        self
    }
}

/// The name of a directory of results without its time: `NAME-2026-01-02T03-04-05-678Z`.
fn without_time(name: &str) -> &str {
    let end = name.len() - "-2026-01-02T03-04-05-678Z".len();
    name.get(..end).unwrap()
}

fn part(name: &str) -> String {
    script(PathBuf::from("conformance").join(name).to_str().unwrap())
}

fn names(table: &[(&str, &str)]) -> BTreeSet<String> {
    table.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// How often cases are played that do not come out as they should.
const TRIES: usize = 3;

/// What comes of something that is as it should be, or of the last try. Some cases give an answer half a second, which is short on a machine with load.
fn tried(is_it: impl Fn(&Outcome) -> bool, play: impl Fn() -> Outcome) -> Outcome {
    let mut outcome = play();
    for _ in 1..TRIES {
        if is_it(&outcome) {
            break;
        }
        outcome = play();
    }
    outcome
}

/// Every case goes through herm as it goes without, whichever way herm talks with the server.
fn goes_through(revision: &str, changed: &[(&str, &str)]) {
    let far = free_port();
    let config = format!(
        "mcp: {{servers: {{ref: {{allow: ['*'], sampling: allow, rate: 100000}}}}}}\negress: {{endpoints: ['127.0.0.1:{far}']}}\n"
    );
    let Some(suite) = Suite::find(&config) else { return };
    let _server = suite.reference(far);
    let direct =
        tried(|outcome| outcome.unmet.is_empty(), || suite.server(far, "", revision).without_extensions());
    assert_eq!(direct.unmet, BTreeSet::new(), "the server of the cases");
    assert!(direct.cases.len() >= 30 && direct.met.len() >= direct.cases.len(), "{direct:?}");
    let (url, python) = (format!("http://127.0.0.1:{far}/mcp"), suite.shelf.python());
    let pipes = part("server.py");
    for words in [&["--url", &url][..], &["--env", "PYTHONDONTWRITEBYTECODE=1", "--", &python, &pipes]] {
        let (_herm, port, token) = suite.listening(words);
        let through = tried(
            |outcome| outcome.lost_from(&direct) == names(changed),
            || suite.server(port, &token, revision).without_extensions(),
        );
        assert_eq!(through.lost_from(&direct), names(changed), "{words:?}");
        assert_eq!(through.cases, direct.cases, "{words:?}");
    }
}

#[test]
fn cases_of_sessions_go_through_herm_as_they_go_without() {
    goes_through("2025-11-25", CHANGED);
}

#[test]
fn cases_of_requests_that_stand_for_themselves_go_through_herm_as_they_go_without() {
    goes_through("2026-07-28", &[]);
}

#[test]
fn what_herm_serves_meets_what_is_asked_of_every_server() {
    // That herm is started by herm is asked about; here a person has said yes to it.
    let config = "mcp: {servers: {ref: {allow: ['*']}}}\ncommand_allowlist: ['rule:self-approve']\n";
    let Some(suite) = Suite::find(config) else { return };
    let (_herm, port, token) =
        suite.listening(&["--", suite.place.binary().to_str().unwrap(), "mcp", "serve"]);
    let mut unmet = BTreeSet::new();
    for (revision, cases) in OF_EVERY_SERVER {
        let outcome = tried(
            |outcome| outcome.unmet_in(cases).is_subset(&names(NOT_SERVED)),
            || suite.server(port, &token, revision),
        );
        for case in cases {
            let is_met = outcome.met.iter().any(|name| name.split(':').next() == Some(case));
            assert!(is_met, "{revision} {case}: {outcome:?}");
        }
        unmet.extend(outcome.unmet_in(cases));
    }
    assert_eq!(unmet, names(NOT_SERVED));
}

#[test]
fn as_a_client_herm_meets_what_does_not_need_a_server_of_tokens() {
    let Some(suite) = Suite::find("") else { return };
    let mut unmet = BTreeSet::new();
    for revision in REVISIONS {
        // Who gets a token, and how, is left to people: herm is told one (`--header`), and never asks for one.
        let cases = suite.client_cases(revision);
        let cases: Vec<_> = cases.iter().filter(|case| !case.starts_with("auth/")).collect();
        assert!(cases.len() >= 5, "{cases:?}");
        for case in cases {
            let outcome =
                tried(|outcome| outcome.unmet.is_subset(&names(REFUSED)), || suite.client(case, revision));
            assert!(!outcome.met.is_empty(), "{revision} {case}: {outcome:?}");
            unmet.extend(outcome.unmet);
        }
    }
    assert_eq!(unmet, names(REFUSED));
}
