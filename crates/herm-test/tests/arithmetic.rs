//! What bash runs where it evaluates arithmetic is seen, and nothing else is.

use std::path::Path;

use herm_shell::world::{Script, World};
use herm_test::arithmetic::{CALLS, calm, running, with};
use herm_test::bash::bash_prints;
use herm_test::judge::Judge;
use tempfile::TempDir;

/// What must never run. Only the judge is handed this.
const FATAL: &str = "rm -rf /";
/// What shows that it ran, where it runs.
const HARMLESS: &str = "touch ran";

#[test]
fn bash_runs_what_is_said_to_run() {
    let silent: Vec<_> = running().filter(|spelling| !runs(&with(spelling, HARMLESS))).collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn what_bash_runs_is_refused() {
    let judge = Judge::new();
    let missed: Vec<_> =
        running().filter(|spelling| judge.decision(&with(spelling, FATAL)) != "deny").collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn what_bash_does_not_run_is_allowed() {
    let judge = Judge::new();
    let wrong: Vec<_> = calm()
        .filter(|spelling| {
            let has_payload = spelling.contains("PAYLOAD");
            has_payload && runs(&with(spelling, HARMLESS))
                || judge.decision(&with(spelling, FATAL)) != "allow"
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_an_earlier_call_has_left_is_evaluated() {
    let judge = Judge::new();
    let mut wrong = Vec::new();
    for (first, left, second) in CALLS {
        let scratch = TempDir::new().unwrap();
        let before = bash_prints(&format!("{}; declare -p {left}", with(first, HARMLESS)), scratch.path());
        let early = has_run(scratch.path());
        let late = runs(&format!("{before}\n{}", with(second, HARMLESS)));
        let world = Before(before.replace(HARMLESS, FATAL));
        let decision = judge.judge_in(&judge.call(&with(second, FATAL)), &world).decision.word();
        if early || !late || decision != "deny" {
            wrong.push(format!("{first} | {second}: early {early}, late {late}, {decision}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn runs(text: &str) -> bool {
    TempDir::new().is_ok_and(|scratch| {
        let _ = bash_prints(text, scratch.path());
        has_run(scratch.path())
    })
}

fn has_run(scratch: &Path) -> bool {
    scratch.join("ran").exists()
}

/// A machine of which nothing can be seen but what a shell goes on with.
#[derive(Debug)]
struct Before(String);

impl World for Before {
    fn script(&self, _path: &str) -> Script {
        Script::Absent
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn before(&self) -> Option<&str> {
        Some(&self.0)
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}
