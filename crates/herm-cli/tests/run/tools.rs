//! Tools that herm does not know, and what they are given: a yes to the tool is no yes to that.

use serde_json::{Value, json};

use crate::agents::{blocks, claude, hook};
use crate::place::Place;

/// A place where everything passes that is not denied, whoever says yes.
fn unasked() -> Place {
    let place = Place::new();
    place.config("approvals: {mode: off}\ncommand_allowlist: ['rule:unknown-tool kind:tool name:*']\n");
    place
}

/// What an agent tells before it calls a tool.
fn told(place: &Place, agent: &str, tool: &str, input: &Value) -> Value {
    let cwd = place.work("");
    let mut usual = claude(place, tool, input);
    match agent {
        "cline" => json!({"hookName": "PreToolUse", "preToolUse": {"toolName": tool, "parameters": input},
                          "workspaceRoots": [cwd]}),
        "copilot" => json!({"sessionId": "s1", "cwd": cwd, "toolName": tool, "toolArgs": input}),
        "goose" => json!({"event": "PreToolUse", "tool_name": tool, "working_dir": cwd, "tool_input": input}),
        "opencode" => json!({"event": "tool.execute.before", "tool": tool, "args": input, "cwd": cwd}),
        _ => {
            let event = match agent {
                "gemini" => "BeforeTool",
                "hermes" => "pre_tool_call",
                _ => "PreToolUse",
            };
            usual["hook_event_name"] = json!(event);
            usual
        }
    }
}

fn is_blocked(place: &Place, agent: &str, tool: &str, input: &Value) -> bool {
    let ran = hook(place, agent, &["--ask", "herm"], &told(place, agent, tool, input));
    let is_blocked = blocks(agent, &ran);
    assert!(is_blocked || ran.code == Some(0), "{agent} {tool} {input}: {ran:?}");
    is_blocked
}

#[test]
fn what_is_denied_is_denied_to_tools_that_are_not_known() {
    let place = unasked();
    let keys = "~/.ssh/authorized_keys";
    let metadata = "http://169.254.169.254/";
    for (agent, tool, input) in [
        ("hermes", "mcp_fs_write_file", json!({"path": keys})),
        ("hermes", "mcp__fs__write_file", json!({"path": keys})),
        ("hermes", "mcp_fs_write_file", json!({"path": ".ssh/authorized_keys"})),
        ("hermes", "text_to_speech", json!({"text": "x", "output_path": "/etc/passwd"})),
        ("hermes", "browser_cdp", json!({"method": "Page.navigate", "params": {"url": metadata}})),
        ("opencode", "fs_write_file", json!({"path": keys})),
        ("opencode", "batch", json!({"tool_calls": [{"tool": "write", "parameters": {"filePath": keys}}]})),
        ("claude-code", "FileWrite", json!({"file_path": keys})),
        ("copilot", "str_replace_editor", json!({"command": "create", "path": keys})),
        ("copilot", "fs-write_file", json!({"path": keys})),
        ("copilot", "write_bash", json!({"sessionId": "a", "input": "ls{enter}rm -rf /{enter}"})),
        ("copilot", "write_bash", json!({"sessionId": "a", "input": "reboot{enter}"})),
        ("gemini", "mcp_fs_write_file", json!({"path": keys})),
        ("goose", "write", json!({"path": keys})),
        ("cline", "browser_action", json!({"action": "launch", "url": metadata})),
    ] {
        assert!(is_blocked(&place, agent, tool, &input), "{agent} {tool} {input}");
    }
    for (agent, tool, input) in [
        ("hermes", "mcp_fs_write_file", json!({"path": "notes.txt", "content": "x"})),
        ("opencode", "fs_read_file", json!({"path": "notes.txt"})),
        ("copilot", "write_bash", json!({"sessionId": "a", "input": "ls{enter}"})),
        ("cline", "browser_action", json!({"action": "launch", "url": "https://1.1.1.1/"})),
    ] {
        assert!(!is_blocked(&place, agent, tool, &input), "{agent} {tool} {input}");
    }
}

#[test]
fn a_yes_to_a_server_is_no_yes_to_what_it_is_given() {
    let place = Place::new();
    place.config("mcp: {servers: {s: {allow: ['*']}}}\n");
    let call =
        |tool: &str, input: &Value| is_blocked(&place, "claude-code", &format!("mcp__s__{tool}"), input);
    let run = "rm -rf /";
    for (tool, input) in [
        ("bash", json!({"input": run})),
        ("run_command", json!({"input": run})),
        ("exec", json!({"line": run})),
        ("shell", json!({"value": run})),
        ("terminal", json!({"text": run})),
        ("x", json!({"command": "bash", "input": run})),
        ("x", json!({"program": "sh", "stdin": run})),
        ("x", json!({"command": "rm", "arg": ["-rf", "/"]})),
        ("x", json!({"cmd": "rm", "options": ["-rf", "/"]})),
        ("x", json!({"cmd": "rm", "flags": "-rf", "path": "/"})),
        ("python", json!({"source": "import os; os.system(\"rm -rf /\")"})),
        ("eval", json!({"expression": "require(\"child_process\").execSync(\"rm -rf /\")"})),
        ("eval", json!({"expression": "__import__(\"os\").system(\"rm -rf /\")"})),
        ("delete_directory", json!({"path": "/"})),
        ("delete_file", json!({"path": "/home"})),
        ("remove", json!({"paths": ["~"]})),
        ("query", json!({"sql": "DROP TABLE users"})),
        ("git", json!({"args": ["push", "--force", "origin", "main"]})),
        ("call", json!({"c": run})),
        ("call", json!({"deep": [{"x": ["rm", "-rf", "/"]}]})),
        ("call", json!({"c": "echo x >> ~/.ssh/authorized_keys"})),
        ("git_push", json!({"force": true, "branch": "main"})),
        ("delete_branch", json!({"owner": "a", "repo": "b", "branch": "main"})),
        ("get", json!({"address": "169.254.169.254"})),
        ("get", json!({"ip": "169.254.169.254", "port": 80})),
        ("get", json!({"server": "metadata.google.internal"})),
    ] {
        assert!(call(tool, &input), "{tool} {input}");
    }
    for (tool, input) in [
        ("query", json!({"query": "how to rm -rf /"})),
        ("note", json!({"text": run})),
        ("send_message", json!({"text": run, "channel": "ops"})),
        ("call", json!({"c": "git push --force"})),
        ("call", json!({"c": "Never run rm -rf / here; it is the end."})),
        ("git_push", json!({"branch": "topic"})),
        ("run_query", json!({"query": "SELECT count(*) FROM users"})),
        ("delete_file", json!({"path": "old.txt"})),
        ("git", json!({"args": ["status"]})),
        ("run", json!({"command": "ls", "description": "It lists (all) of them"})),
        ("browser_evaluate", json!({"function": "() => document.title"})),
        ("get", json!({"server": "github", "address": "1 Main Street"})),
    ] {
        assert!(!call(tool, &input), "{tool} {input}");
    }
}

#[test]
fn what_a_server_is_denied_is_denied_however_an_agent_calls_it() {
    let place = Place::new();
    let denied = "mcp: {servers: {my-fs: {deny: [write-file, 'move_*']}}}";
    place.config(&format!(
        "approvals: {{mode: off}}\ncommand_allowlist: ['rule:unknown-tool kind:tool name:*']\n{denied}\n"
    ));
    for (agent, tool) in [
        ("hermes", "mcp__my_fs__write_file"),
        ("hermes", "mcp_my_fs_write_file"),
        ("opencode", "my-fs_write-file"),
        ("opencode", "my_fs_move_it"),
        ("copilot", "my-fs-write-file"),
        ("gemini", "mcp_my-fs_move_it"),
    ] {
        assert!(is_blocked(&place, agent, tool, &json!({})), "{agent} {tool}");
    }
    for (agent, tool) in
        [("hermes", "mcp__my_fs__read_file"), ("opencode", "my-fs_read"), ("opencode", "my-fsx_move_it")]
    {
        assert!(!is_blocked(&place, agent, tool, &json!({})), "{agent} {tool}");
    }
}

#[test]
fn nothing_is_written_outside_a_safe_root_by_tools_that_are_not_known() {
    let place = unasked();
    let herm = |event: &Value| {
        let file = place.home().join("event.json");
        std::fs::write(&file, event.to_string()).unwrap();
        let home = place.home();
        let mut hook = place.herm(&["hook", "hermes", "--home", home.to_str().unwrap()]);
        hook.env("HERMES_WRITE_SAFE_ROOT", place.work("")).stdin(std::fs::File::open(file).unwrap());
        crate::place::Ran::of(&mut hook)
    };
    let outside = herm(&told(&place, "hermes", "mcp__a__write", &json!({"path": "/srv/x"})));
    assert!(blocks("hermes", &outside), "{outside:?}");
    let inside = herm(&told(&place, "hermes", "mcp__a__write", &json!({"path": place.work("x")})));
    assert_eq!(inside.code, Some(0), "{inside:?}");
}
