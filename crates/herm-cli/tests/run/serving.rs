//! `herm mcp serve`, as clients call it.

mod files;
mod spoken;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, Ran, eventually};
use spoken::{Spoken, asking, client, serving, text};

#[test]
fn a_shell_goes_on_and_one_of_its_own_does_not() {
    for place in [Place::new(), Place::unprivileged()] {
        for backend in ["local", "sandbox"] {
            fs::create_dir_all(place.work("src")).unwrap();
            place.give();
            let mut client = Spoken::to(&place, &json!({}), &["--backend", backend]);
            client.done("terminal", &json!({"command": "cd src; x=1; f() { echo \"f $x\"; }"}));
            let said = client.done("terminal", &json!({"command": "pwd; f"}));
            assert_eq!(said, format!("{}\nf 1", place.work("src").display()), "{backend}");
            let alone = client.result("terminal", &json!({"command": "pwd; f", "cwd": "."}));
            assert!(
                text(&alone).starts_with(place.work("").to_str().unwrap().trim_end_matches('/')),
                "{alone}"
            );
            let data = &alone["structuredContent"];
            assert_eq!((&data["exit_code"], &data["backend"]), (&json!(127), &json!(backend)), "{alone}");
            assert!(client.failed("terminal", &json!({"command": "ls", "cwd": "/"})).starts_with("herm: "));
            assert_eq!(client.done("execute_code", &json!({"code": "print(6 * 7)"})), "42", "{backend}");
            assert_eq!(client.end(), Some(0), "{backend}");
        }
    }
}

#[test]
fn every_answer_of_a_person_is_heard_and_nothing_else_is_one() {
    let place = Place::new();
    let mut client = client(&place);
    let rm = json!({"command": "rm -rf build"});
    let fill = || place.file("build/x", "");
    for (answer, refused) in [
        (json!({"action": "decline"}), "the user denied this command"),
        (json!({"action": "cancel"}), "closed without an answer"),
        (json!({"action": "accept", "content": {"answer": "yes"}}), "can be understood"),
        (json!({"action": "accept"}), "can be understood"),
    ] {
        fill();
        // A denial is remembered for the session, so each is asked in another one.
        let mut client = Spoken::to(&place, &asking(), &[]);
        let id = client.call("terminal", &rm);
        assert!(client.respond(&answer).contains("rm -rf build"));
        let result = client.answer(id)["result"].clone();
        let said = text(&result);
        assert!(result["isError"] == true && said.contains(refused), "{said}");
        assert!(place.work("build/x").exists(), "{answer}");
    }
    fill();
    let id = client.call("terminal", &rm);
    let message = client.choose("once");
    assert!(
        message.contains("recursive-delete") && message.contains("DANGEROUS COMMAND: recursive delete"),
        "{message}"
    );
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert!(!place.work("build").exists());
    fill();
    let id = client.call("terminal", &rm);
    client.choose("session");
    assert_eq!(client.answer(id)["result"]["structuredContent"]["answer"]["by"], "the client that asked");
    fill();
    client.done("terminal", &rm);
    assert!(!place.work("build").exists(), "it was allowed for the session");
}

#[test]
fn while_somebody_is_asked_everything_else_goes_on() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = client(&place);
    let id = client.call("terminal", &json!({"command": "rm -rf build", "cwd": "."}));
    let question = client.question();
    assert_eq!(client.done("terminal", &json!({"command": "echo meanwhile"})), "meanwhile");
    let ping = client.send("ping", &json!({}));
    assert_eq!(client.answer(ping)["result"], json!({}));
    client.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"answer": "once"}}}));
    assert_eq!(client.answer(id)["result"]["isError"], false);
}

#[test]
fn whoever_watches_approvals_can_answer_as_well() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = client(&place);
    let id = client.call("terminal", &json!({"command": "rm -rf build"}));
    let asked = client.question();
    let question = place.question();
    let ran = place.run(&["approvals", "answer", &question, "once"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(client.answer(id)["result"]["isError"], false);
    let off = client.hear(|message| message["method"] == "notifications/cancelled");
    assert_eq!(off["params"]["requestId"], asked["id"], "the client need not ask any more");
}

/// Claude Code without a person says that it shows forms, and closes them at once.
#[test]
fn a_client_without_a_person_leaves_it_to_those_who_watch() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = Spoken::of(serving(&place, &[]).env("HERMES_EXEC_ASK", "1"));
    let id = client.send("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": asking()}));
    client.answer(id);
    let id = client.call("terminal", &json!({"command": "rm -rf build"}));
    client.respond(&json!({"action": "cancel"}));
    let ran = place.run(&["approvals", "answer", &place.question(), "once"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert!(!place.work("build").exists());
}

#[test]
fn without_a_form_nobody_answers_but_whoever_watches() {
    let place = Place::new();
    place.file("build/x", "");
    for (capabilities, more) in [(json!({}), &[][..]), (asking(), &["--ask", "herm"][..])] {
        let mut client = Spoken::to(&place, &capabilities, more);
        let said = client.failed("terminal", &json!({"command": "rm -rf build"}));
        assert!(said.contains("a person must say yes"), "{said}");
        assert!(client.heard.iter().all(|message| message["method"] != "elicitation/create"));
    }
    assert!(place.work("build/x").exists());
}

#[test]
fn a_client_says_nothing_for_ever_and_nothing_for_others() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = client(&place);
    let id = client.call("terminal", &json!({"command": "rm -rf build"}));
    let asked = client.question();
    let shown = asked["params"].to_string();
    assert!(shown.contains("session") && !shown.contains("always"), "{shown}");
    client.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": "always"}}}));
    assert_eq!(client.answer(id)["result"]["isError"], true);
    assert!(place.work("build/x").exists());
    let named = Ran::of(serving(&place, &["--session", "claude-code-s1"]).stdin(Stdio::null()));
    assert!(named.code == Some(125) && named.stderr.contains("--ask herm"), "{named:?}");
    let named = serving(&place, &["--session", "s1", "--ask", "herm"]).stdin(Stdio::null()).status();
    assert_eq!(named.unwrap().code(), Some(0));
}

/// A command that herm runs would be its own client. Only a user of whom the machine knows no home has one of the test's making.
#[test]
fn what_herm_runs_does_not_answer_itself() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can become somebody whom nobody knows");
        return;
    }
    let place = Place::unprivileged();
    place.file("build/x", "");
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": asking()}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "terminal", "arguments": {"command": "rm -rf build"}}}),
    ];
    place.file("lines", &lines.map(|line| format!("{line}\n")).concat());
    let yes = json!({"jsonrpc": "2.0", "id": "herm-1", "result": {"action": "accept", "content": {"answer": "once"}}});
    place.file("yes", &format!("{yes}\n"));
    // It answers whatever it is asked, until it is told what came of it.
    let feed = "cat lines\nuntil grep -q '\"id\":2' said; do grep -q elicitation said && cat yes; sleep 0.05; done\n";
    place.file("feed.sh", feed);
    place.config("command_allowlist: ['rule:self-approve', 'rule:unknown-program', 'rule:yolo']\n");
    let nobody = "6011";
    let owned = [place.home(), place.work(""), place.binary().with_file_name("tmp")];
    let given = Command::new("chown").args(["-R", &format!("{nobody}:{nobody}")]).args(owned).status();
    assert!(given.unwrap().success());
    let herm = place.binary().to_str().unwrap();
    let inner = format!(
        "export HOME={}; : > said; bash feed.sh | {herm} mcp serve --backend local > said",
        place.home().display()
    );
    let mut command = place.command("setsid");
    command.args(["--wait", "setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups", "--", herm]);
    let ran = Ran::of(command.args(["run", "--backend", "local", "--json", "--timeout", "60", &inner]));
    let said = fs::read_to_string(place.work("said")).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert!(said.contains("a person must say yes") && !said.contains("elicitation/create"), "{said} {ran:?}");
    assert!(place.work("build/x").exists(), "{said}");
}

/// An agent behind a door starts its servers itself.
#[test]
fn behind_a_door_nobody_chooses_what_holds() {
    let place = Place::new();
    let door = "import ctypes, subprocess, sys\n\
                ctypes.CDLL(None).prctl(15, b'herm-door', 0, 0, 0)\n\
                sys.exit(subprocess.call(sys.argv[1:]))\n";
    let home = place.home().display().to_string();
    for option in [["--home", &home], ["--preset", "permissive"], ["--config", "x"], ["--herm-home", "x"]] {
        let mut command = place.command("python3");
        command.args(["-c", door]).arg(place.binary()).args(["mcp", "serve"]).args(option);
        let ran = Ran::of(command.stdin(Stdio::null()));
        assert!(ran.code == Some(125) && ran.stderr.contains("is for people"), "{option:?}: {ran:?}");
    }
}

#[test]
fn variables_that_would_loosen_are_not_heeded() {
    let place = Place::new();
    place.file("build/x", "");
    place.file("loose/config.yaml", "approvals: {mode: 'off'}\n");
    let mut command = serving(&place, &[]);
    command
        .env("HERMES_YOLO_MODE", "1")
        .env("HERM_HOME", place.work("loose"))
        .env("HERMES_HOME", place.work("loose"));
    let mut client = Spoken::of(&mut command);
    let id = client.send("initialize", &json!({"protocolVersion": "2025-06-18", "capabilities": {}}));
    client.answer(id);
    assert!(client.failed("terminal", &json!({"command": "rm -rf build"})).contains("a person must say yes"));
    assert!(place.work("build/x").exists());
}

#[test]
fn what_is_called_off_is_ended_with_all_that_it_started() {
    for backend in ["local", "sandbox"] {
        for cwd in [json!(null), json!(".")] {
            let place = Place::new();
            let mut client = Spoken::to(&place, &json!({}), &["--backend", backend]);
            let command = "(sleep 300 & echo $! > child; : > ready; wait) & wait";
            let id = client.call("terminal", &json!({"command": command, "cwd": cwd}));
            eventually("it began", || place.work("ready").exists());
            client.say(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
            );
            assert_eq!(client.done("terminal", &json!({"command": "echo on", "cwd": "."})), "on");
            // Nothing of it holds the shell up, and nobody is answered.
            assert_eq!(client.done("terminal", &json!({"command": "echo on"})), "on", "{backend} {cwd}");
            assert!(client.heard.iter().all(|message| message["id"] != id), "{:?}", client.heard);
            let child = fs::read_to_string(place.work("child")).unwrap();
            let process = format!("/proc/{}", child.trim());
            // Elsewhere it has another number.
            if backend == "local" {
                eventually("what it started is gone", || !Path::new(&process).exists());
            }
            let ending =
                |record: &Value| record["body"]["ending"] == "cancelled" || record["ending"] == "cancelled";
            assert!(place.ledger().iter().any(ending), "{:?}", place.ledger().last());
        }
    }
}

#[test]
fn a_client_that_goes_takes_everything_with_it() {
    let place = Place::new();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    client.call("terminal", &json!({"command": "echo $$ > pid; sleep 300"}));
    eventually("it began", || fs::read_to_string(place.work("pid")).is_ok_and(|pid| pid.ends_with('\n')));
    let pid = fs::read_to_string(place.work("pid")).unwrap();
    assert_eq!(client.end(), Some(0));
    eventually("it is gone", || !Path::new(&format!("/proc/{}", pid.trim())).exists());
}

#[test]
fn claude_code_is_told_whether_its_tools_may_be_called() {
    let place = Place::new();
    let mut client = client(&place);
    let mut approve = |tool: &str, input: &Value, answer: Option<&str>| {
        let id = client.call("approve", &json!({"tool_name": tool, "input": input, "tool_use_id": "t1"}));
        if let Some(word) = answer {
            client.choose(word);
        }
        let result = client.answer(id)["result"].clone();
        assert_eq!(result["isError"], false, "{result}");
        serde_json::from_str::<Value>(&text(&result)).unwrap()
    };
    let input = json!({"command": "git status", "description": "look"});
    assert_eq!(approve("Bash", &input, None), json!({"behavior": "allow", "updatedInput": input}));
    let input = json!({"command": "rm -rf build"});
    let denied = approve("Bash", &input, Some("deny"));
    assert_eq!(denied["behavior"], "deny");
    assert!(denied["message"].as_str().unwrap().contains("must not be retried"), "{denied}");
    let input = json!({"command": "rm -rf other"});
    assert_eq!(approve("Bash", &input, Some("once")), json!({"behavior": "allow", "updatedInput": input}));
    assert_eq!(approve("Bash", &json!({"command": "rm -rf /"}), None)["behavior"], "deny");
    assert_eq!(
        approve("Write", &json!({"file_path": place.home().join(".bashrc"), "content": "x"}), None)["behavior"],
        "deny"
    );
    for tool in ["ExitPlanMode", "AskUserQuestion", "Task", "KillShell", "WebSearch"] {
        let input = json!({"plan": "tidy up"});
        assert_eq!(approve(tool, &input, Some("deny"))["behavior"], "deny", "{tool}");
    }
    assert_eq!(approve("Skill", &json!({}), Some("once"))["behavior"], "allow");
    for tool in ["TodoWrite", "BashOutput", "Glob"] {
        assert_eq!(approve(tool, &json!({}), None)["behavior"], "allow", "{tool}");
    }
    assert_eq!(approve("mcp__other__thing", &json!({"a": 1}), Some("deny"))["behavior"], "deny");
    assert_eq!(approve("Bash", &json!("rm"), None)["behavior"], "deny");
    assert!(!place.is_harmed());
    let advisory = |record: &Value| {
        record.to_string().contains("advisory") && record.to_string().contains("\"door\":\"mcp\"")
    };
    assert!(place.ledger().iter().any(advisory));
}

#[test]
fn in_the_newer_age_a_call_is_asked_for_again_with_the_answer() {
    let place = Place::new();
    place.file("build/x", "");
    let mut client = Spoken::of(&mut serving(&place, &[]));
    let params = |command: &str, more: Value| {
        let mut params = json!({"name": "terminal", "arguments": {"command": command}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": asking(),
        }});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    let id = client.send("tools/call", &params("rm -rf build", json!({})));
    let asked = client.answer(id)["result"].clone();
    assert_eq!(asked["resultType"], "input_required");
    let state = asked["requestState"].as_str().unwrap().to_owned();
    let yes = |state: &str| json!({"requestState": state, "inputResponses": {"approval": {"action": "accept", "content": {"answer": "once"}}}});
    let forged = state.chars().rev().collect::<String>();
    for (command, state) in [("rm -rf src", state.as_str()), ("rm -rf build", &forged)] {
        let id = client.send("tools/call", &params(command, yes(state)));
        assert_eq!(client.answer(id)["error"]["code"], -32602);
    }
    assert!(place.work("build/x").exists());
    let id = client.send("tools/call", &params("rm -rf build", yes(&state)));
    let done = client.answer(id)["result"].clone();
    assert_eq!((&done["resultType"], &done["isError"]), (&json!("complete"), &json!(false)));
    assert!(!place.work("build").exists());
    place.file("build/x", "");
    let id = client.send("tools/call", &params("rm -rf build", yes(&state)));
    assert_eq!(client.answer(id)["error"]["code"], -32602, "a yes counts once");
    assert!(place.work("build/x").exists());
}

#[test]
fn who_waits_is_told_how_far_it_is() {
    let place = Place::new();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let arguments = json!({"command": "echo halfway; until test -e go; do sleep 0.05; done; echo done"});
    let id = client.send(
        "tools/call",
        &json!({"name": "terminal", "arguments": arguments, "_meta": {"progressToken": "t"}}),
    );
    let news = client.hear(|message| message["method"] == "notifications/progress");
    assert_eq!(
        (&news["params"]["progressToken"], &news["params"]["message"]),
        (&json!("t"), &json!("halfway"))
    );
    place.file("go", "");
    assert_eq!(text(&client.answer(id)["result"]), "halfway\ndone");
    let id = client.send("logging/setLevel", &json!({"level": "warning"}));
    client.answer(id);
    client.failed("terminal", &json!({"command": "rm -rf /"}));
    let remark = client.hear(|message| message["method"] == "notifications/message");
    assert_eq!(
        (&remark["params"]["level"], &remark["params"]["logger"]),
        (&json!("warning"), &json!("herm"))
    );
    assert!(!place.is_harmed());
}

/// A command that wants to reach somebody of whom nobody knew before it ran.
#[test]
fn what_comes_up_while_a_command_runs_is_asked_about_as_well() {
    let place = Place::new();
    place.config("egress:\n  allowed_domains: [www.example.net]\n");
    place.file("where", "http://www.example.com/page");
    place.file(
        "fetch.py",
        "import urllib.request\ntry:\n    urllib.request.urlopen(open('where').read(), timeout=30)\n    print('reached')\nexcept Exception:\n    print('not reached')\n",
    );
    let arguments = json!({"command": "echo begun; python3 fetch.py"});
    let mut older = Spoken::to(&place, &asking(), &["--backend", "sandbox"]);
    let id = older.call("terminal", &arguments);
    let asked = older.choose("deny");
    assert!(asked.contains("connect to www.example.com:80"), "{asked}");
    let refused = |text: &str| text.starts_with("begun\nnot reached\n") && text.contains("[unlisted-host]");
    assert!(refused(&text(&older.answer(id)["result"])));
    let mut newer = Spoken::of(&mut serving(&place, &["--backend", "sandbox"]));
    let mut params = json!({"name": "terminal", "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": asking(),
    }});
    let id = newer.send("tools/call", &params);
    let asked = newer.answer(id)["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    params["requestState"] = asked["requestState"].clone();
    params["inputResponses"] = json!({"approval": {"action": "decline"}});
    let id = newer.send("tools/call", &params);
    assert!(refused(&text(&newer.answer(id)["result"])));
}
