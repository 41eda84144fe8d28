//! `OpenCode`.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::formats::{self, Reads, Way};
use crate::model::Call;
use crate::stage::Stage;

pub(crate) static CLIENT: Client = Client {
    name: "opencode",
    word: "opencode",
    settle,
    ask,
    shell: |command| Call { tool: "bash", input: json!({"command": command, "description": "does it"}) },
    write: |path| Call { tool: "write", input: json!({"filePath": path, "content": "written"}) },
    keep: |_| {},
    hurry: |stage| stage.change(".config/opencode/plugin/herm.js", "3_600_000", "5_000"),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Blocked,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Blocked,
    },
};

const SETTINGS: &str = ".config/opencode/opencode.json";

fn settle(stage: &Stage) {
    let model = json!({
        "model": "fake/fake-1",
        "permission": {"bash": "allow", "edit": "allow", "external_directory": "allow"},
        "provider": {"fake": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": format!("{}/v1", stage.model.url()), "apiKey": "none"},
            "models": {"fake-1": {"name": "fake-1", "tool_call": true}},
        }},
    });
    stage.settings(SETTINGS, &model.to_string());
}

fn ask(_: &Stage, command: &mut Command, prompt: &str) {
    // It wants packages for its plugins, goes on without them, and must not try for long.
    command.args(["opencode", "run", prompt]).env("npm_config_fetch_retries", "0");
    for feature in ["AUTOUPDATE", "LSP_DOWNLOAD", "MODELS_FETCH"] {
        command.env(format!("OPENCODE_DISABLE_{feature}"), "1");
    }
}

scenarios!();

/// Its settings may be written in any way, and do not keep a plugin from being loaded.
#[test]
fn what_it_makes_of_its_settings_is_known() {
    let test = concat!(module_path!(), "::what_it_makes_of_its_settings_is_known");
    crate::space::apart(&CLIENT, test, |client| {
        formats::tried(
            client,
            &[
                Way {
                    file: SETTINGS,
                    written: |before| formats::with_mark(&formats::with_comma(&formats::commented(before))),
                    reads: Reads::Asks,
                },
                Way { file: SETTINGS, written: |_| "{".to_owned(), reads: Reads::Stops },
            ],
        );
    });
}
