//! Gemini CLI.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::formats::{self, Reads, Way};
use crate::model::Call;
use crate::stage::Stage;
use crate::{scenarios, space};

pub(crate) static CLIENT: Client = Client {
    name: "gemini",
    word: "gemini",
    settle: |stage| {
        let auth = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}});
        stage.settings(SETTINGS, &auth.to_string());
    },
    ask,
    shell: |command| Call {
        tool: "run_shell_command",
        input: json!({"command": command, "description": "does it"}),
    },
    write: |path| Call { tool: "write_file", input: json!({"file_path": path, "content": "written"}) },
    keep: |_| {},
    hurry: |stage| stage.change(SETTINGS, "3600000", "5000"),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Runs,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Runs,
    },
};

const SETTINGS: &str = ".gemini/settings.json";

fn ask(stage: &Stage, command: &mut Command, prompt: &str) {
    command
        .args(["gemini", "-p", prompt, "-m", "gemini-2.5-pro", "--yolo"])
        .env("GEMINI_API_KEY", "none")
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true")
        .env("GOOGLE_GEMINI_BASE_URL", stage.model.url());
}

scenarios!();

#[test]
fn a_repository_can_switch_it_off() {
    let test = concat!(module_path!(), "::a_repository_can_switch_it_off");
    space::apart(&CLIENT, test, |client| {
        scenarios::switched_off(client, SETTINGS, "{\"hooksConfig\": {\"enabled\": false}}\n");
    });
}

#[test]
fn a_repository_cannot_switch_it_off_for_the_machine() {
    let test = concat!(module_path!(), "::a_repository_cannot_switch_it_off_for_the_machine");
    space::with_machine(&CLIENT, test, |client| {
        scenarios::for_the_machine(client, SETTINGS, "{\"hooksConfig\": {\"enabled\": false}}\n");
    });
}

/// Comments are taken, what else is not plain JSON is said aloud, and of two values the last counts.
#[test]
fn what_it_makes_of_its_settings_is_known() {
    let test = concat!(module_path!(), "::what_it_makes_of_its_settings_is_known");
    space::apart(&CLIENT, test, |client| {
        formats::tried(
            client,
            &[
                Way { file: SETTINGS, written: formats::commented, reads: Reads::Asks },
                Way { file: SETTINGS, written: formats::with_comma, reads: Reads::Stops },
                Way { file: SETTINGS, written: formats::with_mark, reads: Reads::Stops },
                Way { file: SETTINGS, written: formats::with_hooks_again, reads: Reads::Skips },
            ],
        );
    });
}
