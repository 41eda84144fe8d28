//! Claude Code.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::model::Call;
use crate::stage::Stage;
use crate::{scenarios, space};

pub(crate) static CLIENT: Client = Client {
    name: "claude-code",
    word: "claude-code",
    settle: |_| {},
    ask,
    shell: |command| Call { tool: "Bash", input: json!({"command": command, "description": "does it"}) },
    write: |path| Call { tool: "Write", input: json!({"file_path": path, "content": "written"}) },
    // It would ask its own person, of whom there is none.
    keep: |stage| stage.change(SETTINGS, "hook claude-code", "hook claude-code --ask herm"),
    hurry: |stage| stage.change(SETTINGS, "3600", "5"),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Runs,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Blocked,
    },
};

/// The same behind what speaks to editors for it.
pub(crate) static IN_EDITOR: Client = Client {
    name: "claude-agent-acp",
    word: CLIENT.word,
    settle: CLIENT.settle,
    ask: CLIENT.ask,
    shell: CLIENT.shell,
    write: CLIENT.write,
    keep: CLIENT.keep,
    hurry: CLIENT.hurry,
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Runs,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Blocked,
    },
};

const SETTINGS: &str = ".claude/settings.json";

fn ask(stage: &Stage, command: &mut Command, prompt: &str) {
    command.args(["claude", "-p", prompt]);
    command.args(["--permission-mode", "acceptEdits", "--allowedTools", "Bash", "Write", "Skill", "Agent"]);
    lead(stage, command);
}

fn lead(stage: &Stage, command: &mut Command) {
    command
        .env("ANTHROPIC_BASE_URL", stage.model.url())
        .env("ANTHROPIC_API_KEY", "none")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1");
}

scenarios!();

/// The same without a hook and without leave: it asks herm's tool where it would ask its person.
static PROMPTING: Client = Client { settle: serve, ask: prompt, ..CLIENT };

#[test]
fn its_prompt_for_permission_asks_herm() {
    let test = concat!(module_path!(), "::its_prompt_for_permission_asks_herm");
    space::apart(&PROMPTING, test, scenarios::prompted);
}

const SERVERS: &str = "servers.json";

fn serve(stage: &Stage) {
    // What its environment says of a home is not heeded.
    let arguments = json!(["mcp", "serve", "--home", stage.place.home()]);
    let servers = json!({"mcpServers": {"herm": {"command": stage.herm(), "args": arguments}}});
    stage.settings(SERVERS, &servers.to_string());
}

fn prompt(stage: &Stage, command: &mut Command, prompt: &str) {
    command.args(["claude", "-p", prompt, "--permission-prompt-tool", "mcp__herm__approve", "--mcp-config"]);
    command.arg(stage.place.home().join(SERVERS));
    lead(stage, command);
}

#[test]
fn what_a_skill_has_run_is_judged() {
    let test = concat!(module_path!(), "::what_a_skill_has_run_is_judged");
    space::apart(&CLIENT, test, |client| {
        assert_eq!(shown(client, |_| {}), SHOWN);
        assert_eq!(shown(client, Stage::wire), ["allowed", "home-allowed"]);
    });
}

/// The files that the commands in skills leave.
const SHOWN: [&str; 7] = ["allowed", "home-allowed", "fenced", "inline", "given", "home", "preloaded"];

/// What is left of all that stands in skills, after each of them was called.
fn shown(client: &'static Client, wire: fn(&Stage)) -> Vec<&'static str> {
    let stage = Stage::new(client);
    let denied = SHOWN.iter().filter(|name| !name.contains("allowed")).map(|name| format!("'touch {name}'"));
    stage.place.config(&format!("approvals: {{deny: [{}]}}\n", denied.collect::<Vec<_>>().join(", ")));
    let sheet = |name: &str, body: &str| format!("---\nname: {name}\ndescription: A test.\n---\n{body}\n");
    stage.place.file(".claude/skills/good/SKILL.md", &sheet("good", "Now !`touch allowed`"));
    stage.place.file(".claude/skills/bad/SKILL.md", &sheet("bad", "Now !`touch inline`"));
    stage.place.file(".claude/skills/gets/SKILL.md", &sheet("gets", "Now !`$ARGUMENTS`"));
    stage.place.file(".claude/skills/first/SKILL.md", &sheet("first", "Now !`touch preloaded`"));
    stage.place.file(".claude/commands/far/worse.md", "```!\ntouch fenced\n```\n");
    stage.place.file(
        ".claude/agents/helper.md",
        &sheet("helper", "Help.").replace("A test.", "A test.\nskills: first"),
    );
    stage.settings(".claude/skills/own/SKILL.md", &sheet("own", "Now !`touch home-allowed`"));
    stage.settings(".claude/skills/evil/SKILL.md", &sheet("evil", "Now !`touch home`"));
    wire(&stage);
    let skill = |name: &str, args: &str| Call { tool: "Skill", input: json!({"skill": name, "args": args}) };
    let agent = json!({"subagent_type": "helper", "description": "helps", "prompt": "Say hello."});
    let run = stage.run(&[
        skill("good", ""),
        skill("bad", ""),
        skill("gets", "touch given"),
        skill("far:worse", ""),
        skill("own", ""),
        skill("evil", ""),
        Call { tool: "Agent", input: agent },
    ]);
    let left: Vec<_> = SHOWN.into_iter().filter(|name| stage.place.work(name).exists()).collect();
    assert!(run.told(0).contains("good"), "{}", run.story);
    stage.is_left();
    left
}

/// It skips a file with a comment in it, and with the file the hook.
#[test]
fn a_comment_in_its_settings_switches_it_off_and_is_told() {
    let test = concat!(module_path!(), "::a_comment_in_its_settings_switches_it_off_and_is_told");
    space::apart(&CLIENT, test, |client| {
        let stage = Stage::new(client);
        stage.place.config("approvals: {deny: ['touch forbidden']}\n");
        stage.settings(SETTINGS, "\u{feff}{\r\n  \"includeCoAuthoredBy\": false\r\n}\r\n");
        stage.wire();
        let calls = [(client.shell)("touch forbidden")];
        let run = stage.run(&calls);
        assert!(!stage.place.work("forbidden").exists(), "a mark and CRLF are fine: {}", run.story);

        stage.change(SETTINGS, "\"includeCoAuthoredBy\"", "// Mine.\n  \"includeCoAuthoredBy\"");
        let run = stage.run(&calls);
        assert!(stage.place.work("forbidden").exists(), "if this holds now, it can be told: {}", run.story);
        let rows = stage.doctor();
        assert!(rows[0]["state"] == "missing", "{rows:?}");
        stage.is_left();
    });
}

#[test]
fn a_repository_can_switch_it_off() {
    let test = concat!(module_path!(), "::a_repository_can_switch_it_off");
    space::apart(&CLIENT, test, |client| {
        scenarios::switched_off(client, ".claude/settings.json", "{\"disableAllHooks\": true}\n");
    });
}

#[test]
fn a_repository_cannot_switch_it_off_for_the_machine() {
    let test = concat!(module_path!(), "::a_repository_cannot_switch_it_off_for_the_machine");
    space::with_machine(&CLIENT, test, |client| {
        scenarios::for_the_machine(client, ".claude/settings.json", "{\"disableAllHooks\": true}\n");
    });
}
