//! Which of its tools an agent takes for a step.

use serde_json::json;

use super::session::Step;
use crate::model::Call;
use crate::stage::Stage;

/// The call of an agent that has this word.
pub(super) fn call(word: &str, stage: &Stage, step: Step) -> Call {
    match word {
        "claude-code" => claude_code(stage, step),
        "codex" => codex(step),
        "hermes" => hermes(step),
        _ => panic!("{word} keeps nothing that is read"),
    }
}

/// It names files from the root, and looks for them by commands.
fn claude_code(stage: &Stage, step: Step) -> Call {
    let whole = |path: &str| stage.place.work(path).display().to_string();
    let bash = |command: &str| ("Bash", json!({"command": command, "description": "Go on"}));
    let (tool, input) = match step {
        Step::Edit(path, old, new) => {
            ("Edit", json!({"file_path": whole(path), "old_string": old, "new_string": new}))
        }
        Step::Find(name) => bash(&format!("find . -name '{name}' -type f | head -50")),
        Step::Plan(what) => ("ToolSearch", json!({"query": what, "max_results": 5})),
        Step::Read(path) => ("Read", json!({"file_path": whole(path)})),
        Step::Run(command) => bash(command),
        Step::Script(code) => bash(&piped(code)),
        Step::Search(text) => bash(&format!("grep -rn --exclude-dir=.git '{text}' .")),
        Step::Write(path, content) => ("Write", json!({"file_path": whole(path), "content": content})),
    };
    Call { tool, input }
}

/// It reads and looks for files by commands, and writes them by patches.
fn codex(step: Step) -> Call {
    let shell = |command: String| Call { tool: "exec_command", input: json!({"cmd": command}) };
    let patched = |head: &str, body: &[String]| {
        let text = format!("*** Begin Patch\n{head}\n{}\n*** End Patch\n", body.join("\n"));
        Call { tool: "apply_patch", input: json!({"input": text}) }
    };
    match step {
        Step::Edit(path, old, new) => {
            patched(&format!("*** Update File: {path}\n@@"), &[marked('-', old), marked('+', new)].concat())
        }
        Step::Find(name) => shell(format!("git ls-files '{name}'")),
        Step::Plan(_) => Call { tool: "get_goal", input: json!({}) },
        Step::Read(path) => shell(format!("sed -n '1,220p' {path}")),
        Step::Run(command) => shell(command.to_owned()),
        Step::Script(code) => shell(piped(code)),
        Step::Search(text) => shell(format!("git grep -n '{text}'")),
        Step::Write(path, content) => patched(&format!("*** Add File: {path}"), &marked('+', content)),
    }
}

fn hermes(step: Step) -> Call {
    let (tool, input) = match step {
        Step::Edit(path, old, new) => {
            ("patch", json!({"mode": "replace", "path": path, "old_string": old, "new_string": new}))
        }
        Step::Find(name) => ("search_files", json!({"pattern": name, "target": "files"})),
        Step::Plan(what) => {
            ("todo", json!({"todos": [{"id": "1", "content": what, "status": "in_progress"}]}))
        }
        Step::Read(path) => ("read_file", json!({"path": path})),
        Step::Run(command) => ("terminal", json!({"command": command})),
        Step::Script(code) => ("execute_code", json!({"code": code})),
        Step::Search(text) => ("search_files", json!({"pattern": text, "target": "content", "path": "."})),
        Step::Write(path, content) => ("write_file", json!({"path": path, "content": content})),
    };
    Call { tool, input }
}

/// The lines of a text, each behind a sign.
fn marked(sign: char, text: &str) -> Vec<String> {
    text.lines().map(|line| format!("{sign}{line}")).collect()
}

fn piped(code: &str) -> String {
    format!("python3 - <<'PY'\n{code}PY")
}
