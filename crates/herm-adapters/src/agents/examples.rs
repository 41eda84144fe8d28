//! What agents tell before they call their tools.

use serde_json::{Value, json};

use crate::Agent;
use crate::event::{Dialect, Use};

fn shell(text: &str) -> Use {
    Use::Command { text: text.to_owned(), dialect: Dialect::Shell, cwd: None }
}

fn write(path: &str) -> Use {
    Use::Write(path.to_owned())
}

fn read(path: &str) -> Use {
    Use::Read(path.to_owned())
}

fn fetch(link: &str) -> Use {
    Use::Fetch(link.to_owned())
}

fn mcp(server: &str, tool: &str) -> Use {
    Use::Mcp { server: server.to_owned(), tool: tool.to_owned() }
}

/// What an agent says before it calls a tool with this input.
pub(super) fn before(agent: Agent, tool: &str, input: &Value) -> Value {
    let usual = |event: &str| {
        json!({"session_id": "s1", "cwd": "/srv/app", "hook_event_name": event, "tool_name": tool,
               "tool_input": input, "tool_use_id": "t1"})
    };
    match agent {
        Agent::ClaudeCode | Agent::Codex => usual("PreToolUse"),
        Agent::Cline => json!({"hookName": "PreToolUse", "taskId": "s1", "workspaceRoots": ["/srv/app"],
                               "preToolUse": {"toolName": tool, "parameters": input}}),
        Agent::Copilot => json!({"sessionId": "s1", "timestamp": 1, "cwd": "/srv/app", "toolName": tool,
                                 "toolArgs": input.to_string()}),
        Agent::Cursor => json!({"hook_event_name": "preToolUse", "conversation_id": "s1", "cwd": "/srv/app",
                                "tool_name": tool, "tool_input": input}),
        Agent::Gemini => usual("BeforeTool"),
        Agent::Goose => json!({"event": "PreToolUse", "session_id": "s1", "working_dir": "/srv/app",
                               "tool_name": tool, "tool_input": input}),
        Agent::Hermes => {
            let mut told = usual("pre_tool_call");
            told["extra"] = json!({"tool_call_id": "t1"});
            told
        }
        Agent::OpenCode | Agent::Pi => {
            let event = if agent == Agent::Pi { "tool_call" } else { "tool.execute.before" };
            json!({"event": event, "session": "s1", "cwd": "/srv/app", "tool": tool, "args": input})
        }
        Agent::Windsurf => json!({"agent_action_name": tool, "trajectory_id": "s1", "tool_info": input}),
    }
}

/// Tools of each agent, what they are given, and what that means.
pub(super) fn tools(agent: Agent) -> Vec<Example> {
    match agent {
        Agent::ClaudeCode => claude_code(),
        Agent::Codex => codex(),
        Agent::Gemini => gemini(),
        Agent::Copilot => copilot(),
        Agent::Hermes => hermes(),
        Agent::OpenCode => opencode(),
        Agent::Pi => pi(),
        Agent::Goose => goose(),
        Agent::Cursor => cursor(),
        Agent::Cline => cline(),
        Agent::Windsurf => windsurf(),
    }
}

/// A tool, what it is given, and what that means.
pub(super) type Example = (&'static str, Value, Vec<Use>);

fn skill(name: &str, given: Option<&str>) -> Use {
    Use::Skill { name: name.to_owned(), given: given.map(str::to_owned) }
}

const PATCH: &str =
    "*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n*** Delete File: c.rs\n*** End Patch";

fn patched() -> Vec<Use> {
    ["a.rs", "b.rs", "c.rs"].map(write).to_vec()
}

fn claude_code() -> Vec<Example> {
    vec![
        ("Bash", json!({"command": "ls -l", "description": "list"}), vec![shell("ls -l")]),
        ("Write", json!({"file_path": "/x", "content": "y"}), vec![write("/x")]),
        ("Edit", json!({"file_path": "x", "old_string": "a", "new_string": "b"}), vec![write("x")]),
        ("NotebookEdit", json!({"notebook_path": "n.ipynb", "new_source": ""}), vec![write("n.ipynb")]),
        ("Read", json!({"file_path": "/etc/shadow"}), vec![read("/etc/shadow")]),
        ("Grep", json!({"pattern": "x"}), vec![read("."), read("./**")]),
        ("WebFetch", json!({"url": "http://a.test", "prompt": "p"}), vec![fetch("http://a.test")]),
        ("mcp__github__create_issue", json!({"title": "t"}), vec![mcp("github", "create_issue")]),
        ("Skill", json!({"skill": "zap", "args": "a b"}), vec![skill("zap", Some("a b"))]),
        ("SlashCommand", json!({"command": "/zap a b"}), vec![skill("zap", Some("a b"))]),
        ("CronCreate", json!({"cron": "* * * * *", "prompt": "/zap"}), vec![skill("zap", Some(""))]),
        ("CronCreate", json!({"cron": "* * * * *", "prompt": "look"}), vec![]),
        ("ScheduleWakeup", json!({"stop": true}), vec![]),
        ("Agent", json!({"subagent_type": "helper"}), vec![Use::Delegate("helper".to_owned())]),
        ("Agent", json!({"prompt": "look"}), vec![Use::Delegate("general-purpose".to_owned())]),
        ("EnterWorktree", json!({"name": "x"}), vec![write(".claude/worktrees/x")]),
        ("ExitWorktree", json!({"action": "keep"}), vec![]),
        (
            "ExitWorktree",
            json!({"action": "remove", "discard_changes": true}),
            vec![shell("git worktree remove --force .")],
        ),
        ("SendMessage", json!({"to": "helper", "message": "look"}), vec![]),
        ("Workflow", json!({"script": "x"}), vec![Use::Unknown]),
        ("TodoWrite", json!({"todos": []}), vec![]),
        ("ListAgents", json!({}), vec![]),
        ("Frobnicate", json!({}), vec![Use::Unknown]),
        ("Write", json!({"file_path": "", "content": "y"}), vec![Use::Unknown]),
    ]
}

fn codex() -> Vec<Example> {
    vec![
        ("Bash", json!({"command": "ls"}), vec![shell("ls")]),
        ("apply_patch", json!({"command": PATCH}), patched()),
        (
            "Bash",
            json!({"command": format!("apply_patch <<'E'\n{PATCH}\nE")}),
            [vec![shell(&format!("apply_patch <<'E'\n{PATCH}\nE"))], patched()].concat(),
        ),
        (
            "shell",
            json!({"command": ["bash", "-lc", "ls"], "workdir": "/w"}),
            vec![Use::Program {
                words: ["bash", "-lc", "ls"].map(str::to_owned).to_vec(),
                cwd: Some("/w".to_owned()),
            }],
        ),
        ("write_stdin", json!({"session_id": 1, "chars": "rm x\n"}), vec![shell("rm x\n")]),
        ("update_plan", json!({"plan": []}), vec![]),
        ("mcp__db__query", json!({}), vec![mcp("db", "query")]),
        ("apply_patch", json!({"command": "nonsense"}), vec![Use::Unknown]),
    ]
}

fn gemini() -> Vec<Example> {
    vec![
        (
            "run_shell_command",
            json!({"command": "ls", "dir_path": "sub"}),
            vec![Use::Command {
                text: "ls".to_owned(),
                dialect: Dialect::Shell,
                cwd: Some("sub".to_owned()),
            }],
        ),
        ("replace", json!({"file_path": "x", "old_string": "", "new_string": ""}), vec![write("x")]),
        ("read_many_files", json!({"include": ["a", "b"]}), vec![read("a"), read("b")]),
        ("web_fetch", json!({"prompt": "see http://10.0.0.1/x, please"}), vec![fetch("http://10.0.0.1/x")]),
        (
            "web_fetch",
            json!({"prompt": "see http://a.test", "url": "http://10.0.0.1/"}),
            vec![fetch("http://a.test"), fetch("http://10.0.0.1/")],
        ),
        (
            "search_file_content",
            json!({"pattern": "x", "include": ".env*"}),
            vec![read("."), read("**/.env*")],
        ),
        ("write_todos", json!({"todos": []}), vec![]),
        ("save_memory", json!({"fact": "x"}), vec![Use::Unknown]),
    ]
}

fn copilot() -> Vec<Example> {
    vec![
        ("bash", json!({"command": "ls"}), vec![shell("ls")]),
        ("create", json!({"path": "x", "file_text": "y"}), vec![write("x")]),
        ("view", json!({"path": "/y"}), vec![read("/y")]),
        ("web_fetch", json!({"url": "http://a.test"}), vec![fetch("http://a.test")]),
        ("write_bash", json!({"input": "ls{enter}reboot{enter}"}), vec![shell("ls\nreboot\n")]),
        ("write_bash", json!({"input": "{up}{enter}"}), vec![Use::Unknown]),
        ("write_bash", json!({"input": "reboot{enter}{up}"}), vec![shell("reboot\n"), Use::Unknown]),
        ("github-mcp-server-create_issue", json!({}), vec![mcp("github-mcp-server", "create_issue")]),
        ("fs-write_file", json!({}), vec![Use::Unknown]),
    ]
}

fn hermes() -> Vec<Example> {
    vec![
        ("terminal", json!({"command": "ls"}), vec![shell("ls")]),
        ("skill_view", json!({"name": "zap"}), vec![skill("zap", None)]),
        (
            "skill_manage",
            json!({"action": "create", "name": "../../x", "content": ""}),
            vec![write("~/.hermes/skills/../../x/SKILL.md")],
        ),
        ("memory", json!({"action": "add", "content": "x"}), vec![]),
        ("cronjob", json!({"action": "list"}), vec![]),
        ("cronjob", json!({"action": "create", "prompt": "x"}), vec![Use::Unknown]),
        ("vision_analyze", json!({"image_url": "/etc/shadow"}), vec![read("/etc/shadow")]),
        ("vision_analyze", json!({"image_url": "http://a.test/x"}), vec![fetch("http://a.test/x")]),
        ("kanban_attach_url", json!({"url": "http://a.test"}), vec![fetch("http://a.test")]),
        ("browser_console", json!({"clear": true}), vec![]),
        ("send_message", json!({"message": "x"}), vec![Use::Unknown]),
        ("write_file", json!({"path": "x", "content": ""}), vec![write("x")]),
        ("patch", json!({"mode": "replace", "path": "x", "old_string": "a"}), vec![write("x")]),
        ("patch", json!({"mode": "patch", "patch": PATCH}), patched()),
        (
            "web_extract",
            json!({"urls": ["http://a.test", "http://b.test"]}),
            vec![fetch("http://a.test"), fetch("http://b.test")],
        ),
        ("mcp__fs__write_file", json!({}), vec![mcp("fs", "write_file")]),
        ("mcp_fs_write_file", json!({}), vec![Use::Unknown]),
    ]
}

fn opencode() -> Vec<Example> {
    vec![
        ("bash", json!({"command": "ls"}), vec![shell("ls")]),
        ("write", json!({"filePath": "/x", "content": ""}), vec![write("/x")]),
        ("apply_patch", json!({"patchText": PATCH}), patched()),
        ("github_create_issue", json!({}), vec![Use::Unknown]),
    ]
}

fn pi() -> Vec<Example> {
    vec![
        ("bash", json!({"command": "ls"}), vec![shell("ls")]),
        ("edit", json!({"path": "x", "edits": []}), vec![write("x")]),
        ("ls", json!({}), vec![read(".")]),
        ("read", json!({"path": "@~/.ssh/id_rsa"}), vec![read("~/.ssh/id_rsa"), read("@~/.ssh/id_rsa")]),
        ("write", json!({"path": "a\u{202f}b"}), vec![write("a b"), write("a\u{202f}b")]),
        ("custom", json!({}), vec![Use::Unknown]),
    ]
}

fn goose() -> Vec<Example> {
    vec![
        ("developer__shell", json!({"command": "ls"}), vec![shell("ls")]),
        ("developer__text_editor", json!({"command": "write", "path": "x"}), vec![write("x")]),
        ("github__issue", json!({}), vec![mcp("github", "issue")]),
    ]
}

fn cursor() -> Vec<Example> {
    vec![
        ("Shell", json!({"command": "ls"}), vec![shell("ls")]),
        ("Write", json!({"file_path": "x"}), vec![write("x")]),
        ("MCP:Task", json!({}), vec![mcp("mcp", "Task")]),
        ("MCP:Shell", json!({"command": "ls"}), vec![mcp("mcp", "Shell")]),
        ("Frobnicate", json!({}), vec![Use::Unknown]),
    ]
}

fn cline() -> Vec<Example> {
    vec![
        ("execute_command", json!({"command": "ls", "requires_approval": "false"}), vec![shell("ls")]),
        ("write_to_file", json!({"path": "x", "content": ""}), vec![write("x")]),
        (
            "browser_action",
            json!({"action": "launch", "url": "http://169.254.169.254"}),
            vec![fetch("http://169.254.169.254")],
        ),
        ("browser_action", json!({"action": "click", "coordinate": "1,2"}), vec![Use::Unknown]),
        ("use_mcp_tool", json!({"server_name": "s", "tool_name": "t"}), vec![mcp("s", "t")]),
    ]
}

fn windsurf() -> Vec<Example> {
    vec![
        (
            "pre_run_command",
            json!({"command_line": "ls", "cwd": "/w"}),
            vec![Use::Command { text: "ls".to_owned(), dialect: Dialect::Shell, cwd: Some("/w".to_owned()) }],
        ),
        ("pre_write_code", json!({"file_path": "x", "edits": []}), vec![write("x")]),
        ("pre_read_code", json!({"file_path": "x"}), vec![read("x")]),
        ("pre_mcp_tool_use", json!({"mcp_server_name": "s", "mcp_tool_name": "t"}), vec![mcp("s", "t")]),
    ]
}
