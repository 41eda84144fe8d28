//! What an earlier call of the session has made: its receipt shows it, so that it is deleted and typed into without a question.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::place::{Place, Ran};
use crate::tickets::{ask, place};

fn run(place: &Place, session: &str, text: &str) -> Ran {
    place.run(&["run", "--session", session, "--", "bash", "-c", text])
}

/// Whether it was performed, in a session; nobody is there to be asked.
fn is_free(place: &Place, session: &str, text: &str) -> bool {
    let ran = run(place, session, text);
    assert!(matches!(ran.code, Some(0 | 2 | 3 | 126)), "{text}: {ran:?}");
    ran.code == Some(0)
}

/// A moment that the clock of the files tells from the one before.
fn a_moment_later() {
    thread::sleep(Duration::from_millis(30));
}

#[test]
fn directory_that_a_receipt_of_the_session_shows_is_deleted_unasked() {
    let place = Place::new();
    assert!(is_free(&place, "s", "mkdir -p out/deep && echo x > out/deep/file"));
    let shown = place.ledger().into_iter().map(|record| record["body"]["made"].clone());
    let shown: Vec<Value> = shown.filter(|made| !made.is_null()).collect();
    let out = place.work("out");
    assert!(
        shown[0].as_array().unwrap().iter().any(|made| made["path"] == out.to_str().unwrap()),
        "{shown:?}"
    );
    assert!(!is_free(&place, "other", "rm -rf out"), "another session has not made it");
    assert!(is_free(&place, "s", "rm -rf out") && !out.exists());
    fs::create_dir(&out).unwrap();
    assert!(!is_free(&place, "s", "rm -rf out"), "somebody else has made another one there");
}

#[test]
fn what_was_there_before_or_was_moved_there_is_asked_about() {
    let place = Place::new();
    place.file("mine/work", "work");
    place.file("notes", "notes");
    a_moment_later();
    assert!(is_free(&place, "s", "mkdir -p mine new"));
    assert!(!is_free(&place, "s", "rm -rf mine"), "it was there before");
    fs::rename(place.work("notes"), place.work("new/notes")).unwrap();
    assert!(!is_free(&place, "s", "rm -rf new"), "something older was moved there by somebody");
    fs::rename(place.work("new/notes"), place.work("notes")).unwrap();
    place.file("later", "later");
    assert!(is_free(&place, "s", "mv later new/"), "nothing is lost by a move");
    assert!(!is_free(&place, "s", "rm -rf new"), "something newer was moved there by the session");
    for text in ["mv notes x; rm -rf new", "mv x new/; rm -rf new", "rm -rf new/../mine"] {
        assert!(!is_free(&place, "s", text), "{text}");
    }
    assert!(place.work("mine/work").exists() && place.work("new/later").exists());
}

#[test]
fn file_outside_the_workspace_is_deleted_by_the_session_that_made_it() {
    let place = Place::new();
    place.file("../elsewhere/theirs", "theirs");
    assert!(is_free(&place, "s", "touch ../elsewhere/own"));
    assert!(!is_free(&place, "s", "rm ../elsewhere/theirs") && !is_free(&place, "t", "rm ../elsewhere/own"));
    assert!(is_free(&place, "s", "rm ../elsewhere/own") && place.work("../elsewhere/theirs").exists());
}

fn told(place: &Place, phase: &str, command: &str) -> Ran {
    let event = json!({"hook_event_name": phase, "session_id": "s1", "cwd": place.work(""), "tool_use_id": "t1",
                       "permission_mode": "default", "tool_name": "Bash",
                       "tool_input": {"command": command}, "tool_response": {"stdout": "", "stderr": ""}});
    ask(place, "claude-code", &event)
}

/// What a hook says before a tool runs: nothing where it goes on unasked.
fn before(place: &Place, command: &str) -> Value {
    let ran = told(place, "PreToolUse", command);
    assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
    let said: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    said["hookSpecificOutput"]["permissionDecision"].clone()
}

#[test]
fn hook_that_is_told_what_ran_leaves_a_receipt_of_what_that_made() {
    let place = place();
    let make = "git clone https://example.com/x.git copy";
    assert_eq!(before(&place, make), Value::Null);
    // It is not known yet who made what stands there.
    fs::create_dir(place.work("copy")).unwrap();
    assert_eq!(before(&place, "rm -rf copy"), json!("ask"));
    assert_eq!(told(&place, "PostToolUse", make).code, Some(0));
    assert_eq!(before(&place, "rm -rf copy"), Value::Null);
    fs::remove_dir(place.work("copy")).unwrap();
    fs::create_dir(place.work("copy")).unwrap();
    assert_eq!(before(&place, "rm -rf copy"), json!("ask"), "it is another one");
}

#[test]
fn agent_that_does_not_tell_where_it_runs_is_asked_about_what_may_lie_elsewhere() {
    let place = place();
    let out = place.work("out").to_str().unwrap().to_owned();
    let event = |phase: &str, command: &str| {
        json!({"hook_event_name": phase, "session_id": "s1", "cwd": place.work(""), "turn_id": "1", "tool_use_id": "t1",
               "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command}, "tool_response": ""})
    };
    let is_free = |command: &str| {
        let ran = ask(&place, "codex", &event("PreToolUse", command));
        assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
        ran.code == Some(0) && !ran.stdout.contains("deny")
    };
    let make = format!("mkdir {out}");
    assert!(is_free(&make));
    fs::create_dir(&out).unwrap();
    assert_eq!(ask(&place, "codex", &event("PostToolUse", &make)).code, Some(0));
    assert!(is_free(&format!("rm -rf {out}")));
    assert!(!is_free("rm -rf out") && !is_free("mkdir -p new; rm -rf new"));
}

/// A server of tmux of one's own.
struct Tmux<'a>(&'a Place);

impl Tmux<'_> {
    fn command(&self, program: &str) -> Command {
        let mut command = self.0.command(program);
        command.env("TMUX_TMPDIR", self.0.home());
        command
    }

    fn run(&self, words: &[&str]) -> bool {
        self.command("/usr/bin/tmux").args(words).output().is_ok_and(|done| done.status.success())
    }

    /// What a hook says of a command before it runs, or after it.
    fn hook(&self, phase: &str, command: &str) -> Value {
        let event = json!({"hook_event_name": phase, "session_id": "s1", "cwd": self.0.work(""), "tool_use_id": "t1",
                           "permission_mode": "default", "tool_name": "Bash",
                           "tool_input": {"command": command}, "tool_response": {"stdout": "", "stderr": ""}});
        let file = self.0.home().join("event.json");
        fs::write(&file, event.to_string()).unwrap();
        let mut hook = self.command(self.0.binary().to_str().unwrap());
        hook.args(["hook", "claude-code", "--home", self.0.home().to_str().unwrap()]);
        let ran = Ran::of(hook.stdin(fs::File::open(file).unwrap()));
        assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
        let said: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        said["hookSpecificOutput"]["permissionDecision"].clone()
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn keys_go_unasked_into_the_session_of_tmux_that_a_receipt_shows_and_into_no_other() {
    let place = place();
    let tmux = Tmux(&place);
    if !tmux.run(&["new-session", "-d", "-s", "person", "sleep 100"]) {
        return;
    }
    thread::sleep(Duration::from_millis(1100));
    let types = |session: &str| tmux.hook("PreToolUse", &format!("tmux send-keys -t {session} o Enter"));
    assert_eq!((types("person"), types("work")), (json!("ask"), json!("ask")));
    for session in ["work", "person"] {
        let open = format!("tmux new-session -d -s {session}");
        assert_eq!(tmux.hook("PreToolUse", &open), Value::Null);
        // A session that is there already is not made again.
        tmux.run(&["new-session", "-d", "-s", session, "sleep 100"]);
        assert_eq!(tmux.hook("PostToolUse", &open), Value::Null);
    }
    assert_eq!((types("work"), types("work:0.0"), types("=work")), (Value::Null, Value::Null, Value::Null));
    for text in [
        "tmux send-keys -t person o Enter",
        "tmux send-keys -t wor o Enter",
        "tmux send-keys -t 0 o Enter",
        "tmux -L other send-keys -t work o Enter",
        "TMUX_TMPDIR=/tmp tmux send-keys -t work o Enter",
        "ssh host tmux send-keys -t work o Enter",
        "sudo tmux send-keys -t work o Enter",
        "screen -S work -X stuff o",
    ] {
        assert_eq!(tmux.hook("PreToolUse", text), json!("ask"), "{text}");
    }
    assert!(tmux.run(&["kill-session", "-t", "work"]));
    assert_eq!(types("work"), json!("ask"), "tmux would take another name that begins like it");
    assert!(tmux.run(&["new-session", "-d", "-s", "work", "sleep 100"]));
    assert_eq!(types("work"), json!("ask"), "it is another one");
}
