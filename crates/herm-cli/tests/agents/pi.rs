//! Pi.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::model::Call;
use crate::stage::Stage;

pub(crate) static CLIENT: Client = Client {
    name: "pi",
    word: "pi",
    settle,
    ask,
    shell: |command| Call { tool: "bash", input: json!({"command": command}) },
    write: |path| Call { tool: "write", input: json!({"path": path, "content": "written"}) },
    keep: |_| {},
    hurry: |stage| stage.change(".pi/agent/extensions/herm.ts", "3_600_000", "5_000"),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Blocked,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Blocked,
    },
};

fn settle(stage: &Stage) {
    let provider = json!({"providers": {"fake": {
        "api": "openai-completions",
        "baseUrl": format!("{}/v1", stage.model.url()),
        "apiKey": "none",
        "models": [{"id": "fake-1"}],
    }}});
    stage.settings(".pi/agent/models.json", &provider.to_string());
}

fn ask(_: &Stage, command: &mut Command, prompt: &str) {
    command.args(["pi", "-p", "--provider", "fake", "--model", "fake-1", prompt]).env("PI_OFFLINE", "1");
}

scenarios!();
