//! Which commands agents are handed another one for, so that herm runs them itself.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::Ran;
use crate::tickets::{ask, instead, place, shell, unasked};

#[test]
fn whatever_changes_the_shell_that_goes_on_is_left_to_it() {
    let place = place();
    for command in [
        "cd sub",
        "export A=1",
        "A=1",
        "source venv/bin/activate",
        "set -e",
        "alias ll=ls",
        "f() { ls; }",
        "umask 077",
        "exec ls",
        "exit",
        "eval 'cd sub'",
        "builtin cd sub",
        "sleep 1 &",
        "$CMD x",
        // What it reads may be known to that shell alone.
        "ls $UNHEARD",
        "ls \"${LIST[@]}\"",
        // What is no program may be an alias or a function of the person's.
        "ll",
        "nvm use 20",
    ] {
        let event = unasked(&place, command);
        let ran = ask(&place, "claude-code", &event);
        assert!(!ran.stdout.contains("ticket"), "{command}: {ran:?}");
    }
    // What leaves it as it was is not: in every way but the one that is told, these are as the ones above.
    place.config("sandbox: {agents: always}\n");
    for command in [
        "ls sub",
        "(ls sub)",
        "A=1 ls",
        "ls $HOME",
        "bash -c 'cd sub; exit'",
        "(for i in 1 2; do echo $i; done)",
    ] {
        assert!(instead(&place, command).is_some(), "{command}");
    }
    for command in [
        "cd sub",
        "export A=1",
        "ls $UNHEARD",
        "ls \"${LIST[@]}\"",
        "nvm use 20 | cat",
        "kill %1",
        "ssh-agent",
    ] {
        assert_eq!(instead(&place, command), None, "{command}");
    }
}

/// As Claude Code does it: a shell of its own for each call, in the directory that the last one ended in.
#[test]
fn a_directory_is_kept_from_call_to_call() {
    let place = place();
    let kept = place.home().join("cwd");
    let mut cwd = place.work("");
    let mut call = |command: &str, is_confined: bool| {
        let mut event = unasked(&place, command);
        event["cwd"] = json!(cwd);
        let ran = ask(&place, "claude-code", &event);
        let said: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let handed = said["hookSpecificOutput"]["updatedInput"]["command"].as_str();
        assert_eq!(handed.is_some(), is_confined, "{command}: {ran:?}");
        let text = format!("eval \"$1\" && pwd -P >| '{}'", kept.display());
        let mut shell = place.command("setsid");
        shell.args(["--wait", "bash", "-c", &text, "bash", handed.unwrap_or(command)]).current_dir(&cwd);
        let ran = Ran::of(&mut shell);
        cwd = fs::read_to_string(&kept).map_or_else(|_| cwd.clone(), |path| path.trim_end().into());
        ran.stdout
    };
    let here = place.work("sub").display().to_string();
    assert_eq!(call("cd sub", false), "");
    assert_eq!(call("pwd", true), format!("{here}\n"));
    assert_eq!(call("ls", true), "");
    assert_eq!(call("cd ..", false), "");
    assert_eq!(call("ls", true), "sub\n");
}

/// As Copilot does it: one shell for all of them.
#[test]
fn a_shell_goes_on_from_call_to_call() {
    let place = place();
    place.config("sandbox: {agents: always}\n");
    let mut shell = place
        .command("setsid")
        .args(["--wait", "bash", "--noprofile", "--norc"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut keys, mut screen) =
        (shell.stdin.take().unwrap(), BufReader::new(shell.stdout.take().unwrap()).lines());
    let mut call = |command: &str, is_confined: bool| {
        let event = json!({"sessionId": "s1", "cwd": place.work(""), "toolName": "bash",
                           "toolArgs": {"command": command, "description": "x"}});
        let ran = ask(&place, "copilot", &event);
        let said: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let handed = said["modifiedArgs"]["command"].as_str();
        assert_eq!(handed.is_some(), is_confined, "{command}: {ran:?}");
        writeln!(keys, "{}\necho \"=$?\"", handed.unwrap_or(command)).unwrap();
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.starts_with('=')) {
            lines.push(screen.next().unwrap().unwrap());
        }
        lines.join(" ")
    };
    let here = place.work("sub").display().to_string();
    assert_eq!(call("cd sub", false), "=0");
    assert_eq!(call("pwd", true), format!("{here} =0"));
    assert_eq!(call("export WHO=me", false), "=0");
    assert_eq!(call("ls | cat; ls /nowhere 2>/dev/null", true), "=2");
    assert_eq!(call("cd ..; echo $WHO", false), "me =0");
    assert_eq!(call("ls", true), "sub =0");
    // What only this shell knows is nothing in another one: that would list, or remove, something else.
    assert_eq!(call("DIR=sub", false), "=0");
    assert_eq!(call("LIST=(sub other)", false), "=0");
    assert_eq!(call("mkdir sub/inner", true), "=0");
    assert_eq!(call("(cd \"$DIR\" && ls)", false), "inner =0");
    assert_eq!(call("ls \"${DIR:-.}\"", false), "inner =0");
    assert_eq!(call("ls \"${LIST[0]}\"", false), "inner =0");
    assert_eq!(call("(DIR=sub; ls \"$DIR\")", true), "inner =0");
    assert_eq!(call("for one in sub; do ls \"$one\"; done | cat", true), "inner =0");
    assert_eq!(call("ls() { echo mine; }; greet() { echo hello; }; unset -f ls", false), "=0");
    assert_eq!(call("greet | cat", false), "hello =0");
    drop(keys);
    shell.wait().unwrap();
}

/// Where the agent runs commands in a sandbox of its own, herm's files cannot be written: nothing runs, and that is said.
#[test]
fn where_herm_cannot_be_nothing_runs_and_the_agent_is_left_to_it() {
    let place = place();
    let text = instead(&place, "touch made").unwrap();
    let closed = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && exec bash -c \"$2\"";
    let mut enclosed = place.command("setsid");
    enclosed.args([
        "--wait",
        "unshare",
        "--user",
        "--map-current-user",
        "--keep-caps",
        "--mount",
        "sh",
        "-c",
        closed,
    ]);
    let ran = Ran::of(enclosed.arg("sh").arg(place.guard()).arg(&text));
    assert_eq!(ran.code, Some(125), "{ran:?}");
    assert!(ran.stderr.contains("the ticket cannot be redeemed here, so nothing was run"), "{ran:?}");
    assert!(ran.stderr.contains("sandbox.agents"), "{ran:?}");
    assert!(!place.work("made").exists());
    let mut over = unasked(&place, &text);
    over["hook_event_name"] = json!("PostToolUse");
    over["tool_response"] = json!({"stdout": "", "stderr": ran.stderr, "interrupted": false});
    let said = ask(&place, "claude-code", &over);
    assert!(said.stdout.contains("call the tool again"), "{said:?}");
    assert_eq!(instead(&place, "touch made"), None, "it is left to the agent from now on");
    place.config("sandbox: {agents: always}\n");
    let refused = ask(&place, "claude-code", &unasked(&place, "touch made"));
    assert_eq!(refused.code, Some(2), "where all are to be confined none is let go: {refused:?}");
    assert!(refused.stderr.contains("sandbox.agents: always"), "{refused:?}");
    place.config("");
    let mut other = unasked(&place, "touch made");
    other["session_id"] = json!("s2");
    assert!(
        ask(&place, "claude-code", &other).stdout.contains("--ticket"),
        "another session is another place"
    );
}

/// A person stops the tool, it takes too long, or somebody only says so.
#[test]
fn a_call_that_failed_before_herm_came_to_it_lets_nothing_go() {
    let place = place();
    for (key, said) in [
        ("error", json!("Interrupted by user")),
        ("error", json!("Command timed out after 2m 0s")),
        ("tool_response", json!({"stdout": "", "stderr": "", "interrupted": true})),
        ("tool_response", json!({"is_error": true})),
    ] {
        let text = instead(&place, "touch made").unwrap();
        let mut over = unasked(&place, &text);
        over["hook_event_name"] = json!("PostToolUseFailure");
        over[key] = said.clone();
        let ran = ask(&place, "claude-code", &over);
        assert!(!ran.stdout.contains("call the tool again"), "{said}: {ran:?}");
        assert!(instead(&place, "touch made").is_some(), "{said}");
    }
    // What herm itself says is heeded there, too.
    let text = instead(&place, "touch made").unwrap();
    let mut over = unasked(&place, &text);
    over["hook_event_name"] = json!("PostToolUseFailure");
    over["error"] = json!("Exit code 125\nherm: the ticket cannot be redeemed here, so nothing was run: x");
    assert!(ask(&place, "claude-code", &over).stdout.contains("call the tool again"));
    assert_eq!(instead(&place, "touch made"), None);
}

#[test]
fn who_is_asked_by_its_agent_is_asked_as_before_unless_they_want_it() {
    let place = place();
    let mut event = unasked(&place, "git status");
    event["permission_mode"] = json!("default");
    assert_eq!(ask(&place, "claude-code", &event).stdout, "");
    assert_eq!(
        instead(&place, "git status | head"),
        None,
        "rules about several commands would not find them"
    );
    place.config("sandbox: {agents: always}\n");
    let said = ask(&place, "claude-code", &event).stdout;
    assert!(said.contains("--ticket") && !said.contains("permissionDecision"), "{said}");
    assert!(instead(&place, "git status | head").is_some());
    place.config("sandbox: {agents: never}\n");
    assert_eq!(instead(&place, "git status"), None);
    place.config("terminal: {backend: local}\n");
    assert_eq!(instead(&place, "git status"), None, "there would be no boundary");
}

#[test]
fn what_the_agent_does_not_wait_for_is_left_to_it() {
    let place = place();
    place.config("sandbox: {agents: always}\n");
    let mut event = unasked(&place, "sleep 1");
    event["tool_input"]["run_in_background"] = json!(true);
    assert_eq!(ask(&place, "claude-code", &event).stdout, "");
}

#[test]
fn herm_is_not_the_one_that_is_less_patient() {
    let place = place();
    place.config("terminal: {timeout: 1, max_timeout: 1}\n");
    let text = instead(&place, "sh -c 'sleep 2; echo done'").unwrap();
    let ran = shell(&place, &text);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "done\n"), "{ran:?}");
}

#[test]
fn every_agent_that_can_be_handed_a_command_is_handed_it_in_its_own_words() {
    let place = place();
    place.config("sandbox: {agents: always}\n");
    let cwd = place.work("");
    let usual = |event: &str, tool: &str| {
        json!({"hook_event_name": event, "session_id": "s1", "cwd": cwd, "tool_name": tool,
               "tool_input": {"command": "echo told | cat"}})
    };
    let handed = [
        ("codex", usual("PreToolUse", "Bash"), "/hookSpecificOutput/updatedInput/command"),
        ("gemini", usual("BeforeTool", "run_shell_command"), "/hookSpecificOutput/tool_input/command"),
        (
            "opencode",
            json!({"event": "tool.execute.before", "tool": "bash", "args": {"command": "echo told | cat"}, "cwd": cwd}),
            "/args/command",
        ),
        (
            "copilot",
            json!({"sessionId": "s1", "cwd": cwd, "toolName": "bash",
                   "toolArgs": json!({"command": "echo told | cat"}).to_string()}),
            "/modifiedArgs/command",
        ),
    ];
    for (agent, event, at) in handed {
        let ran = ask(&place, agent, &event);
        let said: Value = serde_json::from_str(&ran.stdout).unwrap();
        let text = said.pointer(at).and_then(Value::as_str).unwrap_or_else(|| panic!("{agent}: {ran:?}"));
        let ran = shell(&place, text);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "told\n"), "{agent}: {ran:?}");
    }
    for (agent, event) in [
        ("hermes", usual("pre_tool_call", "terminal")),
        ("pi", json!({"event": "tool_call", "tool": "bash", "args": {"command": "echo told"}, "cwd": cwd})),
    ] {
        let ran = ask(&place, agent, &event);
        assert!(!ran.stdout.contains("ticket"), "{agent}: {ran:?}");
    }
}

#[test]
fn what_is_known_to_want_more_than_the_workspace_is_left_to_the_agent() {
    let place = place();
    let home = place.home();
    fs::copy("/bin/true", place.work("tool")).unwrap();
    for command in [
        "touch /tmp/herm-left-behind".to_owned(),
        "cat /var/tmp/herm-left-behind".to_owned(),
        format!("cat {}/notes.txt", home.display()),
        "ls > /tmp/herm-list".to_owned(),
        "python3 -m http.server".to_owned(),
        // They are for what is not in the workspace.
        "git pull".to_owned(),
        "git -C sub fetch".to_owned(),
        "pip install x".to_owned(),
        "ps aux".to_owned(),
        "./tool --out /tmp/x".to_owned(),
        // It would be gone, whatever the program makes of the path.
        "git init ../other".to_owned(),
        "git worktree add ../other".to_owned(),
        "git format-patch -o ../patches HEAD".to_owned(),
        "git format-patch -o../patches HEAD".to_owned(),
        "./tool -I../x".to_owned(),
        "./tool OUT=../x".to_owned(),
        "python3 -m venv ../venv".to_owned(),
        "npm pack --pack-destination=..".to_owned(),
        "./tool --out=../x".to_owned(),
        "ls ..".to_owned(),
        // The settings of a repository cannot be written there.
        "git config --local a.b c".to_owned(),
        "git switch -c x --track main".to_owned(),
        "git branch -u main".to_owned(),
    ] {
        assert_eq!(instead(&place, &command), None, "{command}");
    }
    for command in [
        "cat /etc/hostname",
        "touch sub/made",
        "ls > /dev/null",
        "./tool sub",
        "sh -c ./tool",
        "git -C sub status",
        "grep -r /api/v1 sub",
        "sed -n s/a/b/p sub/notes",
        "git branch",
        "git switch main",
        "git add -u",
    ] {
        assert!(instead(&place, command).is_some(), "{command}");
    }
    place.config("sandbox: {agents: always}\n");
    assert!(instead(&place, "touch /tmp/herm-left-behind").is_some(), "whoever wants it so");
}
