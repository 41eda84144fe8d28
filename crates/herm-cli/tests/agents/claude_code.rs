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
    command.args(["--permission-mode", "acceptEdits", "--allowedTools", "Bash", "Write"]);
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
