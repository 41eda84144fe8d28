//! Pi.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::formats::{self, Reads, Way};
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

const SETTINGS: &str = ".pi/agent/settings.json";

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

/// What it cannot read it takes for nothing, and the extension stays; what takes the extension out is told.
#[test]
fn what_it_makes_of_its_files_is_known() {
    let test = concat!(module_path!(), "::what_it_makes_of_its_files_is_known");
    crate::space::apart(&CLIENT, test, |client| {
        formats::tried(
            client,
            &[
                Way { file: SETTINGS, written: formats::commented, reads: Reads::Asks },
                Way {
                    file: SETTINGS,
                    written: |_| "{\"extensions\": [\"!other*\"]}".to_owned(),
                    reads: Reads::Asks,
                },
                Way {
                    file: SETTINGS,
                    written: |_| "{\"extensions\": [\"-extensions/herm.ts\"]}".to_owned(),
                    reads: Reads::Skips,
                },
                Way {
                    file: SETTINGS,
                    written: |_| "{\"extensions\": [\"!herm*\"]}".to_owned(),
                    reads: Reads::Skips,
                },
                Way {
                    file: ".pi/agent/extensions/.gitignore",
                    written: |_| "*.ts\n".to_owned(),
                    reads: Reads::Skips,
                },
                Way {
                    file: ".pi/agent/extensions/index.ts",
                    written: |_| "export default function () {}\n".to_owned(),
                    reads: Reads::Skips,
                },
            ],
        );
    });
}
