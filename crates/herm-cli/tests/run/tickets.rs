//! What a hook releases so that herm itself runs it: `herm run --ticket`, as agents come to call it.

use std::fs::{self, File};
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// A place where commands run wherever herm has them run, with a directory in the workspace.
pub(crate) fn place() -> Place {
    let place = Place::new().unsaid();
    fs::create_dir_all(place.work("sub")).unwrap();
    place
}

/// Hands a command to a hook, as an agent that asks nobody does.
pub(crate) fn ask(place: &Place, agent: &str, event: &Value) -> Ran {
    ask_with(place, agent, event, &[])
}

fn ask_with(place: &Place, agent: &str, event: &Value, variables: &[(&str, &str)]) -> Ran {
    let file = place.home().join("event.json");
    fs::write(&file, event.to_string()).unwrap();
    let home = place.home();
    let mut hook = place.herm(&["hook", agent, "--home", home.to_str().unwrap()]);
    Ran::of(hook.envs(variables.iter().copied()).stdin(File::open(file).unwrap()))
}

pub(crate) fn unasked(place: &Place, command: &str) -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": place.work(""), "tool_use_id": "t1",
           "permission_mode": "bypassPermissions", "tool_name": "Bash",
           "tool_input": {"command": command, "description": "does it"}})
}

/// The command that Claude Code is handed in the place of another; nothing where it is handed none.
pub(crate) fn instead(place: &Place, command: &str) -> Option<String> {
    let ran = ask(place, "claude-code", &unasked(place, command));
    assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
    let said: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let input = &said["hookSpecificOutput"]["updatedInput"];
    assert!(said.is_null() || input["description"] == "does it", "{ran:?}");
    input["command"].as_str().map(str::to_owned)
}

/// What comes of a text in a shell of an agent.
pub(crate) fn shell(place: &Place, text: &str) -> Ran {
    Ran::of(place.command("setsid").args(["--wait", "bash", "-c", text]))
}

/// The secret in a text that an agent is handed.
fn secret(text: &str) -> &str {
    text.split_once("--ticket ").unwrap().1.get(..32).unwrap()
}

fn redeem(place: &Place, secret: &str) -> Command {
    let guard = place.guard();
    place.herm(&["run", "--ticket", secret, "--herm-home", guard.to_str().unwrap()])
}

fn bodies(place: &Place) -> Vec<Value> {
    place.ledger().into_iter().map(|record| record["body"].clone()).collect()
}

#[test]
fn what_is_released_runs_confined_with_its_own_output_and_code_and_is_recorded() {
    let place = place();
    place.config("sandbox: {agents: always}\n");
    let script = "sh -c 'echo out; echo err >&2; touch made; touch ~/made; exit 7'";
    let text = instead(&place, script).unwrap();
    assert!(text.ends_with(&format!("; exit\n{script}")), "the person reads what it is for: {text}");
    let ran = shell(&place, &text);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), "out\n"), "{ran:?}");
    assert!(ran.stderr.starts_with("err\n"), "{ran:?}");
    assert!(place.work("made").exists());
    assert!(!place.home().join("made").exists(), "it is behind the boundary");
    let (release, receipts) = (bodies(&place)[0].clone(), place.ledger());
    assert_eq!((&release["door"], &release["enforcement"]), (&json!("hook"), &json!("advisory")));
    let (intent, outcome) = (&receipts[1], &receipts[2]);
    assert_eq!(intent["body"]["released"], receipts[0]["id"]);
    assert_eq!((&intent["body"]["door"], &intent["body"]["backend"]), (&json!("ticket"), &json!("sandbox")));
    assert_eq!(intent["body"]["digest"], release["digest"]);
    assert_eq!(
        (&intent["body"]["session"], &intent["body"]["call"]),
        (&release["session"], &release["call"])
    );
    assert_eq!((&outcome["id"], &outcome["body"]["exit_code"]), (&intent["id"], &json!(7)));
    assert!(!fs::read_to_string(place.guard().join("ledger/ledger.jsonl")).unwrap().contains(secret(&text)));
    assert_eq!(place.run(&["audit", "verify"]).code, Some(0));
}

#[test]
fn a_ticket_serves_one_run() {
    let place = place();
    let text = instead(&place, "touch made").unwrap();
    assert_eq!(shell(&place, &text).code, Some(0));
    fs::remove_file(place.work("made")).unwrap();
    let again = shell(&place, &text);
    assert_eq!(again.code, Some(126), "{again:?}");
    assert!(again.stderr.contains("this ticket has been used"), "{again:?}");
    assert!(!place.work("made").exists());
}

#[test]
fn of_many_who_redeem_it_at_once_one_runs() {
    let place = place();
    let text = instead(&place, "mkdir once").unwrap();
    let codes: Vec<_> = thread::scope(|scope| {
        let runs: Vec<_> =
            (0..6).map(|_| scope.spawn(|| redeem(&place, secret(&text)).output().unwrap())).collect();
        runs.into_iter().map(|run| run.join().unwrap().status.code()).collect()
    });
    assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == Some(126)).count(), 5, "{codes:?}");
    let done = bodies(&place).iter().filter(|body| body["exit_code"] == 0).count();
    assert_eq!(done, 1);
}

/// Changes what is kept of tickets.
fn change(place: &Place, sql: &str) {
    let changed = Command::new("python3")
        .args([
            "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()",
        ])
        .arg(place.guard().join("herm.db"))
        .arg(sql)
        .status()
        .unwrap();
    assert!(changed.success());
}

#[test]
fn what_is_over_or_unknown_or_of_another_runs_nothing_and_says_why() {
    let place = place();
    let made = |command: &str| instead(&place, command).unwrap();
    let change = |sql: &str| change(&place, sql);
    let refused = |text: &str, why: &str| {
        let ran = Ran::of(&mut redeem(&place, secret(text)));
        assert!(ran.code == Some(126) && ran.stderr.contains(why), "{why}: {ran:?}");
    };
    let text = made("touch late");
    change("UPDATE tickets SET expires = issued");
    refused(&text, "the time of this ticket is over");
    let text = made("touch foreign");
    change("UPDATE tickets SET terms = json_set(terms, '$.user', 54321)");
    refused(&text, "given to another user");
    let text = made("touch garbled");
    change("UPDATE tickets SET terms = json_remove(terms, '$.digest')");
    refused(&text, "cannot be read");
    refused("--ticket 00112233445566778899aabbccddeeff", "no such ticket");
    for name in ["late", "foreign", "garbled"] {
        assert!(!place.work(name).exists(), "{name}");
    }
    let nowhere = Place::new().unsaid();
    let ran = Ran::of(&mut redeem(&nowhere, "00112233445566778899aabbccddeeff"));
    assert!(ran.code == Some(126) && ran.stderr.contains("no such ticket"), "{ran:?}");
    assert!(!nowhere.guard().join("herm.db").exists(), "who asks in vain makes no database");
}

#[test]
fn nothing_but_the_ticket_counts_on_the_command_line() {
    let place = place();
    let text = instead(&place, "echo told").unwrap();
    for more in [
        &["touch other"][..],
        &["--", "touch", "other"],
        &["--yolo"],
        &["--backend", "local"],
        &["--cwd", "/"],
        &["--config", "/dev/null"],
        &["--preset", "permissive"],
        &["--session", "x"],
        &["--stdin"],
    ] {
        let words = [&["run", "--ticket", secret(&text)], more].concat();
        let ran = Ran::of(&mut place.herm(&words));
        assert_eq!(ran.code, Some(125), "{more:?}: {ran:?}");
    }
    // What stands behind it is never run, whatever it is by then.
    let (first, _) = text.split_once('\n').unwrap();
    let ran = shell(&place, &format!("{first}\ntouch other"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "told\n"), "{ran:?}");
    assert!(!place.work("other").exists());
}

#[test]
fn what_changed_since_is_asked_about_anew() {
    let place = place();
    place.file("build.sh", "echo harmless\n");
    let text = instead(&place, "bash build.sh").unwrap();
    place.file("build.sh", "touch changed; git push --force\n");
    let ran = shell(&place, &text);
    assert_eq!(ran.code, Some(126), "{ran:?}");
    assert!(ran.stderr.contains("force-push"), "{ran:?}");
    assert!(!place.work("changed").exists());
    let last = bodies(&place).pop().unwrap();
    assert_eq!((&last["decision"], &last["refused"]), (&json!("deny"), &json!("nobody")));
    assert_eq!(last["released"], place.ledger()[0]["id"]);
    // What changed and is harmless runs, as it would have.
    place.file("build.sh", "echo harmless\n");
    let text = instead(&place, "bash build.sh").unwrap();
    place.file("build.sh", "echo as harmless\n");
    assert_eq!(shell(&place, &text).stdout, "as harmless\n");
}

#[test]
fn it_runs_in_the_directory_that_it_was_released_for_and_behind_the_boundary() {
    let place = place();
    place.config("sandbox: {agents: always}\n");
    place.file("run.sh", "pwd; touch ~/made\n");
    place.file("sub/run.sh", "git push --force\n");
    for elsewhere in ["sub", "/", "$HOME"] {
        let text = instead(&place, "bash run.sh").unwrap();
        let ran = shell(&place, &format!("cd {elsewhere}\n{text}"));
        let here = place.work("").canonicalize().unwrap();
        assert_eq!((ran.code, ran.stdout.trim_end()), (Some(0), here.to_str().unwrap()), "{ran:?}");
        assert!(!place.home().join("made").exists(), "{elsewhere}");
    }
    let intents = bodies(&place).into_iter().filter(|body| body["door"] == "ticket");
    let backends: Vec<_> = intents.map(|body| body["backend"].clone()).collect();
    assert_eq!(backends, ["sandbox"; 3]);
}

/// Where nobody told in which directory a command runs, it is where it is redeemed; but never without the boundary.
#[test]
fn what_was_released_for_the_boundary_is_not_run_without_it() {
    let place = place();
    place.config("sandbox: {agents: always}\n");
    let handed = || {
        let event = json!({"sessionId": "s1", "cwd": place.work(""), "toolName": "bash",
                           "toolArgs": {"command": "touch made", "description": "x"}});
        let ran = ask(&place, "copilot", &event);
        let said: Value = serde_json::from_str(&ran.stdout).unwrap();
        said["modifiedArgs"]["command"].as_str().unwrap().to_owned()
    };
    let text = handed();
    let ran = shell(&place, &format!("cd {}; {text}", place.home().display()));
    assert!(ran.code == Some(126) && ran.stderr.contains("released to run in the sandbox"), "{ran:?}");
    assert!(!place.home().join("made").exists());
    let text = handed();
    place.config("terminal: {backend: local}\n");
    let ran = shell(&place, &text);
    assert!(ran.code == Some(126) && ran.stderr.contains("`terminal.backend` is `local`"), "{ran:?}");
    place.config("sandbox: {agents: always}\n");
    assert!(!place.work("made").exists());
    assert_eq!(shell(&place, &handed()).code, Some(0));
    assert!(place.work("made").exists());
}

#[test]
fn a_yes_that_was_given_at_the_hook_counts_for_that_run() {
    let place = place();
    fs::create_dir_all(place.work("build")).unwrap();
    let event = unasked(&place, "rm -rf build");
    let handed = ask(&place, "claude-code", &event);
    assert!(handed.stdout.contains("\"ask\"") && !handed.stdout.contains("ticket"), "{handed:?}");
    let added = place.run(&["grants", "add", "recursive-delete", "--uses", "1"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    let text = instead(&place, "rm -rf build").unwrap();
    assert_eq!(shell(&place, &text).code, Some(0));
    assert!(!place.work("build").exists());
    let intent = bodies(&place).into_iter().find(|body| body["door"] == "ticket").unwrap();
    assert_eq!(intent["grants"], json!([]), "it is not spent twice");
    // The next one has nobody's yes.
    let ran = ask(&place, "claude-code", &event);
    assert!(ran.stdout.contains("\"ask\""), "{ran:?}");
}

#[test]
fn the_environment_loosens_nothing() {
    let place = place();
    place.file("build.sh", "echo harmless\n");
    let elsewhere = place.work("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let loose = "approvals: {mode: off}\nterminal: {backend: local}\n";
    fs::write(elsewhere.join("config.yaml"), loose).unwrap();
    let variables = [
        ("HERM_HOME", elsewhere.to_str().unwrap()),
        ("HERMES_HOME", elsewhere.to_str().unwrap()),
        ("HERMES_YOLO_MODE", "1"),
    ];
    let ran = ask_with(&place, "claude-code", &unasked(&place, "bash build.sh"), &variables);
    let said: Value = serde_json::from_str(&ran.stdout).unwrap();
    let text = said["hookSpecificOutput"]["updatedInput"]["command"].as_str().unwrap();
    place.file("build.sh", "touch ~/out; git push --force\n");
    let mut shell = place.command("setsid");
    let ran = Ran::of(shell.args(["--wait", "bash", "-c", text]).envs(variables));
    assert!(ran.code == Some(126) && ran.stderr.contains("force-push"), "{ran:?}");
    assert!(!place.home().join("out").exists());
}

#[test]
fn nobody_answers_at_the_terminal_that_an_agent_gives_its_command() {
    let place = place();
    place.file("build.sh", "echo harmless\n");
    let text = instead(&place, "bash build.sh").unwrap();
    place.file("build.sh", "git push --force\n");
    // A terminal with the one who asks at its keys.
    let typed = "import os,pty,sys\npid,fd=pty.fork()\nif pid==0: os.execvp('bash',['bash','-c',sys.argv[1]])\nos.write(fd,b'o\\ns\\ny\\n')\nout=b''\ntry:\n  while True:\n    part=os.read(fd,4096)\n    if not part: break\n    out+=part\nexcept OSError: pass\nprint(out.decode(errors='replace'))\nsys.exit(os.waitstatus_to_exitcode(os.waitpid(pid,0)[1]))\n";
    let ran = Ran::of(place.command("python3").args(["-c", typed, &text]));
    assert_eq!(ran.code, Some(126), "{ran:?}");
    assert!(ran.stdout.contains("nobody is there"), "{ran:?}");
}

#[test]
fn a_command_cannot_redeem_what_a_hook_released() {
    let place = place();
    let text = instead(&place, "touch made").unwrap();
    let (first, _) = text.split_once('\n').unwrap();
    for command in [first.to_owned(), format!("{first}\ntouch other"), first.replace("; exit", "")] {
        let ran = ask(&place, "claude-code", &unasked(&place, &command));
        assert!(
            ran.stdout.contains("self-approve") && !ran.stdout.contains("updatedInput"),
            "{command}: {ran:?}"
        );
    }
    // Nor can what herm runs, which would be two boundaries for one.
    let inside = first.replace("; exit", "");
    let ran = Ran::of(&mut place.herm(&["run", "--yolo", "--backend", "local", &inside]));
    assert_eq!(ran.code, Some(126), "{ran:?}");
    assert!(!place.work("made").exists());
    assert_eq!(shell(&place, &text).code, Some(0), "it was not used up by that");
}

#[test]
fn the_agent_asks_about_what_it_was_handed_as_about_the_original() {
    let place = place();
    let text = instead(&place, "git status").unwrap();
    let mut event = unasked(&place, &text);
    event["hook_event_name"] = json!("PermissionRequest");
    let ran = ask(&place, "claude-code", &event);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    let body = bodies(&place).pop().unwrap();
    assert_eq!(body["action"]["exec"], "git status");
    // One that stands before something else is what it is.
    event["tool_input"]["command"] = json!(text.replace("git status", "git diff"));
    let ran = ask(&place, "claude-code", &event);
    assert!(bodies(&place).pop().unwrap()["findings"].to_string().contains("self-approve"), "{ran:?}");
}

/// Whoever knows a ticket hides nothing behind it: what is not byte by byte what was handed out is judged as it stands.
#[test]
fn what_only_looks_like_what_was_handed_out_is_judged_as_it_stands() {
    let place = place();
    let text = instead(&place, "ls").unwrap();
    let (herm, _) = text.split_once(" run --ticket ").unwrap();
    for (forged, rule) in [
        (text.replacen(herm, "$(touch${IFS}/x;rm${IFS}-rf${IFS}/)", 1), "delete-root"),
        (text.replacen(herm, "`git push --force`", 1), "force-push"),
        (text.replacen(herm, "git push --force;", 1), "force-push"),
        (text.replacen("; exit", "; git push --force; exit", 1), "force-push"),
        (text.replacen(herm, "./herm", 1), "self-approve"),
        (format!("({text}\n)"), "self-approve"),
    ] {
        for name in ["PreToolUse", "PermissionRequest"] {
            let mut event = unasked(&place, &forged);
            event["hook_event_name"] = json!(name);
            event["tool_input"]["run_in_background"] = json!(true);
            let ran = ask(&place, "claude-code", &event);
            let body = bodies(&place).pop().unwrap();
            assert_eq!(body["action"]["exec"], json!(forged), "{ran:?}");
            assert!(body["findings"].to_string().contains(rule), "{rule}: {body}");
            assert!(name == "PermissionRequest" || !ran.stdout.is_empty() || ran.code == Some(2), "{ran:?}");
        }
    }
}

/// A tool that is given two commands may run either.
#[test]
fn each_command_of_a_tool_is_looked_at_by_itself() {
    let place = place();
    place.config("sandbox: {agents: always}\n");
    let mut event = json!({"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": place.work(""),
                           "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let said: Value = serde_json::from_str(&ask(&place, "codex", &event).stdout).unwrap();
    let text = said["hookSpecificOutput"]["updatedInput"]["command"].as_str().unwrap();
    let (herm, _) = text.split_once(" run --ticket ").unwrap();
    for (first, second) in [("cmd", "command"), ("command", "cmd")] {
        event["tool_input"] =
            json!({first: text, second: text.replacen(herm, "$(git${IFS}push${IFS}--force)", 1)});
        let before = place.ledger().len();
        let ran = ask(&place, "codex", &event);
        assert!(ran.code == Some(2) || ran.stdout.contains("deny"), "{ran:?}");
        let judged = bodies(&place).split_off(before);
        assert!(judged.iter().any(|body| body["findings"].to_string().contains("force-push")), "{judged:?}");
    }
}

#[test]
fn only_a_ticket_of_the_session_that_could_be_redeemed_stands_for_its_command() {
    let place = place();
    let judged = |event: &Value| {
        ask(&place, "claude-code", event);
        bodies(&place).pop().unwrap()
    };
    let request = |text: &str| {
        let mut event = unasked(&place, text);
        event["hook_event_name"] = json!("PermissionRequest");
        event
    };
    let text = instead(&place, "touch made").unwrap();
    assert_eq!(judged(&request(&text))["action"]["exec"], "touch made");
    let mut other = request(&text);
    other["session_id"] = json!("s2");
    assert_eq!(judged(&other)["action"]["exec"], json!(text), "it is another session's");
    assert_eq!(shell(&place, &text).code, Some(0));
    assert_eq!(judged(&request(&text))["action"]["exec"], json!(text), "it was used");
    let late = instead(&place, "touch made").unwrap();
    change(&place, "UPDATE tickets SET expires = issued");
    let body = judged(&request(&late));
    assert_eq!(body["action"]["exec"], json!(late), "it is over");
    assert!(body["findings"].to_string().contains("self-approve"), "{body}");
}

#[test]
fn who_runs_the_same_again_and_again_is_told_so_though_tickets_differ() {
    let place = place();
    let mut warned = false;
    for _ in 0..4 {
        let text = instead(&place, "cat missing");
        let Some(text) = text else { break };
        let mut event = unasked(&place, &text);
        event["hook_event_name"] = json!("PostToolUseFailure");
        assert_eq!(shell(&place, &text).code, Some(1));
        warned |= ask(&place, "claude-code", &event).stdout.contains("additionalContext");
    }
    assert!(warned);
}

#[test]
fn where_a_guard_keeps_the_books_a_ticket_is_nobodys_yes() {
    let place = place();
    let text = instead(&place, "touch made").unwrap();
    let socket = place.home().join("broker.sock");
    place.config(&format!("approvals: {{broker: {}}}\n", socket.display()));
    let ran = shell(&place, &text);
    assert!(ran.code == Some(126) && ran.stderr.contains("where a guard keeps the books"), "{ran:?}");
    assert!(!place.work("made").exists());
}
