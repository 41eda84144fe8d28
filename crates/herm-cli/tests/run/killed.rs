//! herm is killed, at every step of a call: nothing runs unrecorded, nothing outlives it, and the record stays sound.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use crate::place::{Place, eventually};

fn kill(mut herm: Child) {
    herm.kill().unwrap();
    herm.wait().unwrap();
}

/// What `herm audit verify` says; the record must be sound.
fn verified(place: &Place) -> Value {
    let ran = place.run(&["audit", "verify", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told = ran.json();
    assert_eq!(told["sound"], true, "{told}");
    told
}

/// Whether the process whose number a file holds is gone.
fn is_gone(file: &Path) -> bool {
    let pid = fs::read_to_string(file).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    // What nobody has waited for yet runs no more either.
    status.is_empty() || status.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z"))
}

fn is_written(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.ends_with('\n'))
}

/// A place where something was done before, whose receipt must never be lost.
fn with_history() -> (Place, String) {
    let place = Place::new();
    let receipt = place.run(&["run", "--json", "echo before"]).json()["receipt"].as_str().unwrap().to_owned();
    (place, receipt)
}

fn still_works(place: &Place, receipt: &str) {
    assert_eq!(place.run(&["run", "echo after"]).stdout, "after\n");
    let shown = place.run(&["audit", "show", "--json", receipt]).json();
    assert_eq!(shown["records"].as_array().unwrap().len(), 2, "{shown}");
    verified(place);
}

/// Whoever is left would keep the pipe open, and whoever reads it waiting.
#[test]
fn while_a_boundary_is_built() {
    let place = Place::new().unsaid();
    for round in 0..120 {
        let mut herm = place.herm(&["run", "sleep 60"]);
        let mut herm =
            herm.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let said = herm.stdout.take().unwrap();
        thread::sleep(Duration::from_millis(round));
        kill(herm);
        let mut ends = [PollFd::new(&said, PollFlags::IN)];
        let patience = Timespec { tv_sec: 20, tv_nsec: 0 };
        assert_eq!(poll(&mut ends, Some(&patience)), Ok(1), "{round}: somebody is left");
    }
}

const SLOW: &str = "#!/bin/sh\necho $$ > \"$HERM_HOME/pid\"\nsleep 60\n";

#[test]
fn while_hooks_are_consulted() {
    let (place, receipt) = with_history();
    let path = place.program("hooks/hook.sh", SLOW);
    place.config(&format!("hooks: {{pre_tool_call: [{path}]}}\n"));
    place.run(&["hooks", "allow", "1"]);
    let herm = place.start(&["run", "touch made"]);
    let pid = place.guard().join("pid");
    eventually("the hook runs", || is_written(&pid));
    kill(herm);
    eventually("the hook ends with herm", || is_gone(&pid));
    assert!(!place.work("made").exists());
    assert_eq!(verified(&place)["records"], 2, "nothing was begun");
    place.config("");
    still_works(&place, &receipt);
}

#[test]
fn while_a_person_is_asked() {
    let (place, receipt) = with_history();
    place.file("build/x", "");
    let herm = place.start(&["run", "rm -rf build"]);
    let id = place.question();
    kill(herm);
    assert!(place.work("build").exists());
    assert_eq!(verified(&place)["records"], 2, "nothing was begun");
    assert_eq!(place.question(), id, "the question stays");
    still_works(&place, &receipt);
}

#[test]
fn while_the_command_runs() {
    let (place, receipt) = with_history();
    let script = "(setsid sh -c 'echo $$ > orphan; sleep 60' &); trap '' TERM HUP; echo $$ > child; sleep 60";
    let herm = place.start(&["run", script]);
    let (child, orphan) = (place.work("child"), place.work("orphan"));
    eventually("both run", || is_written(&child) && is_written(&orphan));
    kill(herm);
    eventually("nothing outlives herm", || is_gone(&child) && is_gone(&orphan));
    let unfinished = verified(&place)["unfinished"].clone();
    let begun = place.ledger().pop().unwrap();
    assert_eq!(
        (begun["kind"].as_str(), begun["body"]["action"]["exec"].as_str()),
        (Some("intent"), Some(script))
    );
    assert_eq!((unfinished.as_array().unwrap().len(), &unfinished[0]["receipt"]), (1, &begun["id"]));
    let said = place.run(&["audit", "verify"]).stdout;
    assert!(said.contains("nothing was changed") && said.contains("has no end"), "{said}");
    still_works(&place, &receipt);
}

#[test]
fn while_hooks_are_told() {
    let (place, receipt) = with_history();
    let path = place.program("hooks/hook.sh", SLOW);
    place.config(&format!("hooks: {{post_tool_call: [{path}]}}\n"));
    place.run(&["hooks", "allow", "1"]);
    let herm = place.start(&["run", "touch made; exit 3"]);
    let pid = place.guard().join("pid");
    eventually("the hook runs", || is_written(&pid));
    kill(herm);
    eventually("the hook ends with herm", || is_gone(&pid));
    assert!(place.work("made").exists());
    assert_eq!(verified(&place)["unfinished"], serde_json::json!([]), "the outcome was recorded first");
    assert_eq!(place.ledger().pop().unwrap()["body"]["exit_code"], 3);
    place.config("");
    still_works(&place, &receipt);
}

#[test]
fn at_any_moment() {
    let (place, receipt) = with_history();
    for moment in 0..40 {
        let herm = place.start(&["run", "echo ran >> made"]);
        thread::sleep(Duration::from_millis(moment * 2));
        kill(herm);
        verified(&place);
    }
    // What the last one started has ended, too.
    thread::sleep(Duration::from_millis(300));
    let ran = fs::read_to_string(place.work("made")).unwrap_or_default().lines().count();
    let begun = place.ledger().iter().filter(|record| record["kind"] == "intent").count() - 1;
    assert!(ran <= begun, "{ran} ran, but {begun} were recorded");
    still_works(&place, &receipt);
}
