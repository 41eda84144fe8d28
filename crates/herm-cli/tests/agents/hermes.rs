//! Hermes Agent.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::model::Call;
use crate::stage::Stage;

pub(crate) static CLIENT: Client = Client {
    name: "hermes",
    word: "hermes",
    settle,
    ask,
    shell: |command| Call { tool: "terminal", input: json!({"command": command}) },
    write: |path| Call { tool: "write_file", input: json!({"path": path, "content": "written"}) },
    keep: |_| {},
    hurry: |stage| stage.change(CONFIG, "timeout: 300", "timeout: 5"),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Runs,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Runs,
    },
};

pub(crate) const CONFIG: &str = ".hermes/config.yaml";

/// It would fetch a scanner and packages for itself, and waits for them.
fn settle(stage: &Stage) {
    let url = stage.model.url();
    stage.settings(
        CONFIG,
        &format!(
            "model:\n  provider: custom\n  base_url: {url}/v1\n  api_key: none\n  default: fake-1\n  context_length: 128000\n\
             security:\n  tirith_enabled: false\n  allow_lazy_installs: false\n"
        ),
    );
}

fn ask(_: &Stage, command: &mut Command, prompt: &str) {
    command.args(["hermes", "chat", "-Q", "--yolo", "-q", prompt]);
}

scenarios!();
