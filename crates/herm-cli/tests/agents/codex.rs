//! Codex CLI.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::model::Call;
use crate::stage::Stage;

static CLIENT: Client = Client {
    name: "codex",
    word: "codex",
    settle,
    ask,
    shell: |command| Call { tool: "exec_command", input: json!({"cmd": command}) },
    write: |path| Call {
        tool: "apply_patch",
        input: json!({"input": format!("*** Begin Patch\n*** Add File: {path}\n+written\n*** End Patch\n")}),
    },
    keep: |_| {},
    hurry: |stage| stage.change(HOOKS, "\"timeout\": 3600", HURRIED),
    failing: Failing {
        crashed: Then::Runs,
        garbled: Then::Runs,
        killed: Then::Runs,
        missing: Then::Runs,
        slow: Then::Runs,
    },
};

const HOOKS: &str = ".codex/hooks.json";
const HURRIED: &str = "\"timeout\": 2";

fn settle(stage: &Stage) {
    let url = stage.model.url();
    stage.settings(
        ".codex/config.toml",
        &format!(
            "model = \"gpt-5.5\"\nmodel_provider = \"fake\"\napproval_policy = \"never\"\n\n\
             [model_providers.fake]\nname = \"fake\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\nenv_key = \"FAKE_KEY\"\n"
        ),
    );
}

fn ask(stage: &Stage, command: &mut Command, prompt: &str) {
    command.args(["codex", "exec", "--skip-git-repo-check", "--sandbox", "danger-full-access"]);
    // With another time it is another hook, and nobody has consented to that one.
    let hooks = fs::read_to_string(stage.place.home().join(HOOKS)).unwrap_or_default();
    if hooks.contains(HURRIED) {
        command.arg("--dangerously-bypass-hook-trust");
    }
    command.arg(prompt).env("FAKE_KEY", "none");
}

scenarios!();
