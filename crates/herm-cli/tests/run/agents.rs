//! `herm hook`, as agents call it.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::place::{Place, Ran, eventually};

/// The command line of a hook, which says itself where the home is.
fn words<'a>(agent: &'a str, home: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["hook", agent, "--home", home], more].concat()
}

/// Hands an event to a hook.
pub(crate) fn hook(place: &Place, agent: &str, more: &[&str], event: &Value) -> Ran {
    told(place, agent, more, event.to_string().as_bytes())
}

fn told(place: &Place, agent: &str, more: &[&str], event: &[u8]) -> Ran {
    Ran::of(&mut asking(place, agent, more, event))
}

fn asking(place: &Place, agent: &str, more: &[&str], event: &[u8]) -> Command {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let file = place.home().join(format!("event-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    fs::write(&file, event).unwrap();
    let home = place.home().to_str().unwrap().to_owned();
    let mut command = place.herm(&words(agent, &home, more));
    command.stdin(File::open(file).unwrap());
    command
}

pub(crate) fn claude(place: &Place, tool: &str, input: &Value) -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": place.work(""), "tool_use_id": "t1",
           "tool_name": tool, "tool_input": input})
}

/// What the hook of an agent says that was started just now.
fn fresh(place: &Place, event: &Value) -> Ran {
    let file = place.home().join("fresh");
    fs::write(&file, event.to_string()).unwrap();
    let mut agent = place.command("timeout");
    agent.args(["60", env!("CARGO_BIN_EXE_herm"), "hook", "claude-code", "--home"]).arg(place.home());
    Ran::of(agent.stdin(File::open(file).unwrap()))
}

#[test]
fn a_skill_is_what_it_has_run() {
    let place = Place::new();
    place.config("approvals: {deny: ['touch forbidden']}\n");
    let sheet = |name: &str, text: &str| place.file(&format!(".claude/skills/{name}/SKILL.md"), text);
    sheet("plain", "Nothing is run.\n");
    sheet("good", "Now !`ls -l`\n");
    sheet("bad", "Now !`touch forbidden`\n");
    sheet("hooked", "---\nhooks:\n  Stop: []\n---\n");
    let skill = |name: &str| claude(&place, "Skill", &json!({"skill": name}));
    // Times of processes and of files are told apart from a hundredth of a second on.
    let is_silent = |name: &str| {
        let ran = fresh(&place, &skill(name));
        ran.code == Some(0) && ran.stdout.is_empty()
    };
    eventually("a skill that does no harm is shown", || is_silent("plain") && is_silent("good"));
    let ran = fresh(&place, &skill("bad"));
    assert!(ran.code == Some(2) && ran.stderr.contains("denied-by-user"), "{ran:?}");
    for unknown in ["hooked", "nowhere"] {
        let ran = fresh(&place, &skill(unknown));
        assert!(ran.code == Some(0) && ran.stdout.contains("\"ask\""), "{unknown}: {ran:?}");
    }
    // These tests were started before the file was there: an agent as old may have read another one.
    let ran = hook(&place, "claude-code", &[], &skill("good"));
    assert!(ran.code == Some(0) && ran.stdout.contains("\"ask\""), "{ran:?}");
}

/// The same command, told by each agent in its own words.
fn everywhere(place: &Place, command: &str) -> Vec<(&'static str, Value)> {
    let cwd = place.work("");
    let usual = |event: &str, tool: &str| {
        json!({"hook_event_name": event, "session_id": "s1", "cwd": cwd, "tool_name": tool,
               "tool_input": {"command": command}})
    };
    vec![
        ("claude-code", usual("PreToolUse", "Bash")),
        (
            "cline",
            json!({"preToolUse": {"toolName": "execute_command", "parameters": {"command": command}},
                         "workspaceRoots": [cwd]}),
        ),
        ("codex", usual("PreToolUse", "Bash")),
        (
            "copilot",
            json!({"sessionId": "s1", "cwd": cwd, "toolName": "bash",
                           "toolArgs": json!({"command": command}).to_string()}),
        ),
        ("cursor", json!({"hook_event_name": "beforeShellExecution", "command": command, "cwd": cwd})),
        ("gemini", usual("BeforeTool", "run_shell_command")),
        (
            "goose",
            json!({"event": "PreToolUse", "tool_name": "developer__shell", "working_dir": cwd,
                         "tool_input": {"command": command}}),
        ),
        ("hermes", usual("pre_tool_call", "terminal")),
        (
            "opencode",
            json!({"event": "tool.execute.before", "tool": "bash", "args": {"command": command}, "cwd": cwd}),
        ),
        ("pi", json!({"event": "tool_call", "tool": "bash", "args": {"command": command}, "cwd": cwd})),
        (
            "windsurf",
            json!({"agent_action_name": "pre_run_command", "tool_info": {"command_line": command, "cwd": cwd}}),
        ),
    ]
}

/// Whether an agent would not run the tool, by what is known about it.
pub(crate) fn blocks(agent: &str, ran: &Ran) -> bool {
    let said: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    match agent {
        "cline" => said["cancel"] == true && ran.code == Some(0),
        "copilot" => said["permissionDecision"] == "deny" && ran.code == Some(2),
        "cursor" => said["permission"] == "deny" && ran.code == Some(2),
        _ => {
            let keys: Vec<_> = said.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
            said["decision"] == "block" && keys == ["decision", "reason"] && ran.code == Some(2)
        }
    }
}

#[test]
fn what_nobody_minds_passes_without_a_word_and_is_recorded() {
    let place = Place::new();
    let ran = hook(&place, "claude-code", &[], &claude(&place, "Bash", &json!({"command": "ls -l"})));
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
    let body = &place.ledger()[0]["body"];
    assert_eq!((&body["door"], &body["decision"]), (&json!("hook"), &json!("allow")));
    assert_eq!((&body["enforcement"], &body["session"]), (&json!("advisory"), &json!("claude-code-s1")));
    assert_eq!((&body["call"], &body["action"]["exec"]), (&json!("t1"), &json!("ls -l")));
    assert_eq!(place.run(&["audit", "verify"]).code, Some(0));
}

#[test]
fn every_agent_passes_what_is_allowed_and_blocks_what_is_not() {
    let place = Place::new();
    for (agent, event) in everywhere(&place, "git status") {
        let ran = hook(&place, agent, &[], &event);
        assert!(ran.code == Some(0) && !blocks(agent, &ran), "{agent}: {ran:?}");
    }
    for command in ["rm -rf /", "git push --force"] {
        for (agent, event) in everywhere(&place, command) {
            let ran = hook(&place, agent, &["--ask", "herm"], &event);
            assert!(blocks(agent, &ran) && !ran.stderr.is_empty(), "{agent} {command}: {ran:?}");
        }
    }
}

#[test]
fn who_asks_safely_is_left_to_ask_but_never_about_what_nobody_may_approve() {
    let place = Place::new();
    for agent in ["claude-code", "copilot"] {
        let event = |command: &str| {
            everywhere(&place, command).into_iter().find(|(name, _)| *name == agent).unwrap().1
        };
        let asked = hook(&place, agent, &[], &event("git push --force"));
        assert!(asked.code == Some(0) && asked.stdout.contains("\"ask\""), "{agent}: {asked:?}");
        assert!(asked.stdout.contains("force-push"), "{asked:?}");
        assert!(blocks(agent, &hook(&place, agent, &[], &event("rm -rf /"))), "{agent}");
    }
    let ledger = place.ledger();
    assert_eq!(ledger[0]["body"]["decision"], "ask");
    assert_eq!(ledger[1]["body"]["refused"], "forbidden");
}

#[test]
fn the_file_that_is_judged_is_the_file_that_is_meant() {
    let place = Place::new();
    fs::create_dir_all(place.home().join(".ssh")).unwrap();
    fs::write(place.home().join(".ssh/authorized_keys"), "").unwrap();
    symlink(place.home().join(".ssh"), place.work("docs")).unwrap();
    symlink(place.home().join(".ssh/authorized_keys"), place.work("notes.txt")).unwrap();
    let paths = [
        "docs/authorized_keys",
        "notes.txt",
        "../home/.ssh/authorized_keys",
        "docs/../.ssh/authorized_keys",
        "~/.ssh/authorized_keys",
    ];
    for path in paths {
        for tool in ["Write", "Edit", "MultiEdit"] {
            let ran = hook(&place, "claude-code", &[], &claude(&place, tool, &json!({"file_path": path})));
            assert!(blocks("claude-code", &ran) && ran.stderr.contains("protected-write"), "{path}: {ran:?}");
        }
        let patch = format!("*** Begin Patch\n*** Update File: a\n*** Move to: {path}\n*** End Patch");
        let ran = hook(&place, "codex", &[], &claude(&place, "apply_patch", &json!({"command": patch})));
        assert!(blocks("codex", &ran) && ran.stderr.contains("protected-write"), "{path}: {ran:?}");
    }
    let ran =
        hook(&place, "claude-code", &[], &claude(&place, "Write", &json!({"file_path": "src/main.rs"})));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

#[test]
fn writing_is_confined_to_the_safe_root_and_repositories_tighten() {
    let place = Place::new();
    let root = place.work("inside");
    place.config(&format!("file_safety: {{write_safe_root: {}}}\n", root.display()));
    let write =
        |path: &str| hook(&place, "claude-code", &[], &claude(&place, "Write", &json!({"file_path": path})));
    assert_eq!(write("inside/a").code, Some(0));
    let above = format!("inside/{}srv/b", "../".repeat(20));
    for outside in ["/srv/b", &above] {
        let ran = write(outside);
        assert!(blocks("claude-code", &ran) && ran.stderr.contains("outside-safe-root"), "{ran:?}");
    }
    place.config("");
    place.file("sub/.git/HEAD", "");
    place.file("sub/.herm.yaml", "approvals: {deny: ['git status']}\n");
    let mut event = claude(&place, "Bash", &json!({"command": "git status"}));
    assert_eq!(hook(&place, "claude-code", &[], &event).code, Some(0));
    event["cwd"] = json!(place.work("sub"));
    assert!(blocks("claude-code", &hook(&place, "claude-code", &[], &event)));
}

#[test]
fn reads_links_and_servers_are_judged_too() {
    let place = Place::new();
    let by_claude =
        |tool: &str, input: Value| hook(&place, "claude-code", &[], &claude(&place, tool, &input));
    let fetched = by_claude("WebFetch", json!({"url": "http://169.254.169.254/latest/meta-data"}));
    assert!(blocks("claude-code", &fetched), "{fetched:?}");
    let read = by_claude("Read", json!({"file_path": "~/.ssh/id_rsa"}));
    assert!(read.stdout.contains("credential-read"), "{read:?}");
    let moved = by_claude("mcp__files__move", json!({"from": "a", "to": "~/.ssh/id_rsa"}));
    assert!(blocks("claude-code", &moved) && moved.stderr.contains("protected-write"), "{moved:?}");
    let called = by_claude("mcp__files__read", json!({"what": "~/.ssh/id_rsa"}));
    assert!(
        called.stdout.contains("unknown-tool") && called.stdout.contains("credential-read"),
        "{called:?}"
    );
    let floor = by_claude("mcp__shell__run", json!({"command": "rm -rf /"}));
    assert!(blocks("claude-code", &floor), "{floor:?}");
    let codex = hook(&place, "codex", &[], &claude(&place, "Frobnicate", &json!({})));
    assert!(blocks("codex", &codex) && codex.stderr.contains("unknown-tool"), "{codex:?}");
    let todo = by_claude("TodoWrite", json!({"todos": []}));
    assert_eq!((todo.code, todo.stdout.as_str()), (Some(0), ""));
}

#[test]
fn a_person_answers_from_another_terminal() {
    let place = Place::new();
    place.config("command_allowlist: []\n");
    for (agent, more, word) in
        [("codex", [].as_slice(), ""), ("claude-code", &["--ask", "herm"], "\"allow\"")]
    {
        let event = claude(&place, "Bash", &json!({"command": "git push --force"})).to_string();
        let mut asks = asking(&place, agent, more, event.as_bytes());
        asks.env("HERMES_EXEC_ASK", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
        let asks = asks.spawn().unwrap();
        place.run(&["approvals", "answer", &place.question(), "once"]);
        let output = asks.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{agent}: {output:?}");
        assert!(if word.is_empty() { said.is_empty() } else { said.contains(word) }, "{agent}: {said}");
    }
    assert_eq!(place.ledger()[0]["body"]["answer"]["answer"], "once");
}

#[test]
fn what_is_not_understood_is_refused_by_everybody() {
    let place = Place::new();
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    let twice = "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_name\":\"Read\"}";
    for (agent, _) in everywhere(&place, "") {
        for event in ["", "{}", "null", "hello", "\u{0}", &deep, twice] {
            let ran = told(&place, agent, &[], event.as_bytes());
            assert!(blocks(agent, &ran), "{agent} {event:.40}: {ran:?}");
        }
    }
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(17 << 20));
    assert!(blocks("hermes", &told(&place, "hermes", &[], long.as_bytes())));
    for wrong in [&["hook"] as &[&str], &["hook", "nobody"], &["hook", "codex", "--frobnicate"]] {
        assert!(blocks("codex", &place.run(wrong)), "{wrong:?}");
    }
    place.config("approvals: {mode: nonsense}\n");
    for (agent, event) in everywhere(&place, "ls") {
        assert!(blocks(agent, &hook(&place, agent, &[], &event)), "{agent}");
    }
}

/// A hook that waits for more of its event.
fn waiting(place: &Place, more: &[&str]) -> Child {
    let home = place.home().to_str().unwrap().to_owned();
    let mut command = place.command(env!("CARGO_BIN_EXE_herm"));
    command
        .args(words("codex", &home, more))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"{").unwrap();
    child
}

fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The process in which a hook decides.
fn worker(of: u32) -> Option<u32> {
    let parent = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()
    };
    let all = fs::read_dir("/proc").unwrap().flatten();
    let mut all = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    all.find(|&pid| parent(pid) == Some(of))
}

#[test]
fn whatever_kills_the_judgement_the_tool_is_refused() {
    let place = Place::new();
    for signal in [Signal::KILL, Signal::ABORT, Signal::TERM, Signal::QUIT] {
        let mut child = waiting(&place, &[]);
        eventually("nobody works", || worker(child.id()).is_some());
        let pid = i32::try_from(worker(child.id()).unwrap()).unwrap();
        let stdin = child.stdin.take();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
        let ran = ended(child);
        drop(stdin);
        assert!(blocks("codex", &ran) && !ran.stderr.is_empty(), "{signal:?}: {ran:?}");
    }
}

#[test]
fn what_is_not_decided_in_time_is_refused() {
    let place = Place::new();
    let start = Instant::now();
    let mut child = waiting(&place, &["--deadline", "1"]);
    let stdin = child.stdin.take();
    let ran = ended(child);
    drop(stdin);
    assert!(blocks("codex", &ran), "{ran:?}");
    assert!(start.elapsed() >= Duration::from_secs(1) && start.elapsed() < Duration::from_secs(20));
    let event = claude(&place, "Bash", &json!({"command": "git push --force"})).to_string();
    let mut asks = asking(&place, "codex", &["--deadline", "2"], event.as_bytes());
    let start = Instant::now();
    let ran = Ran::of(asks.env("HERMES_EXEC_ASK", "1"));
    assert!(blocks("codex", &ran) && start.elapsed() < Duration::from_secs(40), "{ran:?}");
}

#[test]
fn the_environment_loosens_nothing() {
    let place = Place::new();
    let elsewhere = place.work("evil");
    place.file("evil/config.yaml", "approvals: {mode: 'off'}\n");
    let event = claude(&place, "Bash", &json!({"command": "git push --force"})).to_string();
    let mut asks = asking(&place, "codex", &[], event.as_bytes());
    let ran = Ran::of(
        asks.env("HERM_HOME", &elsewhere).env("HERMES_HOME", &elsewhere).env("HERMES_YOLO_MODE", "1"),
    );
    assert!(blocks("codex", &ran), "{ran:?}");
    let mut asks = asking(&place, "codex", &["--herm-home", elsewhere.to_str().unwrap()], event.as_bytes());
    assert_eq!(Ran::of(&mut asks).code, Some(0), "a person's own word holds");
}

#[test]
fn the_home_that_herm_is_told_of_is_protected() {
    let place = Place::new();
    let keep = place.work("keep");
    let (keep, usual) = (keep.to_str().unwrap(), place.guard());
    place.file("keep/tries/x", "");
    for (tool, input) in [
        ("Bash", json!({"command": "rm keep/tries/x"})),
        ("Write", json!({"file_path": place.work("keep/config.yaml"), "content": ""})),
    ] {
        let event = claude(&place, tool, &input).to_string();
        let blocked = |home: &str| {
            let mut asks = asking(&place, "claude-code", &["--herm-home", home], event.as_bytes());
            let ran = Ran::of(&mut asks);
            format!("{}{}", ran.stdout, ran.stderr).contains("protected")
        };
        assert!(blocked(keep) && !blocked(usual.to_str().unwrap()), "{tool}");
    }
    let run = |home: &str| Ran::of(place.herm(&["run", "rm keep/tries/x"]).env("HERM_HOME", home));
    let ran = run(keep);
    assert!(ran.stderr.contains("protected-write") && place.work("keep/tries/x").exists(), "{ran:?}");
    assert_eq!(run(usual.to_str().unwrap()).code, Some(0), "it is a file like any other then");
}

fn after(place: &Place, tool: &str, input: &Value, response: &Value) -> Value {
    let mut event = claude(place, tool, input);
    event["hook_event_name"] = json!("PostToolUse");
    event["tool_response"] = response.clone();
    event
}

#[test]
fn secrets_are_taken_out_of_results_where_the_agent_lets_us() {
    let place = Place::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let response = json!({"stdout": format!("x {token}\n"), "stderr": "", "interrupted": false});
    let event = after(&place, "Bash", &json!({"command": "cat notes"}), &response);
    let ran = hook(&place, "claude-code", &[], &event);
    let output = &ran.json()["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(output, &json!({"stdout": "x [REDACTED]\n", "stderr": "", "interrupted": false}), "{ran:?}");
    let plain = after(&place, "Bash", &json!({"command": "cat notes"}), &json!({"stdout": "x\n"}));
    assert_eq!(hook(&place, "claude-code", &[], &plain).stdout, "");
    place.config("security: {redact_secrets: false}\n");
    assert_eq!(hook(&place, "claude-code", &[], &event).stdout, "");
    // What is our own goes all the same.
    std::fs::write(place.guard().join(".env"), "FOO=supersecretvalue\n").unwrap();
    let response = json!({"stdout": format!("{token} supersecretvalue\n")});
    let event = after(&place, "Bash", &json!({"command": "cat notes"}), &response);
    let ran = hook(&place, "claude-code", &[], &event);
    let output = &ran.json()["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(output, &json!({"stdout": format!("{token} [REDACTED]\n")}), "{ran:?}");
}

#[test]
fn who_goes_round_in_circles_is_told_and_then_stopped() {
    let place = Place::new();
    let input = json!({"command": "cargo test"});
    let mut failed = claude(&place, "Bash", &input);
    failed["hook_event_name"] = json!("PostToolUseFailure");
    failed["error"] = json!("exit 101");
    let before = claude(&place, "Bash", &input);
    for round in 1..=5 {
        assert_eq!(hook(&place, "claude-code", &[], &before).code, Some(0), "{round}");
        let said = hook(&place, "claude-code", &[], &failed).stdout;
        assert_eq!(said.contains("exact-failure"), round > 1, "{round}: {said}");
    }
    let stopped = hook(&place, "claude-code", &[], &before);
    assert!(blocks("claude-code", &stopped) && stopped.stderr.contains("5 times in a row"), "{stopped:?}");
    let mut other = before.clone();
    other["session_id"] = json!("s2");
    assert_eq!(hook(&place, "claude-code", &[], &other).code, Some(0));
    let edited = after(&place, "Edit", &json!({"file_path": "a"}), &json!({"filePath": "a"}));
    assert_eq!(hook(&place, "claude-code", &[], &edited).stdout, "");
    assert_eq!(hook(&place, "claude-code", &[], &before).code, Some(0), "something has changed");
    for _ in 0..5 {
        hook(&place, "claude-code", &[], &failed);
    }
    assert_eq!(hook(&place, "claude-code", &[], &before).code, Some(2));
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": "go on"});
    assert_eq!(hook(&place, "claude-code", &[], &prompt).stdout, "");
    assert_eq!(hook(&place, "claude-code", &[], &before).code, Some(0), "a person has spoken");
}

/// It hands out what a command printed, and not whether it failed.
#[test]
fn codex_is_stopped_when_the_same_command_brings_the_same_again_and_again() {
    let place = Place::new();
    let before = claude(&place, "Bash", &json!({"command": "false"}));
    let ended = after(&place, "Bash", &json!({"command": "false"}), &json!(""));
    for round in 1..=5 {
        assert_eq!(hook(&place, "codex", &[], &before).code, Some(0), "{round}");
        assert_eq!(hook(&place, "codex", &[], &ended).stdout, "");
    }
    let stopped = hook(&place, "codex", &[], &before);
    assert!(blocks("codex", &stopped) && stopped.stderr.contains("5 times in a row"), "{stopped:?}");
}

/// Codex does not tell what the model types into what runs.
#[test]
fn what_takes_commands_from_the_keyboard_is_asked_about() {
    let place = Place::new();
    let code = |agent: &str, command: &str| {
        hook(&place, agent, &[], &claude(&place, "Bash", &json!({ "command": command }))).code
    };
    for command in [
        "less a.txt",
        "vim -u NONE a.txt",
        "tmux new-session",
        "cd src; man ls",
        "rails console",
        "deno",
        "busybox",
        "poetry shell",
        "docker run -it alpine",
        "env TERM=dumb emacs",
        // What takes code from standard input, besides what it is given.
        "python3 -i -c pass",
        "PYTHONINSPECT=1 python3 a.py",
        "python3 -m pdb a.py",
        "python3 -m code",
        "python3 -c 'breakpoint()'",
        "node inspect a.js",
        "node -e 'require(\"repl\").start()'",
        "perl -d a.pl",
        "ruby -r irb -e IRB.start",
        "iex -S mix",
        "ghci a.hs",
        // What starts an editor or a pager.
        "git commit",
        "git commit --amend -v",
        "git -C src commit -a",
        "git commit -m x --edi",
        "git rebase -i HEAD~2",
        "git add -p",
        "git add -e",
        "git config --global --edit",
        "git tag -a v1",
        "git revert HEAD",
        "git mergetool",
        "git -p log",
        "git commit --help",
        "GIT_EDITOR=vim git commit",
        "GIT_SEQUENCE_EDITOR=: git commit",
        "EDITOR=true git commit",
        "kubectl edit deploy/x",
        "sudoedit a",
        "bat --paging=always a",
        // Consoles and debuggers that no description says more of.
        "lazygit",
        "stack ghci",
        "sbt console",
        "terraform console",
        "php artisan tinker",
        "dlv debug",
        "gawk -D -f a.awk",
        "adb shell",
        "vagrant ssh",
        "docker attach c",
        "docker compose run web",
        "gpg --edit-key x",
    ] {
        assert_eq!(code("codex", command), Some(2), "{command}");
        assert_eq!(code("claude-code", command), code("claude-code", "ls"), "{command}");
    }
    for command in [
        "man ls | head",
        "git diff | less",
        "less a.txt < b",
        "deno run a.ts",
        "tmux --help",
        "echo less",
        "less a > b",
        "git commit -m x",
        "git commit -am x",
        "git commit --amend --no-edit",
        "git commit -F message",
        "git commit > log",
        "git rebase --continue",
        "git rebase main",
        "git add -p </dev/null",
        "git add .",
        "git tag -a v1 -m x",
        "git log -p | cat",
        "git config a.b c",
        "GIT_EDITOR=true git commit",
        "git -c core.editor=true commit --amend",
        "python3 -m venv .venv",
        "python3 a.py",
        "node a.js",
        "iex --version",
        "julia -e 1",
        "octave --eval 1",
        "stack build",
        "sbt test",
        "terraform plan",
        "php artisan migrate",
        "docker compose run --rm web ls",
        "emacs --batch -f x",
    ] {
        assert_eq!(code("codex", command), Some(0), "{command}");
    }
}

/// As version 1.0.102 tells it.
#[test]
fn copilot_that_goes_round_in_circles_is_stopped_until_a_person_speaks() {
    let place = Place::new();
    let before = json!({"sessionId": "s1", "timestamp": 1, "cwd": place.work(""), "toolName": "bash",
                        "toolArgs": {"command": "cat nowhere", "description": "look"}});
    for round in 0..5 {
        assert_eq!(hook(&place, "copilot", &[], &before).code, Some(0), "{round}");
        let mut failed = before.clone();
        let text =
            format!("cat: nowhere: No such file or directory\n<shellId: {round} completed with exit code 1>");
        failed["toolResult"] = json!({"resultType": "success", "textResultForLlm": text});
        let said = hook(&place, "copilot", &[], &failed);
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{round}");
    }
    let stopped = hook(&place, "copilot", &[], &before);
    assert!(blocks("copilot", &stopped) && stopped.stderr.contains("5 times in a row"), "{stopped:?}");
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s1", "timestamp": "2026-11-16T13:48:54.290Z",
                        "cwd": place.work(""), "prompt": "go on"});
    assert_eq!(hook(&place, "copilot", &[], &prompt).stdout, "");
    assert_eq!(hook(&place, "copilot", &[], &before).code, Some(0), "a person has spoken");
}

#[test]
fn twenty_at_once_do_not_stand_in_each_others_way() {
    let place = Place::new();
    let event = claude(&place, "Bash", &json!({"command": "git status"})).to_string();
    let start = Instant::now();
    let children: Vec<_> = (0..20)
        .map(|_| {
            let mut command = asking(&place, "codex", &[], event.as_bytes());
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for ran in children.into_iter().map(ended) {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    }
    println!("twenty at once: {:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(place.ledger().len(), 20);
    assert_eq!(place.run(&["audit", "verify"]).code, Some(0));
}

#[test]
fn a_result_is_looked_through_whatever_else_fails() {
    let place = Place::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let response = json!({"stdout": format!("x {token}\n"), "stderr": "", "interrupted": false});
    let event = after(&place, "Bash", &json!({"command": "cat notes"}), &response);
    assert!(hook(&place, "claude-code", &[], &event).stdout.contains("[REDACTED]"));
    // What is known of the session cannot be kept: something else stands in its place.
    let kept = place.home().join(".herm/pace");
    assert!(kept.is_dir(), "the place has another name now");
    fs::remove_dir_all(&kept).unwrap();
    fs::write(&kept, "").unwrap();
    let ran = hook(&place, "claude-code", &[], &event);
    let output = &ran.json()["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(output["stdout"], "x [REDACTED]\n", "{ran:?}");
    place.config("approvals: {mode: nonsense}\n");
    let ran = hook(&place, "claude-code", &[], &event);
    let output = &ran.json()["hookSpecificOutput"]["updatedToolOutput"];
    assert!(output["stdout"].as_str().unwrap().starts_with("herm: "), "{ran:?}");
    assert!(!ran.stdout.contains(&token), "{ran:?}");
}

#[test]
fn nobody_has_to_read_why_an_event_is_not_understood() {
    let place = Place::new();
    let key = "\\u001b[2J".repeat(200_000);
    let event = format!("{{\"{key}\":1,\"{key}\":2}}");
    let mut command = asking(&place, "codex", &["--deadline", "5"], event.as_bytes());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(30), "the hook hangs");
        std::thread::sleep(Duration::from_millis(20));
    }
    let ran = ended(child);
    assert!(blocks("codex", &ran), "{ran:?}");
    assert!(!ran.stderr.contains('\u{1b}') && ran.stderr.len() < 20_000, "{}", ran.stderr.len());
}

#[test]
fn what_a_search_or_a_patch_reaches_is_judged() {
    let place = Place::new();
    let ask = |agent: &str, event: &Value| hook(&place, agent, &["--ask", "herm"], event);
    let grep = |glob: &str| claude(&place, "Grep", &json!({"pattern": "KEY", "glob": glob}));
    for glob in [".env*", "**/.aws/credentials", ".e?v", "*.rs,.env"] {
        let ran = ask("claude-code", &grep(glob));
        assert!(blocks("claude-code", &ran) && ran.stderr.contains("credential"), "{glob}: {ran:?}");
    }
    assert_eq!(ask("claude-code", &grep("**/*.{rs,toml}")).code, Some(0));
    let patch = "*** Begin Patch\n***  Update File: ~/.bashrc\n*** End Patch";
    let event =
        json!({"sessionId": "s", "cwd": place.work(""), "toolName": "apply_patch", "toolArgs": patch});
    let ran = ask("copilot", &event);
    assert!(blocks("copilot", &ran) && ran.stderr.contains("protected-write"), "{ran:?}");
}

#[test]
fn a_command_for_a_strange_tool_is_refused_however_deep_it_lies() {
    let place = Place::new();
    for input in [
        json!({"args": {"command": "mkfs.ext4 /dev/sda"}}),
        json!({"command": ["mkfs.ext4", "/dev/sda"]}),
        json!({"steps": [{"cmd": "mkfs.ext4", "args": ["/dev/sda"]}]}),
    ] {
        let ran = hook(&place, "claude-code", &[], &claude(&place, "mcp__shell__run", &input));
        assert!(blocks("claude-code", &ran), "{input}: {ran:?}");
    }
}

#[test]
fn where_no_directory_is_told_well_known_names_count_anywhere() {
    let place = Place::new();
    let told = |agent: &str, command: &str| {
        let event = everywhere(&place, command).into_iter().find(|(name, _)| *name == agent).unwrap().1;
        hook(&place, agent, &["--ask", "herm"], &event)
    };
    for agent in ["codex", "copilot", "hermes", "cline"] {
        for command in [
            "echo x >> .bashrc",
            "echo x > authorized_keys",
            "echo x > sudoers.d/x",
            "cp x cron.d/y",
            "tee .claude/settings.json",
        ] {
            let ran = told(agent, command);
            assert!(blocks(agent, &ran), "{agent} {command}: {ran:?}");
        }
        for command in
            ["echo x > notes.txt", "cargo build", "cat src/main.rs", "cp a b/c", "mkdir -p target/x"]
        {
            let ran = told(agent, command);
            assert!(!blocks(agent, &ran), "{agent} {command}: {ran:?}");
        }
    }
    let is_protected = |command: &str| told("codex", command).stderr.contains("protected-write");
    assert!(is_protected("rm -rf .ssh/*"));
    assert!(
        !is_protected("find . -name __pycache__ -type d -exec rm -rf {} +"),
        "it is a name like any other"
    );
    let written = json!({"hook_event_name": "pre_tool_call", "session_id": "s", "cwd": place.work(""),
                         "tool_name": "write_file", "tool_input": {"path": ".bashrc", "content": "x"}});
    assert!(blocks("hermes", &hook(&place, "hermes", &["--ask", "herm"], &written)));
}

#[test]
fn what_could_be_typed_unseen_is_asked_about_when_it_starts() {
    let place = Place::new();
    for command in ["bash", "python3 -i", "sh -s"] {
        let event = claude(&place, "Bash", &json!({"command": command}));
        assert!(blocks("codex", &hook(&place, "codex", &[], &event)), "{command}");
        for agent in ["copilot", "hermes"] {
            let event = everywhere(&place, command).into_iter().find(|(name, _)| *name == agent).unwrap().1;
            assert!(blocks(agent, &hook(&place, agent, &["--ask", "herm"], &event)), "{agent} {command}");
        }
        assert_eq!(hook(&place, "claude-code", &[], &event).stdout, "", "{command}");
    }
    for command in ["cat", "git status", "cargo test", "python3 -c 'print(1)'"] {
        let event = claude(&place, "Bash", &json!({"command": command}));
        assert_eq!(hook(&place, "codex", &[], &event).code, Some(0), "{command}");
    }
}

#[test]
fn a_refusal_fits_where_nobody_reads() {
    let place = Place::new();
    let many: Vec<_> = (0..3000).map(|number| format!("rm -rf /etc/{number}")).collect();
    let event = claude(&place, "Bash", &json!({"command": many.join("; ")}));
    let ran = hook(&place, "codex", &[], &event);
    assert!(blocks("codex", &ran), "{}", ran.stderr.len());
    assert!(
        ran.stderr.len() < 60_000 && ran.stdout.len() < 60_000,
        "{} {}",
        ran.stderr.len(),
        ran.stdout.len()
    );
}

#[test]
fn of_a_tool_that_does_not_run_nothing_is_recorded_as_released() {
    let place = Place::new();
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Add File: /etc/cron.d/x\n+x\n*** End Patch";
    let ran = hook(&place, "codex", &[], &claude(&place, "apply_patch", &json!({"command": patch})));
    assert!(blocks("codex", &ran));
    let ledger = place.ledger();
    assert_eq!((ledger.len(), &ledger[0]["body"]["decision"]), (1, &json!("deny")), "{ledger:?}");
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n+x\n*** End Patch";
    assert_eq!(
        hook(&place, "codex", &[], &claude(&place, "apply_patch", &json!({"command": patch}))).code,
        Some(0)
    );
    assert_eq!(place.ledger().len(), 3);
}
