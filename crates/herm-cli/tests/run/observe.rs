//! `herm observe`: for a while nothing is stopped, and all of it is known afterwards.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// A person says yes at a terminal.
fn switch_on(place: &Place, more: &[&str]) -> Ran {
    let home = place.home().display().to_string();
    place.at_terminal(
        100,
        &[("Do you want that?", r"y\r")],
        &[&["observe", "on", "--home", &home], more].concat(),
    )
}

/// Without a home that is named, it is that of the user, whoever runs the tests.
fn observe(place: &Place, words: &[&str]) -> Ran {
    let home = place.home().display().to_string();
    place.run(&[&["observe"], words, &["--home", &home]].concat())
}

/// Hands an event to a hook.
fn hook(place: &Place, agent: &str, event: &str) -> Ran {
    let home = place.home().display().to_string();
    let mut command = place.herm(&["hook", agent, "--home", &home]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

fn claude(place: &Place, id: &str, tool: &str, input: &Value) -> String {
    json!({"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": place.work(""), "tool_use_id": id, "tool_name": tool,
           "tool_input": input})
    .to_string()
}

fn bash(place: &Place, id: &str, command: &str) -> Ran {
    hook(place, "claude-code", &claude(place, id, "Bash", &json!({"command": command})))
}

fn passes(ran: &Ran) -> bool {
    ran.code == Some(0) && ran.stdout.is_empty()
}

#[test]
fn nothing_is_stopped_and_everything_is_recorded() {
    let place = Place::new();
    assert!(!passes(&bash(&place, "t0", "rm -rf /")));
    let on = switch_on(&place, &[]);
    assert!(on.code == Some(0) && on.stdout.contains("observing until "), "{on:?}");
    for (id, command) in [("t1", "ls"), ("t2", "rm -rf build"), ("t3", "rm -rf build"), ("t4", "rm -rf /")] {
        let ran = bash(&place, id, command);
        assert!(passes(&ran), "{command}: {ran:?}");
    }
    let patch = json!({"file_path": "/etc/sudoers", "content": "x"});
    assert!(passes(&hook(&place, "claude-code", &claude(&place, "t5", "Write", &patch))));
    let terminal = json!({"hook_event_name": "pre_tool_call", "tool_name": "terminal", "session_id": "h1", "cwd": place.work(""),
                          "tool_input": {"command": "git push --force"}, "extra": {"tool_call_id": "c1"}});
    assert!(passes(&hook(&place, "hermes", &terminal.to_string())));
    let observed: Vec<_> =
        place.ledger().into_iter().filter(|record| record["body"]["observed"] == true).collect();
    let decisions: Vec<_> =
        observed.iter().map(|record| record["body"]["decision"].as_str().unwrap()).collect();
    assert_eq!(decisions, ["allow", "ask", "ask", "deny", "deny", "ask"]);
    assert!(observed.iter().all(|record| record["body"]["enforcement"] == "advisory"));
    assert_eq!(place.run(&["audit", "verify"]).code, Some(0));
    let told = observe(&place, &["report", "--json"]).json();
    assert_eq!(told["decisions"], json!({"allow": 1, "ask": 3, "deny": 2}));
    assert_eq!(told["repeated"], 1);
    let said = observe(&place, &["report"]).stdout;
    assert!(
        said.starts_with("claude-code: 5 actions in 1 session\nhermes: 1 action in 1 session\n"),
        "{said}"
    );
    assert!(said.contains("2  recursive-delete: recursive delete\n         rm -rf build\n"), "{said}");
}

#[test]
fn what_cannot_be_understood_or_judged_is_not_stopped_either() {
    let place = Place::new();
    assert_eq!(switch_on(&place, &[]).code, Some(0));
    assert!(passes(&hook(&place, "claude-code", "not JSON")));
    place.file(".herm.yaml", "approvals: [\n");
    assert!(passes(&bash(&place, "t1", "rm -rf build")));
    fs::remove_file(place.work(".herm.yaml")).unwrap();
    assert_eq!(observe(&place, &["off"]).stdout, "things are stopped again\n");
    assert!(!passes(&hook(&place, "claude-code", "not JSON")));
    assert!(!passes(&bash(&place, "t2", "rm -rf build")));
}

#[test]
fn what_herm_runs_is_judged_as_ever() {
    let place = Place::new();
    assert_eq!(switch_on(&place, &[]).code, Some(0));
    assert_eq!(place.run(&["run", "git reset --hard"]).code, Some(126));
    assert_eq!(place.run(&["check", "git reset --hard"]).code, Some(2));
}

#[test]
fn hermes_scanner_observes_too() {
    let place = Place::new();
    assert_eq!(switch_on(&place, &[]).code, Some(0));
    let home = place.guard().display().to_string();
    let words = [
        "check",
        "--herm-home",
        &home,
        "--json",
        "--non-interactive",
        "--shell",
        "posix",
        "--",
        "rm -rf build",
    ];
    let ran = place.run(&words);
    assert_eq!((ran.code, ran.json()["action"].as_str()), (Some(0), Some("allow")));
    assert_eq!(observe(&place, &["report", "--json"]).json()["decisions"]["ask"], 1);
    assert_eq!(observe(&place, &["off"]).code, Some(0));
    assert_eq!(place.run(&words).code, Some(2));
}

#[test]
fn only_a_person_at_a_terminal_switches_it_on() {
    let place = Place::new();
    let home = place.home().display().to_string();
    let alone = observe(&place, &["on"]);
    assert!(alone.code == Some(1) && alone.stderr.contains("only a person at a terminal"), "{alone:?}");
    for flag in ["--yes", "--force", "-y"] {
        assert_eq!(observe(&place, &["on", flag]).code, Some(3), "{flag}");
    }
    let no = place.at_terminal(100, &[("Do you want that?", r"\r")], &["observe", "on", "--home", &home]);
    assert_eq!(no.code, Some(1), "{no:?}");
    let long = switch_on(&place, &["--for", "31d"]);
    assert!(long.code == Some(1) && long.stdout.contains("30 days at most"), "{long:?}");
    assert_eq!(observe(&place, &["status"]).stdout, "not observing: things are stopped as ever\n");
    // Whoever has a terminal through herm is asked about it, and is refused all the same.
    let script = format!("{} observe on", place.binary().display());
    let inside = place.at_terminal(100, &[("Choice", r"o\r")], &["run", &script]);
    assert!(inside.stdout.contains("cannot switch off what guards it"), "{inside:?}");
    assert!(!bash(&place, "t1", "rm -rf /").stdout.is_empty());
}

#[test]
fn an_agent_that_would_switch_it_on_is_asked_about() {
    let place = Place::new();
    for command in [
        "herm observe on",
        "herm observe on --for 1d",
        "echo y | herm observe on",
        "script -qc 'herm observe on' /dev/null",
    ] {
        assert_eq!(place.run(&["check", command]).code, Some(2), "{command}");
    }
    for command in ["herm observe status", "herm observe report", "herm observe off", "herm replay --json"] {
        assert_eq!(place.run(&["check", command]).code, Some(0), "{command}");
    }
    let file = place.guard().join("observing").display().to_string();
    assert_ne!(place.run(&["check", "--write", &file]).code, Some(0), "nor does writing the file go unseen");
    assert_ne!(place.run(&["check", &format!("echo x > {file}")]).code, Some(0));
    fs::create_dir_all(place.guard().join("wiring")).unwrap();
    symlink(place.guard().join("wiring"), place.work("w")).unwrap();
    assert_ne!(place.run(&["check", "echo x > w/../observing"]).code, Some(0), "nor through a link");
}

#[test]
fn neither_a_repository_nor_a_variable_nor_a_setting_switches_it_on() {
    let place = Place::new();
    place.file(".herm.yaml", "observe: true\n");
    assert!(!passes(&bash(&place, "t1", "rm -rf /")));
    fs::remove_file(place.work(".herm.yaml")).unwrap();
    let elsewhere = Place::new();
    assert_eq!(switch_on(&elsewhere, &[]).code, Some(0));
    let home = place.home().display().to_string();
    let mut command = place.herm(&["hook", "claude-code", "--home", &home]);
    command
        .env("HERM_HOME", elsewhere.guard())
        .env("HERMES_HOME", elsewhere.guard())
        .env("HERM_OBSERVE", "1");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let event = claude(&place, "t2", "Bash", &json!({"command": "rm -rf /"}));
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    place.config("observe: true\n");
    assert!(!passes(&bash(&place, "t3", "rm -rf /")));
}

#[test]
fn variables_do_not_choose_where_it_is_looked_for() {
    let (place, elsewhere) = (Place::new(), Place::new());
    assert_eq!(switch_on(&elsewhere, &[]).code, Some(0));
    let home = place.home().display().to_string();
    let status = |guard: &Path| {
        let mut command = place.herm(&["observe", "status", "--home", &home]);
        Ran::of(command.env("HERM_HOME", guard).env("HERMES_HOME", guard)).stdout
    };
    assert_eq!(status(&elsewhere.guard()), "not observing: things are stopped as ever\n");
    assert_eq!(switch_on(&place, &[]).code, Some(0));
    assert!(status(&elsewhere.home()).starts_with("observing until 20"));
    let mut off = place.herm(&["observe", "off", "--home", &home]);
    assert_eq!(Ran::of(off.env("HERM_HOME", elsewhere.guard())).stdout, "things are stopped again\n");
    assert!(!passes(&bash(&place, "t1", "rm -rf /")), "it is off where hooks look");
}

/// What agents are told to ask is what counts, and not where whoever looks keeps their files.
#[test]
fn what_hooks_do_is_said_whatever_the_variables_are() {
    let (place, elsewhere) = (Place::new(), Place::new());
    let home = place.home().display().to_string();
    let observed = |guard: Option<&Path>| {
        let [mut doctor, mut init] = [
            &["doctor", "--json", "--home", &home][..],
            &["init", "claude-code", "--dry-run", "--home", &home],
        ]
        .map(|words| place.herm(words));
        for command in [&mut doctor, &mut init] {
            if let Some(guard) = guard {
                command.env("HERM_HOME", guard).env("HERMES_HOME", guard);
            }
        }
        let rows = Ran::of(&mut doctor).json()["rows"].clone();
        let row = rows.as_array().unwrap().iter().any(|row| row["name"] == "observing");
        (row, Ran::of(&mut init).stderr.contains("agents are only observed until"))
    };
    // A hook that is there, and asks the home of this place.
    assert_eq!(place.run(&["init", "claude-code", "--yes", "--home", &home]).code, Some(0));
    assert_eq!(switch_on(&elsewhere, &[]).code, Some(0));
    assert_eq!(observed(None), (false, false));
    assert_eq!(switch_on(&place, &[]).code, Some(0));
    assert_eq!(observed(None), (true, true));
    let nowhere = place.home().join("nowhere");
    assert!(observed(Some(&nowhere)).0, "the hook that is there observes");
    assert!(passes(&bash(&place, "t1", "rm -rf /")));
}

/// In a private view of the machine that somebody manages.
#[test]
fn on_a_managed_machine_it_does_not_hold() {
    let place = Place::new();
    assert_eq!(switch_on(&place, &[]).code, Some(0));
    let managed = "mount -t tmpfs none /etc && mkdir /etc/herm && echo 'approvals: {timeout: 9}' > /etc/herm/config.yaml && exec \"$@\"";
    let inside = |words: &[&str]| {
        let mut command = place.command("unshare");
        command.args(["-rm", "sh", "-c", managed, "sh"]).arg(place.binary()).args(words);
        command
    };
    if Ran::of(place.command("unshare").args(["-rm", "sh", "-c", managed, "sh", "true"])).code != Some(0) {
        println!("skipped: no view of the machine of its own can be made here");
        return;
    }
    let home = place.home().display().to_string();
    fs::write(place.home().join("event"), claude(&place, "t1", "Bash", &json!({"command": "rm -rf /"})))
        .unwrap();
    let event = || fs::File::open(place.home().join("event")).unwrap();
    let free = Ran::of(place.herm(&["hook", "claude-code", "--home", &home]).stdin(event()));
    assert!(passes(&free), "{free:?}");
    let held = Ran::of(inside(&["hook", "claude-code", "--home", &home]).stdin(event()));
    assert_eq!(held.code, Some(2), "{held:?}");
    let status = Ran::of(&mut inside(&["observe", "status", "--home", &home]));
    assert_eq!(status.stdout, "not observing: things are stopped as ever\n", "{status:?}");
    let on = Ran::of(&mut inside(&["observe", "on", "--home", &home]));
    assert!(on.code == Some(1) && on.stderr.contains("whoever manages this machine"), "{on:?}");
}

#[test]
fn it_ends_by_itself_and_is_said_wherever_it_matters() {
    let place = Place::new();
    assert_eq!(switch_on(&place, &["--for", "2d"]).code, Some(0));
    assert!(observe(&place, &["status"]).stdout.starts_with("observing until 20"));
    let rows = place.run(&["doctor", "--json"]).json()["rows"].clone();
    let row = rows.as_array().unwrap().iter().find(|row| row["name"] == "observing").unwrap().clone();
    assert_eq!((row["state"].as_str(), row["advice"].as_str()), (Some("missing"), Some("herm observe off")));
    let init = place.run(&["init", "claude-code", "--dry-run"]);
    assert!(init.stderr.contains("agents are only observed until"), "{init:?}");
    fs::write(place.guard().join("observing"), "2020-01-01T00:00:00.000Z\n").unwrap();
    assert!(!passes(&bash(&place, "t1", "rm -rf /")), "it is over");
    assert!(!place.guard().join("observing").exists(), "a clock that is set back does not bring it back");
    fs::write(place.guard().join("observing"), "9999-01-01T00:00:00.000Z\n").unwrap();
    assert!(!passes(&bash(&place, "t2", "rm -rf /")), "nobody could have said that");
    let rows = place.run(&["doctor", "--json"]).json()["rows"].clone();
    assert!(!rows.as_array().unwrap().iter().any(|row| row["name"] == "observing"));
}
